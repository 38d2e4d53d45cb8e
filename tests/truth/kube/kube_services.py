"""The kinds of Services that the real CCM reconciles in a whole cluster, each from its creation to its deletion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cloud_chosen import CLUSTER, LOCAL, Act, CloudCase, Json, annotate, node, ports, service, spec
from kube_reconciled import SHARE
from loadbalancer_words import INTERNAL, SOURCE_RANGES

PLAIN = ""
MONITOR = "create-monitor = true\nmonitor-delay = 5s\nmonitor-timeout = 3s\nmonitor-max-retries = 1\n"
GROUPS = "manage-security-groups = true\n"
OVN = "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
HOSTNAME = "enable-ingress-hostname = true\n"
CLASSES = (
    'floating-subnet = "public-a"\n[LoadBalancerClass "dmz"]\nfloating-network-id = net-ext2\n'
    '[LoadBalancerClass "inner"]\nsubnet-id = subnet-other\nmember-subnet-id = subnet-nodes\n'
)


def cases() -> list[CloudCase]:
    """All kinds; those with one configuration are together, as each new one restarts the CCM."""
    found = [*_plain(), *_annotated(), *_changing(), *_monitored(), *_grouped(), *_of_classes(), *_configured()]
    assert len({one.name for one in found}) == len(found)
    return found


def _case(
    name: str,
    lines: str = PLAIN,
    *acts: Act,
    text: str = "TCP/80",
    annotations: Mapping[str, str] | None = None,
    **fields: object,
) -> CloudCase:
    made = service(text, annotations, **fields)
    del made["metadata"]["uid"]
    return CloudCase(name, lines, made, (), (*acts, Act("delete")))


def _plain() -> Iterator[CloudCase]:
    yield _case("plain")
    yield _case("two ports", text="TCP/80 TCP/443")
    yield _case("three protocols", text="TCP/80 UDP/53 SCTP/9")
    yield _case("udp", text="UDP/53")
    yield _case("one port by two protocols", text="TCP/53 UDP/53")
    yield _case("local", PLAIN, spec(**CLUSTER), externalTrafficPolicy="Local")
    yield _case("affinity", PLAIN, spec(sessionAffinity="None"), sessionAffinity="ClientIP")
    yield _case("ranges", PLAIN, spec(loadBalancerSourceRanges=["198.51.100.0/24"]), spec(loadBalancerSourceRanges=None),
                loadBalancerSourceRanges=["192.0.2.0/24", "198.51.100.0/24"])  # fmt: skip
    yield _case("its floating IP", loadBalancerIP="203.0.113.50")
    yield _case("a new floating IP", loadBalancerIP="203.0.113.77")
    yield _case("a used floating IP", loadBalancerIP="203.0.113.51")
    yield _case("no ports on nodes", allocateLoadBalancerNodePorts=False, ports=[{"port": 80, "protocol": "TCP"}])
    yield _case("another class", loadBalancerClass="example.org/other")


def _annotated() -> Iterator[CloudCase]:
    yield _case("internal", annotations={INTERNAL: "true"})
    yield _case("internal with its address", annotations={INTERNAL: "true"}, loadBalancerIP="10.0.0.77")
    yield _case("ranges by annotation", annotations={SOURCE_RANGES: "192.0.2.0/24,198.51.100.0/24"})
    yield _case("proxy", PLAIN, annotate(proxy_protocol="v2"), annotations={"proxy-protocol": "true"})
    yield _case("proxy and udp", text="TCP/80 UDP/53", annotations={"proxy-protocol": "true"})
    yield _case("forwarded", annotations={"x-forwarded-for": "true"}, text="TCP/80 TCP/8080")
    yield _case("forwarded and proxy", annotations={"x-forwarded-for": "true", "proxy-protocol": "true"})
    yield _case("tls", annotations={"default-tls-container-ref": "https://k.example/v1/secrets/cert-2"})
    yield _case("missing tls", annotations={"default-tls-container-ref": "https://k.example/v1/secrets/missing-2"})
    yield _case("timeouts", PLAIN, annotate(timeout_client_data="2000"),
                annotations={"timeout-client-data": "1000", "timeout-member-connect": "2000",
                             "timeout-member-data": "3000", "timeout-tcp-inspect": "4000", "connection-limit": "9"})  # fmt: skip
    yield _case("networks", annotations={"subnet-id": "subnet-other", "member-subnet-id": "subnet-nodes"})
    yield _case("network", annotations={"network-id": "net-other", "member-subnet-id": "subnet-nodes"})
    yield _case("floating network", annotations={"floating-network-id": "net-ext2"})
    yield _case("floating subnet", annotations={"floating-subnet": "public-b"})
    yield _case("floating subnet by id", annotations={"floating-subnet-id": "subnet-ext-b"})
    yield _case("floating subnet by tags", annotations={"floating-subnet-tags": "&public,b"})
    yield _case("a port of its own", annotations={"port-id": "port-vip-mine"})
    yield _case("flavor", annotations={"flavor-id": "flavor-1"})
    yield _case("a flavor that is not there", annotations={"flavor-id": "flavor-9"})
    yield _case("availability zone", annotations={"availability-zone": "zone-1"})
    yield _case("nodes by label", annotations={"node-selector": "kubernetes.io/hostname=node-2"})
    yield _case("hostname", annotations={"hostname": "web.example.org"})
    yield _case("monitor", PLAIN, annotate(enable_health_monitor="false"),
                annotations={"enable-health-monitor": "true", "health-monitor-delay": "7", "health-monitor-timeout": "4",
                             "health-monitor-max-retries": "2", "health-monitor-max-retries-down": "3"})  # fmt: skip
    yield _case("keeps its floating IP", annotations={"keep-floatingip": "true"})
    yield _case("a class that is not there", annotations={"class": "gold"})


def _changing() -> Iterator[CloudCase]:
    yield _case("ports come and go", PLAIN, spec(ports=ports("TCP/443 TCP/80")), spec(ports=ports("UDP/53")))
    yield _case("another node port", PLAIN, spec(ports=[{**ports("TCP/80")[0], "nodePort": 31234}]))
    yield _case("goes local", PLAIN, spec(**LOCAL))
    yield _case("goes internal", PLAIN, Act("change", annotations={INTERNAL: "true"}))
    yield _case("goes internal and keeps", PLAIN, Act("change", annotations={INTERNAL: "true"}),
                annotations={"keep-floatingip": "true"})  # fmt: skip
    yield _case("goes external", PLAIN, Act("change", annotations={INTERNAL: None}), annotations={INTERNAL: "true"})
    yield _case("tls comes", PLAIN, annotate(default_tls_container_ref="https://k.example/v1/secrets/cert-2"))
    yield _case("proxy comes", PLAIN, annotate(proxy_protocol="true"))
    yield _case("a node goes and comes", PLAIN, _nodes(1, 2), _nodes(1, 2, 3))
    yield _case("shared", PLAIN, _share("TCP/443"), Act("delete"))
    yield _case("shared with its port", PLAIN, _share("TCP/80"), Act("delete"))
    yield _case("shared by udp", GROUPS, _share("UDP/80"), Act("delete"))
    gone = {"spec.type": "ClusterIP", "spec.externalTrafficPolicy": None, "spec.allocateLoadBalancerNodePorts": None,
            "spec.ports": [{"name": "p1", "protocol": "TCP", "port": 80}]}  # fmt: skip
    yield _without_deletion(_case("becomes ClusterIP", PLAIN, Act("delete", service=gone)))


def _monitored() -> Iterator[CloudCase]:
    yield _case("monitor by config", MONITOR, Act("change", MONITOR.replace("5s", "9s")), Act("change", PLAIN))
    yield _case("local monitor", MONITOR, spec(**CLUSTER), externalTrafficPolicy="Local")
    yield _case("monitors of udp and sctp", MONITOR, annotate(health_monitor_delay="2"), text="TCP/80 UDP/53 SCTP/9")


def _grouped() -> Iterator[CloudCase]:
    yield _case("groups", GROUPS, spec(ports=ports("TCP/80 UDP/53")))
    yield _case("groups and local", GROUPS + MONITOR, externalTrafficPolicy="Local")
    yield _case("ovn groups with ranges", OVN + GROUPS, loadBalancerSourceRanges=["192.0.2.0/24"])


def _of_classes() -> Iterator[CloudCase]:
    yield _case("class", CLASSES, annotations={"class": "dmz"})
    yield _case("class with subnets", CLASSES, annotations={"class": "inner"})
    yield _case("beside classes", CLASSES)


def _configured() -> Iterator[CloudCase]:
    yield _case("ovn", OVN, text="TCP/80 UDP/53")
    yield _case("ovn local monitor", OVN + MONITOR, externalTrafficPolicy="Local")
    yield _case("hostname of config", HOSTNAME, annotations={"proxy-protocol": "true"})
    yield _case("internal by config", "internal-lb = true\n")
    yield _case("method", "lb-method = LEAST_CONNECTIONS\n")
    yield _case("without cascade", MONITOR + "cascade-delete = false\n", text="TCP/80 TCP/443")
    yield _case("serial", "provider-requires-serial-api-calls = true\n" + MONITOR, text="TCP/80 UDP/53")


def _nodes(*numbers: int) -> Act:
    """From now on load balancers have these nodes."""
    wanted: Sequence[Json] = [node(number) for number in numbers]
    return Act("change", nodes=wanted)


def _share(text: str) -> Act:
    """A second Service uses the load balancer."""
    second = [{**one, "nodePort": one["nodePort"] + 100} for one in ports(text)]
    return Act(SHARE, service={"ports": second})


def _without_deletion(one: CloudCase) -> CloudCase:
    return one._replace(acts=one.acts[:-1])
