"""What servers may take of a run: where its budget ends, what was read of them until then is judged."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ccmcheck.base.budget import OVER, cut, cuts
from ccmcheck.cluster.access.errors import Unintelligible
from ccmcheck.cluster.access.limits import Allowance

if TYPE_CHECKING:
    from collections.abc import Iterator


class RunAllowance(Allowance):
    """An allowance that ends with the budget of the run."""

    @contextmanager
    def asking(self, server: str) -> Iterator[None]:
        """Let a question be asked; see `Allowance.asking`."""
        if cuts():
            raise Unintelligible(cuts()[0])
        try:
            with super().asking(server):
                yield
        except OVER as error:
            message, hint = cut(error, "not everything was read")
            raise Unintelligible(message, hint) from None
