"""Measures the goals of speed and memory as ratios within one run, and prints a table: ``make bench``.

Wall-clock time is what a person waits for, so that decides; the ratio of processor time stands beside it, because the
wall clock suffers when the machine is busy with something else.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bench_clusters import cluster, fleet
from bench_files import Bench
from bench_folders import confs, folders
from bench_growth import carriers, growing, hostile
from bench_megabyte import megabyte
from bench_repository import repository
from bench_rows import Result, Row, failed, seconds
from bench_services import fix, predict
from bench_start import one_file, start
from stopwatch import byte_compile

IN_MEMORY = Path("/dev/shm")
BYTES_OF_FILES = 2 << 30
"""More than all files take at any time."""

Part = Callable[[Bench], Iterator[Row]]

PARTS: tuple[Part, ...] = (
    start,
    one_file,
    folders,
    confs,
    repository,
    hostile,
    growing,
    carriers,
    megabyte,
    fix,
    predict,
    cluster,
    fleet,
)
"""What is measured, in this order: `folders` writes files that `confs` adds to."""


def main() -> int:
    """Measure, print, and return 1 where a goal was missed."""
    parts = {part.__name__: part for part in PARTS}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="few runs, and ratios rough")
    parser.add_argument("--keep", action="store_true", help="leave the files where they were made, and say where")
    parser.add_argument("parts", nargs="*", help=f"which: {', '.join(parts)}; all if none")
    options = parser.parse_args()
    unknown = [name for name in options.parts if name not in parts]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(parts)}")
    byte_compile(("ccmcheck", "click", "yaml", "yamllint", "pathspec"))
    root = Path(tempfile.mkdtemp(prefix="ccmcheck-bench-", dir=_place()))
    try:
        bench = Bench(root, quick=options.quick)
        missed = print_table(bench, [part for name, part in parts.items() if name in (options.parts or parts)])
    finally:
        if options.keep:
            print(f"the files are in {root}")
        else:
            shutil.rmtree(root)
    return 1 if missed else 0


def _place() -> Path | None:
    """Where the files are: in memory where there is room, as a disk takes minutes for 100,000 and is not measured."""
    return IN_MEMORY if IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > BYTES_OF_FILES else None


def print_table(bench: Bench, parts: Iterable[Part]) -> int:
    """Measure and print every row, and what each part took; the number of missed goals."""
    print("| what | ccmcheck: wall (cpu) | beside it | ratio | goal | |\n|---|---|---|---|---|---|")
    missed = 0
    began = _now()
    for part in parts:
        before = _now()
        for what, result in _results(part, bench):
            missed += result.reached is False
            verdict = "" if result.reached is None else "met" if result.reached else "**missed**"
            _print_cells(what, result.ours, result.beside, result.ratio, result.goal, verdict)
        _print_cells(f"*{part.__name__}: all of it*", f"*{_since(before)}*", "", "", "", "")
    load = " ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"\nPython {platform.python_version()}, {os.cpu_count()} processors, load {load} at the end")
    print(f"all parts took {_since(began)}")
    print(f"{missed} goals missed" if missed else "all goals met")
    return missed


def _results(part: Part, bench: Bench) -> Iterator[tuple[str, Result]]:
    """What the rows of a part show; where its files cannot be made, that is a row, and the next part follows."""
    try:
        for row in part(bench):
            yield row.what, row.result()
    except Exception as error:  # noqa: BLE001 - it may be anything that goes wrong with files and programs
        yield part.__name__, failed(error)


def _print_cells(*cells: str) -> None:
    texts = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    print(f"| {' | '.join(texts)} |", flush=True)


def _now() -> tuple[float, float]:
    """The wall clock, and the processor time of this process and of those that it has started and that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return time.monotonic(), sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _since(before: tuple[float, float]) -> str:
    wall, cpu = (now - then for now, then in zip(_now(), before, strict=True))
    return f"{seconds(wall)} (cpu {seconds(cpu)})"


if __name__ == "__main__":
    sys.exit(main())
