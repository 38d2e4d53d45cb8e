"""The objects of a build: what each is called now and was called before, and which of them a selector means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers.placed_values import Leaf, Map, at, copied, text_at

if TYPE_CHECKING:
    from ccmcheck.layers.placed_values import Tree

CLUSTER_WIDE = frozenset(
    {
        "APIService",
        "CSIDriver",
        "CSINode",
        "ClusterRole",
        "ClusterRoleBinding",
        "CustomResourceDefinition",
        "IngressClass",
        "MutatingWebhookConfiguration",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PodSecurityPolicy",
        "PriorityClass",
        "RuntimeClass",
        "StorageClass",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "VolumeAttachment",
    }
)
DEFAULT_NAMESPACE = "default"


class Identity(NamedTuple):
    """What an object is known by.

    Attributes:
        group: Its API group with its version.
        kind: Its kind.
        name: Its name.
        namespace: Its namespace; ``default`` where it names none.
    """

    group: str
    kind: str
    name: str
    namespace: str


class Resource:
    """One object of a build.

    Attributes:
        tree: Its fields.
        path: The file that it begins in.
        known: What it is known by, now last and first as it was written.
        behavior: Of a generated object: what it does to one of the same name.
        is_open: Whether something that is not built changes it in an unknown way.
        generated: Whether a generator makes it.
        is_hashed: Whether its name gets a hash of what it holds, which is not built.
    """

    __slots__ = ("behavior", "generated", "is_hashed", "is_open", "known", "path", "tree")

    def __init__(self, tree: Map, path: str, behavior: str = "", *, generated: bool = False) -> None:
        self.tree = tree
        self.path = path
        self.known = [identity_of(tree)]
        self.behavior = behavior
        self.is_open = False
        self.generated = generated
        self.is_hashed = False

    @property
    def kind(self) -> str:
        """Its kind."""
        return text_at(self.tree, "kind")

    @property
    def name(self) -> str:
        """Its name."""
        return text_at(self.tree, "metadata", "name")

    @property
    def is_cluster_wide(self) -> bool:
        """Whether its kind has no namespace."""
        return self.kind in CLUSTER_WIDE

    def remember(self) -> None:
        """Keep what it is known by now beside what it was known by."""
        now = identity_of(self.tree)
        if now != self.known[-1]:
            self.known.append(now)

    def is_known_as(self, identity: Identity) -> bool:
        """Whether a patch of this identity means it."""
        self.remember()
        return any(_same(one, identity) for one in self.known)

    def copy(self) -> Resource:
        """The same for another overlay."""
        tree = copied(self.tree)
        new = Resource(tree if isinstance(tree, Map) else self.tree, self.path, self.behavior, generated=self.generated)
        new.known = list(self.known)
        new.is_open = self.is_open
        new.is_hashed = self.is_hashed
        return new


def _same(one: Identity, other: Identity) -> bool:
    return (
        one.kind == other.kind
        and one.name == other.name
        and (one.namespace == other.namespace or one.kind in CLUSTER_WIDE)
        and _group(one.group) == _group(other.group)
        and one.group.rpartition("/")[2] == other.group.rpartition("/")[2]
    )


def _group(version: str) -> str:
    return version.rpartition("/")[0]


def identity_of(tree: Map) -> Identity:
    """What an object is known by."""
    return Identity(
        text_at(tree, "apiVersion"),
        text_at(tree, "kind"),
        text_at(tree, "metadata", "name"),
        text_at(tree, "metadata", "namespace") or DEFAULT_NAMESPACE,
    )


class Selector:
    """The ``target`` of a patch.

    Args:
        target: Its fields.
    """

    def __init__(self, target: Map) -> None:
        self._patterns = {
            name: _anchored(text_at(target, name)) for name in ("group", "version", "kind", "name", "namespace")
        }
        self._labels = text_at(target, "labelSelector")
        self._annotations = text_at(target, "annotationSelector")
        unread = [value for value in target.values() if not isinstance(value, Leaf) or value.unknown]
        self.is_unknown = bool(unread) or None in self._patterns.values()
        for selector in (self._labels, self._annotations):
            self.is_unknown = self.is_unknown or _requirements(selector) is None

    def selects(self, resource: Resource) -> bool:
        """Whether it means an object."""
        resource.remember()
        first, now = resource.known[0], resource.known[-1]
        group, _, version = now.group.rpartition("/")
        return (
            self._fits("namespace", first.namespace, now.namespace)
            and self._fits("name", first.name, now.name)
            and self._fits("group", group)
            and self._fits("version", version)
            and self._fits("kind", now.kind)
            and _holds(_requirements(self._labels), at(resource.tree, "metadata", "labels"))
            and _holds(_requirements(self._annotations), at(resource.tree, "metadata", "annotations"))
        )

    def _fits(self, name: str, *texts: str) -> bool:
        pattern = self._patterns[name]
        return not isinstance(pattern, re.Pattern) or any(pattern.match(text) for text in texts)


_PLAIN = lazy_regex(r"(?:[A-Za-z0-9_./|()\[\]{}*+?^$-]|\\[^A-Za-z0-9])*\Z")
_LONGEST = 500


def _anchored(text: str) -> re.Pattern[str] | str | None:
    """The pattern of a selector, as Go has it; None where it may mean something else in Python, or take too long."""
    if not text:
        return ""
    if (
        len(text) > _LONGEST
        or not _PLAIN.match(text)
        or re.search(r"\{\d|[*+)][*+{]|\([^)]*[*+][^)]*\)[*+]|\(\?", text)
    ):
        return None
    try:
        return re.compile(f"(?:{text})\\Z")
    except re.error:
        return None


def _requirements(selector: str) -> list[tuple[str, str, tuple[str, ...]]] | None:
    """The requirements of a label selector; None where it cannot be read."""
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for one in re.split(r",(?![^(]*\))", selector) if selector.strip() else ():
        match = re.match(r"\s*(!?)\s*([\w./-]+)\s*(?:(==|=|!=)\s*([\w.-]*)|\s(in|notin)\s*\(([^()]*)\))?\s*\Z", one)
        if match is None:
            return None
        not_there, name, sign, value, word, values = match.groups()
        if not_there:
            found.append((name, "!", ()))
        elif word:
            found.append((name, word, tuple(text.strip() for text in values.split(","))))
        elif sign:
            found.append((name, "notin" if sign == "!=" else "in", (value,)))
        else:
            found.append((name, "", ()))
    return found


def _holds(requirements: list[tuple[str, str, tuple[str, ...]]] | None, labels: Tree | None) -> bool:
    there = labels if isinstance(labels, Map) else {}
    for name, sign, values in requirements or ():
        value = there.get(name)
        text = value.text if isinstance(value, Leaf) else None
        if sign == "in" and text not in values:
            return False
        if sign == "notin" and text is not None and text in values:
            return False
        if (sign == "!" and text is not None) or (not sign and text is None):
            return False
    return True
