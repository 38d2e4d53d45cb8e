"""Whether two clusters are in the same project of the same cloud, as far as their files say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.suggest import first_of
from ccmcheck.carriers.base import CcmPod, NearbyConf, RunContext
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.catalog.signs.paths import NO_CLUSTERS
from ccmcheck.rules._support.spelling import placeholder

_VERSION = lazy_regex(r"v?\d+[._-]\d+", re.ASCII)
"""Folders whose files are usually another state of the same cluster."""


def are_in_one_project(confs: Sequence[NearbyConf], others: Sequence[NearbyConf]) -> bool | None:
    """Whether two clusters are in one project, as all their cloud.confs say; None where they do not say.

    What is still to be filled in says nothing: two copies of a sample name one project, and their users others.

    Args:
        confs: The cloud.confs nearest to one CCM.
        others: Those nearest to the other.
    """
    first, second = (_same(one) for one in (confs, others))
    if first is None or second is None:
        return None
    if first.project and second.project:
        return first.project == second.project
    return True if first.credential and first.credential == second.credential else None


def _same(confs: Sequence[NearbyConf]) -> NearbyConf | None:
    """The cloud.conf that stands for some; None without any, where one is not settled, or names another project."""
    projects = {(conf.project, conf.credential) for conf in confs}
    return confs[0] if len(projects) == 1 and all(map(_is_settled, confs)) else None


def _is_settled(conf: NearbyConf) -> bool:
    return not (conf.broken or conf.has_gaps or any(map(placeholder, (*conf.project, *conf.credential))))


def is_sibling(path: str, other: str) -> bool:
    """Whether two files are of two clusters: of one name, in folders that differ in one place, and not by a version."""
    own, others = path.replace("\\", "/").split("/"), other.replace("\\", "/").split("/")
    if len(own) != len(others) or own[-1] != others[-1]:
        return False
    differing = [pair for pair in zip(own, others, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return False
    return not any(_VERSION.search(folder) or folder.lower() in NO_CLUSTERS for folder in differing[0])


_MOST_FOLDERS = 24
"""Outermost folders of a path in which the file of another cluster may differ."""
_MOST_COMPARED = 100
"""Other clusters that one is compared with in each folder: a rule names the first."""
_OWN_CLUSTER = {"in-cluster": "https://kubernetes.default.svc"}
"""The URL of the cluster that Argo CD is in, which may have another name, too (Argo CD: Declarative Setup, Clusters)."""


def elsewhere(pod: CcmPod, name: str, run_context: RunContext) -> Sequence[CcmPod]:
    """The workloads that Argo CD installs in several clusters of one name, one of each, its own first; none in one alone.

    Args:
        pod: One of them, or one of their file.
        name: The clusters' name.
        run_context: The rest of the run.
    """
    known = _by_destination(_Same(run_context.pods)).get((pod.subject, name), {}) if pod.destination else {}
    own = next((cluster for cluster, one in known.items() if one.path == pod.path), _cluster(pod.destination))
    others = [one for cluster, one in known.items() if _are_two(own, cluster)]
    return [known[own]._replace(path=pod.path), *others] if own in known and others else ()


def _cluster(destination: str) -> tuple[str, str]:
    """The name and the URL of a cluster of Argo CD's, as far as a destination says them."""
    text = destination.lower().rstrip("/").removesuffix(":443")
    return ("", text) if "://" in text else (text, _OWN_CLUSTER.get(text, ""))


def _are_two(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two clusters are surely not one: a name and a URL may be of the same."""
    return any(left and right and left != right for left, right in zip(one, other, strict=True))


def beside(path: str, pod: CcmPod, run_context: RunContext) -> Iterator[CcmPod]:
    """The workloads of a name in files of a name whose folders differ in one place, by that place; some of very many.

    Args:
        path: The file of a workload.
        pod: The workload.
        run_context: The rest of the run.
    """
    known = _by_others(_Same(run_context.pods))
    for pattern in _others(path):
        yield from (one for one in islice(known.get((_unspaced(pod), pattern), ()), _MOST_COMPARED) if one.path != path)


def other_clusters(pod: CcmPod, name: str, path: str, own: Sequence[NearbyConf], run_context: RunContext) -> str:
    """Where the CCM of another cluster of the same name in the same project is; empty where none is known.

    Args:
        pod: The workload of the CCM.
        name: The cluster's name.
        path: The workload's file.
        own: The cloud.confs nearest to it.
        run_context: The rest of the run.
    """
    installed = elsewhere(pod, name, run_context)
    here = [one.destination for one in installed if one.path == path]
    if len(here) > 1 and are_in_one_project(own, own):
        return f"each of {first_of(here, 3)}"
    siblings = (
        one
        for one in beside(path, pod, run_context)
        if (one.cluster_name or DEFAULT_CLUSTER_NAME) == name and is_sibling(path, one.path)
    )
    others = (one.path for one in (*installed, *siblings) if one.path != path)
    return next((other for other in others if are_in_one_project(own, run_context.confs.get(other, ()))), "")


class _Same:
    """Workloads that are the same for a cache where they are the same object: a run may have thousands."""

    def __init__(self, pods: tuple[CcmPod, ...]) -> None:
        self.pods = pods

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.pods is other.pods

    def __hash__(self) -> int:
        return id(self.pods)


@lru_cache(maxsize=2)
def _by_destination(same: _Same) -> dict[tuple[str, str], dict[tuple[str, str], CcmPod]]:
    """The workloads by their names and those of their clusters, one of each destination."""
    found: dict[tuple[str, str], dict[tuple[str, str], CcmPod]] = {}
    for pod in same.pods:
        of_name = found.setdefault((pod.subject, pod.cluster_name or DEFAULT_CLUSTER_NAME), {})
        if pod.destination and len(of_name) < _MOST_COMPARED:
            of_name.setdefault(_cluster(pod.destination), pod)
    return found


@lru_cache(maxsize=2)
def _by_others(same: _Same) -> dict[tuple[str, str], list[CcmPod]]:
    found: dict[tuple[str, str], list[CcmPod]] = {}
    for pod in same.pods:
        for pattern in _others(pod.path):
            found.setdefault((_unspaced(pod), pattern), []).append(pod)
    return found


def _unspaced(pod: CcmPod) -> str:
    """A workload without its namespace, which is another one for each cluster where one cluster runs the CCMs of many."""
    kind, _, rest = pod.subject.partition(" ")
    name, space, others = rest.partition(" ")
    return f"{kind} {name.rpartition('/')[2]}{space}{others}"


def _others(path: str) -> Iterator[str]:
    """A path with each of its folders replaced by a mark."""
    parts = path.replace("\\", "/").split("/")
    for number in range(min(len(parts) - 1, _MOST_FOLDERS)):
        yield "/".join((*parts[:number], "", "", *parts[number + 1 :]))
