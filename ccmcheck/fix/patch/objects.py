"""The Kubernetes objects of a file as plain data, and what a change of the file does to each.

Objects within an object, such as the manifests in a ClusterResourceSet's Secret, are that object's own text: whoever
patches the cluster patches the outer one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

from ccmcheck.base.errors import BadYaml, WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, documents, kubernetes_scalar

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | float | bool | None"
"""What JSON can say."""

DEEPEST = 100
"""Levels; no object of any API comes near."""
MOST_NODES = 200_000
"""Nodes of one file with its aliases written out; an alias bomb ends here."""

_BROKEN = "\ud800"
"""Stands for a document that is no YAML; it is no text that one can hold."""
_MERGE = "<<"
_NOT_UNICODE = lazy_regex("[\ud800-\udfff]")
_YAML_BREAK = lazy_regex("[\x85\u2028\u2029]")
"""YAML ends a line there, even within quotes; in JSON, which kubectl reads as such, they are characters like others."""


class CannotPatch(WrongUse):
    """A change that a format of patches cannot carry; the message says why, the hint what can."""


class Object(NamedTuple):
    """One object of a file.

    Attributes:
        data: All of it.
        api_version: ``apps/v1``.
        kind: ``DaemonSet``.
        name: Empty where it has none, or only a ``generateName``.
        namespace: Empty where it names none.
    """

    data: dict[str, Plain]
    api_version: str
    kind: str
    name: str
    namespace: str

    @property
    def subject(self) -> str:
        """What people call it: ``Secret kube-system/cloud-config``."""
        name = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {name}".rstrip()

    @property
    def group(self) -> str:
        """The API group, empty for the core's."""
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        """The API version without its group."""
        return self.api_version.rpartition("/")[2]

    def named_as(self, other: Object) -> bool:
        """Whether both are the same object to a cluster."""
        return self[1:] == other[1:]


class ObjectChange(NamedTuple):
    """What a change of a file does to one object.

    Attributes:
        path: The file.
        before: The object before.
        after: The object after.
        beside: All objects of the file before.
    """

    path: str
    before: Object
    after: Object
    beside: tuple[Object, ...]


def changes(path: str, before: str, after: str, *, ends_lines: bool = True) -> tuple[list[ObjectChange], list[str]]:
    r"""Compare the objects of a file before and after.

    Args:
        path: The file, for messages.
        before: Its text before.
        after: Its text after.
        ends_lines: Whether the file's last line counts as ended, as for kubectl, which reads ``\n`` at the end of a
            literal block there even if the file has none.

    Returns:
        The objects that differ, in the order of the file, and what changed that is no object, in words.

    Raises:
        CannotPatch: There is no object in the file, or its objects cannot be identified.
    """
    if _YAML_BREAK.search(before) and before.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        raise CannotPatch(f"{path} is JSON with a line end that only YAML has, so that its readers disagree", _GIT)
    if ends_lines:
        before, after = _ended(before), _ended(after)
    old, new = list(_roots(path, before)), list(_roots(path, after))
    if _BROKEN in old and not any(isinstance(one, Object) for one in old):
        raise CannotPatch(f"there is no Kubernetes object in {path} to patch", _GIT)
    if _BROKEN in old or _BROKEN in new:
        raise CannotPatch(f"a part of {path} is not YAML, so its objects cannot be identified", _GIT)
    if len(old) != len(new):
        raise CannotPatch(f"{path} would get or lose a document, which no patch of an object can do", _GIT)
    beside = tuple(one for one in old if isinstance(one, Object))
    if not beside:
        raise CannotPatch(f"there is no Kubernetes object in {path} to patch", _GIT)
    found_changes: list[ObjectChange] = []
    others: list[str] = []
    for was, now in zip(old, new, strict=True):
        if isinstance(was, Object) and isinstance(now, Object):
            if canonical(was.data) != canonical(now.data):
                found_changes.append(ObjectChange(path, was, now, beside))
        elif was != now:
            others.append(f"a part of {path} that changes is no Kubernetes object")
    return found_changes, others


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


_GIT = "Use --patch git: a diff for `git apply`."


def canonical(data: Plain) -> str:
    """Data as one text, whatever the order of keys; unlike Python's ``==`` it distinguishes ``1`` and ``true``."""
    import json

    return json.dumps(data, sort_keys=True)


def _roots(path: str, text: str) -> Iterator[Object | Plain]:
    """Every object of a file, those of a ``List`` each for itself, and what else stands there."""
    reader = _Reader(path)
    for document in documents(text):
        if isinstance(document, BadYaml):
            yield _BROKEN
        elif document.root is not None:
            yield from _objects(reader.plain(document.root, 0))


def read_plain(text: str) -> Plain:
    """Read a YAML text of one document as Kubernetes does.

    Args:
        text: The text.

    Raises:
        CannotPatch: It is none, or Kubernetes would not take it.
    """
    found = list(documents(text))
    if len(found) != 1 or isinstance(found[0], BadYaml) or found[0].root is None:
        raise CannotPatch("this is not one YAML document")
    return _Reader("the text").plain(found[0].root, 0)


def _objects(data: Plain) -> Iterator[Object | Plain]:
    if not isinstance(data, dict):
        yield data
        return
    kind, version, items = data.get("kind"), data.get("apiVersion"), data.get("items")
    if not isinstance(kind, str) or not isinstance(version, str):
        yield data
    elif kind.endswith("List") and isinstance(items, list):
        for item in items:
            yield from _objects(item)
    else:
        metadata = data.get("metadata")
        yield Object(data, version, kind, _text(metadata, "name"), _text(metadata, "namespace"))


def _text(data: Plain, key: str) -> str:
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, str) else ""


class _Reader:
    """Reads nodes as Kubernetes does (sigs.k8s.io/yaml): scalars by goyaml.v2's rules, aliases and merges written out.

    Args:
        path: The file, for messages.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._nodes = 0

    def plain(self, node: YamlNode, depth: int) -> Plain:
        """One node with all below it.

        Raises:
            CannotPatch: Kubernetes would not take it.
        """
        self._nodes += 1
        if depth > DEEPEST or self._nodes > MOST_NODES:
            raise CannotPatch(f"{self._path} is too large, or nested too deeply, to make a patch of it", _GIT)
        if isinstance(node, Scalar):
            return self._scalar(node)
        if isinstance(node, Sequence):
            return [self.plain(item, depth + 1) for item in node.items]
        if isinstance(node, Mapping):
            return self._mapping(node, depth)
        raise AssertionError(node)

    def _mapping(self, node: Mapping, depth: int) -> dict[str, Plain]:
        if node.duplicates or node.has_other_keys:
            raise CannotPatch(f"{self._path} has a mapping that Kubernetes does not take", _GIT)
        found: dict[str, Plain] = {}
        merged: list[YamlNode] = []
        for key, value in node.items:
            if key.value == _MERGE and key.style == "plain":
                merged += value.items if isinstance(value, Sequence) else [value]
            else:
                found[self._key(key)] = self.plain(value, depth + 1)
        if not merged:
            return found
        whole: dict[str, Plain] = {}
        for below in reversed([self.plain(yaml_node, depth + 1) for yaml_node in merged]):
            if isinstance(below, dict):
                whole.update(below)
        return {**whole, **found}

    def _key(self, key: Scalar) -> str:
        said = kubernetes_scalar(key)
        if isinstance(said, bool):
            return "true" if said else "false"
        return self._checked(key.value if said is None or isinstance(said, float) else str(said))

    def _scalar(self, node: Scalar) -> Plain:
        said = kubernetes_scalar(node)
        if isinstance(said, str):
            return self._checked(said)
        if isinstance(said, float) and not math.isfinite(said):
            raise CannotPatch(f"{self._path} has a number that JSON cannot say", _GIT)
        return said

    def _checked(self, text: str) -> str:
        if _NOT_UNICODE.search(text):
            raise CannotPatch(f"{self._path} has bytes that are not UTF-8, which no object can hold", _GIT)
        return text
