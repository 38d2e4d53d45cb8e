"""Parts of a review in words, the same in every form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.review.change.points import TITLES
from ccmcheck.review.change.records import Change, Fate, Health
from ccmcheck.review.upgrade.words import behaviour_line, key_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.review.change.records import ConfigChange, ServiceChange, SettingChange

_MOST_REQUESTS = 8
_OF_GONE = frozenset({"ports", "name", "floating-ip"})
_USUAL = frozenset({"timeouts", "connection-limit", "x-forwarded-for", "protocols", "hairpin"})


def heading(config: ConfigChange) -> tuple[str, ...]:
    """A cloud.conf's title, and what stands beside it: the release, and what becomes of the file.

    Args:
        config: The cloud.conf.
    """
    where = config.title or "the defaults"
    if config.old_title and config.old_title != config.title:
        where = f"{config.old_title} → {where}"
    releases = config.release_after or config.release_before
    if config.changes_release:
        releases = f"{config.release_before} → {config.release_after}"
    change = "" if config.change is Change.CHANGED else config.change.value
    return f"Configuration {where}", f"CCM {releases} ({config.source})", change


def config_lines(config: ConfigChange) -> Iterator[str]:
    """What changes in a cloud.conf, key by key.

    Args:
        config: The cloud.conf.
    """
    for setting in config.settings:
        yield setting_words(setting)
    upgrade_lines = [key_line(change) for change in config.upgrade] + [
        behaviour_line(effect) for effect in config.turns
    ]
    for line, do in upgrade_lines:
        yield line + (f" → {do}" if do else "")


def setting_words(setting: SettingChange) -> str:
    """One key that the file gives another value.

    Args:
        setting: The key.
    """
    name = f"[{setting.section}] {setting.key}"
    if setting.ignored:
        return f"{name}: ignored, no such key"
    said = setting.values
    if setting.from_default is not setting.to_default:
        said += " (not set before)" if setting.from_default else " (no longer set)"
    return f"{name}: {said}" + (f"; {setting.effect}" if setting.effect else "")


def fate_words(one: ServiceChange) -> str:
    """What becomes of a Service, in a few words.

    Args:
        one: The Service.
    """
    words = ["no load balancer" if one.fate is Fate.NONE else f"load balancer {one.fate.value}"]
    if one.change is Change.ADDED:
        words.insert(0, "new")
    elif one.change is Change.REMOVED:
        words.insert(0, "gone")
    elif one.change is Change.MOVED:
        words.insert(0, f"moved from {one.old_path}")
    if one.health_before is not one.health_after and Health.ABSENT not in (one.health_before, one.health_after):
        words.append(f"{one.health_before.value} → {one.health_after.value}")
    elif one.health_after not in (Health.WORKS, Health.ABSENT):
        words.append(one.health_after.value)
    return ", ".join(words)


def service_rows(one: ServiceChange, *, unchanged: bool = False) -> Iterator[tuple[str, str, str]]:
    """A Service's properties.

    Args:
        one: The Service.
        unchanged: Whether to tell those that stay, too.

    Yields:
        A title of at most twelve letters, before and after.
    """
    for fact in one.facts:
        if unchanged or (fact.changes and not _is_usual(one, fact.name)):
            yield TITLES.get(fact.name, fact.name), fact.before, fact.after
    monitors = one.monitors
    if monitors.before != monitors.after:
        yield "monitors", str(monitors.before), str(monitors.after)
    for rule in one.rules_removed:
        yield "rule", f"{rule.ethertype} {rule.protocol.lower()}/{rule.port} from {rule.remote}", ""
    for rule in one.rules_added:
        why = f": {rule.why}" if rule.why else ""
        yield "rule", "", f"{rule.ethertype} {rule.protocol.lower()}/{rule.port} from {rule.remote}{why}"


class Alike(NamedTuple):
    """Services of which the same is said.

    Attributes:
        services: The Services; at least one.
        words: What becomes of them.
        rows: Their properties, see `service_rows`.
        requests: The requests because of the change.
    """

    services: tuple[ServiceChange, ...]
    words: str
    rows: tuple[tuple[str, str, str], ...]
    requests: str


def alike(services: Iterable[ServiceChange], *, unchanged: bool = False) -> list[Alike]:
    """Put Services together of which the same is said.

    Args:
        services: The Services.
        unchanged: See `service_rows`.
    """
    found: dict[tuple[object, ...], Alike] = {}
    for one in services:
        words, rows = fate_words(one), tuple(service_rows(one, unchanged=unchanged))
        key = (words, rows, request_words(one))
        known = found.get(key)
        found[key] = (
            Alike((one,), words, rows, key[2]) if known is None else known._replace(services=(*known.services, one))
        )
    return list(found.values())


def _is_usual(one: ServiceChange, name: str) -> bool:
    """Whether a property is not worth a word of a load balancer that comes or goes."""
    if one.fate is Fate.DELETED:
        return name not in _OF_GONE
    return one.fate is Fate.CREATED and name in _USUAL


def request_words(one: ServiceChange) -> str:
    """The requests because of the change, runs of the same kind counted.

    Args:
        one: The Service.
    """
    counts: dict[str, int] = {}
    for request in one.requests:
        place = request.path.removeprefix("/v2.0/").removeprefix("lbaas/").split("/")
        kind = f"{place[0]}/…/{place[2]}" if len(place) > 2 else place[0]
        said = f"{request.method} {kind}"
        counts[said] = counts.get(said, 0) + 1
    shown = [f"{said}{f' ×{count}' if count > 1 else ''}" for said, count in counts.items()]
    more = f" and {len(shown) - _MOST_REQUESTS} more kinds" if len(shown) > _MOST_REQUESTS else ""
    return ", ".join(shown[:_MOST_REQUESTS]) + more
