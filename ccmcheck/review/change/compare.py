"""The whole of a review: both sides in, what the change does out. Pure, without I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ccmcheck.base.budget import worked_off
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.catalog.readers import reader_name
from ccmcheck.conf.target_release import CCM, TargetRelease
from ccmcheck.predict.advice.deciding import placeholder_services
from ccmcheck.predict.records import Outcome
from ccmcheck.redact.report import redact_report
from ccmcheck.review.change.alike_services import ServiceComparison, SettledService
from ccmcheck.review.change.health import RANK
from ccmcheck.review.change.inputs import Side, SurveyedService, deployment_pairs, pairs_of_services
from ccmcheck.review.change.points import points
from ccmcheck.review.change.records import ConfigChange, Fate, ManifestChange, Review, ServiceChange
from ccmcheck.review.change.services import JudgedService, compare
from ccmcheck.review.change.settings import changed_settings, no_longer_known
from ccmcheck.review.change.sharing import SharedBalancers
from ccmcheck.review.change.steady_state import read_as_ccm, steady_state
from ccmcheck.review.change.totals import count

__all__ = ["Review", "review"]

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.catalog import Release
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.review.upgrade.meaning import ReleaseFindings, Upgrade
    from ccmcheck.workspace.deployment.record import Deployment
    from ccmcheck.workspace.survey import SurveyedConf


def review(before: Side, after: Side) -> Review:
    """Say what a change does.

    Args:
        before: Everything before it.
        after: Everything after it.
    """
    notes: list[str] = []
    options = (_Options(), _Options())
    services = tuple(worked_off(_services(before, after, options, notes), "not all Services were compared"))
    stand_ins = () if any(not one.is_quiet for one in services) else tuple(_stand_ins(before, after, options))
    if services:  # all of them quiet: patches, others' Services, or those whose annotations decide
        stand_ins = tuple(one for one in stand_ins if not one.is_quiet)
        if stand_ins:
            notes.append(
                "nothing changes for the given Services; any-local and any-cluster, which count, stand in for others"
            )
    are_stand_ins = bool(stand_ins) and not services
    configs = tuple(
        worked_off(_configs(before, after, options, services or stand_ins), "not all cloud.confs were compared")
    )
    services = (*services, *stand_ins)
    totals = count(configs, services, [one.cloud for one in after.deployments])
    found = Review(
        before.name,
        after.name,
        points(configs, services, totals),
        totals,
        tuple(sorted(configs, key=_weight_of_config)),
        tuple(sorted(services, key=_weight)),
        (*notes, *_notes(before, after, configs, services)),
        are_stand_ins,
    )
    return redact_report(found, (*before.survey.texts(), *after.survey.texts()))


def _weight_of_config(config: ConfigChange) -> tuple[bool, bool, bool]:
    return (
        not (config.stop_after and not config.stop_before),
        not config.restart,
        config.change is ManifestChange.SAME,
    )


def _weight(service: ServiceChange) -> tuple[int, int]:
    """What gets worse first, then what gets better, then what is changed, then the rest."""
    before, after = RANK.get(service.health_before, 0), RANK.get(service.health_after, 0)
    moved = 0 if after < before else 1 if after > before else 2
    return (moved, 9 if service.is_quiet else 0)


def _services(before: Side, after: Side, options: _BothOptions, notes: list[str]) -> Iterator[ServiceChange]:
    """Each Service, one after another: the quota counts the monitors of all."""
    old_options, new_options = options
    pairs = pairs_of_services(before, after)
    comparison = ServiceComparison()
    sharing = SharedBalancers((before, after), pairs, (old_options.of, new_options.of))
    settled: dict[int, SettledService] = {}
    used, never_ran = 0, False
    for pair in pairs:
        one, key = pair[0], sharing.key(*pair)
        if one is None:
            continue
        judged = _judged(one, old_options, used)
        found = settled[id(one.service_object)] = (
            comparison.settle(judged, one.deployment) if key is None else sharing.settle(key, judged)
        )
        used += found.monitors
        never_ran = never_ran or (found.state.made.outcome is Outcome.NOTHING and bool(judged.options.stop))
    for old, new in sharing.in_order(pairs):
        mine = settled.pop(id(old.service_object)) if old is not None else None  # let go of: there may be thousands
        used -= mine.monitors if mine is not None else 0
        judged_after = None
        if new is not None:
            judged_after = _judged(new, new_options, used)
            if old is not None:
                carried = comparison.carried_over(new.service_object, old.service_object.service)
                judged_after = judged_after._replace(service=carried)
        key = sharing.key(old, new)
        if key is None:
            change = comparison.compare(mine, judged_after, new.deployment if new is not None else None)
        else:
            change = sharing.compare(key, mine, judged_after)
        used += change.monitors.after
        yield change
    if never_ran:
        notes.append("before the change the CCM does not run: load balancers that are there already are not known")


def _stand_ins(before: Side, after: Side, options: _BothOptions) -> Iterator[ServiceChange]:
    """One of each policy, which any cluster may get, for each cloud.conf that is on both sides."""
    for old, new in deployment_pairs(before, after):
        if old is None or new is None or old.config.carried is None or new.config.carried is None:
            continue
        both = [read.of(one) for read, one in zip(options, (old, new), strict=True)]
        for service in placeholder_services():
            judged = [
                JudgedService(service, read, one.cloud, "", 0, one.config.title, one.judged.consumer == IN_TREE)
                for read, one in zip(both, (old, new), strict=True)
            ]
            settled = steady_state(judged[0].options, service, judged[0].cloud, in_tree=judged[0].in_tree)
            yield compare(judged[0], settled, judged[1])


class _Options:
    """What releases read in cloud.confs, each read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, TargetRelease], Options] = {}

    def of(self, deployment: Deployment) -> Options:
        """What the release reads in one."""
        key = (id(deployment.config), deployment.judged)
        if key not in self._read:
            self._read[key] = read_as_ccm(deployment).options()
        return self._read[key]


_BothOptions: TypeAlias = tuple[_Options, _Options]
"""Those of the two sides."""


def _judged(service: SurveyedService, options: _Options, used: int) -> JudgedService:
    around = service.deployment
    cloud = around.cloud.with_facts(monitors_used=around.cloud.monitors_used + used)
    judged = service.service_object.service, options.of(around), cloud, service.path, service.line
    return JudgedService(*judged, around.config.title, around.judged.consumer == IN_TREE)


def _configs(
    before: Side, after: Side, options: _BothOptions, services: tuple[ServiceChange, ...]
) -> Iterator[ConfigChange]:
    target_releases: dict[str, int] = {}
    unserved: dict[str, set[str]] = {}
    for service in services:
        target_releases[service.config] = target_releases.get(service.config, 0) + 1
        runs = service.before is not None and service.before.outcome is not Outcome.NOTHING
        if runs and service.fate is Fate.NONE:
            unserved.setdefault(service.config, set()).add(service.service)
    searched: dict[tuple[Release, Release, ClusterFacts], ReleaseFindings] = {}
    for old, new in deployment_pairs(before, after):
        if all(one is None or one.config.carried is None for one in (old, new)) and not _is_moved(old, new):
            continue
        upgraded = _upgraded(old, new, unserved, searched)
        change = _config(old, new, options, upgraded)
        yield change._replace(services=target_releases.get(change.title, 0))


def _config(
    old: Deployment | None, new: Deployment | None, options: _BothOptions, upgraded: Upgrade | None
) -> ConfigChange:
    there = new or old
    if there is None:
        raise ValueError("a cloud.conf is on neither side")
    settings, differs = changed_settings(
        old.config.carried if old is not None else None,
        new.config.carried if new is not None else None,
        there.judged.release,
    )
    old_options = options[0].of(old) if old is not None else None
    new_options = options[1].of(new) if new is not None else None
    stop_before = (old_options.stop or old_options.unsupported) if old_options is not None else ""
    stop_after = (new_options.stop or new_options.unsupported) if new_options is not None else ""
    if old is not None and new is not None and new.judged.release < old.judged.release and new.config.carried:
        settings = (*settings, *no_longer_known(new.config.carried, old.judged.release, new.judged.release))
    # a word that gcfg takes may end the CCM later, which no option shows
    fatal = (upgraded.error_after or "") if upgraded is not None else ""
    both = old is not None and new is not None
    return ConfigChange(
        title=there.config.title,
        old_title=old.config.title if old is not None else "",
        change=_change(old.config if old is not None else None, new.config if new is not None else None),
        release_before=old.judged.release.name if old is not None else "",
        release_after=new.judged.release.name if new is not None else "",
        source=there.judged.source,
        stop_before=stop_before or (upgraded.error_before or "" if upgraded is not None else ""),
        stop_after=stop_after or fatal,
        runs_after=new_options is None or not (new_options.stop or (fatal and not stop_after)),
        settings=settings if both else (),
        upgrade=upgraded,
        restart=both and (differs or stop_before != stop_after),
        runs_before=old_options is None or not old_options.stop,
    )


def _is_moved(old: Deployment | None, new: Deployment | None) -> bool:
    """Whether what installs a CCM installs another release."""
    return old is not None and new is not None and old.judged.release != new.judged.release


def _change(old: SurveyedConf | None, new: SurveyedConf | None) -> ManifestChange:
    if old is not None and new is not None and old.installed is not None and new.installed is not None:
        return ManifestChange.SAME if old.title == new.title else ManifestChange.MOVED
    if old is None or old.carried is None:
        return ManifestChange.ADDED
    if new is None or new.carried is None:
        return ManifestChange.REMOVED
    if old.carried.text != new.carried.text:
        return ManifestChange.CHANGED
    return ManifestChange.SAME if old.title == new.title else ManifestChange.MOVED


def _upgraded(
    old: Deployment | None,
    new: Deployment | None,
    unserved: Mapping[str, Collection[str]],
    searched: dict[tuple[Release, Release, ClusterFacts], ReleaseFindings],
) -> Upgrade | None:
    """What a newer release makes of the file as it is after the change; None where the release is no newer.

    Args:
        old: The deployment before.
        new: The same after.
        unserved: By the title of a cloud.conf the Services that get no load balancer before and after.
        searched: The findings that are known; those of each file are searched once for what is known of the cluster.
    """
    if old is None or new is None or new.config.carried is None or old.judged.consumer == IN_TREE:
        return None
    if not old.judged.release < new.judged.release:
        return None  # no upgrade path leads back; what changes then is reported for the Services
    from ccmcheck.review.upgrade.meaning import ReleaseFindings, upgrade

    key = old.judged.release, new.judged.release, new.cloud.facts
    findings = searched.get(key) or searched.setdefault(key, ReleaseFindings(*key))
    return upgrade(new, new.config.carried, old.judged.release, findings, unserved.get(new.config.title, ()))


def left_out(before: Side, after: Side) -> Iterator[str]:
    """What another program than the CCM reads, as only the files around it tell; many of one program in one note.

    Args:
        before: Everything before the change.
        after: Everything after it.
    """
    readers: dict[str, dict[str, None]] = {}
    for side in (after, before):
        for path, carried in side.survey.confs:
            if path in side.survey.told_around and carried.consumers and CCM not in carried.consumers:
                readers.setdefault(carried.consumers[0], {})[path] = None
    for reader, paths in readers.items():
        first, *others = paths
        more = f" and {len(others)} more are" if others else " is"
        yield f"{first}{more} read by {reader_name(reader)}: {'they are' if others else 'it is'} not compared"


def _notes(
    before: Side, after: Side, configs: tuple[ConfigChange, ...], services: tuple[ServiceChange, ...]
) -> Iterator[str]:
    if not services:
        yield "there is no Service of type LoadBalancer: only cloud.conf is compared (--services adds Services)"
    if not configs:
        yield (after if after.survey.confs else before).survey.no_config()
    else:
        yield from left_out(before, after)
    deployments = (*before.deployments, *after.deployments)
    for text in dict.fromkeys(text for one in deployments for text in one.gathered.left_out):
        yield f"node {text}: not handed to the CCM"
    assumed = (
        text for service in services for found in (service.before, service.after) if found for text in found.assumed
    )
    yield from dict.fromkeys(assumed)
