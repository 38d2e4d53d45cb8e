"""A text as gcfg reads it: sections and their entries, created on first access."""

from __future__ import annotations

import re
from collections.abc import Collection

from ccmcheck.base.model import Span, Stop
from ccmcheck.base.records import NamedTuple
from ccmcheck.gcfg.lines import Variable, plain_entries, plain_names

Part = tuple[int, int] | Variable
"""A range of lines that are known to be plain, or one entry that the scanner read."""


_NO_PARTS: list[Part] = []  # shared, never added to


class Section:
    """One header and the entries below it, up to the next header.

    Args:
        header: The header, or one before it whose line is the same, matched by
            `ccmcheck.gcfg.sections.PlainExpressions.header`.
        shift: How far behind that one it stands.

    Attributes:
        name: As written, or as recovered from a header with an error.
        subsection: The text in the quotes, escapes resolved; None without one.
    """

    __slots__ = ("_entries", "_header", "_names", "_parts", "_shift", "name", "subsection")

    sound: bool = True
    """False where the header has an error; then name and subsection are recovered from it."""

    def __init__(self, header: re.Match[str], shift: int = 0) -> None:
        self._header = header
        self._shift = shift
        self.name: str = header[2]
        self.subsection: str | None = None if header[3] is None else header[3][1:-1]
        self._entries: tuple[Variable, ...] | None = None
        self._names: tuple[str, ...] | None = None
        self._parts = _NO_PARTS

    def add(self, part: Part) -> None:
        """Add lines or an entry below the header."""
        if self._parts is _NO_PARTS:
            self._parts = []
        self._parts.append(part)

    @property
    def span(self) -> Span:
        """The whole header, ``[`` to ``]``."""
        return self._place(1)

    @property
    def name_span(self) -> Span:
        """Where the name is."""
        return self._place(2)

    @property
    def subsection_span(self) -> Span | None:
        """Where the subsection is, quotes included; None without one."""
        return None if self._header[3] is None else self._place(3)

    @property
    def end(self) -> int:
        """Offset of the end of the header's line, before the line's end."""
        return before_return(self._header.string, self._header.start(4) + self._shift)

    def _place(self, group: int) -> Span:
        start, end = self._header.span(group)
        return Span(start + self._shift, end + self._shift)

    @property
    def entries(self) -> tuple[Variable, ...]:
        """The variables below the header, in file order."""
        entries = self._entries if self._parts else ()
        if entries is None:
            entries = self._entries = tuple(self._read(None))
        return entries

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its keys, as written, each once; quick also where there are millions of entries."""
        if self._names is None:
            names: dict[str, None] = {}
            for part in self._parts:
                if isinstance(part, Variable):
                    names[part.key] = None
                else:
                    names.update(plain_names(self._text, *part))
            self._names = tuple(names)
        return self._names

    @property
    def is_large(self) -> bool:
        """Whether its text is so long that `names` should be checked before `entries` are read."""
        return bool(self._parts) and self._extent >= 1 << 16

    def entries_named(self, names: Collection[str]) -> list[Variable]:
        """Its entries with certain keys, as they are written."""
        return self._read(names)

    @property
    def _text(self) -> str:
        return self._header.string

    @property
    def _extent(self) -> int:
        first, last = self._parts[0], self._parts[-1]
        return (last.end if isinstance(last, Variable) else last[1]) - (
            first.key_start if isinstance(first, Variable) else first[0]
        )

    def _read(self, names: Collection[str] | None) -> list[Variable]:
        entries: list[Variable] = []
        for part in self._parts:
            if not isinstance(part, Variable):
                # a search for a name is much faster than a look at each line
                if names is None or any(self._text.find(name, *part) >= 0 for name in names):
                    entries += plain_entries(self._text, *part, names)
            elif names is None or part.key in names:
                entries.append(part)
        return entries

    def __repr__(self) -> str:
        name = self.name if self.subsection is None else f"{self.name} {self.subsection!r}"
        return f"<Section [{name}] at {self.span.start}>"


class ParsedHeader(NamedTuple):
    """A header that the scanner read.

    Attributes:
        text: The whole text.
        name: As written, or as recovered from a header with an error.
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


class ScannedSection(Section):
    """A section whose header the scanner read."""

    __slots__ = ("_parsed", "sound")

    def __init__(self, header: ParsedHeader) -> None:
        self._parsed = header
        self.name = header.name
        self.subsection = header.subsection
        self._entries = None
        self._names = None
        self._parts = _NO_PARTS
        self.sound = header.sound

    @property
    def span(self) -> Span:
        """The whole header."""
        return self._parsed.span

    @property
    def name_span(self) -> Span:
        """Where the name is."""
        return Span(self._parsed.name_start, self._parsed.name_start + len(self._parsed.name))

    @property
    def subsection_span(self) -> Span | None:
        """Where the subsection is, quotes included; None without one."""
        return None if self._parsed.subsection is None else self._parsed.subsection_span

    @property
    def end(self) -> int:
        """Offset of the end of the header's line, before the line's end."""
        return before_return(self._parsed.text, self._parsed.end)

    @property
    def _text(self) -> str:
        return self._parsed.text


class Document:
    """A text as gcfg reads it.

    Attributes:
        text: What was parsed.
        sections: One per header, in file order; the same name may come more than once.
        stops: Every lexical and syntax error, in file order; the first is the one gcfg stops at.
        version: The release of gcfg that it was read as.
        complete: False where parsing stopped after `ccmcheck.gcfg.parser.STOP_LIMIT` errors.
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
