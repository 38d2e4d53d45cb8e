"""In which releases the CCM behaves in some way that no key's schema shows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog import Release
from ccmcheck.catalog import release as release_of
from ccmcheck.catalog.data.behaviour import KUBERNETES, UNTIL_GONE, WITHOUT, stretches
from ccmcheck.catalog.data_types import BehaviourChange
from ccmcheck.catalog.stretches import holds

if TYPE_CHECKING:
    from ccmcheck.catalog.data.release_bugs import ReleaseBug

_VERSION = lazy_regex(r"v?(\d{1,4})\.(\d{1,4})(?!\d)")


@cache
def behaves(name: str, release: Release) -> bool:
    """Whether the CCM of a release behaves in a way.

    Args:
        name: A name in ``ccmcheck.catalog.data.behaviour.BEHAVIOURS``, such as ``monitor-port-lost``.
        release: The release judged.

    Raises:
        KeyError: Nothing is known by that name.
    """
    return holds(stretches(name), release)


@cache
def fixed_in(name: str, release: Release) -> str:
    """The tags in which a behaviour of a release is gone, oldest first, as a message names them; empty for none."""
    after = [before for _, before in stretches(name) if before and not release.at_least(before)]
    others = tuple(UNTIL_GONE.get(name, ()))
    return " or ".join(dict.fromkeys(_after(tag, others) for tag in after))


def _after(tag: str, others: tuple[str, ...]) -> str:
    """The tag, or the first after it that has none of some behaviours."""
    for name in others:
        for since, before in stretches(name):
            if since and before and release_of(since) <= release_of(tag) < release_of(before):
                return _after(before, others)
    return tag


@cache
def kubernetes_has(feature: str, version: str) -> bool:
    """Whether a Kubernetes version has a feature.

    Args:
        feature: A name in ``ccmcheck.catalog.data.behaviour.KUBERNETES``.
        version: As a user gives it, ``1.31`` or ``v1.31.2``; anything else has no feature.
    """
    match = _VERSION.match(version)
    return match is not None and (int(match[1]), int(match[2])) >= KUBERNETES[feature]


def kubernetes_with(feature: str) -> str:
    """The first Kubernetes version that has a feature, ``1.36``; see `kubernetes_has`."""
    major, minor = KUBERNETES[feature]
    return f"{major}.{minor}"


@cache
def behaviour_changes() -> tuple[BehaviourChange, ...]:
    """What behaviours that come or go mean for an upgrade, in words; bugs without such words have those of lint."""
    from ccmcheck.base.data_files import read_rows
    from ccmcheck.catalog.data.release_bugs import BUGS

    written = read_rows(__file__, "data/behaviour_changes.json", BehaviourChange)
    names = {change.behaviour for change in written}
    others = [bug for bug in BUGS if bug.program == "ccm" and bug.behaviour.removeprefix(WITHOUT) not in names]
    others = [bug for bug in others if not (bug.minor and bug.when)]
    return (*written, *map(_change_of, others))


def _change_of(bug: ReleaseBug) -> BehaviourChange:
    from ccmcheck.catalog.data.release_bugs import SOME

    keys = (*[f"on {key}" for key in bug.on], *[f"without {key}" for key in bug.without])
    keys += tuple(SOME * (not bug.minor) + condition for condition in bug.service)
    go_on = "" if bug.do and not bug.do.startswith("Or ") else f"Go on to {stretches(bug.behaviour)[-1][1]} or newer. "
    return BehaviourChange(
        bug.behaviour,
        (*keys, "every CCM") if bug.everywhere else keys or ("always",),
        "warning" if (bug.on or bug.service) and not (bug.when or bug.may) else "info",
        f"a bug comes: the CCM {bug.label}",
        f"{go_on}{bug.do}".strip(),
        f"mended: the CCM {bug.label}",
        source=bug.source,
    )


def minor_of(version: str) -> int | None:
    """The minor number of a Kubernetes version.

    Args:
        version: As a user gives it, ``1.31`` or ``v1.31.2``.

    Returns:
        31; None for what is no version.
    """
    match = _VERSION.match(version)
    return int(match[2]) if match is not None else None
