"""Services, nodes and pods' owners from the objects of files: plain data, with the way back to the place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.span_index import joined_spans
from ccmcheck.base.text import LineIndex
from ccmcheck.base.uuids import UUID_LIKE
from ccmcheck.carriers.base import PodOwner
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.source_text import SourceText
from ccmcheck.catalog.service_annotations import BALANCER_ID
from ccmcheck.predict.inputs.cloud_state import Node
from ccmcheck.predict.inputs.fields import Opaque, at
from ccmcheck.predict.inputs.nodes import EXCLUDED, NOT_EXCLUDED
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.inputs.sharing import Sharer, taken_ports
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, kubernetes_scalar, values_of

_DEEPEST = 40
"""Levels of nesting; a Service has seven."""

_OTHER_TYPES = ("", "ClusterIP", "NodePort", "ExternalName")
_OWNERS = ("Deployment", "StatefulSet", "ReplicaSet", "DaemonSet")


@lru_cache(maxsize=4)
def _lines_of(text: str) -> LineIndex:
    """One file's lines, for all Services in it."""
    return LineIndex(text)


class ServiceObject(NamedTuple):
    """A Service and the object that it was read from."""

    service: Service
    object: KubernetesObject

    @property
    def line(self) -> int:
        """The line of its file in which the object begins, from 1."""
        stack = self.object.source.stack
        if stack.is_of_files:
            return 1  # its fields come from several files; the kustomization that builds it stands for them
        return _lines_of(stack.text).position(stack.outward(self.object.node.content).start)[0]

    def span_of(self, path: tuple[str | int, ...]) -> Span:
        """The place of a path in the object's text; the nearest one above where it is not there."""
        node: YamlNode = self.object.node
        span = node.content
        for part in path:
            if isinstance(node, Mapping) and isinstance(part, str):
                key, value = node.key(part), node.get(part)
                if key is None or value is None:
                    break
                span, node = key.span, value
            elif isinstance(node, Sequence) and isinstance(part, int) and (item := node.item(part)) is not None:
                node = item
                span = node.content
            else:
                break
        return span


class Manifests(NamedTuple):
    """What files hold of a cluster.

    Attributes:
        services: The Services of type LoadBalancer, and those that are broken, in order.
        others: How many Services are of another type.
        nodes: The nodes that the service controller hands to the CCM.
        left_out: Nodes that it does not hand over, with the reason.
    """

    services: tuple[ServiceObject, ...] = ()
    others: int = 0
    nodes: tuple[Node, ...] = ()
    left_out: tuple[str, ...] = ()


def read_manifests(
    objects: Iterable[KubernetesObject], nodes: int | None = None, *, allocate: bool = True
) -> Manifests:
    """Read the objects of files.

    Args:
        objects: The objects, in the order of the files.
        nodes: How many nodes there are, for DaemonSets; None when unknown.
        allocate: See `read_service`.
    """
    services: list[ServiceObject] = []
    found_nodes: list[Node] = []
    left_out: list[str] = []
    apart: list[Node] = []
    makers: list[PodOwner] = []
    selectors: list[object] = []
    others = 0
    for item in objects:
        if item.kind == "Service":
            data = plain(item.node, item.source)
            service = read_service(data, allocate=allocate)
            if service.type != "LoadBalancer" and not _means_balancer(data):
                others += 1
                continue
            services.append(ServiceObject(service, item))
            selectors.append(at(data, "spec", "selector"))
        elif item.kind == "Node":
            node, why = read_node(plain(item.node, item.source))
            if why:
                left_out.append(f"{node.name}: {why}")
                apart.append(node)
            else:
                found_nodes.append(node)
        else:
            makers += owners((item,))
    count = len(found_nodes) or nodes
    makers = [_narrowed(one, found_nodes) for one in makers]
    return Manifests(
        _with_rivals(
            [
                one._replace(
                    service=with_pods(one.service, selector, makers, count)._replace(
                        elsewhere=_elsewhere(selected(one.service.namespace, selector, makers), found_nodes, apart)
                    )
                )
                for one, selector in zip(services, selectors, strict=True)
            ]
        ),
        others,
        tuple(found_nodes),
        tuple(left_out),
    )


def _narrowed(maker: PodOwner, members: list[Node]) -> PodOwner:
    """A workload with an unknown number of Nodes with a pod, where its node selector fits fewer than it has pods."""
    if not maker.node_selector:
        return maker
    fits = sum(maker.node_selector.items() <= node.labels.items() for node in members)
    return maker._replace(replicas=None) if 0 < fits < min(maker.replicas or 0, len(members)) else maker


def _elsewhere(makers: list[PodOwner], members: list[Node], apart: list[Node]) -> str:
    """A label of the Nodes that are left out and alone may run pods, where all Nodes are known; else empty."""
    for one in makers:
        if not (one.node_selector and apart):
            return ""
        fits = [one.node_selector.items() <= node.labels.items() for node in (*members, *apart)]
        if any(fits[: len(members)]) or not any(fits):
            return ""
    return next(iter(makers[0].node_selector)) if makers and members else ""


def _with_rivals(services: list[ServiceObject]) -> tuple[ServiceObject, ...]:
    """Mark the Services with a port that another, in a file before, has at the load balancer that both name."""
    taken = taken_ports(sharer for one in services if (sharer := sharer_of(one)) is not None)
    if not taken:
        return tuple(services)
    return tuple(
        one._replace(service=one.service._replace(rival_port=next(iter(taken[place]))[0])) if place in taken else one
        for one in services
        for place in ((one.object.path, one.object.subject),)
    )


def sharer_of(service_object: ServiceObject) -> Sharer | None:
    """A Service as one of those that name its load balancer; None where it names none that can be shared."""
    service, item = service_object.service, service_object.object
    balancer = service.annotations.get(BALANCER_ID, "").strip()
    if service.owner or not UUID_LIKE.fullmatch(balancer):
        return None
    return Sharer((item.path, item.subject), balancer, tuple((port.port, port.protocol) for port in service.ports))


def owners(objects: Iterable[KubernetesObject]) -> Iterator[PodOwner]:
    """What makes pods among some objects.

    Yields:
        Those whose pods' labels and number can be read.
    """
    for item in objects:
        if item.kind in _OWNERS or item.kind == "ConfigMap":
            is_whole = not item.source.may_gain_lines(item.node)
            owner = _owner(plain(item.node, item.source), item.kind, item.path, is_whole=is_whole)
            if owner is not None:
                yield owner


def plain(node: YamlNode, source: SourceText) -> object:
    """A YAML node as Kubernetes reads it, before it knows the fields' types.

    Marks of templates are `Opaque`, and so is what lies too deep or what aliases multiply.

    Args:
        node: The node.
        source: The text that it is in.
    """
    start, end = node.span
    return _Plain(_undecided(source), values_of(end - start)).read(node, 0)


_joined: list[tuple[str, tuple[Span, ...], tuple[Span, ...]]] = []
"""The last text of a template and its marks with what its conditions may take away: many objects share one text."""


def _undecided(source: SourceText) -> SourceText:
    """The text with all that a template's condition may take away as a mark."""
    if not source.marks:
        return source
    if not _joined or _joined[0][0] is not source.written or _joined[0][1] is not source.marks:
        from ccmcheck.yamlio import branches

        conditions = branches.in_template(source.written, source.marks)
        bodies = [arm.body for arm in conditions.arms] if conditions is not None else []
        _joined[:] = [(source.written, source.marks, joined_spans([*source.marks, *bodies]))]
    return source._replace(marks=_joined[0][2])


class _Plain:
    """Reads nodes, aliases written out.

    Args:
        source: The text that they are in.
        most: How many values are read.
    """

    def __init__(self, source: SourceText, most: int) -> None:
        self._source = source
        self._has_marks = bool(source.marks)
        self._left = most

    def read(self, node: YamlNode, depth: int) -> object:
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return Opaque()
        if isinstance(node, Scalar):
            if self._has_marks and self._source.has_mark(node):
                return Opaque(self._source.value_of(node))
            return kubernetes_scalar(node)
        if isinstance(node, Sequence):
            return [self.read(item, depth + 1) for item in node.items if self._left >= 0]
        if isinstance(node, Mapping):
            mapping: dict[str, object] = {}
            for key, value in node.items:
                name = self._source.value_of(key) if self._has_marks else key.value
                if name == "<<":
                    _merge(mapping, self.read(value, depth + 1))
                else:
                    mapping[name] = self.read(value, depth + 1)
            return mapping
        return None


def _merge(target: dict[str, object], merged: object) -> None:
    for source in merged if isinstance(merged, list) else [merged]:
        if isinstance(source, dict):
            for key, value in source.items():
                target.setdefault(key, value)


def _means_balancer(data: object) -> bool:
    """Whether a Service whose type cannot be read may still become a load balancer."""
    spec = at(data, "spec")
    if not isinstance(spec, dict):
        return spec is not None
    kind = spec.get("type")
    return isinstance(kind, Opaque) or (kind is not None and kind not in _OTHER_TYPES)


def _texts(data: object) -> dict[str, str]:
    if not isinstance(data, dict):
        return {}
    return {str(key): value for key, value in data.items() if isinstance(value, str)}


def read_node(data: object) -> tuple[Node, str]:
    """A node, and why it is left out; empty where it is not.

    Args:
        data: The object as plain data.
    """
    name = at(data, "metadata", "name")
    labels = _texts(at(data, "metadata", "labels"))
    addresses = at(data, "status", "addresses")
    provider = at(data, "spec", "providerID")
    pods = at(data, "spec", "podCIDRs") or [at(data, "spec", "podCIDR")]
    node = Node(
        name if isinstance(name, str) else "unnamed",
        tuple(
            (str(entry.get("type")), str(entry["address"]))
            for entry in (addresses if isinstance(addresses, list) else ())
            if isinstance(entry, dict) and isinstance(entry.get("address"), str)
        ),
        labels,
        # an object with a status is a live one, in which the field is what it is
        provider if isinstance(provider, str) else "" if addresses and provider is None else None,
        pods=tuple(one for one in (pods if isinstance(pods, list) else ()) if isinstance(one, str)),
    )
    if EXCLUDED in labels and labels[EXCLUDED] not in NOT_EXCLUDED:
        return node, f"its label {EXCLUDED}"
    if at(data, "metadata", "deletionTimestamp"):
        return node, "it is being deleted"
    taints = at(data, "spec", "taints")
    for taint in taints if isinstance(taints, list) else ():
        if isinstance(taint, dict) and taint.get("key") == "ToBeDeletedByClusterAutoscaler":
            return node, "the autoscaler is about to delete it"
    return node, ""


def _owner(data: object, kind: str, path: str, *, is_whole: bool) -> PodOwner | None:
    from ccmcheck.predict.inputs import listening  # its table is needed where there are workloads

    given = at(data, "metadata", "namespace")
    namespace = given if isinstance(given, str) else "default"
    if kind == "ConfigMap":
        name = {"": str(at(data, "metadata", "name"))}
        return PodOwner(path, namespace, name, 0, listening=listening.of_config_map(data, is_whole=is_whole))
    labels = _texts(at(data, "spec", "template", "metadata", "labels"))
    if not labels:
        return None
    replicas = at(data, "spec", "replicas")
    everywhere = False
    pod = at(data, "spec", "template", "spec")
    if kind == "DaemonSet":
        count = None
        everywhere = not at(pod, "nodeSelector") and not at(pod, "affinity")
    elif replicas is None:
        count = 1
    elif isinstance(replicas, int) and not isinstance(replicas, bool):
        count = max(replicas, 0)
    else:
        return None
    behind = listening.of_pod(pod, namespace, is_whole=is_whole)
    return PodOwner(path, namespace, labels, count, everywhere, None, _texts(at(pod, "nodeSelector")), behind)


def selector_of(item: KubernetesObject) -> object:
    """The selector of a Service as plain data."""
    return at(plain(item.node, item.source), "spec", "selector")


def selected(namespace: str, selector: object, candidates: Iterable[PodOwner]) -> list[PodOwner]:
    """The candidates that a Service selects; none without a selector."""
    labels = _texts(selector)
    return [one for one in candidates if one.namespace == namespace and labels.items() <= one.labels.items() and labels]


def with_pods(service: Service, selector: object, candidates: Iterable[PodOwner], nodes: int | None) -> Service:
    """A Service with the pods that it selects, as far as the files tell.

    Args:
        service: The Service.
        selector: Its ``spec.selector`` as plain data.
        candidates: Workloads that create pods.
        nodes: How many nodes there are; None when unknown.
    """
    own = selected(service.namespace, selector, candidates)
    if not own:
        return service
    ready = [owner.ready_nodes for owner in own if owner.ready_nodes is not None]
    if ready:  # of Services with a narrower selector, too
        return service._replace(ready_nodes=max(ready))
    counts = [owner.replicas if not owner.everywhere else nodes for owner in own]
    known = [count for count in counts if count is not None]
    return service._replace(
        replicas=sum(known) if len(known) == len(counts) else None, everywhere=any(owner.everywhere for owner in own)
    )
