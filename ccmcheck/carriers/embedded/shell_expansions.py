"""What the shell replaces in an unquoted heredoc or between double quotes: variables and commands."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.yamlio import TemplateMark
from ccmcheck.yamlio import marks as template_marks
from ccmcheck.yamlio.mark import disjoint

_SIGN = lazy_regex(r"(?P<escape>\\[\\$`])|(?P<tick>`)|\$(?:(?P<open>[({])|(?P<name>[A-Za-z_]\w*+)|[0-9@*#?$!-])")
_INSIDE = lazy_regex(r"\\.|'[^'\n]*+'|(?P<open>[({])|(?P<close>[)}])|(?P<quote>\")|[^\\'\"(){}]++|'", re.DOTALL)
_IN_QUOTES = lazy_regex(r"(?:[^\"\\$]++|\\.|\$(?!\())*+", re.DOTALL)
_TICK = lazy_regex(r"(?:[^`\\]++|\\.)*+`", re.DOTALL)
_FARTHEST = 10_000
"""Characters of one substitution."""
_DEEPEST = 20
_MOST_UNCLOSED = 20


def find(text: str) -> list[TemplateMark]:
    """Find what the shell replaces, and the marks of a template around the script.

    Args:
        text: A heredoc's body, or the text between double quotes, as it is written.

    Returns:
        The marks in the order of the text; they do not overlap.
    """
    marks = _expansions(text) if "$" in text or "`" in text else []
    others = template_marks.find(text)
    if not marks or not others:
        return marks or others
    starts = {mark.span.start for mark in marks}
    return disjoint([*marks, *(mark for mark in others if mark.span.start not in starts)])


def _expansions(text: str) -> list[TemplateMark]:
    marks: list[TemplateMark] = []
    position = unclosed = 0
    while unclosed < _MOST_UNCLOSED and (match := _SIGN.search(text, position)):
        position = match.end()
        if match["escape"]:
            is_open = match[0] == "\\$" and text.startswith("{", position)  # written as `${…}`, for whatever comes next
            end = text.find("}", position, position + _FARTHEST) if is_open else -1
            if end >= 0 and "\n" not in text[position:end]:
                position = end + 1
                marks.append(TemplateMark(Span(match.start(), position), "escape"))
            continue
        end = position
        if match["tick"]:
            closing = _TICK.match(text, position, position + _FARTHEST)
            end = closing.end() if closing else -1
        elif match["open"]:
            end = _closing(text, position)
        if end < 0:
            unclosed += 1
        else:
            position = end
            marks.append(TemplateMark(Span(match.start(), end), "shell", match["name"] or ""))
    return marks


def _closing(text: str, position: int, level: int = 0) -> int:
    """The end of ``$(…)`` or ``${…}`` from the character after its bracket on; -1 where it is not closed."""
    depth = 1
    limit = min(len(text), position + _FARTHEST)
    while position < limit:
        match = _INSIDE.match(text, position, limit)
        if match is None:
            return -1
        position = match.end()
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
            if depth == 0:
                return position
        elif match["quote"]:
            position = _after_quotes(text, position, limit, level)
            if position < 0:
                return -1
    return -1


def _after_quotes(text: str, position: int, limit: int, level: int) -> int:
    """The end of a double-quoted string from the character after its quote on, substitutions in it included."""
    while True:
        same = _IN_QUOTES.match(text, position, limit)
        position = same.end() if same else position
        if text.startswith('"', position) and position < limit:
            return position + 1
        if position >= limit or level >= _DEEPEST or not text.startswith("$(", position):
            return -1
        position = _closing(text, position + 2, level + 1)
        if position < 0:
            return -1
