"""Two clusters with one cluster name in one project.

What it does: finds workloads of the CCM in sibling folders that have the same `--cluster-name`, or both none, and whose
cloud.confs name the same cloud and project, or the same application credential.

Why: a load balancer is found by the name `kube_service_<cluster>_<namespace>_<service>`. A Service that both clusters
have, such as an ingress controller's, gets the first cluster's load balancer in the second one, too: its members are
replaced at every reconcile of either, and deleting one Service deletes the load balancer of both.

What the CCM does: it adopts a load balancer with that name without asking who made it.

Releases: 1.14 and newer; before, load balancers are named after the Service's UID alone

Fix: none; give each cluster a unique name before it has load balancers. Since v1.29.1 the CCM renames load balancers
that it made under another name; before, it leaves them behind.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go (GetLoadBalancerName);
kubernetes/cloud-provider-openstack#2241, #2571, #3102
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import CcmPod, NearbyConf, RunContext
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.rules._support.same_cloud import are_in_one_project, beside, is_sibling
from ccmcheck.rules._support.workload import KINDS, flag, is_settled, names_load_balancers, workload
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "cluster-name-shared",
    "Two clusters with one cluster name in one project",
    Severity.ERROR,
    kinds=KINDS,
)

_IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2"
_POD = f"""\
kind: Pod
metadata:
  name: ccm
spec:
  containers:
    - name: ccm
      image: {_IMAGE}
      args:
        - --cloud-config=/etc/config/cloud.conf
"""
_NAMED = _POD + "        - --cluster-name=k8s\n"
_PROJECT = ("https://keystone.example.org", "one", "5f0c")


def _run(cluster_name: str, project: tuple[str, ...] = _PROJECT, folder: str = "b") -> RunContext:
    return RunContext(
        pods=(CcmPod(f"clusters/{folder}/ccm.yaml", "Pod ccm", "", _IMAGE, "v1.31.2", cluster_name=cluster_name),),
        cluster_confs={
            "clusters/a/ccm.yaml": (NearbyConf("clusters/a/cloud.conf", "", "", project=_PROJECT),),
            f"clusters/{folder}/ccm.yaml": (NearbyConf(f"clusters/{folder}/cloud.conf", "", "", project=project),),
        },
    )


BAD = (
    Case(_NAMED, at=(10, 26), subject="clusters/a/ccm.yaml", run_context=_run("k8s")),
    Case(_POD, at=(8, 7), subject="clusters/a/ccm.yaml", run_context=_run("")),
    Case(_NAMED, at=(10, 26), subject="clusters/a/ccm.yaml", run_context=_run("k8s", folder="b2"), shown=False),
)
GOOD = (
    Case(_NAMED, subject="clusters/a/ccm.yaml", run_context=_run("other")),
    Case(_NAMED, subject="clusters/a/ccm.yaml", run_context=_run("k8s"), release="1.13", shown=False),
    Case(_NAMED, subject="clusters/a/ccm.yaml", run_context=_run("k8s", (*_PROJECT[:2], "77aa"))),
    Case(_NAMED, subject="clusters/a/ccm.yaml", run_context=_run("k8s", (_PROJECT[0], "two", "5f0c")), shown=False),
    Case(_NAMED, subject="clusters/a/ccm.yaml", run_context=_run("k8s", ()), shown=False),
    Case(_NAMED, subject="clusters/a/ccm.yaml", run_context=_run("k8s", folder="v1.30"), shown=False),
    Case(_NAMED, subject="clusters/a/ccm.yaml", run_context=_run("k8s", folder="b/c"), shown=False),
    Case(
        _POD + "        - --cluster-name=${CLUSTER_NAME}\n",
        subject="clusters/a/ccm.yaml",
        run_context=_run("k8s"),
        template=True,
        shown=False,
    ),
)


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the CCMs of other clusters."""
    ccm = workload(manifest)
    if ccm is None or not names_load_balancers(manifest, ccm):
        return
    given = flag(manifest, ccm, "cluster-name")
    arguments = ccm.container.key("args") or ccm.container.key("command")
    if given is not None:
        name, span = given.value, given.span
    elif arguments is not None and is_settled(manifest, ccm.container):
        name, span = DEFAULT_CLUSTER_NAME, arguments.span
    else:
        return
    if not name:
        return
    confs = manifest.run_context.cluster_confs
    own = confs.get(manifest.path, ())
    for pod in beside(manifest.path, ccm.pod, manifest.run_context):
        if (pod.cluster_name or DEFAULT_CLUSTER_NAME) != name:
            continue
        if is_sibling(manifest.path, pod.path) and are_in_one_project(own, confs.get(pod.path, ())):
            yield Problem(
                span,
                f"the CCM in {pod.path} has the same name in the same project",
                "A load balancer is found by the names of the cluster, the namespace and the Service, so the second "
                "cluster adopts the first one's.",
                "Give each cluster a unique name.",
            )
            return
