"""Who changed a live field last, and whether applying git again changes it."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from ccmcheck.cluster.drift.records import LEFT, REMOVED, WRITTEN, Change
from ccmcheck.cluster.live.ownership import latest, owners

if TYPE_CHECKING:
    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.live.ownership import Owner

APPLY = "Apply"
APPLIERS = (
    "kubectl-client-side-apply",
    "kubectl-last-applied",
    "helm",
    "argocd",
    "kustomize-controller",
    "fluxcd",
    "rancher",
    "fleet",
)
"""How the field managers begin that write what a repository holds by an update, and remove what it no longer holds;
others do so by server-side apply. kubectl's two: staging/src/k8s.io/kubectl/pkg/cmd/apply; the others call themselves
by their programs."""


def last_change(obj: Document, *path: str) -> Change | None:
    """Who changed a field last; None where `managedFields` does not say.

    Args:
        obj: The live object.
        path: The field.
    """
    found = owners(obj, *path)
    owner = latest(found) or (found[0] if found else None)
    return _change(owner) if owner is not None else None


def sync_of(obj: Document, in_git: bool, *path: str) -> str:
    """What applying git does to a field that differs.

    Args:
        obj: The live object.
        in_git: Whether git sets the field.
        path: The field.
    """
    if in_git:
        return WRITTEN
    found = owners(obj, *path)
    if any(owner.operation == APPLY or owner.manager.startswith(APPLIERS) for owner in found):
        return REMOVED
    return LEFT if found else ""


def _change(owner: Owner) -> Change:
    time = owner.time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if owner.time is not None else ""
    return Change(owner.manager, owner.operation, time, owner.owns_more)
