"""A finding, or what could not be read, as plain paragraphs: for formats with one field for all that is to be said."""

from __future__ import annotations

from ccmcheck.base.model import Finding
from ccmcheck.base.result import Failure


def message_of(finding: Finding) -> str:
    """Say what is wrong, why it matters, the reader's own error, what to do, and where exactly, one paragraph each."""
    place = finding.place
    paragraphs = [f"{finding.headline}."]
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


def failure_message(failure: Failure, separator: str = " ") -> str:
    """Say what could not be read, and what to do."""
    return separator.join(filter(None, (failure.message, failure.hint)))
