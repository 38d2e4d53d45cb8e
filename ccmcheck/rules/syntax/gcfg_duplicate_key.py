"""A duplicate key or section header."""

from __future__ import annotations

from itertools import chain

from ccmcheck.base.model import Note, Problem, Problems, Severity
from ccmcheck.catalog import fold
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Section
from ccmcheck.rules._support import fixes


def check(conf: CloudConf) -> Problems:
    """Look at the repeated keys, then at the repeated headers."""
    return chain(_keys(conf), _headers(conf))


def _keys(conf: CloudConf) -> Problems:
    for items in conf.repeated:
        item = items[-1]
        if item.spec is None or item.spec.type == "list":
            continue
        for before in items[:-1]:
            if not conf.is_alternative(before.entry.key_start, item.entry.key_start):
                yield _shadowed(conf, before, item)


def _shadowed(conf: CloudConf, item: Item, winner: Item) -> Problem:
    same = item.entry.value == winner.entry.value
    return Problem(
        item.entry.key_span,
        "this value has no effect: the same key is set again below"
        if not same
        else "the same key is set again below, to the same value",
        f"{conf.reader_first} silently uses the last value." if not same else "Editing this line changes nothing.",
        "Delete the line.",
        fixes.safe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
        notes=(Note(winner.entry.key_span, "this one takes effect"),),
    )


def _headers(conf: CloudConf) -> Problems:
    if len({(fold(section.name), section.subsection) for section in conf.sections}) == len(conf.sections):
        return
    first: dict[tuple[str, str | None], Section] = {}
    previous: Section | None = None
    for section in conf.sections:
        name = (fold(section.name), section.subsection)
        earlier = first.setdefault(name, section)
        known = conf.schema.section(section.name) is not None
        hidden = conf.is_opaque(section.span) or conf.is_alternative(earlier.span.start, section.span.start)
        if earlier is not section and known and not hidden:
            merged = previous is not None and (fold(previous.name), previous.subsection) == name
            fix = (
                fixes.safe(conf, "delete the header", fixes.delete_lines(conf.text, conf.line_at(section.span.start)))
                if merged
                else None
            )
            yield Problem(
                section.span,
                "this section has a header above already",
                f"{conf.reader_first} merges both blocks.",
                "Delete this header." if merged else "Move these keys to the first block.",
                fix if section.end == section.span.end else None,
                severity=Severity.INFO,
                notes=(Note(earlier.span, "first header of the section"),),
            )
        previous = section
