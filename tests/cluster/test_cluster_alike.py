"""Services that are judged once, because they differ in names alone, get the findings that they would get one by one."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from api_server import ApiServer, cluster, daemonset, endpoint_slice, secret, service

from ccmcheck.cluster.access.transport import HTTPAnswer, Transport
from ccmcheck.cluster.fleet.service_state import ServiceState, carried_confs, service_states
from ccmcheck.cluster.live.lint import lint
from ccmcheck.cluster.live.snapshot import ClusterReader, Snapshot
from ccmcheck.lint.baseline import Baseline
from ccmcheck.lint.run_options import RunOptions
from ccmcheck.lint.texts import run_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

CONF = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
application-credential-id = 5f3c1b2a7e6d4c5b9a8f1e2d3c4b5a69
application-credential-secret = hunter2-is-the-secret
[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
lb-provider = ovn
lb-method = SOURCE_IP_PORT
"""
LONG_AGO = "2025-01-02T03:04:05Z"
PREFIX = "loadbalancer.openstack.org/"
ANNOTATIONS: tuple[dict[str, str], ...] = (
    {}, {}, {}, {f"{PREFIX}enable-health-monitor": "maybe"}, {f"{PREFIX}proxy-protocol": "true"},
    {f"{PREFIX}timeout-client-data": "50s"}, {f"{PREFIX}load-balancer-id": "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"},
    {f"{PREFIX}clas": "x"}, {"meta.helm.sh/release-name": "r"}, {"metallb.universe.tf/address-pool": "p"},
)  # fmt: skip


class Memory:
    """A connection to objects in memory."""

    server = "https://memory"

    def __init__(self, server: ApiServer) -> None:
        self._server = server

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
        from api_server import TOKEN
        from loopback import Asked

        del seconds, most_bytes
        fault = self._server.answer(Asked("GET", path, dict(query), {"authorization": f"Bearer {TOKEN}"}))
        return HTTPAnswer(fault.status, "application/json", None, fault.body)


def some_services(seed: int) -> list[dict[str, Any]]:
    """Services of a few shapes, under many names."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    made = []
    for number in range(30):
        spec: dict[str, Any] = {
            "ports": [
                {
                    "port": chance.choice((80, 443)),
                    "protocol": chance.choice(("TCP", "TCP", "UDP")),
                    "nodePort": 30000 + number,
                }
            ],
            "clusterIP": f"10.0.0.{number}",
            "externalTrafficPolicy": chance.choice(("Cluster", "Cluster", "Cluster", "Local")),
        }
        if chance.random() < 0.1:
            spec["loadBalancerSourceRanges"] = ["10.0.0.0/8"]
        if chance.random() < 0.1:
            spec["loadBalancerClass"] = "example.org/other"
        if chance.random() < 0.1:
            spec["sessionAffinity"] = "ClientIP"
        obj = service(f"s{number}", annotations=dict(chance.choice(ANNOTATIONS)), **spec)
        obj["metadata"] |= {"labels": {"app.kubernetes.io/name": f"s{number}"}, "creationTimestamp": LONG_AGO}
        if chance.random() < 0.2:
            obj["status"] = {"loadBalancer": {}}
        made.append(obj)
    return made


def read(services: list[dict[str, Any]], slices: list[dict[str, Any]] | None = None) -> Snapshot:
    """A cluster of some Services; without slices of their own, each second has a pod on one node."""
    server = cluster(CONF)
    server.lists["/api/v1/services"] = services
    if slices is None:
        slices = [endpoint_slice(one["metadata"]["name"], "n0") for one in services[::2]]
    server.lists["/apis/discovery.k8s.io/v1/endpointslices"] = slices
    reader = ClusterReader(Transport(Memory(server)), "memory", keep=True)
    return reader.read(reader.identity())


def without_likeness(snapshot: Snapshot) -> Snapshot:
    """The same, in which each Service is judged for itself."""
    return snapshot._replace(alike=("",) * len(snapshot.alike))


@pytest.mark.part(of=4)
@pytest.mark.parametrize("seed", range(12))
def test_findings_are_those_of_every_single_service(seed: int) -> None:
    snapshot = read(some_services(seed))
    options = RunOptions(jobs=1)
    each = lint(without_likeness(snapshot), options)
    assert len(each.findings) > 5
    for of in (snapshot, snapshot._replace(services=())):  # with files of the Services, and without, as in a fleet
        once = lint(of, options)
        assert once.findings == each.findings
        assert once.failures == each.failures
        assert once.summary._replace(seconds=0) == each.summary._replace(seconds=0)


@pytest.mark.parametrize("seed", range(12))
def test_states_are_those_of_every_single_service(seed: int) -> None:
    snapshot = read(some_services(seed))
    confs = carried_confs(snapshot.configs)
    once = list(service_states(snapshot, snapshot.facts, confs))
    each = list(service_states(without_likeness(snapshot), snapshot.facts, confs))
    assert once == each
    assert any(state.why for state in each)
    assert any(state.differs is None for state in each)


@pytest.mark.part(of=4)
@pytest.mark.parametrize("seed", range(12))
def test_the_table_says_the_same_as_the_rules(seed: int) -> None:
    services = some_services(seed)
    for number, obj in enumerate(services[::3]):
        obj["metadata"]["annotations"] = {f"{PREFIX}hostname": "a.example.org"} if number % 2 else {}
        obj["spec"] = {**obj["spec"], "externalTrafficPolicy": "Cluster", "ports": [{"port": 80, "nodePort": 30000}]}
        obj["status"] = {"loadBalancer": {"ingress": [{"ip": "192.0.2.7", "ipMode": ("VIP", "Proxy")[number % 4 > 1]}]}}
    services[1]["metadata"]["deletionTimestamp"] = LONG_AGO
    services[1]["status"] = {"loadBalancer": {}}
    snapshot = read(services)
    found = lint(snapshot, RunOptions(jobs=1)).findings
    by_rule = {
        rule: {finding.place.path.removeprefix("Service ") for finding in found if finding.rule == rule}
        for rule in ("svc-pending", "svc-status-differs")
    }
    rows = list(service_states(snapshot, snapshot.facts, carried_confs(snapshot.configs)))
    without = {row.name for row in rows if row.why and not row.addresses}
    assert by_rule["svc-pending"] == without
    assert {row.name for row in rows if "would publish" in (row.differs or "")} == by_rule["svc-status-differs"]
    assert all(by_rule.values())


def test_few_of_many_alike_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [service(f"s{number}", ports=[{"port": 80, "nodePort": 30000 + number}]) for number in range(100)]
    snapshot = read(made)
    assert len(set(snapshot.alike)) == 1
    judged: list[int] = []

    def counted(texts: Mapping[str, bytes], *arguments: Any) -> Any:
        judged.append(sum("Service" in path for path in texts))
        return run_texts(texts, *arguments)

    monkeypatch.setattr("ccmcheck.lint.texts.run_texts", counted)
    assert lint(snapshot, RunOptions(jobs=1)).summary.services == 100
    assert judged == [1]


def test_all_that_are_alike_are_judged_where_a_finding_is_suppressed_or_a_baseline_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ccmcheck.lint.texts.run_texts", suppressed)
    snapshot = read([service(f"s{number}") for number in range(5)])
    assert lint(snapshot, RunOptions(jobs=1)).summary.suppressed == 5
    assert (
        lint(snapshot, RunOptions(jobs=1, baseline=Baseline({"Service shop/s1": {"svc-x": 1}}, "/"))).summary.suppressed
        == 5
    )


def suppressed(texts: Mapping[str, bytes], *arguments: Any) -> Any:
    """A result in which something about each Service was suppressed."""
    result = run_texts(texts, *arguments)
    count = sum("Service" in path for path in texts)
    return result._replace(findings=[], summary=result.summary._replace(suppressed=count))


def test_local_services_are_alike_where_as_many_nodes_have_a_pod() -> None:
    made = [service(name, externalTrafficPolicy="Local") for name in ("none", "one", "other", "two")]
    for obj in made:
        obj["spec"]["selector"] = {"app": obj["metadata"]["name"]}
    ready = {"one": ("n0",), "other": ("n1",), "two": ("n0", "n1")}
    snapshot = read(made, [endpoint_slice(name, *nodes) for name, nodes in ready.items()])
    none, one, other, two = snapshot.alike
    assert one
    assert one == other
    assert len({none, one, two}) == 3


def test_a_local_service_beside_the_ccm_is_judged_alone() -> None:
    obj = service("web", externalTrafficPolicy="Local")
    obj["metadata"]["namespace"] = "kube-system"
    assert read([obj]).alike == ("",)


def test_a_timeout_of_session_affinity_that_differs_is_reported() -> None:
    made = [
        service(
            f"s{seconds}", sessionAffinity="ClientIP", sessionAffinityConfig={"clientIP": {"timeoutSeconds": seconds}}
        )
        for seconds in (10800, 300)
    ]
    found = lint(read(made), RunOptions(jobs=1)).findings
    assert [one.place.path for one in found if one.rule == "svc-session-affinity"] == ["Service shop/s300"]


def test_a_name_that_makes_a_description_too_long_is_reported() -> None:
    names = ("s", "s" * 63)
    server = cluster(CONF)
    path = "/apis/apps/v1/namespaces/kube-system/daemonsets"
    server.lists[path] = [{**daemonset(cluster_name="c" * 150), "kind": "DaemonSet"}]
    server.lists["/api/v1/services"] = [service(name, ports=[{"port": 80, "nodePort": 30000}]) for name in names]
    reader = ClusterReader(Transport(Memory(server)), "memory", keep=True)
    snapshot = reader.read(reader.identity())
    rows = service_states(snapshot, snapshot.facts, carried_confs(snapshot.configs))
    assert ["255 at most" in row.why for row in rows] == [False, True]


def test_services_beside_different_ccms_are_not_alike() -> None:
    server = cluster(CONF)
    other = daemonset()
    other["metadata"]["namespace"] = "second"
    path = "/apis/apps/v1/namespaces/second"
    server.add(f"{path}/daemonsets", other, kind="DaemonSet", version="apps/v1")
    server.lists |= {f"{path}/deployments": [], "/api/v1/namespaces/second/pods": []}
    ingress = f"{CONF}enable-ingress-hostname = true\n"
    server.add("/api/v1/namespaces/second/secrets", secret(ingress, namespace="second"), kind="Secret")
    made = [service(f"s{number}") for number in range(3)]
    for obj, namespace in zip(made, ("shop", "second", "kube-system"), strict=True):
        obj["metadata"]["namespace"] = namespace
        obj["metadata"]["annotations"] = {f"{PREFIX}proxy-protocol": "true"}
        obj["status"] = {"loadBalancer": {"ingress": [{"hostname": "a.example.org"}]}}
    server.lists["/api/v1/services"] = made
    reader = ClusterReader(Transport(Memory(server)), "memory", ("kube-system", "second"), keep=True)
    snapshot = reader.read(reader.identity())
    assert len(set(snapshot.alike)) == 3
    options = RunOptions(jobs=1)
    assert lint(snapshot, options).findings == lint(without_likeness(snapshot), options).findings


def states(**fields: Any) -> ServiceState:
    obj = service("web", **fields.pop("spec", {}))
    obj["metadata"] |= {"creationTimestamp": LONG_AGO, **fields.pop("metadata", {})}
    obj |= fields
    snapshot = read([obj])
    (found,) = service_states(snapshot, snapshot.facts, carried_confs(snapshot.configs))
    return found


def test_a_young_service_may_wait_for_its_address() -> None:
    from datetime import UTC, datetime

    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert states(status={}).why == "it has no address"
    assert states(status={}, metadata={"creationTimestamp": now}).why == ""


def test_a_service_of_another_controller_is_not_judged() -> None:
    found = states(status={}, spec={"loadBalancerClass": "example.org/other"})
    assert (found.why, found.differs, found.predicted_name) == ("", "", "")


def test_a_service_that_the_ccm_would_refuse_is_named_with_the_reason() -> None:
    found = states(metadata={"annotations": {f"{PREFIX}x-forwarded-for": "true"}})
    assert found.basis == "prediction"
    assert found.why.startswith("refused: the ovn provider does not support HTTP")
    assert found.differs == "it has an address though the CCM's requests would fail now"


def test_what_is_no_address_is_not_kept() -> None:
    ingress = [{"ip": "192.0.2.9"}, {"hostname": "a.example.org"}, {"ip": "c4nary of somebody"}]
    found = states(status={"loadBalancer": {"ingress": ingress}})
    assert found.addresses == ("192.0.2.9", "a.example.org")
    named = states(metadata={"annotations": {f"{PREFIX}load-balancer-id": "c4nary"}})
    assert named.balancer == ""
