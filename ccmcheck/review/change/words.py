"""Parts of a review in words, the same in every form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.review.change.points import TITLES
from ccmcheck.review.change.records import ConfigChange, Fate, Health, ManifestChange, ServiceChange, SettingChange
from ccmcheck.review.upgrade.words import upgrade_lines

_MOST_REQUESTS = 8
_OF_GONE = frozenset({"ports", "name", "floating-ip"})
_USUAL = frozenset({"timeouts", "connection-limit", "x-forwarded-for", "protocols", "hairpin"})


def heading(config: ConfigChange) -> tuple[str, ...]:
    """A cloud.conf's title, and what stands beside it: the release, and what becomes of the file."""
    where = config.title or "the defaults"
    if config.old_title and config.old_title != config.title:
        where = f"{config.old_title} → {where}"
    releases = config.release_after or config.release_before
    if config.changes_release:
        releases = f"{config.release_before} → {config.release_after}"
    change = "" if config.change is ManifestChange.CHANGED else config.change.value
    return f"Configuration {where}", f"CCM {releases} ({config.source})", change


def config_lines(config: ConfigChange) -> Iterator[str]:
    """What changes in a cloud.conf, key by key; of its behaviour what is no warning, which stands above."""
    for setting in config.settings:
        yield setting_words(setting)
    for line, do in upgrade_lines(config.upgrade) if config.upgrade is not None else ():
        yield line + (f" → {do}" if do else "")


def setting_words(setting: SettingChange) -> str:
    """One key that the file gives another value."""
    name = f"[{setting.section}] {setting.key}"
    if setting.ignored:
        return f"{name}: ignored, no such key"
    said = setting.values
    if setting.from_default is not setting.to_default:
        said += " (not set before)" if setting.from_default else " (no longer set)"
    return f"{name}: {said}" + (f"; {setting.effect}" if setting.effect else "")


def fate_words(service: ServiceChange) -> str:
    """What becomes of a Service, in a few words."""
    words = ["no load balancer" if service.fate is Fate.NONE else f"load balancer {service.fate.value}"]
    if service.change is ManifestChange.ADDED:
        words.insert(0, "new")
    elif service.change is ManifestChange.REMOVED:
        words.insert(0, "gone")
    elif service.change is ManifestChange.MOVED:
        words.insert(0, f"moved from {service.old_path}")
    if service.health_before is not service.health_after and Health.ABSENT not in (
        service.health_before,
        service.health_after,
    ):
        words.append(f"{service.health_before.value} → {service.health_after.value}")
    elif service.health_after not in (Health.WORKS, Health.ABSENT):
        words.append(service.health_after.value)
    return ", ".join(words)


def service_rows(service: ServiceChange, *, unchanged: bool = False) -> Iterator[tuple[str, str, str]]:
    """A Service's properties.

    Args:
        service: The Service.
        unchanged: Whether to tell those that stay, too.

    Yields:
        A title of at most twelve letters, before and after.
    """
    for fact in service.facts:
        if unchanged or (fact.changes and not _is_usual(service, fact.name)):
            yield TITLES.get(fact.name, fact.name), fact.before, fact.after
    monitors = service.monitors
    if monitors.before != monitors.after:
        yield "monitors", str(monitors.before), str(monitors.after)
    for rule in service.rules_removed:
        yield "rule", f"{rule.ethertype} {rule.protocol.lower()}/{rule.port} from {rule.remote}", ""
    for rule in service.rules_added:
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
    found: dict[tuple[str, tuple[tuple[str, str, str], ...], str], list[ServiceChange]] = {}
    for service in services:
        rows = tuple(service_rows(service, unchanged=unchanged))
        found.setdefault((fate_words(service), rows, request_words(service)), []).append(service)
    return [Alike(tuple(same), words, rows, requests) for (words, rows, requests), same in found.items()]


def _is_usual(service: ServiceChange, name: str) -> bool:
    """Whether a property is not worth a word of a load balancer that comes or goes."""
    if service.fate in (Fate.DELETED, Fate.LEFT):
        return name not in _OF_GONE
    return service.fate in (Fate.CREATED, Fate.JOINED) and name in _USUAL


def request_words(service: ServiceChange) -> str:
    """The requests because of the change, runs of the same kind counted."""
    counts: dict[str, int] = {}
    for request in service.requests:
        place = request.path.removeprefix("/v2.0/").removeprefix("lbaas/").split("/")
        kind = f"{place[0]}/…/{place[2]}" if len(place) > 2 else place[0]
        said = f"{request.method} {kind}"
        counts[said] = counts.get(said, 0) + 1
    shown = [f"{said}{f' ×{count}' if count > 1 else ''}" for said, count in counts.items()]
    return first_of(shown, _MOST_REQUESTS, "more kinds")
