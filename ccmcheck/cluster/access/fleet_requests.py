"""What is asked of a management cluster, as data: the paths of the requests and the roles are made of it."""

from __future__ import annotations

from ccmcheck.cluster.access.requests import CORE, GET, LIST, RequestKind

CLUSTER_API, ADDONS, CONTROL_PLANE = "cluster.x-k8s.io", "addons.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io"
GROUP_PATH = f"/apis/{CLUSTER_API}"
KUBECONFIG_KEY = "value"
DOCUMENTS = (
    (ADDONS, "clusterresourcesets", "ClusterResourceSet"),
    (ADDONS, "helmchartproxies", "HelmChartProxy"),
    (CONTROL_PLANE, "kubeadmcontrolplanes", "KubeadmControlPlane"),
)
"""The objects of the management side that may carry a cloud.conf, or say where one goes: group, resource, kind."""


def clusters(version: str, namespace: str) -> RequestKind:
    """The Clusters of a namespace; of all for an empty one."""
    return RequestKind(CLUSTER_API, version, "clusters", LIST, namespace)


def kubeconfig(namespace: str, cluster: str) -> RequestKind:
    """The Secret with the kubeconfig of a Cluster."""
    return RequestKind(CORE, "v1", "secrets", GET, namespace, f"{cluster}-kubeconfig")


def documents(group: str, version: str, resource: str, namespace: str) -> RequestKind:
    """The objects of one kind of `DOCUMENTS`.

    Args:
        group: Its API group.
        version: A version that is served.
        resource: Its resource.
        namespace: Their namespace; empty for all.
    """
    return RequestKind(group, version, resource, LIST, namespace)
