"""The nodes of a cluster, as a kubelet with an external cloud provider makes them known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kube_cloud import identify
from kube_processes import until
from kube_server import Running

Json = dict[str, Any]

MERGE = "application/merge-patch+json"
UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized"
_CONTROL_PLANE = "node-role.kubernetes.io/control-plane"
EXCLUDED = "node.kubernetes.io/exclude-from-external-load-balancers"


def nodes(number: int) -> list[Json]:
    """Some worker nodes, ``node-1`` on, and ``node-0`` for the control plane, which gets no load balancer's traffic."""
    return [_node(0, {_CONTROL_PLANE: "", EXCLUDED: ""}), *(_node(one, {}) for one in range(1, number + 1))]


def _node(number: int, labels: Json) -> Json:
    name = f"node-{number}"
    taints = [{"key": UNINITIALIZED, "value": "true", "effect": "NoSchedule"}]
    if _CONTROL_PLANE in labels:
        taints.append({"key": _CONTROL_PLANE, "value": "", "effect": "NoSchedule"})
    return {
        "apiVersion": "v1", "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", **labels}},
        "spec": {"taints": taints},
        "status": {
            "addresses": [
                {"type": "InternalIP", "address": f"10.0.0.{10 + number}"}, {"type": "Hostname", "address": name},
            ]
        },
    }  # fmt: skip


def register(server: Running, wanted: Sequence[Json]) -> None:
    """Create nodes, and wait until kwok says that they are ready; they have no provider ID yet."""
    for node in wanted:
        server.request("POST", "/api/v1/nodes?fieldManager=kubelet", {**node, "status": {}})
        status = {"status": {"addresses": node["status"]["addresses"]}}
        path = f"/api/v1/nodes/{node['metadata']['name']}/status?fieldManager=kubelet"
        server.request("PATCH", path, status, MERGE)
    until(lambda: all(_is_ready(node) for node in server.request("GET", "/api/v1/nodes")["items"]), "nodes are ready")


def initialize(server: Running) -> None:
    """Do what the CCM does to new nodes, for a cluster without it."""
    for node in server.request("GET", "/api/v1/nodes")["items"]:
        name = node["metadata"]["name"]
        taints = [taint for taint in node["spec"].get("taints", []) if taint["key"] != UNINITIALIZED]
        spec = {"providerID": f"openstack:///{identify(f'server-{name}')}", "taints": taints}
        server.request("PATCH", f"/api/v1/nodes/{name}?fieldManager=kubelet", {"spec": spec}, MERGE)


def initialized(server: Running) -> bool:
    """Whether all nodes have their provider ID and no taint that waits for it."""
    return all(
        node["spec"].get("providerID") and all(one["key"] != UNINITIALIZED for one in node["spec"].get("taints", []))
        for node in server.request("GET", "/api/v1/nodes")["items"]
    )


def _is_ready(node: Json) -> bool:
    conditions = node["status"].get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
