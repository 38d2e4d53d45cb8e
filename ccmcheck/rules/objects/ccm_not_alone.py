"""Two CCMs in one cluster, or the own controller of k3s or RKE2 beside it."""

from __future__ import annotations

from itertools import islice

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.base.path_proximity import may_be_together
from ccmcheck.base.text import has_one
from ccmcheck.carriers.base import OtherController
from ccmcheck.catalog.data.load_balancer_controllers import CONTROLLERS
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar

_MOST_NAMED = 20
"""Workloads that a message names."""
_OWN_LEASE = ("leader-elect-resource-name", "leader-elect=false")


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
    found = manifest.run_context.controllers
    own_lease = has_one(manifest.text, _OWN_LEASE)
    for other in (*manifest.nearby(found), *may_be_together(manifest.pods, found, _shares_lease)):
        row = CONTROLLERS[other.row]
        if row.gives_ids and (not row.shares_lease or (_shares_lease(other) and not own_lease)):
            # a CCM of another cloud may be of another cluster
            runs, severity = ("is here", Severity.INFO) if row.shares_lease else ("runs", None)
            said = f"{row.name} {runs} as well: {other.subject} in {other.path}"
            yield Problem(name.content, said, row.effect, row.remedy, severity=severity)
            return


def _shares_lease(other: OtherController) -> bool:
    """Whether it waits for the CCM where both run in one cluster."""
    return CONTROLLERS[other.row].shares_lease and other.is_open and not other.is_template
