"""Counts the code: lines without blanks, comments and docstrings by room, long and deep functions, names used twice.

::

    python tests/project/code_figures.py [PACKAGE] [-v]

``PACKAGE`` is a folder such as ``ccmcheck`` of another checkout; this repository's own by default. ``-v`` names the
functions and the classes.
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from root import ROOT

MOST_LINES = 60
MOST_NESTING = 3
MOST_PARAMETERS = 6
PACKAGE = ROOT / "ccmcheck"

_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match, ast.AsyncFor, ast.AsyncWith)
_Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Function(NamedTuple):
    """A function, in figures.

    Attributes:
        place: The file and the line.
        name: Its name.
        lines: Lines of code, without its docstring.
        nesting: Blocks inside each other; an ``elif`` is none of its own.
        parameters: Without ``self`` and ``cls``.
    """

    place: str
    name: str
    lines: int
    nesting: int
    parameters: int


class Figures(NamedTuple):
    """A package, in figures.

    Attributes:
        lines: Lines of code, by room.
        functions: Its functions.
        classes: The places of each class, by name.
    """

    lines: Counter[str]
    functions: list[Function]
    classes: dict[str, list[str]]

    def beyond(self) -> dict[str, list[Function]]:
        """The functions beyond each bound."""
        return {
            f"longer than {MOST_LINES} lines": [one for one in self.functions if one.lines > MOST_LINES],
            f"nested deeper than {MOST_NESTING}": [one for one in self.functions if one.nesting > MOST_NESTING],
            f"more than {MOST_PARAMETERS} parameters": [
                one for one in self.functions if one.parameters > MOST_PARAMETERS
            ],
        }

    def twice(self) -> dict[str, list[str]]:
        """The names of several classes."""
        return {name: places for name, places in sorted(self.classes.items()) if len(places) > 1}


def figures(package: Path) -> Figures:
    """Count a package.

    Args:
        package: Its folder.
    """
    lines = Counter[str]()
    functions: list[Function] = []
    classes: dict[str, list[str]] = defaultdict(list)
    for file in sorted(package.rglob("*.py")):
        path = file.relative_to(package)
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        code = _code_lines(text, tree)
        lines[path.parts[0] if len(path.parts) > 1 else "(loose)"] += len(code)
        for node in ast.walk(tree):
            place = f"{path.as_posix()}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, _FUNCTIONS):
                functions.append(_function(node, place, code))
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(place)
    return Figures(lines, functions, dict(classes))


def _code_lines(text: str, tree: ast.Module) -> set[int]:
    """The numbers of the lines with code in them."""
    found = {
        number for number, line in enumerate(text.splitlines(), 1) if line.strip() and not line.lstrip().startswith("#")
    }
    for node in ast.walk(tree):
        for statement in node.body if isinstance(node, (ast.Module, ast.ClassDef, *_FUNCTIONS)) else ():
            if _is_text(statement):
                found.difference_update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return found


def _is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, or the description of the name above it."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _function(node: _Function, place: str, code: set[int]) -> Function:
    arguments = node.args
    named = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return Function(
        place,
        node.name,
        len(code.intersection(range(node.lineno, (node.end_lineno or node.lineno) + 1))),
        max(map(_nesting, node.body), default=0),
        len([name for name in named if name not in ("self", "cls")]),
    )


def _nesting(node: ast.AST, *, is_elif: bool = False) -> int:
    """How many blocks are inside each other at most; those of functions inside count for themselves."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
        return 0
    deepest = max((_nesting(child, is_elif=is_elif) for child, is_elif in _children(node)), default=0)
    return deepest + (isinstance(node, _BLOCKS) and not is_elif)


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    lone = node.orelse[0] if isinstance(node, ast.If) and len(node.orelse) == 1 else None
    for child in ast.iter_child_nodes(node):
        yield child, child is lone and isinstance(child, ast.If)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("package", nargs="?", type=Path, default=PACKAGE)
    parser.add_argument("-v", "--verbose", action="store_true", help="name the functions and the classes")
    arguments = parser.parse_args()
    found = figures(arguments.package)
    for room, count in found.lines.most_common():
        print(f"{count:7,} {room}")
    print(f"{found.lines.total():7,} lines of code")
    for what, functions in found.beyond().items():
        print(f"{len(functions):7,} functions {what}")
        for one in functions if arguments.verbose else ():
            print(f"        {one.place} {one.name}: {one.lines} lines, {one.nesting} deep, {one.parameters} parameters")
    twice = found.twice()
    print(f"{len(twice):7,} class names that are defined twice or more")
    for name, places in twice.items() if arguments.verbose else ():
        print(f"        {name}: {', '.join(places)}")


if __name__ == "__main__":
    main()
