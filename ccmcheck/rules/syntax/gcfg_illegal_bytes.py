"""Characters that the reader cannot stand, or that nobody sees.

What it does: finds a byte order mark, NUL and bytes that are not UTF-8; and blanks that are none (U+00A0 and its like), zero-width
characters and typographic quotes in values.

Why: they come with copied text and with editors on other systems, and no terminal shows them.

What the CCM does: it stops at the first three, wherever they stand, with `illegal character U+FEFF`, `illegal character NUL` or
`illegal UTF-8 encoding`. In a text value it keeps the others as a part of the value; in a boolean or a duration they stop it too (then
bool-bad and its like say so).

Releases: all

Fix: removes the mark, NUL and the invisible characters, and takes typographic quotes off.

Fix safety: safe because the value cannot have been meant with them; unsafe inside a value or in one that holds a secret

Source: gcfg v1.2.3 scanner/scanner.go, run (cloud-provider-openstack calls FatalOnly(ReadInto), which skips no byte order mark)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Edit, Problem, Severity, Span
from ccmcheck.rules._support import fixes, spelling, unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Stop
    from ccmcheck.conf.view import CloudConf, Item

META = Meta(
    "gcfg-illegal-bytes",
    "Characters that the reader cannot stand, or that nobody sees",
    Severity.ERROR,
    claims=("illegal-bom", "illegal-nul", "illegal-utf8"),
)

BAD = (
    Case("\ufeff[Global]\nregion = R\n", at=(1, 1), fixed="[Global]\nregion = R\n"),
    Case("[Global]\nregion = R\u00a0\n", at=(2, 11), fixed="[Global]\nregion = R\n"),
    Case("[Global]\nregion = “R”\n", at=(2, 10), fixed="[Global]\nregion = R\n"),
    Case("[Global]\nregion = R\n\x00\n", at=(3, 1), fixed="[Global]\nregion = R\n\n", shown=False),
    Case("[Global]\n# caf\udce9\nregion = R\n", at=(2, 6), shown=False),
    Case(
        "[Global]\ntenant-name = my\u00a0project\n",
        at=(2, 17),
        fixed="[Global]\ntenant-name = my project\n",
        unsafe=True,
        shown=False,
    ),
    Case("[Global]\npassword = x\u200b\n", at=(2, 13), fixed="[Global]\npassword = x\n", unsafe=True, shown=False),
)
GOOD = (
    Case("[Global]\ntenant-name = Übung\n"),
    Case("# “quoted”\u00a0comment\n[Global]\nregion = R\n"),
    Case("[Global]\nregion = {{ “x” }}\n", template=True),
    Case("[LoadBalancer]\ncreate-monitor=true\u00a0\n", shown=False),
    Case("[Global]\nusername=it’s\n", shown=False),
)

_KINDS = {
    "illegal-bom": "a byte order mark, which nobody sees and gcfg does not skip",
    "illegal-nul": "a NUL character",
    "illegal-utf8": "a byte that is not UTF-8",
}


def check(conf: CloudConf) -> Iterator[Problem]:
    """Explain the reader's errors, then look for what it lets through."""
    for stop in conf.stops(*META.claims):
        yield _stopped(conf, stop)
    text = conf.text
    if text.isascii() and "\x0b" not in text and "\x0c" not in text:
        return
    for item in conf.items:
        value = item.entry.value
        if (
            value
            and not (value.isascii() and value.isprintable())
            and item.spec is not None
            and not item.opaque
            and not conf.is_stopped(item)
        ):
            yield from _hidden(conf, item, value, secret=item.spec.secret)


def _stopped(conf: CloudConf, stop: Stop) -> Problem:
    fix = None
    instead = "Save the file as UTF-8."
    if stop.kind != "illegal-utf8":
        fix = fixes.safe(conf, "remove it", Edit(stop.span.start, stop.span.end, ""))
        instead = "Save the file as UTF-8 without a byte order mark." if stop.kind == "illegal-bom" else "Remove it."
    return Problem(stop.span, _KINDS[stop.kind], unreadable.stops(conf), instead, fix, stop)


def _hidden(conf: CloudConf, item: Item, value: str, *, secret: bool) -> Iterator[Problem]:
    start, end = item.span
    raw = conf.text[start:end]
    found = spelling.UNSEEN.search(raw)
    if found is not None:
        bare = spelling.UNSEEN.sub(" ", value)
        mended = bare.strip()
        edit = fixes.write_value(conf, item.entry, mended)
        at_the_end = mended == spelling.UNSEEN.sub("", value)
        fix = (fixes.unsafe if secret or not at_the_end else fixes.safe)(conf, "remove what nobody sees", edit)
        names = f"U+{ord(found.group()[0]):04X}"
        yield Problem(
            Span(start + found.start(), start + found.end()),
            f"{names} looks like a blank or like nothing, and is a part of the value",
            "OpenStack gets the value with it and knows no such thing.",
            "Remove it." if at_the_end else "Write an ordinary blank, or nothing.",
            fix,
            severity=None,
        )
        return
    inner = spelling.curly_quoted(value)
    if inner is not None:
        yield Problem(
            item.span,
            "typographic quotes are a part of the value",
            'Only the plain double quote `"` is one to the CCM.',
            "Take them off, or write plain double quotes.",
            (fixes.unsafe if secret else fixes.safe)(conf, "take them off", fixes.write_value(conf, item.entry, inner)),
        )
