"""What a profile sets in [LoadBalancer]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.errors import WrongUse
from ccmcheck.gcfg.values import parse_bool
from ccmcheck.policy.timers import BALANCED
from ccmcheck.policy.verdict import for_config
from ccmcheck.render.settings import BALANCER

if TYPE_CHECKING:
    from ccmcheck.render.settings import Settings

DEFAULT = "upstream"
PROFILES: dict[str, str] = {DEFAULT: "create-monitor as the decision matrix has it, with balanced timers"}
"""Each profile and what it is about."""


def assignments(profile: str, settings: Settings) -> dict[str, str]:
    """The keys of [LoadBalancer] that a profile sets, with their values.

    Args:
        profile: Its name.
        settings: What is known so far: the provider decides.

    Raises:
        WrongUse: There is no such profile.
    """
    if profile not in PROFILES:
        from ccmcheck.suggest import hint

        raise WrongUse(
            f"There is no profile `{profile}`.", hint(profile, PROFILES) or f"There is {', '.join(PROFILES)}."
        )
    section = settings.schema.section(BALANCER)
    known = {key.name for key in section.keys} if section is not None else set()
    return {key: value for key, value in _upstream(settings).items() if key in known}


def _upstream(settings: Settings) -> dict[str, str]:
    """The choices that nobody should leave to a default, and what ovn cannot do without."""
    schema = settings.schema
    release = schema.release
    section = schema.section(BALANCER)
    spec = section.key("lb-provider") if section is not None else None
    provider = settings.get(BALANCER, "lb-provider") or (str(spec.default) if spec is not None else "")
    driver = octavia.family(provider) if provider else None
    serial = parse_bool(settings.get(BALANCER, "provider-requires-serial-api-calls") or "false")[0] is True
    monitor = for_config(release, driver, serial).value is True
    found: dict[str, str] = {}
    if driver == "ovn":
        found["lb-method"] = "SOURCE_IP_PORT"
        if not behaves("managed-groups-shut-ovn-clients-out", release) and not behaves(
            "managed-groups-emptied-by-node-changes", release
        ):
            found["manage-security-groups"] = "true"
    found["create-monitor"] = "true" if monitor else "false"
    return found | (BALANCED.keys if monitor else {})
