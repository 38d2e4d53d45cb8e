"""`cluster lint --octavia`, `resync` and `orphans` beside the real CCM and the real Octavia API.

What the CCM has made has no difference; each thing that is broken by hand in Octavia is found and said to be corrected by
what corrects it indeed: a change of the nodes, a sync, or nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from kube_checks import Checks
from kube_cloud import PASSWORD, READER_PASSWORD
from kube_nodes import MERGE
from kube_processes import until
from kube_stack import Stack, stack

Json = dict[str, Any]
NAME = "prod"
CONF = "create-monitor = true\nmonitor-delay = 10s\nmanage-security-groups = true\n"
INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer"
RELEASES = ("v1.36.0", "v1.31.2")
SYNC = "The next sync corrects it; a change of the nodes does not."
NODES = "The next sync corrects it, and the next change of the nodes."
NOTHING = "No sync corrects it"
SET_BACK = "No sync corrects it. When a node comes or goes, the CCM sends all members again"
WRITE = ("--write", "--yes")
SYNC_SECONDS = 5
"""Longer than a sync of one Service takes."""
PATH = "/api/v1/namespaces/default/services/{}?fieldManager=kubectl-edit"


def service(name: str, *ports: Json, annotations: Json | None = None, **spec: Any) -> Json:
    """A Service."""
    listed = list(ports) or [{"port": 80}]
    whole = {"type": "LoadBalancer", "selector": {"app": name}, "ports": listed, **spec}
    return {"metadata": {"name": name, "annotations": annotations or {}}, "spec": whole}


SERVICES = (
    service("web"),
    service("local", externalTrafficPolicy="Local"),
    service("two", {"name": "a", "port": 80}, {"name": "b", "port": 443}),
    service("udp", {"port": 53, "protocol": "UDP"}),
    service("both", {"name": "a", "port": 53, "protocol": "UDP"}, {"name": "b", "port": 53}),
    service("internal", annotations={INTERNAL: "true"}),
    service("sticky", sessionAffinity="ClientIP"),
    service("ranges", loadBalancerSourceRanges=["192.0.2.0/24", "198.51.100.0/24"]),
    service("proxy", annotations={"loadbalancer.openstack.org/proxy-protocol": "true"}),
    service("forwarded", annotations={"loadbalancer.openstack.org/x-forwarded-for": "true"}),
    service("unwatched", annotations={"loadbalancer.openstack.org/enable-health-monitor": "false"}),
    service("slow", annotations={"loadbalancer.openstack.org/timeout-client-data": "90000"}),
    service("limited", annotations={"loadbalancer.openstack.org/connection-limit": "100"}),
)


class Broken(NamedTuple):
    """Something broken by hand in Octavia.

    Attributes:
        service: The Service.
        words: What lint says.
        repair: What it says corrects it.
        path: What is changed, with the IDs of the Service's parts.
        body: The change; None for a deletion.
        by_release: Another repair in one release.
    """

    service: str
    words: str
    repair: str
    path: str
    body: Json | None
    by_release: tuple[tuple[str, str], ...] = ()


BROKEN = (
    Broken("web", "health monitor: none", NODES, "healthmonitors/{monitor}", None),
    Broken("local", "monitor's delay: 60 s", NODES, "healthmonitors/{monitor}", {"healthmonitor": {"delay": 60}}),
    Broken("udp", "connection limit: 7", SYNC, "listeners/{listener}", {"listener": {"connection_limit": 7}}),
    Broken(
        "internal", "timeout: timeout_client_data 1000 ms", SYNC, "listeners/{listener}",
        {"listener": {"timeout_client_data": 1000}},
    ),
    Broken(
        "sticky", "algorithm: LEAST_CONNECTIONS", NODES, "pools/{pool}", {"pool": {"lb_algorithm": "LEAST_CONNECTIONS"}},
        by_release=(("v1.31.2", NOTHING),),
    ),
    Broken("ranges", "allowed CIDRs: 10.0.0.0/8", SYNC, "listeners/{listener}", {"listener": {"allowed_cidrs": ["10.0.0.0/8"]}}),
    Broken("slow", "members' weight: 0", SET_BACK, "pools/{pool}/members/{member}", {"member": {"weight": 0}}),
    Broken("limited", "members: ", NODES, "pools/{pool}/members/{member}", None),
    Broken(
        "unwatched", "session persistence: SOURCE_IP", NOTHING, "pools/{pool}",
        {"pool": {"session_persistence": {"type": "SOURCE_IP"}}},
    ),
)  # fmt: skip


class Said(NamedTuple):
    """What a run of ccmcheck left behind."""

    code: int
    out: str
    err: str

    def differences(self) -> dict[str, str]:
        """What a JSON report says of the load balancers, by the Service and the words."""
        return {
            f"{finding['path']}: {finding['label']}": finding["detail"]
            for finding in json.loads(self.out)["findings"]
            if finding["rule"].startswith("svc-octavia-")
        }


def check_octavia(checks: Checks, folder: Path, *releases: str) -> None:
    """Run all checks for each release, in a cluster of its own.

    Args:
        checks: Counts what holds.
        folder: An empty one.
        releases: Of the CCM.

    Raises:
        NotAvailableError: It cannot be had here.
    """
    for release in releases or RELEASES:
        own = folder / release
        own.mkdir()
        with stack(own, ccm=release, nodes=3) as cluster:
            cluster.install_ccm(cluster.cloud.conf(CONF), cluster_name=NAME)
            until(cluster.kubelet.running, "the CCM's pod runs")
            cluster.wait_for_nodes()
            for one in SERVICES:
                cluster.create_service(one)
            for one in SERVICES:
                cluster.wait_for_address(one["metadata"]["name"])
            _Checked(checks, cluster, release).all()


class _Checked:
    """The checks of one release."""

    def __init__(self, checks: Checks, cluster: Stack, release: str) -> None:
        self._checks = checks
        self._cluster = cluster
        self._release = release

    def all(self) -> None:
        """One after another: each begins where the one before ended."""
        self._unchanged()
        self._broken()
        self._nodes()
        self._resync()
        self._renamed()
        self._orphans()

    def _hold(self, name: str, holds: bool, seen: object = "") -> None:
        self._checks.hold(f"{self._release}: {name}", holds, seen)

    def _run(self, *arguments: str) -> Said:
        command, *others = arguments
        way = ("--kubeconfig", str(self._cluster.kubeconfig), "--os-cloud", "reader")
        variables = {"OS_CLIENT_CONFIG_FILE": str(self._cluster.cloud.clouds_yaml)}
        with patch.dict(os.environ, variables):
            done = subprocess.run(
                [sys.executable, "-m", "ccmcheck", "cluster", command, *way, *others],
                capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        said = Said(done.returncode, done.stdout, done.stderr)
        assert not any(secret in done.stdout + done.stderr for secret in (PASSWORD, READER_PASSWORD))
        return said

    def _lint(self) -> Said:
        return self._run("lint", "--octavia", "--format", "json")

    def _unchanged(self) -> None:
        said = self._lint()
        found = said.differences()
        self._hold(f"what the CCM made for {len(SERVICES)} Services has no difference", not found, found)
        failures = json.loads(said.out)["failures"]
        self._hold("everything was read", not failures, failures)

    def _repair(self, broken: Broken) -> str:
        return dict(broken.by_release).get(self._release, broken.repair)

    def _ids(self, name: str) -> dict[str, str]:
        found = self._cluster.cloud.balancer(f"kube_service_{NAME}_default_{name}")
        assert found is not None, name
        listener = found["listeners"][0]
        pool = listener["default_pool"]
        monitor = pool.get("healthmonitor") or {}
        return {
            "balancer": found["id"], "listener": listener["id"], "pool": pool["id"],
            "monitor": monitor.get("id", ""), "member": pool["members"][0]["id"],
        }  # fmt: skip

    def _octavia(self, method: str, path: str, body: Json | None = None) -> None:
        reply = self._cluster.cloud.octavia.ask(method, path, body)
        assert reply.status < 300, (path, reply)

    def _broken(self) -> None:
        for broken in BROKEN:
            path = broken.path.format(**self._ids(broken.service))
            self._octavia("DELETE" if broken.body is None else "PUT", path, broken.body)
        found = self._lint().differences()
        for broken in BROKEN:
            of_service = {words: text for words, text in found.items() if f"/{broken.service}: " in words}
            matching = [text for words, text in of_service.items() if broken.words in words]
            self._hold(
                f"{broken.service}: {broken.words} is found, alone", len(of_service) == len(matching) == 1, found
            )
            self._hold(
                f"{broken.service}: said to be corrected so", self._repair(broken) in "".join(matching), matching
            )
        self._hold("nothing else is found", len(found) == len(BROKEN), found)

    def _left(self) -> set[str]:
        """The Services of what is still broken."""
        found = self._lint().differences()
        return {one.service for one in BROKEN for words in found if f"/{one.service}: " in words and one.words in words}

    def _nodes(self) -> None:
        """A change of the nodes corrects what it is said to correct, and nothing else."""
        node = "/api/v1/nodes/node-3?fieldManager=kubectl-label"
        label = {"node.kubernetes.io/exclude-from-external-load-balancers": ""}
        weighted = next(one for one in BROKEN if one.repair == SET_BACK)
        said = self._run("resync", f"default/{weighted.service}", *WRITE)
        self._hold(
            "no sync is triggered for a weight", said.code == 1 and "No sync corrects anything" in said.out, said
        )
        change = {"metadata": {"annotations": {"example.org/x": "y"}}}
        self._cluster.server.request("PATCH", PATH.format(weighted.service), change, MERGE)
        time.sleep(SYNC_SECONDS)
        self._hold("and a sync does not correct it", weighted.service in self._left())
        self._cluster.server.request("PATCH", node, {"metadata": {"labels": label}}, MERGE)
        wanted = {one.service for one in BROKEN if self._repair(one) not in (NODES, SET_BACK)}
        found = _wait(self._left, wanted)
        self._hold("a change of the nodes leaves what it is said to leave", found == wanted, (found, wanted))

    def _resync(self) -> None:
        """A resync corrects what a sync is said to correct."""
        said = self._run("resync", "--all", *WRITE)
        wanted = {one.service for one in BROKEN if self._repair(one) == NOTHING}
        self._hold("resync says that something is left", said.code == 1, said)
        found = _wait(self._left, wanted)
        self._hold("a sync leaves what it is said to leave", found == wanted, (found, wanted))
        again = self._run("resync", "default/web", "default/udp", *WRITE)
        self._hold(
            "a second resync has nothing to correct", again.code == 0 and "nothing to correct" in again.out, again
        )

    def _renamed(self) -> None:
        """A load balancer with another cluster's name is found, not taken by resync, and taken by the CCM's next sync."""
        identifier = self._ids("proxy")["balancer"]
        name = "kube_service_dev_default_proxy"
        self._octavia("PUT", f"loadbalancers/{identifier}", {"loadbalancer": {"name": name}})
        found = "".join(self._lint().differences())
        self._hold(
            "another cluster's load balancer is found",
            "belongs to cluster dev: the next sync renames it" in found,
            found,
        )
        said = self._run("resync", "default/proxy", *WRITE)
        self._hold("resync does not take it", said.code == 1 and "would take load balancer" in said.out, said)
        change = {"metadata": {"annotations": {"example.org/x": "y"}}}
        self._cluster.server.request("PATCH", PATH.format("proxy"), change, MERGE)
        own = f"kube_service_{NAME}_default_proxy"
        until(lambda: self._cluster.cloud.balancer(own), "the CCM renames it")
        self._hold("the CCM takes it", self._cluster.cloud.balancer(name) is None)

    def _orphans(self) -> None:
        """What is left when a Service goes without its finalizer is listed, and nothing else."""
        neutron = self._cluster.cloud.stand_in.neutron.collections
        for one in (*neutron["floatingips"], *neutron["security_groups"]):
            one["created_at"] = datetime.now(UTC).isoformat()  # which the real one notes by itself
        said = self._run("orphans", "--older-than", "0m", "--format", "json")
        self._hold("nothing is orphaned", said.code == 0 and not json.loads(said.out)["orphans"], said)
        self._cluster.server.request(
            "DELETE", "/apis/apps/v1/namespaces/kube-system/daemonsets/openstack-cloud-controller-manager"
        )
        until(lambda: not self._cluster.kubelet.running(), "the CCM is gone")
        uid = self._cluster.service("web")["metadata"]["uid"]
        self._cluster.server.request("PATCH", PATH.format("web"), {"metadata": {"finalizers": None}}, MERGE)
        self._cluster.server.request("DELETE", PATH.format("web"))
        said = self._run("orphans", "--older-than", "0m", "--cluster-name", NAME, "--format", "json")
        found = json.loads(said.out)["orphans"] if said.out else []
        kinds = sorted(one["kind"] for one in found)
        self._hold("all of a lost Service is listed", kinds == ["floating IP", "load balancer", "security group"], said)
        self._hold("and nothing of another", {one["service"] for one in found} == {"default/web"}, said)
        groups = [one["name"] for one in found if one["kind"] == "security group"]
        self._hold("the security group is that of its UID", all(uid in name for name in groups), groups)
        young = self._run("orphans", "--cluster-name", NAME, "--format", "json")
        self._hold("what is young is left out", young.code == 0 and len(json.loads(young.out)["left_out"]) > 0, young)


def _wait(seen: Any, wanted: set[str], seconds: float = 60) -> set[str]:
    """What is seen once it is as wanted, or at the end."""
    ends = time.monotonic() + seconds
    while True:
        found: set[str] = seen()
        if found == wanted or time.monotonic() > ends:
            return found
        time.sleep(1)
