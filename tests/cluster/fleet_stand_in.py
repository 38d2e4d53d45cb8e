"""Many clusters and their management cluster behind one TLS port, told apart by the path: ``/c/N/api/v1/…``, ``/m/…``.

Some are broken: of each hundred, four hang, refuse or cut the connection. It runs as a process of its own, so that what
it costs is not counted as ours: ``fleet_stand_in.py FOLDER CLUSTERS [SERVICES [NODES]]`` prints its port. Each connection
has a thread: for TLS, asyncio takes twice the processor time, and that is missing to what is measured.
"""

from __future__ import annotations

import json
import socket
import ssl
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fleet_objects import (
    FAULTS,
    MANAGEMENT_UID,
    TOKEN,
    Layout,
    Object,
    b64,
    daemonsets,
    is_from_resource_set,
    listed,
    node,
    resource_secret,
    resource_set,
    secret,
    services,
    status,
)

_MOST_OF_A_HEAD = 64 * 1024
HANGS, CUT = -1, 0
"""In place of a status."""


_EMPTY = {
    path: json.dumps(listed(kind, [], version)).encode()
    for path, kind, version in (
        ("/apis/apps/v1/namespaces/kube-system/deployments", "Deployment", "apps/v1"),
        ("/api/v1/namespaces/kube-system/pods", "Pod", "v1"),
        ("/apis/discovery.k8s.io/v1/endpointslices", "EndpointSlice", "discovery.k8s.io/v1"),
    )
}
_OF_CLUSTER: dict[str, Callable[[int], Object]] = {
    "/api/v1/namespaces/kube-system": lambda number: {"metadata": {"name": "kube-system", "uid": f"{number:032x}"}},
    "/version": lambda number: {"gitVersion": f"v1.{29 + number % 4}.1"},
    "/apis/apps/v1/namespaces/kube-system/daemonsets": daemonsets,
    "/api/v1/namespaces/kube-system/secrets/cloud-config": secret,
}


class StandIn:
    """Answers requests.

    Args:
        folder: The certificates.
        layout: What there is.
    """

    def __init__(self, folder: Path, layout: Layout) -> None:
        self.layout = layout
        self.port = 0
        self.ca = b64((folder / "ca.crt").read_text())
        self.certificate, self.key = b64((folder / "client.crt").read_text()), b64((folder / "client.key").read_text())
        self._nodes = json.dumps(listed("Node", [node(index) for index in range(layout.nodes)])).encode()

    def kubeconfig(self, path: str, user: Object) -> Object:
        """A kubeconfig for a path of this server; all call their context the same, as kubeadm does."""
        cluster = {"server": f"https://127.0.0.1:{self.port}{path}", "certificate-authority-data": self.ca}
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "kubernetes-admin@kubernetes",
            "clusters": [{"name": "kubernetes", "cluster": cluster}],
            "users": [{"name": "kubernetes-admin", "user": user}],
            "contexts": [
                {
                    "name": "kubernetes-admin@kubernetes",
                    "context": {"cluster": "kubernetes", "user": "kubernetes-admin"},
                }
            ],
        }

    def of_cluster(self, number: int) -> Object:
        """The kubeconfig of a cluster: a client certificate, as Cluster API makes it, or a token."""
        if number % 2:
            return self.kubeconfig(f"/c/{number}", {"token": f"{TOKEN}{number}"})
        return self.kubeconfig(
            f"/c/{number}", {"client-certificate-data": self.certificate, "client-key-data": self.key}
        )

    def answer(self, path: str, query: str, *, knows_client: bool) -> tuple[int, bytes]:
        """Status and body; instead of a status, what happens to the connection."""
        _, kind, *parts = path.split("/", 3)
        if kind == "m":
            return self._management("/" + "/".join(parts), query)
        number = int(parts[0])
        fault = FAULTS.get(number % 100)
        if fault == "hang":
            return HANGS, b""
        if fault == "reset":
            return CUT, b""
        if fault == "unauthorized" or not knows_client:
            return 401, status(401)
        if fault == "forbidden":
            return 403, status(403)
        return self._cluster(number, "/" + parts[1])

    def _cluster(self, number: int, path: str) -> tuple[int, bytes]:
        if path == "/api/v1/services":
            return 200, services(number, self.layout.services)
        if path == "/api/v1/nodes":
            return 200, self._nodes
        if path in _EMPTY:
            return 200, _EMPTY[path]
        make = _OF_CLUSTER.get(path)
        return (200, json.dumps(make(number)).encode()) if make is not None else (404, status(404))

    def _management(self, path: str, query: str) -> tuple[int, bytes]:
        if path.startswith("/api/v1/namespaces/clusters/secrets/"):
            name = path.rpartition("/")[2]
            if name == "ccm-config":
                return 200, json.dumps(resource_secret()).encode()
            number = int(name.removeprefix("c").removesuffix("-kubeconfig"))
            value = b64(json.dumps(self.of_cluster(number)))
            return 200, json.dumps({"metadata": {"name": name}, "data": {"value": value}}).encode()
        group = {"preferredVersion": {"version": "v1beta1"}, "versions": [{"version": "v1beta1"}]}
        documents: dict[str, Object] = {
            "/api/v1/namespaces/kube-system": {"metadata": {"name": "kube-system", "uid": MANAGEMENT_UID}},
            "/apis/cluster.x-k8s.io": group,
            "/apis/addons.cluster.x-k8s.io": group,
            "/apis/addons.cluster.x-k8s.io/v1beta1/clusterresourcesets": listed(
                "ClusterResourceSet", [resource_set()], "addons.cluster.x-k8s.io/v1beta1"
            ),
        }
        if path == "/apis/cluster.x-k8s.io/v1beta1/clusters":
            return 200, json.dumps(self._clusters(query)).encode()
        found = documents.get(path)
        return (200, json.dumps(found).encode()) if found is not None else (404, status(404))

    def _clusters(self, query: str) -> Object:
        asked = dict(pair.partition("=")[::2] for pair in query.split("&"))
        start, limit = int(asked.get("continue", "0")), int(asked.get("limit", "500"))
        stop = min(start + limit, self.layout.clusters)
        items: list[Object] = [
            {
                "metadata": {
                    "name": f"c{number}",
                    "namespace": "clusters",
                    "labels": {"ccm": "managed" if is_from_resource_set(number) else "own"},
                }
            }
            for number in range(start, stop)
        ]
        page = listed("Cluster", items, "cluster.x-k8s.io/v1beta1")
        if stop < self.layout.clusters:
            page["metadata"]["continue"] = str(stop)
        return page


def _serve(stand_in: StandIn, raw: socket.socket, context: ssl.SSLContext) -> None:
    """Answer one connection until the client closes it."""
    with suppress(OSError), raw:
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with context.wrap_socket(raw, server_side=True) as connection:
            has_certificate = bool(connection.getpeercert())
            while head := _head(connection):
                target = head.split(" ", 2)[1]
                path, _, query = target.partition("?")
                number = path.split("/")[2] if path.startswith("/c/") else ""
                knows = has_certificate or f"Bearer {TOKEN}{number}\r\n" in head
                code, body = stand_in.answer(path, query, knows_client=knows)
                if code == HANGS:
                    connection.recv(1)  # nothing more comes until the client gives up
                    return
                if code == CUT:
                    reset = struct.pack("ii", 1, 0)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
                    return
                start = f"HTTP/1.1 {code} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                connection.sendall(start.encode() + body)


def _head(connection: ssl.SSLSocket) -> str:
    """The lines of a request without a body; empty where the client has closed."""
    data = b""
    while not data.endswith(b"\r\n\r\n") and len(data) < _MOST_OF_A_HEAD:
        piece = connection.recv(_MOST_OF_A_HEAD)
        if not piece:
            return ""
        data += piece
    return data.decode("latin-1")


def _main(folder: Path, layout: Layout) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(folder / "ca.crt"))
    context.load_cert_chain(folder / "server.crt", folder / "server.key")
    context.verify_mode = ssl.CERT_OPTIONAL
    context.num_tickets = 0  # no client comes back
    stand_in = StandIn(folder, layout)
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as server:
        stand_in.port = server.getsockname()[1]
        sys.stdout.write(f"{stand_in.port}\n")
        sys.stdout.flush()
        while True:
            raw, _ = server.accept()
            threading.Thread(target=_serve, args=(stand_in, raw, context), daemon=True).start()


@contextmanager
def running(folder: Path, layout: Layout) -> Iterator[StandIn]:
    """Serve from a process of its own until the block ends; the certificates are in the folder."""
    command = [sys.executable, __file__, str(folder), *map(str, layout)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            stand_in = StandIn(folder, layout)
            stand_in.port = int(process.stdout.readline())
            yield stand_in
        finally:
            process.kill()


if __name__ == "__main__":
    _main(Path(sys.argv[1]), Layout(*map(int, sys.argv[2:])))
