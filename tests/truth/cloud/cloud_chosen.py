"""The cases: one Service each, from its creation over changes to its deletion."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from loadbalancer_words import INTERNAL, PREFIX

Json = dict[str, Any]

GLOBAL = (
    "[Global]\nauth-url = https://keystone.example.org/v3\nusername = u\npassword = p\ntenant-name = t\n"
    "domain-name = d\nregion = RegionOne\n"
)
SUBNET = "subnet-id = subnet-nodes\n"
PLAIN = SUBNET + "floating-network-id = net-ext\n"
MONITOR = PLAIN + "create-monitor = true\nmonitor-delay = 5s\nmonitor-timeout = 3s\nmonitor-max-retries = 1\n"
GROUPS = PLAIN + "manage-security-groups = true\n"
OVN = PLAIN + "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"


class Act(NamedTuple):
    """What happens after the creation.

    Attributes:
        kind: ``create``, ``change`` or ``delete``.
        config: The cloud.conf from then on; None for the same.
        service: Fields of the Service by their path; None takes one away.
        annotations: Its annotations; None takes one away.
        nodes: The nodes from then on; None for the same.
    """

    kind: str
    config: str | None = None
    service: Mapping[str, Any] = {}
    annotations: Mapping[str, str | None] = {}
    nodes: Sequence[Json] | None = None


class CloudCase(NamedTuple):
    """One case."""

    name: str
    config: str
    service: Json
    nodes: Sequence[Json]
    acts: tuple[Act, ...] = ()
    absent: tuple[str, ...] = ()
    change_cloud: Callable[[Json], Json] = lambda cloud: cloud


def conf(lines: str = PLAIN) -> str:
    """A cloud.conf with a ``[LoadBalancer]`` section."""
    return f"{GLOBAL}[LoadBalancer]\n{lines}"


def node(number: int, *addresses: str, provider: str | None = None) -> Json:
    """A node; its server has a port with its addresses."""
    name = f"node-{number}"
    given = addresses or (f"10.0.0.{10 + number}",)
    spec = {"providerID": f"openstack:///server-{name}" if provider is None else provider}
    return {
        "apiVersion": "v1", "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, "role": "worker" if number else "edge"}},
        "spec": spec,
        "status": {
            "addresses": [{"type": "InternalIP", "address": one} for one in given],
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }  # fmt: skip


NODES = (node(0), node(1), node(2))


def ports(text: str) -> list[Json]:
    """``TCP/80 UDP/53`` as ports with NodePorts from 30001 on."""
    found = []
    for number, one in enumerate(text.split(), 1):
        protocol, port = one.split("/")
        found.append({"name": f"p{number}", "protocol": protocol, "port": int(port), "nodePort": 30000 + number})
    return found


def service(text: str = "TCP/80", annotations: Mapping[str, str] | None = None, **spec: object) -> Json:
    """A Service as Kubernetes holds it."""
    filled: Json = {
        "type": "LoadBalancer", "sessionAffinity": "None", "externalTrafficPolicy": "Cluster", "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack", "ports": ports(text), **spec,
    }  # fmt: skip
    if filled["externalTrafficPolicy"] == "Local":
        filled.setdefault("healthCheckNodePort", 31999)
    metadata: Json = {"name": "web", "namespace": "shop", "uid": "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d"}
    named = {name if "/" in name else PREFIX + name: text for name, text in (annotations or {}).items()}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {**metadata, "annotations": named}, "spec": filled}


def case(
    name: str,
    lines: str = PLAIN,
    acts: Sequence[Act] = (),
    *,
    nodes: Sequence[Json] = NODES,
    text: str = "TCP/80",
    annotations: Mapping[str, str] | None = None,
    **spec: object,
) -> CloudCase:
    """A case, which ends with the deletion."""
    return CloudCase(name, conf(lines), service(text, annotations, **spec), nodes, (*acts, Act("delete")))


def to(lines: str) -> Act:
    """Another configuration."""
    return Act("change", conf(lines))


def annotate(**annotations: str | None) -> Act:
    """Other annotations, with ``_`` for ``-``."""
    return Act("change", annotations={PREFIX + name.replace("_", "-"): text for name, text in annotations.items()})


def spec(**fields: object) -> Act:
    """Other fields of the Service's spec."""
    return Act("change", service={f"spec.{name}": value for name, value in fields.items()})


LOCAL = {"externalTrafficPolicy": "Local", "healthCheckNodePort": 31999}
CLUSTER: dict[str, Any] = {"externalTrafficPolicy": "Cluster", "healthCheckNodePort": None}
SIX = ("2001:db8::11",)


def cases() -> list[CloudCase]:
    """All cases."""
    return [*_plain(), *_monitors(), *_groups(), *_floating(), *_families(), *_changes(), *_deletions()]


def _plain() -> Iterator[CloudCase]:
    yield case("plain")
    yield case("two ports", text="TCP/80 TCP/443")
    yield case("three protocols", text="TCP/80 UDP/53 SCTP/9")
    yield case("local", externalTrafficPolicy="Local")
    yield case("internal", annotations={INTERNAL: "true"})
    yield case("internal by config", PLAIN + "internal-lb = true\n")
    yield case("internal with its address", annotations={INTERNAL: "true"}, loadBalancerIP="10.0.0.77")
    yield case("network only", "network-id = net-nodes\nfloating-network-id = net-ext\n")
    yield case("no network", "floating-network-id = net-ext\n")
    yield case("another member subnet", PLAIN + "member-subnet-id = subnet-other\n")
    yield case("affinity", sessionAffinity="ClientIP")
    yield case("method", PLAIN + "lb-method = LEAST_CONNECTIONS\n")
    yield case("unknown method", PLAIN + "lb-method = round_robin\n")
    yield case("unknown provider", PLAIN + "lb-provider = vlan\n")
    yield case("proxy", annotations={"proxy-protocol": "v2"})
    yield case("proxy and udp", text="TCP/80 UDP/53", annotations={"proxy-protocol": "true"})
    yield case("forwarded", annotations={"x-forwarded-for": "true"}, text="TCP/80 TCP/8080")
    yield case("both", annotations={"x-forwarded-for": "true", "proxy-protocol": "true"})
    yield case("tls", annotations={"default-tls-container-ref": "https://k.example/v1/secrets/cert-2"})
    yield case("missing tls", annotations={"default-tls-container-ref": "https://k.example/v1/secrets/missing-2"})
    yield case("timeouts", annotations={"timeout-client-data": "1000", "connection-limit": "9"})
    yield case("class that is not there", annotations={"class": "gold"})
    yield case("serial", PLAIN + "provider-requires-serial-api-calls = true\n")
    yield case("no nodes", nodes=())
    yield case("selector", PLAIN + "node-selector = role=worker\n")
    yield case("a flavour that is not there", PLAIN + "flavor-id = none\n")
    yield case("hostname", PLAIN + "enable-ingress-hostname = true\n", annotations={"proxy-protocol": "true"})
    yield case("no ports on nodes", allocateLoadBalancerNodePorts=False, text="TCP/80")
    yield case("ranges", loadBalancerSourceRanges=["192.0.2.0/24", "198.51.100.0/24"])
    yield case("ovn", OVN)
    yield case("ovn with ranges", OVN, loadBalancerSourceRanges=["192.0.2.0/24"])


def _monitors() -> Iterator[CloudCase]:
    yield case("monitor", MONITOR, (to(PLAIN),))
    yield case("monitor on and off", PLAIN, (to(MONITOR), to(PLAIN)))
    yield case("monitor by annotation", PLAIN, (annotate(enable_health_monitor="true"),))
    yield case("local monitor", MONITOR, (spec(**CLUSTER),), externalTrafficPolicy="Local")
    yield case("monitor goes local", MONITOR, (spec(**LOCAL),))
    yield case("udp delay", MONITOR.replace("delay = 5s", "delay = 2s"), text="UDP/53")
    yield case("udp monitor goes short", MONITOR, (annotate(health_monitor_delay="2"),), text="UDP/53")
    yield case("timers", MONITOR, (to(MONITOR.replace("delay = 5s", "delay = 9s")),))
    yield case("delay 0 on a running monitor", MONITOR, (annotate(health_monitor_delay="0"),))
    yield case("timeout 0 on a running monitor", MONITOR, (annotate(health_monitor_timeout="0"),))
    yield case("retries 0 on a running monitor", MONITOR, (annotate(health_monitor_max_retries="0"),))
    yield case("delay 0 from the beginning", MONITOR, annotations={"health-monitor-delay": "0"})
    yield case("retries down 0", MONITOR + "monitor-max-retries-down = 0\n")
    yield case("timeout above delay", MONITOR, annotations={"health-monitor-timeout": "30"})
    yield case("ovn local monitor", MONITOR + "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n",
               externalTrafficPolicy="Local")  # fmt: skip
    yield case("ovn udp monitor", MONITOR + "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n", text="UDP/53")
    yield case("monitors and proxy on two protocols", MONITOR, (annotate(proxy_protocol="true"),), text="TCP/80 UDP/53")
    yield case("monitors and forwarded", MONITOR, (annotate(x_forwarded_for="true"),), text="TCP/80")


def _groups() -> Iterator[CloudCase]:
    yield case("groups", GROUPS)
    yield case("groups on", PLAIN, (to(GROUPS),))
    yield case("groups off", GROUPS, (to(PLAIN),))
    yield case("groups and local", GROUPS + "create-monitor = true\n", externalTrafficPolicy="Local")
    yield case("groups and member subnet", GROUPS, (to(GROUPS + "member-subnet-id = subnet-other\n"),))
    yield case("groups in a foreign subnet", GROUPS + "member-subnet-id = subnet-other\n")
    yield case("groups with a node elsewhere", GROUPS, nodes=(node(0), node(1, "10.9.0.11")))
    yield case("groups and ports", GROUPS, (spec(ports=ports("TCP/80 TCP/443 UDP/53")), spec(ports=ports("TCP/80"))))
    yield case("ovn groups", OVN + "manage-security-groups = true\n")
    yield case("ovn groups with ranges", OVN + "manage-security-groups = true\n",
               (spec(loadBalancerSourceRanges=["198.51.100.0/24"]),), loadBalancerSourceRanges=["192.0.2.0/24"])  # fmt: skip
    yield case("ovn groups with ipv6 ranges", OVN + "manage-security-groups = true\n",
               loadBalancerSourceRanges=["2001:db8:1::/48"])  # fmt: skip
    yield case("groups without provider id", GROUPS, nodes=(node(0, provider=""),))
    yield case("groups with a bad provider id", GROUPS, nodes=(node(0, provider="aws:///server-node-0"),))
    yield case("groups and more nodes", GROUPS, (Act("change", nodes=(*NODES, node(3))),))
    yield case("groups and udp", GROUPS, text="UDP/53 SCTP/9")


def _floating() -> Iterator[CloudCase]:
    yield case("floating subnet", PLAIN + "floating-subnet-id = subnet-ext-b\n")
    yield case("floating subnet elsewhere", PLAIN + "floating-subnet-id = subnet-ext2\n")
    yield case("floating pattern", PLAIN + "floating-subnet = public-*\n")
    yield case("floating choice", PLAIN + 'floating-subnet = "{dmz,public-b}"\n')
    yield case("floating expression", PLAIN + 'floating-subnet = "~public-[ab]"\n')
    yield case("floating tags", PLAIN + 'floating-subnet-tags = "&public,b"\n')
    for number, pattern in enumerate(("~(", "~[", "~(?=a)", r"~\\1", "~a++", "[", "{a", "!~*", "none*")):
        yield case(f"bad floating pattern {number}", PLAIN + f'floating-subnet = "{pattern}"\n')
    yield case("no floating network", SUBNET)
    yield case("its floating IP", loadBalancerIP="203.0.113.50")
    yield case("a used floating IP", loadBalancerIP="203.0.113.51")
    yield case("a new floating IP", loadBalancerIP="203.0.113.77")
    yield case("goes internal", PLAIN, (Act("change", annotations={INTERNAL: "true"}),))
    yield case("goes internal and keeps", PLAIN, (Act("change", annotations={INTERNAL: "true"}),),
               annotations={"keep-floatingip": "true"})  # fmt: skip
    yield case("goes external", PLAIN, (Act("change", annotations={INTERNAL: None}),), annotations={INTERNAL: "true"})
    yield case("another floating IP", PLAIN, (spec(loadBalancerIP="203.0.113.50"),))
    yield case("another floating network", PLAIN, (to(SUBNET + "floating-network-id = net-ext2\n"),))


def _families() -> Iterator[CloudCase]:
    six: Json = {"ipFamilies": ["IPv6"]}
    both = [node(number, f"10.0.0.{10 + number}", f"2001:db8::{10 + number}") for number in range(2)]
    subnet6 = "subnet-id = subnet-nodes6\nfloating-network-id = net-ext\n"
    yield case("ipv6", subnet6, nodes=both, **six)
    yield case("ipv6 without a subnet", "floating-network-id = net-ext\n", nodes=both[:1], **six)
    yield case("ipv6 and groups", subnet6 + "manage-security-groups = true\n", nodes=both, **six)
    yield case("ipv6 on nodes without", subnet6, **six)
    yield case("ipv6 on one node without, no subnet", "floating-network-id = net-ext\n", nodes=(node(0),), **six)
    yield case("ipv4 on a node without, no subnet", "floating-network-id = net-ext\n", nodes=(node(0, *SIX),))
    yield case("groups on nodes without the family", GROUPS, nodes=(node(0), node(1, *SIX)))
    yield case("ipv6 ranges on ipv4", loadBalancerSourceRanges=["2001:db8:1::/48"])
    yield case("ipv6 ranges, no families", loadBalancerSourceRanges=["2001:db8:1::/48"], ipFamilies=[])
    yield case("mixed ranges", loadBalancerSourceRanges=["2001:db8:1::/48", "192.0.2.0/24"])
    yield case("ipv4 ranges on ipv6", subnet6, nodes=both, loadBalancerSourceRanges=["192.0.2.0/24"], **six)
    yield case("no provider id, no subnet", "floating-network-id = net-ext\n", nodes=(node(0, provider=""),))
    yield case("no provider id", nodes=(node(0, provider=""),))
    yield case("no address", nodes=(node(0), {**node(1), "status": {**node(1)["status"], "addresses": []}}))


def _changes() -> Iterator[CloudCase]:
    yield case("ports come and go", PLAIN, (spec(ports=ports("TCP/443 TCP/80")), spec(ports=ports("UDP/53"))))
    yield case("another node port", PLAIN, (spec(ports=[{**ports("TCP/80")[0], "nodePort": 31234}]),))
    yield case("goes local", PLAIN, (spec(**LOCAL),))
    yield case("affinity changes", PLAIN, (spec(sessionAffinity="ClientIP"),))
    yield case("affinity goes", PLAIN, (spec(sessionAffinity="None"),), sessionAffinity="ClientIP")
    yield case("method changes", PLAIN, (to(PLAIN + "lb-method = SOURCE_IP\n"),))
    yield case("method becomes unknown", PLAIN, (to(PLAIN + "lb-method = round_robin\n"),))
    yield case("member subnet changes", PLAIN, (to(PLAIN + "member-subnet-id = subnet-other\n"),))
    yield case("subnet changes", PLAIN, (to(PLAIN.replace("subnet-nodes", "subnet-other")),))
    yield case(
        "ranges change", PLAIN, (spec(loadBalancerSourceRanges=["192.0.2.0/24"]), spec(loadBalancerSourceRanges=[]))
    )
    yield case("ranges become ipv6", PLAIN, (spec(loadBalancerSourceRanges=["2001:db8:1::/48"]),))
    yield case("proxy changes", PLAIN, (annotate(proxy_protocol="true"), annotate(proxy_protocol="v2")))
    yield case("tls comes", PLAIN, (annotate(default_tls_container_ref="https://k.example/v1/secrets/cert-2"),))
    yield case("timeouts change", PLAIN, (annotate(timeout_member_data="1000"), annotate(connection_limit="5")))
    yield case("nodes change", PLAIN, (Act("change", nodes=(node(0), node(3))), Act("change", nodes=())))
    yield case("provider changes", PLAIN, (to(OVN),))
    yield case("nothing changes", MONITOR, (Act("change"),), externalTrafficPolicy="Local")
    yield case("serial comes", PLAIN, (to(PLAIN + "provider-requires-serial-api-calls = true\n"),))
    yield case("selector comes", PLAIN, (to(PLAIN + "node-selector = role=worker\n"),))


def _deletions() -> Iterator[CloudCase]:
    yield case("keeps its floating IP", annotations={"keep-floatingip": "true"})
    yield case("without cascade", MONITOR + "cascade-delete = false\n", text="TCP/80 TCP/443")
    yield case("without cascade and groups", GROUPS + "cascade-delete = false\n")
    yield case("a group that is left", GROUPS, (to(PLAIN.replace("create-monitor", "create-monitor")),))
    gone = Act(
        "delete",
        service={"spec.type": "ClusterIP", "spec.externalTrafficPolicy": None, "metadata.deletionTimestamp": None},
    )
    yield _without_deletion(case("becomes ClusterIP", MONITOR, (gone,)))
    yield _without_deletion(
        case("becomes ClusterIP and keeps", GROUPS, (gone,), annotations={"keep-floatingip": "true"})
    )
    yield case("somebody else's floating IP", loadBalancerIP="203.0.113.50", annotations={"timeout-client-data": "1"})


def _without_deletion(one: CloudCase) -> CloudCase:
    return one._replace(acts=one.acts[:-1])


def named(name: str) -> CloudCase:
    """One case by its name."""
    return copy.deepcopy(next(one for one in cases() if one.name == name))
