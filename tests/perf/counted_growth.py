"""What twice as much takes, by counted calls: the same on a busy machine as on any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from counting import counted, place

MOST_GROWTH = 2.5
MORE = 4
NAMED = 5


class Growth(NamedTuple):
    """What twice as much takes.

    Attributes:
        ratio: What the second half of four times as much adds to the calls, by what the second half of twice as much
            adds: what is called as often for little as for much does not count.
        each: How many calls one more of it adds; below 1 the work is in C, where nothing is counted.
        functions: Those that grow most, for people.
    """

    ratio: float
    each: float
    functions: str


def growth(prepared: Callable[[int], Callable[[], object]], few: int) -> Growth:
    """Count the calls of some work over a few, twice, and four times as many.

    What grows too much is measured once more with more of it: where a cache of a few entries overflows, the same texts
    are read two or three times from then on, and what is quadratic stays so.

    Args:
        prepared: Makes the work for a count.
        few: The least count.
    """
    prepared(1)()  # what is loaded once
    measured = _growth(prepared, few)
    return measured if measured.ratio <= MOST_GROWTH else _growth(prepared, MORE * few)


def _growth(prepared: Callable[[int], Callable[[], object]], few: int) -> Growth:
    calls = [counted(prepared(count)) for count in (few, 2 * few, 4 * few)]
    before, after = (Counter({code: more[code] - less[code] for code in more}) for less, more in pairwise(calls))
    worst = sorted(after, key=lambda code: after[code] - 2 * before[code], reverse=True)[:NAMED]
    named = ", ".join(f"{place(code)} {before[code]} → {after[code]}" for code in worst)
    return Growth(after.total() / max(before.total(), 1), after.total() / (2 * few), named)


def hold(measured: Growth) -> None:
    """Fail where twice as much takes much more than twice the calls."""
    assert measured.ratio <= MOST_GROWTH, (
        f"twice as much takes {measured.ratio:.2f} times as long: {measured.functions}"
    )
