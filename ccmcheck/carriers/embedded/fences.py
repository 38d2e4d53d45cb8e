"""Markdown: fenced blocks, in lists and quotations too, and indented ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText, lines_of
from ccmcheck.layers import common_blanks, unindented

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENING = lazy_regex(
    r"(?P<quotes>(?:[ ]{0,3}>[ ]?)*+)(?P<indent>[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)"
    r"(?P<fence>`{3,}|~{3,})(?P<info>[^\r\n]*+)"
)
_QUOTE = lazy_regex(r"[ ]{0,3}>[ ]?")
_INDENTED = lazy_regex(r"(?:[ ]{4}|[ ]{0,3}\t)[ \t]*+\S")


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the blocks of a Markdown document.

    Args:
        text: The document.

    Yields:
        Each block; one that is not closed goes to the end of the document.
    """
    fence: tuple[str, int, int] | None = None  # its characters, the depth of its quotation, its indentation
    start = 0
    indented = -1  # where an indented block starts
    blank_before = True
    for begin, line in lines_of(text):
        position = begin + len(line)
        if fence is not None:
            characters, quotes, indent = fence
            inside, is_quoted = _without_quotes(line, quotes)
            if not is_quoted or _closes(inside, characters, indent):
                yield _fenced(text, Span(start, begin), quotes, indent)
                fence = None
            continue
        opening = _OPENING.match(line)
        if opening is not None and not (opening["fence"][0] == "`" and "`" in opening["info"]):
            if indented >= 0:
                yield _indented(text, Span(indented, begin))
                indented = -1
            fence = (opening["fence"], opening["quotes"].count(">"), len(opening["indent"]))
            start, blank_before = position, False
            continue
        is_blank = not line.strip()
        if indented < 0 and blank_before and _INDENTED.match(line):
            indented = begin
        elif indented >= 0 and not is_blank and not _INDENTED.match(line):
            yield _indented(text, Span(indented, begin))
            indented = -1
        blank_before = is_blank
    if fence is not None:
        yield _fenced(text, Span(start, len(text)), fence[1], fence[2])
    elif indented >= 0:
        yield _indented(text, Span(indented, len(text)))


def _closes(line: str, characters: str, indent: int) -> bool:
    stripped = line.strip()
    return (
        len(stripped) >= len(characters)
        and stripped.strip(characters[0]) == ""
        and len(line) - len(line.lstrip()) < indent + 4
    )


def _without_quotes(line: str, quotes: int) -> tuple[str, bool]:
    """A line without the signs of the quotations it is in, and whether it is in as many."""
    position = 0
    for _ in range(quotes):
        match = _QUOTE.match(line, position)
        if match is None:
            return line[position:], False
        position = match.end()
    return line[position:], True


def _fenced(text: str, span: Span, quotes: int, indent: int) -> EmbeddedText:
    layer = unindented(text, span, "fenced block", partial(_margins, quotes=quotes, indent=indent))
    return EmbeddedText(layer, "fenced block", variables=True)


def _indented(text: str, span: Span) -> EmbeddedText:
    return EmbeddedText(unindented(text, span, "indented block", common_blanks), "indented block", variables=True)


def _margins(lines: list[str], quotes: int, indent: int) -> list[int]:
    margins = []
    for line in lines:
        inside, _ = _without_quotes(line, quotes)
        blanks = len(inside) - len(inside.lstrip(" \t"))
        margins.append(len(line) - len(inside) + min(blanks, indent))
    return margins
