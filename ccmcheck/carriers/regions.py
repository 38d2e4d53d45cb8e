"""The parts of a text that look like a cloud.conf, where the whole text cannot be parsed.

A template of a manifest often cannot be parsed before it is rendered, though the cloud.conf in it is complete: from its
first header, as long as the lines are those of an INI file and not indented less. Where the line above it begins a
heredoc, it ends at the word of that, which may have blanks behind it in Terraform though not in a shell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.span_index import SpanIndex
from ccmcheck.catalog.signs.scorer import is_cloud_conf
from ccmcheck.layers.slice import Slice

_START = lazy_regex(
    r"\n(?P<indent>[ \t]*+)\[[ \t]*+(?:global|loadbalancer|blockstorage|networking)[ \t]*+\][ \t]*+(?=[#;\r\n])",
    re.IGNORECASE,
)
_LINE = lazy_regex(
    r"(?P<indent>[ \t]*+)(?:(?P<blank>\r?(?:\n|\Z))"
    r"|(?:\[[^\]\n]*+\]|[A-Za-z][\w-]*+[ \t]*+(?:=|(?=\r?(?:\n|\Z)))|[#;]|\{[{%#]|%\{|<%|\$\{)[^\n]*+(?:\n|\Z))"
)
"""A blank line, a header, a key, a comment, or a template's line."""
_LONGEST = 200
"""Code points of the line above that are looked at."""
_HEREDOC = lazy_regex(r"<<[-~]?[ \t]*+[\"']?(?P<word>\w++)[\"']?[ \t\r]*+\Z")


def regions(text: str, apart: Sequence[Span] = ()) -> Iterator[Slice]:
    """Find the parts, in order, without the blank lines at their ends.

    Args:
        text: The whole.
        apart: The places of texts in it in which no part begins.
    """
    elsewhere = SpanIndex(apart)
    lines = "\n" + text
    position = 0
    while match := _START.search(lines, position):
        margin = len(match["indent"])
        start = match.start()  # of the line, counted in `text`
        behind = elsewhere.end_around(start)
        if behind is not None:
            position = behind
            continue
        end = position = start
        closing = _heredoc_above(text, start)
        while position < len(text) and (line := _LINE.match(text, position)):
            is_blank = line["blank"] is not None
            if is_blank and line.end() == position:
                break
            if not is_blank and (len(line["indent"]) < margin or (closing and line.group().strip() == closing)):
                break
            position = line.end()
            end = end if is_blank else position
        if end > start and is_cloud_conf(text[start:end]):
            yield Slice(text, Span(start, end), "part of the text")
        position = max(end, start + 1)


def _heredoc_above(text: str, start: int) -> str:
    """The word that ends the heredoc which the line above begins; empty where it begins none."""
    if not start:
        return ""
    begin = max(text.rfind("\n", 0, start - 1) + 1, start - _LONGEST)
    match = _HEREDOC.search(text, begin, start - 1)
    return match["word"] if match is not None else ""
