"""What lint calls fixable is what fix fixes: layers that cannot carry a change, and releases that want different ones."""

from __future__ import annotations

import pytest
from documents_generate import document

from ccmcheck.api import LintOptions, _settings
from ccmcheck.fix.passes import fix_text
from ccmcheck.lint.engine import Linter

CONF = "[Global]\nauth-url=https://k/v3\n[LoadBalancer]\nmonitor-delay = 3\nuse-octavia = true\n"
HEAD = "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\n"
BLOCK = CONF.replace("\n", "\n    ")
LOCKED = {
    "anchor": f"{HEAD}stringData:\n  cloud.conf: &conf |\n    {BLOCK}\n",
    "alias": f"{HEAD}x: &conf |\n    {BLOCK}\nstringData:\n  cloud.conf: *conf\n",
    "folded": f"{HEAD}stringData:\n  cloud.conf: >\n    {CONF.replace(chr(10), chr(10) * 2 + '    ')}\n",
}


def linter(*releases: str) -> Linter:
    return Linter(*_settings(LintOptions(releases=releases)))


def claimed_and_dropped(path: str, text: str, *releases: str) -> tuple[int, list[str]]:
    """How many findings are called fixable, and which of them fix does not fix."""
    problems = linter(*releases).examine(path, text, explicit=True).problems
    claimed = {(one.rule, one.place) for one in problems if one.finding.fix is not None}
    result = fix_text(path, text, linter(*releases), unsafe=True)
    dropped = {(one.rule, one.place): one.reason for one in result.dropped}
    wrong = [f"{key[0]}: {dropped[key]}" for key in claimed if key in dropped]
    assert result.done or not claimed
    return len(claimed), wrong


@pytest.mark.parametrize("name", LOCKED)
def test_a_locked_layer_says_that_it_is_changed_by_hand(name: str) -> None:
    assert claimed_and_dropped("secret.yaml", LOCKED[name]) == (0, [])
    problems = linter().examine("secret.yaml", LOCKED[name], explicit=True).problems
    (delay,) = (one.finding for one in problems if one.rule == "duration-bad")
    assert "Write `3s`. Change it by hand: " in delay.help


def test_a_plain_file_has_them() -> None:
    claimed, wrong = claimed_and_dropped("cloud.conf", CONF)
    assert claimed >= 2
    assert not wrong


def test_what_only_some_releases_want_is_not_fixable() -> None:
    problems = linter("1.25", "1.31").examine("cloud.conf", CONF, explicit=True).problems
    fixable = {one.rule: one.finding.fix is not None for one in problems}
    assert fixable["duration-bad"]
    assert not fixable["key-removed"], "1.25 reads the key"
    assert claimed_and_dropped("cloud.conf", CONF, "1.25", "1.31")[1] == []


def test_made_documents() -> None:
    wrong: list[str] = []
    claimed = 0
    for number in range(60):
        made = document(5, number)
        some, bad = claimed_and_dropped(made.path, made.text)
        claimed += some
        wrong += bad
    assert claimed > 100
    assert not wrong
