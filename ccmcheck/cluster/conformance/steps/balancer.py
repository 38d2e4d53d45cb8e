"""The Service: created, waited for, changed, shared, deleted."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from ccmcheck.cluster.access.documents import mapping, mappings, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.conformance import objects
from ccmcheck.cluster.conformance.session import NotApplicable, StepFailed
from ccmcheck.cluster.conformance.stage import SeenByStep, Stage, ingress
from ccmcheck.cluster.core import service_annotations

_RESOLVER_SECONDS = 10.0
_IPV6 = 6


def create(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Create the Service."""
    place = stage.session.place
    stage.service = stage.session.create(place.path("services"), objects.service(place, stage.case, stage.port))
    ports = mappings(mapping(stage.service.get("spec")).get("ports"))
    node_ports = [str(port["nodePort"]) for port in ports if port.get("nodePort")]
    return SeenByStep(f"port {stage.port}" + (f", NodePort {', '.join(node_ports)}" if node_ports else ""))


def address(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Wait for the load balancer's address."""
    published = stage.session.until(lambda: _address(stage), lambda: _late(stage.session.limits.wait))
    stage.address = _resolved(published)
    if stage.case.spec.get("loadBalancerSourceRanges") and ip_address(stage.address).version == _IPV6:
        raise NotApplicable("is tried with IPv4 alone, and the address is one of IPv6")
    stage.session.made[stage.service_path] = f"Service {stage.case.name} ({stage.address})"
    return SeenByStep(published if published == stage.address else f"{published}, {stage.address}")


def not_public(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Hold that the address is not public; IPv6 has no such addresses, and nodes may have public ones themselves."""
    found = ip_address(stage.address)
    if found.version == _IPV6 or not found.is_global:
        return SeenByStep(f"{stage.address} is not a public address")
    raise StepFailed(f"{stage.address} is a public address")


def patch(stage: Stage, values: Mapping[str, Any]) -> SeenByStep:
    """Change fields of the Service's spec."""
    stage.service = stage.session.patch(stage.service_path, {"spec": values["spec"]})
    fields = ", ".join(
        f"{name}: {value if isinstance(value, str) else ' '.join(value)}" for name, value in values["spec"].items()
    )
    return SeenByStep(fields)


def change_port(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Move the Service's port to the next one."""
    stage.old_port, stage.port = stage.port, stage.port + 1
    ports = [objects.service_port(stage.case, stage.port)]
    stage.service = stage.session.patch(stage.service_path, {"spec": {"ports": ports}})
    return SeenByStep(f"port {stage.old_port} becomes {stage.port}")


def share(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Create a second Service on the first one's load balancer, and wait for its address."""
    session, place = stage.session, stage.session.place

    def written() -> str | None:
        return _annotation(stage.see_service(), service_annotations.BALANCER_ID) or None

    balancer = session.until(written, lambda: f"the CCM did not write {service_annotations.BALANCER_ID} to the Service")
    second = objects.service(
        place, stage.case, stage.port + 1, f"{stage.case.name}-2", **{service_annotations.BALANCER_ID: balancer}
    )
    stage.second = session.create(place.path("services"), second)

    def published() -> str | None:
        service = session.get(stage.second_path)
        if service is None:
            raise StepFailed("the second Service is gone: somebody else deleted it")
        stage.second = service
        return next(iter(ingress(service)), None)

    found = _resolved(session.until(published, lambda: f"the second Service: {_late(session.limits.wait)}"))
    if found != stage.address:
        raise StepFailed(
            f"the second Service has address {found}, not {stage.address}: it got a load balancer of its own"
        )
    return SeenByStep(f"port {stage.port + 1} at the same address")


def unshare(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Delete the second Service; the load balancer must stay."""
    gone(stage, stage.second_path)
    stage.second = {}
    return SeenByStep("the second Service is gone")


def delete(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Delete the Service, and wait until the CCM lets it go."""
    gone(stage, stage.service_path)
    return SeenByStep("the Service is gone, so the CCM has deleted its load balancer")


def gone(stage: Stage, path: str) -> None:
    """Delete a Service, and wait until it is gone: a finalizer keeps it until the CCM has deleted the load balancer."""
    session = stage.session
    session.delete(path)
    session.until(
        lambda: True if session.get(path) is None else None,
        lambda: (
            f"the Service is still there after {session.limits.wait:g} s: its finalizer waits for the CCM, which has "
            "not deleted the load balancer"
        ),
    )
    session.made.pop(path, None)


def _address(stage: Stage) -> str | None:
    return next(iter(ingress(stage.see_service())), None)


def _late(seconds: float) -> str:
    return f"no address within {seconds:g} s"


def _annotation(service: Document, name: str) -> str:
    return text(mapping(mapping(service.get("metadata")).get("annotations")).get(name))


def _resolved(published: str) -> str:
    """The IP address of what a Service publishes.

    Raises:
        StepFailed: It is a hostname that is not known here.
    """
    try:
        return str(ip_address(published))
    except ValueError:
        pass
    found: list[str] = []

    def resolve() -> None:
        try:
            found.append(str(socket.getaddrinfo(published, None)[0][4][0]))
        except (OSError, UnicodeError):
            return

    thread = threading.Thread(target=resolve, daemon=True)  # the resolver itself has no limit
    thread.start()
    thread.join(_RESOLVER_SECONDS)
    if not found:
        raise StepFailed(f"the Service has hostname {published}, which cannot be resolved here")
    return found[0]
