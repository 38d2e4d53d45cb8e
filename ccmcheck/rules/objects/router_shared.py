"""Two clusters that make their routes in one router."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.carriers.base import CLUSTER_CIDR, CcmPod, NearbyConf
from ccmcheck.rules._support.same_cloud import beside, is_sibling
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar


def check(manifest: Manifest) -> Problems:
    """Compare the router with those of the CCMs of other clusters."""
    ccm = workload(manifest)
    name = manifest.at("metadata", "name")
    if ccm is None or not ccm.pod.makes_routes or not isinstance(name, Scalar):
        return
    confs = manifest.run_context.confs
    router = _router(confs.get(manifest.path, ()))
    for pod in beside(manifest.path, ccm.pod, manifest.run_context) if router else ():
        if pod.makes_routes and is_sibling(manifest.path, pod.path) and _router(confs.get(pod.path, ())) == router:
            overlap = _overlap(ccm.pod, pod)
            if overlap is False:
                continue
            where = "" if overlap else ", where their `--cluster-cidr` overlap"
            yield Problem(
                name.content,
                f"makes its routes in router {router}, as the CCM in {pod.path} does",
                "The route controller deletes every route in its --cluster-cidr whose next hop is no node of its own cluster: the "
                f"two delete each other's{where}, and pods on different nodes lose their connections.",
                "Give each cluster a router or a `--cluster-cidr` of its own, or an overlay network and no `router-id`.",
                severity=None if overlap else Severity.WARNING,
            )
            return


def _overlap(one: CcmPod, other: CcmPod) -> bool | None:
    """Whether the pods of two clusters have addresses in common; None where they are not known."""
    from ipaddress import ip_network

    given = [value.split(",", 2) for pod in (one, other) for name, value in pod.choices if name == CLUSTER_CIDR]
    try:  # with more than one of each family the CCM ends
        ours, theirs = ([ip_network(cidr, strict=False) for cidr in cidrs] for cidrs in given if len(cidrs) <= 2)
    except ValueError:  # one is not given, or no CIDR, or ends the CCM
        return None
    return any(mine.overlaps(other) for mine in ours for other in theirs if mine.version == other.version)


def _router(confs: Sequence[NearbyConf]) -> str:
    """The router of the only cloud.conf; empty where several are as near, or its file is still to be filled in."""
    return confs[0].router if len(confs) == 1 and not confs[0].has_gaps else ""
