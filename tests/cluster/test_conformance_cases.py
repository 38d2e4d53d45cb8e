"""`cluster conformance` on a cluster on loopback: each case alone, passing and failing, and what it leaves: nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conformance_cloud import Cloud, running, warning
from conformance_runs import GOOD, PASSWORD, WITHOUT_MONITOR, conformance, hasten, hides, leaves_nothing

from ccmcheck.cluster.conformance.cases import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Object = dict[str, Any]


@pytest.fixture(autouse=True)
def _hasten(monkeypatch: pytest.MonkeyPatch) -> None:
    hasten(monkeypatch)


@pytest.mark.parametrize("name", NAMES)
def test_each_case_passes_alone_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        done = conformance(tmp_path, cloud, "--case", name, "--format", "json")
        leaves_nothing(cloud)
    hides(done)
    report = done.report
    assert [(case["name"], case["verdict"]) for case in report["cases"]] == [(name, "PASS")], done.said
    assert done.code == 0
    assert report["remains"] is None


def only_case(folder: Path, cloud: Cloud, *arguments: str, code: int) -> Object:
    """Run, and the report of the only case."""
    done = conformance(folder, cloud, *arguments, "--format", "json")
    hides(done)
    assert done.code == code, done.said
    (case,) = done.report["cases"]
    leaves_nothing(cloud)
    return dict(case)


def test_the_numbers_of_requests_are_those_of_the_scripts(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        case = only_case(tmp_path, cloud, "--use-case", "default", code=0)
    sent = {step["name"]: step["requests"] for step in case["steps"]}
    assert len(sent["requests"]) == 50
    assert len(sent["first-answer"]) == 1
    assert all(one["pod"].startswith("default-") and one["client"] == "10.6.0.4" for one in sent["requests"])
    assert all(0 <= one["seconds"] < 2 for one in sent["requests"])


def test_a_default_service_is_predicted_to_pass(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        case = only_case(tmp_path, cloud, "--use-case", "default", code=0)
    assert case["predicted"].startswith("all 3 nodes take connections and hand them on to a pod")
    assert case["delays"]["agrees"] is True


def _every_third(service: Object, number: int, pods: list[str]) -> str:
    """Three nodes in rotation, of which one has the pod."""
    return pods[0] if service["spec"].get("externalTrafficPolicy") != "Local" or number % 3 == 0 else "silent"


def test_a_local_service_without_monitor_fails_as_predicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hasten(monkeypatch, 0.3)
    monkeypatch.setattr("ccmcheck.cluster.conformance.steps.traffic.REQUESTS", 12)
    with running(WITHOUT_MONITOR) as cloud:
        cloud.plane.behave = _every_third
        case = only_case(tmp_path, cloud, "--use-case", "local", code=1)
    assert (case["verdict"], case["required"], case["failing_step"]) == ("FAIL", True, "requests")
    assert case["delays"]["agrees"] is True
    assert "2 of 3 nodes have no pod of this Service now" in case["causes"][0]
    assert "Write create-monitor = true" in case["causes"][0]
    assert len({cause.split(":")[1] for cause in case["causes"]}) == len(case["causes"])
    assert "members behind it do not answer" in case["causes"][-1]


def test_a_failing_local_case_is_information_unless_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasten(monkeypatch, 0.3)
    monkeypatch.setattr("ccmcheck.cluster.conformance.steps.traffic.REQUESTS", 6)
    with running(WITHOUT_MONITOR) as cloud:
        cloud.plane.behave = _every_third
        done = conformance(tmp_path, cloud)
        assert done.code == 0
        assert "✗ local: fails; information, not counted" in done.out
        assert "1 passed, 1 failed (1 of them as information)" in done.out
        assert conformance(tmp_path, cloud, "--case", "local", "--use-case", "default").code == 1


def test_pods_that_do_not_start_are_named_by_their_reason(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.pods_ready = False
        case = only_case(tmp_path, cloud, "--use-case", "default", "--wait", "1", code=1)
    assert case["failing_step"] == "workload"
    assert case["steps"][-1]["text"] == "the pods were not ready within 1 s: ImagePullBackOff, ContainersNotReady"
    assert case["predicted"] is None


def test_a_service_without_an_address_is_explained_by_events_and_the_prediction(tmp_path: Path) -> None:
    fatal = GOOD.replace("create-monitor = true", "create-monitor = true\nmonitor-delay = 5")
    message = f'error creating loadbalancer: got 400 instead: {{"faultstring": "password={PASSWORD} bad"}}'
    with running(fatal) as cloud:
        cloud.addresses = False

        def with_event(asked: Any, _obj: Object) -> None:
            if asked.path.endswith("/services/default"):
                events = asked.path.rpartition("/services/")[0] + "/events"
                cloud.server.lists[events] = [
                    warning("SyncLoadBalancerFailed", message, "default"),
                    warning("Other", "of another case", "local"),
                ]

        cloud.server.controllers.append(with_event)
        case = only_case(tmp_path, cloud, "--use-case", "default", "--wait", "1", code=1)
    assert case["failing_step"] == "address"
    assert case["steps"][-1]["text"] == "no address within 1 s"
    predicted, event = case["causes"]
    assert "missing unit in duration" in predicted
    assert event.startswith("event SyncLoadBalancerFailed: error creating loadbalancer: got 400 instead")
    assert "****" in event


BROKEN: dict[str, tuple[Callable[[Object, int, list[str]], str], str, str]] = {
    "default": (lambda _s, _n, _p: "silent", "first-answer", "none of 3 requests was answered: 3 × no answer"),
    "port-change": (
        lambda service, _n, pods: pods[0] if service["spec"]["ports"][0]["nodePort"] == 30000 else "close",
        "first-answer",
        "none of 3",
    ),
    "deletion": (lambda _s, number, pods: "stranger" if number > 3 else pods[0], "requests", "HTTP 503 from something"),
    "udp": (lambda _s, number, pods: "silent" if number % 2 else pods[0], "requests", "no connection within"),
    "rolling-update": (lambda _s, number, pods: "close" if number == 12 else pods[0], "rollout", "1 × closed"),
    "affinity": (lambda _s, number, _p: f"affinity-{number % 3}", "requests", "not those of the Service"),
    "local-nodes": (lambda _s, _n, pods: pods[0] if len(pods) > 1 else "close", "settle", "requests are still lost"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_case_names_the_step_that_fails(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    behave, step, words = BROKEN[name]
    monkeypatch.setattr("ccmcheck.cluster.conformance.steps.traffic.SETTLE_SECONDS", 0.3)
    monkeypatch.setattr("ccmcheck.cluster.conformance.steps.traffic.REQUESTS", 10)
    hasten(monkeypatch, 0.3 if name in ("default", "udp") else 2.0)
    if name == "port-change":
        behave = lambda _s, _n, _p: "close"  # noqa: E731
    with running(GOOD) as cloud:
        cloud.plane.behave = behave
        case = only_case(tmp_path, cloud, "--case", name, code=1)
    assert case["failing_step"] == step, case
    assert words in case["steps"][-1]["text"]
    assert case["verdict"] == "FAIL"


def test_ranges_that_are_not_enforced_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance_cloud.ENFORCES_RANGES", False)
    with running(GOOD) as cloud:
        case = only_case(tmp_path, cloud, "--case", "source-ranges", "--wait", "1", code=1)
    assert case["failing_step"] == "silent"
    assert "is still answered within 1 s" in case["steps"][-1]["text"]


def test_affinity_that_is_not_kept_is_found(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.keeps_affinity = False
        case = only_case(tmp_path, cloud, "--case", "affinity", code=1)
    assert case["steps"][-1]["text"].endswith("by 3 pods, not by one")


def test_a_second_load_balancer_in_place_of_a_shared_one_is_found(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.shares = False
        case = only_case(tmp_path, cloud, "--case", "shared", code=1)
    assert case["failing_step"] == "share"
    assert "it got a load balancer of its own" in case["steps"][-1]["text"]


def test_a_load_balancer_that_outlives_its_service_is_found(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.closes = False
        done = conformance(tmp_path, cloud, "--case", "deletion", "--wait", "1", "--format", "json")
    (case,) = done.report["cases"]
    assert (done.code, case["failing_step"]) == (1, "silent")
    assert "is still answered within 1 s" in case["steps"][-1]["text"]


def test_a_case_that_needs_two_nodes_is_not_tried_on_one(tmp_path: Path) -> None:
    with running(GOOD, nodes=1) as cloud:
        done = conformance(tmp_path, cloud, "--use-case", "default", "--case", "local-nodes", "--format", "json")
        leaves_nothing(cloud)
    assert done.code == 0
    assert [case["verdict"] for case in done.report["cases"]] == ["PASS", "ABORT"]
    assert done.report["cases"][1]["steps"][-1]["text"] == "needs pods on 2 nodes, and all of them are on 1"


@pytest.mark.parametrize("is_openshift", [False, True])
def test_pods_run_as_the_user_that_the_cluster_allows(is_openshift: bool, tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        if is_openshift:
            cloud.server.objects["/apis/security.openshift.io"] = {"kind": "APIGroup", "metadata": {}}
        assert conformance(tmp_path, cloud, "--use-case", "default").code == 0
        (created,) = [one for one in cloud.server.asked if one.method == "POST" and one.path.endswith("/deployments")]
    pod = created.document["spec"]["template"]["spec"]
    assert ("runAsUser" in pod["securityContext"]) is not is_openshift
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False


def test_all_cases_run_one_after_another(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        most = 0

        def counted(*_: object) -> None:
            nonlocal most
            most = max(most, len(set(cloud.balancers.values())))

        cloud.server.controllers.append(counted)
        done = conformance(tmp_path, cloud, "--use-case", "all", "--format", "json")
        leaves_nothing(cloud)
    assert done.code == 0, done.said
    assert [case["name"] for case in done.report["cases"]] == list(NAMES)
    assert most == 1
