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

    from ccmcheck.base.profile import Wish
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
        wish: The wish.
        subsection: The class's name; None for a plain section.
        standing: How the file stands to it.
        uses: What the CCM will use, as cloud.conf would write it; None where nobody knows, or the release ignores it.
        why: Why the wish is not asked or cannot be judged; a clause.
        items: The lines that it is about: all that should go, else the one that decides.
    """

    wish: Wish
    subsection: str | None
    standing: Standing
    uses: str | None = None
    why: str = ""
    items: tuple[Item, ...] = ()


def judge(wish: Wish, conf: CloudConf) -> Iterator[Judgement]:
    """Judge a wish, once for each subsection where its section has some.

    Args:
        wish: Of a profile.
        conf: The file at one release.
    """
    section = conf.schema.section(wish.section)
    if section is None or not section.is_map:
        yield _judge(wish, conf, None)
        return
    named = dict.fromkeys(one.subsection for one in conf.sections_named(wish.section))
    for subsection in named:
        yield _judge(wish, conf, subsection)


def _judge(wish: Wish, conf: CloudConf, subsection: str | None) -> Judgement:
    spec = _spec(wish.section, wish.key, conf)
    item = conf.last(wish.section, wish.key, subsection)
    value, unknown = _uses(wish.section, wish.key, subsection, conf)
    uses = written(value, spec.type) if spec is not None and value is not UNKNOWN else None
    found = Judgement(wish, subsection, Standing.MET, uses, "", () if item is None else (item,))
    not_asked = _not_asked(wish, conf)
    if not_asked is not None:
        return found._replace(standing=not_asked[0], why=not_asked[1])
    if wish.check in SOFT:
        return found
    if wish.check == "absent":
        return _absent(found, conf)
    if spec is None:
        return found._replace(standing=Standing.NOT_ASKED, why=f"the CCM {conf.release.name} does not know it")
    if value is UNKNOWN:
        return found._replace(standing=Standing.UNKNOWN, why=unknown)
    met = fulfils(wish, value, spec.type) if wish.check != "present" else item is not None and value not in ("", [])
    return found._replace(standing=Standing.MET if met else Standing.BROKEN)


def _absent(found: Judgement, conf: CloudConf) -> Judgement:
    wish = found.wish
    items = conf.all(wish.section, wish.key, found.subsection)
    meant = [item for item in items if not wish.values or item.opaque or item.entry.value in wish.values]
    if any(item.opaque for item in meant):
        return found._replace(standing=Standing.UNKNOWN, why=f"{wish.key} holds a template mark", items=tuple(meant))
    if meant:
        return found._replace(standing=Standing.BROKEN, items=tuple(meant))
    if not items and conf.may_hide_keys(wish.section):
        return found._replace(standing=Standing.UNKNOWN, why=_may_hide(wish.section, wish.key))
    return found


def _may_hide(section: str, key: str) -> str:
    return f"rendering may add keys to [{section}], so nobody knows whether {key} is there"


def _not_asked(wish: Wish, conf: CloudConf) -> tuple[Standing, str] | None:
    """Why a wish is not asked of a release or beside other values; None where it is."""
    outside = out_of_range(wish, conf.release)
    if outside:
        return Standing.NOT_ASKED, outside
    for condition in wish.when:
        spec = _spec(condition.section, condition.key, conf)
        value, unknown = _uses(condition.section, condition.key, None, conf)
        if value is UNKNOWN:
            return Standing.UNKNOWN, unknown
        if spec is None or value != _typed(spec.type, condition.value):
            return Standing.NOT_ASKED, f"asked where {condition.key} is {condition.value}"
    return None


def out_of_range(wish: Wish, release: Release) -> str:
    """Why a wish is not asked of a release; empty where it is.

    Args:
        wish: Of a profile.
        release: The CCM's.
    """
    if wish.since and not release.at_least(wish.since):
        return f"the profile {wish.profile} asks for it from the CCM {wish.since} on"
    if wish.until and release > catalog.release(wish.until):
        return f"the profile {wish.profile} asks for it up to the CCM {wish.until}"
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
    return (spec.default_value if spec.how == "empty" and not value else value), ""


def fulfils(wish: Wish, value: object, kind: str) -> bool:
    """Whether a value is one that a wish asks for.

    Args:
        wish: With a check on values.
        value: As reading gives it.
        kind: The key's type.
    """
    if wish.check == "equals":
        wanted = [_typed(kind, one) for one in wish.values]
        return sorted(map(str, value)) == sorted(map(str, wanted)) if isinstance(value, list) else value == wanted[0]
    values = value if isinstance(value, list) else [value]
    if wish.check == "option":
        wanted = [_typed(kind, one) for one in wish.values]
        return all(one in wanted for one in values)
    if wish.check == "not":
        unwanted = [_typed(kind, one) for one in wish.values]
        return not any(one in unwanted for one in values)
    if wish.check in ("duration", "integer"):
        low, high = _typed(kind, wish.low) if wish.low else None, _typed(kind, wish.high) if wish.high else None
        return isinstance(value, int) and _between(low, value, high)
    if wish.check == "like":
        return bool(values) and all(any(_like(pattern, str(one)) for pattern in wish.values) for one in values)
    tags = {tag.strip() for one in values for tag in str(one).split(",")}
    return not tags.isdisjoint(wish.values)


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
        wish.key == key and wish.section == section and wish.check not in SOFT and not out_of_range(wish, conf.release)
        for wish in conf.bundle.wishes
    )


def is_idle(found: Judgement, conf: CloudConf) -> bool:
    """Whether the CCM does the same without the lines that a judgement is about.

    Args:
        found: Of a wish for a key's absence.
        conf: The file that was judged.
    """
    spec = _spec(found.wish.section, found.wish.key, conf)
    return spec is None or written(spec.default_value, spec.type) == found.uses


def the_one(wish: Wish) -> str | None:
    """The value to write where a wish leaves no choice, or names its own; None where a person must choose.

    Args:
        wish: Of a profile.
    """
    if wish.default is not None:
        return wish.default
    return wish.values[0] if wish.check in ("equals", "option") and len(set(wish.values)) == 1 else None


def told(wish: Wish, conf: CloudConf) -> str:
    """What a profile has there where it only tells: its own value, the release's default, or a recommendation.

    Args:
        wish: With a check of `ccmcheck.policy.profiles.checks.SOFT`.
        conf: The file at one release.

    Returns:
        The value as cloud.conf would write it; empty where there is none, or nothing is recommended.
    """
    if wish.values:
        return wish.values[0]
    spec = _spec(wish.section, wish.key, conf)
    if spec is None:
        return ""
    if wish.check == "usual":
        return written(spec.default_value, spec.type)
    serial = conf.value(BALANCER, "provider-requires-serial-api-calls")
    provider = conf.value(BALANCER, "lb-provider")
    found = recommended(
        conf.release,
        provider if isinstance(provider, str) else "",
        serial=serial if isinstance(serial, bool) else None,
    )
    return found.get(wish.key, "")
