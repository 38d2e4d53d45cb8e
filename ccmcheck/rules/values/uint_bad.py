"""An invalid integer, or one that is read differently.

What it does: finds integers with a sign, a unit, a fraction or a comma; numbers that look octal or are hexadecimal;
and a `max-shared-lb` below 1.

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

META = Meta("uint-bad", "An invalid integer", Severity.ERROR, claims=("bad-uint", "bad-int"))

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
    """Report each number that stops the reader, and those that are read differently."""
    for unread in unreadable.values(conf, *META.claims):
        signed = unread.spec.type == "int"
        text = spelling.plain(unread.text)
        label = "not an integer" if signed else "not an integer of 0 or more"
        if _DIGITS.fullmatch(text):
            label = "out of range" if signed or text[0] not in "+-" else "a sign is not allowed here"
        match = _NUMBER.fullmatch(text)
        instead = f"Write `{match[1]}`." if match is not None else "Write digits only, such as `3`."
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
                "with this value Services cannot share a load balancer",
                f"The CCM rejects a Service with the load balancer of another; the default is {unreadable.default_of(item.spec)}."
                if item.spec is not None
                else "",
                "Write how many Services may share a load balancer, or delete the line.",
                severity=Severity.WARNING,
            )
        elif _ODD.match((item.entry.value or "").strip()):
            yield Problem(
                item.span,
                f"read as {value}",
                "A number with leading zeros is decimal; `0x` is hexadecimal.",
                f"Write `{value}`.",
                severity=Severity.INFO,
            )


_NUMBERS = (
    ("LoadBalancer", "max-shared-lb"),
    ("LoadBalancer", "monitor-max-retries"),
    ("LoadBalancer", "monitor-max-retries-down"),
)
