"""Objects of an API server as YAML texts, as a repository would hold them: the linter reads them like files.

Only what somebody wrote is kept: no `managedFields`, no status, no `last-applied-configuration`, which holds the whole
old text of a Secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.base.records import NamedTuple
from ccmcheck.render.yaml_string import yaml_string

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.transport import Document

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_SURROGATES = "\ud800", "\udfff"
_DEEPEST = 64


class ObjectFile(NamedTuple):
    """One object as a file of the run.

    Attributes:
        path: What the engine calls it: its namespace is the folder, as objects of one namespace belong together.
        subject: What people call it: ``Secret kube-system/cloud-config``.
        text: The object as YAML.
    """

    path: str
    subject: str
    text: str


def object_file(obj: Document, *, without_annotations: frozenset[str] = frozenset()) -> ObjectFile:
    """An object as a file.

    Args:
        obj: The object.
        without_annotations: Those that the CCM wrote.
    """
    metadata = mapping(obj.get("metadata"))
    kind = str(obj.get("kind", ""))
    name, namespace = text(metadata.get("name")), text(metadata.get("namespace"))
    left_out = without_annotations | {LAST_APPLIED}
    kept: dict[str, Any] = {key: metadata[key] for key in ("name", "namespace", "uid", "labels") if metadata.get(key)}
    annotations = {key: value for key, value in mapping(metadata.get("annotations")).items() if key not in left_out}
    if annotations:
        kept["annotations"] = annotations
    body = {key: value for key, value in obj.items() if key not in ("apiVersion", "kind", "metadata", "status")}
    document = {"apiVersion": text(obj.get("apiVersion")), "kind": kind, "metadata": kept, **body}
    subject = f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"
    return ObjectFile(object_path(kind, namespace, name), subject, yaml(document))


def object_path(kind: str, namespace: str, name: str) -> str:
    """What the engine calls an object."""
    return f"{namespace or '-'}/{kind} {name}.yaml"


def yaml(value: Document) -> str:
    """A mapping as block YAML."""
    return "\n".join(_mapping(value, 0, 0)) + "\n"


def _mapping(value: dict[str, Any], indent: int, depth: int) -> Iterator[str]:
    blanks = " " * indent
    for key, child in value.items():
        name = yaml_string(_clean(str(key)))
        if isinstance(child, dict) and child and depth < _DEEPEST:
            yield f"{blanks}{name}:"
            yield from _mapping(child, indent + 2, depth + 1)
        elif isinstance(child, list) and child and depth < _DEEPEST:
            yield f"{blanks}{name}:"
            yield from _sequence(child, indent, depth + 1)
        else:
            yield f"{blanks}{name}: {_scalar(child, indent + 2)}"


def _sequence(value: list[Any], indent: int, depth: int) -> Iterator[str]:
    blanks = " " * indent
    for child in value:
        if isinstance(child, dict) and child and depth < _DEEPEST:
            first, *others = _mapping(child, indent + 2, depth + 1)
            yield f"{blanks}- {first[indent + 2 :]}"
            yield from others
        elif isinstance(child, list) and child and depth < _DEEPEST:
            first, *others = _sequence(child, indent + 2, depth + 1)
            yield f"{blanks}- {first[indent + 2 :]}"
            yield from others
        else:
            yield f"{blanks}- {_scalar(child, indent + 2)}"


def _scalar(value: object, indent: int) -> str:
    if isinstance(value, str):
        return yaml_string(_clean(value), indent)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return "[]" if isinstance(value, list) else "{}"


def _clean(value: str) -> str:
    """A text without lone surrogates, which JSON can hold and YAML cannot."""
    low, high = _SURROGATES
    return "".join("\ufffd" if low <= char <= high else char for char in value) if not value.isascii() else value


def mapping(value: object) -> dict[str, Any]:
    """A value of an object where a mapping is expected."""
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, Any]]:
    """A value of an object where a list of mappings is expected."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """A value of an object where a string is expected."""
    return value if isinstance(value, str) else ""
