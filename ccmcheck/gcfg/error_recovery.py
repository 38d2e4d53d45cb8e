"""Error recovery: parses the lines that `ccmcheck.gcfg.lines` does not recognise as plain.

gcfg stops at the first error. This parser records the error and recovers in panic mode: it skips to the next line, the
synchronization point, and keeps what is left of the faulty line. ``auth_url = x`` is an entry with a key and value,
``[Load Balancer]`` ends the section before it.

Source: gcfg v1.2.3, ``read.go``; the order of the checks decides which error is reported.
"""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span, Stop
from ccmcheck.base.records import NamedTuple
from ccmcheck.gcfg.lines import BLANKS, Variable, unquote, unreadable
from ccmcheck.gcfg.scanner import Lexeme, Scanner, ScannerError
from ccmcheck.gcfg.sections import ParsedHeader, ScannedSection, Section, before_return

_REST = lazy_regex("[^\\n]*+")


# invisible characters at the start of a line
_INVISIBLE = lazy_regex("[\ufeff\xa0\x0b\x0c\x85\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000]++")
_KEY = lazy_regex(f'{BLANKS}([^\\s=#;"\\[\\]:\ufeff\u200b]++)[ \\t\\r\xa0\ufeff\u200b]*+(=)?')
_HEADER = lazy_regex(f'{BLANKS}(\\[)[\\[ \\t\\r]*+([^\\n"\\[\\]#; \\t\\r]*+)([^\\n\\]]*+)\\]?')
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
