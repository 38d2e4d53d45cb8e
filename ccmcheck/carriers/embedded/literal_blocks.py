"""AsciiDoc and reStructuredText: their listings and literal blocks."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText, lines_of
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.unindented import common_blanks, unindented

_DELIMITER = lazy_regex(r"(-{4,}|\.{4,}|`{3})[^\S\n]*+\r?\n?\Z|(```)\w*+[^\S\n]*+\r?\n?\Z")
_BOUNDARY = lazy_regex(r"(?:={4,}|\*{4,}|_{4,}|--|\||\[[^\]\n]*+\])?+[^\S\n]*+\r?\n?\Z")
"""What a literal paragraph may follow: an empty line, another block's delimiter, a block's attributes."""
_DIRECTIVE = lazy_regex(r"\.\.[ \t]++(?:code-block|code|sourcecode|parsed-literal|prompt)::")
_OPTION = lazy_regex(r"[ \t]*+:[\w-]++:")


def find_in_asciidoc(text: str) -> Iterator[EmbeddedText]:
    """Find the listings and literal blocks of an AsciiDoc document.

    Args:
        text: The document.

    Yields:
        What is between two equal delimiters; after one that is not closed, to the end of the document. Also literal
        paragraphs: indented lines, until one that is not.
    """
    delimiter = ""
    start = 0
    paragraph = -1  # where indented lines start
    may_begin = True
    for begin, line in lines_of(text):
        match = _DELIMITER.match(line)
        if not delimiter and paragraph >= 0 and (match is not None or (line.strip() and line[0] not in " \t")):
            yield _literal(text, Span(paragraph, begin))
            paragraph = -1
        if match is not None:
            sign = match[1] or match[2]
            if not delimiter:
                delimiter, start = sign, begin + len(line)
            elif sign == delimiter:
                yield EmbeddedText(Slice(text, Span(start, begin), "listing"), "listing", variables=True)
                delimiter = ""
        elif not delimiter and paragraph < 0 and may_begin and line[0] in " \t" and line.strip():
            paragraph = begin
        may_begin = match is not None or _BOUNDARY.match(line) is not None
    if delimiter:
        yield EmbeddedText(Slice(text, Span(start, len(text)), "listing"), "listing", variables=True)
    elif paragraph >= 0:
        yield _literal(text, Span(paragraph, len(text)))


def find_in_rst(text: str) -> Iterator[EmbeddedText]:
    """Find the literal blocks and code blocks of a reStructuredText document.

    Args:
        text: The document.

    Yields:
        The lines below ``::`` or a directive such as ``.. code-block:: ini`` that are indented more than it.
    """
    outer = -1  # the indentation of the line with `::`
    start = -1  # of the block's first line
    in_options = False
    for begin, line in lines_of(text):
        stripped = line.strip()
        if not stripped:
            in_options = False
            continue
        indent = len(line) - len(line.lstrip(" \t"))
        if 0 <= outer < indent:
            if start < 0 and not (in_options and _OPTION.match(line)):
                start = begin
            continue
        if start >= 0:
            yield _literal(text, Span(start, begin))
        outer = start = -1
        directive = _DIRECTIVE.match(stripped)
        if directive is not None or (stripped.endswith("::") and not stripped.startswith("..")):
            outer, in_options = indent, directive is not None
    if outer >= 0 and start >= 0:
        yield _literal(text, Span(start, len(text)))


def _literal(text: str, span: Span) -> EmbeddedText:
    return EmbeddedText(unindented(text, span, "literal block", common_blanks), "literal block", variables=True)
