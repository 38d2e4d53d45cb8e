"""Two clusters with one cluster name in one project."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.rules._support.same_cloud import are_in_one_project, beside, elsewhere, is_sibling
from ccmcheck.rules._support.workload import flag, is_settled, names_load_balancers, workload
from ccmcheck.rules.views.manifest import Manifest


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the CCMs of other clusters."""
    ccm = workload(manifest)
    if ccm is None or not names_load_balancers(manifest, ccm):
        return
    given_flag = flag(manifest, ccm, "cluster-name")
    arguments = ccm.container.key("args") or ccm.container.key("command")
    if given_flag is not None:
        name, span = given_flag.value, given_flag.span
    elif arguments is not None and is_settled(manifest, ccm.container):
        name, span = DEFAULT_CLUSTER_NAME, arguments.span
    else:
        return
    if not name:
        return
    beside_it = beside(manifest.path, ccm.pod, manifest.run_context)
    siblings = (
        pod
        for pod in beside_it
        if (pod.cluster_name or DEFAULT_CLUSTER_NAME) == name and is_sibling(manifest.path, pod.path)
    )
    for pod in (*elsewhere(ccm.pod, name, manifest.run_context), *siblings):
        is_here = pod.path == manifest.path
        confs = manifest.nearest_confs if is_here else manifest.run_context.confs.get(pod.path, ())
        if are_in_one_project(manifest.nearest_confs, confs):
            where = pod.destination if is_here else pod.path
            yield Problem(
                span,
                f"the CCM in {where} has the same name in the same project",
                "A load balancer is found by the names of the cluster, the namespace and the Service, so the second "
                "cluster adopts the first one's.",
                "Give each cluster a unique name.",
            )
            return
