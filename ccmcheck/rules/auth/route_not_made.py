"""A router for node routes, and a CCM that makes none."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.base import CLUSTER_CIDR, NODE_CIDRS, ROUTES
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.login import pods_of

_NEEDED = (NODE_CIDRS, CLUSTER_CIDR)
_OFF = {(ROUTES, "false"), (ROUTES, "")}
_STARTS = "Without --cluster-cidr the route controller, which `router-id` starts, ends the CCM: `invalid CIDR address`."


def check(conf: CloudConf) -> Problems:
    """Look for the flags that start the route controller, in every workload that reads the file."""
    item = conf.last("Route", "router-id")
    if item is None or not item.entry.value:
        return
    pods = [
        pod
        for pod in pods_of(conf)
        if "cloud-provider" in pod.flags and _OFF.isdisjoint(pod.choices) and not pod.made_by
    ]
    is_old = behaves("routes-need-node-cidrs", conf.release)
    needed = _NEEDED if is_old else _NEEDED[1:]
    missing = [flag for flag in needed if pods and all(flag not in pod.flags for pod in pods)]
    if missing:
        yield Problem(
            item.span,
            f"{pods[0].subject} makes no routes: it has no {' and no '.join(f'--{flag}' for flag in missing)}",
            "The route controller starts only with --allocate-node-cidrs=true, and makes routes in --cluster-cidr."
            if is_old
            else _STARTS,
            f"Add {'the flags' if is_old else 'it'} where pods need routes in OpenStack; with an overlay network, delete "
            "`router-id`.",
        )
