"""An invalid backslash or an unclosed double quote."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Fix, Problem, Problems, Stop
from ccmcheck.conf.assignments import spell
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, unreadable

CLAIMS = ("bad-backslash", "bad-escape", "unterminated-string")
"""The kinds of reader errors that this rule reports, and no other."""


_LONE = lazy_regex(r'\\(?![\\"nt])')


def check(conf: CloudConf) -> Problems:
    """Report each of the three errors."""
    for stop in conf.stops(*CLAIMS):
        item = conf.entry_at(stop.span)
        if stop.kind == "unterminated-string":
            yield Problem(
                stop.span,
                "this double quote is not closed on its line",
                unreadable.stops(conf, "A double quote anywhere in a value starts a quoted part."),
                'Close it, or write `\\"` for a quote that is part of the value.',
                stop=stop,
            )
        elif stop.kind == "bad-escape":
            yield Problem(
                stop.span,
                "unknown escape sequence inside double quotes",
                unreadable.stops(conf, "Only a backslash, a double quote, `n` or `t` may follow a backslash there."),
                "Double the backslash.",
                _escaped(conf, item),
                stop,
            )
        else:
            yield _bare(conf, stop, item)


def _bare(conf: CloudConf, stop: Stop, item: Item | None) -> Problem:
    follower = conf.text[stop.span.start + 1 : stop.span.start + 2]
    detail = unreadable.stops(conf, "Outside double quotes a backslash may only precede a line end or a double quote.")
    if follower in ("", " ", "\t", "\r"):
        label = (
            "whitespace follows the backslash, so it does not continue the line"
            if follower
            else "no line follows the backslash"
        )
        return Problem(
            stop.span,
            label,
            detail,
            "Remove the whitespace or the backslash." if follower else "Remove the backslash.",
            stop=stop,
        )
    if follower in "\\#;":
        escaped = "two backslashes for one" if follower == "\\" else f"`{follower}` without a backslash"
        return Problem(
            stop.span,
            "a backslash is not an escape character outside double quotes",
            detail,
            f"Write the value in double quotes, with {escaped}.",
            stop=stop,
        )
    fix: Fix | None = None
    if item is not None and not item.entry.quoted and item.entry.value_start >= 0:
        start, end = item.entry.value_start, item.entry.value_end
        raw = conf.text[start:end]
        if "\n" not in raw and "\\\\" not in raw:
            fix = fixes.unsafe(
                conf, "quote the value and double the backslashes", Edit(start, end, spell(raw, quoted=True))
            )
    return Problem(
        stop.span,
        "a backslash is not an escape character outside double quotes",
        detail,
        "Write the value in double quotes and double its backslashes.",
        fix,
        stop,
    )


def _escaped(conf: CloudConf, item: Item | None) -> Fix | None:
    """Double the backslashes of a value that is one quoted string."""
    if item is None or item.entry.value_start < 0:
        return None
    start, end = item.entry.value_start, item.entry.value_end
    raw = conf.text[start:end]
    body = raw[1:-1]
    if len(raw) < 2 or raw[0] != '"' or raw[-1] != '"' or body.replace("\\\\", "").replace('\\"', "").count('"'):
        return None
    if body.endswith("\\") and not body.endswith("\\\\"):
        return None
    return fixes.unsafe(conf, "double the backslashes", Edit(start + 1, end - 1, _LONE.sub(r"\\\\", body)))
