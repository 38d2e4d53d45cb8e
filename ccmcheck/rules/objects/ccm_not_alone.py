"""Two CCMs in one cluster, or the own controller of k3s or RKE2 beside it."""

from __future__ import annotations

from itertools import islice

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.load_balancer_controllers import CONTROLLERS
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar

_MOST_NAMED = 20
"""Workloads that a message names."""


def check(manifest: Manifest) -> Problems:
    """Look for another workload, in a running cluster alone, as a repository may hold many, and for k3s' or RKE2's."""
    ccm = workload(manifest)
    name = manifest.at("metadata", "name")
    if ccm is None or not isinstance(name, Scalar):
        return
    is_live = manifest.run_context.live is not None
    others = {pod.subject for pod in islice(manifest.pods, _MOST_NAMED)} - {manifest.subject} if is_live else set()
    if others:
        yield Problem(
            name.content,
            f"{' and '.join(sorted(others))} {'runs' if len(others) == 1 else 'run'} the CCM, too",
            "Only the one that is elected as the leader works; the next restart may elect another one, with its release "
            "and its cloud.conf.",
            "Delete the one that is no longer needed.",
        )
    for other in manifest.nearby(manifest.run_context.controllers):
        row = CONTROLLERS[other.row]
        if row.gives_ids:
            yield Problem(
                name.content, f"{row.name} runs as well: {other.subject} in {other.path}", row.effect, row.remedy
            )
            return
