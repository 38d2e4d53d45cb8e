"""Go templates: what ``{{ define "name" }}`` and its ``{{ end }}`` enclose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.catalog.signs.paths import is_cloud_conf_key, is_named_cloud_conf
from ccmcheck.layers.slice import Slice
from ccmcheck.yamlio import TemplateMark
from ccmcheck.yamlio import marks as template_marks

_KEYWORD = lazy_regex(r"\{\{[-~]?\s*+(?P<word>if|range|with|block|define|end)\b\s*+(?:\"(?P<name>[^\"\n]*+)\")?")


_CONF_NAME = lazy_regex(r"cloud-?(?:provider-?)?config", re.IGNORECASE)
_RAW = lazy_regex(r"\{\{-?\s*+\$(?P<name>\w++)\s*+:?=[^`}]{0,100}?`(?P<text>[^`]*+)`")
"""A variable with a text of several lines: ``{{- $conf := `…` }}``."""
_INCLUDED = lazy_regex(
    r"^[ \t]*+[\"']?(?P<key>[\w.-]++)[\"']?:(?:[^\n{]|\{(?!\{))*+\{\{[^\n]*?"
    r"\b(?:include|template)[ \t]++\"(?P<name>[^\"\n]++)\"",
    re.MULTILINE,
)
"""A Secret's ``cloud.conf: {{ include "name" . | b64enc }}``."""


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the templates that a file defines.

    Args:
        text: The file.

    Yields:
        The body of each ``define``, up to its ``end``, the next ``define`` or the end of the file.
    """
    included = {match["name"] for match in _INCLUDED.finditer(text) if is_cloud_conf_key(match["key"])}
    for definition in definitions(text):
        yield _body(text, definition, is_named=definition.name in included)


def raw_strings(text: str, marks: Iterable[TemplateMark]) -> Iterator[EmbeddedText]:
    """Find the texts that a template assigns to variables.

    Args:
        text: The file.
        marks: Its marks.

    Yields:
        Each raw string.
    """
    for mark in marks:
        match = _RAW.match(text, mark.span.start, mark.span.end) if mark.kind == "control" else None
        if match is not None:
            name = f"${match['name']}"
            yield EmbeddedText(Slice(text, Span(*match.span("text")), "raw string"), name, partial=True)


class Definition(NamedTuple):
    """A template that a file defines.

    Attributes:
        name: Its name.
        start: Where its ``define`` begins.
        body: What it holds.
        end: Where its ``end`` ends; of one that is not closed, where its body does.
    """

    name: str
    start: int
    body: Span
    end: int


def definitions(text: str) -> Iterator[Definition]:
    """Find the templates that a file defines, in order.

    Args:
        text: The file.
    """
    opening: TemplateMark | None = None
    name = ""
    depth = 0
    for mark in template_marks.find(text):
        keyword = _KEYWORD.match(text, mark.span.start) if mark.kind == "control" else None
        if keyword is None:
            continue
        word = keyword["word"]
        if word == "define":
            if opening is not None:
                yield _definition(name, opening, mark.span.start, mark.span.start)
            opening, name, depth = mark, keyword["name"] or "", 0
        elif word != "end":
            depth += 1
        elif depth:
            depth -= 1
        elif opening is not None:
            yield _definition(name, opening, mark.span.start, mark.span.end)
            opening = None
    if opening is not None:
        yield _definition(name, opening, len(text), len(text))


def _definition(name: str, opening: TemplateMark, stop: int, end: int) -> Definition:
    return Definition(name, opening.span.start, Span(opening.span.end, max(opening.span.end, stop)), end)


def _body(text: str, definition: Definition, *, is_named: bool) -> EmbeddedText:
    start, end = definition.body
    if text.startswith(("\n", "\r\n"), start):
        start += 1 + text.startswith("\r", start)
    name = definition.name
    return EmbeddedText(
        Slice(text, Span(start, max(start, end)), "template"),
        f'define "{name}"',
        named=is_named or is_named_cloud_conf(name) or _CONF_NAME.search(name) is not None,
    )
