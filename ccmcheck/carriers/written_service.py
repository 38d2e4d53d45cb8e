"""A Service that something else becomes: the object that is judged, its places those of what it is made from."""

from __future__ import annotations

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.model import Span
from ccmcheck.carriers import service
from ccmcheck.carriers.base import Listening
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject, read_object
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, made
from ccmcheck.layers.placed_writer import write
from ccmcheck.yamlio import Mapping, documents

SERVICE = "Service"
_APP = "app.kubernetes.io/name"
_NOWHERE = Span(0, 0)


def service_tree(name: Leaf, annotations: Map | None, spec: Map, place: Span, namespace: str = "") -> Map:
    """The fields of a Service.

    Args:
        name: Its name.
        annotations: Its annotations.
        spec: Its spec; it gets a selector, which the values of no chart name.
        place: What stands for the fields that nothing sets.
        namespace: Its namespace; empty where that is unknown.
    """
    tree, metadata, selector = Map(place), Map(place), Map(place)
    tree.put("apiVersion", made("v1", place))
    tree.put("kind", made(SERVICE, place), place)
    metadata.put("name", name)
    if namespace and "{{" not in namespace and "$" not in namespace:  # else a template decides it
        metadata.put("namespace", made(namespace, place))
    if annotations:
        metadata.put("annotations", annotations)
    tree.put("metadata", metadata)
    selector.put(_APP, Leaf(name.value, name.text, place, unknown=name.unknown))
    spec.put("selector", selector)
    tree.put("spec", spec)
    return tree


def port(name: str, number: Leaf, protocol: str, place: Span) -> Map:
    """One port of a Service."""
    found = Map(place)
    found.put("name", made(name, place))
    found.put("port", number)
    found.put("protocol", made(protocol, place))
    return found


def number(value: int, place: Span) -> Leaf:
    """A number that nothing in the text names."""
    return Leaf(value, str(value), place)


def texts(annotations: Map) -> Map:
    """Annotations as a chart writes them that makes a text of every value."""
    found = Map(annotations.place)
    for name, value in annotations.items():
        if (
            isinstance(value, Leaf)
            and not value.unknown
            and value.value is not None
            and not isinstance(value.value, str)
        ):
            value = Leaf(value.text, value.text, value.place, lines=value.lines)  # noqa: PLW2901 - the same as a text
        if not isinstance(value, List):
            found.put(name, value, annotations.names.get(name))
    return found


def collect(carrier: Carrier, tree: Map, where: str, *, listening: Listening | None = None) -> None:
    """Collect a Service.

    Args:
        carrier: What it is made from.
        tree: Its fields, their places in the carrier's text.
        where: What it is made from, for people.
        listening: See `ccmcheck.carriers.kubernetes_object.KubernetesObject`.
    """
    obj = made_object(carrier, tree, where, SERVICE)
    if obj is not None:
        obj = obj._replace(listening=listening)
        carrier.collector.objects.append(obj)
        carrier.collector.annotated.update(places_of(carrier, field(tree, "metadata", "annotations")))
        service.find(obj, carrier)


def made_object(carrier: Carrier, tree: Map, where: str, kind: str) -> KubernetesObject | None:
    """The object that fields make.

    Args:
        carrier: What it is made from.
        tree: Its fields, their places in the carrier's text.
        where: What it is made from, for people.
        kind: The kind that it is collected as.
    """
    source = carrier.source
    written = write(tree, source.text)
    inner = source._replace(
        stack=source.stack.push(written.layer),
        written=written.layer.text,
        marks=(),
        final=source.final and not written.unknown,
        route=tuple(carrier.route_to(where)),
        depth=source.depth + 1,
    )
    if written.unknown:
        inner = inner.mask_marks(written.unknown)
    for document in documents(inner.text):
        if not isinstance(document, BadYaml) and isinstance(document.root, Mapping):
            obj = read_object(carrier.collector.path, inner, document.root, kind, carrier.collector.document)
            return obj._replace(ignores=carrier.ignores)
    return None


def places_of(carrier: Carrier, annotations: Map) -> frozenset[int]:
    """Where the names of annotations are in the file."""
    outward = carrier.source.stack.outward
    return frozenset(outward(Span(place.start, place.start)).start for place in annotations.names.values())


def field(tree: Tree | None, *names: str) -> Map:
    """The mapping at a path; an empty one where there is none."""
    for name in names:
        tree = tree.get(name) if isinstance(tree, Map) else None
    return tree if isinstance(tree, Map) else Map(tree.place if tree is not None else _NOWHERE)
