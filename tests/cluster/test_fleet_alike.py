"""Services that are judged once, because they differ in names alone, get the findings that they would get one by one."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from api_server import ApiServer, cluster, endpoint_slice, service

from ccmcheck.cluster.fleet.alike import likeness, lint_once
from ccmcheck.cluster.fleet.service_state import ServiceState, service_states
from ccmcheck.cluster.lint import lint
from ccmcheck.cluster.snapshot import Reader, Snapshot
from ccmcheck.cluster.transport import Answer, Transport
from ccmcheck.lint.run_options import RunOptions

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

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> Answer:
        from api_server import TOKEN
        from loopback import Asked

        del seconds, most_bytes
        fault = self._server.answer(Asked("GET", path, dict(query), {"authorization": f"Bearer {TOKEN}"}))
        return Answer(fault.status, "application/json", None, fault.body)


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
        obj["metadata"]["labels"] = {"app.kubernetes.io/name": f"s{number}"}
        if chance.random() < 0.2:
            obj["status"] = {"loadBalancer": {}}
        made.append(obj)
    return made


def read(services: list[dict[str, Any]]) -> Snapshot:
    server = cluster(CONF)
    server.lists["/api/v1/services"] = services
    server.lists["/apis/discovery.k8s.io/v1/endpointslices"] = [
        endpoint_slice(one["metadata"]["name"], "n0") for one in services[::2]
    ]
    reader = Reader(Transport(Memory(server)), "memory", keep=True)
    return reader.read(reader.identity())


@pytest.mark.parametrize("seed", range(12))
def test_findings_are_those_of_every_single_service(seed: int) -> None:
    snapshot = read(some_services(seed))
    likenesses = [likeness(one) for one in snapshot.objects]
    options = RunOptions(jobs=1)
    once = lint_once(snapshot._replace(services=()), options, likenesses)
    each = lint(snapshot, options)
    assert sorted(once.findings) == sorted(each.findings)
    assert len(each.findings) > 5


@pytest.mark.parametrize("seed", range(12))
def test_states_are_those_of_every_single_service(seed: int) -> None:
    snapshot = read(some_services(seed))
    likenesses = [likeness(one) for one in snapshot.objects]
    once = list(service_states(snapshot, snapshot.facts, likenesses))
    each = list(service_states(snapshot, snapshot.facts, [""] * len(likenesses)))
    assert once == each
    assert any(state.why for state in each)
    assert any(state.differs is None for state in each)


def test_few_of_many_alike_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    alike = [service(f"s{number}", ports=[{"port": 80, "nodePort": 30000 + number}]) for number in range(100)]
    snapshot = read(alike)
    likenesses = [likeness(one) for one in snapshot.objects]
    assert len(set(likenesses)) == 1
    judged: list[int] = []

    def counted(of: Snapshot, options: RunOptions) -> Any:
        judged.append(len(of.services))
        return lint(of, options)

    monkeypatch.setattr("ccmcheck.cluster.fleet.alike.lint", counted)
    lint_once(snapshot._replace(services=()), RunOptions(jobs=1), likenesses)
    assert judged == [1]


def states(**fields: Any) -> ServiceState:
    obj = service("web", **fields.pop("spec", {}))
    obj["metadata"] |= fields.pop("metadata", {})
    obj |= fields
    snapshot = read([obj])
    (found,) = service_states(snapshot, snapshot.facts, [""])
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
