"""A small part of ``make attack`` with fixed seeds, and that its judge finds what is wrong."""

from __future__ import annotations

from pathlib import Path

import attack
import attack_servers
import canary_product
import pytest
from attack_judge import Told, hits
from hostile_answers import KINDS

EACH = {"documents": 150, "names": 120, "servers": 30, "git": 5, "budgets": 30}
"""Runs of each family."""


# an alarm within a finalizer is not heard, and rings again; pytest would take the first for a failure
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("family", EACH)
def test_no_promise_is_broken(family: str) -> None:
    made = attack.attempts(29, EACH[family], [family])
    assert len(made) == EACH[family]
    assert [outcome for outcome in attack.outcomes(made, 1) if outcome.wrong] == []


@pytest.fixture
def asked_once() -> tuple[attack_servers.Question, ...]:
    """One question to each kind of server."""
    wanted = (
        ("cluster lint", "/api/v1/services"),
        ("cluster orphans", "/v3/auth/tokens"),
        ("cluster lint --octavia", "/v2/lbaas/pools"),
        ("cluster orphans", "/v2.0/floatingips"),
    )
    found = {(" ".join(one.command), one.path): one for one in attack_servers.questions()}
    return tuple(found[one] for one in wanted)


def test_there_are_46_kinds_of_hostility() -> None:
    assert len(KINDS) == 46
    assert KINDS.keys() >= attack_servers.MUST_BE_SAID


@pytest.mark.part(of=6)
@pytest.mark.parametrize("kind", KINDS)
def test_api_server_keystone_octavia_and_neutron_answer_with_the_same_hostility(
    kind: str, asked_once: tuple[attack_servers.Question, ...], tmp_path: Path
) -> None:
    questions = attack_servers.questions()
    for number, question in enumerate(asked_once):
        folder = tmp_path / str(number)
        folder.mkdir()
        which = questions.index(question) + len(questions) * list(KINDS).index(kind)
        assert attack_servers.attack(which, folder) == [], question


RIGHT = Told(0, "", "", 0.1, 0)
WRONG = {
    "exit code 5": (RIGHT._replace(code=5), "lint ."),
    "a fault of ours": (RIGHT._replace(err="ccmcheck: internal error: KeyError at x.py:1"), "lint ."),
    "a fault of ours: 'Traceback": (RIGHT._replace(err="Traceback (most recent call last):"), "lint ."),
    "canary is shown": (RIGHT._replace(out="a canary b"), "lint ."),
    "a control character": (RIGHT._replace(out="a\x1b[31m"), "lint ."),
    "a command of GitHub Actions:": (RIGHT._replace(out="a\n  ::stop-commands::x\n"), "lint ."),
    "a command of GitHub Actions or Azure": (RIGHT._replace(out='{"a": "##vso[x"}'), "lint --format json ."),
    "a line that is no annotation": (RIGHT._replace(out="::set-output name=a::b\n"), "lint --format github ."),
    "no JSON": (RIGHT._replace(out="{"), "lint --format=sarif ."),
    "no XML": (RIGHT._replace(out="<a>&"), "lint --format junit ."),
    "a tag": (RIGHT._replace(out="a <img/src=x>"), "show --format markdown x"),
    "21 s of processor time": (RIGHT._replace(seconds=21), "lint ."),
    "300 MiB more": (RIGHT._replace(grown=300), "lint ."),
}


@pytest.mark.parametrize("words", WRONG)
def test_the_judge_finds_what_is_wrong(words: str) -> None:
    run, command = WRONG[words]
    assert any(hit.startswith(words) for hit in hits(run, command.split(), ["canary"]))
    assert not list(hits(RIGHT, command.split(), ["canary"]))


def test_markup_that_is_taken_literally_is_none() -> None:
    run = RIGHT._replace(out="a \\<img src=x\\> and `<img src=x>` and ``a`<img src=x>``\n")
    assert not list(hits(run, ["show", "--format", "markdown"]))


def test_a_leak_of_a_part_is_found() -> None:
    for escape in canary_product.ESCAPES:
        written = escape.write()
        forbidden = canary_product.leaks(written)
        assert canary_product.leak(f"the value {written[1:]} is", forbidden), escape.name
        assert canary_product.leak(f'{{"a": "{written[:-1]}"}}'.replace("\\", "\\\\"), forbidden), escape.name
        assert not canary_product.leak("nothing", forbidden)


@pytest.mark.parametrize("family", EACH)
def test_one_run_of_each_family(family: str) -> None:
    made = attack.attempts(7, 1, [family])
    assert [outcome.wrong for outcome in attack.outcomes(made, 1)] == [[]]


def test_every_run_can_be_told_and_repeated() -> None:
    made = attack.attempts(7, 200, list(attack.FAMILIES))
    assert made == attack.attempts(7, 200, list(attack.FAMILIES))
    assert len(set(made)) == len(made)
    for name, number in made:
        assert attack.FAMILIES[name][0].described(number)
