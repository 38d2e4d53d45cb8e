"""gcfg's scanner, for lines that are not plain.

It reads one character ahead, reports a bad byte when it reads it rather than when it uses it, and its errors accumulate
("and 2 more errors") until the parser checks them. The text of the first error depends on all of that.

Source: gcfg v1.2.3, ``scanner/scanner.go``; v1.2.0 accepts no escaped quote outside quotes.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.gcfg.errors import illegal
from ccmcheck.gcfg.letters import is_digit, is_letter
from ccmcheck.gcfg.lines import BLANKS, ESCAPED_QUOTE_SINCE, unreadable

_WHITE = lazy_regex(BLANKS)


_WORD = lazy_regex("[A-Za-z0-9\\-\u0080-\U0010ffff]*+")


# up to 1000 pieces without an error, so that no text makes a match deep
_UNQUOTED = lazy_regex('(?:[^\\n#;"\\\\]++|\\\\\\r?[\\n"]|"[^"\\\\\\n]*+(?:\\\\[\\\\"nt][^"\\\\\\n]*+){0,20}"){0,1000}')


_UNQUOTED_OLD = lazy_regex(
    '(?:[^\\n#;"\\\\]++|\\\\\\r?\\n|"[^"\\\\\\n]*+(?:\\\\[\\\\"nt][^"\\\\\\n]*+){0,20}"){0,1000}'
)


_IN_QUOTES = lazy_regex('(?:[^"\\\\\\n]++|\\\\[\\\\"nt]){0,1000}')


_ANY_ESCAPES = lazy_regex('(?:[^"\\\\\\n]++|\\\\[^\\n]){0,1000}')


_IN_SUBSECTION = lazy_regex('(?:[^"\\\\\\n]++|\\\\[\\\\"]){0,1000}')


class Lexeme(Enum):
    """The kinds of tokens."""

    END = auto()
    LINE_END = auto()
    NAME = auto()
    STRING = auto()
    ASSIGN = auto()
    OPEN = auto()
    CLOSE = auto()
    ILLEGAL = auto()


_MARKS = {"\n": Lexeme.LINE_END, "[": Lexeme.OPEN, "]": Lexeme.CLOSE, "=": Lexeme.ASSIGN}


class ScannerError(NamedTuple):
    """One error of the scanner.

    Attributes:
        kind: The kind of stop that it makes.
        offset: The place that its message names.
        message: gcfg's words.
        span: The place to show.
    """

    kind: str
    offset: int
    message: str
    span: Span


class Scanner:
    """Splits a text into lexemes from an offset on.

    Args:
        text: The whole text.
        position: Offset of the first character.
        version: The release of gcfg.
        unreadable: Whether the text holds NUL or bytes that are not UTF-8; without them the check is skipped.

    Attributes:
        position: Offset of the current character.
        start: Offset of the last lexeme.
        end: Offset after the last lexeme; values are trimmed.
        comment: Offset of the comment passed, or -1.
        first_error: The first error.
        error_count: How many errors there are.
    """

    __slots__ = (
        "_size", "_text", "_unquoted", "_unreadable", "comment", "end", "error_count", "first_error",
        "position", "start",
    )  # fmt: skip

    def __init__(self, text: str, position: int, version: str, *, unreadable: bool) -> None:
        self._text = text
        self._size = len(text)
        self._unquoted = _UNQUOTED if version >= ESCAPED_QUOTE_SINCE else _UNQUOTED_OLD
        self._unreadable = unreadable
        self.position = position
        self.start = self.end = position
        self.comment = -1
        self.first_error: ScannerError | None = None
        self.error_count = 0

    def report(self, kind: str, offset: int, message: str, span: Span) -> None:
        """Add an error."""
        if self.first_error is None:
            self.first_error = ScannerError(kind, offset, message, span)
        self.error_count += 1

    def report_byte(self, offset: int) -> None:
        """Add the error for one unreadable character."""
        if self._text[offset] == "\0":
            self.report("illegal-nul", offset, "illegal character NUL", Span(offset, offset + 1))
        else:
            self.report("illegal-utf8", offset, "illegal UTF-8 encoding", Span(offset, offset + 1))

    def scan(self) -> Lexeme:
        """Read the next lexeme, after white space and comments."""
        text = self._text
        while True:
            self._advance(_end(_WHITE, text, self.position))
            start = self.start = self.position
            if start == self._size:
                self.end = start
                return Lexeme.END
            char = text[start]
            if is_letter(char):
                self.end = name_end(text, start)
                self._advance(self.end)
                return Lexeme.NAME
            self.end = start + 1
            self._advance(start + 1)
            if char in ("#", ";"):
                self.comment = start
                self._advance(_end(_REST, text, start))
                continue
            if char == '"':
                self._string(start)
                return Lexeme.STRING
            lexeme = _MARKS.get(char, Lexeme.ILLEGAL)
            if lexeme is Lexeme.ILLEGAL:
                kind = "illegal-bom" if char == "\ufeff" else "illegal-character"
                self.report(kind, start, illegal(char), Span(start, start + 1))
            return lexeme

    def _advance(self, position: int) -> None:
        """Move to an offset; reports every unreadable character up to and including the one there."""
        position = min(position, self._size)
        if self._unreadable:
            bad = unreadable().search(self._text, self.position + 1, position + 1)
            if bad:
                self.report_byte(bad.start())
                self.error_count += len(unreadable().findall(self._text, bad.end(), position + 1))
        self.position = position

    def _string(self, start: int) -> None:
        """A subsection in quotes."""
        position = self._end_of_quotes(start, start, _IN_SUBSECTION, '"')
        if self._text.startswith('"', position):
            self.end = position + 1
            self._advance(position + 1)
        else:
            self.end = position
            self._advance(position + 2)

    def scan_value(self) -> None:
        """Read what follows ``=`` up to a comment, over continuations; without white space around it."""
        text = self._text
        self._advance(_end(_WHITE, text, self.position))
        start = self.start = position = self.position
        while True:
            begin = position
            position = _end(self._unquoted, text, position)
            if position != begin:
                continue
            char = text[position : position + 1]
            if char == '"':
                position = self._end_of_quotes(start, position, _IN_QUOTES, '"nt')
                if not text.startswith('"', position):
                    self.end = self.position
                    return
                position += 1
            elif char == "\\":
                self._advance(position + 2 if text.startswith("\r", position + 1) else position + 1)
                message = "unquoted '\\' must be followed by new line"
                if self._unquoted is _UNQUOTED:
                    message += " or double quote"
                self.report("bad-backslash", start, message, Span(position, min(position + 2, self._size)))
                self.end = position
                return
            else:
                break
        self.end = start + len(text[start:position].rstrip(" \t\r"))
        self._advance(position)

    def _end_of_quotes(self, token: int, start: int, plain: re.Pattern[str], escapes: str) -> int:
        """The offset of the closing quote, or without one of what stands there instead, which is reported.

        Args:
            token: Where the value or the subsection begins.
            start: The opening quote.
            plain: What needs no look.
            escapes: What may follow a backslash.
        """
        text = self._text
        position = start + 1
        while True:
            begin = position
            position = _end(plain, text, position)
            if position != begin:
                continue
            char = text[position : position + 1]
            if char == '"':
                return position
            if char != "\\":
                self._advance(position + 1)
                self.report("unterminated-string", token, "string not terminated", Span(start, position))
                return position
            position = self._bad_escape(position, escapes)

    def _bad_escape(self, backslash: int, good: str) -> int:
        """Report an escape, and skip what follows it in the same line up to the closing quote.

        Of the escapes there, all but pairs of backslashes and those in ``good`` count as further errors: one step for
        thousands of them, where a report of each would take half a second a megabyte.
        """
        text = self._text
        position = min(backslash + 2, self._size)
        self._advance(position)
        self.report("bad-escape", backslash + 1, "unknown escape sequence", Span(backslash, position))
        if text[backslash + 1 : position] == "\n":
            return position
        begin = position
        end = -1
        while end != position:
            end = position
            position = _end(_ANY_ESCAPES, text, position)
        # without pairs of backslashes every remaining one starts an escape
        skipped = text[begin:position].replace("\\\\", "")
        self._advance(position)
        self.error_count += skipped.count("\\") - sum([skipped.count("\\" + char) for char in good])
        return position


def name_end(text: str, start: int) -> int:
    """The end of a name: letters, decimal digits and dashes of any script.

    Args:
        text: The whole text.
        start: Offset of the name's first letter.

    Returns:
        Offset after the name.
    """
    word = text[start : _end(_WORD, text, start)]
    others = {char for char in set(word) if not (is_letter(char) or is_digit(char) or char == "-")}
    return start + next((index for index, char in enumerate(word) if char in others), len(word))


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    return pattern.match(text, position).end()  # type: ignore[union-attr]  # matches the empty text too


_REST = lazy_regex("[^\\n]*+")
