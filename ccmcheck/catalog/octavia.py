"""What Octavia and its drivers make of what the CCM sends."""

from __future__ import annotations

from functools import cache

from ccmcheck.catalog.data.octavia import (
    API_FEATURES,
    API_VERSIONS,
    CONNECT_TRIES,
    DEFAULT_RETRIES_DOWN,
    FAMILIES,
    FIRST_MAJOR,
    HAPROXY_SECONDS,
    HEARTBEAT_SECONDS,
    MEMBER_CONNECT_SECONDS,
    METHODS,
    MONITOR_BYTES,
    OVN_FIRST,
    REFUSED_TRIES,
    REFUSED_WAIT_SECONDS,
    RETRIES,
    SERIES,
    UDP_CONNECT_SECONDS,
)

__all__ = [
    "CONNECT_TRIES",
    "DEFAULT_RETRIES_DOWN",
    "HAPROXY_SECONDS",
    "HEARTBEAT_SECONDS",
    "MEMBER_CONNECT_SECONDS",
    "MONITOR_BYTES",
    "REFUSED_TRIES",
    "REFUSED_WAIT_SECONDS",
    "RETRIES",
    "UDP_CONNECT_SECONDS",
    "api_has",
    "api_version",
    "at_least",
    "family",
    "first_with",
    "gone_seconds",
    "is_ovn_release",
    "method_taken",
    "methods",
    "ovn_has",
    "ovn_release",
    "series_of",
    "silent_seconds",
]


def family(provider: str) -> str:
    """The driver behind an ``lb-provider``: ``amphora``, ``ovn`` or ``other``; names are case-sensitive."""
    return FAMILIES.get(provider, "other")


@cache
def at_least(release: str, series: str) -> bool | None:
    """Compare an Octavia release with a series.

    Args:
        release: As a user gives it: a series (``yoga``, ``2024.1``) or a version of Octavia (``14.0.0``).
        series: A name in ``SERIES``.

    Returns:
        Whether it is that series or newer; None where the release is not given or not known.
    """
    word = release.strip().lower().removeprefix("v")
    if word in SERIES:
        return SERIES.index(word) >= SERIES.index(series)
    major = word.split(".")[0]
    if not major.isascii() or not major.isdigit():
        return None
    number = int(major)
    if number > 2000:  # a series after the newest known one
        return word > SERIES[-1] or None
    return number - FIRST_MAJOR >= SERIES.index(series) if number >= FIRST_MAJOR else None


@cache
def series_of(release: str) -> str:
    """The series of an Octavia release; the newest known one for what is newer, empty for what is not known."""
    word = release.strip().lower().removeprefix("v")
    if word in SERIES:
        return word
    major = word.split(".")[0]
    if not major.isascii() or not major.isdigit() or len(major) > 6:
        return ""
    number = int(major)
    if number > 2000:
        return SERIES[-1] if word > SERIES[-1] else ""
    return SERIES[min(number - FIRST_MAJOR, len(SERIES) - 1)] if number >= FIRST_MAJOR else ""


def api_version(release: str) -> tuple[int, int] | None:
    """The newest API version that an Octavia release has; None where the release is not given or not known."""
    return API_VERSIONS.get(series_of(release))


def api_has(feature: str, version: tuple[int, int] | None) -> bool | None:
    """Whether an API version has what the CCM asks for.

    Args:
        feature: A name in ``API_FEATURES``, such as ``tags``.
        version: Major and minor number; None when unknown, as is the answer then.
    """
    return None if version is None else version >= API_FEATURES[feature]


def first_with(feature: str) -> str:
    """The first series whose API has a feature; a name in ``API_FEATURES``."""
    return next(series for series in SERIES if API_VERSIONS[series] >= API_FEATURES[feature])


@cache
def ovn_has(feature: str, release: str) -> bool | None:
    """Whether a release of ovn-octavia-provider has something.

    Args:
        feature: A name in ``OVN_FIRST``.
        release: A version (``7.0.1``) or a series (``2024.2``, ``wallaby``); empty when unknown.

    Returns:
        None where the release is not known, or a series in which only some releases have it.
    """
    word = release.strip().lower()
    if word in SERIES:
        series = SERIES.index(word) - SERIES.index("wallaby")
        if series < 0:
            return False  # the provider's repository begins with Wallaby
        version = None
    else:
        version = _version(word.removeprefix("v"))
        if not version[0]:
            return None
        series = _ovn_series(version)
    firsts = {_ovn_series(first): first for first in map(_version, OVN_FIRST[feature])}
    first = firsts.get(series)
    if first is None:
        return series > max(firsts)
    if version is not None:
        return version >= first
    return True if first in (_OVN_WALLABY, _OVN_XENA, (series, 0, 0)) else None


def is_ovn_release(release: str) -> bool:
    """Whether it is a version of ovn-octavia-provider, or a series that has one."""
    word = release.strip().lower()
    return word in SERIES[SERIES.index("wallaby") :] or bool(_version(word.removeprefix("v"))[0])


def ovn_release(stated: str, octavia_release: str) -> str:
    """The release of ovn-octavia-provider as stated, else the series of Octavia, which it comes with as a rule."""
    return stated or series_of(octavia_release)


_OVN_WALLABY, _OVN_XENA = (1, 0, 0), (1, 1, 0)
"""The first versions of these two series; later series begin with a major version of their own."""


def _ovn_series(version: tuple[int, int, int]) -> int:
    """The place of a version's series: 0 is Wallaby, 1 Xena."""
    return 0 if version[:2] == _OVN_WALLABY[:2] else version[0]


def _version(text: str) -> tuple[int, int, int]:
    parts = [int(part) if part.isascii() and part.isdigit() and len(part) < 6 else 0 for part in text.split(".")[:3]]
    major, minor, patch = (*parts, 0, 0, 0)[:3]
    return major, minor, patch


def methods(driver: str) -> tuple[str, ...]:
    """The algorithms that some release of a driver takes; empty where nothing is known of the driver."""
    return tuple(METHODS.get(driver, ()))


def method_taken(driver: str, method: str, release: str) -> bool | None:
    """Whether a driver takes an algorithm.

    Args:
        driver: As `family` names it.
        method: ``ROUND_ROBIN`` …
        release: The Octavia release; empty when unknown.

    Returns:
        None where nothing is known of the driver, or only the release would tell.
    """
    taken = METHODS.get(driver)
    if taken is None:
        return None
    if method not in taken:
        return False
    since = taken[method]
    return True if not since else at_least(release, since)


def gone_seconds(driver: str, delay: int, timeout: int, down: int) -> int:
    """How long a node that has no pod of a Local Service stays in rotation at most, in seconds.

    On amphora the health check node port answers at once that it has none; ovn's check of the NodePort is not answered.

    Args:
        driver: As `family` names it; others count as amphora.
        delay: Seconds between checks.
        timeout: Seconds a check waits.
        down: Failures in a row that take a member out.
    """
    return silent_seconds(driver, delay, timeout, down) if driver == "ovn" else down * delay


def silent_seconds(driver: str, delay: int, timeout: int, down: int) -> int:
    """How long a member that stopped answering stays in rotation at most, in seconds.

    amphora: HAProxy 2.6 on Octavia's rendered configuration, measured; a check of a silent host waits for the shorter
    of the delay and the listener's connect timeout, and ``timeout`` plays no part. ovn: ovn-controller's pinctrl.c.

    Args:
        driver: As `family` names it; others count as amphora.
        delay: Seconds between checks.
        timeout: Seconds a check waits.
        down: Failures in a row that take a member out.
    """
    if driver == "ovn":
        return down * (delay + timeout)
    wait = min(delay, MEMBER_CONNECT_SECONDS)
    return (down - 1) * (delay + wait) + wait + delay
