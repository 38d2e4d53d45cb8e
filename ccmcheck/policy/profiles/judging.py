"""Holds a wish of a profile against a cloud.conf as the CCM of a release uses it."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.profile import SOFT
from ccmcheck.base.records import NamedTuple
from ccmcheck.conf.effective import written
from ccmcheck.conf.reading import typed
from ccmcheck.conf.view import UNKNOWN
from ccmcheck.policy.create_monitor.recommended import BALANCER, recommended

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.profile import Requirement
    from ccmcheck.catalog import KeySpec, Release
    from ccmcheck.conf.view import CloudConf, Item


class Standing(Enum):
    """How a file stands to a wish."""

    MET = "met"
    BROKEN = "broken"
    UNKNOWN = "unknown"
    NOT_ASKED = "not asked"


class Judgement(NamedTuple):
    """One wish against one cloud.conf.

    Attributes:
        requirement: The wish.
        subsection: The class's name; None for a plain section.
        standing: How the file stands to it.
        uses: What the CCM will use, as cloud.conf would write it; None where nobody knows, or the release ignores it.
        why: Why the wish is not asked or cannot be judged; a clause.
        items: The lines that it is about: all that should go, else the one that decides.
    """

    requirement: Requirement
    subsection: str | None
    standing: Standing
    uses: str | None = None
    why: str = ""
    items: tuple[Item, ...] = ()


def judge(requirement: Requirement, conf: CloudConf) -> Iterator[Judgement]:
    """Judge a wish, once for each subsection where its section has some.

    Args:
        requirement: Of a profile.
        conf: The file at one release.
    """
    section = conf.schema.section(requirement.section)
    if section is None or not section.is_map:
        yield _judge(requirement, conf, None)
        return
    named = dict.fromkeys(one.subsection for one in conf.sections_named(requirement.section))
    for subsection in named:
        yield _judge(requirement, conf, subsection)


def _judge(requirement: Requirement, conf: CloudConf, subsection: str | None) -> Judgement:
    spec = _spec(requirement.section, requirement.key, conf)
    item = conf.last(requirement.section, requirement.key, subsection)
    value, unknown = _uses(requirement.section, requirement.key, subsection, conf)
    uses = written(value, spec.type) if spec is not None and value is not UNKNOWN else None
    found = Judgement(requirement, subsection, Standing.MET, uses, "", () if item is None else (item,))
    not_asked = _not_asked(requirement, conf)
    if not_asked is not None:
        return found._replace(standing=not_asked[0], why=not_asked[1])
    if requirement.check in SOFT:
        return found
    if requirement.check == "absent":
        return _absent(found, conf)
    if spec is None:
        return found._replace(standing=Standing.NOT_ASKED, why=f"the CCM {conf.release.name} does not know it")
    if value is UNKNOWN:
        return found._replace(standing=Standing.UNKNOWN, why=unknown)
    met = (
        fulfils(requirement, value, spec.type)
        if requirement.check != "present"
        else item is not None and value not in ("", [])
    )
    return found._replace(standing=Standing.MET if met else Standing.BROKEN)


def _absent(found: Judgement, conf: CloudConf) -> Judgement:
    requirement = found.requirement
    items = conf.all(requirement.section, requirement.key, found.subsection)
    meant = [item for item in items if not requirement.values or item.opaque or item.entry.value in requirement.values]
    if any(item.opaque for item in meant):
        return found._replace(
            standing=Standing.UNKNOWN, why=f"{requirement.key} holds a template mark", items=tuple(meant)
        )
    if meant:
        return found._replace(standing=Standing.BROKEN, items=tuple(meant))
    if not items and conf.may_hide_keys(requirement.section):
        return found._replace(standing=Standing.UNKNOWN, why=_may_hide(requirement.section, requirement.key))
    return found


def _may_hide(section: str, key: str) -> str:
    return f"rendering may add keys to [{section}], so nobody knows whether {key} is there"


def _not_asked(requirement: Requirement, conf: CloudConf) -> tuple[Standing, str] | None:
    """Why a wish is not asked of a release or beside other values; None where it is."""
    outside = out_of_range(requirement, conf.release)
    if outside:
        return Standing.NOT_ASKED, outside
    for condition in requirement.when:
        spec = _spec(condition.section, condition.key, conf)
        value, unknown = _uses(condition.section, condition.key, None, conf)
        if value is UNKNOWN:
            return Standing.UNKNOWN, unknown
        if spec is None or value != _typed(spec.type, condition.value):
            return Standing.NOT_ASKED, f"asked where {condition.key} is {condition.value}"
    return None


def out_of_range(requirement: Requirement, release: Release) -> str:
    """Why a wish is not asked of a release; empty where it is.

    Args:
        requirement: Of a profile.
        release: The CCM's.
    """
    if requirement.since and not release.at_least(requirement.since):
        return f"the profile {requirement.profile} asks for it from the CCM {requirement.since} on"
    if requirement.until and release > catalog.release(requirement.until):
        return f"the profile {requirement.profile} asks for it up to the CCM {requirement.until}"
    return ""


def _spec(section: str, key: str, conf: CloudConf) -> KeySpec | None:
    found = conf.schema.section(section)
    return found.key(key) if found is not None else None


def _uses(section: str, key: str, subsection: str | None, conf: CloudConf) -> tuple[object, str]:
    """What the CCM will use for a key, typed; or ``UNKNOWN`` and why that is."""
    spec = _spec(section, key, conf)
    if spec is None:
        return None, ""
    item = conf.last(section, key, subsection)
    if item is None:
        if conf.may_hide_keys(section):
            return UNKNOWN, _may_hide(section, key)
        return spec.default_value, ""
    if item.opaque:
        return UNKNOWN, f"{key} holds a template mark"
    value = conf.typed(item)
    if value is UNKNOWN:
        return UNKNOWN, f"the value of {key} cannot be read"
    # an empty value of such a key means the default
    return (spec.default_value if spec.default_source == "empty" and not value else value), ""


def fulfils(requirement: Requirement, value: object, kind: str) -> bool:
    """Whether a value is one that a wish asks for.

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
    """Whether a profile of the run wants something of a key, so that general advice on it has nothing to add.

    Args:
        conf: The file at one release.
        section: As the catalogue writes it.
        key: As the catalogue writes it.
    """
    return any(
        requirement.key == key
        and requirement.section == section
        and requirement.check not in SOFT
        and not out_of_range(requirement, conf.release)
        for requirement in conf.run_context.requirements
    )


def is_idle(found: Judgement, conf: CloudConf) -> bool:
    """Whether the CCM does the same without the lines that a judgement is about.

    Args:
        found: Of a wish for a key's absence.
        conf: The file that was judged.
    """
    spec = _spec(found.requirement.section, found.requirement.key, conf)
    return spec is None or written(spec.default_value, spec.type) == found.uses


def the_one(requirement: Requirement) -> str | None:
    """The value to write where a wish leaves no choice, or names its own; None where a person must choose.

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


def told(requirement: Requirement, conf: CloudConf) -> str:
    """What a profile has there where it only tells: its own value, the release's default, or a recommendation.

    Args:
        requirement: With a check of `ccmcheck.policy.profiles.checks.SOFT`.
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
        conf.release,
        provider if isinstance(provider, str) else "",
        serial=serial if isinstance(serial, bool) else None,
    )
    return found.get(requirement.key, "")
