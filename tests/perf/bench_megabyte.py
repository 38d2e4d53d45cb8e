"""A megabyte of the worst input of each kind for each command: time, growth and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from bench_files import ANY_VERDICT, Bench
from bench_growth import TWICE
from bench_rows import Result, Row, mib, seconds, side_by_side
from megabytes import BUILT, BYTES, COMMANDS, FOR_BUILT, INPUTS, Files, arguments
from stopwatch import Sample, run, run_apart

MOST_SECONDS = 3.0
MOST_MIB = 300.0
PART = 4
"""A piece so many times smaller stands beside it: half a megabyte would take half as long again."""
MOST_GROWTH = TWICE**2
ATTEMPTS = 2
BEYOND_NOISE = 1.1
"""What takes so many times as long as it should does so on an idle machine, too, and is not measured again."""


def megabyte(bench: Bench) -> Iterator[Row]:
    """A megabyte of each kind beside a quarter of it: each kind with every second command, by turns."""
    start = run(bench.ccmcheck("--version")).cpu
    return side_by_side(
        Row(f"{name} 1 MB: {what}", partial(_megabyte, bench, name, make, start))
        for turn, (what, make) in enumerate({**INPUTS, **BUILT}.items())
        for number, name in enumerate(COMMANDS if what in INPUTS else FOR_BUILT)
        if (turn + number) % 2 == 0
    )


def _megabyte(bench: Bench, name: str, make: Callable[[int], Files], start: float) -> Result:
    samples: dict[int, list[Sample]] = {BYTES // PART: [], BYTES: []}
    for _ in range(ATTEMPTS):
        for size, taken in samples.items():
            with bench.temporary() as folder:
                command = bench.ccmcheck(*arguments(name, make(size), folder), cwd=folder, codes=ANY_VERDICT)
                taken.append(run_apart(command))
        small, large = (min(taken, key=lambda sample: sample.cpu) for taken in samples.values())
        # what takes no longer than the start says nothing about growth
        growth = (large.cpu - start) / max(small.cpu - start, start)
        reached = growth <= MOST_GROWTH and large.cpu <= MOST_SECONDS and large.memory <= MOST_MIB
        if reached or large.cpu > BEYOND_NOISE * MOST_SECONDS or large.memory > MOST_MIB:
            break
    goal = f"≤ {MOST_SECONDS:.0f} s, growth ≤ {MOST_GROWTH:g}, ≤ {MOST_MIB:.0f} MiB"
    took = f"cpu {seconds(large.cpu)}, {mib(large.memory)}"
    return Result(took, f"a quarter of it {seconds(small.cpu)}", f"{growth:.2f}", goal, reached)
