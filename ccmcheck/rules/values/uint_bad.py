"""A number the CCM cannot read, or reads as another one.

What it does: finds whole numbers with a sign, a unit, a fraction or a comma; numbers that look octal or are hexadecimal;
and a `max-shared-lb` that forbids what it is there to allow.

Why: a number that stops the reader stops the CCM, and `010` is ten, not eight.

What the CCM does: it stops at start with `failed to parse "3s" as uint: extra characters "s"` and the like. Leading zeros are
decimal, `0x` is hexadecimal, and only `max-shared-lb` may have a sign. With `max-shared-lb` at 0 or below no Service may share
a load balancer with another.

Releases: all

Fix: by hand.

Source: gcfg v1.2.3 types/int.go, run; cloud-provider-openstack pkg/openstack/loadbalancer.go (max-shared-lb), 1.23 and newer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import spelling, unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("uint-bad", "A number the CCM cannot read", Severity.ERROR, claims=("bad-uint", "bad-int"))

BAD = (
    Case("[LoadBalancer]\nmonitor-max-retries = 3s\n", at=(2, 23)),
    Case("[LoadBalancer]\nmonitor-max-retries=-1\n", at=(2, 21)),
    Case("[LoadBalancer]\nmax-shared-lb=2.0\n", at=(2, 15)),
    Case("[LoadBalancer]\nmonitor-max-retries=010\n", at=(2, 21), severity=Severity.INFO),
    Case("[LoadBalancer]\nmax-shared-lb=0\n", at=(2, 15), severity=Severity.WARNING),
    Case("[LoadBalancer]\nmonitor-max-retries-down=0x3\n", at=(2, 26), severity=Severity.INFO, shown=False),
    Case("[LoadBalancer]\nmonitor-max-retries={{ retries }}\n", at=(2, 21), shown=False),
    Case("[LoadBalancer]\nmonitor-max-retries=99999999999999999999\n", at=(2, 21), shown=False),
)
GOOD = (
    Case("[LoadBalancer]\nmonitor-max-retries = 3\nmax-shared-lb=2\n"),
    Case('[LoadBalancer]\nmonitor-max-retries=" 3 "\n', shown=False),
    Case("[LoadBalancer]\nmax-shared-lb=2.5\n", release="1.22"),
    Case("[LoadBalancer]\nmonitor-max-retries=${RETRIES}\n", template=True),
    Case("[LoadBalancer]\nmonitor-max-retries=0\n", shown=False),
)

_NUMBER = lazy_regex(r"\+?(0|[1-9][0-9]{0,17})(?:\.0*+|[ \t]*+[A-Za-z]++|,)?")
_DIGITS = lazy_regex(r"[+-]?[0-9]++")
_ODD = lazy_regex(r"[+-]?0[0-9x]")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Explain each number that stops the reader, and those that are not what they look like."""
    for unread in unreadable.values(conf, *META.claims):
        signed = unread.spec.type == "int"
        text = spelling.plain(unread.text)
        label = "no whole number" if signed else "no whole number from 0 up"
        if _DIGITS.fullmatch(text):
            label = "a number out of range" if signed or text[0] not in "+-" else "a sign is not allowed here"
        found = _NUMBER.fullmatch(text)
        instead = f"Write `{found[1]}`." if found is not None else "Write digits only, as in `3`."
        yield unreadable.problem(conf, unread, label, instead)
    for section, key in _NUMBERS:
        item = conf.last(section, key)
        if item is None:
            continue
        value = conf.typed(item)
        if not isinstance(value, int):
            continue
        if value <= 0 and key == "max-shared-lb":
            yield Problem(
                item.span,
                "no Service may share a load balancer with another",
                f"A Service that names another's load balancer is refused; the default is {unreadable.default_of(item.spec)}."
                if item.spec is not None
                else "",
                "Write how many Services may share one load balancer, or delete the line.",
                severity=Severity.WARNING,
            )
        elif _ODD.match((item.entry.value or "").strip()):
            yield Problem(
                item.span,
                f"the CCM reads this as {value}",
                "Leading zeros are decimal here and `0x` is hexadecimal; few readers of this file know.",
                f"Write `{value}`.",
                severity=Severity.INFO,
            )


_NUMBERS = (
    ("LoadBalancer", "max-shared-lb"),
    ("LoadBalancer", "monitor-max-retries"),
    ("LoadBalancer", "monitor-max-retries-down"),
)
