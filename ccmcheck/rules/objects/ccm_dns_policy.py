"""A CCM that asks the DNS that waits for it."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.data.cluster import UNINITIALIZED
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar, mappings, text_of

_URL = lazy_regex(r"(?im)^[ \t]*+auth-url[ \t]*+=[ \t]*+\"?[a-z]++://(?P<address>\[|[\d.]++(?![\w-]))?+")
_DNS = ("coredns", "kube-dns", "dns-default", "nodelocaldns", "node-local-dns")
"""Words in the names of workloads that answer the pods of a cluster."""
_OTHERWISE = ("hostAliases", "dnsConfig")
"""Fields of a pod by which it may find addresses without the cluster's DNS."""
_CLUSTER, _NODE = "ClusterFirstWithHostNet", "ClusterFirst"


def check(manifest: Manifest) -> Problems:
    """Look at the DNS policy of a CCM in the nodes' network; one without runs for another cluster, as on a seed."""
    ccm = workload(manifest)
    policy = ccm.spec.get("dnsPolicy") if ccm is not None else None
    if ccm is None or not isinstance(policy, Scalar) or policy.value != _CLUSTER:
        return
    confs = manifest.nearest_confs
    urls = [url for conf in confs if (url := _URL.search(conf.text)) is not None]
    if any(url["address"] for url in urls) or any(ccm.spec.get(name) is not None for name in _OTHERWISE):
        return
    if text_of(ccm.spec.get("hostNetwork")) == "true" and not _dns_runs(manifest):
        yield Problem(
            policy.content,
            "the CCM looks up the names of OpenStack's APIs in CoreDNS, which waits for the CCM in a new cluster",
            f"New nodes have the taint {UNINITIALIZED[0]}, which CoreDNS does not tolerate by default: without a pod of it "
            "the CCM cannot log in, and does not take the taint away.",
            f"Write `{_NODE}`, which with `hostNetwork: true` asks the servers of the node.",
            yaml_fixes.unsafe(manifest, f"write `{_NODE}`", yaml_fixes.write(manifest, policy, _NODE)),
            severity=None if urls and not any(conf.marks for conf in confs) else Severity.INFO,
        )


def _dns_runs(manifest: Manifest) -> bool:
    """Whether a DNS in the file tolerates the taint of new nodes."""
    return any(
        (text_of(toleration.get("key")) or UNINITIALIZED[0]) == UNINITIALIZED[0]
        for item in manifest.neighbours
        if any(name in item.name for name in _DNS)
        for toleration in mappings(item.at("spec", "template", "spec", "tolerations"))
    )
