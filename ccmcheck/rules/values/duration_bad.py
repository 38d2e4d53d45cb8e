"""An invalid duration.

What it does: finds durations without a unit, with an unknown unit, with spaces, and other text that Go cannot parse as a duration.

Why: the CCM's documentation gives seconds, and other tools accept plain numbers, so people write `5`.

What the CCM does: it stops at start with `time: missing unit in duration "5"`, `time: unknown unit "S" in duration "5S"` or
`time: invalid duration "x"`. Units are `ns`, `us`, `ms`, `s`, `m` and `h`, in lower case; only `0` needs no unit; `1h30m` is 90 minutes.

Releases: all

Fix: adds `s` to a plain number; removes spaces and writes units in lower case. By hand otherwise: `1d` is `24h`.

Fix safety: safe because the file cannot be read as it is, and only one correction is possible

Source: Go time.ParseDuration; cloud-provider-openstack pkg/util (MyDuration), all releases; gcfg v1.2.3 run; rancher/rancher#14577
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Severity
from ccmcheck.rules._support import spelling, unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Problem
    from ccmcheck.conf.view import CloudConf

META = Meta("duration-bad", "An invalid duration", Severity.ERROR, claims=("bad-duration",))

BAD = (
    Case("[LoadBalancer]\nmonitor-delay = 3\n", at=(2, 17), fixed="[LoadBalancer]\nmonitor-delay = 3s\n"),
    Case(
        '[LoadBalancer]\nmonitor-delay="5 S" # slow\n', at=(2, 15), fixed='[LoadBalancer]\nmonitor-delay="5s" # slow\n'
    ),
    Case("[LoadBalancer]\nmonitor-timeout=1d\n", at=(2, 17)),
    Case("[Metadata]\nrequest-timeout=2\n", at=(2, 17), fixed="[Metadata]\nrequest-timeout=2s\n"),
    Case("[LoadBalancer]\nmonitor-delay='5'\n", at=(2, 15), fixed="[LoadBalancer]\nmonitor-delay=5s\n", shown=False),
    Case("[LoadBalancer]\nmonitor-delay=${DELAY}\n", at=(2, 15), shown=False),
    Case("[LoadBalancer]\nmonitor-delay=5s \\\nmonitor-timeout=3s\n", at=(2, 15), shown=False),
    Case(
        "[LoadBalancer]\nmonitor-delay=5\nmonitor-delay=6s\n",
        at=(2, 15),
        fixed="[LoadBalancer]\nmonitor-delay=5s\nmonitor-delay=6s\n",
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nmonitor-delay = 1m30s\n"),
    Case("[LoadBalancer]\nmonitor-delay=0\nmonitor-timeout=1.5s\n", shown=False),
    Case("[LoadBalancer]\nmonitor-delay={{ delay }}\n", template=True),
    Case("[LoadBalancer]\nmonitor-retries=3\n", shown=False),
    Case("[LoadBalancer]\nmonitor-delay=5s;x\n", shown=False),
)

_NUMBER = lazy_regex(r"[0-9]{1,9}")
_DURATION = lazy_regex(r"[+-]?(?:(?:[0-9]{1,5}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(?:ns|us|µs|μs|ms|s|m|h)){1,9}")
_LONG_UNIT = lazy_regex(r"([0-9]{1,9})(?:(s)ec(?:ond)?s?|(m)in(?:ute)?s?|(h)(?:ou)?rs?)", re.IGNORECASE)
_DAYS = lazy_regex(r"([0-9]{1,5})([dw])(?:ays?|eeks?)?", re.IGNORECASE)
_HOURS = {"d": 24, "w": 168}
_UNITS = "The units are `ns`, `us`, `ms`, `s`, `m` and `h`, as in `1m30s`."


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report each duration that stops the reader."""
    for unread in unreadable.values(conf, *META.claims):
        text = "".join(spelling.plain(unread.text).split())
        corrected: str | None = None
        label, instead = "not a duration", _UNITS
        if _NUMBER.fullmatch(text):
            corrected, label = f"{text}s", "a duration needs a unit"
        elif _DURATION.fullmatch(text.lower()) and text.lower() != unread.text:
            corrected, label = text.lower(), "units are case-sensitive, and a duration has no spaces"
        elif match := _LONG_UNIT.fullmatch(text):
            label, instead = (
                "unknown unit",
                f"Write `{''.join(match.groups(''))}`.".lower().replace("write", "Write"),
            )
        elif match := _DAYS.fullmatch(text):
            label = "the largest unit of a duration is the hour"
            instead = f"Write `{int(match[1]) * _HOURS[match[2].lower()]}h`."
        yield unreadable.problem(conf, unread, label, instead, corrected)
