"""Makes the reports of a cluster follow the findings, with as few changes as possible.

What is unchanged is not sent, what somebody else wrote is never touched, and a partial result removes nothing: what it
has no findings about may not have been read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access.errors import CONFLICT, NOT_FOUND, ApiError, Refused
from ccmcheck.cluster.access.requests import APPLY_PATCH, report
from ccmcheck.cluster.access.writing import FIELD_MANAGER
from ccmcheck.cluster.core import NamedTuple, lint_results, openreports
from ccmcheck.cluster.live.reports.stored import stored_reports

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.access.writing import Writer
    from ccmcheck.cluster.live.reports.stored import Stored


class Written(NamedTuple):
    """What was done.

    Attributes:
        applied: The namespaces whose reports were created or changed.
        unchanged: Those whose reports say the same already.
        removed: Those whose reports had nothing to say any more.
        kept: Those whose reports may have nothing to say any more, but the result is partial.
        failures: What could not be done.
    """

    applied: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    failures: tuple[lint_results.Failure, ...]

    @property
    def line(self) -> str:
        """The same for people."""
        kept = f", {len(self.kept)} kept as the result is partial" if self.kept else ""
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return (
            f"reports: {len(self.applied)} written, {len(self.unchanged)} unchanged, {len(self.removed)} removed"
            f"{kept}{failed}"
        )


def write_reports(writer: Writer, wanted: Iterable[Document], *, is_partial: bool) -> Written:
    """Create, change and remove reports.

    Args:
        writer: Asks and changes the cluster.
        wanted: What is to be said, one report a namespace.
        is_partial: Whether something could not be read.

    Raises:
        ApiError: The reports cannot be listed.
    """
    stored = stored_reports(writer, FIELD_MANAGER)
    applied, unchanged, removed, kept = [], [], [], []
    failures: list[lint_results.Failure] = []
    by_namespace = {document["metadata"]["namespace"]: document for document in wanted}
    for namespace, document in by_namespace.items():
        old = stored.get(namespace)
        if old is not None and old.is_ours and old.says(document):
            unchanged.append(namespace)
        elif (failure := _apply(writer, document, namespace, old)) is not None:
            failures.append(failure)
        else:
            applied.append(namespace)
    for namespace, old in stored.items():
        if namespace in by_namespace or not old.is_ours:
            continue
        if is_partial:
            kept.append(namespace)
        elif (failure := _remove(writer, old)) is not None:
            failures.append(failure)
        else:
            removed.append(namespace)
    return Written(tuple(applied), tuple(unchanged), tuple(removed), tuple(kept), tuple(failures))


def _apply(writer: Writer, document: Document, namespace: str, old: Stored | None) -> lint_results.Failure | None:
    request = report(namespace)
    if old is not None and not old.is_ours:
        return lint_results.Failure(
            request.title,
            f"somebody else wrote a Report named {openreports.NAME}",
            "It is left as it is. Rename or delete it, and the findings of this namespace are reported.",
        )
    try:
        writer.send("PATCH", request.path, document, query={"fieldManager": FIELD_MANAGER}, content_type=APPLY_PATCH)
    except ApiError as error:
        return lint_results.Failure(request.title, error.message, _conflicts(error) or error.hint)
    return None


def _conflicts(error: ApiError) -> str:
    """Which fields another manager owns; empty for any other error."""
    if not isinstance(error, Refused) or error.status != CONFLICT:
        return ""
    owned = ", ".join(f"{cause.field} of {cause.manager}" for cause in error.causes if cause.manager)
    return f"It is left as it is: {owned}." if owned else ""


def _remove(writer: Writer, old: Stored) -> lint_results.Failure | None:
    request = report(old.namespace)
    try:
        writer.send("DELETE", request.path, {"preconditions": old.preconditions})
    except ApiError as error:
        if isinstance(error, Refused) and error.status == NOT_FOUND:
            return None
        return lint_results.Failure(request.title, error.message, error.hint)
    return None
