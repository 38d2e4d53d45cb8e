"""The rooms of the package and the arrows between them, read from every import statement, also those inside functions.

::

    python tests/project/room_graph.py [PACKAGE]

prints the rooms with their size, the number of arrows, the floors, and every cycle. ``PACKAGE`` is a folder such as
``ccmcheck`` of another checkout; this repository's own by default. A room is a folder of the package, or a module beside
the folders; ``__init__`` and ``__main__`` are not counted.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from root import ROOT

PACKAGE = ROOT / "ccmcheck"
NAME = "ccmcheck"


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where statements hold further statements."""


class Import(NamedTuple):
    """One import statement's name.

    Attributes:
        file: The importing file, relative to the package.
        line: Its line.
        room: The importing file's room.
        name: What is imported, such as ``ccmcheck.gcfg.parse`` or ``re``.
        typing: True where only a type checker sees it.
        late: True inside a function, where it runs when it is needed.
    """

    file: str
    line: int
    room: str
    name: str
    typing: bool
    late: bool

    @property
    def inside(self) -> str:
        """The name within the package, such as ``gcfg.parse``; empty for any other."""
        return self.name.removeprefix(f"{NAME}.") if self.name.startswith(f"{NAME}.") else ""

    @property
    def target(self) -> str:
        """The room that it is imported from; empty for another package."""
        first = self.inside.partition(".")[0]
        return "__init__" if first.startswith("__") and first != "__main__" else first

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.name}"


def imports(package: Path = PACKAGE) -> tuple[Import, ...]:
    """Every import in the package, also those inside functions, and those that a stub lists."""
    return _imports(package)


@cache
def _imports(package: Path) -> tuple[Import, ...]:
    return tuple(
        each
        for path in sorted((*package.rglob("*.py"), *package.rglob("*.pyi")))
        for each in _imports_below(
            ast.parse(path.read_bytes(), path.name), path.relative_to(package), typing=False, late=False
        )
    )


def _imports_below(node: ast.AST, relative: Path, *, typing: bool, late: bool) -> Iterator[Import]:
    """The imports in a statement and in those inside it; an expression holds none."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        room = relative.parts[0].removesuffix(".py")
        for name in _names(node, relative):
            yield Import(relative.as_posix(), node.lineno, room, name, typing, late)
    late = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for_types = isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}
    for field in _BLOCKS:
        inner_typing = typing or (for_types and field == "body")
        for inner in getattr(node, field, ()):
            yield from _imports_below(inner, relative, typing=inner_typing, late=late)


def _names(node: ast.Import | ast.ImportFrom, relative: Path) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        above = (NAME, *relative.parts[:-1])[: len(relative.parts) - node.level + 1]
        base = ".".join([*above, base]).rstrip(".")
    # `from ccmcheck.gcfg import parse` names a room; `from ccmcheck import gcfg` names one in each alias
    return [f"{base}.{alias.name}" for alias in node.names] if base.startswith(NAME) else [base]


def rooms(package: Path = PACKAGE) -> frozenset[str]:
    """The rooms: the folders of the package and the modules beside them."""
    names = {path.relative_to(package).parts[0].removesuffix(".py") for path in package.rglob("*.py")}
    return frozenset(names - {"__init__", "__main__"})


def room_arrows(package: Path = PACKAGE) -> Mapping[str, frozenset[str]]:
    """Which rooms each room imports from."""
    known = rooms(package)
    return {
        room: frozenset(each.target for each in imports(package) if each.room == room and each.target in known - {room})
        for room in known
    }


def module_arrows(package: Path = PACKAGE) -> Mapping[str, frozenset[str]]:
    """Which modules each module imports from; a folder's ``__init__`` has the folder's name."""
    modules = {_module(path.relative_to(package).as_posix()) for path in package.rglob("*.py")}
    arrows: dict[str, set[str]] = {module: set() for module in modules}
    for each in imports(package):
        parts = each.inside.split(".")
        while parts and ".".join(parts) not in modules:
            parts.pop()
        source, target = _module(each.file), ".".join(parts)
        if target and target != source:
            arrows[source].add(target)
    return {module: frozenset(targets) for module, targets in arrows.items()}


def sub_room_arrows(room: str, package: Path = PACKAGE) -> Mapping[str, frozenset[str]]:
    """Which sub-rooms each sub-room of a room imports from: its folders, and the modules beside them."""
    arrows: dict[str, set[str]] = {}
    for source, targets in module_arrows(package).items():
        if source.startswith(f"{room}."):
            inner = arrows.setdefault(source.split(".")[1], set())
            inner.update(target.split(".")[1] for target in targets if target.startswith(f"{room}."))
    return {name: frozenset(targets - {name}) for name, targets in arrows.items()}


def _module(file: str) -> str:
    return file.removesuffix("i").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def cycles(arrows: Mapping[str, frozenset[str]]) -> list[tuple[str, ...]]:
    """The groups of names that need each other, each of two or more, sorted."""
    reached = {name: _reachable(name, arrows) for name in arrows}
    groups = {
        tuple(sorted({name, *(other for other in reached[name] if name in reached.get(other, frozenset()))}))
        for name in arrows
    }
    return sorted(group for group in groups if len(group) > 1)


def _reachable(start: str, arrows: Mapping[str, frozenset[str]]) -> frozenset[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for target in arrows.get(waiting.pop(), frozenset()) - seen:
            seen.add(target)
            waiting.append(target)
    return frozenset(seen)


def floors(arrows: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """The floor of each room: one above the highest that it imports from. The graph must have no cycle."""

    @cache
    def floor(room: str) -> int:
        return 1 + max((floor(target) for target in arrows[room]), default=0)

    return {room: floor(room) for room in sorted(arrows)}


def main(arguments: list[str]) -> None:
    """Print the table."""
    package = Path(arguments[0]).resolve() if arguments else PACKAGE
    arrows = room_arrows(package)
    groups = cycles(arrows)
    numbers = dict.fromkeys(arrows, 0) if groups else floors(arrows)
    for room, number in sorted(numbers.items(), key=lambda item: (item[1], item[0])):
        files = list((package / room).rglob("*.py")) or [package / f"{room}.py"]
        lines = sum(len(path.read_bytes().splitlines()) for path in files)
        print(f"{number:3} {room:12} {len(files):4} files {lines:6} lines  ← {' '.join(sorted(arrows[room]))}")
    total = sum(map(len, arrows.values()))
    loose = sum((package / f"{room}.py").exists() for room in arrows)
    print(f"{len(arrows)} rooms ({loose} of them modules), {total} arrows, {max(numbers.values())} floors")
    for group in [*groups, *(found for room in arrows for found in cycles(sub_room_arrows(room, package)))]:
        print(f"a cycle: {', '.join(group)}")


if __name__ == "__main__":
    main(sys.argv[1:])
