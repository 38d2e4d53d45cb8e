"""What the CCM does, or fails to do, in some releases only, by tag.

The unit is a release tag, because fixes are backported: a stretch runs from its first tag up to, but not including, the
first tag of the same line that behaves otherwise. A branch tip is after all tags of its branch.

Sources: kubernetes/cloud-provider-openstack at the tags named, and its issues.
"""

from __future__ import annotations

STRETCHES: dict[str, tuple[tuple[str, str], ...]] = {
    # openstack.go LoadBalancer(): options equal to their zero value mean "not supported"; void once there are defaults
    "load-balancers-need-a-key": (("", "v1.18.0"),),
    # b9b924ff2 (#1720): externalTrafficPolicy Local is supported, by an HTTP monitor on the health check node port
    "supports-local": (("v1.23.0", ""),),
    # ... with any provider, until #2000 leaves ovn out
    "local-monitor-is-http-on-ovn": (("v1.23.0", "v1.26.0"),),
    # #1749: a node change wipes the members' monitor_port
    "monitor-port-lost": (("v1.23.0", "v1.23.1"),),
    # loadbalancer.go: the Octavia path returns before the code of manage-security-groups (checked for every tag)
    "managed-groups-do-nothing": (("v1.19.0", "v1.24.0"),),
    # the monitors of Local Services ask the health check node port, and #1984 brings its rule
    "managed-groups-without-check-port": (("v1.23.0", "v1.26.0"),),
    # #2291: rules let the member subnet in, but ovn keeps the clients' addresses
    "managed-groups-shut-ovn-clients-out": (("", "v1.28.0"),),
    # #2699: on a node change the source ranges of ovn are empty and all NodePort rules are removed; mended in bf312687f,
    # never on the branches 1.28 and 1.29
    "managed-groups-emptied-by-node-changes": (("v1.28.0", "v1.30.2"), ("v1.31.0", "v1.31.2")),
    # loadbalancer.go createLoadBalancerStatus(): IPs carry ipMode Proxy where proxy-protocol is on
    "sets-ip-mode": (("v1.30.0", ""),),
    # vendored service controller with KEP-3458: nodes that are not ready stay in the load balancer
    "keeps-unready-nodes": (("v1.27.0", ""),),
}
"""For each behaviour its stretches of releases: first tag (empty: from the beginning), first tag without it (empty: still)."""

KUBERNETES: dict[str, tuple[int, int]] = {
    # KEP-1860: LoadBalancerIPMode is on by default
    "ip-mode": (1, 30),
}
"""What Kubernetes itself brings, by version."""
