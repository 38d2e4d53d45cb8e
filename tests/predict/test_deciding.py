"""What cloud.conf and each Service should say: one value, annotations for the exceptions, timers for both."""

from __future__ import annotations

import pytest
from predict_cases import NEWEST, PREFIX, nodes, options, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.policy.create_monitor.timers import BALANCED, LOCAL_FAST, UPSTREAM
from ccmcheck.predict.advice.deciding import Decision, decide, placeholder_services
from ccmcheck.predict.advice.suggestion import suggest
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.verdicts.matrix_row import Demands

ENABLE = f"{PREFIX}enable-health-monitor"
OVN = "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
LOCAL = service("TCP/80 TCP/443", externalTrafficPolicy="Local")
CLUSTER = service("TCP/80")
SCTP = service("SCTP/80")


def decided(
    *services: Service,
    text: str = "",
    release: str = NEWEST,
    count: int | None = 12,
    demands: Demands = Demands(),  # noqa: B008 - an immutable record
    monitor_quota: int | None = None,
    monitors_used: int = 0,
    ovn: str = "",
) -> Decision:
    known = None if count is None else nodes(count)
    cloud = CloudState(
        facts=ClusterFacts(monitor_quota=monitor_quota, monitors_used=monitors_used, ovn_octavia_release=ovn),
        nodes=known,
    )
    return decide(options(text, release), services, cloud, demands)


def rows(found: Decision) -> list[str]:
    return [one.row.id if one.row is not None else "" for one in found.services]


def test_one_service_that_needs_monitors_switches_them_on_for_all() -> None:
    found = decided(LOCAL, CLUSTER)
    assert rows(found) == ["M13", "M15"]
    assert found.verdict.value is True
    assert found.keys[0] == ("create-monitor", "true")
    assert all(one.then.plans[0].monitor is not None for one in found.services)


def test_exceptions_carry_an_annotation() -> None:
    found = decided(CLUSTER, SCTP, text=OVN)
    assert rows(found) == ["M09", "M05"]
    assert found.keys[0] == ("create-monitor", "true")
    assert [one.annotations for one in found.services] == [(), ((ENABLE, "false"),)]
    assert found.services[1].then.outcome is Outcome.ACCEPTED
    assert found.services[1].then.plans[0].monitor is None


def test_an_exception_under_false_needs_no_annotation() -> None:
    found = decided(SCTP, text=OVN)
    assert found.keys == (("create-monitor", "false"),)
    assert found.services[0].annotations == ()


def test_an_annotation_in_the_way_is_deleted_and_one_that_helps_is_left() -> None:
    against = service("TCP/80", {"enable-health-monitor": "false"}, externalTrafficPolicy="Local")
    for_it = service("TCP/80", {"enable-health-monitor": "true"}, externalTrafficPolicy="Local")
    found = decided(against, for_it, text="monitor-delay=5s\n")
    assert [one.annotations for one in found.services] == [((ENABLE, None),), ()]
    assert ENABLE not in found.services[0].changed.annotations
    assert found.services[0].now.plans[0].monitor is None
    assert found.services[0].then.plans[0].monitor is not None


def test_a_quota_that_does_not_suffice_leaves_monitors_to_local_services() -> None:
    found = decided(LOCAL, CLUSTER, monitor_quota=2)
    assert rows(found) == ["M18", "M18"]
    assert found.keys[0] == ("create-monitor", "false")
    assert dict(found.services[0].annotations)[ENABLE] == "true"
    assert found.services[1].annotations == ()
    assert found.services[0].then.outcome is Outcome.ACCEPTED


@pytest.mark.parametrize(("quota", "used", "row"), [(3, 0, "M13"), (3, 1, "M18"), (-1, 99, "M13"), (0, 0, "M18")])
def test_the_quota_is_counted_over_all_services(quota: int, used: int, row: str) -> None:
    assert rows(decided(LOCAL, CLUSTER, monitor_quota=quota, monitors_used=used))[0] == row


def test_a_quota_that_is_too_small_for_a_local_service_leaves_it_without() -> None:
    one = service("TCP/81", externalTrafficPolicy="Local")
    found = decided(LOCAL, one, CLUSTER, monitor_quota=1)
    assert [one.fits for one in found.services] == [False, True, True]
    assert found.services[0].refusal == "its 2 monitors would be over the quota, too"
    assert [ENABLE in dict(one.annotations) for one in found.services] == [False, True, False]
    assert [one.then.outcome for one in found.services] == [Outcome.ACCEPTED] * 3


def test_under_a_small_quota_the_next_row_may_forbid_monitors() -> None:
    found = decided(LOCAL, CLUSTER, text=OVN, release="1.25", monitor_quota=2)
    assert rows(found) == ["M18", "M18"]
    assert found.services[0].refusal.startswith("M06, which comes next, says false: ")
    assert found.services[0].annotations == ()


def test_timers_that_do_not_work_are_corrected_even_where_nodes_are_not_known() -> None:
    found = decided(CLUSTER, text="monitor-max-retries=0\n", count=None)
    assert dict(found.keys) == {"create-monitor": "true", "monitor-max-retries": "1"}
    assert found.choice.needs == ("--nodes",)


def test_timers_of_a_service_that_octavia_refuses_are_deleted() -> None:
    own = service("TCP/80", {"health-monitor-max-retries": "11"})
    found = decided(own)
    assert dict(found.services[0].annotations) == {f"{PREFIX}health-monitor-max-retries": None}
    assert found.services[0].then.outcome is Outcome.ACCEPTED


def test_a_service_of_others_counts_for_nothing() -> None:
    foreign = service("TCP/80", loadBalancerClass="x/y")
    found = decided(LOCAL, foreign, monitor_quota=2)
    assert rows(found) == ["M13", "M01"]
    assert found.services[1].then == found.services[1].now


def test_what_octavia_refuses_with_monitors_alone_is_an_exception() -> None:
    mixed = service("TCP/80 UDP/53", {"x-forwarded-for": "true"})
    found = decided(mixed, CLUSTER)
    assert rows(found) == ["M19", "M15"]
    assert "UDP-CONNECT" in found.services[0].refusal
    assert dict(found.services[0].annotations) == {ENABLE: "false"}
    assert found.services[0].then.outcome is Outcome.ACCEPTED


def test_what_octavia_refuses_in_any_case_is_no_exception() -> None:
    assert rows(decided(service("TCP/80 UDP/53", {"proxy-protocol": "true"}))) == ["M15"]


def test_a_short_delay_is_corrected_and_no_reason_against_monitors() -> None:
    found = decided(service("TCP/53 UDP/53"), text="create-monitor=true\nmonitor-delay=2s\nmonitor-timeout=1s\n")
    assert rows(found) == ["M15"]
    assert found.services[0].now.outcome is Outcome.REFUSED
    assert dict(found.keys)["monitor-delay"] == "5s"
    assert found.services[0].then.outcome is Outcome.ACCEPTED


def test_timers_of_the_file_that_keep_the_limits_stay() -> None:
    found = decided(CLUSTER, text="monitor-delay=8s\nmonitor-timeout=4s\n")
    assert found.choice.keeps
    assert found.keys == (("create-monitor", "true"),)
    assert found.changed.monitor_delay == 8


@pytest.mark.parametrize(
    "text",
    ["monitor-delay=500ms\n", "monitor-timeout=9s\n", "monitor-max-retries=0\n", "monitor-max-retries-down=11\n",
     "monitor-delay=40s\nmonitor-timeout=9s\n"],
)  # fmt: skip
def test_timers_of_the_file_that_do_not_are_replaced(text: str) -> None:
    found = decided(CLUSTER, text=text)
    assert not found.choice.keeps
    assert found.choice.timers is UPSTREAM
    assert (found.changed.monitor_delay, found.changed.monitor_timeout) == (5, 3)
    assert (found.changed.monitor_max_retries, found.changed.monitor_max_retries_down) == (1, 3)
    assert len(found.keys) > 1


def test_a_service_with_another_set_carries_it_itself() -> None:
    found = decided(LOCAL, CLUSTER, service("TCP/81"))
    assert found.choice.timers is UPSTREAM
    assert found.services[0].pick.timers is LOCAL_FAST
    assert dict(found.services[0].annotations) == {
        f"{PREFIX}health-monitor-delay": "3",
        f"{PREFIX}health-monitor-timeout": "2",
        f"{PREFIX}health-monitor-max-retries-down": "2",
    }
    assert found.services[0].then.plans[0].monitor is not None
    assert found.services[0].then.plans[0].monitor["delay"] == 3


def test_before_such_annotations_the_slowest_set_serves_all() -> None:
    found = decided(LOCAL, LOCAL, CLUSTER, release="1.23.1")
    assert found.choice.timers is UPSTREAM
    assert not any(one.annotations for one in found.services)


def test_a_key_that_the_release_does_not_know_is_not_asked_for() -> None:
    found = decided(LOCAL, release="v1.27.2")
    assert found.choice.timers is LOCAL_FAST
    assert "monitor-max-retries-down" not in dict(found.keys)
    assert "monitor-max-retries-down" in dict(decided(LOCAL, release="v1.27.3").keys)


def test_timers_of_its_own_are_the_services_business() -> None:
    own = service("TCP/80", {"health-monitor-delay": "7"}, externalTrafficPolicy="Local")
    assert decided(own, CLUSTER, CLUSTER).services[0].annotations == ()


def test_without_a_number_of_nodes_no_timers_are_chosen() -> None:
    found = decided(LOCAL, count=None)
    assert found.verdict.value is True
    assert found.keys == (("create-monitor", "true"),)
    assert found.choice.timers is None
    assert found.choice.needs == ("--nodes",)


def test_a_provider_that_only_rendering_tells_leaves_everything_open() -> None:
    config = options("")._replace(open=("lb-provider",))
    found = decide(config, (LOCAL,), CloudState(nodes=nodes(3)))
    assert rows(found) == [""]
    assert found.verdict.value is None
    assert found.keys == ()


def test_where_either_will_do_the_value_stays() -> None:
    for given in ("true", "false"):
        found = decided(CLUSTER, text=f"create-monitor={given}\n", release="1.26")
        assert rows(found) == ["M16"]
        assert found.keys[0] == ("create-monitor", given)


@pytest.mark.parametrize(
    ("text", "value"),
    [("", "false"), ("monitor-delay=5s\nmonitor-timeout=3s\nmonitor-max-retries=1\n", "true")],
)
def test_up_to_1_17_all_three_timers_decide(text: str, value: str) -> None:
    found = decided(LOCAL, text=f"use-octavia=true\n{text}", release="1.17")
    assert rows(found) == ["M02"]
    assert found.keys[0] == ("create-monitor", value)


def test_a_file_that_the_ccm_does_not_start_with_is_judged_all_the_same() -> None:
    found = decided(LOCAL, text="use-octavia=true\ncreate-monitor=true\n", release="1.17")
    assert found.config.stop
    assert found.keys[0] == ("create-monitor", "false")


def test_demands_reach_the_matrix() -> None:
    assert rows(decided(LOCAL, demands=Demands(client_ip=True))) == ["M12"]
    proxied = service("TCP/443", {"proxy-protocol": "v2"})
    assert rows(decided(proxied, demands=Demands(strict_mtls=True))) == ["M14"]
    assert rows(decided(CLUSTER, demands=Demands(strict_mtls=True))) == ["M15"]
    assert rows(decided(CLUSTER, release="1.28", demands=Demands(drops_unready=True))) == ["M16"]
    assert decided(CLUSTER, demands=Demands(budget=1)).choice.timers is not UPSTREAM


@pytest.mark.parametrize(
    ("release", "internal", "row"),
    [("3.1.0", "false", "M07"), ("3.1.0", "true", "M09"), ("3.0.0", "true", "M07"), ("7.0.1", "false", "M09")],
)
def test_ovns_floating_ips_matter_where_there_is_one(release: str, internal: str, row: str) -> None:
    one = service("TCP/80", {"service.beta.kubernetes.io/openstack-internal-load-balancer": internal})
    found = decided(one, text=f"{OVN}create-monitor=true\n", ovn=release)
    assert rows(found) == [row]
    assert found.choice.timers is BALANCED


def test_ovns_checks_of_old_releases_take_no_node_out_of_a_floating_ip() -> None:
    one = service("TCP/80", externalTrafficPolicy="Local")._replace(replicas=1)
    then = decided(one, text=OVN, ovn="3.1.0").services[0].then
    for name in ("traffic-local", "dead-node", "podless-node"):
        answer = then.answer(name)
        assert answer is not None
        assert answer.good is False, name
    inside = one._replace(annotations={"service.beta.kubernetes.io/openstack-internal-load-balancer": "true"})
    answer = decided(inside, text=OVN, ovn="3.1.0").services[0].then.answer("traffic-local")
    assert answer is not None
    assert answer.good is True


def test_stand_ins_are_of_either_policy() -> None:
    assert [one.policy for one in placeholder_services()] == ["Cluster", "Local"]
    found = decided(*placeholder_services(), count=None)
    assert found.keys == (("create-monitor", "true"),)


def test_where_monitors_alone_do_not_help_a_prediction_says_what_does() -> None:
    one = service("UDP/53", externalTrafficPolicy="Local")
    config, cloud = options(OVN), CloudState(facts=ClusterFacts(ovn_octavia_release="7.0.1"), nodes=nodes(12))
    found = predict(config, one, cloud)
    (finding,) = [finding for finding in found.findings if finding.about == "externalTrafficPolicy"]
    assert finding.help.startswith("Use externalTrafficPolicy Cluster, or a pod on every node: ")
    suggestion = suggest(config, one, cloud, found)
    assert suggestion is not None
    assert suggestion.row == "M20"
    assert suggestion.then.endswith("; also: use externalTrafficPolicy Cluster, or a pod on every node")
    tcp = predict(config, LOCAL, cloud)
    (finding,) = [finding for finding in tcp.findings if finding.about == "externalTrafficPolicy"]
    assert finding.help.startswith("Write create-monitor = true")


@pytest.mark.parametrize(("udp_interval", "keeps"), [(3, True), (4, True), (5, False)])
def test_a_cloud_may_ask_for_slower_checks_of_udp(udp_interval: int, keeps: bool) -> None:
    text = (
        "create-monitor=true\nmonitor-delay=4s\nmonitor-timeout=3s\nmonitor-max-retries=2\nmonitor-max-retries-down=2\n"
    )
    facts = ClusterFacts(octavia_release="2024.1", udp_interval=udp_interval)
    cloud = CloudState(facts=facts, nodes=nodes(3))
    found = decide(options(text, NEWEST), [service("TCP/443 UDP/443", externalTrafficPolicy="Local")], cloud)
    assert found.choice.keeps is keeps
