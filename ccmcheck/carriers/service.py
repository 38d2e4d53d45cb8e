"""Services that other Services have to do with.

They name what others may name too, a load balancer to share or an address to have, or they are patches: a name and a
few fields, which kustomize lays over the Service of that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.base import BoundService
from ccmcheck.yamlio import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.carriers.objects import Object

BALANCER_ID = "loadbalancer.openstack.org/load-balancer-id"


def find(found: Object) -> None:
    """Note a Service that other Services may have to do with.

    Args:
        found: The Service.
    """
    path = found.search.path
    if found.at("spec", "ports") is None:
        annotations = found.at("metadata", "annotations")
        names = tuple(key.value for key, _ in annotations.items) if isinstance(annotations, Mapping) else ()
        if names and found.name:
            found.search.bound.append(BoundService(path, f"Service {found.name}", patches=names))
        return
    if found.said("spec", "type") != "LoadBalancer":
        return
    balancer = _settled(found, "metadata", "annotations", BALANCER_ID)
    address = _settled(found, "spec", "loadBalancerIP")
    if balancer or address:
        found.search.bound.append(BoundService(path, found.subject, balancer, address, tuple(_ports(found))))


def _settled(found: Object, *names: str) -> str:
    """A text that no template mark is a part of; empty without one."""
    node = found.at(*names)
    return node.value.strip() if isinstance(node, Scalar) and not found.level.has_mark(node) else ""


def _ports(found: Object) -> Iterator[tuple[str, str]]:
    ports = found.at("spec", "ports")
    for port in ports.items if isinstance(ports, Sequence) else ():
        if isinstance(port, Mapping) and isinstance(number := port.get("port"), Scalar):
            protocol = port.get("protocol")
            yield found.level.said(number), found.level.said(protocol) if isinstance(protocol, Scalar) else "TCP"
