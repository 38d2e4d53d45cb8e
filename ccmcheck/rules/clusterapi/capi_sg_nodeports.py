"""Cluster API's security groups block the clients of ovn load balancers."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.cluster import CAPO_SHUT_SINCE
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import node_ports, open_to_clients, unopened_item


def check(conf: CloudConf) -> Problems:
    """Look at the nearest clusters where the CCM manages no security groups for ovn."""
    if not conf.run_context.clusters or node_ports(conf) is not False:
        return
    item = unopened_item(conf)
    if item is None:
        return
    advice, fix = open_to_clients(conf)
    cluster = conf.nearest(conf.run_context.clusters)[0]
    yield Problem(
        item.span,
        f"the security groups of {cluster.subject} block the clients of ovn load balancers",
        f"Cluster API Provider OpenStack {CAPO_SHUT_SINCE} and newer opens NodePorts to the cluster's own subnets, and "
        "ovn preserves the clients' addresses.",
        f"{advice} `workerNodesSecurityGroupRules` takes such rules.",
        fix,
    )
