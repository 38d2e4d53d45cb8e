"""Invalid or invisible characters.

What it does: finds a byte order mark, NUL and bytes that are not UTF-8; and non-breaking spaces (U+00A0) and their like, zero-width
characters and typographic quotes in values.

Why: they come with copied text and from editors on other systems, and terminals do not show them.

What the CCM does: it stops at the first three anywhere in the file, with `illegal character U+FEFF`, `illegal character NUL` or
`illegal UTF-8 encoding`. In a string value it keeps the others as part of the value; in a boolean or a duration they stop it too
(reported by bool-bad and the like).

Releases: all

Fix: removes the byte order mark, NUL, invisible characters and typographic quotes.

Fix safety: safe because no such value is intended; unsafe in the middle of a value, and in secrets

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
    from ccmcheck.conf.item import Item
    from ccmcheck.conf.view import CloudConf

META = Meta(
    "gcfg-illegal-bytes",
    "Invalid or invisible characters",
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
    "illegal-bom": "an invisible byte order mark, which the CCM does not skip",
    "illegal-nul": "a NUL character",
    "illegal-utf8": "invalid UTF-8",
}


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the reader's errors, then look for what it accepts."""
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
    match = spelling.INVISIBLE.search(raw)
    if match is not None:
        bare = spelling.INVISIBLE.sub(" ", value)
        corrected = bare.strip()
        edit = fixes.write_value(conf, item.entry, corrected)
        at_end = corrected == spelling.INVISIBLE.sub("", value)
        fix = (fixes.unsafe if secret or not at_end else fixes.safe)(conf, "remove the invisible characters", edit)
        names = f"U+{ord(match.group()[0]):04X}"
        yield Problem(
            Span(start + match.start(), start + match.end()),
            f"{names} is invisible or looks like a space, but is part of the value",
            "OpenStack receives the value with this character and does not find it.",
            "Remove it." if at_end else "Write an ordinary space, or remove it.",
            fix,
            severity=None,
        )
        return
    inner = spelling.curly_quoted(value)
    if inner is not None:
        yield Problem(
            item.span,
            "the typographic quotes are part of the value",
            f'{conf.reader_first} only treats the plain double quote `"` as a quote.',
            "Remove them, or write plain double quotes.",
            (fixes.unsafe if secret else fixes.safe)(
                conf, "remove the quotes", fixes.write_value(conf, item.entry, inner)
            ),
        )
