"""Lines that are not plain: what gcfg's parser makes of them, and what they were most likely meant to be.

gcfg gives up at the first error. Here the error is noted, and the line is read once more for what can be known all the
same: ``auth_url = x`` is still an entry with a key and a value, ``[Load Balancer]`` still ends the section before it.

Source: gcfg v1.2.3, ``read.go``; the order of the checks decides which error is reported.
"""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span, Stop
from ccmcheck.base.records import NamedTuple
from ccmcheck.gcfg.lines import BLANKS, unquote, unreadable
from ccmcheck.gcfg.scanner import Lexeme, LocatedProblem, Scanner
from ccmcheck.gcfg.sections import OddHeader, OddSection, Section, before_return
from ccmcheck.gcfg.syntax import Entry

_ESCAPED_BYTE = lazy_regex("[\\udc80-\\udcff]")

# characters that nobody sees, at the start of a line
_INVISIBLE = lazy_regex("[\ufeff\xa0\x0b\x0c\x85\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000]++")
_KEY = lazy_regex(f'{BLANKS}([^\\s=#;"\\[\\]:\ufeff\u200b]++)[ \\t\\r\xa0\ufeff\u200b]*+(=)?')
_HEADER = lazy_regex(f'{BLANKS}(\\[)[\\[ \\t\\r]*+([^\\n"\\[\\]#; \\t\\r]*+)([^\\n\\]]*+)\\]?')
_REST = lazy_regex("[^\\n]*+")
_UNCOMMENTED_REST = lazy_regex("[^\\n#;]*+")

_IN_HEADER = frozenset(("illegal-character", "unterminated-string", "bad-escape"))
_IN_VALUE = frozenset(("unterminated-string", "bad-escape", "bad-backslash"))
_MEANT = frozenset(("illegal-character", "illegal-bom", "illegal-utf8", "illegal-nul")) | _IN_VALUE
"""After these a key with ``=`` still shows what was meant."""


class OddLine(NamedTuple):
    """What one line came to.

    Attributes:
        end: Offset of what comes next.
        section: The section that its header opens.
        entry: The variable in it.
        stop: The error that gcfg gives up at.
    """

    end: int
    section: Section | None = None
    entry: Entry | None = None
    stop: Stop | None = None


class _GiveUp(Exception):
    def __init__(self, complaint: LocatedProblem, more: int = 0) -> None:
        super().__init__(complaint.kind)
        self.complaint = complaint
        self.more = more


class OddLines:
    """Reads lines one by one, from the front of a text to its end.

    Args:
        text: The whole text.
        version: The release of gcfg.
    """

    def __init__(self, text: str, version: str) -> None:
        self._text = text
        self._version = version
        self._unreadable = not text.isascii() or "\0" in text
        self._measured = 0
        self._line = 1
        self._width = 0

    def read(self, position: int, *, in_section: bool) -> OddLine:
        """Read the line at ``position``.

        Args:
            position: Offset of the line, or of what is left of it.
            in_section: Whether a header came before.

        Returns:
            What it came to; never raises.
        """
        text = self._text
        scanner = Scanner(text, position, self._version, unreadable=self._unreadable)
        try:
            if self._unreadable and unreadable().match(text, position):
                scanner.complain_of_byte(position)
                if position and text[position - 1] == "\n":  # seen, and looked at, with the end of the line before
                    _check(scanner)
            return self._read(scanner, in_section=in_section)
        except _GiveUp as fault:
            return self._recover(position, fault.complaint, fault.more)

    def _read(self, scanner: Scanner, *, in_section: bool) -> OddLine:
        lexeme = scanner.scan()
        _check(scanner, lexeme)
        if lexeme in (Lexeme.LINE_END, Lexeme.END):
            return OddLine(scanner.position)
        if lexeme is Lexeme.OPEN:
            return self._header(scanner)
        if not in_section:
            _give_up(scanner, "no-section", "expected section header")
        if lexeme is not Lexeme.NAME:
            _give_up(scanner, "expected-key", "expected section header or variable declaration")
        return self._variable(scanner)

    def _header(self, scanner: Scanner) -> OddLine:
        text = self._text
        start = scanner.start
        lexeme = scanner.scan()
        _check(scanner)
        if lexeme is not Lexeme.NAME:
            _give_up(scanner, "bad-header", "expected section name")
        name_start = scanner.start
        name = text[name_start : scanner.end]
        subsection = None
        subsection_span = (0, 0)
        lexeme = scanner.scan()
        _check(scanner)
        if lexeme is Lexeme.STRING:
            subsection_span = (scanner.start, scanner.end)
            subsection = _unquote_subsection(text[scanner.start : scanner.end])
            if not subsection:
                _give_up(scanner, "empty-subsection", "empty subsection name")
            lexeme = scanner.scan()
            _check(scanner)
        if lexeme is not Lexeme.CLOSE:
            wanted = "right bracket" if subsection else "subsection name or right bracket"
            _give_up(scanner, "bad-header", f"expected {wanted}")
        end = scanner.end
        lexeme = scanner.scan()
        if lexeme not in (Lexeme.LINE_END, Lexeme.END):
            _give_up(scanner, "bad-header", "expected EOL, EOF, or comment")
        _check(scanner, lexeme)
        section = OddSection(
            OddHeader(
                text=text,
                name=name,
                name_start=name_start,
                subsection=subsection,
                subsection_span=Span(*subsection_span),
                span=Span(start, end),
                end=scanner.start,
                sound=True,
            )
        )
        return OddLine(scanner.position, section=section)

    def _variable(self, scanner: Scanner) -> OddLine:
        text = self._text
        key_start, key_end = scanner.start, scanner.end
        value = None
        value_start = value_end = -1
        quoted = False
        lexeme = scanner.scan()
        _check(scanner, lexeme)
        if lexeme is Lexeme.ASSIGN:
            equals_end = scanner.end
            scanner.scan()
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
            _give_up(scanner, "expected-equals", "expected '='")
        key = text[key_start:key_end]
        end = before_return(text, scanner.start)
        comment = scanner.comment
        entry = Entry(key, value, quoted, True, key_start, key_end, value_start, value_end, comment, end)
        return OddLine(scanner.position, entry=entry)

    def _recover(self, position: int, complaint: LocatedProblem, more: int) -> OddLine:
        """Note the error, and find what the line was meant to be and where to go on."""
        text = self._text
        header = _HEADER.match(text, position)
        kind = complaint.kind
        if header and kind in _IN_HEADER:
            kind = "bad-header"
        error = f"{self._place(complaint.offset)}: {complaint.message}"
        if more:
            error += f" (and {more} more errors)"
        stop = Stop(kind, complaint.span, error)
        invisible = _INVISIBLE.match(text, complaint.span.start)
        if invisible and not text[position : complaint.span.start].strip(" \t\r"):
            return OddLine(invisible.end(), stop=stop)
        end = text.find("\n", complaint.span.start) + 1 or len(text)
        if header:
            return OddLine(end, section=self._meant_section(header), stop=stop)
        if kind in _MEANT:
            entry = self._meant_entry(position)
            if entry is not None:  # its value may go on in the lines below
                end = max(end, text.find("\n", entry.end) + 1 or len(text))
            return OddLine(end, entry=entry, stop=stop)
        return OddLine(end, stop=stop)

    def _meant_section(self, header: re.Match[str]) -> Section:
        rest = header[3]
        word = rest.strip(" \t\r\"'")
        subsection_start = header.start(3) + len(rest) - len(rest.lstrip())
        line_end = _REST.match(self._text, header.end()).end()  # type: ignore[union-attr]  # matches the empty text too
        return OddSection(
            OddHeader(
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

    def _meant_entry(self, position: int) -> Entry | None:
        text = self._text
        match = _KEY.match(text, position)
        if match is None or match[2] is None:
            return None
        start = match.end()
        scanner = Scanner(text, start - 1, self._version, unreadable=False)
        scanner.scan()
        scanner.scan()
        value_start = scanner.start
        if scanner.first is None:
            raw = text[value_start : scanner.end]
            value = unquote(raw)
            scanner.scan()
            end = scanner.start
        else:
            pattern = _UNCOMMENTED_REST if scanner.first.kind == "bad-backslash" else _REST
            raw = pattern.match(text, value_start).group().rstrip(" \t\r")  # type: ignore[union-attr]
            value = raw.replace('"', "")
            end = _REST.match(text, value_start).end()  # type: ignore[union-attr]  # matches the empty text too
        if not raw:
            value_start = start
        return Entry(
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

        Offsets come in order, so only what lies after the last one is looked at.
        """
        text = self._text
        start = text.rfind("\n", self._measured, offset) + 1
        if start:
            self._line += text.count("\n", self._measured, start)
            self._width = 0
        else:
            start = self._measured
        between = text[start:offset]
        self._width += len(between)
        if not between.isascii():
            # a byte that was not UTF-8 is one byte, though its stand-in would be three
            extra = 2 * len(_ESCAPED_BYTE.findall(between))
            self._width += len(between.encode("utf-8", "surrogatepass")) - extra - len(between)
        self._measured = offset
        return f"{self._line}:{self._width + 1}"


def _check(scanner: Scanner, lexeme: Lexeme | None = None) -> None:
    """Give up if the scanner complains; not at the end of a good line of the byte that starts the next one.

    gcfg does not tell the two apart, but the next line will complain of the same byte with the same words.
    """
    if scanner.first is not None and not (lexeme is Lexeme.LINE_END and scanner.first.offset == scanner.position):
        raise _GiveUp(scanner.first, scanner.count - 1)


def _give_up(scanner: Scanner, kind: str, message: str) -> None:
    raise _GiveUp(LocatedProblem(kind, scanner.start, message, Span(scanner.start, scanner.end)))


def _unquote_subsection(raw: str) -> str:
    return raw[1:-1].replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")
