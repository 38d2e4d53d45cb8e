"""What the CCM works out from cloud.conf and the Service before it asks for anything.

Source: cloud-provider-openstack checkService and makeSvcConf in pkg/openstack/loadbalancer.go, since 1.19; the same of
EnsureLoadBalancer before that is in `ccmcheck.predict.early`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ccmcheck.predict import ranges
from ccmcheck.predict.annotations import INTERNAL, Annotations, CcmError
from ccmcheck.predict.floating import choose
from ccmcheck.predict.records import Event, Floating, Ignored
from ccmcheck.predict.ways import ways_of

if TYPE_CHECKING:
    from ccmcheck.predict.cloud import Cloud, Node
    from ccmcheck.predict.options import BalancerClass, Options
    from ccmcheck.predict.service import Service
    from ccmcheck.predict.ways import Ways

NODE_SUBNET = "00000000-0000-4000-8000-00000000a001"
"""Stands for the subnet of the first node where that is unknown."""

EVERYWHERE = {4: "0.0.0.0/0", 6: "::/0"}


class Wanted(NamedTuple):
    """What is wanted of the load balancer; the CCM's ``serviceConfig``.

    Attributes:
        name: The load balancer's name.
        internal: Whether it gets no floating IP.
        class_name: The class, which only an external Service looks at here.
        vip_port: The port to use for the VIP.
        vip_subnet: The VIP's subnet.
        vip_network: The VIP's network.
        member_subnet: The members' subnet.
        family: The preferred IP family, 4 or 6; 0 for any.
        proxy: ``PROXY``, ``PROXYV2`` or empty.
        forwarded: Whether X-Forwarded-For is inserted.
        tls: The TLS reference.
        method: The pool's algorithm.
        connection_limit: The listener's limit.
        timeouts: The listener's timeouts by name; None where none are sent.
        allowed: The listener's allowed_cidrs; also the remotes of ovn's security group.
        cidrs_on_listener: Whether ``allowed`` is sent with the listener.
        flavor: The flavour.
        zone: The availability zone.
        monitor: Whether pools get a monitor.
        check_port: The health check node port that monitors ask; 0 for none.
        delay: Seconds.
        timeout: Seconds.
        retries: Successes that bring a member back.
        retries_down: Failures that take a member out; None where it is not sent.
        balancer_id: The annotation load-balancer-id.
        tags: Whether tags are sent.
        selectors: What node labels must be.
        floating: The floating IP.
    """

    name: str
    internal: bool = False
    class_name: str = ""
    vip_port: str = ""
    vip_subnet: str = ""
    vip_network: str = ""
    member_subnet: str = ""
    family: int = 0
    proxy: str = ""
    forwarded: bool = False
    tls: str = ""
    method: str = ""
    connection_limit: int = -1
    timeouts: dict[str, int] | None = None
    allowed: tuple[str, ...] = ()
    cidrs_on_listener: bool = True
    flavor: str = ""
    zone: str = ""
    monitor: bool = False
    check_port: int = 0
    delay: int = 0
    timeout: int = 0
    retries: int = 0
    retries_down: int | None = None
    balancer_id: str = ""
    tags: bool = False
    selectors: tuple[tuple[str, str], ...] = ()
    floating: Floating = Floating(False)


class Notes:
    """What is met on the way, besides the result."""

    def __init__(self) -> None:
        self.ignored: list[Ignored] = []
        self.events: list[Event] = []
        self.assumed: list[str] = []

    def ignore(self, what: str, why: str) -> None:
        """Note that something has no effect."""
        self.ignored.append(Ignored(what, why))

    def assume(self, text: str) -> None:
        """Note what stands for something unknown, once."""
        if text not in self.assumed:
            self.assumed.append(text)


def cut(text: str) -> str:
    """The first 255 bytes, as the CCM cuts names; it may cut a character in two, which JSON then replaces."""
    raw = text.encode("utf-8", "replace")
    return text if len(raw) <= 255 else raw[:255].decode("utf-8", "replace")


def balancer_name(cluster: str, service: Service) -> str:
    """``kube_service_CLUSTER_NAMESPACE_NAME``, cut at 255 (1.14 and newer)."""
    return cut(f"kube_service_{cluster}_{service.namespace}_{service.name}")


def work_out(options: Options, service: Service, cloud: Cloud, notes: Notes) -> Wanted:
    """Work out what is wanted.

    Args:
        options: The configuration.
        service: The Service.
        cloud: What is known around it.
        notes: Takes what has no effect, events and assumptions.

    Raises:
        CcmError: The CCM ends here.
    """
    ways = ways_of(options.release)
    said = Annotations(service.annotations, ways)
    try:
        return _work_out(options, service, cloud, notes, ways, said)
    finally:
        notes.ignored += said.ignored


def _work_out(options: Options, service: Service, cloud: Cloud, notes: Notes, ways: Ways, said: Annotations) -> Wanted:
    title = service.title
    if cloud.nodes is not None and not cloud.nodes:
        raise CcmError(f"there are no available nodes for LoadBalancer service {title}")
    if not service.ports:
        raise CcmError("no service ports provided")
    family = _family(service, ways)
    internal = _internal(options, said, family, ways, notes)
    tls = _tls(options, said, cloud, title, ways)
    class_name = said.text("class")
    network, subnet = _vip(options, said, class_name, title, ways)
    members = options.subnet_id or subnet
    if not network and not subnet:
        subnet = members = _first_node_subnet(cloud, title, notes)
    if ways["member-subnets"]:
        members = _member_subnet(options, said, class_name) or members
    floating = Floating(False, why="the Service is internal")
    chosen: BalancerClass | None = None
    if not internal:
        if class_name:
            chosen = options.classes.get(class_name)
            if chosen is None:
                raise CcmError(f"invalid loadbalancer class {_quoted(class_name)}")
        floating = choose(options, said, chosen, class_name, cloud, notes, ways, title)
    elif class_name and not ways["member-subnets"]:
        notes.ignore("loadbalancer.openstack.org/class", "an internal Service does not look at its class")
    vip_port = said.text("port-id")
    vip_subnet, vip_network = subnet, network
    if chosen is not None:
        vip_subnet, vip_network = chosen.subnet_id or subnet, chosen.network_id or network
    forwarded = said.switch("x-forwarded-for", False)
    proxy = said.proxy()
    if proxy and forwarded:
        raise CcmError(
            "annotation loadbalancer.openstack.org/proxy-protocol and loadbalancer.openstack.org/x-forwarded-for "
            "cannot be used together"
        )
    ovn = options.lb_provider == "ovn" and ways["knows-ovn"]
    has = Features(cloud, ovn, notes)
    allowed, on_listener = _allowed(options, service, said, title, family, has, ways, notes)
    monitor = said.switch("enable-health-monitor", options.create_monitor)
    timers = ways["monitor-timer-annotations"]
    down = options.monitor_max_retries_down
    return Wanted(
        name=balancer_name(cloud.cluster, service),
        internal=internal,
        class_name="" if internal else class_name,
        vip_port=vip_port,
        vip_subnet="" if vip_port else vip_subnet,
        vip_network="" if vip_port else vip_network,
        member_subnet=members,
        family=family,
        proxy=proxy,
        forwarded=forwarded,
        tls=tls,
        method=(said.text("lb-method") if ways["reads-method-annotation"] else "") or options.lb_method,
        connection_limit=said.number("connection-limit", -1),
        timeouts=_timeouts(said, has, ways),
        allowed=allowed,
        cidrs_on_listener=on_listener,
        flavor=_flavor(options, said, has, ways, notes),
        zone=_zone(options, said, title, has, ways, notes),
        monitor=monitor,
        check_port=_check_port(options, service, monitor, ways),
        delay=said.number("health-monitor-delay", options.monitor_delay) if timers else options.monitor_delay,
        timeout=said.number("health-monitor-timeout", options.monitor_timeout) if timers else options.monitor_timeout,
        retries=said.number("health-monitor-max-retries", options.monitor_max_retries)
        if timers
        else options.monitor_max_retries,
        retries_down=None if down is None else said.number("health-monitor-max-retries-down", down),
        balancer_id=said.text("load-balancer-id") if ways["tags-and-shares"] else "",
        tags=ways["tags-and-shares"] and has.at(2, 5),
        selectors=_selectors(said.text("node-selector", options.node_selector)) if ways["node-selectors"] else (),
        floating=floating,
    )


class Features:
    """What the CCM finds Octavia to support.

    Args:
        cloud: What is known of it; an unknown version counts as the newest, and is noted.
        ovn: Whether the CCM leaves ovn out.
        notes: Takes the assumption.
    """

    def __init__(self, cloud: Cloud, ovn: bool, notes: Notes) -> None:
        from ccmcheck.catalog.octavia import api_version

        self.api = cloud.api or api_version(cloud.octavia)
        self.ovn = ovn
        if self.api is None:
            notes.assume(
                "Octavia's release is not given: one that has all that the CCM asks for (2.16, Ussuri) stands in"
            )

    def at(self, major: int, minor: int) -> bool:
        """Whether its API is of a version or newer."""
        return self.api is None or self.api >= (major, minor)

    def supports(self, major: int, minor: int) -> bool:
        """The same for what ovn never has."""
        return not self.ovn and self.at(major, minor)


def _family(service: Service, ways: Ways) -> int:
    if not ways["ip-families"] or not service.families:
        return 0
    return 6 if service.families[0] == "IPv6" else 4


def _internal(options: Options, said: Annotations, family: int, ways: Ways, notes: Notes) -> bool:
    if options.internal_lb:
        if not said.switch(INTERNAL, True):
            notes.ignore(INTERNAL, "internal-lb = true in cloud.conf cannot be overridden since 1.19")
        return True
    if family == 6 and ways["ipv6-is-internal"]:
        return True
    return said.switch(INTERNAL, False)


def _tls(options: Options, said: Annotations, cloud: Cloud, title: str, ways: Ways) -> str:
    if not ways["tls-references"]:
        return ""
    ref = said.text("default-tls-container-ref", options.default_tls_container_ref)
    if not ref:
        return ""
    if cloud.key_manager is False:
        raise CcmError(
            "failed to create a TLS Terminated loadbalancer because openstack keymanager client is not initialized and "
            f"default-tls-container-ref {_quoted(ref)} is set"
        )
    if ways["container-stores"] and options.container_store != "barbican":
        return ref
    parts = ref.split("/")
    kind = parts[-2] if len(parts) > 1 else ""
    if ways["tls-reference-has-a-kind"]:
        if len(parts) < 2:
            raise CcmError(f"invalid tlsContainerRef for service {title}")
        if kind not in ("containers", "secrets"):
            raise CcmError(
                f"failed to validate tlsContainerRef for service {title}: tlsContainerRef type {kind} unknown"
            )
    if cloud.secrets is not None and ref not in cloud.secrets:
        what = "secret" if kind == "secrets" and ways["tls-reference-has-a-kind"] else "container"
        raise CcmError(f"failed to get tls {what} {_quoted(ref)}: Resource not found")
    return ref


def _vip(options: Options, said: Annotations, class_name: str, title: str, ways: Ways) -> tuple[str, str]:
    """The network and the subnet that the VIP comes from."""
    if not ways["member-subnets"]:
        return said.text("network-id", options.network_id), said.text("subnet-id", options.subnet_id)
    found = []
    for key, words in (("network-id", "network id"), ("subnet-id", "subnet")):
        value = said.text(key)
        if not value and class_name:
            chosen = options.classes.get(class_name)
            if chosen is None:
                raise CcmError(
                    f"failed to get {words} to create load balancer for service {title}: "
                    f"invalid loadbalancer class {_quoted(class_name)}"
                )
            value = chosen.network_id if key == "network-id" else chosen.subnet_id
        found.append(value or (options.network_id if key == "network-id" else options.subnet_id))
    return found[0], found[1]


def _member_subnet(options: Options, said: Annotations, class_name: str) -> str:
    value = said.text("member-subnet-id")
    if value:
        return value
    if class_name:
        chosen = options.classes.get(class_name)
        if chosen is None:
            raise CcmError(f"unable to get member-subnet-id, invalid loadbalancer class {_quoted(class_name)}")
        if chosen.member_subnet_id:
            return chosen.member_subnet_id
    return options.member_subnet_id


def _first_node_subnet(cloud: Cloud, title: str, notes: Notes) -> str:
    if cloud.node_subnet:
        return cloud.node_subnet
    node = cloud.nodes[0] if cloud.nodes else None
    if node is not None and node.ports is not None:
        wanted = {address for _, address in node.addresses}
        for port in node.ports:
            for address, subnet in port.addresses:
                if address in wanted:
                    return subnet
        raise CcmError(f"failed to get subnet to create load balancer for service {title}: resource not found")
    notes.assume(
        f"no subnet-id or network-id is set: the CCM takes the first node's subnet; {NODE_SUBNET} stands for it"
    )
    return NODE_SUBNET


def _allowed(
    options: Options,
    service: Service,
    said: Annotations,
    title: str,
    family: int,
    has: Features,
    ways: Ways,
    notes: Notes,
) -> tuple[tuple[str, ...], bool]:
    """The source ranges that are enforced, and whether the listener carries them."""
    found = source_ranges(service, said, title, family)
    if has.supports(2, 12):
        return found, True
    restricted = found != (EVERYWHERE[6 if family == 6 else 4],)
    if options.lb_provider == "ovn" and ways["source-ranges-in-ovn-groups"] and options.manage_security_groups:
        return found, False
    if restricted:
        notes.ignore(
            "loadBalancerSourceRanges",
            "the ovn provider has no allowed_cidrs, and manage-security-groups does not enforce them: everybody gets in"
            if has.ovn
            else "Octavia's API is older than 2.12 (Train): everybody gets in",
        )
    if ways["writes-events"]:
        notes.events.append(
            Event(
                "Warning",
                "LoadBalancerSourceRangesIgnored",
                f"LoadBalancerSourceRanges are ignored for Service {title} because Octavia provider does not support "
                "it",
            )
        )
    return (), True


def source_ranges(service: Service, said: Annotations, title: str, family: int) -> tuple[str, ...]:
    """The source ranges, in a stable order; the CCM sends them in any.

    Raises:
        CcmError: One of them is no CIDR.
    """
    specs = service.source_ranges
    if specs:
        found = []
        for one in specs:
            normal = ranges.normal(one.strip())
            if normal is None:
                raise CcmError(
                    f"failed to get source ranges for loadbalancer service {title}: "
                    f"service.Spec.LoadBalancerSourceRanges: [{' '.join(specs)}] is not valid. Expecting a list of IP "
                    f"ranges. For example, 10.0.0.0/24. Error msg: invalid CIDR address: {one.strip()}"
                )
            found.append(normal)
        return tuple(sorted(dict.fromkeys(found)))
    value = said.source_ranges().strip()
    if not value:
        return (EVERYWHERE[6 if family == 6 else 4],)
    found = []
    for one in value.split(","):
        normal = ranges.normal(one.strip())
        if normal is None:
            raise CcmError(
                f"failed to get source ranges for loadbalancer service {title}: "
                f"service.beta.kubernetes.io/load-balancer-source-ranges: {value} is not valid. Expecting a "
                "comma-separated list of source IP ranges. For example, 10.0.0.0/24,192.168.2.0/24"
            )
        found.append(normal)
    return tuple(sorted(dict.fromkeys(found)))


_TIMEOUTS = (
    ("timeout_client_data", "timeout-client-data", 50000),
    ("timeout_member_connect", "timeout-member-connect", 5000),
    ("timeout_member_data", "timeout-member-data", 50000),
    ("timeout_tcp_inspect", "timeout-tcp-inspect", 0),
)


def _timeouts(said: Annotations, has: Features, ways: Ways) -> dict[str, int] | None:
    if ways["timeouts-by-api"] and not has.supports(2, 1):
        for _, name, _ in _TIMEOUTS:
            if said.has(name):
                why = "the CCM sends the ovn provider no timeouts" if has.ovn else "Octavia's API is older than 2.1"
                said.ignored.append(Ignored(f"loadbalancer.openstack.org/{name}", why))
        return None
    return {field: said.number(name, default) for field, name, default in _TIMEOUTS}


def _flavor(options: Options, said: Annotations, has: Features, ways: Ways, notes: Notes) -> str:
    if not ways["flavors"]:
        return ""
    flavor = said.text("flavor-id", options.flavor_id)
    if has.supports(2, 6):
        return flavor
    if flavor:
        what = "loadbalancer.openstack.org/flavor-id" if said.has("flavor-id") else "flavor-id"
        notes.ignore(
            what, "the CCM sends the ovn provider no flavour" if has.ovn else "Octavia's API is older than 2.6"
        )
    return ""


def _zone(options: Options, said: Annotations, title: str, has: Features, ways: Ways, notes: Notes) -> str:
    if not ways["availability-zones"]:
        return ""
    zone = said.text("availability-zone", options.availability_zone)
    if has.supports(2, 14):
        return zone
    if zone:
        what = "loadbalancer.openstack.org/availability-zone" if said.has("availability-zone") else "availability-zone"
        why = "the CCM sends the ovn provider no zone" if has.ovn else "Octavia's API is older than 2.14 (Ussuri)"
        notes.ignore(what, why)
        if ways["writes-events"]:
            notes.events.append(
                Event(
                    "Warning",
                    "LoadBalancerAvailabilityZonesIgnored",
                    "LoadBalancer Availability Zones aren't supported. Please, upgrade Octavia API to version 2.14 or "
                    f"later (Ussuri release) to use them for Service {title}",
                )
            )
    return ""


def _check_port(options: Options, service: Service, monitor: bool, ways: Ways) -> int:
    if not monitor or not ways["supports-local"] or service.policy != "Local":
        return 0
    return max(service.check_port, 0) if options.use_octavia else 0


def _selectors(text: str) -> tuple[tuple[str, str], ...]:
    """``key=value,key`` as ``util.StringToMap`` reads it: spaces around ``=`` belong to key and value."""
    found: dict[str, str] = {}
    for part in text.strip().split(","):
        key, equals, value = part.strip().partition("=")
        if equals or key:
            found[key] = value
    return tuple(found.items())


def selected(nodes: tuple[Node, ...], selectors: tuple[tuple[str, str], ...]) -> tuple[Node, ...]:
    """The nodes that have all labels."""
    if not selectors:
        return nodes
    return tuple(
        node
        for node in nodes
        if node.labels
        and all(key in node.labels and (not value or node.labels[key] == value) for key, value in selectors)
    )


def _quoted(text: str) -> str:
    """As Go's ``%q`` prints it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
