"""Finds the heredocs and quoted strings of a shell script: quotes, comments, substitutions and their nesting.

The script is neither parsed nor checked. Where a quote is never closed, as in a template of a script or a Makefile, it
is taken for an ordinary character and the text behind it is read again.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple

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
