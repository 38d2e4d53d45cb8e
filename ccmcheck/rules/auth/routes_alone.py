"""A CCM that makes routes for pods, and what it leaves to others."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.base import CLUSTER_CIDR
from ccmcheck.conf.node_choices import node_choices
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.login import pods_of


def check(conf: CloudConf) -> Problems:
    """Tell what routes do not do, where a workload makes them and no Service has more to tell."""
    item, pods = conf.last("Route", "router-id"), pods_of(conf)
    if item is None or conf.run_context.services or not any(CLUSTER_CIDR in pod.flags for pod in pods):
        return
    told = [one for one in node_choices([conf], pods, has_cluster=True) if one.lint]
    if told:
        why, change = _sentences(one.says for one in told[1:]), _sentences(one.change for one in told)
        yield Problem(item.span, told[0].says, why, change)


def _sentences(texts: Iterable[str]) -> str:
    return " ".join(f"{text[:1].upper()}{text[1:]}." for text in texts)
