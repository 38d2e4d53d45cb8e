"""Objects of a running cluster and who wrote them, for several tests."""

from __future__ import annotations

from typing import Any

from api_server import CONF, daemonset

CCM = "openstack-cloud-controller-manager"
DAEMONSETS = "/apis/apps/v1/namespaces/kube-system/daemonsets"
PODS = "/api/v1/namespaces/kube-system/pods"
SERVICES = "/api/v1/services"
BALANCER_ID = "loadbalancer.openstack.org/load-balancer-id"
RIGHT = CONF.replace("monitor-delay = 5\n", "monitor-delay = 5s\n")
"""A cloud.conf that the CCM accepts."""


def owner(manager: str, *path: str, operation: str = "Update", time: str = "2026-11-02T09:30:00Z") -> dict[str, Any]:
    """An entry of managedFields that owns one field; an item of a list is named as there: ``k:{"name":"ccm"}``."""
    fields: dict[str, Any] = {}
    for name in reversed(path):
        fields = {name if name.startswith("k:") else f"f:{name}": fields}
    return {"manager": manager, "operation": operation, "time": time, "fieldsV1": fields}


def pod(name: str, started: str, *, node: str = "n0", owner_kind: str = "DaemonSet") -> dict[str, Any]:
    """A pod of the CCM whose container was started then."""
    spec = daemonset()["spec"]["template"]["spec"]
    return {
        "metadata": {
            "name": name,
            "namespace": "kube-system",
            "labels": {"app": "ccm"},
            "ownerReferences": [{"kind": owner_kind, "name": CCM}],
        },
        "spec": {**spec, "nodeName": node},
        "status": {"containerStatuses": [{"name": "ccm", "state": {"running": {"startedAt": started}}}]},
    }
