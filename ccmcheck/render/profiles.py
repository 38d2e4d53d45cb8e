"""What a profile sets in a new cloud.conf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.errors import WrongUse
from ccmcheck.gcfg.values import parse_bool
from ccmcheck.policy.scs import PROFILES as SCS
from ccmcheck.policy.timers import BALANCED
from ccmcheck.policy.verdict import for_config
from ccmcheck.render.settings import BALANCER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.render.settings import Settings

UPSTREAM = "upstream"
PROFILES: tuple[str, ...] = (UPSTREAM, *SCS)


def apply(profile: str, settings: Settings, asked: Mapping[str, str], *, fresh: bool) -> list[str]:
    """Set what a profile sets.

    Args:
        profile: Its name.
        settings: What is known so far; they are changed.
        asked: Keys of [LoadBalancer] that will win over the profile, which follows them in the rest.
        fresh: Whether there was no file before, so that ``upstream`` makes the choices that the profile leaves open.

    Returns:
        What was left as it is, a sentence each.

    Raises:
        WrongUse: There is no such profile.
    """
    if profile not in PROFILES:
        from ccmcheck.suggest import hint

        words = hint(profile, PROFILES) or f"There are {', '.join(PROFILES)}."
        raise WrongUse(f"There is no profile `{profile}`.", words)
    left = _set(profile, settings) if profile in SCS else []
    if fresh or profile == UPSTREAM:
        section = settings.schema.section(BALANCER)
        known = {key.name for key in section.keys} if section is not None else set()
        for key, value in _upstream(settings, asked).items():
            if key in known and (profile == UPSTREAM or settings.get(BALANCER, key) is None):
                settings.put(BALANCER, key, [value])
    return left


def _set(profile: str, settings: Settings) -> list[str]:
    left = []
    release = settings.schema.release
    for one in SCS[profile]:
        if one.since and not release.at_least(one.since):
            left.append(f"the profile {profile} sets {one.key} from the CCM {one.since} on, so not here")
        elif one.value is not None:
            settings.put(one.section, one.key, [one.value])
        elif not one.was or settings.get(one.section, one.key) in one.was:
            settings.put(one.section, one.key, [])
    return left


def _upstream(settings: Settings, asked: Mapping[str, str]) -> dict[str, str]:
    """The choices that nobody should leave to a default, and what ovn cannot do without."""
    schema = settings.schema
    release = schema.release
    section = schema.section(BALANCER)
    spec = section.key("lb-provider") if section is not None else None
    provider = settings.get(BALANCER, "lb-provider") or (str(spec.default) if spec is not None else "")
    driver = octavia.family(provider) if provider else None
    serial = _is_on(settings.get(BALANCER, "provider-requires-serial-api-calls"))
    monitor = for_config(release, driver, serial).value is True
    if "create-monitor" in asked:
        monitor = _is_on(asked["create-monitor"])
    found: dict[str, str] = {}
    if driver == "ovn":
        found["lb-method"] = "SOURCE_IP_PORT"
        if not behaves("managed-groups-shut-ovn-clients-out", release) and not behaves(
            "managed-groups-emptied-by-node-changes", release
        ):
            found["manage-security-groups"] = "true"
    if behaves("load-balancers-need-a-key", release):
        found["use-octavia"] = "true"  # off by default there, and what it would use instead is gone
    found["create-monitor"] = "true" if monitor else "false"
    return found | (BALANCED.keys if monitor else {})


def _is_on(value: str | None) -> bool:
    return value is not None and parse_bool(value)[0] is True
