"""Who wrote a field, by `managedFields`: the CCM itself, or somebody else, and when.

The time of an entry is that of its last change of any field, and a field may have several owners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from ccmcheck.cluster.access.documents import mapping, mappings, moment, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, cluster_names, service_annotations

ITEM = "k:"
"""Begins the step to an item of a list in `managedFields`; a field's begins with ``f:``."""


class Owner(NamedTuple):
    """One entry of `managedFields` that owns a field.

    Attributes:
        manager: The field manager: ``helm``, ``kubectl-client-side-apply``, the name of a program.
        operation: ``Apply`` or ``Update``.
        time: When the entry was last changed; None where it does not say.
        owns_more: Whether the entry owns other fields beside this one, so that its time may be another field's.
    """

    manager: str
    operation: str
    time: datetime | None
    owns_more: bool


def owners(obj: Document, *path: str) -> list[Owner]:
    """The owners of a field.

    Args:
        obj: The object.
        path: Names of mappings, the outermost first; an item of a list by its key, ``k:{"name":"ccm"}``.
    """
    return [
        Owner(
            text(entry.get("manager")),
            text(entry.get("operation")),
            moment(entry.get("time")),
            owns_more=_leaves(entry.get("fieldsV1")) > 1,
        )
        for entry in _entries(obj, path)
    ]


def managers(obj: Document, *path: str) -> list[str]:
    """The names of a field's owners; see `owners`, which costs more."""
    return [text(entry.get("manager")) for entry in _entries(obj, path)]


def _entries(obj: Document, path: Sequence[str]) -> Iterator[Document]:
    """The entries of `managedFields` that own a field."""
    steps = [name if name.startswith(ITEM) else f"f:{name}" for name in path]
    for entry in mappings(mapping(obj.get("metadata")).get("managedFields")):
        node: object = entry.get("fieldsV1")
        for step in steps:
            node = node.get(step) if isinstance(node, dict) else None
        if node is not None and not text(entry.get("subresource")):
            yield entry


def written_by_ccm(service: Document) -> frozenset[str]:
    """The annotations of a Service that the CCM wrote, and nobody else claims."""
    annotations = mapping(mapping(service.get("metadata")).get("annotations"))
    written = set()
    for name in service_annotations.WRITTEN_BY_CCM:
        if name in annotations:
            found = managers(service, "metadata", "annotations", name)
            if found and all(map(is_ccm, found)):
                written.add(name)
    return frozenset(written)


def without_ccm(live: Document) -> Document:
    """A live Service without the annotations that the CCM wrote."""
    written = written_by_ccm(live)
    metadata = mapping(live.get("metadata"))
    kept = {name: value for name, value in mapping(metadata.get("annotations")).items() if name not in written}
    return {**live, "metadata": {**metadata, "annotations": kept}}


def is_ccm(manager: str) -> bool:
    """Whether a field manager is the CCM, which goes by the name of its program."""
    return manager == cluster_names.PROGRAM or manager.startswith(f"{cluster_names.PROGRAM}-")


def status_writers(service: Document) -> list[str]:
    """The field managers that wrote the addresses of a Service's status, the last one first."""
    entries = [
        entry
        for entry in mappings(mapping(service.get("metadata")).get("managedFields"))
        if entry.get("subresource") == "status" and "f:loadBalancer" in mapping(_inside(entry, "f:status"))
    ]
    entries.sort(key=lambda entry: text(entry.get("time")), reverse=True)
    return [text(entry.get("manager")) for entry in entries if text(entry.get("manager"))]


def _inside(entry: Document, step: str) -> object:
    return mapping(entry.get("fieldsV1")).get(step)


def made_by(obj: Document) -> str:
    """What makes an object, so that a change belongs there: ``Gateway shop/web``; empty for nothing known."""
    metadata = mapping(obj.get("metadata"))
    for owner in mappings(metadata.get("ownerReferences")):
        if owner.get("controller") is True:
            return f"{text(owner.get('kind'))} {text(metadata.get('namespace'))}/{text(owner.get('name'))}"
    gateway = text(mapping(metadata.get("labels")).get("gateway.networking.k8s.io/gateway-name"))
    return f"Gateway {text(metadata.get('namespace'))}/{gateway}" if gateway else ""


def latest(found: Sequence[Owner]) -> Owner | None:
    """The owner that wrote last; None where none says when."""
    timed = [owner for owner in found if owner.time is not None]
    return max(timed, key=lambda owner: owner.time or datetime.min.replace(tzinfo=UTC), default=None)


def _leaves(fields: object) -> int:
    """How many fields an entry owns; the key of `data` itself, ``f:data: {.: {}}``, does not count."""
    count, waiting = 0, [fields]
    while waiting:
        below = waiting.pop()
        inner = [value for name, value in below.items() if name != "."] if isinstance(below, dict) else []
        count += not inner
        waiting += inner
    return count
