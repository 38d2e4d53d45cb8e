"""Services that differ only in their names and in the numbers that Kubernetes gave them: they are judged once.

The rules and the prediction say the same of each of them, save for the places; where they say anything, each is judged
for itself. Local Services are alike where as many nodes have a pod of theirs. Services without an address, and those
that name a load balancer or an address are always judged alone: what is said of them depends on time and on other
Services. So are Local ones beside a CCM, whose workload is among what is judged and may be theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.cluster.documents import LAST_APPLIED, mapping, mappings, published, text, title_of
from ccmcheck.cluster.lint import lint
from ccmcheck.cluster.ownership import written_by_ccm
from ccmcheck.cluster.snapshot import service_file
from ccmcheck.objects.pod_owners import OwnersByLabel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ccmcheck.base.result import LintResult
    from ccmcheck.cluster.snapshot import Snapshot
    from ccmcheck.cluster.transport import Document
    from ccmcheck.lint.run_options import RunOptions

_GIVEN = ("clusterIP", "clusterIPs", "healthCheckNodePort", "selector", "sessionAffinityConfig")
"""Fields of ``spec`` whose values say nothing, where the API server took them."""
_NAMES = ("app", "chart", "heritage", "k8s-app", "name", "release")
_NAMES_BELOW = ("app.kubernetes.io/", "helm.sh/", "meta.helm.sh/", "argocd.argoproj.io/")
_SHARES = "load-balancer-"
"""In the annotations that name a load balancer or its address."""


def likenesses(snapshot: Snapshot) -> list[str]:
    """What Services have in common that are alike, for each of a snapshot; empty for one that is judged alone.

    Args:
        snapshot: What was read, with the Services as the API server sent them.
    """
    owners = OwnersByLabel(snapshot.pod_owners)
    namespaces = {ccm.pod.namespace for ccm in snapshot.ccms}
    return [_likeness(service, owners, namespaces) for service in snapshot.objects]


def _likeness(service: Document, owners: OwnersByLabel, of_ccms: AbstractSet[str]) -> str:
    import json

    spec, metadata = mapping(service.get("spec")), mapping(service.get("metadata"))
    written = written_by_ccm(service) | {LAST_APPLIED}
    addresses = published(service)
    annotations = {key: value for key, value in mapping(metadata.get("annotations")).items() if key not in written}
    is_local = spec.get("externalTrafficPolicy") == "Local"
    if (
        not addresses
        or (is_local and metadata.get("namespace") in of_ccms)
        or spec.get("loadBalancerIP")
        or any(_SHARES in key for key in annotations)
    ):
        return ""
    return json.dumps(
        [
            {key: value for key, value in spec.items() if key not in _GIVEN and key != "ports"},
            [_port(port) for port in mappings(spec.get("ports"))],
            sorted(mapping(spec.get("sessionAffinityConfig"))),
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
    from ccmcheck.predict.inputs.manifests import with_pods
    from ccmcheck.predict.inputs.service import Service

    namespace = text(mapping(service.get("metadata")).get("namespace"))
    selector = mapping(service.get("spec")).get("selector")
    found = with_pods(Service("", namespace), selector, owners.selected(namespace, selector), None)
    return [found.ready_nodes, found.replicas, found.everywhere]


def _port(port: Mapping[str, Any]) -> dict[str, Any]:
    return {**port, "nodePort": bool(port.get("nodePort"))}


def _without_names(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: "" if key in _NAMES or key.startswith(_NAMES_BELOW) else value for key, value in values.items()}


def lint_once(snapshot: Snapshot, options: RunOptions, alike: Sequence[str]) -> LintResult:
    """Lint a snapshot, and Services that are alike once where there is nothing to say of them.

    Args:
        snapshot: What was read, without files of the Services.
        options: What was asked for.
        alike: What each Service has in common with others; see `likenesses`.
    """
    groups: dict[str, list[int]] = {}
    for number, likeness_of in enumerate(alike):
        groups.setdefault(likeness_of or str(number), []).append(number)
    first = {numbers[0] for numbers in groups.values()}
    result = lint(_with(snapshot, first), options)
    if len(first) == len(alike):
        return result
    reported = {finding.place.path for finding in result.findings} | {failure.path for failure in result.failures}
    more = {
        number
        for numbers in groups.values()
        if len(numbers) > 1 and subject(snapshot.objects[numbers[0]]) in reported
        for number in numbers
    }
    return lint(_with(snapshot, first | more), options) if more else result


def _with(snapshot: Snapshot, numbers: set[int]) -> Snapshot:
    objects = snapshot.objects
    return snapshot._replace(services=tuple(service_file(objects[number]) for number in sorted(numbers)))


def subject(service: Document) -> str:
    """What people call a Service: ``Service shop/web``."""
    return f"Service {title_of(service)}"
