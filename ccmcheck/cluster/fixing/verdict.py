"""Whether a field may be written: who owns it decides, by `managedFields`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import LAST_APPLIED, mapping
from ccmcheck.cluster.access.fields import field_name
from ccmcheck.cluster.core import NamedTuple
from ccmcheck.cluster.fixing.managers import is_interactive, known, programs
from ccmcheck.cluster.live.ownership import is_ccm, owners

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.cluster.access.fields import FieldPath
    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.live.ownership import Owner

APPLY = "Apply"
_NOBODY = "before-first-apply"
"""What the API server calls the owner of fields that were there before anybody was noted down (k8s.io/apimachinery,
`managedfields`)."""


class Verdict(NamedTuple):
    """What becomes of the change of an object.

    Attributes:
        refused: Why it is not written, a sentence for each owner; empty where it may be.
        notes: What to know of it.
    """

    refused: tuple[str, ...]
    notes: tuple[str, ...]


def verdict(obj: Document, paths: Iterable[FieldPath]) -> Verdict:
    """Whether the fields of an object may be written.

    Args:
        obj: The object as the API server sent it.
        paths: The fields that change, names of mappings, the outermost first.
    """
    refused: dict[str, None] = {}
    notes: dict[str, None] = {}
    claims = list(programs(obj))
    for path in paths:
        found = [owner for owner in _owners(obj, path) if owner.manager != _NOBODY]
        shown = field_name(path)
        reasons = [reason for owner in found for reason in _reasons(owner, shown)]
        refused.update(dict.fromkeys(reasons))
        if not found and claims:
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
    return Verdict(tuple(refused), tuple(notes))


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
    elif not is_interactive(manager):
        name = manager or "a program without a name"
        yield f"{name} wrote {shown}, and may write it again: fix it where it comes from"
