"""The tokens and entries of a parsed text, with their offsets, so that an edit can be exact."""

from __future__ import annotations

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple

NEWEST = "v1.2.3"
"""The release of gcfg that cloud-provider-openstack has used since 1.12."""

ESCAPED_QUOTE_SINCE = "v1.2.2"
"""The release of gcfg that accepts ``\\"`` outside quotes."""


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


class Variable(NamedTuple):
    r"""One variable: ``key = value``, or a bare ``key``.

    Attributes:
        key: As written.
        value: What gcfg makes of the text after ``=``: quotes removed, escapes and continuations resolved; None for a
            bare key.
        quoted: Whether the raw value holds a double quote.
        sound: False where its line has an error; then key and value are recovered from it.
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
        return Span(self.value_start, self.value_end) if self.value is not None else None
