"""Go templates: what ``{{ define "name" }}`` and its ``{{ end }}`` enclose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.carriers.names import is_cloud_conf_key
from ccmcheck.carriers.prefilter import is_named_cloud_conf
from ccmcheck.layers import Slice
from ccmcheck.yamlio import marks as template_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEYWORD = lazy_regex(r"\{\{[-~]?\s*+(?P<word>if|range|with|block|define|end)\b\s*+(?:\"(?P<name>[^\"\n]*+)\")?")


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the templates that a file defines.

    Args:
        text: The file.

    Yields:
        The body of each ``define``, up to its ``end``, the next ``define`` or the end of the file.
    """
    start = name = None
    depth = 0
    for mark in template_marks.find(text):
        keyword = _KEYWORD.match(text, mark.span.start) if mark.kind == "control" else None
        if keyword is None:
            continue
        word = keyword["word"]
        if word == "define":
            if start is not None:
                yield _body(text, name or "", start, mark.span.start)
            start, name, depth = mark.span.end, keyword["name"], 0
        elif word != "end":
            depth += 1
        elif depth:
            depth -= 1
        elif start is not None:
            yield _body(text, name or "", start, mark.span.start)
            start = None
    if start is not None:
        yield _body(text, name or "", start, len(text))


def _body(text: str, name: str, start: int, end: int) -> EmbeddedText:
    if text.startswith(("\n", "\r\n"), start):
        start += 1 + text.startswith("\r", start)
    where = f'define "{name}"'
    return EmbeddedText(
        Slice(text, Span(start, max(start, end)), "template"),
        where,
        named=is_cloud_conf_key(name) or is_named_cloud_conf(name),
    )
