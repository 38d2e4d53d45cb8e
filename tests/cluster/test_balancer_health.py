"""What Octavia says of a load balancer's health, told apart from what is meant to be so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ccmcheck.cluster.octavia.comparison import health, lost_address, pending, renamed_by_hand
from ccmcheck.cluster.octavia.reader import OctaviaInventory
from ccmcheck.predict.inputs.cloud_state import Balancer

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def inventory(statuses: dict[int, list[str]], **changed: Any) -> OctaviaInventory:
    """A project with one load balancer, whose ports have members of these operating statuses."""
    project = OctaviaInventory(
        project="p",
        server="https://octavia.example.net",
        balancers={},
        listeners={f"l{port}": {"protocol_port": port, "default_pool_id": f"p{port}"} for port in statuses},
        pools={f"p{port}": {"id": f"p{port}"} for port in statuses},
        monitors={},
        members={f"p{port}": tuple({"operating_status": one} for one in all_) for port, all_ in statuses.items()},
        floating_ips=(),
        groups=(),
        subnets={},
        api=None,
        failures=(),
        unread=frozenset(),
    )
    return project._replace(**changed)


def balancer(statuses: dict[int, list[str]], status: str = "ACTIVE") -> dict[str, Any]:
    """The load balancer itself, as Octavia lists it."""
    return {"provisioning_status": status, "listeners": [{"id": f"l{port}"} for port in statuses]}


@pytest.mark.parametrize(
    ("statuses", "policy", "said"),
    [
        ({80: ["ONLINE", "ONLINE"]}, "Cluster", []),
        ({80: ["ERROR", "ERROR"]}, "Cluster", ["all 2 members of port 80 are down by its health monitor"]),
        ({80: ["ERROR", "ERROR"]}, "Local", ["all 2 members of port 80 are down by its health monitor"]),
        ({80: ["ERROR", "ONLINE"]}, "Cluster", ["1 of 2 members of port 80 are down by its health monitor"]),
        ({80: ["ERROR", "ONLINE"]}, "Local", []),
        ({80: [], 81: ["ERROR"]}, "Cluster", ["all 1 members of port 81 are down by its health monitor"]),
    ],
)
def test_members_that_are_down(statuses: dict[int, list[str]], policy: str, said: list[str]) -> None:
    assert list(health(inventory(statuses), balancer(statuses), policy)) == said


def test_a_listener_without_a_pool_has_no_members() -> None:
    project = inventory({80: ["ERROR"]}, pools={})
    assert list(health(project, balancer({80: []}), "Cluster")) == []


def test_a_load_balancer_in_error() -> None:
    (line,) = health(inventory({}), balancer({}, "ERROR"), "Cluster")
    assert "ERROR: Octavia changes nothing in it" in line


@pytest.mark.parametrize("suffix", ["", "Z"])
@pytest.mark.parametrize(("age", "is_long"), [(HOUR - timedelta(seconds=1), False), (HOUR, False), (HOUR * 2, True)])
def test_what_is_pending_for_more_than_an_hour_stays_so(age: timedelta, is_long: bool, suffix: str) -> None:
    since = f"{NOW - age:%Y-%m-%dT%H:%M:%S}{suffix}"
    lines = list(pending({"provisioning_status": "PENDING_UPDATE", "updated_at": since}, NOW))
    assert [f"PENDING_UPDATE since {since}: its worker died" in line for line in lines] == [True] * is_long


@pytest.mark.parametrize("when", [None, "", "yesterday"])
def test_since_when_may_be_unknown(when: str | None) -> None:
    assert list(pending({"provisioning_status": "PENDING_CREATE", "updated_at": when}, NOW)) == []


def test_a_name_that_somebody_gave_is_cut_after_64_characters() -> None:
    made = "Kubernetes external service a1/b from cluster prod"
    (line,) = renamed_by_hand({"id": "i", "name": "n" * 65, "description": made}, "kube_service_prod_a1_b")
    assert f"by hand to {'n' * 64}: the CCM" in line
    assert "openstack loadbalancer set --name kube_service_prod_a1_b i" in line
    assert not list(renamed_by_hand({"name": "kube_service_prod_a1_b", "description": made}, ""))
    assert not list(renamed_by_hand({"name": "mine", "description": "by Terraform"}, ""))


RECORD = Balancer("b", "kube_service_prod_a_b", (), (), "10.0.0.5", "vip-port", "s", "ACTIVE", None)


def floating(**parts: str) -> dict[str, str]:
    """A floating IP of the project."""
    return {"id": "f", "floating_ip_address": "203.0.113.9", **parts}


@pytest.mark.parametrize(
    ("published", "ips", "said"),
    [
        (["10.0.0.5"], (), ("", "")),
        ([], (), ("", "")),
        (["203.0.113.9"], (floating(port_id="vip-port"),), ("", "")),
        (
            ["10.0.0.5", "203.0.113.9"],
            (),
            ("the Service publishes 203.0.113.9, which no floating IP of the project has any more", ""),
        ),
        (
            ["203.0.113.9"],
            (floating(),),
            (
                "the Service publishes 203.0.113.9, whose floating IP is attached to nothing",
                "openstack floating ip set --port vip-port f",
            ),
        ),
        (
            ["203.0.113.9"],
            (floating(port_id="other"),),
            (
                "the Service publishes 203.0.113.9, whose floating IP is on port other",
                "openstack floating ip set --port vip-port f",
            ),
        ),
    ],
)
def test_an_address_that_was_lost(published: list[str], ips: tuple[dict[str, str], ...], said: tuple[str, str]) -> None:
    assert lost_address(inventory({}, floating_ips=ips), RECORD, published) == said


def test_an_address_is_unknown_where_floating_ips_could_not_be_read() -> None:
    project = inventory({}, unread=frozenset({"floatingips"}))
    assert lost_address(project, RECORD, ["203.0.113.9"]) == ("", "")
