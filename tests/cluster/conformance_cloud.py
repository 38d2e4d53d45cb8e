"""What makes the small API server of the tests a cluster: controllers for workloads and Services, and a data plane.

Pods answer over sockets on loopback, as nginx with the echo configuration does; each Service has an address of its own
in 127.0.0.0/8, on which its load balancer listens.
"""

from __future__ import annotations

import copy
import json
import socket
import threading
from contextlib import contextmanager, suppress
from ipaddress import ip_address, ip_network
from itertools import count
from typing import TYPE_CHECKING, Any

from api_faults import Fault
from api_server import BALANCER, ApiServer, cluster, serving
from loopback import Asked

from ccmcheck.cluster.conformance.echo import FIRST_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from api_server import Object

LABEL = "ccmcheck.dev/conformance-case"
FINALIZER = "service.kubernetes.io/load-balancer-cleanup"
ID_ANNOTATION = "loadbalancer.openstack.org/load-balancer-id"
ENFORCES_RANGES = True
_CLIENT = "10.6.0.4"
"""The address that pods see: the load balancer's."""
_IPS = count(2)


class DataPlane:
    """The load balancers' sockets.

    Attributes:
        behave: From the Service, the number of the request and the pods to what becomes of it: a pod's name,
            ``silent``, ``close``, ``stranger``.
    """

    def __init__(self) -> None:
        self.sockets: dict[tuple[str, int, bool], socket.socket] = {}
        self.asked = 0
        self.behave: Callable[[Object, int, list[str]], str] = lambda _service, number, pods: pods[number % len(pods)]
        self._held: list[socket.socket] = []
        self._answering: list[threading.Thread] = []

    def listen(self, ip: str, port: int, udp: bool, answer: Callable[[int], str], forwarded: str) -> None:
        """Open a listener."""
        if (ip, port, udp) in self.sockets:
            return
        kind = socket.SOCK_DGRAM if udp else socket.SOCK_STREAM
        opened = socket.socket(socket.AF_INET, kind)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((ip, port))
        self.sockets[ip, port, udp] = opened
        if not udp:
            opened.listen(64)
        target = self._datagrams if udp else self._connections
        self._answering.append(threading.Thread(target=target, args=(opened, answer, forwarded), daemon=True))
        self._answering[-1].start()

    def close(self, ip: str, port: int, udp: bool) -> None:
        """Close a listener."""
        opened = self.sockets.pop((ip, port, udp), None)
        if opened is not None:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()

    def close_all(self) -> None:
        """Close everything."""
        for place in list(self.sockets):
            self.close(*place)
        for held in self._held:
            with suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)  # wakes who waits for a request of an interrupted client
            held.close()
        for thread in self._answering:  # one that went on would take its time from all tests that follow
            thread.join(5)
            assert not thread.is_alive()

    def _connections(self, listener: socket.socket, answer: Callable[[int], str], forwarded: str) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.asked += 1
            self._held.append(connection)
            who = answer(self.asked)
            try:
                if who == "silent":
                    continue
                received = b""
                while who != "close" and b"\r\n\r\n" not in received:
                    part = connection.recv(4096)
                    if not part:
                        raise ConnectionError  # the client has gone
                    received += part
                if who == "stranger":
                    connection.sendall(
                        b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n<html>busy</html>"
                    )
                elif who != "close":
                    body = echo(who, forwarded)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body)
                connection.close()
            except OSError:
                connection.close()

    def _datagrams(self, listener: socket.socket, answer: Callable[[int], str], forwarded: str) -> None:
        while True:
            try:
                _, client = listener.recvfrom(4096)
                if client is None:  # it was closed
                    return
                self.asked += 1
                who = answer(self.asked)
                if who not in ("silent", "close"):
                    listener.sendto(echo(who, forwarded), client)
            except OSError:
                return


def echo(pod: str, forwarded: str) -> bytes:
    """What nginx answers in a pod."""
    proxy = f"proxy={forwarded}\n" if forwarded else ""
    return f"{FIRST_LINE}\npod={pod}\nclient={_CLIENT}\n{proxy}".encode()


class Cloud:
    """The controllers of a cluster and of its cloud.

    Args:
        server: The API server.

    Attributes:
        plane: The data plane.
        nodes: The nodes that pods are put on.
        addresses: Whether Services get an address.
        finalizes: Whether the CCM deletes load balancers.
        pods_ready: Whether pods become ready.
        keeps_affinity: Whether a client is always sent to the same pod where a Service asks for it.
        shares: Whether a Service with the ID of a load balancer gets that one.
        closes: Whether a deleted load balancer stops to answer.
    """

    def __init__(self, server: ApiServer, *, nodes: int = 3) -> None:
        self.server = server
        self.plane = DataPlane()
        self.nodes = [f"n{number}" for number in range(nodes)]
        self.addresses = True
        self.finalizes = True
        self.pods_ready = self.keeps_affinity = self.shares = self.closes = True
        self.balancers: dict[str, str] = {}
        self._names = count(1)
        server.lists["/api/v1/nodes"] = []
        for number, name in enumerate(self.nodes):
            addresses = [{"type": "InternalIP", "address": f"10.6.0.{10 + number}"}]
            node = {
                "metadata": {"name": name},
                "spec": {"providerID": f"openstack:///{name}"},
                "status": {"addresses": addresses},
            }
            server.add("/api/v1/nodes", node, kind="Node")
        server.lists["/api/v1/namespaces"] = []
        server.controllers.append(self.react)

    def react(self, asked: Asked, obj: Object) -> None:
        """After each change."""
        resource = asked.path.split("/")[-2]
        if resource == "namespaces" and asked.method == "POST":
            for name in ("services", "configmaps", "pods", "events"):
                self.server.lists.setdefault(f"{asked.path}/{name}", [])
            self.server.lists.setdefault(f"{asked.path}/deployments".replace("/api/v1/", "/apis/apps/v1/"), [])
            self.server.objects[asked.path]["metadata"]["finalizers"] = ["kubernetes"]
        elif resource == "namespaces" and asked.method == "DELETE":
            self._namespace_deleted(asked)
        elif resource == "deployments":
            self._deployment(asked, obj)
        elif resource == "services":
            self._service(asked, obj)

    def _namespace_deleted(self, asked: Asked) -> None:
        """The namespace controller: the namespace stays until the Services in it are gone."""
        for path in [path for path in self.server.objects if path.startswith(f"{asked.path}/services/")]:
            service = self.server.objects[path]
            service["metadata"]["deletionTimestamp"] = "2026-11-03T10:00:00Z"
            self._service(asked._replace(path=path), service)
        if not any(path.startswith(f"{asked.path}/services/") for path in self.server.objects):
            self.server.remove(asked.path)

    def _deployment(self, asked: Asked, obj: Object) -> None:
        root = asked.path.replace("/apis/apps/v1/", "/api/v1/").rpartition("/deployments/")[0] + "/pods"
        own = [
            pod
            for pod in self.server.lists.get(root, ())
            if pod["metadata"]["labels"].get(LABEL) == obj["metadata"]["name"]
        ]
        template = json.dumps(obj["spec"]["template"], sort_keys=True)
        kept = [
            pod for pod in own if asked.method != "DELETE" and pod["metadata"]["annotations"]["template"] == template
        ]
        wanted = 0 if asked.method == "DELETE" else obj["spec"]["replicas"]
        for pod in [pod for pod in own if pod not in kept] + kept[wanted:]:
            self.server.remove(f"{root}/{pod['metadata']['name']}")
        for number in range(len(kept), wanted):
            name = f"{obj['metadata']['name']}-{next(self._names):05}"
            metadata = {
                "name": name,
                "namespace": obj["metadata"]["namespace"],
                "labels": obj["spec"]["template"]["metadata"]["labels"],
                "annotations": {"template": template},
            }
            condition = {
                "type": "Ready",
                "status": "True" if self.pods_ready else "False",
                "reason": "ContainersNotReady",
            }
            waiting = {"state": {"waiting": {"reason": "ImagePullBackOff", "message": "c4nary"}}}
            status = {"conditions": [condition], "containerStatuses": [] if self.pods_ready else [waiting]}
            spec = {"nodeName": self.nodes[number % len(self.nodes)]}
            self.server.put(
                f"{root}/{name}",
                {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status},
            )
        if asked.method != "DELETE":
            new = copy.deepcopy(obj)
            ready = wanted if self.pods_ready else 0
            new["status"] = {
                "replicas": wanted,
                "updatedReplicas": wanted,
                "readyReplicas": ready,
                "observedGeneration": 1,
            }
            self.server.put(asked.path, new)

    def _service(self, asked: Asked, obj: Object) -> None:
        if asked.method == "DELETE" and not obj["metadata"].get("deletionTimestamp"):
            return
        path = asked.path
        if obj["metadata"].get("deletionTimestamp"):
            if self.finalizes:
                for listener in self._listeners(path) if self.closes else ():
                    self.plane.close(*listener)
                self.balancers.pop(path, None)
                self.server.remove(path)
            return
        new = copy.deepcopy(obj)
        new["metadata"]["finalizers"] = [FINALIZER]
        for number, port in enumerate(new["spec"]["ports"]):
            port.setdefault("nodePort", 30000 + number)
        if self.addresses:
            annotations = new["metadata"].setdefault("annotations", {})
            shared = next(
                (one for one, own in self._ids().items() if self.shares and annotations.get(ID_ANNOTATION) == own), path
            )
            ip = self.balancers.get(path) or self.balancers.get(shared) or f"127.0.77.{next(_IPS)}"
            self.balancers[path] = ip
            annotations.setdefault(ID_ANNOTATION, f"{BALANCER[:-4]}{ip_address(ip).packed[-1]:04}")
            new["status"] = {"loadBalancer": {"ingress": [{"ip": ip, "ipMode": "VIP"}]}}
        self.server.put(path, new)
        if self.addresses:
            self._listen(path, new)

    def _ids(self) -> dict[str, str]:
        return {
            path: self.server.objects[path]["metadata"]["annotations"][ID_ANNOTATION]
            for path in self.balancers
            if path in self.server.objects
        }

    def _listeners(self, path: str) -> list[tuple[str, int, bool]]:
        ip = self.balancers.get(path, "")
        ports = {(port["port"], port.get("protocol") == "UDP") for port in self.server.objects[path]["spec"]["ports"]}
        return [(ip, port, udp) for port, udp in ports]

    def _listen(self, path: str, service: Object) -> None:
        ip = self.balancers[path]
        wanted = self._listeners(path)
        others = [
            one
            for other in self.balancers
            if other != path and other in self.server.objects
            for one in self._listeners(other)
        ]
        for open_one in [one for one in self.plane.sockets if one[0] == ip and one not in wanted and one not in others]:
            self.plane.close(*open_one)
        for _, port, udp in wanted:
            proxied = service["metadata"]["annotations"].get("loadbalancer.openstack.org/proxy-protocol") == "true"
            self.plane.listen(
                ip, port, udp, lambda number: self._answer(path, number), "203.0.113.9" if proxied else ""
            )

    def _answer(self, path: str, number: int) -> str:
        service = self.server.objects.get(path)
        if service is None:
            return "close" if self.closes else "a-pod"
        ranges = service["spec"].get("loadBalancerSourceRanges")
        if ENFORCES_RANGES and ranges and not any(ip_address("127.0.0.1") in ip_network(one) for one in ranges):
            return "close"
        root = path.rpartition("/services/")[0] + "/pods"
        case = service["spec"]["selector"][LABEL]
        pods = [
            pod["metadata"]["name"]
            for pod in self.server.lists.get(root, ())
            if pod["metadata"]["labels"][LABEL] == case
        ]
        if service["spec"].get("sessionAffinity") == "ClientIP" and self.keeps_affinity:
            pods = pods[:1]
        return self.plane.behave(service, number, pods) if pods else "close"


@contextmanager
def running(conf: str | None = None, *, nodes: int = 3) -> Iterator[Cloud]:
    """A cluster that creates load balancers, until the block ends."""
    cloud = Cloud(cluster() if conf is None else cluster(conf), nodes=nodes)
    with serving(cloud.server):
        try:
            yield cloud
        finally:
            cloud.plane.close_all()


def free_port() -> int:
    """A port such that it and the next one are free on every loopback address."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("", 0))
            port: int = first.getsockname()[1]
            try:
                second.bind(("", port + 1))
            except OSError:
                continue
            return port


def warning(reason: str, message: str, name: str) -> Object:
    """A warning about an object."""
    return {
        "metadata": {"name": f"{name}.1"},
        "type": "Warning",
        "reason": reason,
        "message": message,
        "lastTimestamp": "2026-11-03T10:00:00Z",
        "involvedObject": {"kind": "Service", "name": name},
    }


__all__ = ["Any", "Cloud", "Fault", "echo", "free_port", "running", "warning"]
