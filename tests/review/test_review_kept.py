"""What a running load balancer keeps, what a deletion asks for, and how monitors count where a request is refused."""

from __future__ import annotations

import pytest
from review_cases import MONITOR, Json, asked, manifest, only, points_of, reviewed

from ccmcheck.carriers import find
from ccmcheck.catalog import newest
from ccmcheck.review.change.records import Fate, Monitors
from ccmcheck.review.change.settings import changed_settings

OTHER = "0a0a0a0a-1111-4222-8333-444455556666"
THIRD = "0a0a0a0a-1111-4222-8333-444455557777"
GROUPS = "manage-security-groups = true\n"
WEB = manifest("shop/web", "TCP/80/30080")


def test_a_changed_member_subnet_moves_the_rules_and_not_the_members() -> None:
    found = reviewed(GROUPS, f"{GROUPS}member-subnet-id = {OTHER}\n", [WEB])
    service = only(found)
    assert service.fate is Fate.RECONCILED
    assert [request.split()[0] for request in asked(service)] == ["POST", "DELETE"]
    assert [rule.remote for rule in service.rules_added] == [f"the member subnet's CIDR ({OTHER})"]
    assert [rule.remote for rule in service.rules_removed] == ["the member subnet's CIDR"]
    (kept,) = service.stays
    assert kept.startswith("keeps its members' subnet (5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69)")


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ({}, {"sessionAffinity": "ClientIP"}, "session persistence (none): SOURCE_IP"),
        ({"sessionAffinity": "ClientIP"}, {}, "session persistence (SOURCE_IP): none"),
        ({}, {"loadBalancerIP": "203.0.113.9"}, "floating IP (the default): 203.0.113.9"),
        (
            {"loadBalancerIP": "203.0.113.8"},
            {"loadBalancerIP": "203.0.113.9"},
            "floating IP (203.0.113.8): 203.0.113.9",
        ),
    ],
)
def test_fields_that_a_running_load_balancer_does_not_get(before: Json, after: Json, text: str) -> None:
    old, new = (manifest("shop/web", "TCP/80/30080", **fields) for fields in (before, after))
    service = only(reviewed("", "", [old], [new]))
    assert (service.fate, asked(service)) == (Fate.UNTOUCHED, [])
    assert service.stays == (f"keeps its {text} counts for new ones",)


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("", "floating-subnet = public-*\n", "floating subnet (the default): name public-*"),
        ("floating-subnet = a\n", "floating-subnet = b\n", "floating subnet (name a): name b"),
        ("", "floating-subnet-tags = x\n", "floating subnet (the default): tags x"),
    ],
)
def test_settings_that_a_running_load_balancer_does_not_get(before: str, after: str, text: str) -> None:
    service = only(reviewed(before, after, [WEB]))
    assert service.stays == (f"keeps its {text} counts for new ones",)


def test_an_algorithm_stays_before_1_32() -> None:
    old = only(reviewed("", "lb-method = SOURCE_IP\n", [WEB], release="1.31"))
    assert old.stays == ("keeps its algorithm (ROUND_ROBIN): SOURCE_IP counts for new ones",)
    new = only(reviewed("", "lb-method = SOURCE_IP\n", [WEB], release="1.36"))
    assert (new.stays, new.fate) == ((), Fate.RECONCILED)


@pytest.mark.parametrize(("release", "keeps"), [("1.18", True), ("1.20", True), ("1.21", True), ("1.22", False)])
def test_pools_keep_their_protocol_before_1_22(release: str, keeps: bool) -> None:
    """ensureOctaviaPool at v1.21.0 creates a pool only where there is none; at v1.22.0 it deletes one of another protocol."""
    proxied = manifest("shop/web", "TCP/80/30080", {"proxy-protocol": "true"})
    service = only(reviewed("", "", [WEB], [proxied], release=release))
    changed = {fact.name for fact in service.facts if fact.changes} & {"client-address", "hairpin"}
    assert (service.fate is Fate.UNTOUCHED, len(changed)) == (keeps, 0 if keeps else 2)
    assert service.stays == (("keeps its pools' protocol (TCP): PROXY counts for new ones",) if keeps else ())


def test_proxy_on_two_protocols_counts_what_is_done_before_the_refusal() -> None:
    old = manifest("shop/web", "TCP/80/30080 UDP/53/30053")
    new = manifest("shop/web", "TCP/80/30080 UDP/53/30053", {"proxy-protocol": "true"})
    service = only(reviewed(MONITOR, MONITOR, [old], [new]))
    assert service.fate is Fate.STUCK
    assert service.monitors == Monitors(2, 1, 1, 2, 0)


def test_a_0_is_no_new_delay() -> None:
    new = manifest("shop/web", "TCP/80/30080", {"health-monitor-delay": "0"})
    service = only(reviewed(MONITOR, MONITOR, [WEB], [new]))
    assert service.fact("monitor") == service.fact("monitor")
    assert not any(fact.changes for fact in service.facts)
    assert [one.what.rpartition("/")[2] for one in service.ignored] == ["health-monitor-delay"]
    assert service.stays == ()


@pytest.mark.parametrize(
    ("annotations", "requests", "text"),
    [
        (
            {},
            ["DELETE floatingips/floatingip-0", "DELETE loadbalancers/{loadbalancer}?cascade=true"],
            "its address given back",
        ),
        (
            {"keep-floatingip": "true"},
            ["DELETE loadbalancers/{loadbalancer}?cascade=true"],
            "stays without it, in the project",
        ),
    ],
)
def test_a_deletion_lists_its_requests(annotations: dict[str, str], requests: list[str], text: str) -> None:
    old = manifest("shop/web", "TCP/80/30080", annotations)
    found = reviewed("", "", [old], [])
    service = only(found)
    assert (service.fate, asked(service)) == (Fate.DELETED, requests)
    (point,) = [point for point in found.points if point.kind == "deleted"]
    assert point.text.endswith(text)
    assert ("warning", "deleted") in points_of(found)


def test_a_service_that_becomes_cluster_ip_is_deleted_with_its_requests() -> None:
    found = reviewed(GROUPS, GROUPS, [WEB], [manifest("shop/web", "TCP/80", type="ClusterIP")])
    service = only(found)
    assert service.fate is Fate.DELETED
    assert asked(service)[-1] == "DELETE security-groups/security-group-0"


def test_the_id_that_the_ccm_writes_says_nothing_new() -> None:
    live = manifest("shop/web", "TCP/80/30080", {"load-balancer-id": "4f1c0d5e-0000-4000-8000-000000000001"})
    service = only(reviewed("", MONITOR, [live], [live]))
    assert service.fate is Fate.RECONCILED
    assert asked(service) == ["POST healthmonitors"]
    added = only(reviewed("", "", [WEB], [live]))
    assert (added.fate, asked(added)) == (Fate.UNTOUCHED, [])


def test_a_new_password_that_holds_the_old_one_is_masked_whole_in_settings() -> None:
    release = newest()
    texts = (
        f"[Global]\npassword = {password}\n[LoadBalancer]\nlb-provider = {password}\n"
        for password in ("hunter2-old", "hunter2-old-and-new")
    )
    before, after = (find("cloud.conf", text).carried[0] for text in texts)
    changes, _ = changed_settings(before, after, release)
    shown = {(one.key, one.before, one.after) for one in changes}
    assert shown == {("password", "****", "****"), ("lb-provider", "****", "****")}


def test_timeouts_of_listeners_stay_before_1_19() -> None:
    old, new = (manifest("shop/web", "TCP/80/30080", {"timeout-client-data": text}) for text in ("60000", "600000"))
    before = only(reviewed("", "", [old], [new], release="1.18"))
    assert before.stays == ("keeps its timeout_client_data (60000): 600000 counts for new ones",)
    after = only(reviewed("", "", [old], [new], release="1.19"))
    assert (after.stays, after.fate) == ((), Fate.RECONCILED)
