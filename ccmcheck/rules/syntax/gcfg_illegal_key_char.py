"""A line that is not a valid key."""

from __future__ import annotations

import re

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Fix, Problem, Problems, Span, Stop
from ccmcheck.base.records import NamedTuple
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling, unreadable

CLAIMS = ("illegal-character", "expected-key", "expected-equals", "reserved-key")
"""The kinds of reader errors that this rule reports, and no other."""


_WORDS = lazy_regex(r"""[ \t]*+("?)([^\s=:#;"'\[\]][^=:#;"'\[\]\n]*+)""")
_TEMPLATE = lazy_regex(r"[ \t]*+(?:\{[%{#]|\$\{|%\{|<%)")
_LONGEST_KEY = 64
_NO_WIDTH = "\ufeff\u200b\u200c\u200d\u2060\u00ad"
_COMMENT = lazy_regex(r"[ \t]*+(?://|--|/\*|\*|!|%|<!--|(?:REM|rem)\b|')")


def check(conf: CloudConf) -> Problems:
    """Report each of the four errors."""
    for stop in conf.stops(*CLAIMS):
        if stop.kind == "reserved-key":
            yield Problem(
                stop.span,
                "not a key: an internal field of the CCM, which cannot be set",
                unreadable.stops(conf),
                'Delete the line; classes are sections of their own: `[LoadBalancerClass "name"]`.',
                stop=stop,
            )
        else:
            yield _explain(conf, stop)


class _Advice(NamedTuple):
    """The message about one line."""

    label: str
    instead: str
    fix: Fix | None = None


def _explain(conf: CloudConf, stop: Stop) -> Problem:
    line = conf.line_at(stop.span.start)
    text = conf.text[line.start : line.end]
    char = conf.text[stop.span.start : stop.span.start + 1]
    place = stop.span
    whole = Span(line.start + len(text) - len(text.lstrip(" \t")), max(line.end, stop.span.end))
    unseen = spelling.INVISIBLE.match(conf.text, stop.span.start)
    if conf.final and _TEMPLATE.match(text):
        place = whole
        advice = _Advice(
            "an unrendered template line", "Render the file before it is used; lint a template with `--template`."
        )
    elif unseen is not None:
        edit = Edit(unseen.start(), unseen.end(), "" if char in _NO_WIDTH else " ")
        label = f"U+{ord(char):04X} is invisible or looks like whitespace but is not"
        advice = _Advice(label, "Remove it.", fixes.safe(conf, "remove it", edit))
    elif _COMMENT.match(text) and char not in "_.:":
        place = whole
        advice = _Advice("not a comment in cloud.conf", "Start a comment with `#` or `;`.")
    else:
        advice = _key(conf, stop, line, text, char)
    return Problem(place, advice.label, unreadable.stops(conf), advice.instead, advice.fix, stop)


def _key(conf: CloudConf, stop: Stop, line: Span, text: str, char: str) -> _Advice:
    words = _WORDS.match(text)
    section = conf.section_at(line.start)
    if words is None or section is None:
        return _Advice("a line must start with a key", "Write `key = value` on one line.")
    written = words[2].rstrip()
    known = _known(conf, section.name, re.sub(r"[^A-Za-z0-9]++", "-", written).strip("-"))
    start, end = line.start + words.start(), line.start + words.start(2) + len(written)
    rest = conf.text[end : line.end].lstrip(" \t")
    start += len(words[0]) - len(words[0].lstrip(" \t"))
    if words[1]:
        if not known or not rest.startswith('"') or not rest[1:].lstrip().startswith("="):
            known = ""
        edit = Edit(start, end + 1, known)
        return _Advice("a key must not be quoted", "Remove the quotes.", _renamed(conf, known, edit))
    if char == ":":
        edit = Edit(stop.span.start, stop.span.end, "=")
        fix = fixes.safe(conf, "write `=`", edit) if known else None
        return _Advice("a key and its value are separated by `=`, not by a colon", "Write `=`.", fix)
    name = f"`{char}`" if char.isascii() and char.isprintable() else f"U+{ord(char):04X}"
    label = "`=` is missing before this" if stop.kind == "expected-equals" else f"{name} is not allowed in a key"
    if known and rest.startswith("="):
        blank = "a space is not allowed in a key" if stop.kind == "expected-equals" else label
        return _Advice(blank, f"Write `{known}`.", _renamed(conf, known, Edit(start, end, known)))
    if stop.kind == "expected-equals":
        return _Advice(label, "Write `key = value`, with hyphens between the words of the key.")
    return _Advice(label, "A key is a letter, followed by letters, digits and hyphens.")


def _renamed(conf: CloudConf, known: str, edit: Edit) -> Fix | None:
    return fixes.safe(conf, f"write `{known}`", edit) if known else None


def _known(conf: CloudConf, section: str, key: str) -> str:
    """The key of a section with this case-folded name, in this release or in another; empty where there is none."""
    spec = conf.schema.section(section)
    found_spec = spec.key(key) if spec is not None else None
    if found_spec is not None:
        return found_spec.name
    history = catalog.history(section, key) if len(key) <= _LONGEST_KEY else None
    return history.key if history is not None else ""
