"""Many clusters and their management cluster behind one TLS port, told apart by the path: ``/c/N/api/v1/…``, ``/m/…``.

Some are broken: of each hundred, four hang, refuse or cut the connection. It runs as a process of its own, so that what
it costs is not counted as ours: ``fleet_stand_in.py FOLDER CLUSTERS [SERVICES [NODES]]`` prints its port.
"""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import ssl
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

PASSWORD = "hunter2-is-the-secret"
TOKEN = "t0ken-of-cluster-"
"""Canaries."""
MANAGEMENT_UID = "00000000-0000-4000-8000-00000000aaaa"
FAULTS = {96: "forbidden", 97: "reset", 98: "unauthorized", 99: "hang"}
"""What is wrong with the clusters of each hundred."""
PER_CENT = len(FAULTS)

CONF = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
username = ccm
user-domain-name = Default
tenant-id = {tenant:032x}
password = {password}

[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
create-monitor = true
monitor-delay = {delay}
"""


class Layout(NamedTuple):
    """What each cluster holds."""

    clusters: int
    services: int = 200
    nodes: int = 50


def is_from_resource_set(number: int) -> bool:
    """Whether the ClusterResourceSet makes a cluster's Secret, with the delay that has no unit."""
    return number % 3 == 0


def conf(number: int) -> str:
    """The cloud.conf of a cluster; those of clusters 7 and 8 name one project."""
    return CONF.format(
        tenant=0xAB if number in (7, 8) else number,
        password=PASSWORD,
        delay="3" if is_from_resource_set(number) else "5s",
    )


def b64(text: str) -> str:
    """Base64."""
    return base64.b64encode(text.encode()).decode()


def secret(number: int) -> Object:
    """The CCM's Secret."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "cloud-config", "namespace": "kube-system", "uid": f"s{number}"},
        "type": "Opaque",
        "data": {"cloud.conf": b64(conf(number))},
    }


def daemonsets(number: int) -> Object:
    """The CCM; clusters 7 and 8 have no name of their own."""
    name = [] if number in (7, 8) else [f"--cluster-name=prod-{number}"]
    container = {
        "name": "ccm",
        "image": f"registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.{29 + number % 4}.0",
        "args": ["/bin/openstack-cloud-controller-manager", "--cloud-config=/etc/config/cloud.conf", *name],
        "volumeMounts": [{"name": "config", "mountPath": "/etc/config"}],
    }
    item = {
        "metadata": {"name": "openstack-cloud-controller-manager", "namespace": "kube-system"},
        "spec": {
            "selector": {"matchLabels": {"app": "ccm"}},
            "template": {
                "metadata": {"labels": {"app": "ccm"}},
                "spec": {
                    "tolerations": [{"operator": "Exists"}],
                    "containers": [container],
                    "volumes": [{"name": "config", "secret": {"secretName": "cloud-config"}}],
                },
            },
        },
    }
    return listed("DaemonSet", [item], "apps/v1")


def listed(kind: str, items: list[Object], version: str = "v1") -> Object:
    """A list as an API server sends it."""
    return {"apiVersion": version, "kind": f"{kind}List", "metadata": {"resourceVersion": "7"}, "items": items}


def balancer(number: int, service: int) -> str:
    """The ID of a load balancer; the first of cluster 20 is that of cluster 10."""
    return f"{10 if number == 20 and not service else number:08x}-{service:04x}-4000-8000-000000000000"


def address(number: int, service: int) -> str:
    """A public address; the first of cluster 40 is that of cluster 30."""
    return f"{network(30 if number == 40 and not service else number)}.{service}"


def network(number: int) -> str:
    """The first part of a cluster's addresses."""
    return f"{45 + (number >> 14)}.{(number >> 6) & 255}.{(number & 63) << 2}"


def service(number: int, index: int) -> Object:
    """Each fifth is of type LoadBalancer; the second of those of each tenth cluster has no address."""
    has_address = not (index == ODD[1] and number % 10 == 0)
    return _service(
        str(number), index, (f"{number:08x}", balancer(number, index), address(number, index)), has_address=has_address
    )


ODD = (0, 5)
"""The Services that are not the same in all clusters."""


def services(number: int, count: int) -> bytes:
    """The list of a cluster's Services."""
    odd = {index: json.dumps(service(number, index)) for index in ODD if index < count}
    for token, value in (("@NAME@", str(number)), ("@UID@", f"{number:08x}"), ("@NETWORK@", network(number))):
        # most of it is the same in all clusters, and a server in Python would be measured more than we are
        odd[-1] = odd.get(-1, _common(count)).replace(token, value)
    items = ",".join(filter(None, (*(odd[index] for index in ODD if index in odd), odd[-1])))
    head = '{"apiVersion": "v1", "kind": "ServiceList", "metadata": {"resourceVersion": "7"}, "items": ['
    return f"{head}{items}]}}".encode()


@cache
def _common(count: int) -> str:
    return ",".join(
        json.dumps(
            _service(
                "@NAME@",
                index,
                ("@UID@", f"@UID@-{index:04x}-4000-8000-000000000000", f"@NETWORK@.{index}"),
                has_address=True,
            )
        )
        for index in range(count)
        if index not in ODD
    )


def _service(name_of_cluster: str, index: int, given: tuple[str, str, str], *, has_address: bool) -> Object:
    uid, balancer_id, ip = given
    name = f"web-{name_of_cluster}-{index}"
    is_balancer = index % 5 == 0
    spec: Object = {
        "type": "LoadBalancer" if is_balancer else "ClusterIP",
        "clusterIP": f"10.96.{index >> 8}.{index & 255}",
        "clusterIPs": [f"10.96.{index >> 8}.{index & 255}"],
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "internalTrafficPolicy": "Cluster",
        "selector": {"app": name},
        "sessionAffinity": "None",
        "ports": [{"name": "http", "port": 80 + index % 3, "targetPort": 8080, "protocol": "TCP"}],
    }
    metadata: Object = {
        "name": name,
        "namespace": f"team-{index % 7}",
        "uid": f"{uid}-{index:04x}-4000-9000-000000000000",
        "creationTimestamp": "2026-01-02T03:04:05Z",
        "labels": {"app.kubernetes.io/name": name, "app.kubernetes.io/instance": name},
        "annotations": {"example.org/notes": "x" * 150},
        "managedFields": [manager("helm", {"f:spec": {"f:ports": {}, "f:selector": {}, "f:type": {}}})],
    }
    status: Object = {"loadBalancer": {}}
    if is_balancer:
        spec |= {"allocateLoadBalancerNodePorts": True, "externalTrafficPolicy": "Cluster"}
        spec["ports"][0]["nodePort"] = 30000 + index
        if index % 50 == 10:
            spec |= {"externalTrafficPolicy": "Local", "healthCheckNodePort": 31000 + index}
        if has_address:
            metadata["annotations"]["loadbalancer.openstack.org/load-balancer-id"] = balancer_id
            owned: Object = {"f:metadata": {"f:annotations": {"f:loadbalancer.openstack.org/load-balancer-id": {}}}}
            metadata["managedFields"].append(manager("openstack-cloud-controller-manager", owned))
            status = {"loadBalancer": {"ingress": [{"ip": ip, "ipMode": "VIP"}]}}
    return {"metadata": metadata, "spec": spec, "status": status}


def manager(name: str, fields: Object) -> Object:
    """An entry of managedFields."""
    return {
        "manager": name,
        "operation": "Update",
        "apiVersion": "v1",
        "time": "2026-01-02T03:04:05Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
    }


def node(index: int) -> Object:
    """A node, with as much as a real one says of itself."""
    return {
        "metadata": {"name": f"node-{index}", "labels": {f"label-{number}": "value" for number in range(10)}},
        "spec": {"podCIDR": f"10.244.{index}.0/24", "providerID": f"openstack:///{index:032x}"},
        "status": {
            "addresses": [{"type": "InternalIP", "address": f"10.0.0.{index}"}],
            "images": [
                {"names": [f"registry.example.org/image-{number}:v1"], "sizeBytes": 123456789} for number in range(10)
            ],
        },
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

    async def answer(self, path: str, query: str, *, knows_client: bool) -> tuple[int, bytes]:
        """Status and body; a status of 0 cuts the connection."""
        _, kind, *parts = path.split("/", 3)
        if kind == "m":
            return self._management("/" + "/".join(parts), query)
        number = int(parts[0])
        fault = FAULTS.get(number % 100)
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault == "reset":
            return 0, b""
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
        documents: dict[str, Object] = {
            "/api/v1/namespaces/kube-system": {"metadata": {"name": "kube-system", "uid": f"{number:032x}"}},
            "/version": {"gitVersion": f"v1.{29 + number % 4}.1"},
            "/apis/apps/v1/namespaces/kube-system/daemonsets": daemonsets(number),
            "/apis/apps/v1/namespaces/kube-system/deployments": listed("Deployment", [], "apps/v1"),
            "/api/v1/namespaces/kube-system/pods": listed("Pod", []),
            "/api/v1/namespaces/kube-system/secrets/cloud-config": secret(number),
            "/apis/discovery.k8s.io/v1/endpointslices": listed("EndpointSlice", [], "discovery.k8s.io/v1"),
        }
        found = documents.get(path)
        return (200, json.dumps(found).encode()) if found is not None else (404, status(404))

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


def resource_set() -> Object:
    """The ClusterResourceSet that makes the Secret of each third cluster."""
    return {
        "metadata": {"name": "ccm", "namespace": "clusters"},
        "spec": {
            "strategy": "ApplyOnce",
            "clusterSelector": {"matchLabels": {"ccm": "managed"}},
            "resources": [{"kind": "Secret", "name": "ccm-config"}],
        },
    }


def resource_secret() -> Object:
    """What it applies."""
    inner = json.dumps(secret(0))
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "ccm-config", "namespace": "clusters"},
        "type": "addons.cluster.x-k8s.io/resource-set",
        "data": {"cloud-config.yaml": b64(inner)},
    }


def status(code: int) -> bytes:
    """An error as Kubernetes answers it."""
    return json.dumps(
        {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": PASSWORD}
    ).encode()


async def _serve(stand_in: StandIn, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    has_certificate = bool(writer.get_extra_info("peercert"))
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            target = head.split(" ", 2)[1]
            path, _, query = target.partition("?")
            number = path.split("/")[2] if path.startswith("/c/") else ""
            knows = has_certificate or f"Bearer {TOKEN}{number}\r\n" in head
            code, body = await stand_in.answer(path, query, knows_client=knows)
            if not code:
                writer.transport.abort()
                return
            writer.write(
                f"HTTP/1.1 {code} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def _main(folder: Path, layout: Layout) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(folder / "ca.crt"))
    context.load_cert_chain(folder / "server.crt", folder / "server.key")
    context.verify_mode = ssl.CERT_OPTIONAL
    stand_in = StandIn(folder, layout)
    server = await asyncio.start_server(
        lambda reader, writer: _serve(stand_in, reader, writer), "127.0.0.1", 0, ssl=context, backlog=1024
    )
    stand_in.port = server.sockets[0].getsockname()[1]
    sys.stdout.write(f"{stand_in.port}\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


def certificates(folder: Path) -> bool:
    """Make a certificate authority, and certificates for the server and a client; False without openssl."""
    program = shutil.which("openssl")
    if program is None:
        return False

    def openssl(*arguments: str) -> None:
        subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True)

    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *new, "-days", "2", "-subj", "/CN=ca", "-keyout", "ca.key", "-out", "ca.crt")
    for name in ("server", "client"):
        openssl("req", *new, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        (folder / "names").write_text("subjectAltName = IP:127.0.0.1,DNS:kube.internal\n")
        signed = ("-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names")
        openssl("x509", "-req", "-in", f"{name}.csr", *signed, "-out", f"{name}.crt")
    return True


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
    asyncio.run(_main(Path(sys.argv[1]), Layout(*map(int, sys.argv[2:]))))
