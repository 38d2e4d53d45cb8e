"""The bad and good cases of every rule's page, as tests; positions are asserted."""

from __future__ import annotations

import pytest
from casework import codes, fixed_text, problems_of
from rule_cases import Case, bad, good

from ccmcheck.base.model import Applicability
from ccmcheck.explain.rules import page
from ccmcheck.rules import GROUP_OF, rule
from ccmcheck.rules.registry import ENTRIES

NAMES = list(GROUP_OF)
BAD = [(name, index) for name in NAMES for index in range(len(bad(name)))]
GOOD = [(name, index) for name in NAMES for index in range(len(good(name)))]
REPORTS_ANY_FIRST_ERROR = frozenset(("not-a-cloud-conf",))
"""Reports the reader's first error, of any kind, in a text of another format; no other rule then reports any."""

HEADINGS = ("What it does", "Why", "What the CCM does", "Releases", "Fix", "Source")


def claims(name: str) -> tuple[str, ...]:
    return getattr(rule(name), "CLAIMS", ())


def position(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


@pytest.mark.parametrize("name", NAMES)
def test_is_described(name: str) -> None:
    assert bad(name), "a rule needs a bad case"
    assert good(name), "a rule needs a good case"
    for heading in HEADINGS:
        assert f"\n{heading}:" in page(name).prose, f"the page of {name} has no paragraph `{heading}:`"


@pytest.mark.parametrize(("name", "index"), BAD, ids=[f"{name}-{index}" for name, index in BAD])
def test_bad(name: str, index: int) -> None:
    case, severity = bad(name)[index], ENTRIES[name].severity
    problems = problems_of(name, case)
    assert len(problems) == case.times, problems
    first = problems[0]
    assert position(case.text, first.span.start) == case.at, first
    assert (first.severity or severity) == (case.severity or severity)
    assert 0 <= first.span.start <= first.span.end <= len(case.text)
    for problem in problems:
        assert problem.label
        assert not problem.label.endswith("."), "a label is a clause"
        assert not problem.detail or problem.detail.endswith((".", ":", "`")), problem.detail
        if problem.stop is not None:
            assert problem.stop.kind in claims(name) or name in REPORTS_ANY_FIRST_ERROR
    if case.fixed is None:
        assert all(problem.fix is None for problem in problems)
    else:
        assert first.fix is not None
        assert (first.fix.applicability is Applicability.UNSAFE) == case.unsafe
        assert fixed_text(case.text, problems) == case.fixed
        again = problems_of(name, case._replace(text=case.fixed))
        assert again == [], "the finding is still there after the fix"


@pytest.mark.parametrize(("name", "index"), GOOD, ids=[f"{name}-{index}" for name, index in GOOD])
def test_good(name: str, index: int) -> None:
    assert problems_of(name, good(name)[index]) == []


def test_every_reader_error_belongs_to_exactly_one_rule() -> None:
    assert sorted(kind for name in NAMES for kind in claims(name)) == sorted(codes())


def test_case_is_a_record() -> None:
    assert Case("x").times == 1
