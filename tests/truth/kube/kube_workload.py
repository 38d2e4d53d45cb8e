"""The CCM as a workload: its Secret and DaemonSet, as the published manifests have them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from kube_build import CCM
from kube_nodes import MERGE
from kube_server import Running

Json = dict[str, Any]

NAMESPACE = "kube-system"
SECRET, KEY = "cloud-config", "cloud.conf"
_LABELS = {"k8s-app": CCM}


def secret(conf: str) -> Json:
    """The Secret that holds a cloud.conf."""
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": SECRET}, "stringData": {KEY: conf}}


def daemonset(tag: str, cluster_name: str, *flags: str) -> Json:
    """The DaemonSet of a release, on the nodes of the control plane."""
    container = {
        "name": CCM, "image": f"registry.k8s.io/provider-os/{CCM}:{tag}",
        "args": [
            f"/bin/{CCM}", "--v=1", "--cluster-name=$(CLUSTER_NAME)", "--cloud-config=$(CLOUD_CONFIG)",
            "--cloud-provider=openstack", *flags,
        ],
        "env": [
            {"name": "CLOUD_CONFIG", "value": f"/etc/config/{KEY}"}, {"name": "CLUSTER_NAME", "value": cluster_name},
        ],
        "volumeMounts": [{"name": "cloud-config-volume", "mountPath": "/etc/config", "readOnly": True}],
    }  # fmt: skip
    spec = {
        "hostNetwork": True,
        "nodeSelector": {"node-role.kubernetes.io/control-plane": ""},
        "tolerations": [{"operator": "Exists"}],
        "containers": [container],
        "volumes": [{"name": "cloud-config-volume", "secret": {"secretName": SECRET}}],
    }
    return {
        "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": CCM, "labels": _LABELS},
        "spec": {
            "selector": {"matchLabels": _LABELS}, "updateStrategy": {"type": "RollingUpdate"},
            "template": {"metadata": {"labels": _LABELS}, "spec": spec},
        },
    }  # fmt: skip


def install(server: Running, conf: str, tag: str, cluster_name: str, *flags: str, manager: str) -> None:
    """Create Secret and DaemonSet.

    Args:
        server: The API server.
        conf: The text of cloud.conf.
        tag: The CCM's release.
        cluster_name: Its name of the cluster.
        flags: Further flags.
        manager: The field manager that owns both afterwards.
    """
    at = f"?fieldManager={manager}"
    server.request("POST", f"/api/v1/namespaces/{NAMESPACE}/secrets{at}", secret(conf))
    path = f"/apis/apps/v1/namespaces/{NAMESPACE}/daemonsets{at}"
    server.request("POST", path, daemonset(tag, cluster_name, *flags))


def change_conf(server: Running, conf: str, manager: str) -> None:
    """Write another cloud.conf into the Secret; nothing restarts by that."""
    path = f"/api/v1/namespaces/{NAMESPACE}/secrets/{SECRET}?fieldManager={manager}"
    server.request("PATCH", path, {"stringData": {KEY: conf}}, MERGE)


def roll_out(server: Running, when: str, manager: str) -> None:
    """Restart the pods as `kubectl rollout restart` does, by a new annotation of their template."""
    path = f"/apis/apps/v1/namespaces/{NAMESPACE}/daemonsets/{CCM}?fieldManager={manager}"
    annotations = {"kubectl.kubernetes.io/restartedAt": when}
    server.request("PATCH", path, {"spec": {"template": {"metadata": {"annotations": annotations}}}}, MERGE)


def date_back(server: Running, age: timedelta) -> None:
    """Let all pods of the CCM say that they have run for so long."""
    started = (datetime.now(UTC) - age).strftime("%Y-%m-%dT%H:%M:%SZ")
    pods = f"/api/v1/namespaces/{NAMESPACE}/pods"
    for pod in server.request("GET", f"{pods}?labelSelector=k8s-app%3D{CCM}")["items"]:
        statuses = pod["status"].get("containerStatuses", [])
        for status in statuses:
            if "running" in status["state"]:
                status["state"]["running"]["startedAt"] = started
        path = f"{pods}/{pod['metadata']['name']}/status?fieldManager=kubelet"
        server.request("PATCH", path, {"status": {"containerStatuses": statuses}}, MERGE)
