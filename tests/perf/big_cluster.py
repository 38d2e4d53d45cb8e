"""A big cluster on loopback: what an API server holds of it, and one that serves that until its standard input ends."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from api_server import SLICES, cluster, endpoint_slice, kubeconfig, service, serving

Json = dict[str, Any]

SERVICES, NODES = 10_000, 1_000
NAMESPACES = 100
EVERY_LOCAL = 10
"""One Service in so many is Local, and its EndpointSlices are read."""
SECONDS, MIB = 10.0, 250.0
STATUS = {"loadBalancer": {"ingress": [{"ip": "203.0.113.9"}]}}
"""Of each Service: all of them have got an address."""

_PORT = 'k:{"port":80,"protocol":"TCP"}'
_MANAGED: list[dict[str, Any]] = [
    {"manager": manager, "operation": "Update", "apiVersion": "v1", "time": "2026-01-02T03:04:05Z",
     "fieldsType": "FieldsV1", "fieldsV1": fields}
    for manager, fields in (
        ("kubectl-create", {"f:spec": {"f:ports": {_PORT: {".": {}, "f:port": {}, "f:protocol": {}}}, "f:type": {}}}),
        ("openstack-cloud-controller-manager",
         {"f:metadata": {"f:annotations": {"f:loadbalancer.openstack.org/load-balancer-id": {}}}}),
        ("openstack-cloud-controller-manager", {"f:status": {"f:loadBalancer": {"f:ingress": {}}}}),
    )
]  # fmt: skip


def services() -> Iterator[Json]:
    """All Services, each of type LoadBalancer, as they are created."""
    for number in range(SERVICES):
        policy = "Cluster" if number % EVERY_LOCAL else "Local"
        made = service(f"web-{number:05}", externalTrafficPolicy=policy, ports=[{"port": 80}, {"port": 443}])
        made["spec"]["ports"] = [{"name": f"p{port}", "port": port, "protocol": "TCP"} for port in (80, 443)]
        made["metadata"]["namespace"] = f"ns-{number % NAMESPACES:03}"
        made["status"] = STATUS
        yield made


def slices() -> Iterator[Json]:
    """The EndpointSlices of the Local Services."""
    for number in range(0, SERVICES, EVERY_LOCAL):
        made = endpoint_slice(f"web-{number:05}", f"n{number % NODES:04}", f"n{(number + 1) % NODES:04}")
        made["metadata"]["namespace"] = f"ns-{number % NAMESPACES:03}"
        yield {"addressType": "IPv4", **made}


def nodes() -> Iterator[Json]:
    """The nodes, with the images that a kubelet lists."""
    images = [{"names": [f"registry.example.org/team/image-{one}:v1"], "sizeBytes": 1_000_000} for one in range(50)]
    for number in range(NODES):
        yield {"metadata": {"name": f"n{number:04}"}, "spec": {}, "status": {"images": images}}


@contextmanager
def big_cluster(folder: Path) -> Iterator[Path]:
    """Serve it from a process of its own until the block ends; the kubeconfig."""
    command = [sys.executable, str(Path(__file__).resolve()), str(folder)]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Path(process.stdout.readline().strip())
        process.stdin.close()


def main() -> int:
    """Serve."""
    server = cluster()
    found = list(services())
    for one in found:
        one["metadata"]["managedFields"] = _MANAGED
        one["metadata"]["annotations"] = {"loadbalancer.openstack.org/load-balancer-id": one["metadata"]["name"]}
    server.lists["/api/v1/services"] = found
    server.lists[SLICES] = list(slices())
    server.lists["/api/v1/nodes"] = list(nodes())
    with serving(server):
        print(kubeconfig(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()), server), flush=True)
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
