"""NodePorts are closed to the clients of ovn load balancers.

What it does: finds `lb-provider = ovn` without `manage-security-groups = true`.

Why: ovn preserves the client's address, so the nodes' security groups must allow every client, not just a
subnet. Unless other security groups open the NodePorts, no connection gets through. Without managed groups
`loadBalancerSourceRanges` has no effect either.

What the CCM does: with `manage-security-groups = true` it opens each NodePort to the Service's source ranges. This
is off by default.

Releases: 1.28 and newer, except those where the rules are lost at node changes

Fix: writes `manage-security-groups = true`.

Fix safety: unsafe because security groups are created and added to the nodes' ports

Source: cloud-provider-openstack pkg/openstack/loadbalancer_sg.go, 1.28; kubernetes/cloud-provider-openstack#2291
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support.balancer import manage_groups, node_ports, unopened_item
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("ovn-no-security-group", "NodePorts are closed to the clients of ovn load balancers", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n",
        at=(2, 13),
        fixed="[LoadBalancer]\nlb-provider=ovn\nmanage-security-groups=true\nlb-method=SOURCE_IP_PORT\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\nmanage-security-groups = off\nlb-provider = ovn\n",
        at=(2, 26),
        fixed="[LoadBalancer]\nmanage-security-groups = true\nlb-provider = ovn\n",
        unsafe=True,
        release="v1.30.2",
    ),
)
GOOD = (
    Case("[LoadBalancer]\nlb-provider=ovn\nmanage-security-groups=true\n"),
    Case("[LoadBalancer]\nlb-provider=amphora\n"),
    Case("[LoadBalancer]\nlb-provider=ovn\n", release="1.27"),
    Case("[LoadBalancer]\nlb-provider=ovn\n", release="v1.31.1"),
    Case("[LoadBalancer]\nlb-provider=ovn\nmanage-security-groups=${SG}\n", template=True),
    Case("[LoadBalancer]\nlb-provider=ovn\nmanage-security-group=true\n", shown=False),
    Case("[LoadBalancer]\nlb-provider=ovn\nenabled=false\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at manage-security-groups with ovn, where the nodes' groups are unknown."""
    item = unopened_item(conf)
    if item is None or (conf.run_context.clusters and node_ports(conf) is not None):
        return
    yield Problem(
        item.span,
        "ovn preserves the client's address, but the NodePorts are not opened to clients",
        "Unless other security groups of the nodes allow every client, no connection gets "
        "through; loadBalancerSourceRanges has no effect.",
        "Write `manage-security-groups = true`.",
        manage_groups(conf),
    )
