"""The rows of the table: what is measured, how a comparison is judged, and how numbers are written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import NamedTuple

from stopwatch import Command, Sample, WrongExitError, measure


class Result(NamedTuple):
    """What a row shows.

    Attributes:
        ours: What ccmcheck took.
        beside: What it is compared with.
        ratio: Of the two.
        goal: What it should be.
        reached: None where there is no goal.
    """

    ours: str
    beside: str = ""
    ratio: str = ""
    goal: str = ""
    reached: bool | None = None


class Row(NamedTuple):
    """One line of the table.

    Attributes:
        what: What is measured.
        measure: Measures it when the table gets there.
    """

    what: str
    measure: Callable[[], Result]

    def result(self) -> Result:
        """Measure; what ends wrongly is a missed goal, and the other rows still follow."""
        try:
            return self.measure()
        except Exception as error:  # noqa: BLE001 - a row may run any code of the package, in this process too
            return failed(error)


def side_by_side(rows: Iterable[Row], start: Callable[[int | None], Executor] = ThreadPoolExecutor) -> Iterator[Row]:
    """The same rows, measured on all processors at once: for what is judged by processor time alone.

    Args:
        rows: What measures itself with a command, or in a process of its own.
        start: What makes the threads, or the processes.
    """
    with start(os.cpu_count()) as pool:
        for what, future in [(row.what, pool.submit(row.measure)) for row in rows]:
            yield Row(what, future.result)


def failed(error: Exception) -> Result:
    """What a row or a part shows that could not be measured."""
    said = str(error) if isinstance(error, WrongExitError) else f"{type(error).__name__}: {error}"
    return Result(said, reached=False)


def alone(ours: Command, runs: int) -> Result:
    """A command that is compared with nothing."""
    return Result(times(measure([ours], runs)[0]))


def beside(ours: Command, theirs: Command, runs: int, *, at_most: float | None = None) -> Result:
    """A command and another one, run in turns."""
    samples = measure([ours, theirs], runs)
    return slower(samples[0], samples[1], theirs.name, at_most=at_most)


def slower(ours: Sample, theirs: Sample, name: str, *, at_most: float | None = None) -> Result:
    """How many times as long ours takes, by the wall clock and by processor time; the wall clock decides."""
    ratio = ours.wall / theirs.wall
    shown = f"{ratio:.2f} x (cpu {ours.cpu / theirs.cpu:.2f})"
    found = Result(times(ours), f"{name} {times(theirs)}", shown)
    return found if at_most is None else found._replace(goal=f"≤ {at_most:g} x", reached=ratio <= at_most)


def faster(ours: Sample, theirs: Sample, name: str, *, at_least: float | None = None) -> Result:
    """How many times as long theirs takes, by the wall clock and by processor time; the wall clock decides."""
    ratio = theirs.wall / ours.wall
    shown = f"{ratio:.1f} x faster (cpu {theirs.cpu / ours.cpu:.1f})"
    found = Result(times(ours), f"{name} {times(theirs)}", shown)
    return found if at_least is None else found._replace(goal=f"≥ {at_least:g} x", reached=ratio >= at_least)


def times(sample: Sample) -> str:
    """Wall-clock time, and processor time in brackets."""
    return f"{seconds(sample.wall)} (cpu {seconds(sample.cpu)})"


def seconds(number: float) -> str:
    """Milliseconds below a second, and two digits behind the point above."""
    return f"{number * 1e3:.0f} ms" if number < 1 else f"{number:.2f} s"


def mib(size: float) -> str:
    """Memory."""
    return f"{size:.0f} MiB"
