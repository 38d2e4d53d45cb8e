"""NodePorts are closed to the clients of ovn load balancers."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import managed_groups_help, node_ports, open_to_clients, unopened_item


def check(conf: CloudConf) -> Problems:
    """Look at manage-security-groups with ovn, where the nodes' groups are unknown."""
    item = unopened_item(conf)
    if item is None or (conf.run_context.clusters and node_ports(conf) is not None):
        return
    if not (conf.run_context.services or managed_groups_help(conf)):
        return  # no key of the file changes anything
    yield Problem(
        item.span,
        "ovn preserves the client's address, but the NodePorts are not opened to clients",
        "Unless other security groups of the nodes allow every client, no connection gets "
        "through; loadBalancerSourceRanges has no effect.",
        *open_to_clients(conf),
    )
