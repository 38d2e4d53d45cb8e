"""Services of one name: in one cluster they are one object, in clusters of one name they have one load balancer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.service_annotations import BALANCER_ID
from ccmcheck.conf.nearby_conf import nearby_conf
from ccmcheck.predict.requests.load_balancer_spec import balancer_name
from ccmcheck.rules._support.same_cloud import are_in_one_project, is_sibling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ccmcheck.predict.inputs.manifests import ServiceObject
    from ccmcheck.workspace.deployment.record import Deployment

_MOST_NAMED = 5


def name_collisions(deployments: Sequence[Deployment]) -> dict[str, tuple[str, ...]]:
    """What each deployment's report says of Services of one name, by the deployment's name.

    Args:
        deployments: All of a run.
    """
    notes = {one.name: list(_repeated(one.gathered.services)) for one in deployments}
    called = {one.name: one.cloud.cluster_name for one in deployments}
    for first, (others, titles) in _shared(deployments).items():
        clusters = [first, *others]
        text = (
            f"{first_of(clusters, _MOST_NAMED)}: these clusters are called {called[first]} in one project. A load "
            "balancer is found by the names of cluster and Service, so they have one for "
            f"{first_of(titles, _MOST_NAMED)}: each CCM replaces the members of the others, and deleting the Service "
            "in one cluster deletes the load balancer of all"
        )
        for name in clusters:
            notes[name].append(text)
    return {name: tuple(texts) for name, texts in notes.items()}


def _shared(deployments: Sequence[Deployment]) -> dict[str, tuple[dict[str, None], dict[str, None]]]:
    """By the first of some clusters with load balancers of one name, the names of the others and the Services."""
    shared: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    first_of_name: dict[str, Deployment] = {}
    is_another: dict[tuple[str, str], bool] = {}
    for one in deployments:
        if not _is_named_by_cluster(one):
            continue
        for service in {each.service.title: each.service for each in one.gathered.services}.values():
            if service.owner or service.annotations.get(BALANCER_ID) or _is_open(service.open):
                continue
            first = first_of_name.setdefault(balancer_name(one.cloud.cluster_name, service), one)
            pair = first.name, one.name
            if first is not one and pair not in is_another:
                is_another[pair] = _are_two_clusters(first, one)
            if is_another.get(pair):
                others, titles = shared.setdefault(first.name, ({}, {}))
                others[one.name] = titles[service.title] = None
    return shared


def _is_named_by_cluster(one: Deployment) -> bool:
    """Whether its load balancers surely have the cluster's name in theirs, and the files tell it."""
    name = one.cloud.facts.cluster_name
    if name is None or "$(" in name or not one.workloads:
        return False  # a flag elsewhere, or an object that the container's environment refers to, may name the cluster
    if any("controllers" in pod.flags for pod in one.workloads):
        return False  # it may run without the service controller
    return all(behaves("names-by-cluster", judged.release) for judged in one.judged.each)


def _repeated(services: Sequence[ServiceObject]) -> Iterator[str]:
    """Services that come several times; in sibling folders they are another cluster's."""
    paths: dict[str, list[str]] = {}
    for one in services:
        if not _is_open(one.service.open):
            of_name = paths.setdefault(one.service.title, [])
            if not of_name or not is_sibling(of_name[0], one.object.path):
                of_name.append(one.object.path)
    titles = [title for title, of_name in paths.items() if len(of_name) > 1]
    for title in titles[:_MOST_NAMED]:
        yield (
            f"Service {title} is there {len(paths[title])} times, in {first_of(paths[title], _MOST_NAMED)}: a "
            "cluster has one of a name, what is applied last. Each is predicted as if it were that one"
        )
    if len(titles) > _MOST_NAMED:
        yield f"{len(titles) - _MOST_NAMED:,} more Services are there several times"


def _is_open(fields: Iterable[str]) -> bool:
    """Whether a template may change a Service's name."""
    return any(field in ("metadata", "metadata.name", "metadata.namespace") for field in fields)


def _are_two_clusters(first: Deployment, second: Deployment) -> bool:
    """Whether two deployments are of two clusters in one project, by the same signs as `cluster-name-shared` has."""
    confs = first.config.carried, second.config.carried
    if confs[0] is None or confs[1] is None or not is_sibling(first.workloads[0].path, second.workloads[0].path):
        return False
    return are_in_one_project((nearby_conf(confs[0]),), (nearby_conf(confs[1]),)) is True
