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

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.gcfg.collector import CollectorPaused
from ccmcheck.gcfg.lines import MOST_LINES, plain
from ccmcheck.gcfg.sections import Document, Section

if TYPE_CHECKING:
    from ccmcheck.base.model import Stop
    from ccmcheck.gcfg.error_recovery import OddLines

NEWEST = "v1.2.3"
"""The gcfg that cloud-provider-openstack has used since 1.12."""

ESCAPED_QUOTE_SINCE = "v1.2.2"
"""The release of gcfg that takes ``\\"`` outside quotes."""

STOP_LIMIT = 1_000
"""After so many errors nobody reads on, and neither does the parser."""

_HEADER_LINE = lazy_regex(r"^[ \t\r]*+\[", re.MULTILINE)


def parse(text: str, version: str = NEWEST) -> Document:
    """Read a text as gcfg does, and go on where gcfg stops.

    Args:
        text: A cloud.conf, decoded with ``errors="surrogateescape"`` so that bytes that are not UTF-8 are seen.
        version: The release of gcfg; they differ in what a backslash may stand before.

    Returns:
        The sections and the errors. Never raises.
    """
    with CollectorPaused(len(text)):
        return _parse(text, version)


def _parse(text: str, version: str) -> Document:
    sections: list[Section] = []
    stops: list[Stop] = []
    odd: OddLines | None = None
    section: Section | None = None
    expressions = plain(text)
    # the plain expressions do not know that an escaped quote outside quotes was once an error
    careful = version < ESCAPED_QUOTE_SINCE and "\\" in text
    lines = expressions.preamble.match
    header = expressions.header.match
    position = 0
    size = len(text)
    while True:
        if not text.startswith("[", position):
            match = lines(text, position)
            if match is not None and match.end() > position:
                end = match.end()
                if section is not None:
                    section.hold((position, end))
                full = end - position >= MOST_LINES
                position = end
                if full and position < size:  # there may be more
                    continue
            if position == size:
                return Document(text, tuple(sections), tuple(stops), version)
        match = header(text, position)
        if match is not None:
            opened: Section | None = Section(match)
            position = match.end()
        else:
            if odd is None:
                from ccmcheck.gcfg.error_recovery import OddLines

                odd = OddLines(text, version)
            line = odd.read(position, in_section=section is not None)
            position = line.end
            opened = line.section
            if line.stop is not None:
                stops.append(line.stop)
                if len(stops) == STOP_LIMIT:
                    return Document(text, tuple(sections), tuple(stops), version, complete=False)
                if line.stop.kind == "no-section":
                    # the lines that follow have the same fault; the next header mends it
                    found = _HEADER_LINE.search(text, position)
                    position = found.start() if found else size
            if line.entry is not None and section is not None:
                section.hold(line.entry)
        if opened is not None:
            section = opened
            sections.append(section)
            if not careful:
                lines = expressions.lines.match
