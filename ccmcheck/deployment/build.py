"""Puts deployments together: which Services, Nodes and workloads belong to which cloud.conf.

Every command asks here. What lies in the file of a cloud.conf, else in its folder, else below it, else in the next
folder around it, is its own; what is equally near to several belongs to each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.path_proximity import UpwardIndex, nearest
from ccmcheck.base.records import NamedTuple
from ccmcheck.conf.nearby_conf import MOST_CONFS, is_for_ccm
from ccmcheck.deployment.record import NO_CONFIG, Deployment, is_named, name_of
from ccmcheck.policy.examples import is_test

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.workspace.survey import Survey, SurveyedConf

    ClusterReader: TypeAlias = Callable[
        [SurveyedConf, Sequence[KubernetesObject], Sequence[CcmPod]], tuple[Manifests, CloudState]
    ]
    """Reads the objects and workloads around a cloud.conf, with what options and profiles say."""

_MOST_NAMES = 5


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
    releases_of: Callable[[SurveyedConf], Sequence[TargetRelease]],
    read: ClusterReader,
) -> list[Deployment]:
    """The deployments of the files of a run, in the order of their cloud.confs; one of the defaults without any.

    Args:
        survey: What the files hold.
        candidates: The cloud.confs.
        releases_of: Gives the releases to judge a cloud.conf by; a deployment for each.
        read: Makes Services and a cloud of what is around a cloud.conf.
    """
    configs = candidates.all or (NO_CONFIG,)
    objects: dict[SurveyedConf, list[KubernetesObject]] = {
        config: [] for config in (candidates.selected if candidates.all else configs)
    }
    pods: dict[SurveyedConf, list[CcmPod]] = {config: [] for config in objects}
    governing = Governing(configs)
    for path, item in survey.objects:
        for config in governing.of(path):
            if config in objects:
                objects[config].append(item)
    for pod in survey.workloads:
        for config in governing.of(pod.path):
            if config in pods:
                pods[config].append(pod)
    found = []
    for config, own in objects.items():
        workloads = tuple(nearest(config.path, pods[config]))  # one in its own file is the one
        gathered, cloud = read(config, own, workloads)
        found += [Deployment(config, judged, gathered, cloud, workloads) for judged in releases_of(config)]
    return found


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
    found = [_for_ccm(survey) for survey in surveys]
    every = [config for configs in found for config in configs]
    for name in names:
        if not any(is_named(config, name) for config in every):
            raise WrongUse(f"There is no deployment `{name}`.", _there_are(every))
    return [
        Candidates(tuple(configs), tuple(one for one in configs if not names or any(is_named(one, n) for n in names)))
        for configs in found
    ]


def _for_ccm(survey: Survey) -> list[SurveyedConf]:
    found = survey.ccm_confs
    return [config for config in found if config.carried is not None and is_for_ccm(config.carried)] or found


class Governing:
    """Answers which cloud.confs the Services in a file are made by: those of which it is nearest.

    One that the CCM is known to read goes before one whose reader is not known.

    Args:
        configs: The cloud.confs.
    """

    def __init__(self, configs: Sequence[SurveyedConf]) -> None:
        self._only = configs if len(configs) == 1 else None
        self._index = UpwardIndex(configs, is_test)
        self._found: dict[str, Sequence[SurveyedConf]] = {}

    def of(self, path: str) -> Sequence[SurveyedConf]:
        """Those of a file; several where they are equally near, none where they are too many to tell which is meant."""
        if self._only is not None:
            return self._only
        if path not in self._found:
            near = self._index.nearest(path)
            near = [config for config in near if config.carried is not None and config.carried.consumers] or near
            self._found[path] = near if len(near) <= MOST_CONFS else []
        return self._found[path]


def _there_are(configs: Sequence[SurveyedConf]) -> str:
    if not configs:
        return "No cloud.conf of the CCM was found."
    names = list(dict.fromkeys(map(name_of, configs)))
    more = f" and {len(names) - _MOST_NAMES} more; `ccmcheck list` shows them" if len(names) > _MOST_NAMES else ""
    return f"There are {', '.join(names[:_MOST_NAMES])}{more}."
