"""Each command with many of each carrier, in one file and in a file each: what twice as much takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple
from zlib import crc32

from growing import command
from growth_texts import TEXTS
from growth_units import OBJECTS, Unit

UNITS: dict[str, Unit] = {**OBJECTS, **TEXTS}
"""A new carrier needs one, see `test_growth_matrix`."""

_TOGETHER = ("--jobs", "1")
RUNS: dict[str, tuple[str, ...]] = {
    "lint": ("lint", *_TOGETHER, "--max-findings", "0", "."),
    "fix": ("fix", *_TOGETHER, "--unsafe", "--diff", "."),
    "fix, as a patch, for a release": (
        *("fix", *_TOGETHER, "--unsafe", "--from", "1.25", "--to", "1.36", "--patch", "git", "."),
    ),
    "set": ("set", "--diff", ".", "--", "LoadBalancer.lb-method=LEAST_CONNECTIONS"),
    "render": ("render", "secret", "--cloud-config", "{path}"),
    "predict": ("predict", "--cloud-config", "cloud.conf", "--nodes", "3", "."),
    "review": ("review", "a", "b"),
    "upgrade": ("upgrade", "--from", "1.29", "--to", "1.31", "."),
    "list": ("list", "-v", "."),
    "read": ("read", "."),
    "show": ("show", "--set-only", "."),
    "config": ("config", "show", "."),
}
"""Each command that reads files, with its arguments."""

WITHOUT_FILES = {
    "cluster": "reads an API server; tests/perf/big_cluster.py has one",
    "explain": "prints a page of the package's own data",
    "rules": "prints the package's own table",
    "profiles": "prints the package's own table, or one profile",
    "help": "prints a guide",
    "completion": "prints a script",
}
"""Each other command, and why nothing grows in it."""

NO_FAULT = (0, 1, 2, 3)
"""Not every carrier has what every command needs, such as one cloud.conf alone; what is searched until then may not grow."""

FEW = 2

MANY = 20
MOST_TIMES = 3.0
LEAST_SECONDS = 0.02
"""What takes less says nothing about growth."""
ATTEMPTS = 3
"""So often what takes too long is measured; the least time counts."""


class Cell(NamedTuple):
    """A command with a carrier.

    Attributes:
        arguments: The command.
        units: The carriers.
        apart: Whether each piece has a file of its own.
    """

    arguments: tuple[str, ...]
    units: tuple[Unit, ...]
    apart: bool

    def prepared(self, count: int) -> Callable[[], str]:
        """What runs it over many, which have other numbers for another count: no cache knows their texts yet."""
        first = 1_000 * count + crc32(repr(self.arguments).encode()) % 1_000
        files = self._files(range(first, first + count))
        if self.arguments[0] == "review":
            changed = {path: text.replace("monitor-timeout=9s", "monitor-timeout=8s") for path, text in files.items()}
            files = {
                f"{side}/{path}": text for side, each in (("a", files), ("b", changed)) for path, text in each.items()
            }
        arguments = [argument.format(path=next(iter(files))) for argument in self.arguments]
        return lambda: _said(arguments, files)

    def _files(self, numbers: range) -> dict[str, str]:
        if not self.apart:
            return {path: text for unit in self.units for path, text in unit.files(numbers).items()}
        return {
            f"{number}/{kind}/{path}": text
            for number in numbers
            for kind, unit in enumerate(self.units)
            for path, text in unit.files(range(number, number + 1)).items()
        }


def _said(arguments: Sequence[str], files: dict[str, str]) -> str:
    said = command(*arguments, beside=files, codes=NO_FAULT)
    if "internal error" in said:
        raise ValueError(f"{' '.join(arguments)}: {said}")
    return said


def one_file(unit: Unit, arguments: tuple[str, ...]) -> Cell:
    """Many of one carrier in one file."""
    return Cell(arguments, (unit,), apart=False)


def many_files(arguments: tuple[str, ...]) -> Cell:
    """One of each carrier in a folder, and many such folders."""
    return Cell(arguments, tuple(UNITS.values()), apart=True)


def cells() -> dict[str, Cell]:
    """Every command with each carrier, in one file and in a file each, for what has minutes."""
    return {
        f"{name}: {kind}{', a file each' if apart else ''}": Cell(arguments, (unit,), apart=apart)
        for name, arguments in RUNS.items()
        for kind, unit in UNITS.items()
        for apart in (False, True)
    }


def times(cell: Cell) -> tuple[float, float]:
    """Seconds of processor time over `MANY`, and over twice as many, without the time that one takes."""
    cell.prepared(1)()  # what is loaded once
    least = [float("inf")] * 3
    for _ in range(ATTEMPTS):
        for number, count in enumerate((1, MANY, 2 * MANY)):
            work = cell.prepared(count)
            started = time.process_time()
            work()
            least[number] = min(least[number], time.process_time() - started)
        small, large = (max(each - least[0], 0.0) for each in least[1:])
        if large <= MOST_TIMES * max(small, LEAST_SECONDS):
            break
    return small, large
