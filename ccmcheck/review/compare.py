"""The whole of a review: both sides in, what the change does out. Pure, without I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.base import Bundle
from ccmcheck.gathering import Config, options_at
from ccmcheck.predict import Outcome
from ccmcheck.review.facts import monitors_of
from ccmcheck.review.health import RANK
from ccmcheck.review.points import points
from ccmcheck.review.records import Change, ConfigChange, Fate, Review
from ccmcheck.review.services import Judged, compare
from ccmcheck.review.settings import changed_settings
from ccmcheck.review.settle import settle
from ccmcheck.review.sides import carried_over, pairs_of_configs, pairs_of_services, sighted
from ccmcheck.review.totals import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict import Options
    from ccmcheck.releases import Judged as JudgedBy
    from ccmcheck.review.records import ServiceChange
    from ccmcheck.review.settle import Settled
    from ccmcheck.review.sides import Side, Sighted
    from ccmcheck.review.upgrade import Upgrade

_FATES = tuple(Fate)


def review(before: Side, after: Side) -> Review:
    """Say what a change does.

    Args:
        before: Everything before it.
        after: Everything after it.
    """
    notes: list[str] = []
    services = tuple(_services(before, after, notes))
    configs = tuple(_configs(before, after, services))
    totals = count(configs, services, after.cloud)
    return Review(
        before.name,
        after.name,
        points(configs, services, totals),
        totals,
        tuple(sorted(configs, key=_weight_of_config)),
        tuple(sorted(services, key=_weight)),
        (*notes, *_notes(before, after, configs, services)),
    )


def _weight_of_config(one: ConfigChange) -> tuple[bool, bool, bool]:
    return (not (one.stop_after and not one.stop_before), not one.restart, one.change is Change.SAME)


def _weight(one: ServiceChange) -> tuple[int, int]:
    """What gets worse first, then what gets better, then what is changed, then the rest."""
    before, after = RANK.get(one.health_before, 0), RANK.get(one.health_after, 0)
    moved = 0 if after < before else 1 if after > before else 2
    return (moved, 9 if one.is_quiet else 0)


class _Reader:
    """One side's cloud.confs, each read once.

    Args:
        side: The side.
    """

    def __init__(self, side: Side) -> None:
        self.side = side
        self._read: dict[int, Options] = {}
        self._judged: dict[int, JudgedBy] = {}

    def judged(self, config: Config) -> JudgedBy:
        """The release that reads it."""
        return self.side.judged(config)

    def options(self, config: Config) -> Options:
        """What the release reads in it."""
        key = id(config.carried)
        if key not in self._read:
            bundle = Bundle(kubernetes_version=self.side.cloud.kubernetes)
            self._read[key] = options_at(config, self.judged(config), bundle)
        return self._read[key]


_DEFAULTS = Config("", "", None)


def _services(before: Side, after: Side, notes: list[str]) -> Iterator[ServiceChange]:
    """Each Service, one after another: the quota counts the monitors of all."""
    old_reader, new_reader = _Reader(before), _Reader(after)
    pairs = pairs_of_services(before, after)
    known = {id(one.met): one for one, _ in pairs if one is not None}
    settled: dict[int, tuple[Judged, Settled]] = {}
    used = 0
    for key, one in known.items():
        judged = _judged(before, one, old_reader, used)
        settled[key] = (judged, settle(judged.options, judged.service, judged.cloud))
        used += len(monitors_of(settled[key][1].cloud.balancer))
    for old, new in pairs:
        mine = settled[id(old.met)] if old is not None else None
        used -= len(monitors_of(mine[1].cloud.balancer)) if mine is not None else 0
        judged_after = None
        if new is not None:
            judged_after = _judged(after, new, new_reader, used)
            if old is not None:
                judged_after = judged_after._replace(service=carried_over(new.met, old.met.service))
        change = compare(mine[0] if mine else None, mine[1] if mine else None, judged_after)
        used += change.monitors.after
        yield change
    if any(one[1].made.outcome is Outcome.NOTHING and one[0].options.stop for one in settled.values()):
        notes.append("before the change the CCM does not run: load balancers that are there already are not known")


def _judged(side: Side, one: Sighted, reader: _Reader, used: int) -> Judged:
    config = side.config_of(one.path) or _DEFAULTS
    cloud = side.cloud._replace(monitors_used=side.cloud.monitors_used + used)
    return Judged(one.met.service, reader.options(config), cloud, one.path, one.line, config.title)


def _configs(before: Side, after: Side, services: tuple[ServiceChange, ...]) -> Iterator[ConfigChange]:
    old_reader, new_reader = _Reader(before), _Reader(after)
    judged_by: dict[str, int] = {}
    for one in services:
        judged_by[one.config] = judged_by.get(one.config, 0) + 1
    for old, new in pairs_of_configs(before, after):
        yield _config(old, new, (old_reader, new_reader), judged_by)


def _config(
    old: Config | None, new: Config | None, readers: tuple[_Reader, _Reader], judged_by: dict[str, int]
) -> ConfigChange:
    old_reader, new_reader = readers
    after = new_reader.side
    there = new or old or _DEFAULTS
    old_release = old_reader.judged(old) if old is not None else None
    new_release = new_reader.judged(new) if new is not None else None
    judged = new_release or old_release
    if judged is None:
        raise ValueError("a cloud.conf is on neither side")
    settings, differs = changed_settings(
        old.carried if old is not None else None, new.carried if new is not None else None, judged.release
    )
    old_options = old_reader.options(old) if old is not None else None
    new_options = new_reader.options(new) if new is not None else None
    stop_before = (old_options.stop or old_options.unsupported) if old_options is not None else ""
    stop_after = (new_options.stop or new_options.unsupported) if new_options is not None else ""
    upgraded = _upgrade(new, old_release, new_release, after)
    return ConfigChange(
        title=there.title,
        old_title=old.title if old is not None else "",
        change=_change(old, new),
        release_before=old_release.release.name if old_release is not None else "",
        release_after=new_release.release.name if new_release is not None else "",
        source=judged.source,
        stop_before=stop_before,
        stop_after=stop_after,
        runs_after=new_options is None or not new_options.stop,
        settings=settings if old is not None and new is not None else (),
        upgrade=upgraded.keys if upgraded is not None else (),
        turns=upgraded.turns if upgraded is not None else (),
        fatal_since=upgraded.fatal_since if upgraded is not None else "",
        restart=old is not None and new is not None and (differs or stop_before != stop_after),
        services=judged_by.get(there.title, 0),
    )


def _change(old: Config | None, new: Config | None) -> Change:
    if old is None or old.carried is None:
        return Change.ADDED
    if new is None or new.carried is None:
        return Change.REMOVED
    if old.carried.text != new.carried.text:
        return Change.CHANGED
    return Change.SAME if old.title == new.title else Change.MOVED


def _upgrade(config: Config | None, old: JudgedBy | None, new: JudgedBy | None, after: Side) -> Upgrade | None:
    """What a newer release makes of the file as it is after the change; None where the release is no newer."""
    if config is None or config.carried is None or old is None or new is None or not old.release < new.release:
        return None  # nobody goes back; what changes then is told by the Services
    from ccmcheck.engine import Linter, Settings
    from ccmcheck.review.upgrade import upgrade, way

    linters = (Linter(Settings(judged=(old,)), Bundle()), Linter(Settings(judged=(new,)), Bundle()))
    services = {one.met.service.title: one.met.service for one in sighted(after) if after.config_of(one.path) == config}
    on_the_way = way(old.release, new.release)
    return upgrade(config.path, config.carried, on_the_way, linters, services, after.cloud)


def _notes(
    before: Side, after: Side, configs: tuple[ConfigChange, ...], services: tuple[ServiceChange, ...]
) -> Iterator[str]:
    if not services:
        yield "there is no Service of type LoadBalancer: only cloud.conf is compared (--services adds Services)"
    if not configs:
        yield "there is no cloud.conf: the release's defaults stand in"
    for text in dict.fromkeys((*before.gathered.left_out, *after.gathered.left_out)):
        yield f"node {text}: not handed to the CCM"
    assumed = (text for one in services for found in (one.before, one.after) if found for text in found.assumed)
    yield from dict.fromkeys(assumed)
