"""Two clusters with one cluster name in one project."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.rules._support.same_cloud import other_clusters
from ccmcheck.rules._support.workload import flag, is_settled, names_load_balancers, workload
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
    other = other_clusters(ccm.pod, name, manifest.path, manifest.nearest_confs, manifest.run_context)
    if other:
        yield Problem(
            span,
            f"the CCM in {other} has the same name in the same project",
            "A load balancer is found by the names of the cluster, the namespace and the Service, so the second "
            "cluster adopts the first one's.",
            "Give each cluster a unique name.",
        )
