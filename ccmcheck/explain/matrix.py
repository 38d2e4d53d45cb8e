"""Pages of the create-monitor matrix: one of each row, and the table of all of them."""

from __future__ import annotations

from ccmcheck.explain.page import Page
from ccmcheck.policy.create_monitor.matrix import BY_ID, ROWS
from ccmcheck.policy.create_monitor.records import MatrixRow, Via
from ccmcheck.report.document.blocks import Table

PREFIX = "row:"
_KEY = "LoadBalancer.create-monitor"


def row_named(name: str) -> MatrixRow | None:
    """A row by its name; None where there is none.

    Args:
        name: ``M13``, ``m13`` or ``row:M13``.
    """
    return BY_ID.get(name.removeprefix(PREFIX).upper())


def row_page(row: MatrixRow) -> Page:
    """The page of one row.

    Args:
        row: The row.
    """
    at = ROWS.index(row)
    facts = [("when", _when(row)), ("create-monitor", row.advice.value)]
    if row.via is not Via.NOWHERE:
        facts.append(("where", row.via.value))
    if row.monitor:
        facts.append(("monitor", row.monitor))
    if row.severity is not None:
        facts.append(("severity", row.severity.word))
    facts.append(("tried", f"{at + 1} of {len(ROWS)}; the first row that matches counts"))
    facts.append(("source", row.source))
    paragraphs = [("Why", f"{row.why[:1].upper()}{row.why[1:]}.")]
    if row.actions:
        paragraphs.append(("Besides", "\n".join(row.actions)))
    for caution in row.cautions:
        text = f"{caution.text} [{caution.source}]"
        paragraphs.append((f"Caution, with {caution.when}" if str(caution.when) != "anything" else "Caution", text))
    return Page("row", row.id, "Row of the create-monitor matrix", tuple(facts), tuple(paragraphs), see=(_KEY,))


def table() -> Table:
    """All rows, briefly, in the order in which they are tried."""
    rows = tuple((row.id, row.advice.value, _when(row)) for row in ROWS)
    return Table(
        "Decision matrix: the first row that matches a Service counts", ("row", "create-monitor", "when"), rows
    )


def _when(row: MatrixRow) -> str:
    said = str(row.when)
    for other in row.also:
        said += f"; or {other}"
    if row.unless is not None:
        said += f"; not with {row.unless}"
    return said
