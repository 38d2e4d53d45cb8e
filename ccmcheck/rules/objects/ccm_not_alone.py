"""Two CCMs in one cluster.

What it does: finds workloads of the CCM in a running cluster that has another one.

Why: after a migration, such as from manifests to the Helm chart, the old workload often stays.

What the CCM does: both elect a leader, and only the leader works. Which one it is changes with every restart and every
drained node, and with it the release and the cloud.conf that load balancers follow.

Releases: all

Fix: none; delete the workload that is no longer wanted.

Source: kubernetes/cloud-provider app/controllermanager.go (leader election, lease `cloud-controller-manager`)
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import CcmPod, RunContext
from ccmcheck.carriers.live import LiveCluster
from ccmcheck.rules._support.workload import KINDS, workload
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "ccm-not-alone",
    "Two CCMs in one cluster",
    Severity.WARNING,
    per_release=False,
    kinds=KINDS,
)

_IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2"
_POD = f"""\
kind: Pod
metadata:
  name: ccm
  namespace: kube-system
spec:
  containers:
    - name: ccm
      image: {_IMAGE}
"""
_OTHER = CcmPod("other.yaml", "DaemonSet kube-system/other", "kube-system", _IMAGE, "v1.31.2")

BAD = (Case(_POD, at=(3, 9), run_context=RunContext(pods=(_OTHER,), live=LiveCluster())),)
GOOD = (
    Case(_POD, run_context=RunContext(pods=(_OTHER,))),
    Case(_POD, run_context=RunContext(live=LiveCluster())),
)


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
