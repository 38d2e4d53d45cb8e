"""The result of a reconcile, a title and a line each."""

from __future__ import annotations

import pytest
from predict_cases import NETWORK, prediction_of

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.records import (
    EXTERNAL_NETWORK,
    Event,
    Floating,
    Outcome,
    Prediction,
    Published,
    SecurityGroupRule,
)
from ccmcheck.predict.verdicts.afterwards import afterwards, event_text

WEB = Prediction("shop/web", "1.36", Outcome.ACCEPTED)


def lines(found: Prediction, title: str) -> list[str]:
    return [text for name, text in afterwards(found) if name == title]


@pytest.mark.parametrize(
    ("length", "shown"), [(0, []), (254, ["n" * 254]), (255, ["n" * 255 + ", truncated at 255 characters"])]
)
def test_the_name(length: int, shown: list[str]) -> None:
    assert lines(WEB._replace(name="n" * length), "name") == shown


def test_a_name_that_the_ccm_cuts() -> None:
    found = prediction_of(cloud=CloudState(facts=ClusterFacts(cluster_name="c" * 250)))
    (name,) = lines(found, "name")
    assert name == f"kube_service_{'c' * 242}, truncated at 255 characters"


@pytest.mark.parametrize(
    ("floating", "text"),
    [
        (Floating(False), "none"),
        (Floating(False, why="the Service is internal"), "none: the Service is internal"),
        (Floating(True, "n-1"), "from network n-1"),
        (Floating(True, "n-1", source="cloud.conf"), "from network n-1 (cloud.conf)"),
        (Floating(True, EXTERNAL_NETWORK, source="the external network"), "from the external network"),
        (
            Floating(True, "n-1", address="203.0.113.9", source='class "dmz"'),
            '203.0.113.9 in network n-1 (class "dmz")',
        ),
        (Floating(True, "n-1", "s-1"), "from network n-1, subnet s-1"),
        (Floating(True, "n-1", subnet_name="public*"), "from network n-1, a subnet of the name public*"),
        (Floating(True, "n-1", subnet_tags="a,b"), "from network n-1, a subnet with the tags a,b"),
        (
            Floating(True, "n-1", "s-1", "public*", "a,b"),
            "from network n-1, subnet s-1, a subnet of the name public*, a subnet with the tags a,b",
        ),
    ],
)
def test_where_the_floating_ip_comes_from(floating: Floating, text: str) -> None:
    assert lines(WEB._replace(floating=floating), "floating IP") == [text]
    assert lines(WEB._replace(floating=floating, outcome=Outcome.ERROR), "floating IP") == []


def test_the_floating_ip_of_a_prediction() -> None:
    assert lines(prediction_of(), "floating IP") == [f"from network {NETWORK} (cloud.conf)"]
    assert lines(prediction_of(text="internal-lb=true\n"), "floating IP") == ["none: the Service is internal"]


@pytest.mark.parametrize(("count", "more"), [(0, []), (11, []), (12, []), (13, ["and 1 more"]), (20, ["and 8 more"])])
def test_twelve_rules_are_shown(count: int, more: list[str]) -> None:
    rules = tuple(
        SecurityGroupRule("TCP", 30000 + number, "10.0.0.0/24", "IPv4", f"port {number}") for number in range(count)
    )
    shown = [f"IPv4 tcp/{30000 + number} from 10.0.0.0/24: port {number}" for number in range(min(count, 12))]
    assert lines(WEB._replace(rules=rules), "rule") == shown + more
    assert lines(WEB._replace(rules=None), "rule") == []


@pytest.mark.parametrize(
    ("ingress", "text"),
    [
        (Published("203.0.113.9"), "ip 203.0.113.9"),
        (Published("203.0.113.9", ip_mode="VIP"), "ip 203.0.113.9, ipMode VIP"),
        (Published(hostname="203.0.113.9.nip.io"), "hostname 203.0.113.9.nip.io"),
    ],
)
def test_the_status(ingress: Published, text: str) -> None:
    assert lines(WEB._replace(published=(ingress,)), "status") == [text]


@pytest.mark.parametrize(("length", "shown"), [(200, "m" * 200), (201, "m" * 197 + "…"), (5, "mmmmm")])
def test_long_events_are_cut(length: int, shown: str) -> None:
    event = Event("Warning", "SyncLoadBalancerFailed", "m" * length)
    assert event_text(event) == f"Warning SyncLoadBalancerFailed: {shown}"
    found = WEB._replace(events=(event,), written={"example.org/a": "b"})
    assert lines(found, "event") == [event_text(event)]
    assert lines(found, "annotation") == ["example.org/a: b"]


@pytest.mark.parametrize("outcome", [Outcome.NOTHING, Outcome.UNKNOWN])
def test_nothing_is_left_where_nothing_is_asked(outcome: Outcome) -> None:
    assert list(afterwards(WEB._replace(name="n", outcome=outcome))) == []
