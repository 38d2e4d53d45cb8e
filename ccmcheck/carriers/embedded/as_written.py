"""An embedded text as the shell or a template writes it, with what they replace masked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.layers.unescaped import Unescaped
from ccmcheck.yamlio import TemplateMark
from ccmcheck.yamlio import marks as template_marks
from ccmcheck.yamlio.mark import disjoint

if TYPE_CHECKING:
    from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
    from ccmcheck.carriers.source_text import SourceText

_OMISSION = lazy_regex(r"^[ \t]*+(?P<sign>\.{2,}+|…|\[(?:\.{2,}+|…)\]|<[^>\n]{1,100}+>)[ \t\r]*+$", re.MULTILINE)
_CALLOUT = lazy_regex(r"(?<=[^\s])[ \t]++(?://|#|;;|--)?+[ \t]*+(?:<(?:\d{1,3}|\.)>[ \t]*+)++\r?$", re.MULTILINE)
"""AsciiDoc's signs for the notes below a listing, ``// <1>``; they are no part of what it shows."""
_LINE_END = lazy_regex(r"\n(?:[ \t\r]*+\n)*+(?P<header>(?=[ \t]*+\[))?")


def as_written(source: SourceText, embedded: EmbeddedText, *, is_shown: bool = False) -> SourceText:
    """Mask what the shell or a template replaces, and undo the shell's escapes.

    Args:
        source: The text inside the embedded text's own layer.
        embedded: Says what reads it.
        is_shown: Whether a document shows it, also within a script.
    """
    if embedded.shell or embedded.variables:
        from ccmcheck.carriers.embedded.shell_expansions import find

        marks = find(source.text)
        if is_shown or (embedded.variables and not embedded.shell):
            marks = _with_omissions(source.text, marks)
    else:
        marks = template_marks.find(source.text)
    if embedded.inserted:
        marks = disjoint([*(TemplateMark(span, "reference") for span in embedded.inserted), *marks])
    source = source._replace(literal=embedded.literal and source.final)
    if marks:
        source = source.mask_marks(marks)
    if embedded.shell and "\\" in source.text:
        source = source.enter(Unescaped(source.text, embedded.shell))
    return source


def _with_omissions(text: str, marks: list[TemplateMark]) -> list[TemplateMark]:
    """Add what an example means for people: lines such as ``...`` and ``<snip>``, and the signs of its notes."""
    omissions = [TemplateMark(Span(*match.span("sign")), "control") for match in _OMISSION.finditer(text)]
    if "<" in text:
        omissions += (TemplateMark(Span(*match.span()), "control") for match in _CALLOUT.finditer(text))
    return disjoint([*marks, *omissions]) if omissions else marks


def with_unknown_ends(source: SourceText) -> SourceText:
    """Mark the ends of the sections of a file that more text is appended to: they may have more keys.

    Args:
        source: The text.
    """
    text = source.text
    ends = [match.start() for match in _LINE_END.finditer(text) if match["header"] is not None]
    ends.append(len(text.rstrip()))
    marks = sorted({*source.marks, *(Span(end, end) for end in ends)})
    return source._replace(marks=tuple(marks))
