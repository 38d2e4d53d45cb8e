"""Writes the blocks of a report as one of the forms that show the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.report.document.blocks import Block


def written(blocks: Iterable[Block], form: str, width: int = 0, *, color: bool = False) -> Iterator[str]:
    """The lines of a report.

    Args:
        blocks: The report.
        form: ``text`` or ``markdown``.
        width: Columns that text fits; 0 for any.
        color: Whether text has colours.
    """
    if form == "markdown":
        from ccmcheck.report.document import markdown

        return markdown.write(blocks)
    from ccmcheck.report.document import text

    return text.write(blocks, width, color=color)
