"""Whether a field may be written: who owns it decides, by `managedFields`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from ccmcheck.cluster.access.documents import LAST_APPLIED, FieldPath, field_name, mapping, mappings, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.access.writing import FIELD_MANAGER
from ccmcheck.cluster.core import NamedTuple, cluster_names
from ccmcheck.cluster.live.ownership import Owner, is_ccm, owners

INTERACTIVE = ("kubectl", "kubectl-*", "oc", "k9s", FIELD_MANAGER)
"""Clients that write when a person says so: kubectl names its subcommand (k8s.io/kubectl, `fieldManager`), others their
program (k8s.io/apimachinery, `prefixFromUserAgent`)."""


def known(manager: str) -> cluster_names.Manager | None:
    """The program of a field manager that writes by itself; None where nobody knows it."""
    programs = cluster_names.managers()
    return next((one for one in programs if any(fnmatchcase(manager, name) for name in one.names)), None)


def programs(obj: Document) -> Iterator[str]:
    """The programs that claim a whole object, by its labels, its annotations and its controller."""
    metadata = mapping(obj.get("metadata"))
    claims = {**mapping(metadata.get("labels")), **mapping(metadata.get("annotations"))}
    marks = [mark for mark in cluster_names.owner_marks() if mark.name in claims]
    found = {mark.program for mark in marks if mark.value in ("", claims[mark.name])}
    yield from sorted(found)
    for owner in mappings(metadata.get("ownerReferences")):
        if owner.get("controller") is True:
            yield f"{text(owner.get('kind'))} {text(owner.get('name'))}"


APPLY = "Apply"
_NOBODY = "before-first-apply"
"""What the API server calls the owner of fields that were there before anybody was noted down (k8s.io/apimachinery,
`managedfields`)."""


class FixVerdict(NamedTuple):
    """What becomes of the change of an object.

    Attributes:
        refused: Why it is not written, a sentence for each owner; empty where it may be.
        notes: What to know of it.
    """

    refused: tuple[str, ...]
    notes: tuple[str, ...]


def verdict(obj: Document, paths: Iterable[FieldPath]) -> FixVerdict:
    """Whether the fields of an object may be written.

    Args:
        obj: The object as the API server sent it.
        paths: The fields that change, names of mappings, the outermost first.
    """
    refused: dict[str, None] = {}
    notes: dict[str, None] = {}
    claims = list(programs(obj))
    for path in paths:
        found_owners = [owner for owner in _owners(obj, path) if owner.manager != _NOBODY]
        shown = field_name(path)
        reasons = [reason for owner in found_owners for reason in _reasons(owner, shown)]
        refused.update(dict.fromkeys(reasons))
        if not found_owners and claims:
            refused[f"nobody owns {shown}, and {claims[0]} holds the object: fix it there"] = None
        elif not reasons:
            notes.update(
                (f"{claim} holds the object, too, and may write its own text again: fix it there as well", None)
                for claim in claims
            )
    if LAST_APPLIED in mapping(mapping(obj.get("metadata")).get("annotations")):
        note = (
            f"its annotation {LAST_APPLIED} keeps the whole old text, passwords included; "
            "`kubectl apply` of the old file writes that text again, so fix the file, too"
        )
        notes[note] = None
    return FixVerdict(tuple(refused), tuple(notes))


def _owners(obj: Document, path: FieldPath) -> Iterator[Owner]:
    """The owners of a field; of one that is not there yet, those of the object's body."""
    node: object = obj
    for name in path:
        node = mapping(node).get(name)
    if node is not None:
        yield from owners(obj, *path)
        return
    body = "data" if "data" in obj else "spec"
    # what the CCM wrote beside says nothing about who makes the Service
    yield from (owner for owner in owners(obj, body) if not is_ccm(owner.manager))


def _reasons(owner: Owner, shown: str) -> Iterator[str]:
    """Why a field of an owner is not written."""
    manager = owner.manager
    program = known(manager)
    if program is not None:
        verb = "applies" if owner.operation == APPLY else "writes"
        yield f"{manager} {verb} {shown}: {program.where}"
    elif owner.operation == APPLY:
        yield f"{manager} applies {shown} (server-side apply): fix it in what it applies, and apply that again"
    elif not any(fnmatchcase(manager, name) for name in INTERACTIVE):
        name = manager or "a program without a name"
        yield f"{name} wrote {shown}, and may write it again: fix it where it comes from"
