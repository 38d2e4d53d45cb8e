"""Two CCMs in one cluster."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ccmcheck.base.model import Problem
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest

_MOST_NAMED = 20
"""Workloads that a message names."""


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look for another workload, in a running cluster alone: a repository may hold many clusters."""
    ccm = workload(manifest) if manifest.run_context.live is not None else None
    name = manifest.at("metadata", "name")
    if ccm is None or name is None:
        return
    others = sorted({pod.subject for pod in islice(manifest.pods, _MOST_NAMED)} - {manifest.subject})
    if others:
        yield Problem(
            name.content,
            f"{' and '.join(others)} {'runs' if len(others) == 1 else 'run'} the CCM, too",
            "Only the one that is elected as the leader works; the next restart may elect another one, with its release "
            "and its cloud.conf.",
            "Delete the one that is no longer needed.",
        )
