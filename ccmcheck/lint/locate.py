"""From a rule's problem to a finding: its place in the file through every layer, its line with a caret, no secrets.

What a finding is about, for outputs that show no line, is read off the line as it may be shown.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Finding, FurtherPlace, Place, Problem, Snippet, Span
from ccmcheck.base.text import LineIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.kustomize.bundle import Bundle
    from ccmcheck.redact.masker import Masker

_KEY = lazy_regex(r"""[ \t]*+(\[[^\]\n]*+\]?|[\w.-]++)""")
_FIELD = lazy_regex(
    r"""(?:^[ \t]*+(?:-[ \t]++)*+|[{,][ \t]*+)["']?(?:([A-Za-z][\w./-]*+)["']?[ \t]*+:(?=\s|$)|(--[A-Za-z][\w-]*+)=)"""
)
_ITEM_NAME = lazy_regex(r"""[ \t]*+(?:-[ \t]++)?name:[ \t]*+["']?([\w.-]++)""")
_BEFORE, _AFTER = 300, 100
"""How much of a long line around the finding is searched."""
_MOST_LINES_UP = 50
"""How far above an item the field of its list is searched."""
_LONGEST_QUOTE = 60
_VALUE = "value"


class Texts:
    """What is worked out of the texts of one file, once each: a hundred objects of a manifest lie in one text.

    Args:
        bundle: The files of a build, where the text is that of one.
        secrets: Those of the cloud.confs near the file.
    """

    def __init__(self, bundle: Bundle | None = None, secrets: frozenset[str] = frozenset()) -> None:
        self.bundle = bundle
        self._secrets = secrets
        self._maskers: dict[str, Masker] = {}
        self._lines: dict[str, LineIndex] = {}

    def masker(self, text: str) -> Masker:
        """Masks what a text holds."""
        found_masker = self._maskers.get(text)
        if found_masker is None:
            from ccmcheck.redact.masker import Masker  # nothing of it is needed without a finding

            found_masker = self._maskers[text] = Masker(text, self._secrets)
        return found_masker

    def lines(self, text: str) -> LineIndex:
        """The lines of a text."""
        index = self._lines.get(text)
        if index is None:
            index = self._lines[text] = LineIndex(text)
        return index


class Locator:
    """Resolves spans of one cloud.conf; everything is worked out on the first finding only.

    Args:
        path: The file as the user named it.
        carried: The cloud.conf found in it.
        texts: The texts of the file.
    """

    def __init__(self, path: str, carried: CarriedConf, texts: Texts) -> None:
        self.path = path
        self.carried = carried
        self._texts = texts

    @cached_property
    def masker(self) -> Masker:
        """Masks what the cloud.conf's own text holds, in its lines and in messages about it."""
        return self._texts.masker(self.carried.text)

    @cached_property
    def _route(self) -> str:
        return self.masker.scrub(self.carried.route)

    @cached_property
    def _outer(self) -> LineIndex:
        return self._texts.lines(self.carried.stack.text)

    @cached_property
    def _inner(self) -> LineIndex:
        return self._texts.lines(self.carried.text)

    def place(self, span: Span) -> Place:
        """Where a span of the cloud.conf lies in the file."""
        stack = self.carried.stack
        if not stack.layers and self._texts.bundle is None:
            line, column, end_line, end_column = self._outer.positions(span)
            return Place(self.path, line, column, end_line, end_column, self._route, line, column, True)
        outer = stack.outward(span)
        line, column, end_line, end_column = self._outer.positions(outer)
        inner_line, inner_column = self._inner.position(span.start) if stack.layers else (line, column)
        path, bundle = self.path, self._texts.bundle
        if bundle is not None:
            end_line -= line
            path, line = bundle.in_file(line)
            end_line += line
            if stack.is_composed:  # the composed text itself is nobody's
                inner_line, inner_column = line, column
        return Place(path, line, column, end_line, end_column, self._route, inner_line, inner_column, stack.exact)

    def snippet(self, span: Span) -> Snippet:
        """The line of the cloud.conf that a span starts on; numbered as in the file where positions are exact."""
        inner_line, _ = self._inner.position(span.start)
        low, high = self._inner.line_span(inner_line)
        shown, start, length = self.masker.line(low, high, Span(span.start, max(span.end, span.start + 1)))
        number = inner_line
        if self.carried.stack.exact:
            number, _ = self._outer.position(self.carried.stack.outward(Span(span.start, span.start)).start)
            if self._texts.bundle is not None:
                _, number = self._texts.bundle.in_file(number)
        return Snippet(number, shown, start, length)

    def with_texts(self, counted: Finding, problem: Problem) -> Finding:
        """The finding of one problem as it is shown.

        Args:
            counted: The finding without its texts.
            problem: What the rule yielded.
        """
        scrub = self.masker.scrub
        snippet = self.snippet(problem.span)
        return counted._replace(
            label=scrub(problem.label),
            detail=scrub(problem.detail),
            help=scrub(problem.help),
            error=scrub(problem.stop.error) if problem.stop is not None else "",
            snippet=snippet,
            subject=self._subject(problem.span, snippet),
            fix_title=scrub(problem.fix.title) if problem.fix is not None else "",
            further=tuple(
                FurtherPlace(self.place(note.span), scrub(note.text), self.snippet(note.span)) for note in problem.notes
            ),
        )

    def _subject(self, span: Span, snippet: Snippet) -> tuple[str, ...]:
        """What a finding is about; see `Finding.subject`."""
        carried = self.carried
        if not carried.is_object:
            return tuple(filter(None, (key_of(snippet),)))
        named = self.masker.scrub(carried.subject)
        if carried.text[slice(*span)] == carried.subject.rpartition(" ")[2].rpartition("/")[2]:
            return (named,)
        line, _ = self._inner.position(span.start)
        return tuple(filter(None, (named, field_of(snippet, lambda number: self._line(line - number)))))

    def _line(self, number: int) -> str:
        """A line of the text as it may be shown; empty where there is none."""
        if number < 1:
            return ""
        low, high = self._inner.line_span(number)
        return self.masker.line(low, high, Span(low, low))[0]


def key_of(snippet: Snippet) -> str:
    """The key or section header that a line of a cloud.conf starts with; else the line itself, but no comment."""
    match = _KEY.match(snippet.text[:_BEFORE])
    rest = snippet.text[match.end() :][:_BEFORE].lstrip() if match else ""
    if match and (match[1][0] == "[" or not rest or rest[0] in "=:"):
        return match[1]
    line = snippet.text.strip()[:_LONGEST_QUOTE]
    return f"`{line}`" if line and line[0] not in "#;" and "`" not in line else ""


def field_of(snippet: Snippet, line_above: Callable[[int], str]) -> str:
    """The field of a Kubernetes object that a finding is about, or the name of the list's item that has it.

    Args:
        snippet: The line.
        line_above: Gives a line by how many lines it is above; empty where there is none.
    """
    start = max(0, snippet.start - _BEFORE)
    fields = _FIELD.finditer(snippet.text[start : snippet.start + _AFTER])
    names = [match[1] or match[2] for match in fields if match.start(match.lastindex or 0) + start <= snippet.start]
    if names and names[-1] != _VALUE:
        return names[-1]
    if names:
        named = _ITEM_NAME.match(line_above(1)[:_BEFORE])
        return named[1] if named else _VALUE
    indent = len(snippet.text) - len(snippet.text.lstrip(" -"))
    for number in range(1, _MOST_LINES_UP):
        line = line_above(number)
        if not line:
            break
        match = _FIELD.search(line[: indent + _BEFORE])
        if match and match[1] and match.start(1) <= indent:
            return match[1]
    return ""
