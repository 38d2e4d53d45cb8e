"""What a change does to a Service: its load balancer's fate, its health, its monitors, the requests, and the words."""

from __future__ import annotations

import pytest
from review_cases import CONF, LOCAL, MONITOR, THREE, asked, manifest, only, points_of, reviewed, side

from ccmcheck.review.change.compare import review
from ccmcheck.review.change.records import Fate, Health, ManifestChange, Monitors, Rate, Review
from ccmcheck.review.change.summary import summary, verdict

GROUPS = "manage-security-groups = true\n"
OVN = "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
WEB = manifest("shop/web", "TCP/80/30080 TCP/443/30443", healthCheckNodePort=31000, **LOCAL)


def kinds(found: Review, severity: str) -> list[str]:
    return [kind for word, kind in points_of(found) if word == severity]


def text(found: Review, kind: str) -> str:
    (point,) = [point for point in found.points if point.kind == kind]
    return point.text


@pytest.mark.parametrize("release", ["v1.26.4", "1.28", "1.31", "1.36"])
def test_monitors_turned_on(release: str) -> None:
    found = reviewed("", MONITOR, [WEB], release=release)
    service = only(found)
    assert (service.fate, service.change) == (Fate.RECONCILED, ManifestChange.SAME)
    assert (service.health_before, service.health_after) == (Health.IMPAIRED, Health.WORKS)
    assert service.monitors == Monitors(0, 2, 2, 0, 0)
    assert sorted(asked(service)) == [
        "POST healthmonitors",
        "POST healthmonitors",
        "PUT pools/pool-0/members",
        "PUT pools/pool-1/members",
    ]
    assert service.rate_before == Rate()
    assert service.rate_after == Rate(8.0, 0.4)
    assert (service.detection_before.silent, service.detection_after.silent) == (None, 30.0)
    assert kinds(found, "error") == []
    assert kinds(found, "warning") == ["security-group"]
    assert "health check node port" in text(found, "security-group")
    assert text(found, "starts") == "starts working: nodes without a pod are out of rotation after 10–15 s"
    assert found.totals.starts == found.totals.restarts == 1


@pytest.mark.parametrize("release", ["1.18", "1.24", "1.36"])
def test_monitors_turned_off(release: str) -> None:
    found = reviewed(MONITOR, "", [WEB], release=release)
    service = only(found)
    assert service.fate is Fate.RECONCILED
    assert service.monitors == Monitors(2, 0, 0, 2, 0)
    assert asked(service).count("DELETE healthmonitors/monitor-0") == 1
    if release != "1.18":
        assert service.health_after is Health.IMPAIRED
        assert kinds(found, "error") == ["impaired"]
        assert found.totals.impaired == 1


def test_up_to_1_17_monitors_stay_for_ever() -> None:
    conf = "use-octavia = true\nmonitor-delay = 5s\nmonitor-timeout = 3s\nmonitor-max-retries = 1\n"
    found = reviewed(conf + MONITOR, conf, release="1.17")
    service = only(found)
    assert (service.fate, service.monitors, asked(service)) == (Fate.UNTOUCHED, Monitors(1, 1, 0, 0, 0), [])
    assert "changes none that are there" in service.stays[0]
    assert not any(fact.changes for fact in service.facts)


@pytest.mark.parametrize(
    ("release", "requests", "stays"),
    [("1.23", [], 1), ("1.24", ["PUT healthmonitors/monitor-0"], 0), ("1.36", ["PUT healthmonitors/monitor-0"], 0)],
)
def test_timers_reach_monitors_since_1_24(release: str, requests: list[str], stays: int) -> None:
    found = reviewed(MONITOR, MONITOR + "monitor-delay = 10s\n", release=release)
    service = only(found)
    assert asked(service) == requests
    assert len(service.stays) == stays
    assert service.monitors == Monitors(1, 1, 0, 0, len(requests))
    dead = service.fact("dead-node")
    assert dead is not None
    assert dead.better is (False if requests else None)
    assert (service.detection_before == service.detection_after) is not bool(requests)
    assert (service.rate_after == service.rate_before) is not bool(requests)


def test_another_provider_moves_nothing_that_is_there() -> None:
    found = reviewed("", "lb-provider = ovn\n", THREE)
    assert {one.fate for one in found.services} == {Fate.UNTOUCHED}
    assert {one.health_after for one in found.services} >= {Health.WORKS}
    assert kinds(found, "error") == []
    assert "could not be created again" in text(found, "recreation")
    assert "ROUND_ROBIN" in text(found, "recreation")
    assert text(found, "stays") == "keeps its provider (amphora): ovn counts for new ones"
    client = found.services[0].fact("client-address")
    assert client is not None
    assert not client.changes


def test_a_new_service_on_the_other_provider_keeps_the_clients_address() -> None:
    found = reviewed("", OVN, [WEB], [WEB, manifest("shop/new", "TCP/80", **LOCAL)])
    new = next(one for one in found.services if one.service == "shop/new")
    assert (new.change, new.fate, new.health_before) == (ManifestChange.ADDED, Fate.CREATED, Health.ABSENT)
    fact = new.fact("client-address")
    assert fact is not None
    assert (fact.before, fact.after) == ("", "the pods see the client's address")


def test_an_algorithm_that_the_provider_refuses_is_skipped() -> None:
    found = reviewed("", "lb-method = SOURCE_IP_PORT\n")
    service = only(found)
    assert service.fate is Fate.RECONCILED
    assert service.health_after is Health.WORKS
    assert service.fact("method") is None
    assert [one.what for one in service.ignored] == ["lb-method"]


@pytest.mark.parametrize(("release", "fate"), [("1.31", Fate.UNTOUCHED), ("1.36", Fate.RECONCILED)])
def test_an_algorithm_reaches_pools_since_1_32(release: str, fate: Fate) -> None:
    found = reviewed("", "lb-method = LEAST_CONNECTIONS\n", release=release)
    assert only(found).fate is fate


def test_another_pool_protocol_recreates_pools() -> None:
    found = reviewed(MONITOR, MONITOR, [manifest()], [manifest(annotations={"proxy-protocol": "true"})])
    service = only(found)
    assert (service.change, service.fate) == (ManifestChange.CHANGED, Fate.RECREATED)
    assert service.monitors == Monitors(1, 1, 1, 1, 0)
    assert "(TCP → PROXY)" in text(found, "recreated")
    assert "listeners" not in text(found, "recreated")
    assert "POST pools" in asked(service)
    assert ("warning", "recreated") in points_of(found)
    assert ("warning", "protocols") in points_of(found)
    assert any(kind == "client-address" for _, kind in points_of(found))
    assert found.totals.restarts == 0


def test_a_listener_cannot_be_made_where_the_old_one_still_listens() -> None:
    found = reviewed(MONITOR, MONITOR, [manifest()], [manifest(annotations={"x-forwarded-for": "true"})])
    service = only(found)
    assert asked(service)[0] == "POST listeners"
    assert service.fate is Fate.STUCK


def test_a_refusal_on_the_way_leaves_a_broken_load_balancer() -> None:
    found = reviewed(OVN, OVN, [manifest()], [manifest(annotations={"proxy-protocol": "true"})])
    service = only(found)
    assert asked(service)[0] == "DELETE pools/pool-0"
    assert (service.fate, service.health_after) == (Fate.STUCK, Health.DOWN)
    assert kinds(found, "error") == ["stops"]
    assert found.totals.stops == 1


@pytest.mark.parametrize(
    ("after", "why"),
    [
        ("monitor-max-retries = 20\n", "20 is not between 1 and 10"),
        ("monitor-delay = 500ms\n", "Missing input for argument [Delay]"),
    ],
)
def test_monitors_that_cannot_be_made_leave_what_is_there_unmanaged(after: str, why: str) -> None:
    found = reviewed("", MONITOR + after)
    service = only(found)
    assert (service.fate, service.health_after) == (Fate.STUCK, Health.STUCK)
    assert service.monitors == Monitors()
    assert why in text(found, "stuck")
    assert found.totals.stuck == 1


def test_a_config_that_turns_fatal_is_the_worst() -> None:
    found = reviewed(MONITOR, MONITOR + "monitor-delay = 3\n", THREE)
    first = found.points[0]
    assert (first.severity.word, first.kind) == ("error", "fatal")
    assert 'missing unit in duration "3"' in first.text
    assert {one.fate for one in found.services} == {Fate.STUCK}
    assert found.configs[0].stop_after == first.text
    assert "until then" in text(found, "restart")
    again = reviewed(MONITOR + "monitor-delay = 3\n", MONITOR, THREE)
    assert ("info", "runs") in points_of(again)
    assert {one.fate for one in again.services} == {Fate.CREATED}
    assert any("does not run" in note for note in again.notes)


def test_load_balancers_left_to_others() -> None:
    found = reviewed("", "enabled = false\n")
    assert kinds(found, "error") == ["unsupported", "stuck"]


def test_a_service_that_turns_internal_loses_its_floating_ip() -> None:
    found = reviewed("", "internal-lb = true\n")
    assert asked(only(found)) == ["DELETE floatingips/floatingip-0"]
    assert kinds(found, "error") == ["hidden"]
    back = reviewed("internal-lb = true\n", "")
    assert asked(only(back)) == ["POST floatingips"]
    assert kinds(back, "warning") == ["exposed"]


def test_managed_groups_come_and_go() -> None:
    found = reviewed("", MONITOR + GROUPS, [WEB], subnets={"5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69": "10.0.0.0/24"})
    service = only(found)
    assert [(rule.port, rule.remote) for rule in service.rules_added] == [
        (31000, "10.0.0.0/24"),
        (30080, "10.0.0.0/24"),
        (30443, "10.0.0.0/24"),
    ]
    assert service.rules_added[0].why == "the health check node port"
    assert not any(kind == "security-group" for _, kind in points_of(found))
    back = only(reviewed(GROUPS, "", [WEB]))
    assert (len(back.rules_added), len(back.rules_removed)) == (0, 3)
    old = only(reviewed(GROUPS, "", [WEB], release="1.27"))
    assert (old.rules_removed, old.fate) == ((), Fate.UNTOUCHED)


def test_ports_keep_their_node_ports() -> None:
    before, after = manifest(listed="TCP/80 TCP/443"), manifest(listed="TCP/8080 TCP/443 TCP/80")
    service = only(reviewed(MONITOR, MONITOR, [before], [after]))
    assert service.change is ManifestChange.CHANGED
    assert "POST listeners" in asked(service)
    assert not any("pools/pool-0" in one or "pools/pool-1" in one for one in asked(service))
    fact = service.fact("ports")
    assert fact is not None
    assert (fact.before, fact.after) == ("TCP/80, TCP/443", "TCP/80, TCP/443, TCP/8080")


def test_ports_that_go_take_their_listeners_along() -> None:
    service = only(reviewed(MONITOR, MONITOR, [manifest(listed="TCP/80 TCP/443")], [manifest(listed="TCP/443")]))
    assert (service.fate, service.monitors) == (Fate.RECONCILED, Monitors(2, 1, 0, 1, 1))
    renamed = "PUT healthmonitors/monitor-1"
    assert asked(service) == [renamed, "DELETE pools/pool-0", "DELETE listeners/listener-0"]


def test_services_come_and_go() -> None:
    found = reviewed(MONITOR, MONITOR, [manifest("a/old"), WEB], [WEB, manifest("a/new")])
    by_name = {one.service: one for one in found.services}
    assert (by_name["a/old"].fate, by_name["a/old"].change) == (Fate.DELETED, ManifestChange.REMOVED)
    assert by_name["a/old"].monitors == Monitors(1, 0, 0, 1, 0)
    assert (by_name["a/new"].fate, by_name["a/new"].change) == (Fate.CREATED, ManifestChange.ADDED)
    assert by_name["a/new"].monitors == Monitors(0, 1, 1, 0, 0)
    assert by_name["shop/web"].is_quiet
    assert ("warning", "deleted") in points_of(found)
    assert ("info", "created") in points_of(found)


def test_a_new_service_that_does_not_work_is_an_error() -> None:
    found = reviewed("", "", [], [manifest(annotations={"class": "gold"})])
    assert kinds(found, "error") == ["fails"]
    assert 'invalid loadbalancer class "gold"' in text(found, "fails")
    assert verdict(found) == "of one Service 1 is new and does not work"


def test_the_verdict_counts_what_matters() -> None:
    gone = reviewed("", "", [manifest("a/old"), WEB], [WEB, manifest("a/new")])
    assert verdict(gone) == "of 3 Services 1 is deleted, 1 is new"
    proxied = manifest(annotations={"proxy-protocol": "true"})
    assert verdict(reviewed("", "", [manifest(), WEB], [proxied, WEB])) == "of 2 Services 1 is interrupted"
    assert verdict(reviewed("", "monitor-delay = 5s\n")) == "nothing changes"
    assert verdict(reviewed("", "lb-provider = ovn\n")) == "no Service stops or starts working"
    forwarded = manifest(annotations={"x-forwarded-for": "true"})
    again = reviewed("", "", [forwarded], release="v1.18.0", new_release="v1.36.0")
    assert verdict(again) == "of one Service 1 is looked after again"


def test_a_manifest_that_kubernetes_refuses() -> None:
    found = reviewed("", "", [manifest()], [manifest(listed="TCP/80 TCP/80")])
    assert kinds(found, "error") == ["stuck"]
    assert "Kubernetes refuses" in text(found, "stuck")


@pytest.mark.parametrize("release", ["1.22", "1.36"])
def test_another_cluster_name(release: str) -> None:
    ccm = (
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: openstack-cloud-controller-manager}}\nspec:\n"
        "  template:\n    spec:\n      containers:\n      - name: ccm\n"
        "        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.36.0\n"
        "        args: [--cloud-config=/etc/config/cloud.conf, --cluster-name={}]\n"
    )
    before, after = (
        side(CONF, [manifest()], files={"ccm.yaml": ccm.format(name)}, release=release) for name in ("one", "two")
    )
    found = review(before, after)
    service = only(found)
    if release == "1.22":
        assert service.fate is Fate.CREATED
        assert ("warning", "orphaned") in points_of(found)
    else:
        assert service.fate is Fate.RECONCILED
        assert all(one.startswith("PUT") for one in asked(service))
        fact = service.fact("name")
        assert fact is not None
        assert fact.after == "kube_service_two_shop_web"
        assert ("info", "renamed") in points_of(found)


def test_the_quota_counts_all_services() -> None:
    found = reviewed("", MONITOR, THREE, monitor_quota=4, monitors_used=1)
    assert [one.fate for one in found.services].count(Fate.STUCK) == 1
    assert found.totals.stuck == 1
    stuck = next(one for one in found.services if one.fate is Fate.STUCK)
    assert stuck.after is not None
    assert stuck.after.refusals[0].status == 403
    fits = reviewed("", MONITOR, THREE, monitor_quota=6, monitors_used=1)
    assert fits.totals.stuck == 0
    assert text(fits, "monitors") == "health monitors: 0 → 5 (5 made), 6 of the quota of 6"
    assert "health monitors 0 → 5, 6 of the quota of 6; " in list(summary(fits))[2]
    again = reviewed(MONITOR, MONITOR + "monitor-delay = 9s\n", THREE, monitor_quota=5)
    assert (again.totals.stuck, again.totals.stops) == (0, 0)


def test_annotations_that_stop_counting() -> None:
    found = reviewed("", "", [manifest()], [manifest(annotations={"health-monitor-delay": "9"})])
    assert (
        text(found, "ignored") == "loadbalancer.openstack.org/health-monitor-delay has no effect: there is no monitor"
    )


def test_another_implementation_owns_the_service() -> None:
    found = reviewed("", MONITOR, [manifest(loadBalancerClass="other.example/lb")])
    own, *stand_ins = sorted(found.services, key=lambda service: service.fate is not Fate.UNKNOWN)
    assert own.fate is Fate.UNKNOWN
    assert stand_ins  # what other Services of the cluster would get
    assert not found.stand_ins
    assert kinds(found, "error") == []


def test_a_named_load_balancer_is_taken_for_the_own() -> None:
    found = reviewed("", MONITOR, [manifest(annotations={"load-balancer-id": "0d4b2c6e-5f1a-4c3d-9e8f-7a6b5c4d3e2f"})])
    service = only(found)
    assert (service.fate, service.health_after) == (Fate.RECONCILED, Health.WORKS)
    assert asked(service) == ["POST healthmonitors"]
    assert kinds(found, "warning") == []


def test_neutron_lbaas_is_not_known() -> None:
    conf = "use-octavia = false\n"
    found = reviewed(conf, conf, release="1.17", new_release="1.36")
    assert only(found).fate is Fate.UNKNOWN
    assert "Neutron LBaaS" in text(found, "unknown")


def test_an_upgrade_is_reported_with_the_release_of_each_side() -> None:
    local = manifest("shop/web", "TCP/80", **LOCAL)
    found = reviewed(MONITOR, MONITOR, [local], release="1.22", new_release="1.36")
    service = only(found)
    assert (service.before and service.before.release, service.after and service.after.release) == ("1.22", "1.36")
    assert "DELETE healthmonitors/monitor-0" in asked(service)
    config = found.configs[0]
    assert (config.release_before, config.release_after) == ("1.22", "1.36")
    assert config.upgrade is not None
    assert any("health check node port" in turn.text for turn in config.upgrade.turns)
    assert ("info", "release") in points_of(found)


def test_a_way_back_tells_the_keys_that_are_not_known_yet() -> None:
    conf = "member-subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69\ntypo = 1\n"
    found = reviewed(conf, conf, release="1.36", new_release="1.24")
    assert [(one.key, one.ignored) for one in found.configs[0].settings] == [("member-subnet-id", True)]
    assert ("warning", "ignored") in points_of(found)


def test_an_upgrade_that_turns_a_key_fatal() -> None:
    conf = "use-octavia = false\nlb-version = v1\n"
    found = reviewed(conf, conf, release="1.31", new_release="1.36")
    assert found.configs[0].stop_after.startswith("the CCM ends")
    assert points_of(found)[0] == ("error", "fatal")


def test_only_the_timeouts_that_change_are_reported() -> None:
    found = reviewed("", "", [manifest()], [manifest(annotations={"timeout-member-data": "300000"})])
    fact = only(found).fact("timeouts")
    assert fact is not None
    assert (fact.before, fact.after) == ("timeout_member_data 50000 ms", "timeout_member_data 300000 ms")
    assert ("info", "timeouts") in points_of(found)
    assert asked(only(found)) == ["PUT listeners/listener-0"]


def test_source_ranges() -> None:
    inside = manifest(loadBalancerSourceRanges=["10.0.0.0/8"])
    narrower = reviewed("", "", [manifest()], [inside])
    assert ("info", "source-ranges") in points_of(narrower)
    wider = reviewed("", "", [inside], [manifest()])
    assert ("warning", "source-ranges") in points_of(wider)


def test_more_nodes_are_members_at_once() -> None:
    before = side(CONF, [manifest()], nodes=2)
    after = side(CONF, [manifest()], nodes=3)
    assert asked(only(review(before, after))) == ["PUT pools/pool-0/members"]
