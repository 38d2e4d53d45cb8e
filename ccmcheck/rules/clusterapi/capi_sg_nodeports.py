"""Cluster API's security groups block the clients of ovn load balancers.

What it does: finds `lb-provider = ovn` without `manage-security-groups = true` where the cluster's OpenStackCluster
manages the nodes' security groups and has no rule for the NodePorts.

Why: ovn preserves the clients' addresses, and Cluster API's security groups open the NodePorts to the cluster's subnets
only. Clients outside are blocked.

What the CCM does: with `manage-security-groups = true` it opens each NodePort to the Service's source ranges. This is
off by default. Load balancers of `amphora` are in the cluster's subnets and are not affected.

Releases: 1.28 and newer, except those where the rules are lost at node changes; cluster-api-provider-openstack 0.11
and newer, which opened the NodePorts to every address before

Fix: writes `manage-security-groups = true`; a rule in `workerNodesSecurityGroupRules` works too.

Fix safety: unsafe because security groups are created and added to the nodes' ports

Source: cluster-api-provider-openstack docs/book/src/clusteropenstack/configuration.md, #2128, #2333;
cloud-provider-openstack pkg/openstack/loadbalancer_sg.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import CapiCluster, RunContext
from ccmcheck.catalog.data.cluster import CAPO_SHUT_SINCE
from ccmcheck.rules._support.balancer import manage_groups, node_ports, unopened_item
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "capi-sg-nodeports", "Cluster API's security groups block the clients of ovn load balancers", Severity.WARNING
)

_SHUT = RunContext(clusters=(CapiCluster("cluster.yaml", "OpenStackCluster prod", "prod", node_ports=False),))
_OPEN = RunContext(clusters=(CapiCluster("cluster.yaml", "OpenStackCluster prod", "prod", node_ports=True),))
_CONF = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"

BAD = (
    Case(
        _CONF,
        at=(2, 15),
        fixed=_CONF.replace("ovn\n", "ovn\nmanage-security-groups = true\n"),
        unsafe=True,
        run_context=_SHUT,
    ),
    Case(
        _CONF + "manage-security-groups=false\n",
        at=(4, 24),
        fixed=_CONF + "manage-security-groups=true\n",
        unsafe=True,
        run_context=_SHUT,
        shown=False,
    ),
)
GOOD = (
    Case(_CONF + "manage-security-groups = true\n", run_context=_SHUT),
    Case(_CONF, run_context=_OPEN),
    Case(_CONF),
    Case(_CONF.replace("ovn", "amphora"), run_context=_SHUT),
    Case(_CONF, run_context=_SHUT, release="1.27"),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the nearest clusters where the CCM manages no security groups for ovn."""
    if not conf.run_context.clusters or node_ports(conf) is not False:
        return
    item = unopened_item(conf)
    if item is None:
        return
    cluster = conf.nearest(conf.run_context.clusters)[0]
    yield Problem(
        item.span,
        f"the security groups of {cluster.subject} block the clients of ovn load balancers",
        f"Cluster API Provider OpenStack {CAPO_SHUT_SINCE} and newer opens NodePorts to the cluster's own subnets, and "
        "ovn preserves the clients' addresses.",
        "Write `manage-security-groups = true`, or add a rule to `workerNodesSecurityGroupRules`.",
        manage_groups(conf),
    )
