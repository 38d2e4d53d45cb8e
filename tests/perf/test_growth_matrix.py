"""Twice as many of any carrier take each command at most twice the calls, and a bit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from counted_growth import MOST_GROWTH, growth, hold
from counting import counted, place
from growth_matrix import FEW, RUNS, UNITS, WITHOUT_FILES, many_files, one_file

import ccmcheck.carriers
from ccmcheck.carriers import other_languages
from ccmcheck.carriers.embedded import languages
from ccmcheck.carriers.kinds import FINDERS
from ccmcheck.cli.main import NAMES

CARRIERS = Path(ccmcheck.carriers.__file__).parent
OTHERS = {
    "__init__.py": "has no code",
    "embedded/__init__.py": "has no code",
    "live.py": "is about a running cluster",
    "variables_file.py": "reads --env-file",
}
"""The files of `ccmcheck.carriers` that search nothing in any file here, and why."""
CELLS = {f"{name}: {unit}": (name, unit) for name in RUNS if name not in ("config", "fix") for unit in UNITS}
"""The configuration for a folder is the same with any file in it, and fixes for a release are all other fixes, too."""


TREES = sorted(RUNS.keys() - {"fix"})


@pytest.mark.part(of=14)
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_in_one_file(cell: tuple[str, str]) -> None:
    name, unit = cell
    hold(growth(one_file(UNITS[unit], RUNS[name]).prepared, FEW))


@pytest.mark.part(of=6)
@pytest.mark.parametrize("name", TREES)
def test_in_a_file_each(name: str) -> None:
    hold(growth(many_files(RUNS[name]).prepared, 1))


def test_a_loop_in_a_loop_is_found() -> None:
    from ccmcheck.gcfg.values import format_duration

    measured = growth(lambda count: lambda: [format_duration(number) for number in range(count * count)], FEW)
    assert measured.ratio > MOST_GROWTH
    assert "gcfg/values.py:format_duration" in measured.functions


def test_every_command_is_here() -> None:
    run = {arguments[0] for arguments in RUNS.values()}
    assert run | WITHOUT_FILES.keys() == set(NAMES), "add the command to RUNS, or to WITHOUT_FILES with the reason"
    assert not run & WITHOUT_FILES.keys()


def test_every_kind_is_here() -> None:
    texts = "".join(unit.text(range(5)) for unit in UNITS.values())
    missing = [kind for kind in FINDERS if f"kind: {kind}\n" not in texts]
    assert not missing, f"add a unit for {missing} to OBJECTS of growth_units.py"


def test_every_language_is_here() -> None:
    found = {languages.language_of(unit.path, unit.text(range(2))) for unit in UNITS.values()}
    assert not other_languages._SCANNERS.keys() - found, "add a unit for these to TEXTS of growth_texts.py"


@pytest.mark.ci
def test_every_carrier_is_here() -> None:
    called: set[str] = set()
    for name in ("lint", "fix"):
        cell = many_files(RUNS[name])
        cell.prepared(1)()  # what is loaded once
        called |= {place(code).partition(":")[0] for code in counted(cell.prepared(2))}
    files = {path.relative_to(CARRIERS).as_posix() for path in CARRIERS.rglob("*.py")}
    missing = {name for name in files if f"carriers/{name}" not in called}
    assert missing == OTHERS.keys(), "add a unit that has it to growth_units.py or growth_texts.py"


@pytest.mark.parametrize("path", sorted({unit.path for unit in UNITS.values()}))
def test_the_hooks_start_for_every_carrier(path: str) -> None:
    hooks = (CARRIERS.parents[1] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    patterns = set(re.findall(r"^  exclude: (.*)$", hooks, re.MULTILINE))
    assert patterns
    assert not any(re.search(pattern, path) for pattern in patterns)
