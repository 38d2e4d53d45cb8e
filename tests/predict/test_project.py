"""Services of one deployment in one cloud: shared load balancers, equal names, the quota."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from predict_cases import options, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.nodes import placeholder_nodes
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.project import Project
from ccmcheck.predict.records import Outcome, Prediction

SHARED = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer"
CLOUD = CloudState(nodes=placeholder_nodes(3))


def sharer(name: str, port: int, **annotations: str) -> Service:
    return service(f"TCP/{port}", {"load-balancer-id": SHARED, **annotations})._replace(name=name)


def predicted(
    services: Sequence[Service], text: str = "", release: str = "1.36", cloud: CloudState = CLOUD
) -> list[Prediction]:
    config = options(text, release)
    project = Project(config, services, cloud)
    return [project.take(one, predict(config, one, project.before(one))) for one in services]


def shown(prediction: Prediction) -> list[str]:
    return [f"{one.method} {one.path.rpartition('/lbaas/')[2] or one.path}" for one in prediction.requests]


def test_a_guest_gets_listeners_pools_members_and_a_tag() -> None:
    owner, guest = predicted([sharer("a", 80), sharer("b", 81)])
    assert shown(owner) == []  # it is there
    assert shown(guest) == [
        "POST listeners", "POST pools", "PUT pools/{pool 0}/members", f"PUT loadbalancers/{SHARED}"
    ]  # fmt: skip
    assert guest.outcome is Outcome.ACCEPTED
    assert guest.requests[-1].body == {
        "loadbalancer": {"tags": ["kube_service_kubernetes_shop_a", "kube_service_kubernetes_shop_b"]}
    }
    assert guest.published == owner.published
    assert any("shop/a, the first Service" in text for text in guest.assumed)


@pytest.mark.parametrize(
    ("services", "text", "release", "errors"),
    [
        ([sharer("a", 80), sharer("b", 80)], "", "1.36", ["", "the listener port 80 already exists"]),
        (
            [sharer("a", 80), sharer("b", 81), sharer("c", 82)],
            "",
            "1.36",
            ["", "", f"load balancer {SHARED} already shared with 2 Services"],
        ),
        ([sharer("a", 80), sharer("b", 81), sharer("c", 82)], "max-shared-lb=3\n", "1.36", ["", "", ""]),
        (
            [sharer("a", 80), sharer("b", 81, **{INTERNAL: "true"})],
            "",
            "1.36",
            ["", "internal Service cannot share a load balancer"],
        ),
        ([sharer("a", 80), sharer("b", 81, **{INTERNAL: "true"})], "", "1.26", ["", ""]),
        (
            [sharer("a", 80, **{INTERNAL: "true"}), sharer("b", 81)],
            "",
            "1.36",
            [
                "",
                "cannot attach a floating IP to a load balancer for a shared Service shop/b, only owner Service can do that",
            ],
        ),
    ],
)
def test_what_keeps_services_from_sharing(services: list[Service], text: str, release: str, errors: list[str]) -> None:
    assert [one.error for one in predicted(services, text, release)] == errors


def test_before_1_23_each_service_gets_its_own() -> None:
    assert [shown(one)[0] for one in predicted([sharer("a", 80), sharer("b", 80)], "", "1.22")] == [
        "POST loadbalancers"
    ] * 2


def test_load_balancers_whose_names_are_cut_to_the_same_are_refused_anyhow() -> None:
    cloud = CLOUD.with_facts(cluster_name="c" * 250)
    both = predicted([service("TCP/80")._replace(name=name) for name in ("a", "b")], cloud=cloud)
    assert [one.outcome for one in both] == [Outcome.REFUSED, Outcome.REFUSED]
    assert both[0].name == both[1].name


def test_the_quota_is_that_of_all_services() -> None:
    cloud = CLOUD._replace(facts=ClusterFacts(monitor_quota=3, nodes=3))
    services = [service("TCP/80 TCP/81")._replace(name=name) for name in ("a", "b")]
    first, second = predicted(services, "create-monitor=true\n", cloud=cloud)
    assert first.outcome is Outcome.ACCEPTED
    assert second.outcome is Outcome.REFUSED
    assert "quota of 3" in second.why
