"""What servers may take of a run: where its budget ends, what was read of them until then is judged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ccmcheck.base.budget import OVER, cut, cuts, time_left
from ccmcheck.cluster.access.errors import Unintelligible
from ccmcheck.cluster.access.limits import Allowance

_REPORTING = 0.5
"""Seconds before the end of the run in which nothing is asked any more."""
_ENDED = ("the time limit is over: not everything was read", "--time-limit allows more.")


class RunAllowance(Allowance):
    """An allowance that ends with the budget of the run."""

    @contextmanager
    def asking(self, server: str) -> Iterator[None]:
        """Let a question be asked; see `Allowance.asking`."""
        if cuts() or time_left() <= _REPORTING:
            raise Unintelligible(*_ENDED)
        try:
            with super().asking(server):
                yield
        except OVER as error:
            raise Unintelligible(*cut(error, "not everything was read")) from None

    def seconds(self, most: float) -> float:
        """How long an answer may take; see `Allowance.seconds`. Threads wait for theirs, which no signal ends."""
        return super().seconds(min(most, time_left() - _REPORTING))
