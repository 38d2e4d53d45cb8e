"""The values of the CCM's flags, as it uses them."""

from __future__ import annotations

from ccmcheck.catalog.data.ccm_flags import DEFAULTS, DURATIONS, LISTS, SWITCHES
from ccmcheck.gcfg.values import parse_duration

__all__ = ["LISTS", "SWITCHES", "effective", "shown"]

_TRUE, _FALSE = frozenset({"1", "t", "true"}), frozenset({"0", "f", "false"})


def effective(name: str, given: str | None) -> object:
    """The value of a flag as the CCM uses it, in a form in which equal values are equal.

    Args:
        name: The flag.
        given: Its value; None where it is not given.
    """
    value = shown(name, given)
    if name in SWITCHES:
        folded = value.lower()
        return True if folded in _TRUE else False if folded in _FALSE else value
    if name in DURATIONS:
        nanoseconds = parse_duration(value)[0]
        return value if nanoseconds is None else nanoseconds
    if name in LISTS:
        return frozenset(part.strip() for part in value.split(","))
    return float(value) if value.removeprefix("-").isdecimal() else value


def shown(name: str, given: str | None) -> str:
    """The value of a flag for people; its default where it is not given."""
    if given is not None:
        return given
    return DEFAULTS.get(name, "false" if name in SWITCHES else "")
