"""Suppressions in files: comments and an annotation that suppress a rule, with the reason.

::

    monitor-delay = 30s   # ccmcheck: ignore[monitor-slow-for-local] agreed with the network team
    # ccmcheck: ignore[duration-bad, unknown-key] above the line it is about
    # ccmcheck: ignore-file[use-clouds-incomplete] anywhere in the file, for all of it

    metadata:
      annotations:
        ccmcheck.dev/ignore: create-monitor-implicit=no Service of type LoadBalancer here, tls-insecure-on=lab

The comments mean the same in a cloud.conf, where ``;`` starts one too, and in YAML.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple

ANNOTATION = "ccmcheck.dev/ignore"

LINE_VERB = "ignore"
FILE_VERB = "ignore-file"

MARK = "ccmcheck:"
"""Part of every suppression comment; most texts have none."""
_DIRECTIVE = lazy_regex(
    r"[#;][ \t]*+ccmcheck:[ \t]*+(?P<verb>[\w-]*+)[ \t]*+(?P<names>\[[^]\r\n]*+\]?+)?+(?P<reason>[^\r\n]*+)"
)
_PIECE = lazy_regex(r"[^,\n]++")
_NAME = lazy_regex(r"[^\s,]++")
# lines after a comment of its own line that are no entry: empty ones and further comments
_NO_ENTRY = lazy_regex(r"(?:[^\S\n]*+(?:[#;][^\n]*+)?\n)*+")
_RULE_NAME = lazy_regex(r"[A-Za-z][\w-]*+")


class Suppression(NamedTuple):
    """One comment, or one rule of an annotation.

    Attributes:
        rules: The rules it names; empty where it is malformed.
        rule_spans: Where each of them is in the text.
        line: The line of the comment, from 1; 0 for an annotation.
        applies_to_line: The line it is about, from 1; 0 for the whole text.
        span: The whole comment, or the annotation's part.
        reason: The author's reason; may be empty.
        fault: What is wrong with it, a predicate of "this comment"; empty where it is valid.
    """

    rules: tuple[str, ...]
    rule_spans: tuple[Span, ...]
    line: int
    applies_to_line: int
    span: Span
    reason: str = ""
    fault: str = ""


def parse_comments(text: str, skip: Sequence[Span] = ()) -> list[Suppression]:
    """Find the suppression comments of a text.

    Args:
        text: A cloud.conf, or a whole YAML file.
        skip: Places to skip, sorted: in YAML the scalars that hold a cloud.conf, whose comments are its own.

    Returns:
        The suppressions, in the order of the text. A comment that merely mentions ccmcheck is not one.
    """
    return list(_comments(text, skip)) if MARK in text else []


def parse_annotation(value: str) -> list[Suppression]:
    """Parse the annotation: ``rule=reason``, several separated by commas or line ends.

    Args:
        value: The annotation's value. A reason may hold commas: what follows one and is neither ``rule=reason`` nor a
            word with a hyphen, as every rule's name has one, belongs to it.

    Returns:
        One suppression a rule, for the whole object; spans are offsets in ``value``.
    """
    parts: list[list[int]] = []  # where each name starts and ends, and where its reason does
    reasoned = False
    for piece in _PIECE.finditer(value):
        start, end = piece.start() + _blanks(piece.group()), piece.end()
        named = _RULE_NAME.match(value, start, end)
        rest = value[named.end() : end].lstrip() if named else ""
        if named and (rest.startswith("=") or (not rest and (not reasoned or "-" in named.group()))):
            parts.append([start, named.end(), end])
            reasoned = bool(rest.removeprefix("=").strip())
        elif reasoned and start < end:
            parts[-1][2] = end
    return [
        Suppression(
            (value[start:stop],),
            (Span(start, stop),),
            0,
            0,
            Span(start, end),
            value[stop:end].strip().removeprefix("=").strip(),
        )
        for start, stop, end in parts
    ]


def _comments(text: str, skip: Sequence[Span]) -> Iterator[Suppression]:
    line = entry_line = 1
    counted = 0
    for match in _DIRECTIVE.finditer(text):
        start = match.start()
        line += text.count("\n", counted, start)
        counted = start
        line_start = text.rfind("\n", 0, start) + 1
        before = text[line_start:start]
        last_skip = bisect_right(skip, start, key=lambda span: span.start) - 1
        if before.count('"') % 2 or (last_skip >= 0 and start < skip[last_skip].end):
            continue  # inside a quoted value, or in a place that is skipped
        span = Span(start, start + len(match.group().rstrip()))
        fault = _fault(match["verb"], match["names"])
        if fault is None:
            continue
        names = [] if fault else list(_NAME.finditer(text, match.start("names") + 1, match.end("names") - 1))
        if match["verb"] == FILE_VERB:
            applies_to = 0
        elif before.strip() and before.lstrip()[0] not in "#;":
            applies_to = line
        else:
            if entry_line <= line:  # comments that follow each other share the line they are about
                after = text.find("\n", start) + 1 or len(text)
                entry = _NO_ENTRY.match(text, after)
                entry_line = line + 1 + (text.count("\n", after, entry.end()) if entry else 0)
            applies_to = entry_line
        yield Suppression(
            tuple(name.group() for name in names),
            tuple(Span(*name.span()) for name in names),
            line,
            applies_to,
            span,
            match["reason"].strip(" \t:–—-"),
            fault,
        )


def _fault(verb: str, names: str | None) -> str | None:
    """What is wrong with a comment: nothing (empty), a clause, or None where it is not a suppression at all."""
    if verb in (LINE_VERB, FILE_VERB):
        if names and not names.endswith("]"):
            return f"lacks the closing bracket, so it suppresses nothing; write `{verb}[rule-name] reason`"
        if names and _NAME.search(names, 1, len(names) - 1):
            return ""
        return f"names no rule, so it suppresses nothing; write `{verb}[rule-name] reason`"
    from ccmcheck.base.suggest import nearest_name

    meant = nearest_name(verb, (LINE_VERB, FILE_VERB))
    if meant is None and not names:
        return None
    return f"is not a directive of ccmcheck; write `{meant or LINE_VERB}[rule-name] reason`"


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip())
