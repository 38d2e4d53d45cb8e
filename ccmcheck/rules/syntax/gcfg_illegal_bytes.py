"""Invalid or invisible characters."""

from __future__ import annotations

from ccmcheck.base.model import Edit, Problem, Problems, Span, Stop
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling, unreadable

CLAIMS = ("illegal-bom", "illegal-nul", "illegal-utf8")
"""The kinds of reader errors that this rule reports, and no other."""


_KINDS = {
    "illegal-bom": "an invisible byte order mark, which the CCM does not skip",
    "illegal-nul": "a NUL character",
    "illegal-utf8": "invalid UTF-8",
}


def check(conf: CloudConf) -> Problems:
    """Report the reader's errors, then look for what it accepts."""
    for stop in conf.stops(*CLAIMS):
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


def _hidden(conf: CloudConf, item: Item, value: str, *, secret: bool) -> Problems:
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
