"""What an upgrade of the CCM changes, in words: what a key's fate means, and what becomes of the command line.

Sources: kubernetes/cloud-provider-openstack at its tags, read with ``git grep`` at every tag; those of flags are beside
them.
"""

from __future__ import annotations

KEYS: dict[tuple[str, str, str], str] = {
    # openstack.go and loadbalancer.go v1.26.0: the key and all code of Neutron LBaaS are gone (1117fa29c)
    ("vanishes", "LoadBalancer", "use-octavia"): "Delete the line: Octavia is all there is.",
    # a field without a tag, legal until 1.27 by chance
    ("vanishes", "LoadBalancer", "nodesecuritygroupids"): "Delete the line: it was never meant to be set.",
    # client.go v1.20.0: the fields of AuthOpts get tags, and with them hyphens
    ("vanishes", "Global", "trusteeid"): "Write `trustee-id`, or the CCM logs in without the trust.",
    ("vanishes", "Global", "trusteepassword"): "Write `trustee-password`, or the CCM logs in without it.",
    ("vanishes", "Global", "tlsinsecure"): (
        "Write `tls-insecure`, or better `ca-file`: certificates are checked from then on."
    ),
    ("vanishes", "BlockStorage", ""): (
        "Only the CCM stops reading it; the Cinder CSI driver reads the same section of its own file."
    ),
    ("comes to life", "LoadBalancer", "enabled"): (
        "With `false` the CCM leaves every load balancer alone. Delete the line to keep what is now."
    ),
    ("comes to life", "Global", "tls-insecure"): (
        "Certificates are not checked from then on. Delete the line, and name the authority with `ca-file`."
    ),
    ("comes to life", "Global", "os-endpoint-type"): (
        "Make sure that the CCM reaches these endpoints; any word but public, internal or admin ends it since v1.32.0."
    ),
    ("comes to life", "LoadBalancer", "monitor-max-retries-down"): (
        "Existing monitors change, too: so many failed checks take a node out. Octavia went by 3 before."
    ),
    ("comes to life", "LoadBalancer", "provider-requires-serial-api-calls"): (
        "One call for each object from then on; members get no monitor port, so not with monitors and Local Services."
    ),
    ("comes to life", "LoadBalancer", "node-selector"): (
        "Only nodes with these labels stay members. Compare them with `kubectl get nodes --show-labels`."
    ),
    ("comes to life", "LoadBalancer", "max-shared-lb"): "It limits how many Services share one load balancer.",
    ("comes to life", "", ""): "Make sure that it is meant, or delete the line to keep what is now.",
    # openstack.go v1.18.0 (ae0546ac4): defaults are set before reading
    ("default", "LoadBalancer", "use-octavia"): (
        "Load balancers of Neutron LBaaS are not taken over. `use-octavia = false` keeps them up to 1.25."
    ),
    ("default", "LoadBalancer", "lb-provider"): (
        "`lb-provider =` leaves the choice to the cloud, as before; or name the provider that you have."
    ),
    ("default", "Networking", "public-network-name"): (
        "`public-network-name = public` keeps its addresses the nodes' ExternalIPs."
    ),
    ("value", "Networking", "public-network-name"): "Repeat the key, one name a line; a comma is part of a name.",
    ("value", "Networking", "internal-network-name"): "Repeat the key, one name a line; a comma is part of a name.",
}
"""What to do, by kind of change, section and key; an empty key means all of a section, two empty strings all of a kind."""

SAME_EFFECT: frozenset[tuple[str, str]] = frozenset(
    {
        # openstack_loadbalancer.go up to 1.17: an empty lb-method is ROUND_ROBIN at the pool's creation
        ("LoadBalancer", "lb-method"),
        # no code of the CCM reads [BlockStorage]
        ("BlockStorage", "bs-version"),
        ("BlockStorage", "trust-device-path"),
        ("BlockStorage", "ignore-volume-az"),
    }
)
"""Keys whose change of default, or of life, changes nothing that the CCM does."""

CONCERNS: dict[tuple[str, str], tuple[str, ...]] = {
    ("LoadBalancer", "monitor-delay"): ("monitor",),
    ("LoadBalancer", "monitor-timeout"): ("monitor",),
    ("LoadBalancer", "monitor-max-retries"): ("monitor",),
}
"""Where the change of a default matters, as `ccmcheck.review.upgrade.conditions` names it; everywhere else."""

PINS: dict[tuple[str, str], tuple[str, bool]] = {
    # an empty value is not sent, but logged as an unsupported provider since v1.20.1, and v1.20.0 ends at it
    ("LoadBalancer", "lb-provider"): ("", False),
    ("LoadBalancer", "use-octavia"): ("false", True),
    ("Networking", "public-network-name"): ("public", True),
}
"""What to write so that an earlier default stays in effect, and whether that has no other effect."""

RENAMED: dict[tuple[str, str], str] = {
    # pkg/cloudprovider/providers/openstack/openstack.go v1.20.0: the fields get tags; the values mean the same
    ("Global", "tlsinsecure"): "tls-insecure",
    ("Global", "trusteeid"): "trustee-id",
    ("Global", "trusteepassword"): "trustee-password",
}
"""Keys that are spelled otherwise after they vanish."""

WITHOUT: dict[tuple[str, str], object] = {
    # openstack.go v1.26.0: Octavia is all there is
    ("LoadBalancer", "use-octavia"): True,
}
"""The value that a release without a key uses, where that is not the last default of the key."""

FLAGS_GONE: dict[str, tuple[str, str]] = {
    # k8s.io/cloud-provider v0.24 options: no more InsecureServing
    "port": ("v1.24.0", "Delete it; --secure-port is the CCM's only port."),
    "address": ("v1.24.0", "Delete it; --bind-address is where the CCM listens."),
    # k8s.io/component-base v0.26 logs/klogflags: only --v and --vmodule are left (KEP-2845)
    **dict.fromkeys(
        (
            "add-dir-header", "alsologtostderr", "log-backtrace-at", "log-dir", "log-file", "log-file-max-size",
            "logtostderr", "one-output", "skip-headers", "skip-log-headers", "stderrthreshold",
        ),
        ("v1.26.0", "Delete it; the CCM logs to standard error."),
    ),
}  # fmt: skip
"""Flags of the CCM's command line that a release does not know any more, and what to do; it ends at an unknown flag."""

_NODE_SET, _DUAL_STACK, _MASTERS = "StableLoadBalancerNodeSet", "CloudDualStackNodeIPs", "LegacyNodeRoleBehavior"
_GATES, _LOCK = "feature-gates", "leader-elect-resource-lock"

FLAG_VALUES_GONE: dict[tuple[str, str], tuple[str, str]] = {
    # k8s.io/controller-manager v0.30 pkg/features: locked to true; both are gone in v0.32, from k8s.io/kubernetes, too
    (_GATES, f"{_NODE_SET}=false"): ("v1.30.0", "Delete it; nodes that are not ready stay in the load balancers."),
    (_GATES, f"{_NODE_SET}=true"): ("v1.32.0", "Delete it; it is always on."),
    (_GATES, f"{_DUAL_STACK}=false"): ("v1.30.0", "Delete it; it is always on."),
    (_GATES, f"{_DUAL_STACK}=true"): ("v1.32.0", "Delete it; it is always on."),
    # k8s.io/kubernetes v1.21 pkg/features: locked to false; gone in v1.22
    (_GATES, f"{_MASTERS}=true"): (
        "v1.21.0",
        "Delete it; label nodes node.kubernetes.io/exclude-from-external-load-balancers instead.",
    ),
    (_GATES, f"{_MASTERS}=false"): ("v1.22.0", "Delete it; it is always off."),
    # k8s.io/client-go tools/leaderelection/resourcelock v0.24, v0.28
    (_LOCK, "endpoints"): ("v1.24.0", "Change to endpointsleases first, then to leases: only one CCM may lead."),
    (_LOCK, "configmaps"): ("v1.24.0", "Change to configmapsleases first, then to leases: only one CCM may lead."),
    (_LOCK, "endpointsleases"): ("v1.28.0", "Write leases, the default."),
    (_LOCK, "configmapsleases"): ("v1.28.0", "Write leases, the default."),
}
"""Values of flags at which a release ends, and what to do; those of feature gates as NAME=true or NAME=false."""
