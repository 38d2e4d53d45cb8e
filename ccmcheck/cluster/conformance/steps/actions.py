"""The table of actions: what each kind of step of a case does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ccmcheck.cluster.conformance.stage import SeenByStep, Stage
from ccmcheck.cluster.conformance.steps import balancer, traffic, workload

ACTIONS: Mapping[str, Callable[[Stage, Mapping[str, Any]], SeenByStep]] = {
    "workload": workload.create,
    "scale": workload.scale,
    "rollout": workload.rollout,
    "service": balancer.create,
    "address": balancer.address,
    "not-public": balancer.not_public,
    "patch": balancer.patch,
    "change-port": balancer.change_port,
    "share": balancer.share,
    "unshare": balancer.unshare,
    "delete": balancer.delete,
    "first-answer": traffic.first_answer,
    "requests": traffic.requests,
    "answers": traffic.answers,
    "silent": traffic.silent,
    "settle": traffic.settle,
    "reachable": traffic.reachable,
}
"""By the names that cases use."""
