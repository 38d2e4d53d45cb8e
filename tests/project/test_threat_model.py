"""Each promise of SECURITY.md's threat model names tests, and every test that it names is there."""

from __future__ import annotations

import ast
import re

import pytest
from root import ROOT

PAGE = (ROOT / ".github" / "SECURITY.md").read_text(encoding="utf-8")
_NAMED = re.compile(r"`(tests/[\w/.*]+)?(?:::(\w+))?`")
TRUSTED = "the user"


def rows() -> list[list[str]]:
    """The cells of the table."""
    part = PAGE[PAGE.index("## Who controls what") : PAGE.index("## What ccmcheck promises on an untrusted checkout")]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def named(cell: str) -> list[tuple[str, str]]:
    """The tests of a row, as a path and a name; the path of the one before where none is written."""
    found: list[tuple[str, str]] = []
    path = ""
    for match in _NAMED.finditer(cell):
        path = match[1] or path
        found.append((path, match[2] or ""))
    return found


def test_every_promise_has_a_test() -> None:
    assert len(rows()) > 10
    assert [row[2] for row in rows() if row[0] != TRUSTED and not named(row[-1])] == []


@pytest.mark.parametrize(("path", "name"), sorted({one for row in rows() for one in named(row[-1])}))
def test_every_test_that_is_named_is_there(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_bytes())
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert name in tests or (not name and any(one.startswith("test_") for one in tests))


def test_the_page_names_no_file_that_is_gone() -> None:
    paths = set(re.findall(r"`((?:tests|ccmcheck)/[\w/.]+)`", PAGE))
    assert len(paths) > 5
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
