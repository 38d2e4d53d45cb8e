"""The records a parsed text consists of: sections, entries, tokens, and the document that holds them.

They keep offsets and never text of their own making, so that an edit can be exact; joining the tokens of a document
gives its text back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ccmcheck.model import Span, Stop


class Token(NamedTuple):
    """A piece of the text.

    Attributes:
        kind: ``blank``, ``newline``, ``comment``, ``bracket``, ``section``, ``subsection``, ``key``, ``equals``,
            ``value``, or ``other`` for what gcfg cannot read.
        start: Offset of its first code point.
        end: Offset after its last.
    """

    kind: str
    start: int
    end: int


class Entry(NamedTuple):
    r"""One variable: ``key = value``, or a bare ``key``.

    Attributes:
        key: As written.
        value: What gcfg makes of the text after ``=``: quotes removed, escapes and continuations resolved; None for a
            bare key.
        quoted: Whether the raw value holds a double quote.
        sound: False where its line has an error; then key and value are what was most likely meant.
        key_start: Offset of the key.
        key_end: Offset after the key.
        value_start: Offset of the raw value, -1 for a bare key.
        value_end: Offset after the raw value, -1 for a bare key.
        comment_start: Offset of ``#`` or ``;``, -1 without a comment.
        end: Offset of the end of its logical line, before the line's end (``\n`` or ``\r\n``).
    """

    key: str
    value: str | None
    quoted: bool
    sound: bool
    key_start: int
    key_end: int
    value_start: int
    value_end: int
    comment_start: int
    end: int

    @property
    def key_span(self) -> Span:
        """Where the key is."""
        return Span(self.key_start, self.key_end)

    @property
    def value_span(self) -> Span | None:
        """Where the raw value is, quotes included and trimmed; empty and right after ``=`` if there is none.

        None for a bare key.
        """
        return Span(self.value_start, self.value_end) if self.value_start >= 0 else None

    @property
    def comment_span(self) -> Span | None:
        """From ``#`` or ``;`` to the end of the line; None without a comment."""
        return Span(self.comment_start, self.end) if self.comment_start >= 0 else None


Part = tuple[int, int] | Entry
"""A stretch of lines that are known to be right, or one entry that needed a closer look."""


class Section:
    """One header and the entries below it, up to the next header.

    The entries are made when they are first asked for: a reader that does not know the section never does.

    Attributes:
        name: As written.
        subsection: The text in the quotes, escapes resolved; None without one.
        span: The whole header, ``[`` to ``]``.
        end: Offset of the end of the header's line, before the line's end.
        sound: False where the header has an error; then name and subsection are what was most likely meant.
        parts: Where the entries come from.
    """

    __slots__ = (
        "_entries",
        "_name_start",
        "_read",
        "_subsection_span",
        "end",
        "name",
        "parts",
        "sound",
        "span",
        "subsection",
    )

    def __init__(
        self,
        *,
        name: str,
        name_start: int,
        subsection: str | None,
        subsection_span: tuple[int, int],
        span: Span,
        end: int,
        read: Callable[[int, int], list[Entry]],
        sound: bool = True,
    ) -> None:
        self.name = name
        self.subsection = subsection
        self.span = span
        self.end = end
        self.sound = sound
        self.parts: list[Part] = []
        self._name_start = name_start
        self._subsection_span = subsection_span
        self._read = read
        self._entries: tuple[Entry, ...] | None = None

    @property
    def name_span(self) -> Span:
        """Where the name is."""
        return Span(self._name_start, self._name_start + len(self.name))

    @property
    def subsection_span(self) -> Span | None:
        """Where the subsection is, quotes included; None without one."""
        return None if self.subsection is None else Span(*self._subsection_span)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The variables below the header, in file order."""
        entries = self._entries
        if entries is None:
            found: list[Entry] = []
            for part in self.parts:
                if isinstance(part, Entry):
                    found.append(part)
                else:
                    found += self._read(*part)
            entries = self._entries = tuple(found)
        return entries

    def __repr__(self) -> str:
        name = self.name if self.subsection is None else f"{self.name} {self.subsection!r}"
        return f"<Section [{name}] at {self.span.start}>"


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
