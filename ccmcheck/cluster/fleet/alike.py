"""Services that differ only in their names and in the numbers that Kubernetes gave them: they are judged once.

The rules and the prediction say the same of each of them, save for the places; where they say anything, each is judged
for itself. Local Services, those without an address, and those that name a load balancer or an address are always
judged alone: what is said of them depends on pods, on time and on other Services.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.cluster.documents import LAST_APPLIED, mapping, mappings, published, title_of
from ccmcheck.cluster.lint import lint
from ccmcheck.cluster.ownership import written_by_ccm
from ccmcheck.cluster.snapshot import service_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def likeness(service: Document) -> str:
    """What Services have in common that are alike; empty for one that is judged alone.

    Args:
        service: The Service as the API server sent it.
    """
    import json

    spec, metadata = mapping(service.get("spec")), mapping(service.get("metadata"))
    written = written_by_ccm(service) | {LAST_APPLIED}
    addresses = published(service)
    annotations = {key: value for key, value in mapping(metadata.get("annotations")).items() if key not in written}
    if (
        not addresses
        or spec.get("externalTrafficPolicy") == "Local"
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
        ],
        sort_keys=True,
    )


def _port(port: Mapping[str, Any]) -> dict[str, Any]:
    return {**port, "nodePort": bool(port.get("nodePort"))}


def _without_names(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: "" if key in _NAMES or key.startswith(_NAMES_BELOW) else value for key, value in values.items()}


def lint_once(snapshot: Snapshot, options: RunOptions, likenesses: Sequence[str]) -> LintResult:
    """Lint a snapshot, and Services that are alike once where there is nothing to say of them.

    Args:
        snapshot: What was read, without files of the Services.
        options: What was asked for.
        likenesses: That of each Service.
    """
    groups: dict[str, list[int]] = {}
    for number, likeness_of in enumerate(likenesses):
        groups.setdefault(likeness_of or str(number), []).append(number)
    first = {numbers[0] for numbers in groups.values()}
    result = lint(_with(snapshot, first), options)
    if len(first) == len(likenesses):
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
