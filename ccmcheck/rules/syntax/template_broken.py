"""A template tag or block that is not closed."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.yamlio import TemplateMark
from ccmcheck.yamlio import marks as template_marks

_WORD = lazy_regex(r"(?P<sign>\{%|\{\{|%\{)[-+~]?\s*+(?P<word>[a-z]++)")
_OPENERS = {
    "{%": {"if": "endif", "for": "endfor"},
    "%{": {"if": "endif", "for": "endfor"},
    "{{": dict.fromkeys(("if", "range", "with", "define", "block"), "end"),
}
_CLOSERS = frozenset(("endif", "endfor", "end"))


def check(conf: CloudConf) -> Problems:
    """Look at each tag, and count the blocks of a file."""
    if not conf.carried.marks:
        return
    marks = template_marks.find(conf.text)
    broken = [mark for mark in marks if mark.kind == "broken"]
    for mark in broken:
        yield Problem(
            mark.span,
            "this tag is not closed, so the template cannot be rendered",
            "What follows on the line is unknown; the lines below are read as they stand.",
            "Close the tag on its line.",
        )
    if not broken and conf.carried.carrier == "file" and not any(layer.kind != "template" for layer in conf.layers):
        yield from _blocks(conf, marks)


def _blocks(conf: CloudConf, marks: list[TemplateMark]) -> Problems:
    """The first block that is not closed, or closed without being open."""
    waiting: list[tuple[TemplateMark, str, str]] = []
    for mark in marks:
        match = _WORD.match(conf.text, mark.span.start, mark.span.end)
        if mark.kind != "control" or match is None:
            continue
        sign, word = match["sign"], match["word"]
        if word in _OPENERS[sign]:
            waiting.append((mark, word, _OPENERS[sign][word]))
        elif word in _CLOSERS and (sign == "{{") == (word == "end"):
            if not waiting or waiting[-1][2] != word:
                yield Problem(
                    mark.span,
                    f"`{word}` closes nothing that is open here, so the template cannot be rendered",
                    "",
                    "Delete it, or open the block above.",
                )
                return
            waiting.pop()
    if waiting:
        mark, word, closer = waiting[0]
        yield Problem(
            mark.span,
            f"this `{word}` is never closed, so the template cannot be rendered",
            "",
            f"Close it with `{closer}`.",
        )
