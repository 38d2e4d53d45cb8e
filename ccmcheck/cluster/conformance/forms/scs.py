"""The lines that the Sovereign Cloud Stack's compliance checker reads: ``id: PASS|FAIL|ABORT``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.conformance.records import RunResult

PREFIX = "loadbalancer-"
"""What the IDs of the test cases begin with."""


def as_scs(result: RunResult) -> Iterator[str]:
    """A line for each case."""
    for case in result.cases:
        yield f"{PREFIX}{case.name}: {case.verdict.value}\n"
