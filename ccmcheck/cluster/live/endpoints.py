"""On how many nodes a Service has a pod that is ready: what decides how Local Services work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import mapping, mappings, object_path, text
from ccmcheck.cluster.core import carriers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ccmcheck.cluster.access.transport import Document

SERVICE_LABEL = "kubernetes.io/service-name"
_NAMES_OF_A_REQUEST = 50


def selectors(services: Sequence[Document]) -> Iterator[str]:
    """Label selectors for the EndpointSlices of Local Services, a few names in each, so that URLs stay short."""
    names = sorted({text(mapping(service.get("metadata")).get("name")) for service in services if _is_local(service)})
    for start in range(0, len(names), _NAMES_OF_A_REQUEST):
        yield f"{SERVICE_LABEL} in ({','.join(names[start : start + _NAMES_OF_A_REQUEST])})"


def pod_owners(services: Sequence[Document], slices: Iterable[Document]) -> Iterator[carriers.PodOwner]:
    """The pods of Local Services, as far as their EndpointSlices say where these are.

    Args:
        services: Services of type LoadBalancer.
        slices: EndpointSlices of these, and maybe of others.
    """
    nodes: dict[tuple[str, str], set[str]] = {}
    for one in slices:
        metadata = mapping(one.get("metadata"))
        key = text(metadata.get("namespace")), text(mapping(metadata.get("labels")).get(SERVICE_LABEL))
        ready = nodes.setdefault(key, set())
        for endpoint in mappings(one.get("endpoints")):
            node = text(endpoint.get("nodeName"))
            if node and mapping(endpoint.get("conditions")).get("ready") is not False:
                ready.add(node)
    for service in filter(_is_local, services):
        metadata = mapping(service.get("metadata"))
        namespace, name = text(metadata.get("namespace")), text(metadata.get("name"))
        selector = mapping(mapping(service.get("spec")).get("selector"))
        if selector and (namespace, name) in nodes:
            labels = {str(key): text(value) for key, value in selector.items()}
            path = object_path("EndpointSlice", namespace, name)
            yield carriers.PodOwner(path, namespace, labels, None, ready_nodes=len(nodes[namespace, name]))


def _is_local(service: Document) -> bool:
    return mapping(service.get("spec")).get("externalTrafficPolicy") == "Local"
