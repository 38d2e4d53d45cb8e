"""Whether what a cloud.conf, its classes and the annotations of Services name exists in the cloud, and is of use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, octavia_api, predict_options, service_annotations, service_input
from ccmcheck.cluster.octavia import requests
from ccmcheck.cluster.octavia.requests import CloudRequest
from ccmcheck.cluster.preflight.cloud import AskedCloud, PreflightCheck, SavedCloud

_PREFIX = service_annotations.PREFIX


_CONTAINER = "TLS container"


_NETWORK = "network"


class Reference(NamedTuple):
    """An ID or a name of something in the cloud.

    Attributes:
        about: Who names it: ``[LoadBalancer] subnet-id``, ``shop/web: subnet-id``.
        key: The name of the key or annotation.
        kind: What it names, see `ccmcheck.catalog.octavia.NAMED_THINGS`.
        value: The ID or name.
    """

    about: str
    key: str
    kind: str
    value: str


def references(options: predict_options.Options, services: Sequence[service_input.Service]) -> Iterator[Reference]:
    """All that a deployment names, in the order of the file, each value of a kind under its first name.

    Args:
        options: The cloud.conf.
        services: The Services of type LoadBalancer.
    """
    seen: set[tuple[str, str]] = set()
    for about, values in _sources(options, services):
        for key, kind in octavia_api.NAMED_THINGS.items():
            value = values.get(key, "").strip()
            if value and (kind, value) not in seen:
                seen.add((kind, value))
                yield Reference(f"{about}{key}", key, kind, value)


def _sources(
    options: predict_options.Options, services: Sequence[service_input.Service]
) -> Iterator[tuple[str, dict[str, str]]]:
    yield "[LoadBalancer] ", _values(options)
    for name, balancer_class in options.classes.items():
        yield f'[LoadBalancerClass "{name}"] ', _values(balancer_class)
    for service in services:
        own = {
            name.removeprefix(_PREFIX): value for name, value in service.annotations.items() if name.startswith(_PREFIX)
        }
        yield f"{service.title}: ", own


def _values(record: NamedTuple) -> dict[str, str]:
    named = zip(record._fields, record, strict=True)
    return {name.replace("_", "-"): value for name, value in named if isinstance(value, str)}


_SHOWN: dict[str, CloudRequest] = {
    _NETWORK: requests.NETWORK_OF_ID,
    "subnet": requests.SUBNET,
    "port": requests.PORT,
    "flavor": requests.FLAVOR,
    "availability zone": requests.ZONE,
    "load balancer": requests.BALANCER,
}


def exist(cloud: AskedCloud, found: Sequence[Reference]) -> Iterator[PreflightCheck]:
    """Whether each exists; one that a project may not see counts as missing, as it does for the CCM.

    Args:
        cloud: The project.
        found: What is named.
    """
    for reference in found:
        if reference.kind == "provider":
            yield from _provider(cloud, reference)
        elif reference.kind == _CONTAINER:
            yield from _container(cloud, reference)
        else:
            yield from _object(cloud, reference)


def _object(cloud: AskedCloud, reference: Reference) -> Iterator[PreflightCheck]:
    seen = cloud.show(_SHOWN[reference.kind], reference.value)
    if seen.error is not None:
        yield seen.unanswered(reference.about)
        return
    text, hint = _fault(cloud, reference, seen.document)
    if text:
        yield PreflightCheck(reference.about, False, text, hint, seen.asked)
    else:
        yield PreflightCheck(reference.about, True, f"{reference.kind} {_name(seen.document or {})}", "", seen.asked)


def _fault(cloud: AskedCloud, reference: Reference, document: Document | None) -> tuple[str, str]:
    """What is wrong with what a reference names, and what to do; empty texts for nothing."""
    named = f"{reference.kind} `{reference.value}`"
    if document is None:
        return f"there is no {named} in this project", _list(cloud, reference)
    if document.get("enabled") is False:
        return f"{named} is disabled", "Name another one."
    if reference.kind == "port" and document.get("device_id"):
        return f"{named} is in use by {document.get('device_owner') or 'a server'}", "Name a free port."
    if reference.key == "floating-network-id" and document.get("router:external", True) is not True:
        text = f"network {_name(document)} is not external, so Neutron gives no floating IP of it"
        return text, _externals(cloud)
    return "", ""


def _name(document: Document) -> str:
    name = str(document.get("name") or "")
    return f"`{name[:64]}`" if name else f"`{document.get('id') or ''}`"


def _list(cloud: AskedCloud, reference: Reference) -> str:
    """What to write instead: what has the value as its name, or a command that lists what there is."""
    kind = f"{_SHOWN[reference.kind].key}s"
    if isinstance(cloud, SavedCloud) and (place := cloud.place_of_other(kind, reference.value)):
        own = cloud.list(requests.SUBNETS, {"network_id": reference.value}).documents
        ids = " or ".join(str(one.get("id")) for one in own[:_MOST_NAMED] if reference.kind == "subnet")
        write = f"; write {ids}, of a subnet in it." if ids else f". {_COMMANDS[reference.kind]}"
        return f"It is the ID of a {place[1]}, not of a {reference.kind}{write}"
    if reference.kind in (_NETWORK, "subnet"):
        request = requests.NETWORKS if reference.kind == _NETWORK else requests.SUBNETS
        named = cloud.list(request, {"name": reference.value}).documents
        if len(named) == 1:
            return f"It is the name of a {reference.kind}; write its ID, {named[0].get('id')}."
        other = requests.SUBNET if reference.kind == _NETWORK else requests.NETWORK_OF_ID
        if cloud.show(other, reference.value).document is not None:
            kind = "subnet" if reference.kind == _NETWORK else _NETWORK
            return f"It is the ID of a {kind}, not of a {reference.kind}."
        if reference.key == "floating-network-id":
            return _externals(cloud)
    return _COMMANDS[reference.kind]


_COMMANDS = {
    _NETWORK: "`openstack network list` shows those that the project may use.",
    "subnet": "`openstack subnet list` shows those that the project may use.",
    "port": "`openstack port list` shows those of the project.",
    "flavor": "`openstack loadbalancer flavor list` shows them; a flavor of Nova is none.",
    "availability zone": "`openstack loadbalancer availabilityzone list` shows Octavia's; those of Nova are others.",
    "load balancer": "`openstack loadbalancer list` shows those of the project.",
}


_MOST_NAMED = 5


def _externals(cloud: AskedCloud) -> str:
    listed = cloud.list(requests.NETWORKS, {"router:external": "true"})
    names = ", ".join(f"{_name(document)} ({document.get('id')})" for document in listed.documents[:_MOST_NAMED])
    return f"External networks: {names}." if names else "`openstack network list --external` shows them."


def _provider(cloud: AskedCloud, reference: Reference) -> Iterator[PreflightCheck]:
    listed = cloud.list(requests.PROVIDERS)
    if listed.error is not None:
        yield PreflightCheck(reference.about, None, listed.error.message, listed.error.hint, listed.asked)
        return
    names = [str(document.get("name")) for document in listed.documents]
    if reference.value in names:
        yield PreflightCheck(reference.about, True, f"provider `{reference.value}` is enabled", "", listed.asked)
    else:
        text = f"Octavia has no provider `{reference.value}` and refuses every load balancer"
        hint = f"Write lb-provider with one of: {', '.join(names)}."
        hint += " With ovn write lb-method = SOURCE_IP_PORT, too." if names == ["ovn"] else ""
        yield PreflightCheck(reference.about, False, text, hint, listed.asked)


def _container(cloud: AskedCloud, reference: Reference) -> Iterator[PreflightCheck]:
    """Whether a TLS container or secret exists, and who besides its project may read it."""
    kind, _, identifier = reference.value.rstrip("/").rpartition("/")
    request = requests.SECRET if kind.endswith("secrets") else requests.CONTAINER
    seen = cloud.show(request, identifier)
    if seen.error is not None:
        yield seen.unanswered(reference.about)
        return
    if seen.document is None:
        text = f"there is no {request.title} `{identifier}`, or this credential may not read it"
        hint = "`openstack secret container list` shows those of the project."
        yield PreflightCheck(reference.about, False, text, hint, seen.asked)
        return
    kind = str(seen.document.get("type") or "")
    if request is requests.CONTAINER and kind != "certificate":
        text = f"container `{identifier}` is of type {kind or 'unknown'}, and Octavia takes certificate alone"
        yield PreflightCheck(reference.about, False, text, "Create one with --type certificate.", seen.asked)
        return
    yield PreflightCheck(reference.about, True, f"{request.title} {_name(seen.document)}", "", seen.asked)
    acl = cloud.show(requests.ACL, identifier) if request is requests.CONTAINER else None
    if acl is None or acl.error is not None or acl.document is None:
        return
    users = acl.document.get("users")
    if isinstance(users, list) and users:
        yield PreflightCheck(reference.about, True, f"{len(users)} more users may read it", "", acl.asked)
    elif acl.document.get("project-access") is False:
        text = "nobody but its creator may read it: Octavia reads it as a user of its own"
        hint = f"openstack acl user add --user OCTAVIA_USER_ID {reference.value}"
        yield PreflightCheck(reference.about, False, text, hint, acl.asked)
