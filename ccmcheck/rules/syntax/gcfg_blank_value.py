"""A key without a value."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, unreadable

CLAIMS = ("blank-value", "empty-value")
"""The kinds of reader errors that this rule reports, and no other."""


def check(conf: CloudConf) -> Problems:
    """Report the reader's errors, then the keys without a value that are no error."""
    for unread in unreadable.values(conf, *CLAIMS):
        default = unreadable.default_of(unread.spec)
        alone = unread.stop.kind == "blank-value"
        fix = None
        if _EQUALS_BELOW.match(conf.text, unread.item.entry.end) is None:
            fix = fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, unread.item.entry))
        yield Problem(
            unread.item.span,
            "only a boolean or a list may have no value"
            if alone
            else f"an empty value is not a {_TYPES[unread.spec.type]}",
            unreadable.stops(conf),
            f"Write a value, or delete the line: the default is {default}."
            if fix is not None or not alone
            else "Write `key = value` on one line.",
            fix,
            unread.stop,
        )
    for item in conf.items:
        if item[1].value is not None or item.spec is None or item.opaque:
            continue
        if item.spec.type == "bool":
            yield Problem(
                item.span,
                "a boolean without a value means true",
                "Few people who read this file know that.",
                "Write `= true`, or the intended value.",
                fixes.safe(conf, "write `= true`", fixes.write_value(conf, item.entry, "true")),
                severity=Severity.WARNING,
            )
        elif item.spec.type == "list":
            yield Problem(
                item.span,
                "a list key without a value clears the list: entries above this line are ignored",
                "Entries below it are added to the empty list.",
                "Write one name per line, or delete this line.",
                severity=Severity.WARNING,
            )


_EQUALS_BELOW = lazy_regex(r"[ \t\r\n]*+=")
_TYPES = {"bool": "boolean", "uint": "number", "int": "number", "duration": "duration", "word": "word"}
