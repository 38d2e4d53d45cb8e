"""Objects of an API server as YAML texts, as a repository would hold them: the linter reads them like files.

Only what somebody wrote is kept: no `managedFields`, no status, no `last-applied-configuration`, which holds the whole
old text of a Secret.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, yaml

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


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


def title_of(obj: Document) -> str:
    """``namespace/name``."""
    metadata = mapping(obj.get("metadata"))
    return f"{text(metadata.get('namespace'))}/{text(metadata.get('name'))}"


def namespace_of(obj: Document) -> str:
    """The namespace of an object; empty without one."""
    return text(mapping(obj.get("metadata")).get("namespace"))


def version_of(obj: Document) -> str:
    """The resourceVersion of an object; empty where it has none."""
    return text(mapping(obj.get("metadata")).get("resourceVersion"))


def is_load_balancer(service: Document) -> bool:
    """Whether a Service is of type LoadBalancer."""
    return mapping(service.get("spec")).get("type") == "LoadBalancer"


def is_ready(obj: Document) -> bool:
    """Whether a pod or a node is ready, by its conditions."""
    conditions = mappings(mapping(obj.get("status")).get("conditions"))
    return any(condition.get("type") == "Ready" and condition.get("status") == "True" for condition in conditions)


def published(service: Document) -> list[dict[str, Any]]:
    """The addresses of a Service's status."""
    return mappings(mapping(mapping(service.get("status")).get("loadBalancer")).get("ingress"))


def moment(value: object) -> datetime | None:
    """A time as Kubernetes writes it, RFC 3339 in UTC."""
    try:
        time = datetime.fromisoformat(text(value))
        return time.astimezone(UTC) if time.tzinfo is not None else None
    except (ValueError, OverflowError):  # of a year that UTC does not have
        return None


def moment_text(time: datetime | None = None) -> str:
    """A time as Kubernetes writes it; the present one without one."""
    return (time or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def mapping(value: object) -> dict[str, Any]:
    """A value of an object where a mapping is expected."""
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, Any]]:
    """A value of an object where a list of mappings is expected."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def decoded(value: str) -> str:
    """What a value of a Secret holds; empty for anything but base64."""
    try:
        return base64.b64decode(value).decode("utf-8", "replace")
    except ValueError:
        return ""


def number(value: object, otherwise: int = 0) -> int:
    """A number; another one for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def text(value: object) -> str:
    """A value of an object where a string is expected."""
    return value if isinstance(value, str) else ""


FieldPath = tuple[str, ...]
"""Names of mappings, the outermost first."""


def field_name(path: FieldPath) -> str:
    """A field for people: ``data["cloud.conf"]``."""
    head, *rest = path
    return head + "".join(f".{name}" if name.isidentifier() else f'["{name}"]' for name in rest)


def changed_fields(patch: Mapping[str, Any]) -> list[FieldPath]:
    """The fields that a merge patch sets or removes."""
    return list(_leaves(patch, ()))


def _leaves(patch: Mapping[str, Any], path: FieldPath) -> Iterator[FieldPath]:
    for key, value in patch.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key)
