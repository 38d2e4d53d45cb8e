"""What a management cluster says without any access to its workload clusters: the documents that make them.

ClusterResourceSets with the Secrets and ConfigMaps that they apply, KubeadmControlPlanes and HelmChartProxies are
judged by the engine of `lint`, as files of a repository would be; findings say for how many Clusters they count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import ObjectFile, decoded, mapping, mappings, object_file, text
from ccmcheck.cluster.access.errors import NOT_FOUND, ApiError, Refused
from ccmcheck.cluster.access.kubeconfig import plain_documents
from ccmcheck.cluster.access.requests import config
from ccmcheck.cluster.access.transport import Document, Transport, items
from ccmcheck.cluster.core import NamedTuple, lint_results, model, run_options
from ccmcheck.cluster.fleet.targets import ClusterTarget
from ccmcheck.cluster.live.places import LivePlaces

_CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name"
_NAMED = 3
_MOST_TEXT = 8 * 1024 * 1024


class Delivery(NamedTuple):
    """An object of the management cluster, and the clusters that it is for.

    Attributes:
        file: The object as a file.
        subject: What delivers it to clusters: ``ClusterResourceSet clusters/ccm``, or itself.
        clusters: The names of the clusters, in the order of their keys.
        delivers: The objects that it makes in them, ``Secret kube-system/cloud-config``.
    """

    file: ObjectFile
    subject: str
    clusters: tuple[str, ...]
    delivers: tuple[str, ...] = ()


class ManagementSide(NamedTuple):
    """Everything that was read of it.

    Attributes:
        deliveries: The objects, each once for each that delivers it.
        failures: What could not be read.
    """

    deliveries: tuple[Delivery, ...]
    failures: tuple[lint_results.Failure, ...]

    @property
    def delivered(self) -> dict[tuple[str, str], str]:
        """From the name of a cluster and of an object in it to what delivers it."""
        return {
            (cluster, subject): delivery.subject
            for delivery in self.deliveries
            for cluster in delivery.clusters
            for subject in delivery.delivers
        }


def read(transport: Transport, targets: Sequence[ClusterTarget], namespaces: Sequence[str] = ()) -> ManagementSide:
    """Read the objects of a management cluster that may carry a cloud.conf.

    Args:
        transport: Asks its API server.
        targets: Its Clusters.
        namespaces: Their namespaces; none for all.
    """
    reading = _Reading(transport, targets)
    for namespace in namespaces or ("",):
        reading.read(namespace)
    return ManagementSide(tuple(reading.deliveries), tuple(reading.failures))


def lint_side(side: ManagementSide, options: run_options.RunOptions, header: str) -> lint_results.LintResult:
    """Judge the objects, and say for which clusters each finding counts.

    Args:
        side: What was read.
        options: What was asked for.
        header: Which management cluster it is.
    """
    from ccmcheck.cluster.core import lint_texts
    from ccmcheck.cluster.live.lint import PARTIAL

    files = {delivery.file.path: delivery.file for delivery in side.deliveries}
    places = LivePlaces(files.values())
    clusters: dict[str, tuple[str, ...]] = {}
    for delivery in side.deliveries:
        known = clusters.get(delivery.file.subject, ())
        clusters[delivery.file.subject] = tuple(dict.fromkeys((*known, *delivery.clusters)))
    result = lint_texts.run_texts(
        {path: file.text.encode() for path, file in files.items()}, options._replace(finished=places.file_result)
    )
    summary = places.summary(result.summary)
    warnings = (*summary.warnings, PARTIAL) if side.failures else summary.warnings
    return result._replace(
        findings=[_for_clusters(finding, clusters) for finding in result.findings],
        failures=[*side.failures, *result.failures],
        summary=summary._replace(header=header, warnings=warnings),
    )


def _for_clusters(finding: model.Finding, clusters: dict[str, tuple[str, ...]]) -> model.Finding:
    names = clusters.get(finding.place.path, ())
    if not names:
        return finding
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    said = f"It is for {len(names):,} cluster{'s' if len(names) > 1 else ''}: {', '.join(names[:_NAMED])}{more}."
    return finding._replace(detail=f"{finding.detail} {said}".strip())


class _Reading:
    """Reads one management cluster.

    Args:
        transport: Asks its API server.
        targets: Its Clusters.
    """

    def __init__(self, transport: Transport, targets: Sequence[ClusterTarget]) -> None:
        self._transport = transport
        self._targets = targets
        self._read: dict[tuple[str, str, str], Document | None] = {}
        self.deliveries: list[Delivery] = []
        self.failures: list[lint_results.Failure] = []

    def read(self, namespace: str) -> None:
        """Read the objects of a namespace; of all for an empty one."""
        for group, resource, kind in requests.DOCUMENTS:
            for obj in self._objects(group, resource, namespace):
                document = {**obj, "kind": obj.get("kind") or kind}
                if kind == "ClusterResourceSet":
                    self._resource_set(document)
                elif kind == "HelmChartProxy":
                    self._add(document, self._selected(document))
                else:
                    self._add(document, self._of_control_plane(document))

    def _objects(self, group: str, resource: str, namespace: str) -> Iterator[Document]:
        """The objects of a kind, in the first of its versions that is served; none where the kind is not."""
        try:
            served = self._transport.get(f"/apis/{group}")
        except ApiError as error:
            if not (isinstance(error, Refused) and error.status == NOT_FOUND):
                self.failures.append(lint_results.Failure(f"API group {group}", error.message, error.hint))
            return
        versions = [text(version.get("version")) for version in mappings(served.get("versions"))]
        preferred = text(mapping(served.get("preferredVersion")).get("version"))
        for version in dict.fromkeys((preferred, *versions)):
            if not version.isalnum():
                continue
            request = requests.documents(group, version, resource, namespace)
            try:
                yield from items(self._transport, request.path)
            except ApiError as error:
                if isinstance(error, Refused) and error.status == NOT_FOUND:
                    continue
                self.failures.append(lint_results.Failure(request.title, error.message, error.hint))
            return

    def _resource_set(self, obj: Document) -> None:
        clusters = self._selected(obj)
        subject = self._add(obj, clusters)
        namespace = text(mapping(obj.get("metadata")).get("namespace"))
        for resource in mappings(mapping(obj.get("spec")).get("resources")):
            kind, name = text(resource.get("kind")), text(resource.get("name"))
            held = self._held(kind, namespace, name)
            if held is not None:
                self.deliveries.append(Delivery(object_file(held), subject, clusters, tuple(_inside(held))))

    def _held(self, kind: str, namespace: str, name: str) -> Document | None:
        """A Secret or ConfigMap that a ClusterResourceSet applies; None where it cannot be read."""
        key = kind, namespace, name
        if kind not in ("Secret", "ConfigMap") or not name:
            return None
        if key not in self._read:
            request = config(kind, namespace, name)
            self._read[key] = None
            try:
                self._read[key] = {"kind": kind, "apiVersion": "v1", **self._transport.get(request.path)}
            except ApiError as error:
                self.failures.append(lint_results.Failure(request.title, error.message, error.hint))
        return self._read[key]

    def _add(self, obj: Document, clusters: tuple[str, ...]) -> str:
        file = object_file(obj)
        self.deliveries.append(Delivery(file, file.subject, clusters))
        return file.subject

    def _selected(self, obj: Document) -> tuple[str, ...]:
        namespace = text(mapping(obj.get("metadata")).get("namespace"))
        selector = mapping(mapping(obj.get("spec")).get("clusterSelector"))
        return tuple(
            target.name
            for target in self._targets
            if target.source == namespace and matches(selector, dict(target.labels))
        )

    def _of_control_plane(self, obj: Document) -> tuple[str, ...]:
        metadata = mapping(obj.get("metadata"))
        cluster = text(mapping(metadata.get("labels")).get(_CLUSTER_LABEL))
        namespace = text(metadata.get("namespace"))
        return tuple(
            target.name for target in self._targets if target.source == namespace and target.context == cluster
        )


def matches(selector: Document, labels: dict[str, str]) -> bool:
    """Whether labels match a label selector; an empty one matches nothing, as Cluster API reads it."""
    exact, expressions = mapping(selector.get("matchLabels")), mappings(selector.get("matchExpressions"))
    if not exact and not expressions:
        return False
    return all(labels.get(key) == value for key, value in exact.items()) and all(
        _holds(expression, labels) for expression in expressions
    )


def _holds(expression: Document, labels: dict[str, str]) -> bool:
    key, values = text(expression.get("key")), expression.get("values")
    wanted = values if isinstance(values, list) else []
    operator = expression.get("operator")
    if operator == "In":
        return labels.get(key) in wanted
    if operator == "NotIn":
        return labels.get(key) not in wanted
    return (key in labels) is (operator == "Exists")


def _inside(held: Document) -> Iterator[str]:
    """The objects that a resource of a ClusterResourceSet makes."""
    is_secret = held.get("kind") == "Secret"
    for value in mapping(held.get("data")).values():
        written = decoded(text(value)) if is_secret else text(value)
        if "cloud" not in written or len(written) > _MOST_TEXT:
            continue
        yield from _subjects(plain_documents(written))


def _subjects(documents: Iterable[Any]) -> Iterator[str]:
    for document in documents:
        metadata = mapping(mapping(document).get("metadata"))
        kind, name = text(mapping(document).get("kind")), text(metadata.get("name"))
        if kind in ("Secret", "ConfigMap") and name:
            yield f"{kind} {text(metadata.get('namespace')) or 'default'}/{name}"
