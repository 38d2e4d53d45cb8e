"""One side of a review: all that the files before, or after, a change hold; and what belongs to what on both."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ccmcheck.base.path_proximity import FirstIndex, nearest
from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.inputs.manifests import plain
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.workspace.survey import SurveyedConf

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests, ServiceObject
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.workspace.survey import Survey

Thing = TypeVar("Thing")


class Cluster(NamedTuple):
    """A cloud.conf and what lies nearest to it: a repository often holds one folder a cluster.

    Attributes:
        config: The cloud.conf; without ``carried`` where there is none, and the release's defaults stand in.
        judged: The release that reads it.
        gathered: The Services, Nodes and workloads around it.
        cloud: The cloud around it.
    """

    config: SurveyedConf
    judged: TargetRelease
    gathered: Manifests
    cloud: CloudState


class Side(NamedTuple):
    """What there is before, or after, a change.

    Attributes:
        name: What it is called: a path, a revision.
        survey: What its files hold; paths are those that both sides have in common.
        clusters: One for each cloud.conf, in their order; one where there is none.
    """

    name: str
    survey: Survey
    clusters: tuple[Cluster, ...]

    def cluster(self, config: SurveyedConf) -> Cluster:
        """What lies around a cloud.conf."""
        return next(cluster for cluster in self.clusters if cluster.config.carried is config.carried)


NO_CONFIG = SurveyedConf("", "", None)


def side_of(
    name: str,
    survey: Survey,
    asked: tuple[TargetRelease, ...],
    around: Callable[[Sequence[KubernetesObject], Sequence[CcmPod]], tuple[Manifests, CloudState]],
    other: Survey,
) -> Side:
    """Sort what files hold by the cloud.conf that it belongs to: the nearest one.

    Of several that are equally near, one that the CCM is known to read goes first, then one that changes.

    Args:
        name: What the side is called.
        survey: What its files hold.
        asked: The release that was asked for; empty to go by the CCM's image among the files.
        around: Makes Services and a cloud of the objects and the CCM's workloads around one cloud.conf.
        other: What the files of the other side hold.
    """
    configs = survey.ccm_confs or [NO_CONFIG]
    still = {_text(ccm_conf) for ccm_conf in other.ccm_confs}
    changed = [_text(config) not in still for config in configs]
    objects: dict[int, list[KubernetesObject]] = {at: [] for at in range(len(configs))}
    best_first = sorted(objects, key=lambda at: (_is_for_ccm(configs[at]), changed[at]), reverse=True)
    index = FirstIndex(configs[at].path for at in best_first)
    for path, found in survey.objects:
        objects[best_first[index.nearest(path)]].append(found)
    clusters = []
    for at, config in enumerate(configs):
        pods = nearest(config.path, survey.workloads)
        clusters.append(
            Cluster(config, asked[0] if asked else survey.release_of(config).target, *around(objects[at], pods))
        )
    return Side(name, survey, tuple(clusters))


def _text(config: SurveyedConf) -> str:
    return config.carried.text if config.carried is not None else ""


def _is_for_ccm(config: SurveyedConf) -> bool:
    return config.carried is not None and "ccm" in config.carried.consumers


class SurveyedService(NamedTuple):
    """A Service and its place in the files."""

    service_object: ServiceObject
    path: str
    line: int
    cluster: Cluster


def surveyed_services(side: Side) -> list[SurveyedService]:
    """The Services of one side, with their places, in the order of the files."""
    order = {id(found): (at, path) for at, (path, found) in enumerate(side.survey.objects)}
    found = [
        SurveyedService(service_object, order[id(service_object.object)][1], service_object.line, cluster)
        for cluster in side.clusters
        for service_object in cluster.gathered.services
    ]
    return sorted(found, key=lambda one: order[id(one.service_object.object)][0])


def pairs_of_services(before: Side, after: Side) -> list[tuple[SurveyedService | None, SurveyedService | None]]:
    """Which Service before is which one after: by file and name, then by name alone where that is clear."""
    old, new = surveyed_services(before), surveyed_services(after)
    return _pairs(
        old,
        new,
        (lambda one: (one.path, one.service_object.service.title), False),
        (lambda one: (_name(one.path), one.service_object.service.title), True),
        (lambda one: one.service_object.service.title, True),
    )


def pairs_of_configs(before: Side, after: Side) -> list[tuple[SurveyedConf | None, SurveyedConf | None]]:
    """Which cloud.conf before is which one after: by place, by the object that holds it, by its text, by its file."""
    return _pairs_of(before.survey.ccm_confs, after.survey.ccm_confs)


def settle_readers(before: Survey, after: Survey) -> None:
    """Leave out the cloud.confs of both sides that another program than the CCM reads, as the files around them tell.

    One of which that is told on one side alone is compared: a copy outside of the repository has nothing around it, and
    a cluster may move to the CCM. Asked for once all files are known, and while they can be read.

    Args:
        before: What the files hold before.
        after: What they hold after.
    """
    pairs = _pairs_of(before.ccm_confs, after.ccm_confs)
    unsettled = before.confs, after.confs
    for survey in (before, after):
        survey.settle_readers(lambda _, __: True)
    told = {
        id(was)
        for survey, confs in zip((before, after), unsettled, strict=True)
        for (_, was), (_, now) in zip(confs, survey.confs, strict=True)
        if now is not was
    }
    open_ones = {
        id(one.carried)
        for pair in pairs
        if len({id(one.carried) in told for one in pair if one is not None}) > 1
        for one in pair
        if one is not None
    }
    for survey, confs in zip((before, after), unsettled, strict=True) if open_ones else ():
        survey.confs = confs
        survey.settle_readers(lambda _, carried: id(carried) not in open_ones)


def _pairs_of(
    old: Sequence[SurveyedConf], new: Sequence[SurveyedConf]
) -> list[tuple[SurveyedConf | None, SurveyedConf | None]]:
    lone = "the only one" if len(old) == len(new) == 1 else None
    return _pairs(
        old,
        new,
        (lambda one: (one.path, one.carried.route if one.carried else ""), False),
        (lambda one: (_name(one.path), _object(one)), True),
        (_object, True),
        (lambda one: one.carried.text if one.carried else None, True),
        (lambda one: one.path, True),
        (lambda _: lone, True),
    )


def _object(config: SurveyedConf) -> Hashable | None:
    carried = config.carried
    return (carried.subject, carried.key) if carried is not None and carried.subject else None


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _pairs(
    old: Sequence[Thing], new: Sequence[Thing], *stages: tuple[Callable[[Thing], Hashable | None], bool]
) -> list[tuple[Thing | None, Thing | None]]:
    """Pair things up in stages.

    Args:
        old: What is there before.
        new: What is there after.
        stages: What equal things have in common, and whether no other may have it too.

    Returns:
        The pairs in the order of what is new, then what is gone.
    """
    partner: dict[int, int] = {}
    left = dict(enumerate(old))
    for key, alone in stages:
        by_key = _by_key(key, left.items())
        for name, places in _by_key(key, ((at, one) for at, one in enumerate(new) if at not in partner)).items():
            theirs = by_key.get(name, [])
            if alone and (len(places) > 1 or len(theirs) > 1):
                continue
            for mine, their in zip(places, theirs, strict=False):
                partner[mine] = their
                del left[their]
    found: list[tuple[Thing | None, Thing | None]] = [
        (old[partner[at]] if at in partner else None, one) for at, one in enumerate(new)
    ]
    return found + [(one, None) for one in left.values()]


def _by_key(key: Callable[[Thing], Hashable | None], things: Iterable[tuple[int, Thing]]) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = {}
    for at, one in things:
        name = key(one)
        if name is not None:
            found.setdefault(name, []).append(at)
    return found


def carried_over(service_object: ServiceObject, before: Service) -> Service:
    """A Service after a change, with the ports that Kubernetes allocated before it.

    What a manifest does not say stays as it is in the cluster: a port of the same number and protocol keeps its
    NodePort, and a Service that stays Local its health check port.

    Args:
        service_object: The Service after the change.
        before: The same before it.
    """
    service = service_object.service
    if service.ports == before.ports and service.check_port == before.check_port:
        return service
    data = plain(service_object.object.node, service_object.object.source)
    spec = data.get("spec") if isinstance(data, dict) else None
    if not isinstance(spec, dict) or not isinstance(data, dict):
        return service
    allocated = {(port.port, port.protocol): port.node_port for port in before.ports}
    listed = spec.get("ports")
    ports = [_with_node_port(port, allocated) for port in listed] if isinstance(listed, list) else listed
    kept = {**spec, "ports": ports}
    if before.check_port and service.policy == "Local" and not spec.get("healthCheckNodePort"):
        kept["healthCheckNodePort"] = before.check_port
    again = read_service({**data, "spec": kept})
    return again._replace(replicas=service.replicas, everywhere=service.everywhere, ready_nodes=service.ready_nodes)


def _with_node_port(port: object, allocated: dict[tuple[int, str], int]) -> object:
    if not isinstance(port, dict) or port.get("nodePort"):
        return port
    number, protocol = port.get("port"), port.get("protocol") or "TCP"
    if not isinstance(number, int) or not isinstance(protocol, str):
        return port
    known = allocated.get((number, protocol), 0)
    return {**port, "nodePort": known} if known else port
