"""A Kubernetes object in a file: its kind, its name, and which rules its annotation suppresses."""

from __future__ import annotations

from ccmcheck.base.directives import ANNOTATION, parse_annotation
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import Listening
from ccmcheck.carriers.source_text import SourceText
from ccmcheck.catalog.signs.readers import reader_by_object
from ccmcheck.yamlio import Mapping, Scalar, YamlNode, field


class KubernetesObject(NamedTuple):
    """One object.

    Attributes:
        path: The file that it is in.
        source: The text that it is in.
        node: Its outermost mapping.
        kind: Its kind.
        name: Its name; empty where it has none.
        namespace: Its namespace; empty where it names none.
        ignores: Rules that its annotation suppresses, each with the reason.
        document: Which YAML document of the file it is in, from 0.
        listening: What lets the program behind a Service expect a PROXY header, by the values of its chart; None where
            that is not known.
        is_partial: Whether it has values of a chart over which others are laid, that are not here.
    """

    path: str
    source: SourceText
    node: Mapping
    kind: str
    name: str
    namespace: str
    ignores: tuple[tuple[str, str], ...]
    document: int = 0
    listening: Listening | None = None
    is_partial: bool = False

    @property
    def subject(self) -> str:
        """Its kind and name: ``Secret kube-system/cloud-config``."""
        if not self.name:
            return self.kind
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"

    @property
    def is_derived(self) -> bool:
        """Whether it is made of a chart's values, so that no file of its own holds it."""
        stack = self.source.stack
        return not stack.is_of_files and any(layer.kind == "built" for layer in stack.layers)

    def at(self, *names: str) -> YamlNode | None:
        """The node at a path of keys, such as ``spec``, ``template``; None where there is none."""
        return field(self.node, *names)

    def text_at(self, *names: str) -> str:
        """The text at a path of keys, its template marks as written; empty where there is none."""
        return _text_of(self.source, self.at(*names))


def read_object(path: str, source: SourceText, node: Mapping, kind: str, document: int = 0) -> KubernetesObject:
    """Read the metadata that every object has."""
    name = namespace = ""
    ignores: tuple[tuple[str, str], ...] = ()
    metadata = node.get("metadata")
    if isinstance(metadata, Mapping):
        name = _text_of(source, metadata.get("name")) or _text_of(source, metadata.get("generateName"))
        namespace = _text_of(source, metadata.get("namespace"))
        annotation = field(metadata.get("annotations"), ANNOTATION)
        if isinstance(annotation, Scalar):
            suppressions = parse_annotation(annotation.value)
            ignores = tuple((suppression.rules[0], suppression.reason) for suppression in suppressions)
    return KubernetesObject(path, source, node, kind, name, namespace, ignores, document)


def _text_of(source: SourceText, node: YamlNode | None) -> str:
    return source.value_of(node) if isinstance(node, Scalar) else ""


def consumers_of(name: str, namespace: str = "") -> tuple[str, ...]:
    """Which programs read a cloud.conf, as far as the name of the object that holds it and its namespace say."""
    reader = reader_by_object(name, namespace).value if name else ""
    return (reader,) if reader else ()
