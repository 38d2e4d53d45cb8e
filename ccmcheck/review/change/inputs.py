"""One side of a review: all that the files before, or after, a change hold; and what belongs to what on both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.manifests import Manifests, ServiceObject, plain
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.workspace.deployment.build import Candidates, candidates_of, deployments
from ccmcheck.workspace.deployment.identity import file_name, pairs, pairs_of_configs
from ccmcheck.workspace.deployment.record import NO_CONFIG, Deployment
from ccmcheck.workspace.survey import Survey, SurveyedConf


class Side(NamedTuple):
    """What there is before, or after, a change.

    Attributes:
        name: What it is called: a path, a revision.
        survey: What its files hold; paths are those that both sides have in common.
        deployments: One for each cloud.conf, in their order; one where there is none.
    """

    name: str
    survey: Survey
    deployments: tuple[Deployment, ...]

    @property
    def configs(self) -> list[SurveyedConf]:
        """The cloud.confs, and what installs a CCM without one."""
        return [one.config for one in self.deployments if one.config is not NO_CONFIG]

    def deployment(self, config: SurveyedConf) -> Deployment:
        """The deployment of a cloud.conf."""
        return next(one for one in self.deployments if one.config is config)


def side_of(
    name: str,
    survey: Survey,
    asked: Sequence[TargetRelease],
    read: Callable[[Sequence[KubernetesObject], Sequence[CcmPod]], tuple[Manifests, CloudState]],
    candidates: Candidates | None = None,
) -> Side:
    """One side of a review.

    Args:
        name: What it is called.
        survey: What its files hold.
        asked: The release that was asked for; empty to go by the CCM's image among the files.
        read: Makes Services and a cloud of the objects and the CCM's workloads around one cloud.conf.
        candidates: The cloud.confs; None for all.
    """
    found = deployments(
        survey,
        candidates or candidates_of(survey),
        lambda config, version: asked[:1] or (survey.release_of(config).in_cluster(version).target,),
        lambda _, objects, pods: read(objects, pods),
    )
    return Side(name, survey, tuple(found))


class SurveyedService(NamedTuple):
    """A Service of a deployment and its place in the files."""

    service_object: ServiceObject
    path: str
    line: int
    deployment: Deployment


def surveyed_services(side: Side) -> list[SurveyedService]:
    """The Services of one side, with their places, in the order of the files; one of several deployments for each."""
    order = {id(found): (at, path) for at, (path, found) in enumerate(side.survey.objects)}
    found = [
        SurveyedService(service_object, order[id(service_object.object)][1], service_object.line, deployment)
        for deployment in side.deployments
        for service_object in deployment.gathered.services
    ]
    return sorted(found, key=lambda one: order[id(one.service_object.object)][0])


def pairs_of_services(before: Side, after: Side) -> list[tuple[SurveyedService | None, SurveyedService | None]]:
    """Which Service before is which one after: of one deployment by file and name, then by name alone; then of any."""
    old, new = surveyed_services(before), surveyed_services(after)
    number: dict[int, int] = {}  # one for both deployments of a pair
    for at, (was, now) in enumerate(deployment_pairs(before, after)):
        number |= {id(one.config): at for one in (was, now) if one is not None and one.config is not NO_CONFIG}

    def of(one: SurveyedService) -> int:
        return number.get(id(one.deployment.config), -1)

    return pairs(
        old,
        new,
        (lambda one: (of(one), one.path, one.service_object.service.title), False),
        (lambda one: (of(one), file_name(one.path), one.service_object.service.title), True),
        (lambda one: (of(one), one.service_object.service.title), True),
        (lambda one: (one.path, one.service_object.service.title), False),
        (lambda one: (file_name(one.path), one.service_object.service.title), True),
        (lambda one: one.service_object.service.title, True),
    )


def deployment_pairs(before: Side, after: Side) -> list[tuple[Deployment | None, Deployment | None]]:
    """Which deployment before is which one after, the defaults of one side with those of the other."""
    found = [
        (before.deployment(old) if old is not None else None, after.deployment(new) if new is not None else None)
        for old, new in pairs_of_configs(before.configs, after.configs)
    ]
    lone = [next((one for one in side.deployments if one.config is NO_CONFIG), None) for side in (before, after)]
    return [*found, (lone[0], lone[1])] if any(lone) else found


def settle_readers(before: Survey, after: Survey) -> None:
    """Leave out the cloud.confs of both sides that another program than the CCM reads, as the files around them tell.

    One of which that is told on one side alone is compared: a copy outside of the repository has nothing around it, and
    a cluster may move to the CCM. Asked for once all files are known, and while they can be read.

    Args:
        before: What the files hold before.
        after: What they hold after.
    """
    pairs = pairs_of_configs(before.ccm_confs, after.ccm_confs)
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
    return again._replace(
        families=service.families,
        replicas=service.replicas,
        everywhere=service.everywhere,
        ready_nodes=service.ready_nodes,
        elsewhere=service.elsewhere,
    )


def _with_node_port(port: object, allocated: dict[tuple[int, str], int]) -> object:
    if not isinstance(port, dict) or port.get("nodePort"):
        return port
    number, protocol = port.get("port"), port.get("protocol") or "TCP"
    if not isinstance(number, int) or not isinstance(protocol, str):
        return port
    known = allocated.get((number, protocol), 0)
    return {**port, "nodePort": known} if known else port
