"""`cluster conformance` under faults: cut connections, an API server that goes, signals, limits; what is left, and where it says so."""

from __future__ import annotations

import gc
import os
import signal
import socket
import warnings
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import Fault, status
from api_server import kubeconfig
from cluster_runs import run
from conformance_cloud import running
from conformance_runs import GOOD, conformance, hasten, hides, inside, leaves_nothing

from ccmcheck.base.budget import PROCESSOR_TIME, TimeIsUp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conformance_cloud import Cloud
    from loopback import Asked

LABEL = "ccmcheck.dev/conformance-run"


@pytest.fixture(autouse=True)
def _hasten(monkeypatch: pytest.MonkeyPatch) -> None:
    hasten(monkeypatch)


@pytest.fixture(autouse=True)
def _usual_signals() -> Iterator[None]:
    """Undo what nohup and a shell's ``&`` make of signals; a command that finds them ignored lets them be."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    for number in numbers:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
    with warnings.catch_warnings():  # a signal between a socket's creation and its use leaves it to the collector
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def cut(handler: Any) -> None:
    """Close the connection in the middle of the body."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"kind": "c4nary')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)


def drop(handler: Any) -> None:
    """Close the connection without an answer."""
    handler.connection.shutdown(socket.SHUT_RDWR)


def intercept(cloud: Cloud, decide: Callable[[int, Asked, Callable[[Asked], Fault]], Fault]) -> list[Asked]:
    """Let a function answer; it gets the number of the request, the request, and the proper way to answer."""
    asked_before: list[Asked] = []
    proper = cloud.server.answer

    def answer(asked: Asked) -> Fault:
        asked_before.append(asked)
        return decide(len(asked_before), asked, proper)

    cloud.server.answer = answer  # type: ignore[method-assign]
    return asked_before


def requests_of_a_run(folder: Path, *arguments: str) -> list[Asked]:
    """The requests of a run without faults, from the first that follows the question."""
    with running(GOOD) as cloud:
        seen = intercept(cloud, lambda _n, asked, proper: proper(asked))
        assert conformance(folder, cloud, *arguments).code == 0
    return seen


def writes(asked: list[Asked]) -> list[int]:
    """The numbers of the requests that change something."""
    return [number for number, one in enumerate(asked, 1) if one.method != "GET"]


@pytest.mark.part(of=3)
@pytest.mark.parametrize(("done_first", "fault"), [(True, cut), (False, drop), (True, drop)])
def test_every_request_may_be_cut_once(tmp_path: Path, fault: Callable[[Any], None], *, done_first: bool) -> None:
    """In the middle of its answer, before it is done, after it was done: the run goes on, and nothing is left."""
    seen = requests_of_a_run(tmp_path, "--use-case", "default")
    assert len(writes(seen)) >= 6
    for number in range(2, len(seen) + 1):

        def decide(at: int, asked: Asked, proper: Callable[[Asked], Fault], number: int = number) -> Fault:
            if at != number:
                return proper(asked)
            if done_first:
                proper(asked)
            return Fault(write=fault)

        with running(GOOD) as cloud:
            intercept(cloud, decide)
            done = conformance(tmp_path, cloud, "--use-case", "default", "-q")
            leaves_nothing(cloud)
        hides(done)
        assert done.code == 0, (number, done.said)


def test_an_api_server_that_goes_for_good_is_said_with_what_is_left_and_the_command(tmp_path: Path) -> None:
    seen = requests_of_a_run(tmp_path, "--use-case", "default")
    first = writes(seen)[0]
    last = next(number for number, one in enumerate(seen, 1) if one.method == "DELETE")
    gone = Event()
    for number in sorted({first + 1, *writes(seen)[2:4], last - 2, last, len(seen) - 1}):
        with running(GOOD) as cloud:
            gone.set()

            def decide(at: int, asked: Asked, proper: Callable[[Asked], Fault], number: int = number) -> Fault:
                return proper(asked) if at < number or not gone.is_set() else Fault(write=drop)

            intercept(cloud, decide)
            done = conformance(tmp_path, cloud, "--use-case", "default", "--wait", "1")
            hides(done)
            assert done.code == 3, (number, done.said)
            assert "✗ left in the cluster: the API server is gone for 1 s" in done.out
            assert "Namespace ccmcheck-conformance-" in done.out
            command = done.out.rpartition("Remove it with: ")[2].split()
            assert command[:5] == ["ccmcheck", "cluster", "conformance", "--cleanup", "--run-id"]
            assert command[-2:] == ["--context", "test"]
            gone.clear()
            cleaned = run(tmp_path, *command[2:], "--yes")
            assert cleaned.code == 0, cleaned.said
            leaves_nothing(cloud)


def test_a_lost_connection_names_the_service_and_its_address(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        gone = False

        def decide(_at: int, asked: Asked, proper: Callable[[Asked], Fault]) -> Fault:
            return Fault(write=drop) if gone else proper(asked)

        def lose(_service: Any, number: int, pods: list[str]) -> str:
            nonlocal gone
            gone = number > 20
            return pods[0]

        cloud.plane.behave = lose
        intercept(cloud, decide)
        done = conformance(tmp_path, cloud, "--use-case", "default", "--wait", "1")
        (ip,) = set(cloud.balancers.values())
    assert done.code == 3
    assert f"    Service default ({ip})\n" in done.out
    assert "Load balancers cost money until they are deleted" in done.out


@pytest.mark.part(of=3)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_any_request_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    """How often a run looks at what it waits for depends on the machine: each is judged by its own requests."""
    seen = requests_of_a_run(tmp_path, "--use-case", "default")
    after_question = next(at for at, one in enumerate(seen, 1) if one.path == "/version")
    every = range(after_question, len(seen) + 1)
    ended = 0
    for at_request in every if number == signal.SIGINT else (writes(seen)[0], writes(seen)[2]):
        sent: list[bool] = []  # whether it came before the first deletion

        def decide(at: int, asked: Asked, proper: Callable[[Asked], Fault], at_request: int = at_request) -> Fault:
            methods = {one.method for one in asked_before[:at]}  # noqa: B023 - of the same turn
            if at == at_request and methods != {"GET"}:
                sent.append("DELETE" not in methods)  # noqa: B023
                os.kill(os.getpid(), number)
            return proper(asked)

        with running(GOOD) as cloud:
            asked_before = intercept(cloud, decide)
            done = conformance(tmp_path, cloud, "--use-case", "default", "--format", "json")
            leaves_nothing(cloud)
        hides(done)
        assert done.code in {0, 128 + number}, done.said
        assert sent or done.code == 0, (at_request, done.said)
        if done.code:
            ended += 1
            assert done.report["stopped"] == "interrupted"
            assert done.report["remains"] is None
        if sent == [True]:
            assert done.code == 128 + number, (at_request, done.said)
    assert ended >= (4 if number == signal.SIGINT else 1)


def test_a_signal_between_two_requests_to_the_load_balancer(tmp_path: Path) -> None:
    with running(GOOD) as cloud:

        def kill(_service: Any, number: int, pods: list[str]) -> str:
            if number == 20:
                os.kill(os.getpid(), signal.SIGINT)
            return pods[0]

        cloud.plane.behave = kill
        done = conformance(tmp_path, cloud)
        leaves_nothing(cloud)
    assert done.code == 130
    assert "- default: not tried to its end" in done.out
    assert "requests" in done.out
    assert "interrupted  ← ends" in done.out
    assert "- local: not tried" in done.out
    assert "The run ended early: interrupted" in done.out


def test_a_second_signal_in_the_removal_is_answered_and_a_third_ends_it(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.finalizes = False
        polls = 0

        def decide(_at: int, asked: Asked, proper: Callable[[Asked], Fault]) -> Fault:
            nonlocal polls
            is_removal = asked.method == "GET" and any(
                one["metadata"].get("deletionTimestamp") for one in cloud.server.objects.values() if "metadata" in one
            )
            if is_removal:
                polls += 1
                if polls in (5, 10, 15):
                    os.kill(os.getpid(), signal.SIGINT)
            return proper(asked)

        intercept(cloud, decide)
        done = conformance(tmp_path, cloud, "--use-case", "default", "--wait", "20")
        hides(done)
        assert done.code == 130
        assert "removing what was created; once more leaves it there" in done.err
        assert "✗ left in the cluster: the removal was interrupted" in done.out
        assert inside(cloud)
        cloud.finalizes = True
        for path in inside(cloud):
            cloud.server.remove(path)


def test_the_time_limit_ends_the_cases_and_not_the_removal(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.addresses = False
        done = conformance(tmp_path, cloud, "--time-limit", "1")
        leaves_nothing(cloud)
    assert done.code == 3
    assert "The run ended early: the time limit of 1 s is over. --time-limit sets another one." in done.out
    assert "- local: not tried" in done.out


@pytest.mark.parametrize("error", [TimeIsUp(60, PROCESSOR_TIME), MemoryError()], ids=repr)
def test_the_end_of_the_budget_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def over(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr("ccmcheck.cluster.conformance.run.Stage", over)
    with running(GOOD) as cloud:
        done = conformance(tmp_path, cloud)
        leaves_nothing(cloud)
    assert done.code == 3
    assert "used up" in done.err or "the limit of processor time of 60 s is over" in done.err


def test_a_ccm_that_deletes_nothing_is_said_with_its_finalizer(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.finalizes = False
        done = conformance(tmp_path, cloud, "--use-case", "default", "--wait", "1")
        kept = inside(cloud)
    assert done.code == 3
    assert any(path.endswith("/services/default") for path in kept)
    assert "✓ default" in done.out
    assert "✗ left in the cluster: the namespace is still there after 1 s" in done.out
    assert ", kept by finalizer service.kubernetes.io/load-balancer-cleanup" in done.out


@pytest.mark.parametrize("code", [401, 403, 422])
def test_a_run_that_may_create_nothing_is_no_failure_of_the_cluster(code: int, tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.server.fail("/api/v1/namespaces", status(code, "c4nary"))
        done = conformance(tmp_path, cloud, "--format", "scs")
        leaves_nothing(cloud)
    hides(done)
    assert done.code == 3
    assert done.out == "loadbalancer-default: ABORT\nloadbalancer-local: ABORT\n"
    assert f"ERROR: nothing can be created: HTTP {code}" in done.err
    assert "ccmcheck cluster rbac" in done.err or code != 403


@pytest.mark.parametrize("resource", ["deployments", "services"])
def test_a_refused_object_fails_its_case_alone(resource: str, tmp_path: Path) -> None:
    with running(GOOD) as cloud:

        def decide(_at: int, asked: Asked, proper: Callable[[Asked], Fault]) -> Fault:
            refused = asked.method == "POST" and asked.path.endswith(resource) and b'"name": "default"' in asked.body
            return status(403, "c4nary") if refused else proper(asked)

        intercept(cloud, decide)
        done = conformance(tmp_path, cloud, "--format", "json")
        leaves_nothing(cloud)
    hides(done)
    assert done.code == 1
    assert [case["verdict"] for case in done.report["cases"]] == ["FAIL", "PASS"]
    assert done.report["cases"][0]["failing_step"] == {"deployments": "workload", "services": "service"}[resource]


def test_nothing_is_created_without_a_yes(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        config = kubeconfig(tmp_path, cloud.server)
        done = run(tmp_path, "conformance", "--kubeconfig", str(config))
        assert {asked.method for asked in cloud.server.asked} == {"GET"}
    assert done.code == 2
    assert "This creates 2 load balancers, one after another, and removes them again (default, local)." in done.err
    assert "They cost money." in done.err
    assert "nobody can confirm" in done.err
    assert "--yes" in done.err


def test_a_removal_that_cannot_list_says_of_which_cluster(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        intercept(cloud, lambda _, asked, proper: Fault(403) if "labelSelector" in asked.query else proper(asked))
        done = conformance(tmp_path, cloud, "--cleanup")
        server = f"context test, http://127.0.0.1:{cloud.server.port}"
    assert done.code == 3
    assert f"{server}: HTTP 403: the credentials do not allow it" in done.err


def test_the_question_names_the_cluster_and_no_means_no(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.cli.console.is_terminal", lambda _stream: True)
    for answer, code in (("n\n", 1), ("y\n", 0)):
        with running(GOOD) as cloud:
            monkeypatch.setattr("click.termui.visible_prompt_func", lambda _prompt, answer=answer: answer.strip())
            config = kubeconfig(tmp_path, cloud.server)
            port = "18471"
            done = run(tmp_path, "conformance", "--kubeconfig", str(config), "--use-case", "default", "--port", port)
            changed = {asked.method for asked in cloud.server.asked} - {"GET"}
            leaves_nothing(cloud)
        assert done.code == code, done.said
        assert bool(changed) == (code == 0)
        assert "Cluster: context test, http://127.0.0.1:" in done.err


def test_a_prediction_that_cannot_be_made_is_said_and_the_cases_run(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        cloud.server.fail("/api/v1/namespaces/kube-system/secrets/cloud-config", status(403, "c4nary"))
        cloud.server.fail("/api/v1/nodes", status(403, "c4nary"))
        done = conformance(tmp_path, cloud, "--use-case", "default")
        leaves_nothing(cloud)
    hides(done)
    assert done.code == 0
    assert "Not read for predictions: Secret kube-system/cloud-config: HTTP 403" in done.out
    assert "Not read for predictions: Nodes: HTTP 403" in done.out
    assert "predicted" not in done.out.partition("✓")[2]


def test_an_api_server_that_does_not_answer_ends_it_before_anything(tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        pass
    done = run(tmp_path, "conformance", "--kubeconfig", str(kubeconfig(tmp_path, cloud.server)), "--yes")
    assert done.code == 3
    assert "context test, http://127.0.0.1:" in done.err
    assert "nobody answers there" in done.err


class TestCleanup:
    def _left(self, cloud: Cloud, *ids: str) -> None:
        for run_id in ids:
            path = f"/api/v1/namespaces/ccmcheck-conformance-{run_id}"
            metadata = {"name": f"ccmcheck-conformance-{run_id}", "uid": run_id, "labels": {LABEL: run_id}}
            metadata["creationTimestamp"] = "2026-11-03T10:00:00Z"
            cloud.server.put(path, {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
            cloud.server.lists[f"{path}/services"] = []

    def test_it_removes_all_runs(self, tmp_path: Path) -> None:
        with running(GOOD) as cloud:
            self._left(cloud, "aa11", "bb22")
            done = conformance(tmp_path, cloud, "--cleanup")
            leaves_nothing(cloud)
        assert done.code == 0
        assert "Run aa11 of 2026-11-03T10:00:00Z, namespace ccmcheck-conformance-aa11\n" in done.out
        assert "Run aa11 is removed\nRun bb22 is removed\n" in done.out

    def test_it_removes_one_run(self, tmp_path: Path) -> None:
        with running(GOOD) as cloud:
            self._left(cloud, "aa11", "bb22")
            done = conformance(tmp_path, cloud, "--cleanup", "--run-id", "bb22")
            assert inside(cloud) == ["/api/v1/namespaces/ccmcheck-conformance-aa11"]
        assert done.code == 0

    def test_it_asks_first(self, tmp_path: Path) -> None:
        with running(GOOD) as cloud:
            self._left(cloud, "aa11")
            config = kubeconfig(tmp_path, cloud.server)
            done = run(tmp_path, "conformance", "--kubeconfig", str(config), "--cleanup")
            assert inside(cloud)
        assert done.code == 2

    def test_it_leaves_what_only_looks_like_a_run(self, tmp_path: Path) -> None:
        with running(GOOD) as cloud:
            for name, label in (("ccmcheck-conformance-cc33", ""), ("shop", "cc33"), ("ccmcheck-conformance-x", "y")):
                labels = {LABEL: label} if label else {}
                namespace = {"metadata": {"name": name, "uid": name, "labels": labels}}
                cloud.server.put(f"/api/v1/namespaces/{name}", {"kind": "Namespace", **namespace})
            before = set(cloud.server.objects)
            done = conformance(tmp_path, cloud, "--cleanup")
            assert set(cloud.server.objects) == before
        assert done.code == 0
        assert "There is nothing to remove\n" in done.out

    def test_it_goes_with_no_case(self, tmp_path: Path) -> None:
        done = run(tmp_path, "conformance", "--cleanup", "--case", "udp")
        assert done.code == 2


def test_a_namespace_of_another_run_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.cli.cluster_conformance._new_id", lambda: "dd44")
    with running(GOOD) as cloud:
        path = "/api/v1/namespaces/ccmcheck-conformance-dd44"
        cloud.server.put(path, {"kind": "Namespace", "metadata": {"name": "ccmcheck-conformance-dd44", "uid": "u"}})
        done = conformance(tmp_path, cloud)
        assert path in cloud.server.objects
    assert done.code == 3
    assert "nothing can be created: HTTP 409" in done.out


def test_wrong_words(tmp_path: Path) -> None:
    for arguments, words in (
        (("--case", "udpp"), "Did you mean `udp`?"),
        (("--run-id", "x"), "--run-id goes with --cleanup"),
        (("--use-case", "none"), "none"),
    ):
        done = run(tmp_path, "conformance", *arguments)
        assert done.code == 2
        assert words in done.err
