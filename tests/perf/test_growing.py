"""Twice as much of anything takes at most twice as long, and a bit: a loop in a loop would take four times as long.

Calls are counted; time in C, which is not seen there, is measured where nearly all of it is in C, and by `make bench`.
"""

from __future__ import annotations

import time
from functools import partial

import pytest
from counted_growth import growth, hold
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


PART = 32
"""Calls need no more than this part of what seconds need."""
FEWEST = 8


@pytest.mark.part(of=4)
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_twice_as_much_takes_about_twice_as_long(row: Growing) -> None:
    measured = growth(lambda count: partial(row.work, row.path, row.make(count)), max(row.size // PART, FEWEST))
    if measured.each >= 1:
        hold(measured)
    else:
        _hold_by_time(row)  # a regular expression, or another loop in C


def _hold_by_time(row: Growing) -> None:
    count = row.size
    growths = []
    for _ in range(ATTEMPTS):
        small, large = _seconds(row, count), _seconds(row, 2 * count)
        growths.append(large / max(small, LEAST_SECONDS / 8))
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
