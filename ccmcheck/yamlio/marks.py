"""Template marks in a text, and a text of the same length without them.

Files that carry a cloud.conf are often templates: clusterctl's ``${VAR:=default}``, Helm's and Jinja's ``{{ … }}``,
Terraform's ``%{ if … }``, several in one file. YAML and gcfg can read such a file only once the marks are covered by
ordinary characters; all newlines stay where they are, so every offset and every line number holds in both texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ccmcheck.model import Span


class Mark(NamedTuple):
    """One template mark.

    Attributes:
        span: From its first brace or sign to its last.
        kind: ``variable`` (``${VAR}`` and its forms), ``shell`` (``$VAR``), ``escape`` (``$${…}``, prints ``${…}``),
            ``braces`` (``{{ … }}`` that prints something), ``control`` (conditions, loops, assignments), ``comment``.
        name: The variable's name where the mark is just that; else empty.
        default: What stands in the place of a variable that is not set; None without one.
    """

    span: Span
    kind: str
    name: str = ""
    default: str | None = None

    @property
    def prints(self) -> bool:
        """Whether something stands in its place after rendering, as far as one can tell from the mark alone."""
        return self.kind not in ("control", "comment")


_SIGNS = ("${", "{{", "{%", "{#", "%{", "<%")
_OPEN = re.compile(r"\$++\{|\{[{%#]|%+\{|<%")
_OPEN_SHELL = re.compile(r"\$++(?:\{|[A-Za-z_])|\{[{%#]|%+\{|<%")

_DOLLAR = re.compile(
    r"\$\{(?:(?P<name>[A-Za-z_][\w.]*+)"
    r"(?:(?P<operator>:?[=\-?+])(?P<word>[^{}$\n]*+(?:(?:\$\{[^{}\n]*+\}|\$(?!\{))[^{}$\n]*+)*+)|[/#%^,@:][^{}\n]*+)?+\}"
    r"|[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\})"
)
_SHELL = re.compile(r"\$([A-Za-z_]\w*+)")
_PERCENT = re.compile(r"%\{[^{}\n]*+(?:\{[^{}\n]*+\}[^{}\n]*+)*+\}")
_BRACES = re.compile(
    r"\{\{(?:-?\s?/\*(?:[^*]|\*(?!/))*+\*/\s?-?"
    r"""|(?:[^}"'`\\]|\\.|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|`[^`]*+`|["'`]|\}(?!\}))*+)\}\}"""
)
_CONTROL = re.compile(
    r"\{\{[-~]?\s*+(?:(?:if|else|end|range|with|define|template|block|break|continue)\b|\$\w*+\s*+:?=|(?P<comment>/\*))"
)
_BRACES_NAME = re.compile(r"\{\{[-~]?\s*+([A-Za-z_.$][\w.\-]*+)\s*+[-~]?\}\}\Z")
_ERB_VALUE = re.compile(r"<%[-=]?=")
_CLOSERS = {"{%": "%}", "{#": "#}", "<%": "%>", "{{": "}}"}


def find(text: str, *, shell: bool = False) -> list[Mark]:
    """Find all template marks.

    Args:
        text: Any text.
        shell: Whether ``$VAR`` without braces is a mark too, as in Heat templates and shell heredocs.

    Returns:
        The marks in the order of the text; they do not overlap. A mark that is not closed is none.
    """
    if not any(sign in text for sign in _SIGNS) and not (shell and "$" in text):
        return []
    marks: list[Mark] = []
    unclosed: set[str] = set()
    opening = _OPEN_SHELL if shell else _OPEN
    position = 0
    while match := opening.search(text, position):
        sign = match[0]
        start = match.start()
        mark = _dollar(text, start, sign) if sign[0] == "$" else None
        if sign[0] == "%":
            mark = _percent(text, start, sign)
        elif sign[0] != "$" and sign not in unclosed:
            mark = _bracketed(text, start, sign, unclosed)
        if mark is None:
            position = match.end() if len(sign) == 1 or sign[0] == "$" else start + 1
            continue
        marks.append(mark)
        position = mark.span.end
    return marks


def _dollar(text: str, start: int, sign: str) -> Mark | None:
    """Read ``${…}`` or ``$VAR``; an even number of ``$`` is escaped ones only, and ``$${`` prints ``${``."""
    dollars = sign.rstrip("{abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
    at = start + len(dollars) - 1
    if sign[-1] != "{":
        match = _SHELL.match(text, at)
        return Mark(Span(at, match.end()), "shell", match[1]) if match and len(dollars) % 2 else None
    match = _DOLLAR.match(text, at)
    if match is None:
        return None
    if len(dollars) > 1:
        return Mark(Span(start, match.end()), "escape")
    default = match["word"] if match["operator"] in ("=", ":=", "-", ":-") else None
    return Mark(Span(at, match.end()), "variable", match["name"] or "", default)


def _percent(text: str, start: int, sign: str) -> Mark | None:
    """Read Terraform's ``%{ if … }``; ``%%{`` is escaped."""
    if len(sign) > 2:
        return None
    match = _PERCENT.match(text, start)
    return Mark(Span(start, match.end()), "control") if match else None


def _bracketed(text: str, start: int, sign: str, unclosed: set[str]) -> Mark | None:
    """Read a mark with a closing sign of its own, and remember a sign that is never closed again."""
    if sign == "{{":
        match = _BRACES.match(text, start) if '"' not in unclosed else None
        if match:
            return _braces(text, start, match.end())
        unclosed.add('"')  # the closing sign stands in quotes, or nowhere: from here on quotes do not count
    end = text.find(_CLOSERS[sign], start + 2)
    if end < 0:
        unclosed.add(sign)
        return None
    end += 2
    if sign == "{{":
        return _braces(text, start, end)
    span = Span(start, end)
    if sign == "{#" or text.startswith("<%#", start):
        return Mark(span, "comment")
    return Mark(span, "braces" if sign == "<%" and _ERB_VALUE.match(text, start) else "control")


def _braces(text: str, start: int, end: int) -> Mark:
    span = Span(start, end)
    if control := _CONTROL.match(text, start, end):
        return Mark(span, "comment" if control["comment"] else "control")
    name = _BRACES_NAME.match(text, start, end)
    return Mark(span, "braces", name[1] if name else "")


_VISIBLE = re.compile(r"[^\s]")
_BLANKS = re.compile(r"[ \t]*+")
_NOT_NEWLINE = re.compile(r"[^\r\n]")
_NOT_BLANK = re.compile(r"\S")


def mask(text: str, marks: Sequence[Mark]) -> str:
    """Cover the marks, so that YAML and gcfg can read the text.

    A mark that prints something becomes a word of ``x``; one that prints nothing becomes blanks. A line of marks alone
    becomes a comment, or a blank line where it is too short for one, at the indentation of the line that follows, so
    that it neither ends a block scalar nor begins one too far right.

    Args:
        text: The text.
        marks: Its marks, in order, as `find` gives them.

    Returns:
        A text of the same length, with the same line ends at the same places.
    """
    if not marks:
        return text
    pieces: list[str] = []
    position = 0
    for mark in marks:
        start, end = mark.span
        pieces.append(text[position:start])
        covered = text[start:end]
        pieces.append(_NOT_BLANK.sub("x", covered) if mark.prints else _NOT_NEWLINE.sub(" ", covered))
        position = end
    pieces.append(text[position:])
    return "".join(pieces)
