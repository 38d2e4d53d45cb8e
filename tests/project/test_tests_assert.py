"""Every test asserts something itself, or through a helper that does: "it does not raise" is not readable from a call."""

from __future__ import annotations

from pathlib import Path

from asserting_tests import silent_tests
from root import ROOT

HELPER = "def assert_even(number):\n    assert number % 2 == 0\n"
TESTS = """\
import pytest
from evenness import assert_even as even

def check(number):
    even(number)

def loop(number):
    loop(number)

def test_direct():
    assert 1

def test_by_two_helpers():
    check(2)

def test_exception():
    with pytest.raises(ValueError):
        int("x")

def test_of_a_call_alone():
    int("1")

def test_of_a_helper_that_asserts_nothing():
    loop(1)
"""


def test_every_test_asserts() -> None:
    silent = list(silent_tests(sorted((ROOT / "tests").rglob("*.py"))))
    assert not silent, "These tests assert nothing; write what the call must return or leave behind:\n" + "\n".join(
        silent
    )


def test_silent_tests_are_named(tmp_path: Path) -> None:
    helper, tests = tmp_path / "evenness.py", tmp_path / "test_evenness.py"
    helper.write_text(HELPER, encoding="utf-8")
    tests.write_text(TESTS, encoding="utf-8")
    assert list(silent_tests([helper, tests])) == [
        "test_evenness.py:20 test_of_a_call_alone",
        "test_evenness.py:23 test_of_a_helper_that_asserts_nothing",
    ]
