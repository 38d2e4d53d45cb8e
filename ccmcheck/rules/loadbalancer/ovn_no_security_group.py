"""NodePorts are closed to the clients of ovn load balancers."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import manage_groups, node_ports, unopened_item


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
