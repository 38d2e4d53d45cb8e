"""Error recovery: parses the lines that `ccmcheck.gcfg.sections` does not recognise as plain.

gcfg stops at the first error. This parser records the error and recovers in panic mode: it skips to the next line, the
synchronization point, and keeps what is left of the faulty line. ``auth_url = x`` is an entry with a key and value,
``[Load Balancer]`` ends the section before it.

Source: gcfg v1.2.3, ``read.go``; the order of the checks decides which error is reported.

gcfg's scanner, for lines that are not plain.

It reads one character ahead, reports a bad byte when it reads it rather than when it uses it, and its errors accumulate
("and 2 more errors") until the parser checks them. The text of the first error depends on all of that.

Source: gcfg v1.2.3, ``scanner/scanner.go``; v1.2.0 accepts no escaped quote outside quotes.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span, Stop
from ccmcheck.base.records import NamedTuple
from ccmcheck.gcfg.errors import illegal
from ccmcheck.gcfg.letters import is_digit, is_letter
from ccmcheck.gcfg.sections import (
    BLANKS,
    ESCAPED_QUOTE_SINCE,
    ParsedHeader,
    ScannedSection,
    Section,
    Variable,
    before_return,
    unquote,
    unreadable,
)

_WHITE = lazy_regex(BLANKS)
_WORD = lazy_regex("[A-Za-z0-9\\-\u0080-\U0010ffff]*+")
_REST_OF_LINE = lazy_regex("[^\\n]*+")

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
                self._advance(_end(_REST_OF_LINE, text, start))
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
        text = self._text
        position = start + 1
        while True:
            begin = position
            position = _end(_IN_SUBSECTION, text, position)
            if position != begin:
                continue
            char = text[position : position + 1]
            if char == '"':
                self.end = position + 1
                self._advance(position + 1)
                return
            if char != "\\":
                self._advance(position + 1)
                self.report("unterminated-string", start, "string not terminated", Span(start, position))
                self.end = position
                self._advance(position + 2)
                return
            position = self._bad_escape(position, '"')

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
                closed = self._quoted(start, position)
                if closed is None:
                    self.end = self.position
                    return
                position = closed
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

    def _quoted(self, value: int, start: int) -> int | None:
        """A quoted part of a value; returns the offset after the closing quote, or None without one."""
        text = self._text
        position = start + 1
        while True:
            begin = position
            position = _end(_IN_QUOTES, text, position)
            if position != begin:
                continue
            char = text[position : position + 1]
            if char == '"':
                return position + 1
            if char != "\\":
                self._advance(position + 1)
                self.report("unterminated-string", value, "string not terminated", Span(start, position))
                return None
            position = self._bad_escape(position, '"nt')

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


# invisible characters at the start of a line
_INVISIBLE = lazy_regex("[\ufeff\xa0\x0b\x0c\x85\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000]++")
_KEY = lazy_regex(f'{BLANKS}([^\\s=#;"\\[\\]:\ufeff\u200b]++)[ \\t\\r\xa0\ufeff\u200b]*+(=)?')
_HEADER = lazy_regex(f'{BLANKS}(\\[)[\\[ \\t\\r]*+([^\\n"\\[\\]#; \\t\\r]*+)([^\\n\\]]*+)\\]?')
_REST = lazy_regex("[^\\n]*+")
_UNCOMMENTED_REST = lazy_regex("[^\\n#;]*+")

_IN_HEADER = frozenset(("illegal-character", "unterminated-string", "bad-escape"))
_IN_VALUE = frozenset(("unterminated-string", "bad-escape", "bad-backslash"))
_RECOVERABLE = frozenset(("illegal-character", "illegal-bom", "illegal-utf8", "illegal-nul")) | _IN_VALUE
"""After these errors a key with ``=`` still gives the entry."""


class ParsedLine(NamedTuple):
    """The result of parsing one line.

    Attributes:
        end: Offset where parsing continues.
        section: The section that its header opens.
        entry: The variable in it.
        stop: The error that gcfg stops at.
    """

    end: int
    section: Section | None = None
    entry: Variable | None = None
    stop: Stop | None = None


class _SyntaxFault(Exception):
    def __init__(self, problem: ScannerError, more: int = 0) -> None:
        super().__init__(problem.kind)
        self.problem = problem
        self.more = more


class LineParser:
    """Parses single lines with gcfg's scanner, from the start of a text to its end."""

    def __init__(self, text: str, version: str) -> None:
        self._text = text
        self._version = version
        self._unreadable = not text.isascii() or "\0" in text
        self._located = 0
        self._line = 1
        self._width = 0

    def read(self, position: int, *, in_section: bool) -> ParsedLine:
        """Parse the line at an offset; never raises.

        Args:
            position: Offset of the line, or of the rest of it.
            in_section: Whether a header came before.
        """
        text = self._text
        scanner = Scanner(text, position, self._version, unreadable=self._unreadable)
        try:
            if self._unreadable and unreadable().match(text, position):
                scanner.report_byte(position)
                if position and text[position - 1] == "\n":  # seen, and looked at, with the end of the line before
                    _check(scanner)
            return self._read(scanner, in_section=in_section)
        except _SyntaxFault as fault:
            return self._recover(position, fault.problem, fault.more)

    def _read(self, scanner: Scanner, *, in_section: bool) -> ParsedLine:
        lexeme = scanner.scan()
        _check(scanner, lexeme)
        if lexeme is Lexeme.OPEN:
            return self._header(scanner)
        if not in_section:
            _fail(scanner, "no-section", "expected section header")
        if lexeme is not Lexeme.NAME:
            _fail(scanner, "expected-key", "expected section header or variable declaration")
        return self._variable(scanner)

    def _header(self, scanner: Scanner) -> ParsedLine:
        text = self._text
        start = scanner.start
        lexeme = scanner.scan()
        _check(scanner)
        if lexeme is not Lexeme.NAME:
            _fail(scanner, "bad-header", "expected section name")
        name_start = scanner.start
        name = text[name_start : scanner.end]
        subsection = None
        lexeme = scanner.scan()
        _check(scanner)
        subsection_span = Span(scanner.start, scanner.end)
        if lexeme is Lexeme.STRING:
            subsection = _unquote_subsection(text[slice(*subsection_span)])
            if not subsection:
                _fail(scanner, "empty-subsection", "empty subsection name")
            lexeme = scanner.scan()
            _check(scanner)
        if lexeme is not Lexeme.CLOSE:
            expected = "right bracket" if subsection else "subsection name or right bracket"
            _fail(scanner, "bad-header", f"expected {expected}")
        end = scanner.end
        lexeme = scanner.scan()
        if lexeme not in (Lexeme.LINE_END, Lexeme.END):
            _fail(scanner, "bad-header", "expected EOL, EOF, or comment")
        _check(scanner, lexeme)
        section = ScannedSection(
            ParsedHeader(
                text=text,
                name=name,
                name_start=name_start,
                subsection=subsection,
                subsection_span=subsection_span,
                span=Span(start, end),
                end=scanner.start,
                sound=True,
            )
        )
        return ParsedLine(scanner.position, section=section)

    def _variable(self, scanner: Scanner) -> ParsedLine:
        text = self._text
        key_start, key_end = scanner.start, scanner.end
        value = None
        value_start = value_end = -1
        quoted = False
        lexeme = scanner.scan()
        _check(scanner, lexeme)
        if lexeme is Lexeme.ASSIGN:
            equals_end = scanner.end
            scanner.scan_value()
            _check(scanner)
            value_start, value_end = scanner.start, scanner.end
            raw = text[value_start:value_end]
            value = unquote(raw)
            quoted = '"' in raw
            if not raw:
                value_start = value_end = equals_end
            lexeme = scanner.scan()
            _check(scanner, lexeme)
        if lexeme not in (Lexeme.LINE_END, Lexeme.END):
            _fail(scanner, "expected-equals", "expected '='")
        key = text[key_start:key_end]
        end = before_return(text, scanner.start)
        comment = scanner.comment
        entry = Variable(key, value, quoted, True, key_start, key_end, value_start, value_end, comment, end)
        return ParsedLine(scanner.position, entry=entry)

    def _recover(self, position: int, problem: ScannerError, more: int) -> ParsedLine:
        """Record the error, recover the section or entry of the line, and find where to continue."""
        text = self._text
        header = _HEADER.match(text, position)
        kind = problem.kind
        if header and kind in _IN_HEADER:
            kind = "bad-header"
        error = f"{self._place(problem.offset)}: {problem.message}"
        if more:
            error += f" (and {more} more errors)"
        stop = Stop(kind, problem.span, error)
        invisible = _INVISIBLE.match(text, problem.span.start)
        if invisible and not text[position : problem.span.start].strip(" \t\r"):
            return ParsedLine(invisible.end(), stop=stop)
        end = text.find("\n", problem.span.start) + 1 or len(text)
        if header:
            return ParsedLine(end, section=self._recovered_section(header), stop=stop)
        if kind in _RECOVERABLE:
            entry = self._recovered_entry(position)
            if entry is not None:  # its value may go on in the lines below
                end = max(end, text.find("\n", entry.end) + 1 or len(text))
            return ParsedLine(end, entry=entry, stop=stop)
        return ParsedLine(end, stop=stop)

    def _recovered_section(self, header: re.Match[str]) -> Section:
        rest = header[3]
        word = rest.strip(" \t\r\"'")
        subsection_start = header.start(3) + len(rest) - len(rest.lstrip())
        line_end = _REST.match(self._text, header.end()).end()  # type: ignore[union-attr]  # matches the empty text too
        return ScannedSection(
            ParsedHeader(
                text=self._text,
                name=header[2],
                name_start=header.start(2),
                subsection=word or None,
                subsection_span=Span(subsection_start, subsection_start + len(rest.strip())),
                span=Span(header.start(1), header.end()),
                end=line_end,
                sound=False,
            )
        )

    def _recovered_entry(self, position: int) -> Variable | None:
        text = self._text
        match = _KEY.match(text, position)
        if match is None or match[2] is None:
            return None
        start = match.end()
        scanner = Scanner(text, start - 1, self._version, unreadable=False)
        scanner.scan()
        scanner.scan_value()
        value_start = scanner.start
        if scanner.first_error is None:
            raw = text[value_start : scanner.end]
            value = unquote(raw)
            scanner.scan()
            end = scanner.start
        else:
            pattern = _UNCOMMENTED_REST if scanner.first_error.kind == "bad-backslash" else _REST
            raw = pattern.match(text, value_start).group().rstrip(" \t\r")  # type: ignore[union-attr]
            value = raw.replace('"', "")
            end = _REST.match(text, value_start).end()  # type: ignore[union-attr]  # matches the empty text too
        if not raw:
            value_start = start
        return Variable(
            match[1],
            value,
            '"' in raw,
            False,
            *match.span(1),
            value_start,
            value_start + len(raw),
            scanner.comment,
            before_return(text, end),
        )

    def _place(self, offset: int) -> str:
        """``LINE:COLUMN`` as gcfg prints it: both count from 1, columns in bytes.

        Offsets come in ascending order, so only the text after the last one is measured.
        """
        text = self._text
        start = text.rfind("\n", self._located, offset) + 1
        if start:
            self._line += text.count("\n", self._located, start)
            self._width = 0
        else:
            start = self._located
        between = text[start:offset]
        self._width += len(between.encode("utf-8", "surrogateescape"))
        self._located = offset
        return f"{self._line}:{self._width + 1}"


def _check(scanner: Scanner, lexeme: Lexeme | None = None) -> None:
    """Fail if the scanner has reported an error, unless it is in the byte that starts the next line.

    gcfg makes no such difference, but the next line reports the same byte with the same words.
    """
    if scanner.first_error is not None and not (
        lexeme is Lexeme.LINE_END and scanner.first_error.offset == scanner.position
    ):
        raise _SyntaxFault(scanner.first_error, scanner.error_count - 1)


def _fail(scanner: Scanner, kind: str, message: str) -> None:
    raise _SyntaxFault(ScannerError(kind, scanner.start, message, Span(scanner.start, scanner.end)))


def _unquote_subsection(raw: str) -> str:
    return raw[1:-1].replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")
