"""A finding as a few plain paragraphs, for the formats that have one field for everything that is to be said."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccmcheck.base.model import Finding


def message_of(finding: Finding) -> str:
    """Say what is wrong, why it matters, the reader's own error, what to do, and where exactly, one paragraph each."""
    place = finding.place
    paragraphs = [f"{finding.label}."]
    if finding.detail:
        paragraphs.append(finding.detail)
    if finding.error:
        paragraphs.append(f"The CCM's own error: {finding.error}")
    if finding.help:
        paragraphs.append(finding.help)
    if place.route:
        inner = f", line {place.inner_line}, column {place.inner_column}" if place.inner_line else ""
        paragraphs.append(f"In {place.route}{inner}.")
    return "\n".join(paragraphs)
