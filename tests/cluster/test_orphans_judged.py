"""Which objects of a project `cluster orphans` lists, which it leaves out, and why: one object at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from openstack_api import OLD, balancer

from ccmcheck.cluster.octavia import names
from ccmcheck.cluster.octavia.orphans import Judged, LeftOut, Orphan, Orphans, find_orphans, has_any_of, youngest
from ccmcheck.cluster.octavia.reader import OctaviaInventory
from ccmcheck.cluster.octavia.services import Owners

Object = dict[str, Any]

GONE = "0f0e0d0c-0b0a-4908-8706-050403020100"
WEB = Owners(
    frozenset({"shop/web"}),
    frozenset({"11111111-2222-4333-8444-555555555555"}),
    frozenset({"by its ID"}),
    frozenset({"203.0.113.7", "10.0.0.7"}),
    1,
)
"""Service shop/web: its UID, the load balancer that an annotation names, and the addresses that it publishes."""
JUDGED = Judged("prod", WEB, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
"""What was made up to the moment `OLD` is judged."""
TEXT = "Kubernetes external service {} from cluster {}"
DELETE = "openstack loadbalancer delete --cascade b1"
WHOLE = names.PREFIX + "prod_shop_old"
CUT = names.PREFIX + "prod_" + "n" * (names.LONGEST - 18)
NO_LISTENER = "it has no listener"


def project(
    *balancers: Object, floating_ips: tuple[Object, ...] = (), groups: tuple[Object, ...] = ()
) -> OctaviaInventory:
    by_id = {one["id"]: one for one in balancers}
    return OctaviaInventory("p", "s", by_id, {}, {}, {}, {}, floating_ips, groups, {}, None, (), frozenset())


def judge(inventory: OctaviaInventory, judged: Judged = JUDGED, ports: tuple[Object, ...] = ()) -> Orphans:
    return find_orphans(inventory, judged, lambda _: list(ports))


def old_balancer(**fields: Any) -> Object:
    """The load balancer of a Service that is gone."""
    return balancer(**{"name": WHOLE, "identifier": "b1", "listeners": [{"id": "l"}], **fields})


def floating(**fields: Any) -> Object:
    """A floating IP that the CCM made for a Service that is gone."""
    described = {"description": f"Floating IP for {TEXT.format('shop/old', 'prod')}", "created_at": f"{OLD}Z"}
    return {"id": "f1", "floating_ip_address": "203.0.113.9", "port_id": None, **described, **fields}


def group(**fields: Any) -> Object:
    """The security group of a Service that is gone."""
    text = "Security Group for shop/old Service LoadBalancer in cluster prod"
    return {"id": "g1", "name": f"lb-sg-{GONE}-shop-old", "description": text, "created_at": f"{OLD}Z", **fields}


def orphaned_balancer(**fields: Any) -> Orphan:
    found = Orphan("load balancer", "b1", WHOLE, "shop/old", "orphaned", OLD, (), (DELETE,))
    return found._replace(**fields)


@pytest.mark.parametrize(
    ("fields", "notes"),
    [
        ({}, ()),
        ({"listeners": []}, (NO_LISTENER,)),
        ({"listeners": None}, ()),  # nobody knows
        ({"description": TEXT.format("shop/old", "prod")}, ()),
        (
            {"description": TEXT.format("shop/old", "dev")},
            ("it was renamed: its description still names cluster dev",),
        ),
        ({"tags": [7, WHOLE, "mine"]}, ()),
        ({"tags": None}, ()),
        ({"tags": ["kube_service_prod_shop_older"]}, ()),  # that Service is gone, too
        ({"vip_address": ""}, ()),
    ],
)
def test_a_load_balancer_without_a_service_is_listed(fields: Object, notes: tuple[str, ...]) -> None:
    assert judge(project(old_balancer(**fields))) == Orphans((orphaned_balancer(notes=notes),))


def test_an_older_name_is_of_the_service_in_the_description() -> None:
    name = names.legacy_name(GONE)
    found = judge(project(old_balancer(name=name, tags=[], description=TEXT.format("shop/old", "prod"))))
    assert found == Orphans((orphaned_balancer(name=name),))


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "kube_service_prod_shop_web"},
        {"name": "kube_service_dev_shop_old"},
        {"identifier": "by its ID"},
        {"vip_address": "10.0.0.7"},
        {"name": names.legacy_name(GONE), "description": TEXT.format("shop/old", "dev")},
        {"name": names.legacy_name(next(iter(WEB.uids))), "description": TEXT.format("shop/old", "prod")},
        {"name": "mine", "description": TEXT.format("shop/old", "prod")},
        {"name": CUT, "description": "mine"},
        {"name": CUT, "description": TEXT.format("shop/old", "dev")},
    ],
)
def test_a_load_balancer_that_may_have_an_owner_is_not_listed(fields: Object) -> None:
    assert judge(project(old_balancer(**fields))) == Orphans()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"provisioning_status": "PENDING_UPDATE"}, "it is PENDING_UPDATE: something changes it at present"),
        ({"created_at": None}, "OpenStack does not say how old it is"),
        ({"created_at": "2026-01-02T03:04:06"}, "it is young: its Service may not be in the list yet"),
        ({"tags": [WHOLE, "kube_service_prod_shop_web"]}, "it is shared with shop/web of cluster prod"),
        ({"tags": ["kube_service_dev_shop_old"]}, "it is shared with shop/old of cluster dev"),
        ({"tags": [CUT]}, "it is shared with another Service"),
        (
            {"name": CUT, "description": TEXT.format("shop/old", "prod")},
            "its name is cut at 255 characters, so that its Service is not sure",
        ),
    ],
)
def test_a_load_balancer_that_is_not_judged(fields: Object, why: str) -> None:
    found = old_balancer(**fields)
    assert judge(project(found)) == Orphans((), (LeftOut("load balancer", "b1", found["name"], why),))


def test_what_is_younger_than_an_age_is_young() -> None:
    now = datetime(2026, 1, 2, 4, 4, 5, tzinfo=UTC)
    assert youngest(timedelta(hours=1), now) == JUDGED.youngest
    assert youngest(timedelta(hours=1)) > now


@pytest.mark.parametrize(
    ("created", "is_judged"),
    [
        ("2026-01-02T03:04:05", True),
        ("2026-01-02T03:04:05Z", True),
        ("2026-01-02T05:04:05+02:00", True),
        ("2026-01-02T03:04:05+02:00", True),
        ("2026-01-02T03:04:05.000001", False),
        ("2026-01-02T03:04:06Z", False),
        ("2026-01-02T05:04:06+02:00", False),
    ],
)
def test_age_counts_to_the_moment(created: str, is_judged: bool) -> None:
    assert bool(judge(project(old_balancer(created_at=created))).orphans) is is_judged


def test_a_floating_ip_goes_after_the_load_balancer_that_it_is_on() -> None:
    address = floating(port_id="port-b1")
    loose = floating(id="f2", floating_ip_address="203.0.113.10")
    orphans, left_out = judge(project(old_balancer(), floating_ips=(loose, address)))
    assert orphans == (
        orphaned_balancer(),
        Orphan(
            "floating IP",
            "f2",
            "203.0.113.10",
            "shop/old",
            "kept or leaked",
            f"{OLD}Z",
            ("nothing uses it: kept on purpose (annotation keep-floatingip), or left behind",),
            ("openstack floating ip delete f2",),
        ),
        Orphan(
            "floating IP",
            "f1",
            "203.0.113.9",
            "shop/old",
            "orphaned",
            f"{OLD}Z",
            ("it is on load balancer b1, which comes first",),
            ("openstack floating ip delete f1",),
        ),
    )
    assert left_out == ()


@pytest.mark.parametrize("port", [None, "port-b1"])
def test_what_a_service_publishes_is_in_use(port: str | None) -> None:
    """Service shop/web publishes the address: neither it nor the load balancer that it is on gets a command."""
    used = floating(floating_ip_address="203.0.113.7", port_id=port)
    found = judge(project(old_balancer(), floating_ips=(used,)))
    assert found.orphans == (() if port else (orphaned_balancer(),))
    why = "nothing has it any more, and a Service publishes it: attach it to its load balancer again"
    assert found.left_out == (() if port else (LeftOut("floating IP", "f1", "203.0.113.7", why),))


@pytest.mark.parametrize(
    "fields",
    [
        {"description": f"Floating IP for {TEXT.format('shop/web', 'prod')}"},
        {"description": f"Floating IP for {TEXT.format('shop/old', 'dev')}"},
        {"description": "mine"},
        {"port_id": "of a server"},
    ],
)
def test_a_floating_ip_that_may_have_an_owner_is_not_listed(fields: Object) -> None:
    assert judge(project(floating_ips=(floating(**fields),))) == Orphans()


def test_a_floating_ip_that_is_young_is_not_judged() -> None:
    why = "it is young: its Service may not be in the list yet"
    found = judge(project(floating_ips=(floating(created_at="2026-01-03T00:00:00Z"),)))
    assert found == Orphans((), (LeftOut("floating IP", "f1", "203.0.113.9", why),))


@pytest.mark.parametrize(
    ("vip_port", "port", "description", "is_noted"),
    [
        ("port-b1", "port-b1", "mine", True),
        ("port-b1", "port-b1", f"Floating IP for {TEXT.format('shop/old', 'dev')}", False),
        ("port-b1", None, "mine", False),
        (None, None, "mine", False),
    ],
)
def test_a_floating_ip_of_the_user_is_noted_where_it_is_on_the_load_balancer(
    vip_port: str | None, port: str | None, description: str, is_noted: bool
) -> None:
    address = floating(port_id=port, description=description)
    notes = ("the CCM did not make its floating IP 203.0.113.9, which stays",) if is_noted else ()
    found = judge(project(old_balancer(vip_port_id=vip_port), floating_ips=(address,)))
    assert found == Orphans((orphaned_balancer(notes=notes),))


@pytest.mark.parametrize(
    ("ports", "notes", "detach"),
    [
        ((), (), ()),
        (
            ({"id": "p1"}, {"id": "p2"}),
            ("it is still on 2 ports, which keep their other groups",),
            ("openstack port unset --security-group g1 p1", "openstack port unset --security-group g1 p2"),
        ),
    ],
)
def test_a_security_group_without_a_service_is_listed(
    ports: tuple[Object, ...], notes: tuple[str, ...], detach: tuple[str, ...]
) -> None:
    name, commands = f"lb-sg-{GONE}-shop-old", (*detach, "openstack security group delete g1")
    orphan = Orphan("security group", "g1", name, "shop/old", "orphaned", f"{OLD}Z", notes, commands)
    assert judge(project(groups=(group(),)), ports=ports) == Orphans((orphan,))


@pytest.mark.parametrize(
    "fields",
    [
        {"name": f"lb-sg-{next(iter(WEB.uids))}-shop-web"},
        {"name": "lb-sg-shop-old"},
        {"description": "mine"},
        {"description": "Security Group for shop/old Service LoadBalancer in cluster dev"},
    ],
)
def test_a_security_group_that_may_have_an_owner_is_not_listed(fields: Object) -> None:
    assert judge(project(groups=(group(**fields),))) == Orphans()


def test_a_security_group_that_is_young_is_not_judged() -> None:
    why = "it is young: its Service may not be in the list yet"
    found = judge(project(groups=(group(created_at="2026-01-03T00:00:00Z"),)))
    assert found == Orphans((), (LeftOut("security group", "g1", f"lb-sg-{GONE}-shop-old", why),))


def test_a_port_whose_id_is_not_safe_in_a_shell_takes_the_commands_away() -> None:
    found = judge(project(groups=(group(),)), ports=({"id": "p1"}, {"id": "p2 && x"}))
    assert [one.commands for one in found.orphans] == [()]


@pytest.mark.parametrize(
    ("inventory", "is_theirs"),
    [
        (project(), False),
        (project(old_balancer(vip_address=None), floating_ips=(floating(),), groups=(group(), {"name": "x"})), False),
        (project(old_balancer(identifier="by its ID")), True),
        (project(old_balancer(vip_address="10.0.0.7")), True),
        (project(floating_ips=(floating(floating_ip_address="203.0.113.7"),)), True),
        (project(groups=(group(name=f"lb-sg-{next(iter(WEB.uids))}-shop-web"),)), True),
    ],
)
def test_a_project_is_the_clusters_where_it_has_one_of_its_objects(
    inventory: OctaviaInventory, is_theirs: bool
) -> None:
    assert has_any_of(inventory, WEB) is is_theirs
