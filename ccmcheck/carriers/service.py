"""Services that other Services share something with, or that a patch changes.

They name what others may name too, a load balancer or an address, or they are patches: a name and a few fields, which
kustomize merges into the Service of that name.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.carriers.base import SharingService
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.yamlio import Mapping, Scalar, Sequence

BALANCER_ID = "loadbalancer.openstack.org/load-balancer-id"


def find(obj: KubernetesObject, carrier: Carrier) -> None:
    """Collect a Service that other Services may share a load balancer or an address with."""
    services = carrier.collector.sharing_services
    if obj.at("spec", "ports") is None:
        annotations = obj.at("metadata", "annotations")
        names = tuple(key.value for key, _ in annotations.items) if isinstance(annotations, Mapping) else ()
        if names and obj.name:
            services.append(SharingService(obj.path, f"Service {obj.name}", patches=names))
        return
    if obj.text_at("spec", "type") != "LoadBalancer":
        return
    balancer = _literal_text(obj, "metadata", "annotations", BALANCER_ID)
    address = _literal_text(obj, "spec", "loadBalancerIP")
    if balancer or address:
        services.append(SharingService(obj.path, obj.subject, balancer, address, tuple(_ports(obj))))


def _literal_text(obj: KubernetesObject, *names: str) -> str:
    """The text at a path of keys that no template mark is a part of; empty without one."""
    node = obj.at(*names)
    return node.value.strip() if isinstance(node, Scalar) and not obj.source.has_mark(node) else ""


def _ports(obj: KubernetesObject) -> Iterator[tuple[str, str]]:
    ports = obj.at("spec", "ports")
    for port in ports.items if isinstance(ports, Sequence) else ():
        if isinstance(port, Mapping) and isinstance(number := port.get("port"), Scalar):
            protocol = port.get("protocol")
            yield obj.source.value_of(number), obj.source.value_of(protocol) if isinstance(protocol, Scalar) else "TCP"
