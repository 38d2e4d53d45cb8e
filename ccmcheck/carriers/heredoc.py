"""Shell heredocs that write a cloud.conf: ``cat > /etc/kubernetes/cloud.conf <<EOF``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers import Slice

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENING = lazy_regex(r"""<<(?P<tabs>-?)[ \t]*+(?P<quote>['"\\]?)(?P<word>[A-Za-z_]\w*+)['"]?(?P<after>[^\n]*+)\n""")
_MOST = 50
"""Heredocs of one text that are searched; each takes a search for its end."""

_TARGET = lazy_regex(r">>?[ \t]*+\"?([^\s\"<>|;&]++)|\btee[ \t]++(?:-a[ \t]++)?\"?([^\s\"<>|;&]++)")


class Heredoc(NamedTuple):
    """One heredoc.

    Attributes:
        layer: Its body.
        expands: True where the shell replaces ``$NAME`` in it.
        path: The file that it is written to, where the command names it; else empty.
    """

    layer: Slice
    expands: bool
    path: str


def may_hold_heredoc(text: str) -> bool:
    """Whether a text may hold a heredoc with a cloud.conf."""
    return "<<" in text and "[" in text and "=" in text


def heredocs(text: str, written: str) -> Iterator[Heredoc]:
    """Find the heredocs of a shell script.

    Args:
        text: The script, or the part of one that a scalar holds.
        written: The same text with its template marks as written.

    Yields:
        Each heredoc that is closed.
    """
    position = 0
    for _ in range(_MOST):
        match = _OPENING.search(text, position)
        if match is None:
            return
        word = match["word"]
        blanks = r"[ \t]*+" if match["tabs"] else ""
        closing = re.compile(rf"^{blanks}{re.escape(word)}[ \t]*+$", re.MULTILINE).search(text, match.end())
        if closing is None:
            position = match.end()
            continue
        before = written[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        target = _TARGET.search(before + written[match.start("after") : match.end("after")])
        path = (target[1] or target[2]) if target else ""
        yield Heredoc(Slice(text, Span(match.end(), closing.start()), "heredoc"), not match["quote"], path)
        position = closing.end()
