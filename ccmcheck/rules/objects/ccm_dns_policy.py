"""A CCM that asks the DNS that waits for it."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.data.cluster import UNINITIALIZED
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.workload import Workload, workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar, mappings, text_of

_ADDRESS = lazy_regex(r"(?im)^[ \t]*+auth-url[ \t]*+=[ \t]*+\"?[a-z]++://(?:\[|[\d.]++(?![\w-]))")
"""An auth-url without a name of a host."""
_DNS = ("coredns", "kube-dns", "dns-default", "nodelocaldns", "node-local-dns")
"""Words in the names of workloads that answer the pods of a cluster."""
_CLUSTER, _NODE = "ClusterFirstWithHostNet", "ClusterFirst"


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the DNS policy of a CCM in the nodes' network; one without runs for another cluster, as on a seed."""
    ccm = workload(manifest)
    policy = ccm.spec.get("dnsPolicy") if ccm is not None else None
    if ccm is None or not isinstance(policy, Scalar) or policy.value != _CLUSTER:
        return
    if text_of(ccm.spec.get("hostNetwork")) == "true" and not _needs_no_dns(manifest, ccm):
        yield Problem(
            policy.content,
            "the CCM looks up the names of OpenStack's APIs in CoreDNS, which waits for the CCM in a new cluster",
            f"New nodes have the taint {UNINITIALIZED[0]}, which CoreDNS does not tolerate by default: without a pod of it "
            "the CCM cannot log in, and does not take the taint away.",
            f"Write `{_NODE}`, which with `hostNetwork: true` asks the servers of the node.",
            yaml_fixes.unsafe(manifest, f"write `{_NODE}`", yaml_fixes.write(manifest, policy, _NODE)),
            severity=None if manifest.nearest_confs else Severity.INFO,
        )


def _needs_no_dns(manifest: Manifest, ccm: Workload) -> bool:
    """Whether it may know OpenStack's address otherwise, or CoreDNS does not wait for it."""
    if ccm.spec.get("hostAliases") is not None or ccm.spec.get("dnsConfig") is not None:
        return True
    return any(_ADDRESS.search(conf.text) is not None for conf in manifest.nearest_confs) or any(
        (text_of(toleration.get("key")) or UNINITIALIZED[0]) == UNINITIALIZED[0]
        for item in manifest.neighbours
        if any(name in item.name for name in _DNS)
        for toleration in mappings(item.at("spec", "template", "spec", "tolerations"))
    )
