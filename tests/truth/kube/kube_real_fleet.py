"""`cluster fleet` on many real API servers at once, each a cluster of its own: some broken, some with things in common."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path
from typing import Any

import kube_objects as objects
from kube_checks import Checks
from kube_server import Running, running

Json = dict[str, Any]

CLUSTERS = 50
STRANGERS, STOPPED = 2, 2
"""Clusters that do not take the token, and API servers that are gone."""
_AT_ONCE = 4
_BYTES_OF_ONE = 400 * 1024 * 1024
_SHARED = "55555555-6666-4777-8888-999999999999"
_SERVICES = "/api/v1/namespaces/shop/services"


def fitting() -> int:
    """As many clusters as fit into the memory that is free, at most all."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(min(CLUSTERS, free // _BYTES_OF_ONE), STRANGERS + STOPPED + 2)


def check_real_fleet(checks: Checks, folder: Path, count: int) -> None:
    """Start the API servers, each of 0.3 GiB, break some, and lint them all.

    Args:
        checks: Counts.
        folder: An empty folder.
        count: How many clusters.

    Raises:
        NotAvailableError: They cannot be had here.
    """
    reached = count - STRANGERS - STOPPED
    with ExitStack() as alive:
        with ExitStack() as gone:
            stacks = [gone if number >= count - STOPPED else alive for number in range(count)]
            with ThreadPoolExecutor(_AT_ONCE) as threads:
                servers = list(threads.map(_start, stacks, range(count), repeat(folder)))
        kubeconfigs = [_kubeconfig(server, number, reached) for number, server in enumerate(servers)]
        began = time.monotonic()
        done = _fleet(folder, kubeconfigs)
        took = time.monotonic() - began
    report = json.loads(done.stdout)
    totals = report["summary"]
    checks.hold(
        f"{count} real clusters in {took:.1f} s", (totals["read"], totals["clusters"]) == (reached, count), totals
    )
    checks.hold("a cluster that is not read makes the result partial", done.returncode == 3, done.stderr)
    uids = {row["uid"] for row in report["clusters"] if row.get("uid")}
    checks.hold("clusters of one context name are told apart", len(uids) == reached, len(uids))
    fatal = [one["clusters"] for one in report["common"] if one["rule"] == "duration-bad"]
    checks.hold("what they have in common is said once", fatal == [(reached + 1) // 2], report["common"])
    shared = [one for one in report["across"] if _SHARED in json.dumps(one)]
    checks.hold("a load balancer of two clusters is named", len(shared) == 1, report["across"])
    said = done.stdout + done.stderr
    secrets = [objects.PASSWORD, *(token for server in servers for token in server.tokens.values())]
    checks.hold("no secret is shown", not any(secret in said for secret in secrets))


def _start(alive: ExitStack, number: int, folder: Path) -> Running:
    place = folder / str(number)
    place.mkdir()
    server = alive.enter_context(running(place))
    for path, body, manager in objects.STAGE:
        server.request("POST", f"{path}?fieldManager={manager}", _of_cluster(body, number))
    if number < 2:
        name = "loadbalancer.openstack.org/load-balancer-id"
        patch = {"metadata": {"annotations": {name: _SHARED}}}
        server.request("PATCH", f"{_SERVICES}/web?fieldManager=kubectl-edit", patch, "application/merge-patch+json")
    return server


def _of_cluster(body: Json, number: int) -> Json:
    """The configuration of every second cluster is right."""
    text = body.get("stringData", {}).get("cloud.conf")
    if text is None or not number % 2:
        return body
    return {**body, "stringData": {"cloud.conf": text.replace("monitor-delay = 3\n", "monitor-delay = 3s\n")}}


def _kubeconfig(server: Running, number: int, reached: int) -> Path:
    if reached <= number < reached + STRANGERS:
        server.tokens["admin"] = "no-such-token-of-anybody"
    return server.kubeconfig("admin")


def _fleet(folder: Path, kubeconfigs: list[Path]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ccmcheck", "cluster", "fleet", "--all-contexts", "--format", "json", "--quiet"]
    environment = {**os.environ, "KUBECONFIG": os.pathsep.join(map(str, kubeconfigs))}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=environment, cwd=folder
    )
