"""A Kubernetes object as the carriers see it: its kind, its name, and what its annotations say to ccmcheck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.directives import ANNOTATION, parse_annotation
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.search import Around, Holder
from ccmcheck.yamlio import Mapping, Scalar, field

if TYPE_CHECKING:
    from ccmcheck.carriers.level import Level
    from ccmcheck.carriers.search import Search
    from ccmcheck.yamlio import Node


class Object(NamedTuple):
    """One object.

    Attributes:
        search: The search that met it.
        level: The text that it is in.
        node: Its outermost mapping.
        kind: Its kind.
        name: Its name; empty where it has none.
        namespace: Its namespace; empty where it names none.
        ignores: Rules that its annotation switches off, each with the reason.
    """

    search: Search
    level: Level
    node: Mapping
    kind: str
    name: str
    namespace: str
    ignores: tuple[tuple[str, str], ...]

    @property
    def subject(self) -> str:
        """What people call it: ``Secret kube-system/cloud-config``."""
        if not self.name:
            return self.kind
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"

    def around(self, dialect: str = "") -> Around:
        """The object as a carrier of texts.

        Args:
            dialect: See `ccmcheck.carriers.base.Carried`.
        """
        holder = Holder(self.kind, self.subject, readers(self.name), self.ignores, dialect)
        return Around(self.search, self.level, holder)

    def at(self, *names: str) -> Node | None:
        """Walk down from the object's mapping."""
        return field(self.node, *names)

    def said(self, *names: str) -> str:
        """The text at the end of a way, its template marks as written; empty where there is none."""
        return _said(self.level, self.at(*names))


def read_object(search: Search, level: Level, node: Mapping, kind: str) -> Object:
    """Read what all objects have.

    Args:
        search: The search that met it.
        level: The text that it is in.
        node: Its outermost mapping.
        kind: Its kind.
    """
    name = namespace = ""
    ignores: tuple[tuple[str, str], ...] = ()
    metadata = node.get("metadata")
    if isinstance(metadata, Mapping):
        name = _said(level, metadata.get("name")) or _said(level, metadata.get("generateName"))
        namespace = _said(level, metadata.get("namespace"))
        asked = field(metadata.get("annotations"), ANNOTATION)
        if isinstance(asked, Scalar):
            ignores = tuple((one.rules[0], one.reason) for one in parse_annotation(asked.value))
    return Object(search, level, node, kind, name, namespace, ignores)


def _said(level: Level, node: Node | None) -> str:
    return level.said(node) if isinstance(node, Scalar) else ""


def readers(name: str) -> tuple[str, ...]:
    """Who reads a cloud.conf, as far as the name of the object that holds it tells."""
    if not name:
        return ()
    lower = name.lower()
    if "cinder" in lower and "csi" in lower:
        return ("cinder-csi-plugin",)
    if "barbican" in lower or "kms" in lower:
        return ("barbican-kms-plugin",)
    if "ccm" in lower or "cloud-controller" in lower:
        return ("ccm",)
    return ()
