"""The Report objects that a cluster holds: which are ours, by who wrote them, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.access.errors import NOT_FOUND, ApiError, Refused
from ccmcheck.cluster.access.pages import items
from ccmcheck.cluster.access.requests import REPORTS
from ccmcheck.cluster.core import NamedTuple, openreports
from ccmcheck.cluster.live.ownership import owners

if TYPE_CHECKING:
    from ccmcheck.cluster.access.transport import Document, Transport

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
    return {one.namespace: one for one in ours}


def _stored(report: Document, manager: str) -> Stored:
    metadata = mapping(report.get("metadata"))
    writers = {owner.manager for owner in owners(report, "source")}
    ours = report.get("source") == openreports.SOURCE and writers == {manager}
    return Stored(text(metadata.get("namespace")), report, ours)
