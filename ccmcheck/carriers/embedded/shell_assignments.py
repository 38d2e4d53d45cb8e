"""Where a script or a Makefile gives a variable its value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.model import Span

_ASSIGNMENT = (
    r"(?<!\S)#[^\n]*+|(?<![^\s;&|(\"']){name}[ \t]*+[:?]?=(?!=)[ \t]*+[\"']?(?P<value>(?:[^\s\"';&|)#]|(?<!\s)#)*+)"
)
"""A comment, or an assignment."""


def assigned_values(text: str, name: str) -> Iterator[Span]:
    """Find the values that a text gives a variable; none in a comment.

    Args:
        text: The text, which is searched once for each call.
        name: The variable, a word.

    Yields:
        The place of each value, without quotes, up to the first blank.
    """
    for match in re.finditer(_ASSIGNMENT.format(name=name), text):
        if match["value"] is not None:
            yield Span(*match.span("value"))
