"""Every carrier's function is in the table of kinds."""

from __future__ import annotations

import ast
from pathlib import Path

from ccmcheck.carriers import kinds
from ccmcheck.carriers.kinds import FINDERS, finder

FOLDER = Path(kinds.__file__).parent
FALLBACK = {"generic.find"}
"""Searches the objects of all other kinds."""


def finders(path: Path) -> list[str]:
    """The functions of a file that search an object: those with the parameters ``obj`` and ``carrier`` alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        f"{path.stem}.{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and [argument.arg for argument in node.args.args] == ["obj", "carrier"]
    ]


def test_every_finder_is_in_the_table() -> None:
    known = {*FINDERS.values(), *FALLBACK}
    gaps = [
        f"{name} is not in FINDERS of ccmcheck/carriers/kinds.py: add its kind"
        for path in sorted(FOLDER.glob("*.py"))
        for name in finders(path)
        if name not in known
    ]
    assert not gaps, "\n".join(gaps)
    assert finders(FOLDER / "secret.py") == ["secret.find"]


def test_every_name_in_the_table_is_a_finder() -> None:
    for name in {*FINDERS.values(), *FALLBACK}:
        module, _, function = name.partition(".")
        assert name in finders(FOLDER / f"{module}.py")
        assert finder(name).__name__ == function
