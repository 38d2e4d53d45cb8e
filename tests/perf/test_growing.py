"""Twice as much of anything takes at most twice as long, and a bit: a loop in a loop would take four times as long."""

from __future__ import annotations

import time

import pytest
from growing import GROWING, Growing
from growing_builds import BUILDS
from growing_languages import LANGUAGES
from growing_trees import TREES

MOST_GROWTH = 3.3
"""Between twice and four times: `make bench` holds 2.5, on a machine that does nothing else."""
ATTEMPTS = 4
LEAST_SECONDS = 0.02
"""What takes less is measured with more of it: the time's own error would be too large."""


ROWS = {**GROWING, **BUILDS, **LANGUAGES, **TREES}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_twice_as_much_takes_about_twice_as_long(row: Growing) -> None:
    count = row.size
    row.work(row.path, row.make(10))  # what is loaded once
    growths = []
    for _ in range(ATTEMPTS):
        small, large = _seconds(row, count), _seconds(row, 2 * count)
        growths.append(large / small)
        if small < LEAST_SECONDS:
            count *= 2
        elif growths[-1] <= MOST_GROWTH:
            return
    pytest.fail(f"twice as much took {', '.join(f'{growth:.1f}' for growth in growths)} times as long")


def _seconds(row: Growing, count: int) -> float:
    """Processor time, of which other work on the machine takes nothing."""
    text = row.make(count)
    started = time.process_time()
    row.work(row.path, text)
    return time.process_time() - started
