"""An invalid integer."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import spelling, unreadable

CLAIMS = ("bad-uint", "bad-int")
"""The kinds of reader errors that this rule reports, and no other."""


_NUMBER = lazy_regex(r"\+?(0|[1-9][0-9]{0,17})(?:\.0*+|[ \t]*+[A-Za-z]++|,)?")
_DIGITS = lazy_regex(r"[+-]?[0-9]++")
_ODD = lazy_regex(r"[+-]?0[0-9x]")


def check(conf: CloudConf) -> Problems:
    """Report each number that stops the reader, and those that are read differently."""
    for unread in unreadable.values(conf, *CLAIMS):
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
                f"the CCM reads this number as {value}",
                "Leading zeros do not make it octal, as they do elsewhere; `0x` makes it hexadecimal.",
                f"Write `{value}`.",
                severity=Severity.INFO,
            )


_NUMBERS = (
    ("LoadBalancer", "max-shared-lb"),
    ("LoadBalancer", "monitor-max-retries"),
    ("LoadBalancer", "monitor-max-retries-down"),
)
