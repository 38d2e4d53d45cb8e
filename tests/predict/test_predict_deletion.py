"""What the CCM asks for when a Service goes."""

from __future__ import annotations

import pytest
from predict_cases import options, prediction_of, service
from predict_made import made

from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, FloatingIP, Group
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.requests.deletion import follow_deletion
from ccmcheck.predict.requests.resulting_state import state_after

MONITOR = "create-monitor=true\n"
GROUPS = "manage-security-groups=true\n"
OURS = "Floating IP for Kubernetes external service shop/web from cluster kubernetes"
GROUP = Group("g", (), (("p1", ("default", "g"), ()), ("p2", ("g",), ("g",))))


def _there(text: str = MONITOR, listed: str = "TCP/80 TCP/443") -> Balancer:
    return made(prediction_of(listed, text))


def _deleted(
    text: str = "",
    annotations: dict[str, str] | None = None,
    *,
    release: str = "1.36",
    there: Balancer | None = None,
    description: str = OURS,
    group: Group | None = None,
) -> Prediction:
    balancer = there or _there()
    floating = FloatingIP("fip", "203.0.113.9", balancer.port, description)
    cloud = CloudState(balancer=balancer, floating_ip=floating, group=group)
    return follow_deletion(options(text, release), service("TCP/80 TCP/443", annotations), cloud)


def _asked(found: Prediction) -> list[str]:
    return [f"{one.method} {one.path.removeprefix('/v2.0/').removeprefix('lbaas/')}" for one in found.requests]


def test_one_request_takes_all() -> None:
    found = _deleted()
    assert _asked(found) == ["DELETE floatingips/fip", "DELETE loadbalancers/lb-1?cascade=true"]
    assert [event.reason for event in found.events] == ["DeletingLoadBalancer", "DeletedLoadBalancer"]
    assert found.outcome is Outcome.ACCEPTED
    after = state_after(found.requests, CloudState(balancer=_there()), "")
    assert (after.balancer, after.floating_ip) == (None, None)


@pytest.mark.parametrize("release", ["1.17", "1.21", "1.26", "1.36"])
def test_keep_floatingip_keeps_it(release: str) -> None:
    kept = _deleted(annotations={"keep-floatingip": "true"}, release=release)
    assert _asked(kept) == ["DELETE loadbalancers/lb-1?cascade=true"]
    assert _asked(_deleted(annotations={"keep-floatingip": "false"}, release=release))[0] == "DELETE floatingips/fip"


@pytest.mark.parametrize(("release", "goes"), [("1.17", True), ("1.18", False), ("1.36", False)])
def test_somebody_elses_floating_ip(release: str, goes: bool) -> None:
    assert ("DELETE floatingips/fip" in _asked(_deleted(release=release, description="by hand"))) is goes


def test_without_cascade_each_part_goes() -> None:
    found = _deleted("cascade-delete=false\n", {"keep-floatingip": "true"})
    assert _asked(found) == [
        "DELETE healthmonitors/monitor-0",
        "DELETE healthmonitors/monitor-1",
        "DELETE pools/pool-0",
        "DELETE listeners/listener-0",
        "DELETE pools/pool-1",
        "DELETE listeners/listener-1",
        "DELETE loadbalancers/lb-1",
    ]


def test_in_1_19_members_and_pools_go_before_the_listeners() -> None:
    found = _deleted("cascade-delete=false\n", {"keep-floatingip": "true"}, release="1.19", there=_there("", "TCP/80"))
    asked = _asked(found)
    assert asked[0].startswith("DELETE pools/pool-0/members/")
    assert asked[-3:] == ["DELETE pools/pool-0", "DELETE listeners/listener-0", "DELETE loadbalancers/lb-1"]


@pytest.mark.parametrize(("release", "text", "goes"), [
    ("1.26", GROUPS, True), ("1.26", "", False), ("1.28", "", True), ("1.36", "", True), ("1.23", GROUPS, False),
])  # fmt: skip
def test_the_group_goes(release: str, text: str, goes: bool) -> None:
    asked = _asked(_deleted(text, release=release, group=GROUP))
    assert ("DELETE security-groups/g" in asked) is goes
    assert ("PUT ports/p1" in asked) is goes
    assert ("DELETE ports/p2/tags/g" in asked) is goes


def test_a_shared_load_balancer_stays() -> None:
    there = _there()
    theirs = there._replace(tags=(*there.tags, "kube_service_kubernetes_shop_other"))
    listeners = (there.listeners[0], there.listeners[1]._replace(tags=("kube_service_kubernetes_shop_other",)))
    found = _deleted(there=theirs._replace(listeners=listeners))
    assert _asked(found) == [
        "DELETE healthmonitors/monitor-0",
        "DELETE pools/pool-0",
        "DELETE listeners/listener-0",
        "PUT loadbalancers/lb-1",
    ]
    assert found.requests[-1].body == {"loadbalancer": {"tags": ["kube_service_kubernetes_shop_other"]}}


def test_a_load_balancer_of_another_name_loses_the_tag_alone() -> None:
    found = _deleted(there=_there()._replace(name="by-hand", listeners=()))
    assert found.requests[-1].body == {"loadbalancer": {"tags": [""]}}


def test_a_pending_one_is_not_deleted() -> None:
    found = _deleted(there=_there()._replace(status="PENDING_UPDATE"))
    assert (found.outcome, found.requests) == (Outcome.ERROR, ())
    assert "immutable status" in found.error
    assert [event.reason for event in found.events] == ["DeletingLoadBalancer", "SyncLoadBalancerFailed"]


def test_nothing_to_delete() -> None:
    found = follow_deletion(options(), service(), CloudState())
    assert (found.outcome, found.requests) == (Outcome.ACCEPTED, ())
    assert [event.reason for event in found.events] == ["DeletedLoadBalancer"]


def test_a_ccm_that_does_not_run_deletes_nothing() -> None:
    found = follow_deletion(options("monitor-delay=3\n"), service(), CloudState(balancer=_there()))
    assert (found.outcome, found.requests, found.events) == (Outcome.NOTHING, (), ())
