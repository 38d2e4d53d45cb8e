"""An invalid duration."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import spelling, unreadable

CLAIMS = ("bad-duration",)
"""The kinds of reader errors that this rule reports, and no other."""


_NUMBER = lazy_regex(r"[0-9]{1,9}")
_DURATION = lazy_regex(r"[+-]?(?:(?:[0-9]{1,5}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(?:ns|us|µs|μs|ms|s|m|h)){1,9}")
_LONG_UNIT = lazy_regex(r"([0-9]{1,9})(?:(s)ec(?:ond)?s?|(m)in(?:ute)?s?|(h)(?:ou)?rs?)", re.IGNORECASE)
_DAYS = lazy_regex(r"([0-9]{1,5})([dw])(?:ays?|eeks?)?", re.IGNORECASE)
_HOURS = {"d": 24, "w": 168}
_UNITS = "The units are `ns`, `us`, `ms`, `s`, `m` and `h`, as in `1m30s`."


def check(conf: CloudConf) -> Problems:
    """Report each duration that stops the reader."""
    for unread in unreadable.values(conf, *CLAIMS):
        text = "".join(spelling.plain(unread.text).split())
        corrected: str | None = None
        label, instead = "not a duration", _UNITS
        if _NUMBER.fullmatch(text):
            corrected, label = f"{text}s", "a duration needs a unit"
        elif _DURATION.fullmatch(text.lower()) and text.lower() != unread.text:
            corrected, label = text.lower(), "units are case-sensitive, and a duration has no spaces"
        elif match := _LONG_UNIT.fullmatch(text):
            label, instead = ("unknown unit", f"Write `{''.join(match.groups(''))}`.".lower().replace("write", "Write"))
        elif match := _DAYS.fullmatch(text):
            label = "the largest unit of a duration is the hour"
            instead = f"Write `{int(match[1]) * _HOURS[match[2].lower()]}h`."
        yield unreadable.problem(conf, unread, label, instead, corrected)
