"""Markdown: fenced blocks, in lists and quotations too, indented ones, and Jekyll's ``{% highlight %}``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText, lines_of
from ccmcheck.layers.unindented import common_blanks, unindented

_OPENING = lazy_regex(
    r"(?P<prefix>(?:[ \t]*+(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*+[ \t]*+)(?P<fence>`{3,}|~{3,})(?P<info>[^\r\n]*+)"
)
_HIGHLIGHT = lazy_regex(r"[ \t]*+\{%-?[ \t]*+highlight\b[^%\n]*+%\}[ \t\r]*+\n?\Z")
_END_HIGHLIGHT = lazy_regex(r"[ \t]*+\{%-?[ \t]*+endhighlight\b")
_NEAR = 3
_TAG = "{%"
_INDENTED = lazy_regex(r"(?:[ ]{4}|[ ]{0,3}\t)[ \t]*+\S")


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the blocks of a Markdown document.

    Args:
        text: The document.

    Yields:
        Each block; one that is not closed goes to the end of the document.
    """
    fence = ""  # the characters that opened the block
    margin: tuple[int, ...] = ()
    start = 0
    indented = -1  # where an indented block starts
    blank_before = True
    for begin, line in lines_of(text):
        position = begin + len(line)
        if fence:
            inside = _without_margin(line, margin)
            if inside is None or (_END_HIGHLIGHT.match(line) if fence == _TAG else _closes(inside, fence)):
                yield _fenced(text, Span(start, begin), margin)
                fence = ""
            continue
        opening = _OPENING.match(line)
        if opening is not None and not (opening["fence"][0] == "`" and "`" in opening["info"]):
            if indented >= 0:
                yield _indented(text, Span(indented, begin))
                indented = -1
            fence, margin = opening["fence"], _margin(opening["prefix"])
            start, blank_before = position, False
            continue
        if "{%" in line and _HIGHLIGHT.match(line):
            if indented >= 0:
                yield _indented(text, Span(indented, begin))
                indented = -1
            fence, margin = _TAG, (0,)
            start, blank_before = position, False
            continue
        is_blank = not line.strip()
        if indented < 0 and blank_before and _INDENTED.match(line):
            indented = begin
        elif indented >= 0 and not is_blank and not _INDENTED.match(line):
            yield _indented(text, Span(indented, begin))
            indented = -1
        blank_before = is_blank
    if fence:
        yield _fenced(text, Span(start, len(text)), margin)
    elif indented >= 0:
        yield _indented(text, Span(indented, len(text)))


def _margin(prefix: str) -> tuple[int, ...]:
    """The blanks before each sign of a quotation, and those before the fence; a list's marks are blanks below them."""
    pieces = prefix.split(">")
    return (len(pieces[0]), *(len(piece.removeprefix(" ")) for piece in pieces[1:]))


def _without_margin(line: str, margin: tuple[int, ...]) -> str | None:
    """What a line of a block holds; None where it is in fewer quotations than the block."""
    for number, blanks in enumerate(margin):
        if number:
            quoted = line.lstrip(" \t")
            if not quoted.startswith(">"):
                return None
            line = quoted[1:].removeprefix(" ")
        line = line[min(blanks, len(line) - len(line.lstrip(" \t"))) :]
    return line


def _closes(line: str, fence: str) -> bool:
    """Whether a line without its margin closes a block: as many signs or more, and nothing else."""
    stripped = line.strip()
    return len(stripped) >= len(fence) and not stripped.strip(fence[0]) and len(line) - len(line.lstrip(" ")) <= _NEAR


def _fenced(text: str, span: Span, margin: tuple[int, ...]) -> EmbeddedText:
    layer = unindented(text, span, "fenced block", partial(_margins, margin=margin))
    return EmbeddedText(layer, "fenced block", variables=True)


def _indented(text: str, span: Span) -> EmbeddedText:
    return EmbeddedText(unindented(text, span, "indented block", common_blanks), "indented block", variables=True)


def _margins(lines: list[str], margin: tuple[int, ...]) -> list[int]:
    return [len(line) - len(inside) if (inside := _without_margin(line, margin)) else len(line) for line in lines]
