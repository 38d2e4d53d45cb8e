"""A snapshot of a cluster that keeps its Services and Nodes as they are, for the comparison with OpenStack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import is_load_balancer, is_ready, mapping, mappings, published, text
from ccmcheck.cluster.core import manifest_data, service_input
from ccmcheck.cluster.live.snapshot import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ccmcheck.cluster.access.requests import Request
    from ccmcheck.cluster.access.transport import Document, Transport
    from ccmcheck.cluster.core import cloud_state, service_input

UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized"


class KeepingReader(Reader):
    """Reads one cluster, and keeps what the comparison needs.

    Attributes:
        services: The Services of type LoadBalancer with their subjects, annotations of the CCM included.
        nodes: The nodes that the service controller hands to the CCM.
        published: The subjects of those that have an address.
        doubtful: Addresses of nodes that it may or may not hand over: not ready, not initialized, or going.
    """

    def __init__(self, transport: Transport, context: str, namespaces: Sequence[str] = requests.CCM_NAMESPACES) -> None:
        super().__init__(transport, context, namespaces)
        self.services: list[tuple[str, service_input.Service]] = []
        self.nodes: list[cloud_state.Node] = []
        self.doubtful: set[str] = set()
        self.published: set[str] = set()

    def objects(self, request: Request, query: Mapping[str, str] | None = None) -> Iterator[Document]:
        """The objects of a list; see `Reader.objects`."""
        for document in super().objects(request, query):
            if request == requests.SERVICES:
                self._keep_service(document)
            elif request == requests.NODES:
                self._keep_node(document)
            yield document

    def _keep_service(self, document: Document) -> None:
        is_going = "deletionTimestamp" in mapping(document.get("metadata"))
        if is_going or not is_load_balancer(document):
            return
        service = service_input.read_service(document, allocate=False)
        subject = f"Service {service.title}"
        self.services.append((subject, service))
        if published(document):
            self.published.add(subject)

    def _keep_node(self, document: Document) -> None:
        node, why = manifest_data.read_node(document)
        addresses = {address for _, address in node.addresses}
        if why:
            return
        if _is_doubtful(document, node):
            self.doubtful |= addresses
        self.nodes.append(node)


def _is_doubtful(document: Document, node: cloud_state.Node) -> bool:
    taints = {text(one.get("key")) for one in mappings(mapping(document.get("spec")).get("taints"))}
    going = "deletionTimestamp" in mapping(document.get("metadata"))
    return not is_ready(document) or going or not node.provider_id or UNINITIALIZED in taints
