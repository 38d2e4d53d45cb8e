"""Hostile texts, and twice as much of one thing: what is longer takes as much longer, and no more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from bench_files import ANY_VERDICT, Bench
from bench_rows import Result, Row, seconds, side_by_side, times
from growing import GROWING, Growing
from growing_builds import BUILDS
from growing_languages import LANGUAGES
from growing_trees import TREES
from growth_matrix import LEAST_SECONDS, MOST_TIMES, cells
from growth_matrix import times as times_of
from hostile import HOSTILE
from stopwatch import Sample, run

HOSTILE_BYTES = 10_000_000
HOSTILE_SECONDS = 2.0
TENTH_LINEAR = 1.5
TWICE = 2.5
ROWS = {**GROWING, **BUILDS, **LANGUAGES, **TREES}
ATTEMPTS = 3
"""So often what takes too long is measured; the least time counts, as a busy machine only ever adds to it."""


def hostile(bench: Bench) -> Iterator[Row]:
    """10 MB in one cloud.conf, and the same at a tenth of it, to see that time grows as the text does.

    One process does it, so its processor time is what it would take on a machine with nothing else to do.
    """
    nothing = run(bench.ccmcheck("--version"))
    return side_by_side(
        Row(f"read 10 MB: {name}", partial(_hostile, bench, make, nothing)) for name, make in HOSTILE.items()
    )


def _hostile(bench: Bench, make: Callable[[int], bytes], nothing: Sample) -> Result:
    samples = []
    with bench.temporary() as folder:
        command = bench.ccmcheck("read", "cloud.conf", cwd=folder, codes=ANY_VERDICT)
        for size in (HOSTILE_BYTES // 10, HOSTILE_BYTES):
            (folder / "cloud.conf").write_bytes(make(size))
            samples.append(run(command))
    small, large = samples
    growth = (large.cpu - nothing.cpu) / max(small.cpu - nothing.cpu, nothing.cpu / 4) / 10
    reached = large.cpu < HOSTILE_SECONDS and growth <= TENTH_LINEAR
    goal = f"< {HOSTILE_SECONDS:.0f} s, growth ≤ {TENTH_LINEAR}"
    return Result(times(large), times(small), f"{growth:.2f}", goal, reached)


def growing(_bench: Bench) -> Iterator[Row]:
    """Twice as much of one thing in one file, in a process of ours, by processor time."""
    rows = (Row(f"{2 * row.size:,} of: {name}", partial(_twice, name)) for name, row in ROWS.items())
    return side_by_side(rows, ProcessPoolExecutor)


def carriers(_bench: Bench) -> Iterator[Row]:
    """Each command with twice as many of each carrier, by processor time; by turns in one file and in a file each."""
    measured = [(number, name) for number, name in enumerate(cells()) if (number + number // 2) % 2]
    rows = (Row(f"twice as many: {name}", partial(_carriers, name)) for _, name in measured)
    return side_by_side(rows, ProcessPoolExecutor)


def _carriers(name: str) -> Result:
    small, large = times_of(cells()[name])
    growth = large / max(small, LEAST_SECONDS)
    return Result(seconds(large), seconds(small), f"{growth:.2f}", f"growth ≤ {MOST_TIMES}", growth <= MOST_TIMES)


def _twice(name: str) -> Result:
    row = ROWS[name]
    row.work(row.path, row.make(10))  # what is loaded once
    small = large = growth = float("inf")
    for _ in range(ATTEMPTS):
        small, large = min(small, _seconds(row, row.size)), min(large, _seconds(row, 2 * row.size))
        growth = large / max(small, LEAST_SECONDS)
        if growth <= TWICE:
            break
    return Result(seconds(large), seconds(small), f"{growth:.2f}", f"growth ≤ {TWICE}", growth <= TWICE)


def _seconds(row: Growing, count: int) -> float:
    text = row.make(count)
    started = time.process_time()
    row.work(row.path, text)
    return time.process_time() - started
