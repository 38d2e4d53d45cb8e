"""A text of the same length in which the template marks are covered."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.yamlio.mark import TemplateMark

_BLANKS = lazy_regex(r"[ \t]*+")
_BLANK_LINES = lazy_regex(r"\s*+")
_REST_OF_LINE = lazy_regex(r"[^\r\n]++")
_COVER = "x"
_NESTED = "indent"
_KEY_BEFORE = lazy_regex(r"(?P<indent>[ \t]*+)(?:-[ \t]++)*+[\w.\"'/-]++:[ \t]++\Z")
_LINE_BELOW = lazy_regex(r"[ \t\r]*+\n(?:[ \t\r]*+\n)*+(?P<indent>[ \t]*+)(?=[^\s#])")
_LONGEST_KEY = 200


def mask(text: str, marks: Sequence[TemplateMark]) -> str:
    """Cover the marks, so that YAML and gcfg can read the text.

    A mark that prints something becomes a word, one that prints nothing becomes blanks; further
    lines of a mark become blank. A line that holds marks alone becomes a comment at the indentation of the line that
    follows, so that it neither ends a block scalar nor begins one too far to the right.

    Args:
        text: The text.
        marks: Its marks, in order, as `marks.find` gives them.

    Returns:
        A text of the same length, with the same line ends at the same places.
    """
    if not marks:
        return text
    lines = _lines_of_marks(text, marks)
    covers = [(span, _comment(text, span, indent)) for span, indent in zip(lines, _indents(text, lines), strict=True)]
    covers += [(mark.span, _cover(text, mark)) for mark in marks]
    covers.sort(key=lambda cover: cover[0].start)
    pieces: list[str] = []
    position = 0
    for (start, end), cover in covers:
        if start >= position:  # else it is in a line that is covered already
            pieces += (text[position:start], cover)
            position = end
    pieces.append(text[position:])
    return "".join(pieces)


def _cover(text: str, mark: TemplateMark) -> str:
    covered = text[mark.span.start : mark.span.end]
    blank = _REST_OF_LINE.sub(_blanks, covered)
    if not mark.prints:
        return blank
    if _NESTED in covered and _has_lines_below(text, mark.span):
        return _REST_OF_LINE.sub(lambda match: "#" + _COVER * (len(match[0]) - 1), covered)
    first = _REST_OF_LINE.match(covered)
    length = first.end() if first else 0
    return _COVER * length + blank[length:]


def _has_lines_below(text: str, span: Span) -> bool:
    """Whether a mark prints lines of a mapping that goes on below it: ``labels: {{- include "x" . | nindent 4 }}``.

    A word there would be the key's whole value, and the lines below it a syntax error.
    """
    line_start = text.rfind("\n", max(span.start - _LONGEST_KEY, 0), span.start) + 1
    key = _KEY_BEFORE.match(text, line_start, span.start)
    below = _LINE_BELOW.match(text, span.end)
    return key is not None and below is not None and len(below["indent"]) > len(key["indent"])


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _comment(text: str, span: Span, indent: int) -> str:
    def line(match: re.Match[str]) -> str:
        length = len(match[0])
        return " " * indent + "#" + _COVER * (length - indent - 1) if length > indent else " " * length

    return _REST_OF_LINE.sub(line, text[span.start : span.end])


def _lines_of_marks(text: str, marks: Sequence[TemplateMark]) -> list[Span]:
    """The lines with nothing but marks: from the first column to the line end; one span where a mark has several."""
    lines: list[Span] = []
    line_start = -1  # of the line, while there is nothing but marks on it
    end = 0
    for mark in marks:
        newline = text.rfind("\n", end, mark.span.start)
        blank_from = end
        if newline >= 0 or end == 0:
            _close(text, line_start, end, lines)
            line_start = blank_from = newline + 1
        blanks = _BLANKS.match(text, blank_from)
        if blanks is None or blanks.end() < mark.span.start:
            line_start = -1
        end = mark.span.end
    _close(text, line_start, end, lines)
    return lines


def _close(text: str, line_start: int, end: int, lines: list[Span]) -> None:
    """Add the line if only blanks follow its last mark."""
    blanks = _BLANKS.match(text, end)
    if line_start >= 0 and blanks and (blanks.end() == len(text) or text[blanks.end()] in "\r\n"):
        lines.append(Span(line_start, blanks.end()))


def _indents(text: str, lines: list[Span]) -> list[int]:
    """The indentation of what follows each line of marks; its own at the end of the text."""
    indents: list[int] = []
    next_start, next_indent = len(text) + 1, 0
    for start, end in reversed(lines):
        blank = _BLANK_LINES.match(text, end)
        follows = blank.end() if blank else end
        if follows >= next_start:
            indent = next_indent
        elif follows == len(text):
            own = _BLANKS.match(text, start)
            indent = own.end() - start if own else 0
        else:
            indent = follows - text.rfind("\n", end, follows) - 1
        indents.append(indent)
        next_start, next_indent = start, indent
    return indents[::-1]
