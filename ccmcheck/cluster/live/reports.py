"""Makes the reports of a cluster follow the findings, with as few changes as possible.

What is unchanged is not sent, what somebody else wrote is never touched, and a partial result removes nothing: what it
has no findings about may not have been read.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.access.errors import CONFLICT, NOT_FOUND, ApiError, Refused
from ccmcheck.cluster.access.requests import APPLY_PATCH, REPORTS, report
from ccmcheck.cluster.access.transport import Document, Transport, items
from ccmcheck.cluster.access.writing import FIELD_MANAGER, Writer
from ccmcheck.cluster.core import NamedTuple, lint_results, openreports
from ccmcheck.cluster.live.ownership import owners

SELECTOR = {"fieldSelector": f"metadata.name={openreports.NAME}"}
"""All reports of our name; those of other tools, of which a cluster may hold thousands, are not read."""
_SAID = ("source", "configuration", "summary", "results")


class Stored(NamedTuple):
    """A report in the cluster.

    Attributes:
        namespace: Its namespace.
        object: The report.
        is_ours: Whether ccmcheck wrote it.
    """

    namespace: str
    object: Document
    is_ours: bool

    def says(self, report: Document) -> bool:
        """Whether it says what a report is to say, so that nothing has to be sent."""
        labels = mapping(mapping(self.object.get("metadata")).get("labels"))
        return labels.get(openreports.MANAGED_BY) == openreports.SOURCE and all(
            self.object.get(key) == report.get(key) for key in _SAID
        )

    @property
    def preconditions(self) -> dict[str, str]:
        """What holds of this very object, as it was read."""
        metadata = mapping(self.object.get("metadata"))
        return {key: text(metadata.get(key)) for key in ("uid", "resourceVersion")}


def stored_reports(transport: Transport, manager: str) -> dict[str, Stored]:
    """The reports of our name by their namespaces.

    Args:
        transport: Asks the API server.
        manager: The field manager by which our own are known.

    Raises:
        ApiError: They cannot be listed.
    """
    try:
        found = list(items(transport, REPORTS.path, SELECTOR))
    except Refused as error:
        if error.status != NOT_FOUND:
            raise
        raise ApiError(
            "the cluster has no Reports of openreports.io v1alpha1",
            "Install the CustomResourceDefinitions of openreports/reports-api.",
        ) from None
    ours = (
        _stored(report, manager) for report in found if mapping(report.get("metadata")).get("name") == openreports.NAME
    )
    return {our.namespace: our for our in ours}


def _stored(report: Document, manager: str) -> Stored:
    metadata = mapping(report.get("metadata"))
    writers = {owner.manager for owner in owners(report, "source")}
    ours = report.get("source") == openreports.SOURCE and writers == {manager}
    return Stored(text(metadata.get("namespace")), report, ours)


class WrittenReport(NamedTuple):
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


def write_reports(writer: Writer, wanted: Iterable[Document], *, is_partial: bool) -> WrittenReport:
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
    return WrittenReport(tuple(applied), tuple(unchanged), tuple(removed), tuple(kept), tuple(failures))


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
