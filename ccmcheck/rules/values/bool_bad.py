"""An invalid boolean."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import spelling, unreadable

CLAIMS = ("bad-bool",)
"""The kinds of reader errors that this rule reports, and no other."""


_TRUE = frozenset(("true", "yes", "on", "1", "t", "y", "enable", "enabled"))
_FALSE = frozenset(("false", "no", "off", "0", "f", "n", "disable", "disabled"))
_TAIL = lazy_regex(r"\s*+(?:,|//.*+|--.*+)\Z")


def check(conf: CloudConf) -> Problems:
    """Report each boolean that stops the reader."""
    for unread in unreadable.values(conf, *CLAIMS):
        word = _TAIL.sub("", spelling.plain(unread.text), count=1).lower()
        word = spelling.plain(word)
        corrected = "true" if word in _TRUE else "false" if word in _FALSE else None
        label = "not a boolean"
        if spelling.single_quoted(unread.text) is not None:
            label = "not a boolean: the single quotes are part of the value"
        yield unreadable.problem(conf, unread, label, "Write `true` or `false`.", corrected)
