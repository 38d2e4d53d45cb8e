"""The objects of the cluster that the comparison reads: a CCM with a fatal cloud.conf, and Services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

PASSWORD = "hunter2-is-the-secret"
CONF = f"""\
[Global]
auth-url = https://keystone.example.org:5000/v3
username = ccm
user-domain-name = Default
tenant-name = prod
password = {PASSWORD}
[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
create-monitor = false
monitor-delay = 3
"""
FATAL_LINE = 10
_ID = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
_MONITOR = "loadbalancer.openstack.org/enable-health-monitor"
_CCM = "openstack-cloud-controller-manager"


def _service(name: str, annotations: Object | None = None, **spec: Any) -> Object:
    ports = [{"port": 80, "protocol": "TCP"}]
    return {
        "metadata": {"name": name, "annotations": annotations or {}},
        "spec": {"type": "LoadBalancer", "selector": {"app": name}, "ports": ports, **spec},
    }


_DAEMONSET: Object = {
    "metadata": {"name": _CCM, "namespace": "kube-system"},
    "spec": {
        "selector": {"matchLabels": {"app": "ccm"}},
        "template": {
            "metadata": {"labels": {"app": "ccm"}},
            "spec": {
                "containers": [
                    {
                        "name": "ccm",
                        "image": f"registry.k8s.io/provider-os/{_CCM}:v1.31.2",
                        "args": [f"/bin/{_CCM}", "--cloud-config=/etc/config/cloud.conf", "--cluster-name=prod"],
                        "volumeMounts": [{"name": "config", "mountPath": "/etc/config"}],
                    }
                ],
                "volumes": [{"name": "config", "secret": {"secretName": "cloud-config"}}],
            },
        },
    },
}

_SERVICES = "/api/v1/namespaces/shop/services"

STAGE: tuple[tuple[str, Object, str], ...] = (
    ("/api/v1/namespaces", {"metadata": {"name": "shop"}}, "kubectl-create"),
    (
        "/api/v1/namespaces/kube-system/secrets",
        {"metadata": {"name": "cloud-config"}, "stringData": {"cloud.conf": CONF}},
        "kubectl-create",
    ),
    ("/apis/apps/v1/namespaces/kube-system/daemonsets", _DAEMONSET, "helm"),
    (_SERVICES, _service("web"), "kubectl-create"),
    (_SERVICES, _service("local", {_MONITOR: "false"}, externalTrafficPolicy="Local"), "kubectl-create"),
    (_SERVICES, {"metadata": {"name": "inner"}, "spec": {"ports": [{"port": 80}]}}, "kubectl-create"),
    ("/api/v1/nodes", {"metadata": {"name": "n0"}}, "kubelet"),
    ("/api/v1/nodes", {"metadata": {"name": "n1"}}, "kubelet"),
    (
        "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices",
        {
            "metadata": {"name": "local-1", "labels": {"kubernetes.io/service-name": "local"}},
            "addressType": "IPv4",
            "endpoints": [{"addresses": ["10.1.0.7"], "conditions": {"ready": True}, "nodeName": "n0"}],
        },
        "endpointslice-controller",
    ),
)
"""The path of the list, the object, and who makes it."""

PATCHES: tuple[tuple[str, Object, str], ...] = (
    (
        f"{_SERVICES}/web",
        {"metadata": {"annotations": {"loadbalancer.openstack.org/load-balancer-id": _ID}}},
        _CCM,
    ),
)

_LISTS = {
    "ServiceAccount": ("/api/v1", "serviceaccounts"),
    "ClusterRole": ("/apis/rbac.authorization.k8s.io/v1", "clusterroles"),
    "ClusterRoleBinding": ("/apis/rbac.authorization.k8s.io/v1", "clusterrolebindings"),
    "Role": ("/apis/rbac.authorization.k8s.io/v1", "roles"),
    "RoleBinding": ("/apis/rbac.authorization.k8s.io/v1", "rolebindings"),
    "Job": ("/apis/batch/v1", "jobs"),
    "CronJob": ("/apis/batch/v1", "cronjobs"),
}


def created(manifests: str) -> Iterator[tuple[str, Object]]:
    """Manifests as the requests that create them: the list's path, and the object."""
    for document in yaml.safe_load_all(manifests):
        root, plural = _LISTS[document["kind"]]
        namespace = document["metadata"].get("namespace")
        yield f"{root}/namespaces/{namespace}/{plural}" if namespace else f"{root}/{plural}", document
