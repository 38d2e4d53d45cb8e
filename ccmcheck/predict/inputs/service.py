"""A Service as the API server hands it to the CCM: read, checked, and filled up where Kubernetes fills up itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.behaviour import kubernetes_with
from ccmcheck.catalog.service_annotations import FORWARDED, SOURCE_RANGES, TLS_REFERENCE
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.fields import Fault, Fields, Opaque, Path, dotted, kind_of, plain, shortened
from ccmcheck.predict.inputs.refused import further

_AS_NODE_PORT = "Publish the port in another way, such as a NodePort."
_AS_TCP = "Take the annotation away; an ingress controller behind a TCP port can speak HTTP and end TLS."
PROTOCOLS = ("TCP", "UDP", "SCTP")
FIRST_NODE_PORT = 30000
"""The first port of kube-apiserver's default ``--service-node-port-range``; used for ports that are not given."""

NAME_LIMIT = 63
"""A Service's name is a DNS label (RFC 1035)."""

_LABEL = lazy_regex(r"[a-z]([-a-z0-9]*+)(?<!-)")
_NAMESPACE = lazy_regex(r"[a-z0-9]([-a-z0-9]*+)(?<!-)")
_ABSENT = (None, "")
"""A name that is missing; one of another type is a fault of its own."""
_POLICIES = ("Cluster", "Local")
_AFFINITIES = ("None", "ClientIP")
_FAMILIES = ("IPv4", "IPv6")
_NO_PORT, _WRITE_PORT = "a Service of this type needs at least one port", "Write `ports: [{port: 80}]`."
_TYPES = ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName")


class ServicePort(NamedTuple):
    """One port.

    Attributes:
        port: The port that clients connect to.
        protocol: ``TCP``, ``UDP`` or ``SCTP``.
        node_port: The port on the nodes; 0 where none is allocated.
        name: Its name; may be empty.
    """

    port: int
    protocol: str = "TCP"
    node_port: int = 0
    name: str = ""


class Service(NamedTuple):
    """A Service.

    Attributes:
        name: Its name.
        namespace: Its namespace.
        ports: Its ports.
        annotations: Its annotations.
        policy: ``spec.externalTrafficPolicy``.
        check_port: ``spec.healthCheckNodePort``; 0 for none.
        address: ``spec.loadBalancerIP``; empty for none.
        source_ranges: ``spec.loadBalancerSourceRanges``.
        affinity: ``spec.sessionAffinity``.
        families: ``spec.ipFamilies``; empty where the API server does not know them.
        dual: Whether ``spec.ipFamilyPolicy`` is ``RequireDualStack``.
        type: ``spec.type``.
        allocates: Whether ports get NodePorts that name none.
        owner: ``spec.loadBalancerClass``; empty for none.
        uid: ``metadata.uid``; empty while it is unknown.
        replicas: How many pods it has; None when unknown.
        everywhere: Whether every node is known to have one, however many there are.
        ready_nodes: On how many nodes a pod is ready, as a running cluster says; None when unknown.
        elsewhere: A label of the only Nodes that its pods may run on, where none of them is a member.
        faults: What the API server refuses.
        open: Fields and annotations with a template mark.
        assumed: What is assumed where the manifest says nothing.
        allocated: The NodePorts among them.
        rival_port: A port that another Service has already at the load balancer that both name; 0 for none.
    """

    name: str
    namespace: str = "default"
    ports: tuple[ServicePort, ...] = ()
    annotations: Mapping[str, str] = {}
    policy: str = "Cluster"
    check_port: int = 0
    address: str = ""
    source_ranges: tuple[str, ...] = ()
    affinity: str = "None"
    families: tuple[str, ...] = ()
    dual: bool = False
    type: str = "LoadBalancer"
    allocates: bool = True
    owner: str = ""
    uid: str = ""
    replicas: int | None = None
    everywhere: bool = False
    ready_nodes: int | None = None
    elsewhere: str = ""
    faults: tuple[Fault, ...] = ()
    open: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    allocated: tuple[int, ...] = ()
    rival_port: int = 0

    @property
    def title(self) -> str:
        """``namespace/name``."""
        return f"{self.namespace}/{self.name}"

    def refused(self, protocols: Collection[str], tls: str = "") -> tuple[str, Path, str] | None:
        """What of it a platform makes no load balancer for, where it says so, and what to do; None for nothing.

        Args:
            protocols: Those that the platform refuses; ``HTTP`` for listeners that speak it.
            tls: The TLS reference of cloud.conf; empty for none.
        """
        for number, port in enumerate(self.ports):
            if port.protocol in protocols:
                return port.protocol, ("spec", "ports", number, "protocol"), _AS_NODE_PORT
        if "HTTP" in protocols:
            reference = self.annotations.get(TLS_REFERENCE, tls)
            for name, speaks in ((FORWARDED, self.annotations.get(FORWARDED) == "true"), (TLS_REFERENCE, reference)):
                if speaks:
                    return "HTTP", ("metadata", "annotations", name), _AS_TCP
        return None


def read_service(data: object, *, allocate: bool = True) -> Service:
    """Read a Service's manifest.

    Args:
        data: The object as plain data; texts with a template mark as `Opaque`.
        allocate: Whether Kubernetes still fills in what it fills in, as for a manifest in a repository: default values,
            node ports and the health check port, which are not known yet. False for an object as the API server
            returns it.

    Returns:
        The Service. Nothing is raised; what the API server refuses is in ``faults``.
    """
    return _Reader(allocate).read(data)


class _Reader(Fields):
    """Reads one Service and collects what is wrong with it."""

    def __init__(self, allocate: bool, *, is_trial: bool = False) -> None:
        super().__init__()
        self.allocate = allocate
        self.is_trial = is_trial
        self.assumed: list[str] = []
        self.allocated: list[int] = []

    def read(self, data: object) -> Service:
        metadata = self.mapping(data, "metadata")
        spec = self.mapping(data, "spec")
        name = self.text(metadata, ("metadata",), "name")
        if not name and not isinstance(metadata.get("name"), Opaque) and "metadata" not in self.open:
            name = self.text(metadata, ("metadata",), "generateName")
            if name:
                name += "…"
            elif metadata.get("name") in _ABSENT and metadata.get("generateName") in _ABSENT:
                self.fault(("metadata",), "a Service needs a name", about="missing")
        elif name and not isinstance(name, Opaque):
            self.name(name)
        namespace = self.text(metadata, ("metadata",), "namespace")
        if (
            namespace
            and not isinstance(namespace, Opaque)
            and (len(namespace) > NAME_LIMIT or not _NAMESPACE.fullmatch(namespace))
        ):
            self.fault(("metadata", "namespace"), f"`{shortened(namespace)}` is not a valid namespace")
        kind = self.word(spec, "type", _TYPES, "ClusterIP")
        balanced = kind == "LoadBalancer"
        policy = self.word(spec, "externalTrafficPolicy", _POLICIES, "Cluster")
        ports = self.ports(spec, balanced)
        source_ranges = self.source_ranges(spec)
        annotations = self.annotations(metadata)
        if not source_ranges and not spec.get("loadBalancerSourceRanges"):
            for cidr in annotations.get(SOURCE_RANGES, "").strip().split(","):
                if cidr.strip():
                    self.cidr(cidr.strip(), ("metadata", "annotations", SOURCE_RANGES))
        service = Service(
            name=name or "unnamed",
            namespace=namespace or "default",
            ports=ports,
            annotations=annotations,
            policy=policy,
            check_port=self.check_port(spec, policy, balanced, ports),
            address="" if isinstance(address := self.text(spec, ("spec",), "loadBalancerIP"), Opaque) else address,
            source_ranges=source_ranges,
            affinity=self.word(spec, "sessionAffinity", _AFFINITIES, "None"),
            families=self.families(spec),
            dual=spec.get("ipFamilyPolicy") == "RequireDualStack",
            type=kind,
            allocates=spec.get("allocateLoadBalancerNodePorts") is not False,
            owner=self.text(spec, ("spec",), "loadBalancerClass"),
            uid=self.text(metadata, ("metadata",), "uid"),
        )
        if self.allocate and isinstance(data, dict):
            self.faults += further(data, balanced=balanced)
            if any(fault.better is not None for fault in self.faults) and not self.is_trial:
                from ccmcheck.predict.inputs.advised import advised

                self.faults = list(
                    advised(self.faults, data, lambda trial: _Reader(True, is_trial=True).read(trial).faults)
                )
        return service._replace(
            faults=tuple(self.faults),
            open=tuple(dict.fromkeys(self.open)),
            assumed=tuple(self.assumed),
            allocated=tuple(self.allocated),
        )

    def name(self, name: str) -> None:
        """A Service's name."""
        path = ("metadata", "name")
        if len(name) > NAME_LIMIT or not _NAMESPACE.fullmatch(name):
            self.fault(path, f"`{shortened(name)}` is not a DNS label of at most {NAME_LIMIT} characters")
        elif not _LABEL.fullmatch(name):
            feature = "relaxed-service-names"
            text = f"a name that begins with a digit is refused before Kubernetes {kubernetes_with(feature)}"
            self.faults.append(Fault(path, text, "Begin it with a letter.", until=feature))

    def annotations(self, metadata: dict[str, object]) -> dict[str, str]:
        value = metadata.get("annotations")
        if isinstance(value, Opaque):
            self.open.append("metadata.annotations")
        elif value is not None and not isinstance(value, dict):
            self.fault(("metadata", "annotations"), f"annotations are {kind_of(value)}, not a mapping")
        texts: dict[str, str] = {}
        for key, text in value.items() if isinstance(value, dict) else ():
            if isinstance(text, Opaque):
                self.open.append(str(key))
            elif isinstance(text, str):
                texts[str(key)] = text
            elif text is None:
                texts[str(key)] = ""
            else:
                self.fault(
                    ("metadata", "annotations", str(key)),
                    f"the value of {key} is {kind_of(text)}; only strings are valid",
                    f'Quote it: `{key}: "{plain(text)}"`.',
                    about="annotation",
                    better=plain(text) if isinstance(text, bool | int | float) else None,
                )
        return texts

    def ports(self, spec: dict[str, object], balanced: bool) -> tuple[ServicePort, ...]:
        value = spec.get("ports")
        if isinstance(value, Opaque):
            self.open.append("spec.ports")
            return ()
        if not isinstance(value, list):
            if value is not None:
                self.fault(("spec", "ports"), f"ports are {kind_of(value)}, not a list")
            elif spec:
                self.fault(("spec",), _NO_PORT, _WRITE_PORT, about="missing")
            return ()
        if not value:
            self.fault(("spec", "ports"), _NO_PORT, _WRITE_PORT)
        allocates = self.allocate and balanced and spec.get("allocateLoadBalancerNodePorts") is not False
        ports_read: list[ServicePort] = []
        seen: dict[tuple[int, str], int] = {}
        names: set[str] = set()
        unknown: list[str] = []
        asked = [port.get("nodePort") for port in value if isinstance(port, dict)]
        used = {number for number in (*asked, spec.get("healthCheckNodePort")) if isinstance(number, int)}
        free = FIRST_NODE_PORT
        for index, port in enumerate(value):
            path = ("spec", "ports", index)
            if isinstance(port, Opaque):
                self.open.append(dotted(path))
                continue
            if not isinstance(port, dict):
                self.fault(path, f"a port is {kind_of(port)}, not a mapping")
                continue
            number = self.number(port, path, "port")
            if not number and port.get("port") is None:
                self.fault(path, "a port needs a number", "Write `port: 80`.", about="missing")
            protocol = self.text(port, path, "protocol")
            if isinstance(protocol, Opaque) or not protocol:
                protocol = "TCP"
            elif protocol not in PROTOCOLS:
                near = protocol.upper() if protocol.upper() in PROTOCOLS else ""
                self.fault(
                    (*path, "protocol"),
                    f"`{shortened(protocol)}` is not one of {', '.join(PROTOCOLS)}",
                    f"Write `{near}`." if near else "",
                    better=near or None,
                )
                protocol = near or "TCP"
            name = self.text(port, path, "name")
            node_port = self.number(port, path, "nodePort", 0)
            if number and (number, protocol) in seen:
                self.fault(path, f"port {number}/{protocol} is listed twice", "Delete one of them.", about="clash")
            elif not isinstance(port.get("port"), Opaque):
                seen[number, protocol] = index
            if len(value) > 1 and port.get("name") in _ABSENT:
                self.fault(path, "with several ports, each needs a name", "Write `name: http`.", about="missing")
            elif name and not isinstance(name, Opaque):
                if name in names:
                    text = f"two ports are named `{shortened(name)}`"
                    self.fault((*path, "name"), text, "Give each its own name.", about="clash")
                names.add(name)
            if not node_port and allocates:
                while free in used:
                    free += 1
                node_port, free = free, free + 1
                self.allocated.append(node_port)
                unknown.append(f"{number}/{protocol}")
            if number or isinstance(port.get("port"), Opaque):
                ports_read.append(ServicePort(number, protocol, node_port, name))
        if unknown:
            first, last = self.allocated[0], self.allocated[-1]
            self.assumed.append(
                f"Kubernetes allocates the NodePort{'s' if len(unknown) > 1 else ''} of {first_of(unknown, 4)}: "
                + (f"{first}" if first == last else f"{first} to {last}")
                + (" is assumed" if len(unknown) == 1 else " are assumed")
            )
        if balanced and len({port.protocol for port in ports_read}) > 1:
            feature = "mixed-protocols"
            said = f"a load balancer of two protocols is refused before Kubernetes {kubernetes_with(feature)}"
            text = f"{said}, and before 1.24 without the feature gate MixedProtocolLBService"
            better = "Make a Service for each protocol."
            self.faults.append(Fault(("spec", "ports"), text, better, about="old", until=feature))
        return tuple(ports_read)

    def check_port(self, spec: dict[str, object], policy: str, balanced: bool, ports: tuple[ServicePort, ...]) -> int:
        number = self.number(spec, ("spec",), "healthCheckNodePort", 0)
        if number and policy != "Local" and not isinstance(spec.get("externalTrafficPolicy"), Opaque):
            self.fault(
                ("spec", "healthCheckNodePort"),
                "healthCheckNodePort goes with externalTrafficPolicy Local only",
                "Leave it out.",
                about="check port",
            )
            return 0
        if number and any(port.node_port == number for port in ports):
            path = ("spec", "healthCheckNodePort")
            self.fault(path, f"{number} is already the NodePort of a port", about="check port")
        if number or policy != "Local" or not balanced or not self.allocate:
            return number
        number = max([FIRST_NODE_PORT - 1, *(port.node_port for port in ports)]) + 1
        self.assumed.append(f"Kubernetes allocates healthCheckNodePort: {number} is assumed")
        return number

    def _listed(self, spec: dict[str, object], field: str, called: str) -> list[object]:
        """The items of a field; none where a template decides, or it is no list."""
        value = spec.get(field)
        if isinstance(value, list):
            return value
        if isinstance(value, Opaque):
            self.open.append(f"spec.{field}")
        elif value is not None:
            self.fault(("spec", field), f"{called} {kind_of(value)}, not a list")
        return []

    def source_ranges(self, spec: dict[str, object]) -> tuple[str, ...]:
        ranges_read: list[str] = []
        for index, cidr in enumerate(self._listed(spec, "loadBalancerSourceRanges", "source ranges are")):
            path = ("spec", "loadBalancerSourceRanges", index)
            if isinstance(cidr, Opaque):
                self.open.append(dotted(path))
            elif not isinstance(cidr, str):
                self.fault(path, f"a source range is {kind_of(cidr)}, not a string")
            elif self.cidr(cidr.strip(), path):
                ranges_read.append(cidr)
        return tuple(ranges_read)

    def cidr(self, text: str, path: Path) -> bool:
        """Whether a text is a CIDR."""
        normal = ranges.normal(text)
        if normal is None:
            help_text = "Write `192.0.2.0/24`; a single address is `192.0.2.1/32`."
            self.fault(path, f"`{shortened(text)}` is not a CIDR", help_text)
            return False
        if not ranges.is_whole(text, normal):
            feature = "strict-addresses"
            why = f"has bits beyond its prefix, refused since Kubernetes {kubernetes_with(feature)}"
            said = f"`{shortened(text)}` {why}"
            self.faults.append(Fault(path, said, f"Write `{normal}`.", better=normal, since=feature))
        return True

    def families(self, spec: dict[str, object]) -> tuple[str, ...]:
        families: list[str] = []
        for index, family in enumerate(self._listed(spec, "ipFamilies", "ipFamilies is")):
            if isinstance(family, Opaque):
                self.open.append(dotted(("spec", "ipFamilies", index)))
            elif family in _FAMILIES:
                families.append(str(family))
            else:
                self.fault(("spec", "ipFamilies", index), f"`{shortened(plain(family))}` is not one of IPv4, IPv6")
        return tuple(families)
