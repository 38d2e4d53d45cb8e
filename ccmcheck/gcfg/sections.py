"""A text as gcfg reads it: sections and their entries, made when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Collection

from ccmcheck.base.model import Span, Stop
from ccmcheck.base.records import NamedTuple
from ccmcheck.gcfg.collector import CollectorPaused
from ccmcheck.gcfg.lines import plain_entries, plain_names
from ccmcheck.gcfg.syntax import Entry

Part = tuple[int, int] | Entry
"""A stretch of lines that are known to be plain, or one entry that needed a closer look."""


_NO_PARTS: list[Part] = []  # shared, never added to


class Section:
    """One header and the entries below it, up to the next header.

    Args:
        header: The header, matched by `ccmcheck.gcfg.lines.Plain.header`.
    """

    __slots__ = ("_entries", "_header", "_parts")

    sound: bool = True
    """False where the header has an error; then name and subsection are what was most likely meant."""

    def __init__(self, header: re.Match[str]) -> None:
        self._header = header
        self._entries: tuple[Entry, ...] | None = None
        self._parts = _NO_PARTS

    def hold(self, part: Part) -> None:
        """Add to where the entries come from."""
        parts = self._parts
        if parts is _NO_PARTS:
            self._parts = [part]
            return
        last = parts[-1]
        if not isinstance(part, Entry) and not isinstance(last, Entry) and last[1] == part[0]:
            parts[-1] = (last[0], part[1])
        else:
            parts.append(part)

    @property
    def name(self) -> str:
        """As written."""
        return self._header[2]

    @property
    def subsection(self) -> str | None:
        """The text in the quotes, escapes resolved; None without one."""
        raw = self._header[3]
        return None if raw is None else raw[1:-1]

    @property
    def span(self) -> Span:
        """The whole header, ``[`` to ``]``."""
        return Span(*self._header.span(1))

    @property
    def name_span(self) -> Span:
        """Where the name is."""
        return Span(*self._header.span(2))

    @property
    def subsection_span(self) -> Span | None:
        """Where the subsection is, quotes included; None without one."""
        start, end = self._header.span(3)
        return None if start < 0 else Span(start, end)

    @property
    def end(self) -> int:
        """Offset of the end of the header's line, before the line's end."""
        return before_return(self._header.string, self._header.start(4))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The variables below the header, in file order."""
        entries = self._entries
        if entries is None:
            with CollectorPaused(self._extent):
                entries = self._entries = tuple(self._read(None))
        return entries

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its keys, as written, each once; quick also where there are millions of entries."""
        names: dict[str, None] = {}
        for part in self._parts:
            if isinstance(part, Entry):
                names[part.key] = None
            else:
                names.update(plain_names(self._text, *part))
        return tuple(names)

    @property
    def is_large(self) -> bool:
        """Whether its text is so long that one had better ask for `names` before `entries`."""
        return self._extent >= 1 << 16

    def entries_named(self, names: Collection[str]) -> list[Entry]:
        """Its entries with certain keys, as they are written."""
        return self._read(names)

    @property
    def _text(self) -> str:
        return self._header.string

    @property
    def _extent(self) -> int:
        first, last = (self._parts[0], self._parts[-1]) if self._parts else ((0, 0), (0, 0))
        return (last.end if isinstance(last, Entry) else last[1]) - (
            first.key_start if isinstance(first, Entry) else first[0]
        )

    def _read(self, wanted: Collection[str] | None) -> list[Entry]:
        found: list[Entry] = []
        for part in self._parts:
            if not isinstance(part, Entry):
                found += plain_entries(self._text, *part, wanted)
            elif wanted is None or part.key in wanted:
                found.append(part)
        return found

    def __repr__(self) -> str:
        name = self.name if self.subsection is None else f"{self.name} {self.subsection!r}"
        return f"<Section [{name}] at {self.span.start}>"


class OddHeader(NamedTuple):
    """A header that took a closer look.

    Attributes:
        text: The whole text.
        name: As written, or as it was most likely meant.
        name_start: Where the name is.
        subsection: The text in the quotes; None without one.
        subsection_span: Where it is, quotes included.
        span: The whole header.
        end: Offset of the end of the header's line, before the line's end.
        sound: False where it has an error.
    """

    text: str
    name: str
    name_start: int
    subsection: str | None
    subsection_span: Span
    span: Span
    end: int
    sound: bool


class OddSection(Section):
    """A section whose header took a closer look."""

    __slots__ = ("_odd", "sound")

    def __init__(self, header: OddHeader) -> None:
        self._odd = header
        self._entries = None
        self._parts = _NO_PARTS
        self.sound = header.sound

    @property
    def name(self) -> str:
        """As written, or as it was most likely meant."""
        return self._odd.name

    @property
    def subsection(self) -> str | None:
        """The text in the quotes, escapes resolved; None without one."""
        return self._odd.subsection

    @property
    def span(self) -> Span:
        """The whole header."""
        return self._odd.span

    @property
    def name_span(self) -> Span:
        """Where the name is."""
        return Span(self._odd.name_start, self._odd.name_start + len(self._odd.name))

    @property
    def subsection_span(self) -> Span | None:
        """Where the subsection is, quotes included; None without one."""
        return None if self._odd.subsection is None else self._odd.subsection_span

    @property
    def end(self) -> int:
        """Offset of the end of the header's line, before the line's end."""
        return before_return(self._odd.text, self._odd.end)

    @property
    def _text(self) -> str:
        return self._odd.text


class Document:
    """A text as gcfg reads it.

    Attributes:
        text: What was parsed.
        sections: One per header, in file order; the same name may come more than once.
        stops: Every lexical and syntax error, in file order; the first is the one gcfg gives up at.
        version: The release of gcfg that it was read as.
        complete: False where reading was given up after `ccmcheck.gcfg.parser.STOP_LIMIT` errors.
    """

    __slots__ = ("complete", "sections", "stops", "text", "version")

    def __init__(
        self, text: str, sections: tuple[Section, ...], stops: tuple[Stop, ...], version: str, *, complete: bool = True
    ) -> None:
        self.text = text
        self.sections = sections
        self.stops = stops
        self.version = version
        self.complete = complete

    def __repr__(self) -> str:
        return f"<Document of {len(self.text)} characters, {len(self.sections)} sections, {len(self.stops)} stops>"


def before_return(text: str, end: int) -> int:
    r"""The end of a line: before the ``\r`` of a ``\r\n``."""
    return end - 1 if end and text.startswith("\r\n", end - 1) else end
