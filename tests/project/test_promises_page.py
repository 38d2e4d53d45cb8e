"""The page of promises says what the code does: every name is on it, and no other."""

from __future__ import annotations

import re

import pytest

from ccmcheck.catalog.signs.paths import (
    EXAMPLE_ENDINGS,
    EXAMPLE_FOLDERS,
    SHOWN_FOLDERS,
    TEMPLATE_ENDINGS,
    TEMPLATE_FOLDERS,
    is_example,
    is_template,
)
from ccmcheck.cli.guides import guide

PAGE = guide("promises")
MOST_LINES = 80


def code_in(start: str, end: str) -> list[str]:
    """What stands in backticks in a part of the page."""
    part = PAGE[PAGE.index(start) : PAGE.index(end, PAGE.index(start) + len(start))]
    return re.findall(r"`([^`]+)`", part)


def test_it_is_one_page() -> None:
    assert len(PAGE.splitlines()) <= MOST_LINES


@pytest.mark.parametrize(
    ("start", "end", "names"),
    [
        ("| folders |", "\n", EXAMPLE_FOLDERS),
        ("| endings", "\n", [*(f".{one}" for one in EXAMPLE_ENDINGS), "cloud.conf.example.j2"]),
        ("The same holds for", ".\n", SHOWN_FOLDERS),
        ("an ending `.tmpl`", ", also before", [f".{one}" for one in TEMPLATE_ENDINGS]),
        ("a folder `template`", ",", TEMPLATE_FOLDERS),
    ],
)
def test_the_names_on_it_are_those_of_the_code(start: str, end: str, names: list[str]) -> None:
    assert set(code_in(start, end)) == set(names)


def test_its_examples_are_what_it_says() -> None:
    assert is_example("cloud.conf.example.j2")
    assert is_template("cloud.conf.tmpl.yaml")
    assert is_template("a/templates/cloud.conf")
