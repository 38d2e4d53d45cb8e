"""Services that differ only in their names and in the numbers that Kubernetes gave them: they are judged once.

The rules and the prediction say the same of each of them, save for the places; where they say anything, each is judged
for itself. Local Services are alike where as many nodes have a pod of theirs. Services without an address, and those
that name a load balancer or an address are always judged alone: what is said of them depends on time and on other
Services. So are Local ones beside a CCM, whose workload is among what is judged and may be theirs; the others beside a
CCM are alike among themselves, for whom its cloud.conf is the nearest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from sys import intern
from typing import Any

from ccmcheck.cluster.access.documents import LAST_APPLIED, mapping, mappings, published, text, title_of
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import OwnersByLabel, carriers, manifest_data, service_input
from ccmcheck.cluster.live.ownership import written_by_ccm

_GIVEN = ("clusterIP", "clusterIPs", "healthCheckNodePort", "selector")
"""Fields of ``spec`` whose values say nothing, where the API server took them."""
_NAMES = ("app", "chart", "heritage", "k8s-app", "name", "release")
_NAMES_BELOW = ("app.kubernetes.io/", "helm.sh/", "meta.helm.sh/", "argocd.argoproj.io/")
_SHORT_NAME = 64
"""Characters of ``namespace/name`` that fit into what Octavia and Neutron store (255), whatever the cluster's name."""
_SHARES = "load-balancer-"
"""In the annotations that name a load balancer or its address."""


def likenesses(
    services: Iterable[Document],
    owners: Iterable[carriers.PodOwner],
    of_ccms: AbstractSet[str],
    odd: AbstractSet[str] = frozenset(),
) -> tuple[str, ...]:
    """What Services have in common that are alike, for each of them; empty for one that is judged alone.

    Args:
        services: The Services as the API server sent them.
        owners: On how many nodes Local ones have ready pods.
        of_ccms: The namespaces of the CCMs.
        odd: The titles of those of which something is to be said alone.
    """
    by_label = OwnersByLabel(owners)
    # each is kept once, and what they have in common is long
    return tuple(
        "" if title_of(service) in odd else intern(_likeness(service, by_label, of_ccms)) for service in services
    )


def _likeness(service: Document, owners: OwnersByLabel, of_ccms: AbstractSet[str]) -> str:
    import json

    spec, metadata = mapping(service.get("spec")), mapping(service.get("metadata"))
    written = written_by_ccm(service) | {LAST_APPLIED}
    addresses = published(service)
    annotations = {key: value for key, value in mapping(metadata.get("annotations")).items() if key not in written}
    namespace = text(metadata.get("namespace"))
    is_local = spec.get("externalTrafficPolicy") == "Local"
    if (
        not addresses
        or (is_local and namespace in of_ccms)
        or spec.get("loadBalancerIP")
        or any(_SHARES in key for key in annotations)
    ):
        return ""
    return json.dumps(
        [
            {key: value for key, value in spec.items() if key not in _GIVEN and key != "ports"},
            [{**port, "nodePort": bool(port.get("nodePort"))} for port in mappings(spec.get("ports"))],
            namespace if namespace in of_ccms else "",
            max(_SHORT_NAME, len(title_of(service))),
            bool(spec.get("selector")),
            _without_names(mapping(metadata.get("labels"))),
            _without_names(annotations),
            [[bool(entry.get("ip")), bool(entry.get("hostname")), entry.get("ipMode")] for entry in addresses],
            _pods(service, owners) if is_local else [],
        ],
        sort_keys=True,
    )


def _pods(service: Document, owners: OwnersByLabel) -> list[object]:
    """What is known of the pods of a Service."""
    namespace = text(mapping(service.get("metadata")).get("namespace"))
    selector = mapping(service.get("spec")).get("selector")
    found_service = manifest_data.with_pods(
        service_input.Service("", namespace), selector, owners.selected(namespace, selector), None
    )
    return [found_service.ready_nodes, found_service.replicas, found_service.everywhere]


def _without_names(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: "" if key in _NAMES or key.startswith(_NAMES_BELOW) else value for key, value in values.items()}
