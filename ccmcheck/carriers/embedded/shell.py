"""Shell scripts: heredocs, quoted strings of several lines, and variables whose value is a cloud.conf in base64.

Finds the heredocs and quoted strings of a shell script: quotes, comments, substitutions and their nesting.

The script is neither parsed nor checked. Where a quote is never closed, as in a template of a script or a Makefile, it
is taken for an ordinary character and the text behind it is read again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.embedded.chart_settings import in_shell
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.catalog.signs.forms import is_quoted_conf, worth_decoding
from ccmcheck.catalog.signs.paths import is_named_cloud_conf
from ccmcheck.layers.base import Layer
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.unindented import leading_tabs, unindented

_CODE = lazy_regex(
    r"(?P<blank>[ \t\r]++)|(?P<line>\n)|(?P<word>[^\s\\'\"`$<>#()|&;{}]++)|(?P<escape>\\.)"
    r"|(?P<ansi>\$'(?:[^'\\]|\\.)*+')|(?P<single>'[^']*+')|(?P<quote>\$?\")|(?P<tick>`)"
    r"|(?P<arithmetic>\$?\(\()|(?P<open>\$?\()|(?P<close>\))|(?P<brace>\$\{)"
    r"|(?P<string><<<)|(?P<heredoc><<(?P<dash>-?)[ \t]*+(?P<delimiter>(?:'[^'\n]*+'|\"(?:[^\"\\\n]|\\.)*+\"|\\."
    r"|[^\s'\"\\<>|;&()`])++))|(?P<separator>;;&|;&|;;|[;&|])|(?P<other>.)",
    re.DOTALL,
)
_QUOTED = lazy_regex(
    r"(?P<same>[^\"\\`$]++)|(?P<escape>\\.)|(?P<quote>\")|(?P<tick>`)|(?P<arithmetic>\$\(\()|(?P<open>\$\()"
    r"|(?P<brace>\$\{)|(?P<other>.)",
    re.DOTALL,
)
_EXPANSION = lazy_regex(
    r"(?P<same>[^}\"'\\`$]++)|(?P<escape>\\.)|(?P<quote>\")|(?P<tick>`)|(?P<arithmetic>\$\(\()|(?P<open>\$\()"
    r"|(?P<brace>\$\{)|(?P<end>\})|(?P<single>'[^']*+')|(?P<other>.)",
    re.DOTALL,
)
_ARITHMETIC = lazy_regex(
    r"(?P<same>[^()\"'\\`$]++)|(?P<escape>\\.)|(?P<quote>\")|(?P<tick>`)|(?P<deeper>\$?\()|(?P<close>\))"
    r"|(?P<brace>\$\{)|(?P<single>'[^']*+')|(?P<other>.)",
    re.DOTALL,
)
_PATTERNS = {'"': _QUOTED, "{": _EXPANSION, "((": _ARITHMETIC}
_COMMENT = lazy_regex(r"[^\n]*+")
_UNQUOTED = lazy_regex(r"'([^']*+)'|\"((?:[^\"\\]|\\.)*+)\"|\\(.)", re.DOTALL)
_AT_COMMAND = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "time"})
_MOST_RESTARTS = 20
_MOST_READ_AGAIN = 2_000_000
"""Code points that are read again behind quotes without an end."""
_DEEPEST = 200
_LONGEST_DELIMITER = 200


class ShellText(NamedTuple):
    """A heredoc's body, or what is between quotes.

    Attributes:
        span: Where it is.
        kind: ``<<``, ``<<-``, ``"`` or ``'``.
        expands: Whether the shell replaces variables in it.
        start: Where its ``<<`` or quote is.
        end: Where its delimiter or closing quote ends, where the rest of the command follows a heredoc's ``<<``.
    """

    span: Span
    kind: str
    expands: bool
    start: int
    end: int


class _Opening(NamedTuple):
    start: int
    end: int
    word: str
    tabs: bool
    expands: bool


class _Frame(NamedTuple):
    """What the lexer is in: ``(``, ``case``, ``"``, a backquote, ``{`` for ``${``, ``((``."""

    kind: str
    start: int
    found: int  # how many texts were found before it
    pending: tuple[_Opening, ...] = ()


class _Ends:
    """The lines that may end a heredoc, looked up once for all."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[bool, dict[str, list[int]]] = {}

    def find(self, opening: _Opening, position: int) -> Span | None:
        """The first line from a position on that ends a heredoc, without its line end."""
        if opening.tabs not in self._lines:
            self._lines[opening.tabs] = self._read(opening.tabs)
        starts = self._lines[opening.tabs].get(opening.word, [])
        index = bisect_left(starts, position)
        if index == len(starts):
            return None
        end = self._text.find("\n", starts[index])
        return Span(starts[index], len(self._text) if end < 0 else end)

    def _read(self, tabs: bool) -> dict[str, list[int]]:
        lines: dict[str, list[int]] = {}
        start = 0
        for line in self._text.split("\n"):
            if len(line) < _LONGEST_DELIMITER:
                end = line.removesuffix("\r")
                lines.setdefault(end.lstrip("\t") if tabs else end, []).append(start)
            start += len(line) + 1
        return lines


def shell_texts(text: str) -> list[ShellText]:
    """Find the heredocs that are closed, and the quoted strings of several lines.

    Args:
        text: A script; a part of one that a scalar or a template holds.

    Returns:
        The texts in their order; a heredoc within a string's ``$( )`` precedes it.
    """
    return _Lexer(text).run()


class _Lexer:
    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = _Ends(text)
        self._found: list[ShellText] = []
        self._frames: list[_Frame] = []
        self._pending: list[_Opening] = []
        self._depths: list[int] = []  # of parentheses, for each arithmetic that is open
        self._is_command = True
        self._is_word_start = True
        self._literal: set[int] = set()  # quotes that are never closed

    def run(self) -> list[ShellText]:
        position = read_again = 0
        while True:
            while position < len(self._text):
                position = self._step(position)
            frame = next((frame for frame in self._frames if frame.kind in '"`{'), None)
            if frame is None or len(self._literal) >= _MOST_RESTARTS or read_again >= _MOST_READ_AGAIN:
                return self._found
            read_again += len(self._text) - frame.start
            del self._frames[self._frames.index(frame) :]
            del self._found[frame.found :]
            self._pending = list(frame.pending)
            self._depths = [2 for frame in self._frames if frame.kind == "(("]
            self._literal.add(frame.start)
            position = frame.start

    def _step(self, position: int) -> int:
        kind = self._frames[-1].kind if self._frames else ""
        match = _PATTERNS.get(kind, _CODE).match(self._text, position)
        if match is None:  # a backslash at the end
            return len(self._text)
        group = match.lastgroup or "other"
        if group in ("dash", "delimiter"):
            group = "heredoc"
        if position in self._literal:
            group = "other"
        end = match.end()
        if kind in _PATTERNS:
            self._nested(kind, group, position, end)
            return end
        return self._code(match, group, position, end)

    def _push(self, kind: str, start: int) -> None:
        if len(self._frames) < _DEEPEST:
            self._frames.append(_Frame(kind, start, len(self._found), tuple(self._pending)))
            if kind == "((":
                self._depths.append(2)
            self._is_command = self._is_word_start = True

    def _pop(self) -> _Frame:
        self._is_command = self._is_word_start = False
        return self._frames.pop()

    def _nested(self, kind: str, group: str, start: int, end: int) -> None:
        """One group within a double-quoted string, ``${ }`` or arithmetic."""
        if group == "quote":
            if kind == '"':
                self._close_quote(end)
            else:
                self._push('"', start)
        elif group == "tick":
            self._push("`", start)
        elif group in ("open", "arithmetic"):
            self._push("((" if group == "arithmetic" else "(", start)
        elif group == "brace":
            self._push("{", start)
        elif group == "end":
            self._pop()
        elif group == "deeper":
            self._depths[-1] += 1
        elif group == "close":
            self._depths[-1] -= 1
            if self._depths[-1] == 0:
                self._depths.pop()
                self._pop()

    def _close_quote(self, end: int) -> None:
        frame = self._pop()
        start = frame.start + 1 + self._text.startswith("$", frame.start)
        if self._text.find("\n", start, end) >= 0:
            self._found.append(ShellText(Span(start, end - 1), '"', expands=True, start=frame.start, end=end))

    def _code(self, match: re.Match[str], group: str, start: int, end: int) -> int:
        """One group of commands; returns where the next one starts."""
        if group == "word":
            self._word(match[0], end)
        elif group == "blank":
            self._is_word_start = True
        elif group == "line":
            self._is_command = self._is_word_start = True
            return self._bodies(end)
        elif group == "heredoc":
            delimiter = match["delimiter"]
            word = _UNQUOTED.sub(lambda quoted: quoted[1] or quoted[2] or quoted[3] or "", delimiter)
            self._pending.append(_Opening(start, end, word, bool(match["dash"]), word == delimiter))
            self._is_word_start = False
        elif group == "separator":
            self._is_command = self._is_word_start = True
        elif group == "arithmetic" and (match[0][0] == "$" or self._is_command):
            self._push("((", start)
        elif group in ("open", "arithmetic"):
            self._push("(", start)
            return start + match[0].index("(") + 1
        elif group == "close":
            self._close_parenthesis()
        elif group == "quote":
            self._push('"', start)
        elif group == "tick":
            if self._frames and any(frame.kind == "`" for frame in self._frames):
                while self._pop().kind != "`":
                    pass
            else:
                self._push("`", start)
        elif group == "brace":
            self._push("{", start)
        elif group == "other" and match[0] == "#" and self._is_word_start:
            comment = _COMMENT.match(self._text, end)
            return comment.end() if comment else end
        else:
            self._plain(match[0], group, start, end)
        return end

    def _plain(self, text: str, group: str, start: int, end: int) -> None:
        if group == "single" and "\n" in text:
            self._found.append(ShellText(Span(start + 1, end - 1), "'", expands=False, start=start, end=end))
        if text in ("{", "}", "<", ">"):
            self._is_word_start = True
            self._is_command = self._is_command or text in "{}"
        else:
            self._is_command = self._is_word_start = False

    def _word(self, word: str, end: int) -> None:
        whole = self._is_word_start and (end == len(self._text) or self._text[end] in " \t\r\n;&|()<>")
        if whole and self._is_command:
            if word == "case":
                self._push("case", end)
                self._is_command = False
            elif word == "esac" and self._frames and self._frames[-1].kind == "case":
                self._pop()
            else:
                self._is_command = word in _AT_COMMAND
        elif not (self._is_command and "=" in word):
            self._is_command = False
        self._is_word_start = False

    def _close_parenthesis(self) -> None:
        kind = self._frames[-1].kind if self._frames else ""
        if kind == "(":
            self._pop()
        elif kind == "case":
            self._is_command = self._is_word_start = True

    def _bodies(self, position: int) -> int:
        """Read the bodies of the heredocs that the line above opened."""
        for opening in self._pending:
            closing = self._ends.find(opening, position)
            if closing is None:
                continue
            kind = "<<-" if opening.tabs else "<<"
            body = Span(position, closing.start)
            self._found.append(ShellText(body, kind, opening.expands, opening.start, opening.end))
            position = min(closing.end + 1, len(self._text))
        self._pending = []
        return position


IN_HEREDOC = "$`"
IN_QUOTES = '$`"'
"""What a backslash escapes there."""

_PATH = r"(?P<path>\"[^\"\n]++\"|'[^'\n]++'|[^\s\"'<>|;&()]++)"
_TEE = lazy_regex(r"\btee[ \t]++(?P<append>-a[ \t]++|--append[ \t]++)?" + _PATH)
_REDIRECT = lazy_regex(r"(?<![<>&])(?P<append>>)?>\|?[ \t]*+" + _PATH)
_FILE = lazy_regex(r"\b(?:COPY|ADD)\b[^\n]*?(?P<path>[^\s<>]++)[ \t]*+\Z")
"""A Dockerfile's ``COPY <<EOF /etc/kubernetes/cloud.conf``."""

_KEY = lazy_regex(r"(?P<key>[\w./-]++)=\Z")
_LONGEST_KEY = 200
_LONGEST_LINE = 1_000
_ASSIGNMENT = lazy_regex(
    r"^[ \t]*+(?:export[ \t]++)?(?P<name>[A-Za-z_]\w*+)=(?P<quote>[\"']?)(?P<value>[A-Za-z0-9+/]{24,}+={0,2})(?P=quote)"
    r"[ \t\r]*+(?:#[^\n]*+)?$",
    re.MULTILINE,
)


_HEREDOCS = ("<<", "<<-")
_SUBSTITUTES = "envsubst"
"""A script with this command may replace the variables of what the shell leaves as it is."""


def find_in_part(text: str, written: str) -> Iterator[EmbeddedText]:
    """Find the heredocs of a text that may be a script, and what between quotes begins like a cloud.conf.

    Args:
        text: The script, or the part of one that a scalar or a document's block holds.
        written: The same text with its template marks as written.

    Yields:
        Each that is closed.
    """
    found_shell_texts = [one for one in shell_texts(text) if one.kind in _HEREDOCS or is_quoted_conf(text, one.start)]
    extended = _extended_files(written) if found_shell_texts else frozenset()
    for shell_text in found_shell_texts:
        yield (_heredoc if shell_text.kind in _HEREDOCS else _string)(text, written, shell_text, extended)


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the texts of a script that is a file of its own.

    Args:
        text: The script.

    Yields:
        Each text, in the order of their ends.
    """
    extended = _extended_files(text)
    for shell_text in shell_texts(text):
        yield (_heredoc if shell_text.kind in _HEREDOCS else _string)(text, text, shell_text, extended)
    yield from _encoded_variables(text)
    yield from in_shell(text)


def _heredoc(text: str, written: str, heredoc: ShellText, extended: frozenset[str]) -> EmbeddedText:
    layer: Layer
    if heredoc.kind == "<<-":
        layer = unindented(text, heredoc.span, "heredoc", leading_tabs)
    else:
        layer = Slice(text, heredoc.span, "heredoc")
    path, appends = _target(_line_around(written, heredoc))
    return EmbeddedText(
        layer,
        f"heredoc {path}".rstrip(),
        shell=IN_HEREDOC if heredoc.expands else "",
        literal=not heredoc.expands and _SUBSTITUTES not in written,
        named=is_named_cloud_conf(path),
        partial=appends or path in extended,
    )


def _string(text: str, written: str, string: ShellText, extended: frozenset[str]) -> EmbeddedText:
    line = _line_around(written, string)
    path, appends = _target(line)
    before = written[max(string.start - _LONGEST_KEY, 0) : string.start]
    key = _KEY.search(before)
    name = key["key"] if key else path
    joined = text[string.end : string.end + 1].strip(" \t\r\n;|&)")
    return EmbeddedText(
        Slice(text, string.span, "quoted text"),
        f"quoted text {name}".rstrip(),
        shell=IN_QUOTES if string.expands else "",
        literal=not string.expands and _SUBSTITUTES not in written,
        named=is_named_cloud_conf(name),
        partial=appends or path in extended or bool(joined),
    )


def _encoded_variables(text: str) -> Iterator[EmbeddedText]:
    if "=" not in text:
        return
    for match in _ASSIGNMENT.finditer(text):
        if worth_decoding(match["value"]):
            layer = Slice(text, Span(*match.span("value")), "variable")
            yield EmbeddedText(layer, match["name"], encoding="base64")


def _line_around(text: str, shell_text: ShellText) -> str:
    """The command of a text, as far as it is on the text's own lines, without the text itself."""
    before = text[max(shell_text.start - _LONGEST_LINE, 0) : shell_text.start].rpartition("\n")[2]
    after = text[shell_text.end : shell_text.end + _LONGEST_LINE].partition("\n")[0]
    return f"{before} {after}"


def _target(line: str) -> tuple[str, bool]:
    """The file that a command writes, empty where it does not say; and whether it appends to it."""
    for pattern in (_TEE, _REDIRECT):
        match = pattern.search(line)
        if match is not None:
            return match["path"].strip("\"'"), match["append"] is not None
    match = _FILE.search(line.rstrip())
    return (match["path"].strip("\"'"), False) if match else ("", False)


def _extended_files(text: str) -> frozenset[str]:
    """The files that a script appends to."""
    if ">>" not in text and "tee" not in text:
        return frozenset()
    return frozenset(
        match["path"].strip("\"'")
        for pattern in (_TEE, _REDIRECT)
        for match in pattern.finditer(text)
        if match["append"] is not None
    )
