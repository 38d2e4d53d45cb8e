"""Evaluates a profile's requirement for a cloud.conf as the CCM of a release uses it."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.profile import SOFT, Requirement
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.written_values import written
from ccmcheck.conf.item import UNKNOWN, Item
from ccmcheck.conf.reading import typed
from ccmcheck.policy.create_monitor.recommended import BALANCER, recommended

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.catalog import KeySpec, Release
    from ccmcheck.conf.view import CloudConf


class Status(Enum):
    """Whether a file satisfies a requirement."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not applicable"


class Evaluation(NamedTuple):
    """One requirement evaluated for one cloud.conf.

    Attributes:
        requirement: Of the profile.
        subsection: The class's name; None for a plain section.
        status: Whether the file satisfies it.
        uses: What the CCM will use, as cloud.conf would write it; None where it is unknown or ignored.
        why: Why it does not apply or cannot be evaluated; a clause.
        items: The lines that it is about: all that should go, else the one that decides.
    """

    requirement: Requirement
    subsection: str | None
    status: Status
    uses: str | None = None
    why: str = ""
    items: tuple[Item, ...] = ()


def evaluate(requirement: Requirement, conf: CloudConf) -> Iterator[Evaluation]:
    """Evaluate a requirement, once for each subsection where its section has some.

    Args:
        requirement: Of a profile.
        conf: The file at one release.
    """
    section = conf.schema.section(requirement.section)
    if section is None or not section.is_map:
        yield _evaluate(requirement, conf, None)
        return
    named = dict.fromkeys(one.subsection for one in conf.sections_named(requirement.section))
    for subsection in named:
        yield _evaluate(requirement, conf, subsection)


def _evaluate(requirement: Requirement, conf: CloudConf, subsection: str | None) -> Evaluation:
    spec = _spec(requirement.section, requirement.key, conf)
    item = conf.last(requirement.section, requirement.key, subsection)
    value, unknown = _uses(requirement.section, requirement.key, subsection, conf)
    uses = written(value, spec.type) if spec is not None and value is not UNKNOWN else None
    evaluation = Evaluation(requirement, subsection, Status.SATISFIED, uses, "", () if item is None else (item,))
    not_applicable = _why_not_applicable(requirement, conf)
    if not_applicable is not None:
        return evaluation._replace(status=not_applicable[0], why=not_applicable[1])
    if requirement.check in SOFT:
        return evaluation
    if requirement.check == "absent":
        return _absent(evaluation, conf)
    if spec is None:
        return evaluation._replace(status=Status.NOT_APPLICABLE, why=f"the CCM {conf.release.name} does not know it")
    if value is UNKNOWN:
        return evaluation._replace(status=Status.UNKNOWN, why=unknown)
    satisfied = (
        satisfies(requirement, value, spec.type)
        if requirement.check != "present"
        else item is not None and value not in ("", [])
    )
    return evaluation._replace(status=Status.SATISFIED if satisfied else Status.VIOLATED)


def _absent(evaluation: Evaluation, conf: CloudConf) -> Evaluation:
    requirement = evaluation.requirement
    items = conf.all(requirement.section, requirement.key, evaluation.subsection)
    meant = [item for item in items if not requirement.values or item.opaque or item.entry.value in requirement.values]
    if any(item.opaque for item in meant):
        return evaluation._replace(
            status=Status.UNKNOWN, why=f"{requirement.key} holds a template mark", items=tuple(meant)
        )
    if meant:
        return evaluation._replace(status=Status.VIOLATED, items=tuple(meant))
    if not items and conf.may_hide_keys(requirement.section):
        return evaluation._replace(status=Status.UNKNOWN, why=_may_hide(requirement.section, requirement.key))
    return evaluation


def _may_hide(section: str, key: str) -> str:
    return f"rendering may add keys to [{section}], so whether {key} is set is unknown"


def _why_not_applicable(requirement: Requirement, conf: CloudConf) -> tuple[Status, str] | None:
    """Why a requirement does not apply to a release or to these values, or is unknown; None where it applies."""
    outside = release_mismatch(requirement, conf.release)
    if outside:
        return Status.NOT_APPLICABLE, outside
    for condition in requirement.when:
        spec = _spec(condition.section, condition.key, conf)
        value, unknown = _uses(condition.section, condition.key, None, conf)
        if value is UNKNOWN:
            return Status.UNKNOWN, unknown
        if spec is None or value != _typed(spec.type, condition.value):
            return Status.NOT_APPLICABLE, f"applies where {condition.key} is {condition.value}"
    return None


def release_mismatch(requirement: Requirement, release: Release) -> str:
    """Why a requirement does not apply to a release; empty where it does.

    Args:
        requirement: Of a profile.
        release: The CCM's.
    """
    if requirement.since and not release.at_least(requirement.since):
        return f"the profile {requirement.profile} requires it from the CCM {requirement.since} on"
    if requirement.until and release > catalog.release(requirement.until):
        return f"the profile {requirement.profile} requires it up to the CCM {requirement.until}"
    return ""


def _spec(section: str, key: str, conf: CloudConf) -> KeySpec | None:
    spec = conf.schema.section(section)
    return spec.key(key) if spec is not None else None


def _uses(section: str, key: str, subsection: str | None, conf: CloudConf) -> tuple[object, str]:
    """What the CCM will use for a key, typed; or ``UNKNOWN`` and why that is."""
    spec = _spec(section, key, conf)
    if spec is None:
        return None, ""
    item = conf.last(section, key, subsection)
    if item is None:
        return (UNKNOWN, _may_hide(section, key)) if conf.may_hide_keys(section) else (spec.default_value, "")
    if item.opaque:
        return UNKNOWN, f"{key} holds a template mark"
    value = conf.typed(item)
    if value is UNKNOWN:
        return UNKNOWN, f"the value of {key} cannot be read"
    # an empty value of such a key means the default
    return (spec.default_value if spec.default_source == "empty" and not value else value), ""


def satisfies(requirement: Requirement, value: object, kind: str) -> bool:
    """Whether a value satisfies a requirement.

    Args:
        requirement: With a check on values.
        value: As reading gives it.
        kind: The key's type.
    """
    if requirement.check == "equals":
        wanted = [_typed(kind, one) for one in requirement.values]
        return sorted(map(str, value)) == sorted(map(str, wanted)) if isinstance(value, list) else value == wanted[0]
    values = value if isinstance(value, list) else [value]
    if requirement.check == "option":
        wanted = [_typed(kind, one) for one in requirement.values]
        return all(one in wanted for one in values)
    if requirement.check == "not":
        unwanted = [_typed(kind, one) for one in requirement.values]
        return not any(one in unwanted for one in values)
    if requirement.check in ("duration", "integer"):
        low, high = (
            _typed(kind, requirement.low) if requirement.low else None,
            _typed(kind, requirement.high) if requirement.high else None,
        )
        return isinstance(value, int) and _between(low, value, high)
    if requirement.check == "like":
        return bool(values) and all(any(_like(pattern, str(one)) for pattern in requirement.values) for one in values)
    tags = {tag.strip() for one in values for tag in str(one).split(",")}
    return not tags.isdisjoint(requirement.values)


def _between(low: object, value: int, high: object) -> bool:
    return (not isinstance(low, int) or low <= value) and (not isinstance(high, int) or value <= high)


def _like(pattern: str, text: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(text, pattern)


@lru_cache(maxsize=256)
def _typed(kind: str, text: str) -> object:
    """A value of a profile as reading gives values; the text itself where a release has another type for the key."""
    value, _, problem = typed(kind, text)
    return value if problem is None else text


def is_decided(conf: CloudConf, section: str, key: str) -> bool:
    """Whether a profile of the run has a requirement for a key, so that general advice on it has nothing to add.

    Args:
        conf: The file at one release.
        section: As the catalogue writes it.
        key: As the catalogue writes it.
    """
    return any(
        requirement.key == key
        and requirement.section == section
        and requirement.check not in SOFT
        and not release_mismatch(requirement, conf.release)
        for requirement in conf.run_context.requirements
    )


def has_no_effect(evaluation: Evaluation, conf: CloudConf) -> bool:
    """Whether the CCM does the same without the lines that an evaluation is about.

    Args:
        evaluation: Of a requirement for a key's absence.
        conf: The file that was evaluated.
    """
    spec = _spec(evaluation.requirement.section, evaluation.requirement.key, conf)
    return spec is None or written(spec.default_value, spec.type) == evaluation.uses


def prescribed_value(requirement: Requirement) -> str | None:
    """The value to write where a requirement allows one only, or names its default; None where a person must choose.

    Args:
        requirement: Of a profile.
    """
    if requirement.default is not None:
        return requirement.default
    return (
        requirement.values[0]
        if requirement.check in ("equals", "option") and len(set(requirement.values)) == 1
        else None
    )


def advised_value(requirement: Requirement, conf: CloudConf) -> str:
    """The value of a check that is not enforced: the profile's own, the release's default, or a recommendation.

    Args:
        requirement: With a check of `ccmcheck.base.profile.SOFT`.
        conf: The file at one release.

    Returns:
        The value as cloud.conf would write it; empty where there is none, or nothing is recommended.
    """
    if requirement.values:
        return requirement.values[0]
    spec = _spec(requirement.section, requirement.key, conf)
    if spec is None:
        return ""
    if requirement.check == "usual":
        return written(spec.default_value, spec.type)
    serial = conf.value(BALANCER, "provider-requires-serial-api-calls")
    provider = conf.value(BALANCER, "lb-provider")
    found = recommended(
        conf.release, provider if isinstance(provider, str) else "", serial=serial if isinstance(serial, bool) else None
    )
    return found.get(requirement.key, "")
