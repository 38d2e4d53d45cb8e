"""The likely causes of a failed step of conformance, in their order, each with what speaks for it."""

from __future__ import annotations

from ccmcheck.cluster.conformance.records import Reply, RequestProblem, StepResult
from ccmcheck.cluster.conformance.run import causes

QUOTA = "event SyncLoadBalancerFailed: Quota has been met for resources: Load Balancer"
ODD = "event SyncLoadBalancerFailed: something that no program is known to say"
PROBE = "event Unhealthy: Readiness probe failed"


def test_an_event_with_a_known_cause_comes_before_others() -> None:
    first, second = causes(StepResult("address", False, "no address"), None, "Cluster", [ODD, QUOTA])
    assert first.startswith(f"{QUOTA} (")
    assert "quota" in first.removeprefix(QUOTA)
    assert second == ODD


def test_what_the_load_balancer_met_is_no_cause_of_what_requests_see() -> None:
    replies = [Reply(2.0, RequestProblem.WAITING)] * 2 + [Reply(0.1, RequestProblem.REFUSED), Reply(0.1)]
    step = StepResult("requests", False, "1 of 4 answered", replies=tuple(replies))
    first, second, third = causes(step, None, "Cluster", [QUOTA, PROBE])
    assert first.startswith("2 of 4 requests: the load balancer accepts connections, and the members")
    assert second.startswith("1 of 4 requests: the address refuses the port")
    assert third == PROBE


def test_a_ccm_that_does_not_work_comes_behind_what_events_explain() -> None:
    step = StepResult("address", False, "no address")
    assert causes(step, None, "Cluster", [ODD], "DaemonSet a/b: 0 of 1 pod run") == (
        "no CCM works: DaemonSet a/b: 0 of 1 pod run",
        ODD,
    )
    assert causes(step, None, "Cluster", [QUOTA], "x")[1] == "no CCM works: x"


def test_nothing_known_is_no_cause() -> None:
    assert causes(StepResult("address", False, "no address"), None, "Cluster", []) == ()
