"""A small API server on loopback: objects in memory, pages, and faults on demand; it records every request."""

from __future__ import annotations

import base64
import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from api_faults import Fault, status
from api_writes import write
from loopback import Asked, serving_stand_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Object = dict[str, Any]

TOKEN = "t0ken-of-the-user-8c1f"
"""A canary: the credential of every request."""


class ApiServer:
    """The objects, the faults, and what was asked."""

    def __init__(self) -> None:
        self.lists: dict[str, list[Object]] = {}
        self.objects: dict[str, Object] = {}
        self.asked: list[Asked] = []
        self.faults: dict[str, list[Fault]] = {}
        self.port = 0
        self.version = 100
        self.user = "jane@example.org"
        self.admit: Callable[[Object], Object] | None = None
        """Changes what is written, as an admission webhook may."""
        self.controllers: list[Callable[[Asked, Object], None]] = []
        """Called after each change with the request and the object as it is then."""

    def add(self, path: str, *objects: Object, kind: str, version: str = "v1") -> None:
        """Put objects into a list; each is at its own path, too."""
        found = self.lists.setdefault(path, [])
        for obj in objects:
            obj["metadata"].setdefault("resourceVersion", "1")
            found.append(obj)
            namespace, name = obj["metadata"].get("namespace"), obj["metadata"]["name"]
            root, _, resource = path.rpartition("/")
            root = root.partition("/namespaces/")[0]
            place = f"/namespaces/{namespace}" if namespace else ""
            self.objects[f"{root}{place}/{resource}/{name}"] = {"apiVersion": version, "kind": kind, **obj}

    def put(self, path: str, obj: Object) -> None:
        """Replace an object, or add it, at its path and in its lists."""
        self._drop(path)
        self.objects[path] = obj
        for name in self._lists_of(path, create=True):
            self.lists[name].append(obj)

    def remove(self, path: str) -> None:
        """Take an object away, and what is in it if it is a namespace."""
        name = path.rpartition("/")[2]
        is_namespace = path.rpartition("/")[0].endswith("/namespaces")
        inside = [one for one in self.objects if is_namespace and f"/namespaces/{name}/" in one and one != path]
        for one in (path, *inside):
            self._drop(one)

    def _drop(self, path: str) -> None:
        gone = self.objects.pop(path, None)
        if gone is None:
            return
        key = (gone["metadata"].get("namespace"), gone["metadata"]["name"])
        for found in self._lists_of(path):
            self.lists[found] = [
                obj for obj in self.lists[found] if (obj["metadata"].get("namespace"), obj["metadata"]["name"]) != key
            ]

    def _lists_of(self, path: str, *, create: bool = False) -> list[str]:
        """The lists that an object is in: that of its namespace, and that of all namespaces."""
        own = path.rpartition("/")[0]
        root, _, inside = own.partition("/namespaces/")
        everywhere = f"{root}/{inside.partition('/')[2]}" if inside else own
        if create and own not in self.lists:
            self.lists[own] = []
        return [name for name in dict.fromkeys((own, everywhere)) if name in self.lists]

    def fail(self, path: str, *faults: Fault) -> None:
        """Answer the next requests of a path with faults; the last one stays."""
        self.faults[path] = list(faults)

    def answer(self, asked: Asked) -> Fault:
        """The answer of a request."""
        waiting = self.faults.get(asked.path)
        if waiting:
            return waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if asked.headers.get("authorization") != f"Bearer {TOKEN}":
            return status(401)
        if asked.method != "GET":
            return write(self, asked)
        if asked.path in self.objects:
            return Fault(body=json.dumps(self.objects[asked.path]).encode())
        if asked.path in self.lists:
            return self._page(asked)
        return status(404)

    def answer_of(self, path: str) -> Fault:
        """The proper answer of a list's path, to be given after faults."""
        return self._page(Asked("GET", path, {}, {}))

    def _page(self, asked: Asked) -> Fault:
        everything = [obj for obj in self.lists[asked.path] if _selected(obj, asked.query.get("labelSelector", ""))]
        start = int(asked.query.get("continue", "0"))
        limit = int(asked.query.get("limit", "0")) or len(everything)
        following = str(start + limit) if start + limit < len(everything) else ""
        page = {
            "apiVersion": "v1",
            "kind": "List",
            "metadata": {"resourceVersion": "7", **({"continue": following} if following else {})},
            "items": everything[start : start + limit],
        }
        kinds = {"daemonsets": "DaemonSet", "deployments": "Deployment", "pods": "Pod", "services": "Service"}
        kinds["endpointslices"] = "EndpointSlice"
        page["kind"] = kinds.get(asked.path.rpartition("/")[2], "Node") + "List"
        page["apiVersion"] = "apps/v1" if "/apis/apps/" in asked.path else "v1"
        return Fault(body=json.dumps(page).encode())


def _selected(obj: Object, selector: str) -> bool:
    """Whether an object has the labels of a selector: ``a=b,c in (d,e)``; other kinds select everything."""
    labels = obj["metadata"].get("labels", {})
    for key, values, value in re.findall(r"([\w./-]+)(?: in \(([^)]*)\)|==?([\w.-]*))", selector):
        if labels.get(key) not in (values.split(",") if values else [value]):
            return False
    return True


@contextmanager
def serving(server: ApiServer) -> Iterator[ApiServer]:
    """Serve on a free port until the block ends."""
    with serving_stand_in(server):
        yield server


def kubeconfig(folder: Path, server: ApiServer, *, token: str = TOKEN, userinfo: str = "") -> Path:
    """A kubeconfig for a server."""
    path = folder / "kubeconfig"
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "test",
        "clusters": [{"name": "c", "cluster": {"server": f"http://{userinfo}127.0.0.1:{server.port}"}}],
        "users": [{"name": "u", "user": {"token": token}}],
        "contexts": [
            {"name": "test", "context": {"cluster": "c", "user": "u"}},
            {"name": "other", "context": {"cluster": "c", "user": "u"}},
        ],
    }
    path.write_text(json.dumps(document))
    return path


UID = "4b1f4c52-0a5f-4a07-9a39-0f6b1f3f2f10"
CONF = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
username = ccm
password = hunter2-is-the-secret
region = RegionOne

[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
create-monitor = true
monitor-delay = 5
"""
"""`duration-bad` at 11:17; the password is a canary."""
SLICES = "/apis/discovery.k8s.io/v1/endpointslices"
BALANCER = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"


def secret(text: str = CONF, key: str = "cloud.conf", name: str = "cloud-config", **metadata: Any) -> Object:
    """The CCM's Secret."""
    data = {key: base64.b64encode(text.encode()).decode()}
    return {
        "metadata": {"name": name, "namespace": "kube-system", "uid": "s", **metadata},
        "type": "Opaque",
        "data": data,
    }


def daemonset(
    name: str = "openstack-cloud-controller-manager",
    image: str = "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2",
    holder: str = "cloud-config",
    cluster_name: str = "prod",
    volume: Object | None = None,
) -> Object:
    """The CCM."""
    container = {
        "name": "ccm",
        "image": image,
        "args": [
            "/bin/openstack-cloud-controller-manager",
            "--cloud-config=/etc/config/cloud.conf",
            f"--cluster-name={cluster_name}",
        ],
        "volumeMounts": [{"name": "config", "mountPath": "/etc/config"}],
    }
    volumes = [{"name": "config", **(volume or {"secret": {"secretName": holder}})}]
    return {
        "metadata": {"name": name, "namespace": "kube-system"},
        "spec": {
            "selector": {"matchLabels": {"app": "ccm"}},
            "template": {
                "metadata": {"labels": {"app": "ccm"}},
                "spec": {"containers": [container], "volumes": volumes},
            },
        },
    }


def service(
    name: str, *, annotations: Object | None = None, managers: list[Object] | None = None, **spec: Any
) -> Object:
    """A Service of type LoadBalancer."""
    return {
        "metadata": {
            "name": name,
            "namespace": "shop",
            "uid": name,
            "annotations": annotations or {},
            "managedFields": managers or [],
        },
        "spec": {"type": "LoadBalancer", "selector": {"app": name}, "ports": [{"port": 80, "protocol": "TCP"}], **spec},
        "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}},
    }


def endpoint_slice(name: str, *nodes: str, ready: bool = True) -> Object:
    """The endpoints of a Service: a pod on each node."""
    endpoints = [{"addresses": ["10.0.0.1"], "conditions": {"ready": ready}, "nodeName": node} for node in nodes]
    labels = {"kubernetes.io/service-name": name}
    return {"metadata": {"name": f"{name}-x", "namespace": "shop", "labels": labels}, "endpoints": endpoints}


def cluster(conf: str = CONF) -> ApiServer:
    """A cluster with a CCM, its Secret, a Service that breaks under Local, and two nodes."""
    server = ApiServer()
    server.objects["/api/v1/namespaces/kube-system"] = {"metadata": {"name": "kube-system", "uid": UID}}
    server.lists[SLICES] = [endpoint_slice("web", "n0")]
    server.objects["/version"] = {"gitVersion": "v1.31.4", "major": "1", "minor": "31"}
    server.add("/apis/apps/v1/namespaces/kube-system/daemonsets", daemonset(), kind="DaemonSet", version="apps/v1")
    server.lists["/apis/apps/v1/namespaces/kube-system/deployments"] = []
    server.lists["/api/v1/namespaces/kube-system/pods"] = []
    for path in (
        "/apis/apps/v1/namespaces/{}/daemonsets",
        "/apis/apps/v1/namespaces/{}/deployments",
        "/api/v1/namespaces/{}/pods",
    ):
        server.lists[path.format("openshift-cloud-controller-manager")] = []
    server.add("/api/v1/namespaces/kube-system/secrets", secret(conf), kind="Secret")
    server.add(
        "/api/v1/services",
        service(
            "web",
            externalTrafficPolicy="Local",
            annotations={"loadbalancer.openstack.org/enable-health-monitor": "false"},
        ),
        kind="Service",
    )
    nodes = [
        {"metadata": {"name": f"n{number}"}, "spec": {"providerID": f"openstack:///{number}"}} for number in range(2)
    ]
    server.add("/api/v1/nodes", *nodes, kind="Node")
    return server
