"""The lines that the Sovereign Cloud Stack's compliance checker reads: ``id: PASS|FAIL|ABORT``."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.conformance.records import RunResult
from ccmcheck.cluster.core import printable

PREFIX = "loadbalancer-"
"""What the IDs of the test cases begin with."""


def as_scs(result: RunResult) -> Iterator[str]:
    """A line for each case."""
    for case in result.cases:
        yield f"{PREFIX}{case.name}: {case.verdict.value}\n"


def log_lines(result: RunResult) -> Iterator[str]:
    """The log: the checker counts lines that begin with ``error``."""
    yield f"INFO: {printable(result.cluster)}"
    for case in result.cases:
        failing = case.failing
        if failing is not None:
            level = "ERROR" if case.counts else "WARNING"
            yield f"{level}: {case.name}: {failing.name}: {printable(failing.text)}"
            yield from (f"{level}: {case.name}: likely cause: {printable(cause)}" for cause in case.causes)
    if result.stopped:
        yield f"ERROR: {printable(result.stopped)}"
    if result.remains is not None:
        left = "; ".join(result.remains.objects)
        yield f"ERROR: left in the cluster: {printable(left)}: {printable(result.remains.why)}"
        yield f"ERROR: remove it with: {printable(result.remains.command)}"
