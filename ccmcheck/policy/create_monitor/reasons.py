"""Arguments for and against monitors by default, and the remaining risks, each with its source or measurement.

Whether an argument applies to a cluster, and its figures there, are computed by `ccmcheck.review.create_monitor`.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.octavia import BODY_LIMIT
from ccmcheck.catalog.octavia import (
    CONNECT_TRIES,
    HEARTBEAT_SECONDS,
    MEMBER_CONNECT_SECONDS,
    MONITOR_BYTES,
    UDP_CONNECT_SECONDS,
)

_OVN = "openstack/ovn-octavia-provider ovn_octavia_provider/helper.py"
_SCS = "SovereignCloudStack/k8s-cluster-api-provider"
_CPO = "kubernetes/cloud-provider-openstack"
_MEASURED = "HAProxy 2.6 on Octavia's rendered configuration, measured"


class Reason(NamedTuple):
    """One argument, or one risk.

    Attributes:
        name: Its stable name.
        text: What it is, one sentence.
        source: Where it can be read or was measured.
    """

    name: str
    text: str
    source: str


ANSWER: tuple[str, ...] = (
    "No maintainer documented a reason: it was the zero value of a bool, and stayed when true became possible in 1.18.",
)
"""To the question why create-monitor is opt-in."""

WOULD_CHANGE: tuple[str, ...] = (
    f"a statement of a maintainer on {_CPO}#2866",
    "an amphora that was measured to be overloaded by checks",
    "proof that the CCM itself replaces the checks that KEP-3458 relies on",
)
"""What would change the answer."""

FOR: tuple[Reason, ...] = (
    Reason(
        "local",
        "without a monitor a Service with externalTrafficPolicy Local sends connections to nodes that have no pod, and "
        "nothing takes such nodes out",
        f"{_CPO}#2866, #763; kubermatic/kubermatic#15460; the CCM's documentation calls monitors required",
    ),
    Reason(
        "dead-nodes",
        "since 1.27, with Local since 1.26, nodes that are not ready stay members: the service controller relies on "
        "the load balancer's checks; the proposal names load balancers without checks as a risk, and AWS, GCP and "
        "Azure as always checking",
        "kubernetes/enhancements KEP-3458, Risk 2; kubernetes/kubernetes#133052",
    ),
    Reason(
        "status",
        "without a monitor all members are NO_MONITOR: operations see no status",
        "openstack loadbalancer member list",
    ),
    Reason(
        "guide",
        "Octavia's own guide says to use health monitors in production, always",
        "openstack/octavia doc/source/user/guides/basic-cookbook.rst",
    ),
)

RISKS: tuple[Reason, ...] = (
    Reason(
        "security-group",
        "with manage-security-groups off (the default) a closed health check node port takes every node of a Local "
        "Service down; check the nodes' groups with `openstack security group rule list --ingress GROUP` for the ports "
        "of `kubectl get service -A -o custom-columns=N:.metadata.name,P:.spec.healthCheckNodePort`, from the members' "
        "subnet; on OVN a member that is ONLINE does not prove that clients get in",
        f"{_CPO} pkg/openstack/loadbalancer_sg.go; ovn-org/ovn northd/northd.c",
    ),
    Reason(
        "monitor-port",
        "1.23.0 loses the members' monitor_port at node changes, and all members go down",
        f"{_CPO}#1749",
    ),
    Reason(
        "serial",
        "provider-requires-serial-api-calls with Local: members without a monitor_port, so that all of them fail",
        f"{_CPO} pkg/util/openstack/loadbalancer_serial.go, read, not run",
    ),
    Reason(
        "refused",
        "Octavia refuses some Services with monitors and accepts them without: X-Forwarded-For or a TLS reference "
        "together with a UDP or SCTP port; SCTP on OVN",
        "openstack/octavia 19.0.0 and ovn-octavia-provider 11.0.0, run",
    ),
    Reason(
        "udp-delay",
        f"monitor-delay below {UDP_CONNECT_SECONDS} s makes Octavia refuse every Service with a UDP port, its TCP "
        "ports included",
        "openstack/octavia 19.0.0, run; udp_connect_min_interval_health_monitor",
    ),
    Reason(
        "sub-second",
        "a monitor-delay below 1 s becomes 0, and the load balancer ends in ERROR at every retry",
        "HAProxy 2.6 and Octavia 19.0.0, run",
    ),
    Reason(
        "quota",
        "one monitor a port; over the quota Octavia refuses the whole load balancer",
        "openstack/octavia 19.0.0, run; no limit by default",
    ),
    Reason(
        "ovn-release",
        "OVN's checks act on floating IPs from ovn-octavia-provider 2.2.0, 3.1.2, 4.0.2 and 5.0.0 on; older monitors "
        "must be recreated",
        "LP#1997418, LP#1956035; openstack/ovn-octavia-provider release notes",
    ),
    Reason(
        "rollout",
        "with Local a rollout moves pods, and until the checks notice connections to the old node fail: a preStop "
        "pause longer than the time until the node is out avoids that; OVN's check of the NodePort does not see that "
        "pods terminate",
        f"{_CPO}#2148, closed without a change; kubernetes/enhancements KEP-1669; {_OVN}",
    ),
    Reason(
        "degraded",
        "with Local the nodes without a pod are ERROR for good, and the load balancer is DEGRADED for good",
        f"openstack/octavia octavia/amphorae/drivers/health/heartbeat_udp.py; {_OVN}, read",
    ),
    Reason(
        "redispatch",
        f"until a check takes a silent node out, HAProxy tries up to {CONNECT_TRIES} members for a connection, waits "
        f"{MEMBER_CONNECT_SECONDS} s for each silent one, and then closes it; under SOURCE_IP it tries the same member",
        "openstack/octavia octavia/common/jinja/haproxy/combined_listeners/templates/base.j2: "
        "retries and option redispatch; HAProxy 2.6.12, measured",
    ),
    Reason(
        "silent",
        "a host that is silent takes longer than delay times retries; on amphora monitor-timeout has no part in it, on "
        "OVN it adds to each check",
        f"{_MEASURED}; ovn-org/ovn controller/pinctrl.c, read",
    ),
    Reason(
        "udp",
        "UDP-CONNECT fails on an ICMP unreachable only: a silent host counts as healthy",
        "openstack/octavia octavia/amphorae/backends/utils/udp_check.sh; ovn-org/ovn controller/pinctrl.c",
    ),
    Reason(
        "kube-proxy",
        "with policy Cluster a check of the NodePort goes through kube-proxy to any pod: it proves that the node "
        "forwards "
        "and that some pod answers, not that a pod of this node is healthy",
        "kubernetes.io/docs/reference/networking/virtual-ips",
    ),
    Reason(
        "probes",
        "every amphora checks every node for every port, OVN's chassis check their own VMs; with Local on amphora all "
        "ports ask the same health check node port",
        "openstack/octavia octavia/amphorae/drivers/haproxy/rest_api_driver.py; 0.2/s for a member at 5 s, measured",
    ),
    Reason(
        "ovn-updates",
        "OVN with Local: members never compare equal, so every reconcile sends them again",
        f"{_CPO} pkg/openstack/loadbalancer.go, read, not run",
    ),
    Reason(
        "ovn-ports",
        "OVN takes a port and an address in each subnet of members for its checks; ports left behind are reported",
        f"{_OVN}; osism/issues#921; SovereignCloudStack/openstack-health-monitor#168 to #170",
    ),
    Reason(
        "retries-down",
        "monitor-max-retries-down = 0 is left out of the request, and every reconcile updates the monitor again",
        f"{_CPO} pkg/openstack/loadbalancer.go; the request measured",
    ),
    Reason(
        "proxy-pools",
        "on a PROXY pool with policy Cluster a check is a whole connection with a PROXY header; on a plain pool it "
        "ends before the backend accepts it",
        f"{_MEASURED}; {_CPO}#986",
    ),
    Reason(
        "body",
        f"{MONITOR_BYTES} bytes more a port towards the {BODY_LIMIT[0]} bytes that Octavia takes from 14.0.0 "
        f"({BODY_LIMIT[1]}) on",
        "openstack/octavia 19.0.0, run",
    ),
    Reason(
        "units",
        "the documentation speaks of seconds, and monitor-delay = 5 without a unit stops the CCM",
        f"{_CPO} pkg/openstack/openstack.go ReadConfig; a Go duration",
    ),
    Reason(
        "lag",
        f"operating_status of an amphora's members is up to {HEARTBEAT_SECONDS} s late: it comes with the heartbeat",
        "openstack/octavia octavia/common/config.py, default of heartbeat_interval",
    ),
)
"""What can break, or costs, with monitors on: the worst first."""

INSTEAD: tuple[Reason, ...] = (
    Reason(
        "cluster",
        "externalTrafficPolicy Cluster: every node hands connections on to a pod, so no node is without one; the "
        "pods see "
        "a node's address, and a dead node still stays a member",
        "kubernetes.io/docs/reference/networking/virtual-ips; kubernetes/enhancements KEP-3458",
    ),
    Reason(
        "annotation",
        'the annotation enable-health-monitor: "true" on Local Services alone: nothing changes for others, and every '
        "author of a Service has to know it",
        f"{_CPO}#986; {_SCS}#175 (8af88e0dd5ed), its managed ingress",
    ),
    Reason(
        "labels",
        "the label node.kubernetes.io/exclude-from-external-load-balancers takes a node out of all load "
        "balancers, and the "
        "annotation node-selector limits a Service to nodes with a label: only where its pods are pinned to them",
        f"kubernetes.io/docs/reference/labels-annotations-taints; {_CPO} annotation node-selector",
    ),
)
"""What else would do, or help."""


class Link(NamedTuple):
    """A page to read on."""

    title: str
    url: str


LINKS: tuple[Link, ...] = (
    Link(
        "Local is misconfigured by default: cloud-provider-openstack#2866",
        "https://github.com/kubernetes/cloud-provider-openstack/issues/2866",
    ),
    Link(
        "the change that states the value: cloud-provider-openstack#986",
        "https://github.com/kubernetes/cloud-provider-openstack/pull/986",
    ),
    Link(
        "the outage of 1.23.0: cloud-provider-openstack#1749",
        "https://github.com/kubernetes/cloud-provider-openstack/issues/1749",
    ),
    Link("KEP-3458", "https://github.com/kubernetes/enhancements/issues/3458"),
    Link("a node that is not ready stays: kubernetes#133052", "https://github.com/kubernetes/kubernetes/issues/133052"),
    Link(
        "the commit that the draft names, never merged",
        ""
        "https://github.com/SovereignCloudStack/k8s-cluster-api-provider/commit/002cecdc3680be3dc64b0dd71a84a6696b62c908",
    ),
    Link(
        "where SCS found it: k8s-cluster-api-provider#173",
        "https://github.com/SovereignCloudStack/k8s-cluster-api-provider/issues/173",
    ),
    Link(
        "what SCS did instead: k8s-cluster-api-provider#351",
        "https://github.com/SovereignCloudStack/k8s-cluster-api-provider/pull/351",
    ),
    Link(
        "the draft's last revision: standards 3440c8f8",
        "https://github.com/SovereignCloudStack/standards/blob/3440c8f8/Standards/scs-XXXX-vN-kaas_load_balancers.md",
    ),
    Link("the follow-up standard: standards#648", "https://github.com/SovereignCloudStack/standards/pull/648"),
    Link("load balancer connectivity: standards#1167", "https://github.com/SovereignCloudStack/standards/issues/1167"),
    Link("OVN's checks and floating IPs: LP#1997418", "https://bugs.launchpad.net/bugs/1997418"),
)
