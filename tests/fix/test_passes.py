"""The passes themselves: what stands alone is made at once, what cannot be made is reported and blocks nothing else."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from ccmcheck.base.errors import InternalError
from ccmcheck.base.model import Edit, Fix, Problem
from ccmcheck.carriers.base import RunContext
from ccmcheck.fix import passes, step
from ccmcheck.fix.passes import FixResult, fix_text
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.rules import rule

GOOD = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: good{0}}}\ndata:\n  cloud.conf: |\n    [LoadBalancer]\n    monitor-delay = {0}\n"
FOLDED = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: bad{0}}}\ndata:\n  cloud.conf: >\n    [LoadBalancer]\n\n    monitor-delay = {0}\n"


def fixed(text: str, path: str = "x.yaml") -> FixResult:
    only = frozenset({"duration-bad"})
    return fix_text(path, text, Linter(Settings(only=only), RunContext()))


@pytest.mark.parametrize(("good", "bad"), [(1, 1), (70, 1), (70, 70), (3, 120)])
def test_what_cannot_be_made_keeps_nothing_else(good: int, bad: int) -> None:
    text = "".join(GOOD.format(number + 1) for number in range(good))
    text += "".join(FOLDED.format(number + 1) for number in range(bad))
    result = fixed(text)
    assert len(result.done) == good
    assert len(result.dropped) == bad
    assert result.after.count("s\n---") + result.after.endswith("s\n") == good
    assert len({outcome.reason for outcome in result.dropped}) == 1
    again = fixed(result.after)
    assert (again.after, len(again.done), len(again.dropped)) == (result.after, 0, bad)


def test_one_pass_makes_all_that_stand_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    examine = Linter.examine

    def counted(self: Linter, path: str, whole: str, *, explicit: bool = False, without: frozenset[str]) -> object:
        nonlocal looks
        looks += 1
        return examine(self, path, whole, explicit=explicit, without=without)

    monkeypatch.setattr(Linter, "examine", counted)
    result = fixed("".join(GOOD.format(number + 1) for number in range(40)))
    assert len(result.done) == 40
    assert looks == 2  # before and after


@pytest.mark.parametrize("width", [10, 20, 40])
@pytest.mark.parametrize(
    "lines",
    [
        ("monitor-delay = 3", "monitor-timeout=4"),
        ("use-octavia = On", "monitor-delay = 3", "lb-method=round_robin", "create-monitor=yes"),
        ("monitor-delay = 3", "subnet-id='x'", "monitor-timeout=4", "max-shared-lb = 3;"),
    ],
)
def test_what_an_earlier_change_unlocks_is_fixed_in_the_same_run(lines: tuple[str, ...], width: int) -> None:
    """Base64 over several lines can be changed once it is on one line, which the first fix of all of it does."""
    data = base64.b64encode("\n".join(("[LoadBalancer]", *lines, "")).encode()).decode()
    folded = "\n    ".join(data[start : start + width] for start in range(0, len(data), width))
    text = f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\ndata:\n  cloud.conf: {folded}\n"
    linter = Linter(Settings(), RunContext())
    once = fix_text("secret.yaml", text, linter, unsafe=True)
    assert once.done
    assert fix_text("secret.yaml", once.after, linter, unsafe=True).after == once.after


def with_fix(monkeypatch: pytest.MonkeyPatch, *edits: Edit) -> FixResult:
    """A cloud.conf whose one finding has another fix than its rule would give it."""
    module = rule("duration-bad")
    check = module.check

    def other(conf: Any) -> Iterator[Problem]:
        for problem in check(conf):
            yield problem._replace(fix=Fix("another", edits))

    monkeypatch.setattr(module, "check", other)
    return fixed("[LoadBalancer]\n# why\nmonitor-delay = 3\nmax-shared-lb = 4\n", "cloud.conf")


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ((Edit(37, 38, "3s"), Edit(36, 38, "4s")), "two changes overlap in the text at offset"),
        ((Edit(37, 38, "4"),), "the finding would still be there"),
        ((Edit(37, 39, "3s\\\n"),), "the value of max-shared-lb in [loadbalancer] would change too"),
        ((Edit(20, 21, " "), Edit(37, 38, "3s")), "a comment would be lost"),
    ],
)
def test_the_guard(edits: tuple[Edit, ...], reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = with_fix(monkeypatch, *edits)
    assert result.after == result.before
    assert result.done == ()
    (dropped,) = result.dropped
    assert reason in dropped.reason


def test_fixes_that_undo_each_other_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step.FixStep, "take", lambda *_: [])
    with pytest.raises(InternalError, match=f"still changes after {passes.MOST_PASSES} passes"):
        fixed(GOOD.format(1))


def test_a_fix_that_is_refused_blocks_no_other_of_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "[LoadBalancer]\nmonitor-delay = 3\nmonitor-timeout = 3\n"
    module = rule("duration-bad")
    check = module.check

    def other(conf: Any) -> Iterator[Problem]:
        for problem in check(conf):
            start = problem.span.start
            if start < text.index("monitor-timeout"):  # it leaves the mistake, so it is refused
                yield problem._replace(
                    fix=Fix("write `3s`", (Edit(start, text.rindex("3") + 1, "4\nmonitor-timeout = 3"),))
                )
            else:
                yield problem

    monkeypatch.setattr(module, "check", other)
    result = fixed(text, "cloud.conf")
    assert result.after == text.replace("timeout = 3", "timeout = 3s")
    assert [(outcome.place.line, outcome.title) for outcome in result.done] == [(3, "write `3s`")]
    assert [outcome.place.line for outcome in result.dropped] == [2]
