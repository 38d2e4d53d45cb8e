"""Which test functions can fail by themselves: they assert, expect an exception, or call a helper that does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

EXPECTATIONS = frozenset({"raises", "warns", "fail"})
"""Functions of pytest that fail."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """One file of tests.

    Attributes:
        functions: Its functions and methods, by name.
        imports: From the local name of an imported function to its module and its name there.
    """

    functions: dict[str, Function]
    imports: dict[str, tuple[str, str]]


def silent_tests(paths: list[Path]) -> Iterator[str]:
    """Yield the tests that assert nothing, as ``file:line name``.

    Args:
        paths: All files of tests and their helpers; a helper is found by the name of its module.
    """
    modules = {path.stem: _read(path) for path in paths}
    for path in paths:
        if not path.stem.startswith("test_"):
            continue
        for name, function in modules[path.stem].functions.items():
            if name.startswith("test_") and not _asserts(function, path.stem, modules, set()):
                yield f"{path.name}:{function.lineno} {name}"


def _read(path: Path) -> Module:
    module = Module({}, {})
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            module.functions[node.name] = node
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module.imports[alias.asname or alias.name] = (node.module or "", alias.name)
    return module


def _asserts(function: Function, stem: str, modules: dict[str, Module], seen: set[tuple[str, str]]) -> bool:
    calls = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in EXPECTATIONS:
                return True
            calls.append(name)
    for name in calls:
        home, helper = modules[stem].imports.get(name, (stem, name))
        if home not in modules or helper not in modules[home].functions or (home, helper) in seen:
            continue
        seen.add((home, helper))
        if _asserts(modules[home].functions[helper], home, modules, seen):
            return True
    return False
