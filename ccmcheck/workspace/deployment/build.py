"""Puts deployments together: which Services, Nodes and workloads belong to which cloud.conf.

Every command asks here. What is nearest to a cloud.conf is its own (`ccmcheck.workspace.nearest_confs`); what is
equally near to several belongs to each of them.
"""

from __future__ import annotations

from math import inf
from os.path import normpath
from typing import TYPE_CHECKING, TypeAlias

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.path_proximity import nearest
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.carriers.saved_answers import Saved, providers_of
from ccmcheck.carriers.saved_answers import read as read_answers
from ccmcheck.conf.item import UNKNOWN
from ccmcheck.conf.nearby_conf import WorkloadIndex, is_for_ccm
from ccmcheck.conf.starting import version_of_nodes, why_idle
from ccmcheck.conf.view import CloudConf
from ccmcheck.workspace.deployment.record import NO_CONFIG, Deployment, is_named
from ccmcheck.workspace.nearest_confs import ELSEWHERE, MOST_CONFS, POSSIBLE, READ, NearestConfs
from ccmcheck.workspace.survey import Survey, SurveyedConf

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from ccmcheck.carriers.base import CarriedConf, CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests

    ClusterReader: TypeAlias = Callable[
        [SurveyedConf, Sequence[KubernetesObject], Sequence[CcmPod]], tuple[Manifests, CloudState]
    ]
    """Reads the objects and workloads around a cloud.conf, with what options and profiles say."""

_MOST_NAMES = 5
_LOGIN = ("auth-url", "region", "tenant-id", "tenant-name", "username", "application-credential-id")


class Candidates(NamedTuple):
    """The cloud.confs of a run that deployments are built from.

    Attributes:
        all: Those that the CCM reads; what lies around one is not another's.
        selected: Those to build deployments for.
    """

    all: tuple[SurveyedConf, ...]
    selected: tuple[SurveyedConf, ...]


def deployments(
    survey: Survey,
    candidates: Candidates,
    releases_of: Callable[[SurveyedConf, str], Sequence[TargetRelease]],
    read: ClusterReader,
) -> list[Deployment]:
    """The deployments of the files of a run, in the order of their cloud.confs; one of the defaults without any.

    Args:
        survey: What the files hold.
        candidates: The cloud.confs.
        releases_of: Gives the releases to judge a cloud.conf by, from the version of Kubernetes that is given; a
            deployment for each.
        read: Makes Services and a cloud of what is around a cloud.conf.
    """
    configs = candidates.all or (NO_CONFIG,)
    objects: dict[SurveyedConf, list[KubernetesObject]] = {
        config: [] for config in (candidates.selected if candidates.all else configs)
    }
    governing = Governing(configs, objects)
    for path, item in survey.objects:
        for config in governing.of(path):
            objects[config].append(item)
    found_deployments = []
    answers = _answers(survey, configs, releases_of)
    for config, own in objects.items():
        workloads = tuple(governing.workloads_of(config, survey.workloads))
        gathered, cloud = read(config, own, workloads)
        releases = releases_of(config, cloud.facts.kubernetes_version)
        if not cloud.facts.kubernetes_version and survey.node_labels:
            version = version_of_nodes(one for one in survey.node_labels if config in governing.of(one.path))
            cloud = cloud._replace(facts=cloud.facts._replace(kubernetes_version=version))
        idle = why_idle(workloads, survey.node_labels)
        saved = answers.get(config, ())
        if cloud.facts.providers is None:
            cloud = cloud.with_facts(providers=providers_of(saved))
        found_deployments += [Deployment(config, one, gathered, cloud, workloads, idle, saved) for one in releases]
    return found_deployments


def _answers(
    survey: Survey, configs: Sequence[SurveyedConf], releases_of: Callable[[SurveyedConf, str], Sequence[TargetRelease]]
) -> dict[SurveyedConf, tuple[Saved, ...]]:
    """What OpenStack answered, by the cloud.conf whose cloud it is: of several as near, they name one login or none."""
    found: dict[SurveyedConf, tuple[Saved, ...]] = {}
    for path, text in survey.answers:
        near = nearest(path, configs)
        if 1 < len(near) <= MOST_CONFS:
            logins = {one: _login(one, releases_of(one, "")) for one in near}
            near = [one for one in near if logins[one]] if len(set(logins.values()) - {()}) == 1 else []
        held = tuple(read_answers(path, text)) if 0 < len(near) <= MOST_CONFS else ()
        found |= {config: (*found.get(config, ()), *held) for config in near}
    return found


def _login(config: SurveyedConf, judged: Sequence[TargetRelease]) -> tuple[object, ...]:
    """Where and as whom a CCM logs in; empty where its cloud.conf does not tell."""
    conf = CloudConf.read(config.carried, judged[0].release) if config.carried is not None and judged else None
    values = [conf.value("Global", key) for key in _LOGIN] if conf is not None else [""]
    login = tuple("" if value is UNKNOWN else value for value in values)
    return login if "://" in str(login[0]) else ()


def candidates_of(survey: Survey, names: Sequence[str] = ()) -> Candidates:
    """The cloud.confs of one survey; see `candidates_of_all`."""
    return candidates_of_all((survey,), names)[0]


def candidates_of_all(surveys: Sequence[Survey], names: Sequence[str] = ()) -> list[Candidates]:
    """The cloud.confs that the CCM reads: without those of other programs, where that leaves any.

    Args:
        surveys: What files hold, the sides of a change.
        names: ``--deployment``, each; see `is_named`. Without one, all are selected.

    Raises:
        WrongUse: A name means none of them.
    """
    return selected([with_installed(survey, for_ccm(survey) or survey.ccm_confs) for survey in surveys], names)


def selected(found: Sequence[Sequence[SurveyedConf]], names: Sequence[str]) -> list[Candidates]:
    """The cloud.confs of each side of a change, and those of them that names mean.

    Args:
        found: The cloud.confs.
        names: ``--deployment``, each; see `is_named`. Without one, all are selected.

    Raises:
        WrongUse: A name means none of them.
    """
    _refuse_unknown(names, [config for configs in found for config in configs])
    return [
        Candidates(
            tuple(configs), tuple(conf for conf in configs if not names or any(_is_named(conf, n) for n in names))
        )
        for configs in found
    ]


def with_installed(survey: Survey, confs: list[SurveyedConf]) -> list[SurveyedConf]:
    """Cloud.confs, with what installs a CCM that reads none of them: its own is not among the files."""
    near = Governing(confs)
    return [*confs, *(one for one in survey.installed_alone(confs, near.of) if not near.are_too_many(one.path))]


def _refuse_unknown(names: Sequence[str], known: Sequence[SurveyedConf]) -> None:
    for name in names:
        if not any(_is_named(config, name) for config in known):
            raise no_deployment(name, [config.name for config in known])


def for_ccm(survey: Survey) -> list[SurveyedConf]:
    """The cloud.confs that the CCM reads, without examples in documents and those of other programs."""
    return [config for config in survey.ccm_confs if config.carried is not None and is_for_ccm(config.carried)]


class Governing:
    """Answers which cloud.confs the Services in a file are made by: those of which it is nearest.

    One that the CCM is known to read goes before one whose reader is not known.

    Args:
        configs: The cloud.confs.
        selected: Those of them that a command works on: then the only one there is governs everything; None for all.
    """

    def __init__(self, configs: Sequence[SurveyedConf], selected: Container[SurveyedConf] | None = None) -> None:
        self._only = configs if selected is not None and len(configs) == 1 else None
        by_file: dict[str, list[SurveyedConf]] = {}
        for config in configs:
            by_file.setdefault(normpath(config.path), []).append(config)
        most = MOST_CONFS if selected is None else inf  # of those that are selected
        self._index = NearestConfs(by_file, lambda path: by_file.get(normpath(path), ()), _rank, most)
        self._selected = selected
        self._found: dict[str, Sequence[SurveyedConf]] = {}
        self._workloads = WorkloadIndex((), self.of)

    def of(self, path: str) -> Sequence[SurveyedConf]:
        """Those of a file; several where they are equally near, none where they are too many to tell which is meant."""
        if path not in self._found:
            near = self._only if self._only is not None else self._index.of(path)
            if self._selected is not None:
                near = [config for config in near if config in self._selected]
            self._found[path] = near if len(near) <= MOST_CONFS else ()
        return self._found[path]

    def are_too_many(self, path: str) -> bool:
        """Whether so many are equally near to a file that nobody can tell which is meant."""
        return self._index.are_too_many(path)

    def workloads_of(self, config: SurveyedConf, workloads: Sequence[CcmPod]) -> list[CcmPod]:
        """The CCM's workloads that may read a cloud.conf; see `WorkloadIndex`.

        Args:
            config: The cloud.conf, or what installs a CCM without one.
            workloads: All.
        """
        if config.installed is not None:
            return [config.installed]
        if self._only is not None:
            return list(workloads)
        if self._workloads.pods is not workloads:
            self._workloads = WorkloadIndex(workloads, self.of)
        return self._workloads.of(config)


class ChosenDeployments:
    """What of a run belongs to the deployments that ``--deployment`` names.

    Args:
        survey: What the files hold.
        names: The names.

    Raises:
        WrongUse: A name means none of them.
    """

    def __init__(self, survey: Survey, names: Sequence[str]) -> None:
        own = with_installed(survey, for_ccm(survey))
        every = [SurveyedConf(path, path, carried) for path, carried in survey.confs]
        every += [config for config in own if config.installed is not None]
        _refuse_unknown(names, every)
        chosen = [config for config in every if any(_is_named(config, name) for name in names)]
        self._confs = frozenset(map(_place, chosen))
        self._governing = Governing(own, [config for config in own if _place(config) in self._confs])

    def has(self, carried: CarriedConf) -> bool:
        """Whether a cloud.conf is that of one of them."""
        return (carried.path, carried.route) in self._confs

    def has_objects_of(self, path: str) -> bool:
        """Whether the objects of a file are one's."""
        return bool(self._governing.of(path))


def _place(config: SurveyedConf) -> tuple[str, str]:
    return config.path, config.carried.route if config.carried is not None else config.subject


def _is_named(config: SurveyedConf, name: str) -> bool:
    return is_named(config.path, config.subject, name)


def _rank(config: SurveyedConf) -> int:
    if config.installed is not None:
        return ELSEWHERE
    return READ if config.carried is not None and config.carried.consumers else POSSIBLE


def no_deployment(name: str, known: Sequence[str]) -> WrongUse:
    """The error for a name of ``--deployment`` that means none.

    Args:
        name: The name.
        known: Those that there are.
    """
    names = list(dict.fromkeys(known))
    listed = first_of(names, _MOST_NAMES, "more; `ccmcheck list` shows them")
    there_are = f"There are {listed}." if names else "No cloud.conf was found."
    return WrongUse(f"There is no deployment `{name}`.", there_are)
