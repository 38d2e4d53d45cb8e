"""A cluster in which all is well: the CCM by its release's own manifests and with its own account, Services, and their pods."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import kube_kubelet
import yaml
from kube_logs import NodeLogs
from kube_nodes import EXCLUDED
from kube_processes import until
from kube_stack import Stack, stack
from reader_build import go

Json = dict[str, Any]

RELEASE, CLUSTER = "v1.36.0", "prod"
CONF = (
    "create-monitor = true\nmonitor-delay = 10s\nmonitor-timeout = 5s\nmonitor-max-retries = 3\n"
    'manage-security-groups = true\n[LoadBalancerClass "dmz"]\nfloating-network-id = net-ext2\n'
)
NAMESPACE = "shop"
BASE: dict[str, Json] = {
    "web": {},
    "local": {"spec": {"externalTrafficPolicy": "Local"}},
    "inner": {"annotations": {"service.beta.kubernetes.io/openstack-internal-load-balancer": "true"}},
    "dns": {"spec": {"ports": [{"port": 53, "protocol": "UDP"}]}},
}
BACKOFF_SECONDS = 20.0
"""So that what is read of a CCM that ends is that it has ended."""
_MANIFESTS = (
    "cloud-controller-manager-roles.yaml", "cloud-controller-manager-role-bindings.yaml",
    "openstack-cloud-controller-manager-ds.yaml",
)  # fmt: skip
_PLURALS = {
    "ServiceAccount": "/api/v1/namespaces/kube-system/serviceaccounts",
    "DaemonSet": "/apis/apps/v1/namespaces/kube-system/daemonsets",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
}
_SYNCED = "EnsuredLoadBalancer"


def service(name: str, annotations: Json | None = None, spec: Json | None = None) -> Json:
    """A Service whose pods are those of ``web``, or its own."""
    whole = {"type": "LoadBalancer", "selector": {"app": "web"}, "ports": [{"port": 80}], **(spec or {})}
    return {"metadata": {"name": name, "annotations": annotations or {}}, "spec": whole}


def _workload(kind: str, name: str) -> Json:
    labels = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "app", "image": "example.org/app:1"}]}}
    spec: Json = {"selector": {"matchLabels": labels}, "template": template}
    return {"metadata": {"name": name}, "spec": spec | ({"replicas": 3} if kind == "deployments" else {})}


def _published() -> Iterator[Json]:
    """The CCM's manifests of its release."""
    module = f"k8s.io/cloud-provider-openstack@{RELEASE}"
    folder = Path(
        json.loads(go(["mod", "download", "-json", module], Path()))["Dir"], "manifests", "controller-manager"
    )
    for name in _MANIFESTS:
        for document in filter(None, yaml.safe_load_all((folder / name).read_text(encoding="utf-8"))):
            yield from document["items"] if document["kind"] == "List" else (document,)


@contextmanager
def well(folder: Path) -> Iterator[Stack]:
    """The cluster, until the block ends.

    Raises:
        NotAvailableError: It cannot be had here.
    """
    kube_kubelet.BACKOFF_SECONDS = BACKOFF_SECONDS
    logs = NodeLogs(folder)
    with logs.serving(), stack(folder, *logs.flags, ccm=RELEASE, nodes=3) as cluster:
        logs.log = lambda name, previous: cluster.kubelet.log(name, previous=previous)
        ask = cluster.server.request
        secret = {"metadata": {"name": "cloud-config"}, "stringData": {"cloud.conf": cluster.cloud.conf(CONF)}}
        ask("POST", "/api/v1/namespaces/kube-system/secrets?fieldManager=kubectl-create", secret)
        for document in _published():
            if document["kind"] == "DaemonSet":
                container = document["spec"]["template"]["spec"]["containers"][0]
                container["args"].append("--leader-elect=true")  # the default, which the harness changes elsewhere
                container["env"] = [
                    {**one, "value": CLUSTER if one["name"] == "CLUSTER_NAME" else one["value"]}
                    for one in container["env"]
                ]
            ask("POST", f"{_PLURALS[document['kind']]}?fieldManager=kubectl-create", document)
        ask("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        for kind, name in (("deployments", "web"), ("daemonsets", "local")):
            ask("POST", f"/apis/apps/v1/namespaces/{NAMESPACE}/{kind}", _workload(kind, name))
        until(cluster.kubelet.running, "the CCM's pod runs", 60)
        cluster.wait_for_nodes()
        for name, given in BASE.items():
            own = {"selector": {"app": name}} if name == "local" else {}
            one = service(name, given.get("annotations"), own | given.get("spec", {}))
            cluster.create_service(one, NAMESPACE)
        until(lambda: is_well(cluster), "everything runs", 90)
        yield cluster


def is_well(cluster: Stack) -> bool:
    """Whether one CCM works, all Services have addresses, no other ones are there, and all nodes are ready and members."""
    running = cluster.kubelet.running()
    if len(running) != 1 or (cluster.kubelet.log(running[0]) or "").count(_SYNCED) < len(BASE):
        return False  # its start syncs every Service
    ask = cluster.server.request
    services = {
        one["metadata"]["name"]: one.get("status", {}).get("loadBalancer", {}).get("ingress")
        for one in ask("GET", "/api/v1/services")["items"]
        if one["spec"]["type"] == "LoadBalancer"
    }
    pods = ask("GET", f"/api/v1/namespaces/{NAMESPACE}/pods")["items"]
    nodes = ask("GET", "/api/v1/nodes")["items"]
    return (
        set(services) == set(BASE)
        and all(services.values())
        and len(pods) == 6
        and all(map(_is_ready, (*pods, *nodes)))
        and len(nodes) == 4
        and all(node["spec"].get("providerID") for node in nodes)
        and _members(cluster) == {name: {_address(one) for one in nodes if not _is_left_out(one)} for name in BASE}
    )


def _members(cluster: Stack) -> dict[str, set[str]]:
    """The addresses that are members of every port of a Service, by its name."""
    found = {one["name"].rpartition("_")[2]: one["listeners"] for one in cluster.cloud.balancers()}
    return {
        name: set.intersection(
            *({member["address"] for member in (one["default_pool"] or {}).get("members", ())} for one in listeners)
        )
        for name, listeners in found.items()
        if listeners
    }


def _address(node: Json) -> str:
    addresses = node.get("status", {}).get("addresses", ())
    return next((str(one["address"]) for one in addresses if one["type"] == "InternalIP"), "")


def _is_left_out(node: Json) -> bool:
    return EXCLUDED in node["metadata"].get("labels", {})


def _is_ready(one: Json) -> bool:
    conditions = one.get("status", {}).get("conditions", [])
    return "deletionTimestamp" not in one["metadata"] and any(
        condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions
    )
