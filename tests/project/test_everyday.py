"""`make test` tries a part of what `.ci/run` tries, and says how much it left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from by_file import ByFile

pytest_plugins = "pytester"
TESTS = """
import pytest
from hypothesis import given, settings, strategies as st

@pytest.mark.part(of=3)
@pytest.mark.parametrize("number", range(7))
def test_part(number): pass

@pytest.mark.ci
def test_long(): pass

@pytest.mark.parametrize("number", range(7))
def test_whole(number): pass

seen = []

@settings(max_examples=200)
@given(st.integers())
def test_generated(number): seen.append(number)

class TestIn:
    @given(st.integers())
    def test_method(self, number): seen.append(number)

def test_count(): assert len(seen) {count}
"""
CONFTEST = (Path(__file__).parent / "conftest.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(("ci", "outcomes", "count"), [("", (13, 5), "< 110"), ("true", (18, 0), ">= 200")])
def test_a_part_every_day_and_all_in_ci(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: str, outcomes: tuple[int, int], count: str
) -> None:
    monkeypatch.setenv("CI", ci)
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\nmarkers = ["part(of): a", "ci: c", "slow: b"]\n')
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS.replace("{count}", count))
    done = pytester.inline_run("-p", "no:cacheprovider")
    passed, _, failed = done.countoutcomes()
    assert (passed, failed) == (outcomes[0], 0)
    assert sum(len(call.items) for call in done.getcalls("pytest_deselected")) == outcomes[1]


@pytest.mark.parametrize(
    ("test", "unit"),
    [
        ("tests/a/test_b.py::test_c[d@e]", "tests/a/test_b.py"),
        ("tests/a/test_b.py::TestF::test_c", "tests/a/test_b.py"),
        ("tests/a/test_b.py::test_c[d@e]@wheel", "wheel"),
    ],
)
def test_what_one_worker_gets_at_a_time(test: str, unit: str) -> None:
    assert ByFile._split_scope(object.__new__(ByFile), test) == unit
