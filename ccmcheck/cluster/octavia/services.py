"""The Services of a cluster as owners of load balancers: all of them, or an error, never a part."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import is_load_balancer, mapping, published, text, title_of
from ccmcheck.cluster.access.transport import Document, Transport, items
from ccmcheck.cluster.core import NamedTuple, service_annotations
from ccmcheck.cluster.live.services import FINALIZER


class Owners(NamedTuple):
    """The Services that own something, as far as that can be told from Kubernetes.

    Attributes:
        titles: ``namespace/name`` of those that have or await a load balancer.
        uids: The UIDs of all Services.
        balancers: The IDs that annotations name.
        addresses: The addresses that statuses publish.
        total: How many have a load balancer.
    """

    titles: frozenset[str]
    uids: frozenset[str]
    balancers: frozenset[str]
    addresses: frozenset[str]
    total: int

    def joined(self, other: Owners) -> Owners:
        """The Services of both."""
        return Owners(
            self.titles | other.titles,
            self.uids | other.uids,
            self.balancers | other.balancers,
            self.addresses | other.addresses,
            self.total + other.total,
        )


def read_owners(transport: Transport) -> Owners:
    """Read all Services of a cluster.

    Raises:
        ApiError: Not all of them could be read.
    """
    return owners_of(items(transport, requests.SERVICES.path))


def owners_of(services: Iterable[Document]) -> Owners:
    """What Services own."""
    titles, uids, balancers, addresses = set(), set(), set(), set()
    for service in services:
        metadata = mapping(service.get("metadata"))
        uids.add(text(metadata.get("uid")))
        identifier = text(mapping(metadata.get("annotations")).get(f"{service_annotations.PREFIX}load-balancer-id"))
        if not _has_balancer(service, metadata) and not identifier:
            continue
        titles.add(title_of(service))
        balancers.add(identifier)
        for ingress in published(service):
            addresses.add(text(ingress.get("ip")))
    return Owners(
        frozenset(titles - {""}),
        frozenset(uids - {""}),
        frozenset(balancers - {""}),
        frozenset(addresses - {""}),
        len(titles),
    )


def _has_balancer(service: Document, metadata: Document) -> bool:
    finalizers = metadata.get("finalizers")
    cleanup = isinstance(finalizers, list) and FINALIZER in finalizers
    return cleanup or is_load_balancer(service)
