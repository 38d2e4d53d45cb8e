"""A duplicate key or section header.

What it does: finds single-value keys that are set again later in the same section, and repeated section headers.

Why: the line that people see, or that a script edits, is often not the one that takes effect.

What the CCM does: it merges sections of the same name and uses the last value. All of them must still be valid.

Releases: all

Fix: deletes the lines without effect, and headers that only repeat the one above.

Fix safety: safe because the last value applies already

Source: gcfg v1.2.3 set.go, run
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ccmcheck.base.model import Note, Problem, Severity
from ccmcheck.catalog import fold
from ccmcheck.rules._support import fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.item import Item
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.gcfg import Section

META = Meta("gcfg-duplicate-key", "A duplicate key or section header", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor = true\nsubnet-id = x\nCreate-Monitor = yes\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nsubnet-id = x\nCreate-Monitor = yes\n",
    ),
    Case(
        "[Global]\nregion = A\n[Global]\nregion = B\n",
        at=(2, 1),
        fixed="[Global]\nregion = B\n",
        times=2,
    ),
    Case(
        "[Global]\nregion = R\n\n[global]\nusername = u\n",
        at=(4, 1),
        fixed="[Global]\nregion = R\n\nusername = u\n",
        severity=Severity.INFO,
    ),
    Case("[Global]\nregion=R\n[LoadBalancer]\n[Global]\nusername=u\n", at=(4, 1), severity=Severity.INFO, shown=False),
    Case(
        '[LoadBalancerClass "a"]\nsubnet-id=x\nsubnet-id=y\nsubnet-id=z\n',
        at=(2, 1),
        fixed='[LoadBalancerClass "a"]\nsubnet-id=z\n',
        times=2,
        shown=False,
    ),
)
GOOD = (
    Case("[Networking]\ninternal-network-name = a\ninternal-network-name = b\n"),
    Case('[LoadBalancerClass "a"]\nsubnet-id=x\n[LoadBalancerClass "b"]\nsubnet-id=x\n'),
    Case("[Global]\n{% if a %}\nregion = A\n{% else %}\nregion = B\n{% endif %}\n", template=True),
    Case("[Global]\nnothing=a\nnothing=b\n", shown=False),
    Case("[LoadBalancer]\nsubnet-id=x\n[Route]\nrouter-id=x\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the repeated keys, then at the repeated headers."""
    return chain(_keys(conf), _headers(conf))


def _keys(conf: CloudConf) -> Iterator[Problem]:
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


def _headers(conf: CloudConf) -> Iterator[Problem]:
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
                "duplicate section header",
                f"{conf.reader_first} merges both blocks.",
                "Delete this header." if merged else "Move these keys to the first block.",
                fix if section.end == section.span.end else None,
                severity=Severity.INFO,
                notes=(Note(earlier.span, "first header of the section"),),
            )
        previous = section
