"""Two clusters with one cluster name in one project."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.rules._support.same_cloud import are_in_one_project, beside, elsewhere, is_sibling
from ccmcheck.rules._support.workload import Workload, flag, is_settled, names_load_balancers, workload
from ccmcheck.rules.views.manifest import Manifest


def check(manifest: Manifest) -> Problems:
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
    other = _other_clusters(manifest, ccm, name)
    if other:
        yield Problem(
            span,
            f"the CCM in {other} has the same name in the same project",
            "A load balancer is found by the names of the cluster, the namespace and the Service, so the second "
            "cluster adopts the first one's.",
            "Give each cluster a unique name.",
        )


def _other_clusters(manifest: Manifest, ccm: Workload, name: str) -> str:
    """Where the CCM of another cluster of the same name in the same project is; empty where none is known."""
    own, run_context = manifest.nearest_confs, manifest.run_context
    installed = elsewhere(ccm.pod, name, run_context)
    here = [pod.destination for pod in installed if pod.path == manifest.path]
    if len(here) > 1 and are_in_one_project(own, own):
        return f"each of {first_of(here, 3)}"
    siblings = (
        pod
        for pod in beside(manifest.path, ccm.pod, run_context)
        if (pod.cluster_name or DEFAULT_CLUSTER_NAME) == name and is_sibling(manifest.path, pod.path)
    )
    others = (pod.path for pod in (*installed, *siblings) if pod.path != manifest.path)
    return next((path for path in others if are_in_one_project(own, run_context.confs.get(path, ()))), "")
