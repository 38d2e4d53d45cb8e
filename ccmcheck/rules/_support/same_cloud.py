"""Whether two clusters are in the same project of the same cloud, as far as their files say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import CcmPod, NearbyConf, RunContext
from ccmcheck.catalog.signs.paths import NO_CLUSTERS
from ccmcheck.rules._support.spelling import placeholder

_VERSION = lazy_regex(r"v?\d+[._-]\d+", re.ASCII)
"""Folders whose files are usually another state of the same cluster."""


def are_in_one_project(confs: Sequence[NearbyConf], others: Sequence[NearbyConf]) -> bool | None:
    """Whether two clusters are in one project, as their only cloud.confs say; None where they do not say.

    What is still to be filled in says nothing: two copies of a sample name one project, and their users others.

    Args:
        confs: The cloud.confs nearest to one CCM.
        others: Those nearest to the other.
    """
    first, second = ((one[0] if len(one) == 1 and _is_settled(one[0]) else None) for one in (confs, others))
    if first is None or second is None:
        return None
    if first.project and second.project:
        return first.project == second.project
    return True if first.credential and first.credential == second.credential else None


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


def beside(path: str, pod: CcmPod, run_context: RunContext) -> Iterator[CcmPod]:
    """The workloads of a name in files of a name whose folders differ in one place, by that place; some of very many.

    Args:
        path: The file of a workload.
        pod: The workload.
        run_context: The rest of the run.
    """
    known = _by_others(_Same(run_context.pods))
    for pattern in _others(path):
        yield from (one for one in islice(known.get((pod.subject, pattern), ()), _MOST_COMPARED) if one.path != path)


class _Same:
    """Workloads that are the same for a cache where they are the same object: a run may have thousands."""

    def __init__(self, pods: tuple[CcmPod, ...]) -> None:
        self.pods = pods

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.pods is other.pods

    def __hash__(self) -> int:
        return id(self.pods)


@lru_cache(maxsize=2)
def _by_others(same: _Same) -> dict[tuple[str, str], list[CcmPod]]:
    found: dict[tuple[str, str], list[CcmPod]] = {}
    for pod in same.pods:
        for pattern in _others(pod.path):
            found.setdefault((pod.subject, pattern), []).append(pod)
    return found


def _others(path: str) -> Iterator[str]:
    """A path with each of its folders replaced by a mark."""
    parts = path.replace("\\", "/").split("/")
    for number in range(min(len(parts) - 1, _MOST_FOLDERS)):
        yield "/".join((*parts[:number], "", "", *parts[number + 1 :]))
