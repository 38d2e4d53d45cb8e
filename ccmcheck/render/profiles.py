"""What a profile sets in a new cloud.conf."""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.base.profile import Condition, Requirement
from ccmcheck.conf.reading import typed
from ccmcheck.gcfg.values import parse_bool
from ccmcheck.policy.create_monitor.recommended import BALANCER, recommended
from ccmcheck.policy.profiles.evaluation import prescribed_value, release_mismatch, satisfies
from ccmcheck.redact.masker import is_secret_name
from ccmcheck.render.settings import ConfSettings

RECOMMENDED = "recommended"


def apply(name: str, settings: ConfSettings, asked: Mapping[str, str], *, fresh: bool) -> list[str]:
    """Set what a profile sets.

    Args:
        name: A built-in profile, or a file.
        settings: What is known so far; they are changed.
        asked: Keys of [LoadBalancer] that will win over the profile, which follows them in the rest.
        fresh: Whether there was no file before, so that what is recommended fills in what the profile leaves open.

    Returns:
        What was left as it is, a sentence each.

    Raises:
        WrongUse: There is no such profile, or it cannot be used.
    """
    left: list[str] = []
    if name != RECOMMENDED:
        from ccmcheck.policy.profiles.loading import load

        left = [said for requirement in load(name).requirements if (said := _set(requirement, settings))]
    if fresh or name == RECOMMENDED:
        section = settings.schema.section(BALANCER)
        known = {key.name for key in section.keys} if section is not None else set()
        for key, value in _recommended(settings, asked).items():
            if key in known and (name == RECOMMENDED or settings.get(BALANCER, key) is None):
                settings.put(BALANCER, key, [value])
    return left


def _set(requirement: Requirement, settings: ConfSettings) -> str:
    """Set what one requirement prescribes; why it is left alone, where that is worth a word."""
    section = settings.schema.section(requirement.section)
    spec = section.key(requirement.key) if section is not None else None
    value = prescribed_value(requirement)
    if section is None or section.needs_name or (requirement.check != "absent" and (value is None or spec is None)):
        return ""
    if is_secret_name(requirement.key) and requirement.check != "absent":
        return ""
    if release_mismatch(requirement, settings.schema.release):
        until = (
            f"up to the CCM {requirement.until}" if not requirement.since else f"from the CCM {requirement.since} on"
        )
        return f"the profile {requirement.profile} sets {requirement.key} {until}, so not here"
    if not all(_holds(condition, settings) for condition in requirement.when):
        return ""
    held = settings.get(requirement.section, requirement.key)
    if requirement.check == "absent":
        if held is not None and (not requirement.values or held in requirement.values):
            settings.put(requirement.section, requirement.key, [])
    elif (
        value is not None
        and spec
        and (held is None or not satisfies(requirement, typed(spec.type, held)[0], spec.type))
    ):
        settings.put(requirement.section, requirement.key, [value])
    return ""


def _holds(condition: Condition, settings: ConfSettings) -> bool:
    """Whether a condition holds, by what is set so far and the release's defaults."""
    section = settings.schema.section(condition.section)
    spec = section.key(condition.key) if section is not None else None
    if spec is None:
        return False
    held = settings.get(condition.section, condition.key)
    value = spec.default_value if held is None else typed(spec.type, held)[0]
    return value == typed(spec.type, condition.value)[0]


def _recommended(settings: ConfSettings, asked: Mapping[str, str]) -> dict[str, str]:
    section = settings.schema.section(BALANCER)
    spec = section.key("lb-provider") if section is not None else None
    return recommended(
        settings.schema.release,
        settings.get(BALANCER, "lb-provider") or (str(spec.default) if spec is not None else ""),
        serial=_is_on(settings.get(BALANCER, "provider-requires-serial-api-calls")),
        monitor=_is_on(asked["create-monitor"]) if "create-monitor" in asked else None,
    )


def _is_on(value: str | None) -> bool:
    return value is not None and parse_bool(value)[0] is True
