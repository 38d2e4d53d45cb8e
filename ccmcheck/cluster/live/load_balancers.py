"""What was read of the load balancers of a cluster's Services, for the rules that compare them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.core import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.cluster.core import lint_results, live_records


class LiveOctavia(NamedTuple):
    """What was read and compared.

    Attributes:
        balancers: By the Services' subjects.
        failures: What could not be read or judged.
        line: Which cloud and project were asked.
    """

    balancers: Mapping[str, live_records.LiveBalancer] = {}
    failures: tuple[lint_results.Failure, ...] = ()
    line: str = ""
