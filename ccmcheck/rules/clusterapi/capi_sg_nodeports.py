"""NodePorts that Cluster API keeps closed to the clients of ovn.

What it does: finds `lb-provider = ovn` without `manage-security-groups = true` where the cluster's OpenStackCluster
manages the nodes' security groups and has no rule of its own for the NodePorts.

Why: ovn passes the clients' own addresses on, and Cluster API's groups open the NodePorts to the cluster's subnets
only. No client outside gets through.

What the CCM does: with `manage-security-groups = true` it opens each NodePort to the Service's source ranges. That is
off by default. Load balancers of `amphora` are inside the cluster's subnets and need nothing.

Releases: 1.28 and newer, except those where the rules are lost at node changes; cluster-api-provider-openstack 0.11
and newer, which opened the NodePorts to everybody before

Fix: writes `manage-security-groups = true`; a rule in `workerNodesSecurityGroupRules` does it too.

Fix safety: unsafe because security groups are created and put on the nodes' ports

Source: cluster-api-provider-openstack docs/book/src/clusteropenstack/configuration.md, #2128, #2333;
cloud-provider-openstack pkg/openstack/loadbalancer_sg.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import Bundle, CapiCluster
from ccmcheck.catalog.data.cluster import CAPO_SHUT_SINCE
from ccmcheck.rules._support.balancer import manage_groups, node_ports, unopened_item
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("capi-sg-nodeports", "NodePorts that Cluster API keeps closed to the clients of ovn", Severity.WARNING)

_SHUT = Bundle(clusters=(CapiCluster("cluster.yaml", "OpenStackCluster prod", "prod", node_ports=False),))
_OPEN = Bundle(clusters=(CapiCluster("cluster.yaml", "OpenStackCluster prod", "prod", node_ports=True),))
_CONF = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"

BAD = (
    Case(
        _CONF,
        at=(2, 15),
        fixed=_CONF.replace("ovn\n", "ovn\nmanage-security-groups = true\n"),
        unsafe=True,
        bundle=_SHUT,
    ),
    Case(
        _CONF + "manage-security-groups=false\n",
        at=(4, 24),
        fixed=_CONF + "manage-security-groups=true\n",
        unsafe=True,
        bundle=_SHUT,
        shown=False,
    ),
)
GOOD = (
    Case(_CONF + "manage-security-groups = true\n", bundle=_SHUT),
    Case(_CONF, bundle=_OPEN),
    Case(_CONF),
    Case(_CONF.replace("ovn", "amphora"), bundle=_SHUT),
    Case(_CONF, bundle=_SHUT, release="1.27"),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the clusters around where ovn has no groups of its own."""
    if not conf.bundle.clusters or node_ports(conf) is not False:
        return
    item = unopened_item(conf)
    if item is None:
        return
    cluster = conf.nearest(conf.bundle.clusters)[0]
    yield Problem(
        item.span,
        f"the security groups of {cluster.subject} keep the clients of ovn out",
        f"Cluster API Provider OpenStack {CAPO_SHUT_SINCE} and newer opens NodePorts to the cluster's own subnets, and "
        "ovn passes the clients' addresses on.",
        "Write `manage-security-groups = true`, or add a rule to `workerNodesSecurityGroupRules`.",
        manage_groups(conf),
    )
