"""What a change does to Services that share a load balancer: each has its own listeners of it, the last one takes it along."""

from __future__ import annotations

from typing import Any

import pytest
from review_cases import asked, manifest, points_of, reviewed

from ccmcheck.review.change.records import Fate, Health, Review, ServiceChange

SHARED = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
INTERNAL = {"service.beta.kubernetes.io/openstack-internal-load-balancer": "true"}


def sharer(name: str, listed: str, balancer: str = SHARED, **annotations: str) -> dict[str, Any]:
    made = manifest(name, listed, {"load-balancer-id": balancer})
    made["metadata"]["annotations"].update(annotations)
    return made


OWNER, GUEST = sharer("owner", "TCP/80/30080"), sharer("pub", "TCP/81/30081")


def changes(found: Review) -> dict[str, ServiceChange]:
    return {one.service.removeprefix("shop/"): one for one in found.services}


@pytest.mark.parametrize(("gone", "stays"), [("pub", OWNER), ("owner", GUEST)])
def test_of_a_sharer_that_goes_only_its_listeners_go(gone: str, stays: dict[str, Any]) -> None:
    found = reviewed("", "", [OWNER, GUEST], [stays])
    by_name = changes(found)
    assert by_name[gone].fate is Fate.LEFT
    assert [one.partition("/")[0] for one in asked(by_name[gone])] == [
        "DELETE pools", "DELETE listeners", "PUT loadbalancers",
    ]  # fmt: skip
    assert by_name[stays["metadata"]["name"]].fate is Fate.UNTOUCHED
    assert by_name[gone].fact("floating-ip") is None
    assert points_of(found) == [("warning", "left")]


def test_the_last_sharer_takes_the_load_balancer_along() -> None:
    by_name = changes(reviewed("", "", [OWNER, GUEST], []))
    assert (by_name["owner"].fate, by_name["pub"].fate) == (Fate.LEFT, Fate.DELETED)
    assert asked(by_name["pub"])[-1].startswith(f"DELETE loadbalancers/{SHARED}")


def test_a_new_sharer_joins_what_is_there_and_what_was_made_just_before() -> None:
    joined = changes(reviewed("", "", [OWNER], [OWNER, GUEST]))["pub"]
    assert joined.fate is Fate.JOINED
    assert asked(joined) == [
        "POST listeners", "POST pools", "PUT pools/{pool 0}/members", f"PUT loadbalancers/{SHARED}",
    ]  # fmt: skip
    both = changes(reviewed("", "", [], [OWNER, GUEST]))
    assert (both["owner"].fate, both["pub"].fate) == (Fate.CREATED, Fate.JOINED)


def test_a_port_can_be_taken_once_the_other_sharer_has_let_it_go() -> None:
    moved = [sharer("owner", "TCP/81/30080"), sharer("pub", "TCP/82/30081")]
    assert {one.fate for one in reviewed("", "", [OWNER, GUEST], moved).services} == {Fate.RECONCILED}
    swapped = [sharer("owner", "TCP/81/30080"), sharer("pub", "TCP/80/30081")]
    assert {one.fate for one in reviewed("", "", [OWNER, GUEST], swapped).services} == {Fate.STUCK}
    after = changes(reviewed("", "", [OWNER, GUEST], [sharer("owner", "TCP/81/30080")]))["owner"]
    assert after.fate is Fate.RECONCILED


def test_each_change_meets_what_the_ones_before_have_left() -> None:
    others = [sharer("c", "TCP/83"), sharer("d", "TCP/84")]
    by_name = changes(reviewed("", "", [OWNER], [OWNER, *others]))
    assert (by_name["c"].fate, by_name["d"].fate) == (Fate.JOINED, Fate.NONE)
    assert by_name["d"].health_after is Health.DOWN
    assert by_name["d"].after is not None
    assert "already shared with 2 Services" in by_name["d"].after.error


def test_an_internal_guest_is_stuck_and_its_listeners_stay() -> None:
    by_name = changes(reviewed("", "", [OWNER, GUEST], [OWNER, sharer("pub", "TCP/81/30081", **INTERNAL)]))
    assert by_name["pub"].fate is Fate.STUCK
    assert by_name["pub"].requests == ()


def test_monitors_are_counted_for_each_sharer() -> None:
    found = reviewed("", "create-monitor = true\n", [OWNER, GUEST])
    assert found.totals.monitors.after == 2
    assert [one.monitors.after for one in found.services] == [1, 1]


def test_before_1_23_nobody_shares() -> None:
    found = changes(reviewed("", "", [OWNER, GUEST], [OWNER], release="1.22"))
    assert found["pub"].fate is Fate.DELETED
