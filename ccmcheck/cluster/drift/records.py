"""What a comparison of a checkout with a running cluster is made of: plain records; every text may be shown."""

from __future__ import annotations

from ccmcheck.cluster.access.documents import moment_text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, comparing, lint_results
from ccmcheck.cluster.live.ownership import Owner, latest, owners
from ccmcheck.cluster.live.snapshot import ClusterIdentity

CONF, CCM, SERVICE = "cloud.conf", "CCM", "Service"
WRITTEN, REMOVED, LEFT = "written", "removed", "left"


class FieldChange(NamedTuple):
    """The last change of a field, as `managedFields` has it.

    Attributes:
        manager: The field manager.
        operation: ``Apply`` or ``Update``.
        time: When, RFC 3339; empty where the entry does not say.
        owns_more: Whether the entry owns other fields too, so that the time may be another field's.
    """

    manager: str
    operation: str
    time: str
    owns_more: bool


class DriftedValue(NamedTuple):
    """One value that is another in git than in the cluster.

    Attributes:
        name: ``[LoadBalancer] create-monitor``, ``--cluster-name``, ``spec.externalTrafficPolicy``.
        git: The value in git; the default where git does not set it.
        live: The value in the cluster, likewise.
        in_git: Whether git sets it.
        in_cluster: Whether the live object sets it.
        is_secret: Whether the values may not be shown.
        changed: Who changed the live value last; None where that is unknown.
        sync: What applying git does to it: `WRITTEN`, `REMOVED`, `LEFT` where git does not set it and what applies git
            does not own it; empty where that is unknown, which counts as left. Arguments are written as a whole.
    """

    name: str
    git: str
    live: str
    in_git: bool = True
    in_cluster: bool = True
    is_secret: bool = False
    changed: FieldChange | None = None
    sync: str = WRITTEN


class Compared(NamedTuple):
    """One object that is in git and in the cluster.

    Attributes:
        kind: `CONF`, `CCM` or `SERVICE`.
        subject: The live object: ``Secret kube-system/cloud-config``.
        place: Where it is in git: the file, and the object in it.
        differences: What differs.
        unknown: What git says only after rendering.
        uses: Of a cloud.conf: ``live`` where the CCM uses the live text, ``older`` where it uses one from before the
            last change, ``unknown`` where either is possible; empty where no running container is known.
        started: When the first of the CCM's containers was started; empty where that is unknown.
        changed: Who changed the live text last; None where that is unknown.
    """

    kind: str
    subject: str
    place: str
    differences: tuple[DriftedValue, ...] = ()
    unknown: tuple[str, ...] = ()
    uses: str = ""
    started: str = ""
    changed: FieldChange | None = None


class Lone(NamedTuple):
    """An object that is on one side only.

    Attributes:
        kind: `CONF`, `CCM` or `SERVICE`.
        subject: The object.
        place: Where it is in git; empty for a live one.
        changed: Who changed a live one last.
    """

    kind: str
    subject: str
    place: str = ""
    changed: FieldChange | None = None


class Drift(NamedTuple):
    """The differences between a checkout and a running cluster.

    Attributes:
        identity: Which cluster.
        paths: What was compared with it.
        release: The release by which both were read.
        compared: What is on both sides, whether it differs or not.
        only_git: What is in git alone.
        only_live: What is in the cluster alone, in namespaces that git has Services for.
        elsewhere: Live Services in namespaces that git has no Services for.
        sync: What applying git changes at Octavia; None where nothing differs.
        notes: What was assumed, and what was not compared.
        failures: What could not be read.
    """

    identity: ClusterIdentity
    paths: tuple[str, ...]
    release: str
    compared: tuple[Compared, ...] = ()
    only_git: tuple[Lone, ...] = ()
    only_live: tuple[Lone, ...] = ()
    elsewhere: tuple[Lone, ...] = ()
    sync: comparing.Review | None = None
    notes: tuple[str, ...] = ()
    failures: tuple[lint_results.Failure, ...] = ()

    @property
    def differing(self) -> tuple[Compared, ...]:
        """The objects on both sides that differ."""
        return tuple(compared for compared in self.compared if compared.differences)

    @property
    def is_none(self) -> bool:
        """Whether nothing differs."""
        return not (self.differing or self.only_git or self.only_live)


APPLY = "Apply"
APPLIERS = (
    "kubectl-client-side-apply", "kubectl-last-applied", "helm", "argocd", "kustomize-controller", "fluxcd",
    "rancher", "fleet",
)  # fmt: skip
"""How the field managers begin that write what a repository holds by an update, and remove what it no longer holds;
others do so by server-side apply. kubectl's two: staging/src/k8s.io/kubectl/pkg/cmd/apply; the others call themselves
by their programs."""


def last_change(obj: Document, *path: str) -> FieldChange | None:
    """Who changed a field last; None where `managedFields` does not say.

    Args:
        obj: The live object.
        path: The field.
    """
    found_owners = owners(obj, *path)
    owner = latest(found_owners) or (found_owners[0] if found_owners else None)
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
    found_owners = owners(obj, *path)
    if any(owner.operation == APPLY or owner.manager.startswith(APPLIERS) for owner in found_owners):
        return REMOVED
    return LEFT if found_owners else ""


def _change(owner: Owner) -> FieldChange:
    time = moment_text(owner.time) if owner.time is not None else ""
    return FieldChange(owner.manager, owner.operation, time, owner.owns_more)
