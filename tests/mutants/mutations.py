"""Small changes of a module's functions, each of which a test should notice.

A change replaces one node of the syntax tree: a comparison by its neighbour, ``and`` by ``or``, a condition by its
opposite, a number by the next one, a call for its effect by nothing. Texts, annotations and what runs at import are
left alone: messages are held by golden outputs, and constants by comparisons with the real programs.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_ALREADY_CHANGED = (ast.Compare, ast.BoolOp, ast.Constant)
"""Conditions with a change of their own; ``not`` in front of them would say the same again."""


class Place(NamedTuple):
    """Where a node stands in its parent: the field, and which of it where that is a list."""

    parent: ast.AST
    field: str
    at: int | None

    def put(self, node: ast.AST) -> None:
        """Replace what stands here."""
        if self.at is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node


class Mutant(NamedTuple):
    """One change.

    Attributes:
        where: The module and the function: ``fix/guard.py:lost``.
        change: What stood there and what stands there now; with a number where the function has the same change twice.
        line: The line, counted from 1.
        function: The name that Python qualifies the function with.
        start: The function's first line, decorators included.
        place: Where in the tree.
        node: What stands there now.
    """

    where: str
    change: str
    line: int
    function: str
    start: int
    place: Place
    node: ast.AST

    @property
    def name(self) -> str:
        """What tells it from all others, unless the function changes."""
        return f"{self.where}  {self.change}"


def mutants_of(tree: ast.Module, module: str) -> list[Mutant]:
    """All changes of a module.

    Args:
        tree: Its syntax tree.
        module: Its path below the package.

    Returns:
        The changes in the order of their places; the tree is as it was.
    """
    found: list[Mutant] = []
    seen: Counter[tuple[str, str]] = Counter()
    for function, name in _functions(tree, ""):
        start = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
        for number, statement in enumerate(function.body):
            for place, old, new in _changes(statement, Place(function, "body", number)):
                change = f"{_shown(old)} → {_shown(new)}"
                seen[name, change] += 1
                again = f" ({seen[name, change]})" if seen[name, change] > 1 else ""
                line = getattr(old, "lineno", function.lineno)
                found.append(Mutant(f"{module}:{name}", change + again, line, name, start, place, new))
    return found


def read(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    """The functions and methods that are made at import, with their qualified names; what is in them belongs to them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _FUNCTIONS):
            yield child, prefix + child.name
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, (ast.If, ast.Try)) and not _is_for_types(child):
            yield from _functions(child, prefix)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _changes(node: ast.AST, place: Place) -> Iterator[tuple[Place, ast.AST, ast.AST]]:
    """The changes of a node and of all below it: where, what stands there, what could."""
    for new in _replacements(node):
        yield place, node, new
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return  # of zip: it tells of a mistake in the code, and no test makes one
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "format_spec"}:
            continue
        if isinstance(value, ast.AST):
            yield from _changes(value, Place(node, field, None))
        elif isinstance(value, list):
            for number, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield from _changes(child, Place(node, field, number))


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What could stand in a node's place."""
    match node:
        case ast.Compare(ops=[first, *_]) if type(first) in _COMPARISONS:
            yield ast.Compare(node.left, [_COMPARISONS[type(first)](), *node.ops[1:]], node.comparators)
        case ast.BoolOp(op=operator):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.BinOp(op=operation) if type(operation) in _ARITHMETIC and not _is_text(node):
            yield ast.BinOp(node.left, _ARITHMETIC[type(operation)](), node.right)
        case ast.AugAssign(op=operation) if type(operation) in _ARITHMETIC:
            yield ast.AugAssign(node.target, _ARITHMETIC[type(operation)](), node.value)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.If() | ast.While() if not _is_changed(node.test):
            changed = ast.If if isinstance(node, ast.If) else ast.While
            yield changed(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
        case ast.IfExp():
            yield from (side for side in (node.body, node.orelse) if not _is_none(side))
        case ast.comprehension(ifs=[_, *_]):
            yield ast.comprehension(node.target, node.iter, node.ifs[1:], node.is_async)
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.Raise() | ast.Continue() | ast.Delete():
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))


def _is_changed(test: ast.expr) -> bool:
    return isinstance(test, _ALREADY_CHANGED) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.BinOp) -> bool:
    """Whether an operand is a text, so that no other operation makes sense."""
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes)))
        for side in (node.left, node.right)
    )


def _shown(node: ast.AST) -> str:
    """A node on one line: of a statement with a body, its head."""
    if isinstance(node, ast.comprehension):
        return ast.unparse(node).strip()
    return ast.unparse(ast.fix_missing_locations(node)).splitlines()[0].strip()
