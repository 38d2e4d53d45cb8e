r"""gcfg's grammar, read without losing a character and without stopping at the first error.

::

    text     = line { "\n" line }
    line     = blanks [ header | variable ] blanks [ comment ]
    header   = "[" blanks name blanks [ '"' subsection '"' blanks ] "]"
    variable = name [ blanks "=" blanks value ]
    name     = letter { letter | digit | "-" }
    value    = { character | '"' { character | escape } '"' | "\" "\n" | "\" '"' }
    comment  = ( "#" | ";" ) { character }
    blanks   = { " " | "\t" | "\r" }

Source: gcfg v1.2.3, ``read.go`` and ``scanner/scanner.go``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.garbage_collection import GarbageCollectionPaused
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.gcfg.lines import ESCAPED_QUOTE_SINCE, NEWEST, plain
from ccmcheck.gcfg.sections import Document, Section

if TYPE_CHECKING:
    from ccmcheck.base.model import Stop
    from ccmcheck.gcfg.error_recovery import LineParser

STOP_LIMIT = 1_000
"""Parsing stops after this many errors."""

_REMEMBERED = 1_000
"""Lines with a header that are remembered: where thousands are alike, they share what one of them was matched to."""
_LONGEST_REMEMBERED = 200
"""Characters of such a line."""

_HEADER_LINE = lazy_regex(r"^[ \t\r]*+\[", re.MULTILINE)


def parse(text: str, version: str = NEWEST) -> Document:
    """Parse a text as gcfg does, and continue where gcfg stops.

    Args:
        text: A cloud.conf, decoded with ``errors="surrogateescape"`` so that bytes that are not UTF-8 are seen.
        version: The release of gcfg; they differ in what a backslash may stand before.

    Returns:
        The sections and the errors. Never raises.
    """
    with GarbageCollectionPaused(len(text)):
        return _parse(text, version)


def _parse(text: str, version: str) -> Document:
    sections: list[Section] = []
    stops: list[Stop] = []
    line_parser: LineParser | None = None
    section: Section | None = None
    expressions = plain(text)
    # the plain expressions accept an escaped quote outside quotes, which was an error in older releases
    scan_all = version < ESCAPED_QUOTE_SINCE and "\\" in text
    lines = expressions.preamble  # most texts start with a header, so it is compiled where one does not
    header = expressions.header.match
    headers: dict[str, re.Match[str]] = {}
    position = 0
    size = len(text)
    while True:
        while not text.startswith("[", position) and (end := _end(lines, text, position)) > position:
            if section is not None:
                section.add((position, end))
            position = end
        if position == size:
            return Document(text, tuple(sections), tuple(stops), version)
        end = text.find("\n", position, position + _LONGEST_REMEMBERED) + 1
        whole_line = text[position:end]  # empty where there is no end
        match = headers.get(whole_line)
        opened: Section | None = None
        if match is not None:
            opened = Section(match, position - match.start())
            position = end
        elif (match := header(text, position)) is not None:
            opened = Section(match)
            position = match.end()
            if whole_line and len(headers) < _REMEMBERED:
                headers[whole_line] = match
        else:
            if line_parser is None:
                from ccmcheck.gcfg.error_recovery import LineParser

                line_parser = LineParser(text, version)
            line = line_parser.read(position, in_section=section is not None)
            position = line.end
            opened = line.section
            if line.stop is not None:
                stops.append(line.stop)
                if len(stops) == STOP_LIMIT:
                    return Document(text, tuple(sections), tuple(stops), version, complete=False)
                if line.stop.kind == "no-section":
                    # the lines that follow have the same error, up to the next header
                    next_header = _HEADER_LINE.search(text, position)
                    position = next_header.start() if next_header else size
            if line.entry is not None and section is not None:
                section.add(line.entry)
        if opened is not None:
            section = opened
            sections.append(section)
            if not scan_all:
                lines = expressions.lines


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    return pattern.match(text, position).end()  # type: ignore[union-attr]  # matches the empty text too
