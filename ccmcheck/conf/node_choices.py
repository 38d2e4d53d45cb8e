"""What decides about Nodes, routes and the CCM's own start where no key does, or where one does more than it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.carriers.base import NODE_CIDRS, CcmPod
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data import __file__ as data
from ccmcheck.catalog.open_choice import OpenChoice
from ccmcheck.conf.item import UNKNOWN
from ccmcheck.conf.view import CloudConf


@cache
def _all() -> tuple[OpenChoice, ...]:
    return records(read_paragraphs(data, "node_choices.txt"), OpenChoice)


def node_choices(confs: Sequence[CloudConf], pods: Sequence[CcmPod], *, has_cluster: bool) -> Iterator[OpenChoice]:
    """The choices that are made for a cluster, the most surprising first.

    Args:
        confs: Its cloud.conf, at each release that may be the one that reads it: what is not so in all is not told.
        pods: The CCM's workloads that read it.
        has_cluster: Whether files say more of the cluster than Services.
    """
    known = [pod for pod in pods if "cloud-provider" in pod.flags and not pod.made_by and pod.placement is not None]
    for choice in _all():
        if all(_holds(condition, conf, known, has_cluster) for conf in confs for condition in choice.when):
            yield choice


def _holds(condition: str, conf: CloudConf, pods: Sequence[CcmPod], has_cluster: bool) -> bool | None:
    """Whether a condition holds; None where that is not known.

    Args:
        condition: ``key SECTION.NAME`` is set or true, in the file or by default, ``written SECTION.NAME`` in the file;
            ``flag NAME`` is given to the CCM, ``says NAME=VALUE`` as `CcmPod.choices` has it; ``behaves NAME`` and
            ``from TAG`` are about the release; ``routes`` are made, as far as is known; ``cluster`` is ``has_cluster``.
            ``not`` before it turns it around.
        conf: The cloud.conf.
        pods: The workloads whose flags are known.
        has_cluster: See `node_choices`.
    """
    kind, _, name = condition.partition(" ")
    if kind == "not":
        held = _holds(name, conf, pods, has_cluster)
        return None if held is None else not held
    if kind == "behaves":
        return behaves(name, conf.release)
    if kind == "from":
        return conf.release.at_least(name)
    if kind in ("key", "written"):
        value = conf.value(*name.split("."))
        is_written = kind == "key" or conf.last(*name.split(".")) is not None
        return None if value is UNKNOWN else bool(value) and is_written
    if kind in ("flag", "says"):
        of_each = {_says(kind, name, pod) for pod in pods}
        return of_each.pop() if len(of_each) == 1 else None
    if kind == "routes":
        needed = (NODE_CIDRS,) if behaves("routes-need-node-cidrs", conf.release) else ()
        router = conf.value("Route", "router-id")
        return router is not UNKNOWN and bool(router) and all(pod.starts_routes(*needed) for pod in pods)
    return {"cluster": has_cluster}[kind]


def _says(kind: str, name: str, pod: CcmPod) -> bool | None:
    if kind == "flag":
        return name in pod.flags
    flag, _, value = name.partition("=")
    return None if (flag, "") in pod.choices else (flag, value) in pod.choices
