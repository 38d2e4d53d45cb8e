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

import gc
import re
from collections.abc import Callable
from functools import partial

from ccmcheck.gcfg.lines import HEADER, PLAIN, PREAMBLE, plain_entries
from ccmcheck.gcfg.oddline import OddLines
from ccmcheck.gcfg.scanner import ESCAPED_QUOTE_SINCE
from ccmcheck.gcfg.syntax import Document, Entry, Part, Section
from ccmcheck.model import Span, Stop

NEWEST = "v1.2.3"
"""The gcfg that cloud-provider-openstack has used since 1.12."""

STOP_LIMIT = 1_000
"""After so many errors nobody reads on, and neither does the parser."""

# from this size on the collector would cost more than the parser; nothing here makes cycles
_PAUSE_COLLECTOR = 1 << 20

_HEADER_LINE = re.compile(r"^[ \t\r]*+\[", re.MULTILINE)


def parse(text: str, version: str = NEWEST) -> Document:
    """Read a text as gcfg does, and go on where gcfg stops.

    Args:
        text: A cloud.conf, decoded with ``errors="surrogateescape"`` so that bytes that are not UTF-8 are seen.
        version: The release of gcfg; they differ in what a backslash may stand before.

    Returns:
        The sections and the errors. Never raises.
    """
    if len(text) < _PAUSE_COLLECTOR or not gc.isenabled():
        return _parse(text, version)
    gc.disable()
    try:
        return _parse(text, version)
    finally:
        gc.enable()


def _parse(text: str, version: str) -> Document:
    sections: list[Section] = []
    stops: list[Stop] = []
    entries_of = partial(plain_entries, text)
    odd: OddLines | None = None
    parts: list[Part] | None = None
    # the plain expressions do not know that an escaped quote outside quotes was once an error
    in_section = PREAMBLE if version < ESCAPED_QUOTE_SINCE and "\\" in text else PLAIN
    plain = PREAMBLE.match
    header = HEADER.match
    position = 0
    size = len(text)
    while position < size:
        match = plain(text, position)
        if match is not None:
            end = match.end()
            if parts is not None:
                parts.append((position, end))
            position = end
            continue
        match = header(text, position)
        if match is not None:
            section = _section(text, match, entries_of)
            position = match.end()
        else:
            if odd is None:
                odd = OddLines(text, version, entries_of)
            line = odd.read(position, in_section=parts is not None)
            position = line.end
            if line.stop is not None:
                stops.append(line.stop)
                if len(stops) == STOP_LIMIT:
                    return Document(text, tuple(sections), tuple(stops), version, complete=False)
                if line.stop.kind == "no-section":
                    # the lines that follow have the same fault; the next header mends it
                    found = _HEADER_LINE.search(text, position)
                    position = found.start() if found else size
            if line.section is None:
                if line.entry is not None and parts is not None:
                    parts.append(line.entry)
                continue
            section = line.section
        sections.append(section)
        parts = section.parts
        plain = in_section.match
    return Document(text, tuple(sections), tuple(stops), version)


def _section(text: str, match: re.Match[str], entries_of: Callable[[int, int], list[Entry]]) -> Section:
    subsection = match[3]
    end = match.start(4)
    if text.startswith("\r\n", end - 1):
        end -= 1
    return Section(
        name=match[2],
        name_start=match.start(2),
        subsection=subsection[1:-1] if subsection else None,
        subsection_span=match.span(3),
        span=Span(*match.span(1)),
        end=end,
        read=entries_of,
    )
