"""What the API server refuses in the parts of a Service that no load balancer is made of.

Source: Kubernetes pkg/apis/core/validation ValidateServiceCreate and pkg/registry/core/service, 1.36, run.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog.behaviour import kubernetes_with
from ccmcheck.catalog.data import kubernetes_service as facts
from ccmcheck.catalog.data.cluster import NODE_PORTS
from ccmcheck.predict.inputs.fields import MOST_PORT, Fault, Opaque, Path, kind_of, plain, shortened

_FIELD = lazy_regex(r"[A-Za-z]++")
_LABEL = lazy_regex(r"[a-z0-9]([-a-z0-9]*+)(?<!-)")
_NAME = lazy_regex(r"[A-Za-z0-9]([-A-Za-z0-9_.]*+)(?<![-_.])")
_PORT_NAME = lazy_regex(r"(?!.*--)(?=.*[a-z])[a-z0-9][-a-z0-9]*+(?<!-)")
_MARKED = lazy_regex(r"[{}$<>%]")
"""What a template's mark in a name would begin or end with."""

_TEXTS = ("clusterIP", "externalName")
_SWITCHES = ("allocateLoadBalancerNodePorts", "publishNotReadyAddresses")


def further(data: dict[str, object], *, balanced: bool) -> Iterator[Fault]:
    """Go through what is left.

    Args:
        data: The object as plain data; texts with a template mark as `Opaque`.
        balanced: Whether the type is ``LoadBalancer``.

    Yields:
        What is refused, in the order of the fields of the API.
    """
    metadata, spec = _mapping(data, "metadata"), _mapping(data, "spec")
    yield from _unknown(data, (), "")
    yield from _unknown(metadata, ("metadata",), "metadata")
    yield from _labels(metadata, ("metadata",), "labels")
    yield from _annotation_names(metadata)
    yield from _unknown(spec, ("spec",), "spec")
    yield from _labels(spec, ("spec",), "selector")
    ports = spec.get("ports")
    listed = [port for port in ports if isinstance(port, dict)] if isinstance(ports, list) else []
    names = [port.get("name") for port in listed]
    for index, port in enumerate(ports if isinstance(ports, list) else ()):
        if isinstance(port, dict):
            yield from _port(port, ("spec", "ports", index), names)
    yield from _node_ports(ports if isinstance(ports, list) else [])
    if balanced:
        yield from _port_range(spec, ports if isinstance(ports, list) else [])
    for name in _TEXTS:
        yield from _text(spec, ("spec",), name)
    for name in _SWITCHES:
        yield from _switch(spec, name)
    for name, words in facts.WORDS.items():
        yield from _word(spec, name, words)
    yield from _addresses(spec, balanced=balanced)
    yield from _families(spec)
    yield from _affinity(spec)
    owner = spec.get("loadBalancerClass")
    if isinstance(owner, str) and not isinstance(owner, Opaque) and not _is_qualified(owner):
        yield Fault(("spec", "loadBalancerClass"), f"`{shortened(owner)}` is not a name such as `example.com/internal`")


def _mapping(data: dict[str, object], name: str) -> dict[str, object]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _unknown(data: dict[str, object], path: Path, where: str) -> Iterator[Fault]:
    """Fields that there are not."""
    known = facts.FIELDS[where]
    former = facts.FORMER_FIELDS.get(where, {})
    for name in data:
        if name in known or not _FIELD.fullmatch(name):
            continue
        if name in former:
            text = f"`{name}` is not a field since Kubernetes {kubernetes_with(former[name])}"
            later = facts.SUCCESSORS.get(name)
            advice = f"Write `{later}`, a list." if later and later not in data else "Delete it."
            yield Fault((*path, name), text, advice, "field", since=former[name])
            continue
        from ccmcheck.base.suggest import nearest_name

        near = nearest_name(name, known)
        better = near if near not in data else None
        advice = f"Write `{near}`." if near else ""
        yield Fault((*path, name), f"unknown field `{shortened(name)}`", advice, "field", better)


def _labels(data: dict[str, object], path: Path, name: str) -> Iterator[Fault]:
    """Labels, or a selector of labels."""
    labels = data.get(name)
    if isinstance(labels, Opaque) or labels is None:
        return
    if not isinstance(labels, dict):
        yield Fault((*path, name), f"{name} is {kind_of(labels)}, not a mapping")
        return
    for key, value in labels.items():
        here = (*path, name, key)
        if not _MARKED.search(key) and not _is_qualified(key):
            yield Fault(here, f"`{shortened(key)}` is not a valid label key")
        if isinstance(value, Opaque) or value is None:
            continue
        if not isinstance(value, str):
            better = plain(value) if isinstance(value, bool | int | float) else None
            advice = f'Quote it: `{shortened(key)}: "{better}"`.' if better is not None else ""
            yield Fault(here, f"the value of {shortened(key)} is {kind_of(value)}, not a string", advice, better=better)
        elif value and (len(value) > facts.LABEL_LENGTH or not _NAME.fullmatch(value)):
            yield Fault(
                here, f"`{shortened(value)}` is not a valid label value of at most {facts.LABEL_LENGTH} characters"
            )


def _annotation_names(metadata: dict[str, object]) -> Iterator[Fault]:
    annotations = _mapping(metadata, "annotations")
    size = 0
    for key, value in annotations.items():
        size += len(key.encode("utf-8", "replace"))
        size += len(value.encode("utf-8", "replace")) if isinstance(value, str) else 0
        if not _MARKED.search(key) and not _is_qualified(key.lower()):
            yield Fault(("metadata", "annotations", key), f"`{shortened(key)}` is not a valid annotation key")
    if size > facts.ANNOTATION_BYTES:
        yield Fault(
            ("metadata", "annotations"), f"the annotations have {size} bytes; the limit is {facts.ANNOTATION_BYTES}"
        )


def _port(port: dict[str, object], path: Path, names: list[object]) -> Iterator[Fault]:
    yield from _unknown(port, path, "spec.ports")
    name = port.get("name")
    if isinstance(name, str) and name and not isinstance(name, Opaque) and not _is_label(name):
        lower = name.lower().replace("_", "-")
        better = lower if _is_label(lower) and lower not in names else None
        yield Fault(
            (*path, "name"),
            f"`{shortened(name)}` is not a port name: up to {facts.LABEL_LENGTH} small letters, digits and hyphens",
            f"Write `{better}`." if better else "",
            better=better,
        )
    yield from _target(port.get("targetPort"), (*path, "targetPort"))
    protocol = port.get("appProtocol")
    if protocol is None or isinstance(protocol, Opaque):
        return
    if not isinstance(protocol, str) or not _is_qualified(protocol):
        shown = f"`{shortened(protocol)}`" if isinstance(protocol, str) else kind_of(protocol)
        yield Fault((*path, "appProtocol"), f"{shown} is not a name such as `kubernetes.io/h2c`")


def _target(value: object, path: Path) -> Iterator[Fault]:
    """A port's number on the pods, or its name there."""
    if value is None or value == "" or isinstance(value, Opaque):
        return
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value <= MOST_PORT:
            yield Fault(path, f"targetPort {shortened(str(value))} is not between 1 and {MOST_PORT}")
    elif not isinstance(value, str):
        yield Fault(path, f"targetPort is {kind_of(value)}, neither a number nor a port name")
    elif value.isascii() and value.isdigit() and len(value) < 6:
        yield Fault(
            path,
            f"`{value}` in quotes is a port name, which needs a letter",
            f"Write `targetPort: {value}`, without quotes.",
            better=int(value),
        )
    elif len(value) > facts.PORT_NAME_LENGTH or not _PORT_NAME.fullmatch(value):
        yield Fault(
            path,
            f"`{shortened(value)}` is not a port name: up to {facts.PORT_NAME_LENGTH} small letters, digits, hyphens",
        )


def _node_ports(ports: list[object]) -> Iterator[Fault]:
    """NodePorts that two ports ask for: only the same port of another protocol may share one."""
    port_of_number: dict[int, tuple[object, object]] = {}
    for index, port in enumerate(ports):
        number = port.get("nodePort") if isinstance(port, dict) else None
        if not isinstance(port, dict) or not isinstance(number, int) or isinstance(number, bool) or not number:
            continue
        mine = (port.get("port"), port.get("protocol") or "TCP")
        other = port_of_number.setdefault(number, mine)
        if other is not mine and not any(isinstance(value, Opaque) for value in (*mine, *other)):
            same = other == mine  # that the port itself is listed twice is already reported
            if not same and (other[0] != mine[0] or other[1] == mine[1]):
                path = ("spec", "ports", index, "nodePort")
                yield Fault(path, f"{number} is already the NodePort of another port", about="clash")


def _port_range(spec: dict[str, object], ports: list[object]) -> Iterator[Fault]:
    """What lies outside the default range of NodePorts; the cluster's own is a flag of kube-apiserver."""
    least, most = NODE_PORTS
    asked: list[tuple[Path, object]] = [
        (("spec", "ports", index, "nodePort"), port.get("nodePort"))
        for index, port in enumerate(ports)
        if isinstance(port, dict)
    ]
    if spec.get("externalTrafficPolicy") == "Local":
        asked.append((("spec", "healthCheckNodePort"), spec.get("healthCheckNodePort")))
    for path, value in asked:
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if not isinstance(number, int) or isinstance(number, bool) or not 0 < number <= MOST_PORT:
            continue
        if not least <= number <= most:
            text = f"{number} is outside the default range of NodePorts, {least} to {most}"
            yield Fault(path, text, about="port range")


def _text(data: dict[str, object], path: Path, name: str) -> Iterator[Fault]:
    value = data.get(name)
    if value is not None and not isinstance(value, str):
        yield Fault((*path, name), f"{name} is {kind_of(value)}, not a string")


def _switch(spec: dict[str, object], name: str) -> Iterator[Fault]:
    value = spec.get(name)
    if value is None or isinstance(value, bool | Opaque):
        return
    better = value.lower() if isinstance(value, str) and value.lower() in ("true", "false") else ""
    yield Fault(
        ("spec", name),
        f"{name} is {kind_of(value)}, not a boolean",
        f"Write `{name}: {better}`, without quotes." if better else "",
    )


def _word(spec: dict[str, object], name: str, words: tuple[str, ...]) -> Iterator[Fault]:
    value = spec.get(name)
    if value is None or isinstance(value, Opaque):
        return
    if not isinstance(value, str):
        yield Fault(("spec", name), f"{name} is {kind_of(value)}, not a string")
    elif value not in words:
        near = next((word for word in words if word.lower() == value.lower()), None)
        yield Fault(
            ("spec", name),
            f"`{shortened(value)}` is not one of {', '.join(words)}",
            f"Write `{near}`." if near else "",
            better=near,
        )


def _addresses(spec: dict[str, object], *, balanced: bool) -> Iterator[Fault]:
    """clusterIP, clusterIPs and externalIPs."""
    address = spec.get("clusterIP")
    if isinstance(address, str) and address and not isinstance(address, Opaque):
        if address != "None":
            yield from _address(address, ("spec", "clusterIP"))
        elif balanced:
            yield Fault(
                ("spec", "clusterIP"), "a load balancer needs a ClusterIP; `None` gives it none", "Leave it out."
            )
    for name in ("clusterIPs", "externalIPs"):
        value = spec.get(name)
        if value is not None and not isinstance(value, list | Opaque):
            yield Fault(("spec", name), f"{name} is {kind_of(value)}, not a list")
        for index, address in enumerate(value if isinstance(value, list) else ()):
            path = ("spec", name, index)
            if isinstance(address, Opaque) or (name == "clusterIPs" and address == "None"):
                continue
            if not isinstance(address, str):
                yield Fault(path, f"an address is {kind_of(address)}, not a string")
            else:
                yield from _address(address, path, special=name == "externalIPs")


def _address(text: str, path: Path, *, special: bool = False) -> Iterator[Fault]:

    try:
        address = ip_address(text)
    except ValueError:
        yield Fault(path, f"`{shortened(text)}` is not an IP address")
        return
    if special and (address.is_unspecified or address.is_loopback or address.is_link_local or address.is_multicast):
        yield Fault(path, f"`{text}` is a special-purpose address, which no client can reach from outside")


def _families(spec: dict[str, object]) -> Iterator[Fault]:
    value = spec.get("ipFamilies")
    if not isinstance(value, list):
        return
    seen: list[object] = []
    for index, family in enumerate(value):
        if family in seen and not isinstance(family, Opaque):
            yield Fault(("spec", "ipFamilies", index), f"{plain(family)} is listed twice")
        seen.append(family)
    yield from _first_family(value, spec.get("clusterIP"))
    policy = spec.get("ipFamilyPolicy")
    if len(set(map(str, value))) == 2 and policy in (None, "", "SingleStack"):
        yield Fault(
            ("spec", "ipFamilies"),
            "two families need an ipFamilyPolicy: without one it is SingleStack",
            "Write `ipFamilyPolicy: PreferDualStack`.",
        )


def _first_family(families: list[object], address: object) -> Iterator[Fault]:
    """A ClusterIP of another family than the first."""
    if not families or not isinstance(address, str) or isinstance(address, Opaque):
        return

    try:
        version = f"IPv{ip_address(address).version}"
    except ValueError:
        return
    if families[0] in ("IPv4", "IPv6") and families[0] != version:
        yield Fault(
            ("spec", "clusterIP"), f"the first of ipFamilies is {families[0]}, and this is an {version} address"
        )


def _affinity(spec: dict[str, object]) -> Iterator[Fault]:
    """``sessionAffinityConfig``, which is dropped where there is no affinity."""
    path: Path = ("spec", "sessionAffinityConfig")
    value = spec.get("sessionAffinityConfig")
    for name in ("clientIP", "timeoutSeconds"):
        if value is None or isinstance(value, Opaque):
            return
        if not isinstance(value, dict):
            yield Fault(path, f"{path[-1]} is {kind_of(value)}, not a mapping")
            return
        yield from _unknown(value, path, ".".join(map(str, path)))
        path, value = (*path, name), value.get(name)
    if value is None or isinstance(value, Opaque):
        return
    if isinstance(value, bool) or not isinstance(value, int):
        yield Fault(path, f"timeoutSeconds is {kind_of(value)}, not an integer")
        return
    least, most = facts.AFFINITY_SECONDS
    if spec.get("sessionAffinity") == "ClientIP" and not least <= value <= most:
        yield Fault(path, f"timeoutSeconds {shortened(str(value))} is not between {least} and {most}")


def _is_label(text: str) -> bool:
    return len(text) <= facts.LABEL_LENGTH and _LABEL.fullmatch(text) is not None


def _is_qualified(text: str) -> bool:
    """Whether a text is a name as labels have, with a domain before a slash where it has one."""
    prefix, slash, name = text.rpartition("/")
    if len(name) > facts.LABEL_LENGTH or not _NAME.fullmatch(name):
        return False
    return not slash or (
        0 < len(prefix) <= facts.SUBDOMAIN_LENGTH and all(_LABEL.fullmatch(part) for part in prefix.split("."))
    )
