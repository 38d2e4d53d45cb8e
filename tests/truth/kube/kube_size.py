"""`cluster lint` at a big cluster: 10,000 Services, 1,000 nodes and 20,000 Secrets in a real API server, measured."""

from __future__ import annotations

import http.client
import json
import ssl
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import kube_objects as objects
from big_cluster import MIB, NAMESPACES, NODES, SECONDS, SERVICES, STATUS, nodes, services, slices
from kube_checks import Checks
from kube_server import Running, running
from stopwatch import Command, run_apart

Json = dict[str, Any]

SECRETS = 20_000
PORTS = "--service-node-port-range=1024-65535"
"""The default range has 2,768 ports."""
RUNS = 3
_THREADS = 4
_ANY_FINDING = (0, 1)
_KEPT = ("name", "namespace", "labels", "annotations")


def check_size(checks: Checks, folder: Path) -> None:
    """Measure the goal.

    Args:
        checks: Counts.
        folder: An empty folder.

    Raises:
        NotAvailableError: It cannot be had here.
    """
    with running(folder, PORTS) as server:
        for path, body, manager in islice(objects.STAGE, 3):
            server.request("POST", f"{path}?fieldManager={manager}", body)
        for number in range(NAMESPACES):
            server.request("POST", "/api/v1/namespaces", {"metadata": {"name": f"ns-{number:03}"}})
        _fill(server, _everything())
        config = server.kubeconfig("admin")
        arguments = (sys.executable, "-m", "ccmcheck", "cluster", "lint", "--kubeconfig", str(config))
        lint = Command("cluster lint", arguments, folder, _ANY_FINDING)
        taken = min((run_apart(lint) for _ in range(RUNS)), key=lambda sample: sample.wall)
    what = f"{SERVICES:,} Services, {NODES:,} nodes, {SECRETS:,} Secrets linted"
    numbers = f"{taken.wall:.1f} s (cpu {taken.cpu:.1f} s), {taken.memory:.0f} MiB"
    checks.hold(f"{what} in {numbers}", taken.wall <= SECONDS and taken.memory <= MIB, numbers)


def _everything() -> Iterator[tuple[str, Json]]:
    """Each object with the path of its list."""
    for made in nodes():
        yield "/api/v1/nodes", made
    for made in services():
        yield f"/api/v1/namespaces/{made['metadata']['namespace']}/services", made
    for made in slices():
        namespace = made["metadata"]["namespace"]
        yield f"/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices", made
    for number in range(SECRETS):
        namespace = f"ns-{number % NAMESPACES:03}"
        name = {"metadata": {"name": f"secret-{number:05}", "namespace": namespace}}
        yield f"/api/v1/namespaces/{namespace}/secrets", {**name, "stringData": {"value": "x" * 5_000}}


def _fill(server: Running, made: Iterable[tuple[str, Json]]) -> None:
    """Create objects, by a few connections that are kept."""
    found = list(made)
    with ThreadPoolExecutor(_THREADS) as workers:
        list(workers.map(lambda first: _create(server, found[first::_THREADS]), range(_THREADS)))


def _create(server: Running, made: Iterable[tuple[str, Json]]) -> None:
    context = ssl.create_default_context(cafile=str(server.authority))
    connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=60)
    for path, one in made:
        metadata = {key: value for key, value in one["metadata"].items() if key in _KEPT}
        _send(server, connection, "POST", f"{path}?fieldManager=kubectl-create", {**one, "metadata": metadata})
        if path.endswith("/services"):
            status = f"{path}/{metadata['name']}/status?fieldManager=openstack-cloud-controller-manager"
            _send(server, connection, "PATCH", status, {"status": STATUS})
    connection.close()


def _send(server: Running, connection: http.client.HTTPSConnection, method: str, path: str, body: Json) -> None:
    kind = "application/json" if method == "POST" else "application/merge-patch+json"
    headers = {"Authorization": f"Bearer {server.tokens['admin']}", "Content-Type": kind}
    connection.request(method, path, json.dumps(body), headers)
    answer = connection.getresponse()
    said = answer.read()
    assert answer.status in (http.HTTPStatus.OK, http.HTTPStatus.CREATED), f"{path}: {answer.status} {said[:500]!r}"
