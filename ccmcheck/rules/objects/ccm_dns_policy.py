"""A CCM that asks the DNS that waits for it."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.catalog.data.cluster import UNINITIALIZED
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar, text_of

_CLUSTER, _NODE = "ClusterFirstWithHostNet", "ClusterFirst"


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the DNS policy of a CCM in the nodes' network; one without runs for another cluster, as on a seed."""
    ccm = workload(manifest)
    policy = ccm.spec.get("dnsPolicy") if ccm is not None else None
    if ccm is None or not isinstance(policy, Scalar) or policy.value != _CLUSTER:
        return
    if text_of(ccm.spec.get("hostNetwork")) == "true":
        yield Problem(
            policy.content,
            "the CCM looks up the names of OpenStack's APIs in CoreDNS, which waits for the CCM in a new cluster",
            f"New nodes have the taint {UNINITIALIZED[0]}, which CoreDNS does not tolerate by default: without a pod of it "
            "the CCM cannot log in, and does not take the taint away.",
            f"Write `{_NODE}`, which with `hostNetwork: true` asks the servers of the node.",
            yaml_fixes.unsafe(manifest, f"write `{_NODE}`", yaml_fixes.write(manifest, policy, _NODE)),
        )
