"""The traffic of a cluster whose load balancers are records of the real Octavia API: each connection goes where they say.

One stand-in on loopback is at all addresses. The listener, the pool, its algorithm, members, monitor and ranges are those that the CCM made at Octavia, and
nodes pass connections on as kube-proxy does: under policy Local only to a pod of their own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from itertools import count
from typing import Any

from kube_cloud import Octavia
from kube_stack import Stack
from led_traffic import UDP, standing_in

from ccmcheck.cluster.conformance.echo import FIRST_LINE

Json = dict[str, Any]

CLIENT = "198.51.100.9"
CONNECT_SECONDS, CONNECT_TRIES = 5.0, 4
"""HAProxy's, as Octavia renders them."""
_ID = "loadbalancer.openstack.org/load-balancer-id"
_FRESH = 0.3
"""Seconds after which the cluster and Octavia are read again."""
_AT_ONCE = 0.1
"""Seconds between two requests of a row."""

CLIENT_PROGRAM = """
from led_traffic import led_to
from ccmcheck.cluster.conformance import session
session.POLL_SECONDS = 0.2
from ccmcheck.cli.main import main
with led_to({port}):
    main()
"""
"""Runs ccmcheck with all requests to load balancers led to the stand-in at a port."""


class Traffic:
    """The data plane."""

    def __init__(self, cluster: Stack) -> None:
        self._cluster = cluster
        # a connection of its own: requests are answered beside whatever else asks Octavia
        self._cloud = cluster.cloud._replace(octavia=Octavia(cluster.cloud.octavia.port, cluster.folder))
        self._turns = count()
        self._lock = threading.Lock()
        self._began = float("-inf")
        self._seen: Json | None = None
        self._asked: dict[tuple[str, str, int], float] = {}

    def answer(self, protocol: str, address: str, port: int) -> str:
        """What a pod answers; empty where the connection is closed, or the datagram lost.

        The first request to an address is answered by what is read then: another Service may have had the address. Those
        that follow at once are answered by what was read last, so that a slow machine makes no load balancer slow.
        """
        now = time.monotonic()
        place = protocol, address, port
        is_first = now - self._asked.get(place, float("-inf")) > _AT_ONCE
        seen = self._read(now) if is_first or self._seen is None else self._seen
        said = self._answer(seen, *place)
        if not said and not is_first:
            said = self._answer(self._read(now), *place)
        elif now - self._began > _FRESH:
            threading.Thread(target=self._read, args=(now,), daemon=True).start()
        self._asked[place] = time.monotonic()
        return said

    def _read(self, asked: float) -> Json:
        """What there is, read after this time."""
        with self._lock:
            if self._seen is None or self._began < asked:
                began = time.monotonic()
                self._seen = self._look()
                self._began = began
            return self._seen

    def _answer(self, seen: Json, protocol: str, address: str, port: int) -> str:
        found = _find(seen, protocol, address, port)
        if found is None:
            return ""
        service, listener, nodes, pods = found
        ranges = listener.get("allowed_cidrs") or ["0.0.0.0/0"]
        pool = listener["default_pool"]
        if not any(ip_address(CLIENT) in ip_network(one) for one in ranges):
            return ""
        is_local = service["spec"].get("externalTrafficPolicy") == "Local"
        members = [nodes.get(member["address"], "") for member in pool["members"]]
        if is_local and pool.get("healthmonitor"):
            members = [node for node in members if node in pods.values()]
        if not members or not pods:
            return ""
        for _ in range(CONNECT_TRIES):
            turn = next(self._turns)
            node = members[turn % len(members)]
            own = sorted(name for name, place in pods.items() if not is_local or place == node)
            if not own:
                time.sleep(CONNECT_SECONDS)
                continue
            keeps = service["spec"].get("sessionAffinity") == "ClientIP"
            proxied = f"proxy={CLIENT}\n" if pool["protocol"].startswith("PROXY") else ""
            return f"{FIRST_LINE}\npod={own[0 if keeps else turn % len(own)]}\nclient=10.0.0.250\n{proxied}"
        return ""

    def _look(self) -> Json:
        ask = self._cluster.server.request
        nodes = {
            one["address"]: node["metadata"]["name"]
            for node in ask("GET", "/api/v1/nodes")["items"]
            for one in node["status"]["addresses"]
            if one["type"] == "InternalIP"
        }
        return {
            "services": ask("GET", "/api/v1/services")["items"],
            "pods": ask("GET", "/api/v1/pods")["items"],
            "nodes": nodes,
            "balancers": {one["id"]: one for one in self._cloud.balancers()},
        }


def _find(
    seen: Json, protocol: str, address: str, port: int
) -> tuple[Json, Json, dict[str, str], dict[str, str]] | None:
    """The Service at an address, its listener, the nodes by their addresses, and the nodes of its pods."""
    for service in seen["services"]:
        ingress = service.get("status", {}).get("loadBalancer", {}).get("ingress") or []
        ports = [(one["protocol"].lower(), one["port"]) for one in service["spec"]["ports"]]
        if (protocol, port) not in ports or address not in [one.get("ip") for one in ingress]:
            continue
        balancer = seen["balancers"].get(service["metadata"].get("annotations", {}).get(_ID))
        listeners = balancer["listeners"] if balancer else []
        listener = next((one for one in listeners if _is_at(one, protocol, port)), None)
        if listener is None or not listener.get("default_pool", {}).get("protocol"):
            return None  # or the CCM is making it
        namespace, wanted = service["metadata"]["namespace"], service["spec"]["selector"].items()
        pods = {
            pod["metadata"]["name"]: pod["spec"].get("nodeName", "")
            for pod in seen["pods"]
            if pod["metadata"]["namespace"] == namespace
            and wanted <= pod["metadata"].get("labels", {}).items()
            and "deletionTimestamp" not in pod["metadata"]
        }
        return service, listener, seen["nodes"], pods
    return None


def _is_at(listener: Json, protocol: str, port: int) -> bool:
    return bool(listener["protocol_port"] == port and (listener["protocol"] == "UDP") == (protocol == UDP))


@contextmanager
def traffic(cluster: Stack) -> Iterator[int]:
    """Serve until the block ends; the port on loopback."""
    with standing_in(Traffic(cluster).answer) as port:
        yield port
