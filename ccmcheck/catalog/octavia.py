"""What Octavia and its drivers make of what the CCM sends."""

from __future__ import annotations

from functools import cache

from ccmcheck.catalog.data.octavia import API_FEATURES, API_VERSIONS, DEFAULT_PROVIDER, FIRST_MAJOR, PROVIDERS, SERIES
from ccmcheck.catalog.data.openstack_requests import (
    LOGIN_KEYS,
    NAMED_THINGS,
    NEEDED_ROLES,
    OLD_QUOTAS,
    READING_ROLES,
    ROUTER_PORTS,
    SENT,
    WRITING_ROLES,
    is_allowed,
)

__all__ = [
    "LOGIN_KEYS", "NAMED_THINGS", "NEEDED_ROLES", "OLD_QUOTAS", "PROVIDERS", "READING_ROLES", "ROUTER_PORTS",
    "SENT", "WRITING_ROLES", "api_has", "api_version", "at_least", "family", "first_with", "is_allowed",
    "is_ovn_release", "ovn_release", "series_of", "version_of",
]  # fmt: skip


def family(provider: str) -> str:
    """What the create-monitor matrix names a provider's driver by: ``amphora``, ``ovn`` or ``other``.

    Args:
        provider: The value of lb-provider; empty for Octavia's default.
    """
    name = PROVIDERS.get(provider or DEFAULT_PROVIDER, "")
    return name if name in ("amphora", "ovn") else "other"


@cache
def at_least(release: str, series: str) -> bool | None:
    """Compare an Octavia release with a series.

    Args:
        release: As a user gives it: a series (``yoga``, ``2024.1``) or a version of Octavia (``14.0.0``).
        series: A name in ``SERIES``.

    Returns:
        Whether it is that series or newer; None where the release is not given or not known.
    """
    known = series_of(release)
    return SERIES.index(known) >= SERIES.index(series) if known else None


@cache
def series_of(release: str) -> str:
    """The series of an Octavia release; the newest known one for what is newer, empty for what is not known."""
    word = release.strip().lower()
    if word in SERIES:
        return word
    major = word.removeprefix("v").split(".")[0]
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


def is_ovn_release(release: str) -> bool:
    """Whether it is a version of ovn-octavia-provider, or a series that has one."""
    word = release.strip().lower()
    return word in SERIES[SERIES.index("wallaby") :] or bool(version_of(word.removeprefix("v"))[0])


def ovn_release(stated: str, octavia_release: str) -> str:
    """The release of ovn-octavia-provider as stated, else the series of Octavia, which it comes with as a rule."""
    return stated or series_of(octavia_release)


def version_of(text: str) -> tuple[int, int, int]:
    """A version's three numbers; 0 for what is none.

    Args:
        text: The version, without a leading v.
    """
    parts = [int(part) if part.isascii() and part.isdigit() and len(part) < 6 else 0 for part in text.split(".")[:3]]
    major, minor, patch = (*parts, 0, 0, 0)[:3]
    return major, minor, patch
