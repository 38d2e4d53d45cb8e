"""The changes themselves, the list of survivors, and that a change is noticed where there is a test."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mutants import PACKAGE, explained, names_of, targets, try_changes
from mutations import mutants_of

CASES = {
    "return a < b": ["a < b → a <= b", "return a < b → return None"],
    "return not a": ["not a → a", "return not a → return None"],
    "if a and b: pass": ["a and b → a or b"],
    "if a: pass": ["if a: → if not a:"],
    "while a: break": ["while a: → while not a:", "break → continue"],
    "for x in a: continue": ["continue → pass"],
    "x = 1": ["1 → 2"],
    "x = True": ["True → False"],
    "x += y": ["x += y → x -= y"],
    "x = a if b else c": ["a if b else c → a", "a if b else c → c"],
    "f(a)": ["f(a) → pass"],
    "raise E('text')": ["raise E('text') → pass"],
    "x = [y for y in z if y]": ["for y in z if y → for y in z"],
    "x = 'a' + b": [],
    "'''What it does: 1 + 1.'''": [],
    "x: Literal[1] = y": [],
    "return None": [],
    "zip(a, b, strict=True)": ["zip(a, b, strict=True) → pass"],
    "return 1 == 1 == 1": ["1 == 1 == 1 → 1 != 1 == 1", "1 → 2", "1 → 2 (2)", "1 → 2 (3)"],
}


@pytest.mark.parametrize("statement", CASES)
def test_what_is_changed(statement: str) -> None:
    tree = ast.parse(f"def f():\n    {statement}\n")
    changes = [mutant.change for mutant in mutants_of(tree, "m.py")]
    assert set(CASES[statement]) <= set(changes)
    assert bool(CASES[statement]) == bool(changes)


def test_each_change_makes_another_module() -> None:
    path = PACKAGE / "fix" / "guard.py"
    before = path.read_text()
    seen = set()
    for number in range(len(mutants_of(ast.parse(before), "m"))):
        tree = ast.parse(before)
        mutant = mutants_of(tree, "m")[number]
        mutant.place.put(mutant.node)
        ast.fix_missing_locations(tree)
        compile(tree, "m", "exec")
        seen.add(ast.unparse(tree))
    assert len(seen) == number + 1
    assert ast.unparse(ast.parse(before)) not in seen


def test_the_reasons_are_of_changes_that_exist() -> None:
    known = {name for target in targets() for name in names_of(target)}
    assert not set(explained()) - known, "these are in survivors.toml, and no change of today's code"
    assert all(why.strip() for why in explained().values())


def test_what_a_test_notices(tmp_path: Path) -> None:
    from mutants import Target

    (tmp_path / "test_known.py").write_text(
        "from ccmcheck.base.globs import *\nfrom ccmcheck.gcfg.values import format_duration\n"
        "def test_it():\n    assert format_duration(61 * 10**9) == '1m1s'\n"
    )
    target = Target("one", ("gcfg/values.py",), (str(tmp_path),))
    numbers = [number for number, (where, _) in enumerate(names_of(target)) if where.endswith(":format_duration")]
    outcomes = {one.change: one.outcome for one in try_changes(target, numbers)}
    assert {"killed", "survived"} == set(outcomes.values())
    (other,) = try_changes(target, [0])
    assert other.outcome == "not called"
