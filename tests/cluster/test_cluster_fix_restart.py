"""`cluster fix --restart`: the template's annotation, the wait for pods that stay, and the way back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from api_faults import status
from api_server import CONF, cluster, daemonset, kubeconfig, serving
from cluster_runs import run
from fix_runs import (
    DAEMONSET,
    FIXED,
    NAME,
    PODS,
    RESTARTED_AT,
    SECRET,
    SUBJECT,
    DaemonSetController,
    fix,
    held,
    interactive,
    owned_by,
    owner,
    sent,
)
from test_cluster_rbac import granted, requested

from ccmcheck.cluster.access.kubeconfig import Access
from ccmcheck.cluster.access.requests import APPS, CORE, GET, LIST, RequestKind
from ccmcheck.cluster.access.writing import Writer, open_for_writing
from ccmcheck.cluster.fixing import rollout
from ccmcheck.cluster.fixing.rollout import RestartedWorkload, Roller

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import ApiServer

CCM = f"DaemonSet kube-system/{NAME}"
WRITE = ("--write", "--yes", "--restart", "--backup", "before.json")


def template_annotations(server: ApiServer) -> dict[str, str]:
    found: dict[str, str] = server.objects[DAEMONSET]["spec"]["template"]["metadata"].get("annotations", {})
    return found


def starts_with(text: str) -> Any:
    """Whether the CCM starts with a cloud.conf: only with this."""
    return lambda conf: conf == text


def test_the_ccm_is_restarted_as_kubectl_does(tmp_path: Path) -> None:
    server = interactive()
    controller = DaemonSetController(server, starts_with(FIXED))
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 0, done.said
    assert controller.rollouts == 1
    assert template_annotations(server)[RESTARTED_AT].endswith("Z")
    assert [path for _, path, dry in sent(server) if not dry][-2:] == [SECRET, DAEMONSET]
    assert f"{CCM} was restarted, and its new pods run." in done.err
    audits = [line for line in done.err.splitlines() if "audit:" in line]
    assert len(audits) == 2
    assert f"wrote {CCM}, resourceVersion " in audits[1]
    assert audits[1].endswith(f'changed spec.template.metadata.annotations["{RESTARTED_AT}"]')


def test_what_is_not_written_is_not_restarted(tmp_path: Path) -> None:
    server = owned_by(owner("helm"))
    DaemonSetController(server, starts_with(FIXED))
    assert fix(tmp_path, server, *WRITE).code == 3
    assert sent(server) == []
    server = owned_by(conf=FIXED)
    DaemonSetController(server, starts_with(FIXED))
    assert fix(tmp_path, server, *WRITE).code == 0
    assert sent(server) == []


def test_a_ccm_that_uses_an_older_text_is_restarted_without_a_write(tmp_path: Path) -> None:
    changed = {**owner("kubectl-edit"), "time": "2026-11-03T11:00:00Z"}  # an hour after the containers were started
    server = owned_by(changed, conf=FIXED)
    controller = DaemonSetController(server, starts_with(FIXED))
    assert fix(tmp_path, server, "--write", "--yes").code == 0
    assert controller.rollouts == 0
    done = fix(tmp_path, server, *WRITE, "--format", "json")
    assert done.code == 0
    assert controller.rollouts == 1
    assert done.report["restarted"] == [CCM]
    assert done.report["summary"]["written"] == 0
    assert ("PATCH", SECRET, "") not in sent(server)


@pytest.mark.parametrize(
    ("manager", "conf"), [("helm", CONF), ("kubectl-edit", f"{FIXED}max-shared-lb = many\n")], ids=["refused", "fatal"]
)
def test_a_ccm_is_not_restarted_into_a_text_that_stops_it(manager: str, conf: str, tmp_path: Path) -> None:
    changed = {**owner(manager), "time": "2026-11-03T11:00:00Z"}
    server = owned_by(changed, conf=conf)
    controller = DaemonSetController(server, starts_with(conf))
    assert fix(tmp_path, server, *WRITE).code == 3
    assert controller.rollouts == 0


def test_pods_that_do_not_run_are_named(tmp_path: Path) -> None:
    server = interactive()
    DaemonSetController(server, starts_with("never"))
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert (
        f"{CCM} was restarted, and its new pods do not run: "
        "pod ccm-0: container ccm is in CrashLoopBackOff, ended with exit code 255." in done.err
    )
    assert f"{CCM} was put back, and its pods do not run" in done.err
    assert held(server) == CONF


def test_who_stops_the_wait_is_told_how_to_go_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Roller, "wait", interrupted)
    server = interactive()
    DaemonSetController(server, starts_with(FIXED))
    done = fix(tmp_path, server, *WRITE, "--format", "json")
    assert done.code == 130
    assert [one["written"] for one in done.report["objects"]] == [True]
    assert f"{CCM} is being restarted; nobody waits for it any more." in done.err
    assert "Put the text before back: kubectl replace -f before.json\n" in done.err
    assert f"Put the pods back: kubectl -n kube-system rollout undo daemonset/{NAME}\n" in done.err


def test_everything_is_put_back_on_failure(tmp_path: Path) -> None:
    server = interactive()
    server.objects[DAEMONSET]["spec"]["template"]["metadata"]["annotations"] = {RESTARTED_AT: "2026-01-01T00:00:00Z"}
    controller = DaemonSetController(server, starts_with(CONF))
    done = fix(tmp_path, server, *WRITE, "--format", "json")
    assert done.code == 3
    assert [one["written"] for one in done.report["objects"]] == [False]
    (failure,) = done.report["failures"]
    assert failure["path"] == CCM
    assert failure["message"].startswith("was restarted, and its new pods do not run: pod ccm-0")
    assert done.report["restarted"] == []
    assert held(server) == CONF
    assert template_annotations(server) == {RESTARTED_AT: "2026-01-01T00:00:00Z"}
    assert controller.rollouts == 2
    assert f"Everything was put back, and the pods of {CCM} run." in done.err
    assert len([line for line in done.err.splitlines() if "audit:" in line]) == 4


def test_a_first_restart_is_put_back_without_the_annotation(tmp_path: Path) -> None:
    server = interactive()
    DaemonSetController(server, starts_with(CONF))
    fix(tmp_path, server, *WRITE)
    assert RESTARTED_AT not in template_annotations(server)


def test_a_text_that_somebody_changed_since_is_not_put_back(tmp_path: Path) -> None:
    server = interactive()
    DaemonSetController(server, starts_with(CONF))

    def meanwhile(asked: Any, _: Any) -> None:
        if asked.path == DAEMONSET:
            server.objects[SECRET]["metadata"]["resourceVersion"] = "of somebody else"

    server.controllers.append(meanwhile)
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert f"{SUBJECT} was not put back: HTTP 409: the object was changed meanwhile" in done.err
    assert held(server) == FIXED


def test_a_text_that_still_stops_the_ccm_is_not_restarted_into(tmp_path: Path) -> None:
    server = owned_by(owner("kubectl-edit"), conf=f"{CONF}max-shared-lb = many\n")
    DaemonSetController(server, starts_with("never"))
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert held(server) == f"{FIXED}max-shared-lb = many\n"
    assert f"{CCM} is not restarted: the CCM would stop at the text of {SUBJECT} as it is now." in done.err
    assert DAEMONSET not in [path for _, path, _ in sent(server)]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"updateStrategy": {"type": "OnDelete"}}, "has the update strategy OnDelete"),
        ({"paused": True}, "is paused"),
    ],
)
def test_what_cannot_be_restarted_is_named(spec: dict[str, Any], words: str, tmp_path: Path) -> None:
    server = interactive()
    DaemonSetController(server, starts_with(FIXED))
    server.objects[DAEMONSET]["spec"].update(spec)
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert f"{CCM} is not restarted: {CCM} {words}" in done.err
    assert held(server) == FIXED
    assert DAEMONSET not in [path for _, path, _ in sent(server)]


def test_a_refused_restart_is_a_failure(tmp_path: Path) -> None:
    server = interactive()
    DaemonSetController(server, starts_with(FIXED))
    proper = server.answer
    server.answer = lambda asked: (  # type: ignore[method-assign]
        status(403, "canary-hunter2-is-the-secret")
        if (asked.method, asked.path) == ("PATCH", DAEMONSET)
        else proper(asked)
    )
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert f"{CCM} is not restarted: HTTP 403: the credentials do not allow it" in done.err
    assert "cluster rbac --for fix" in done.err


def test_a_static_pod_is_restarted_on_its_node(tmp_path: Path) -> None:
    server = interactive()
    spec = daemonset()["spec"]["template"]["spec"]
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = []
    static = {"metadata": {"name": "ccm-n0", "namespace": "kube-system"}, "spec": {**spec, "nodeName": "n0"}}
    server.lists[PODS] = [static]
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert held(server) == FIXED
    assert "Pod kube-system/ccm-n0 is not restarted: no DaemonSet or Deployment makes it" in done.err


def test_the_roles_suffice_for_a_restart(tmp_path: Path) -> None:
    server = interactive()
    DaemonSetController(server, starts_with(CONF))
    fix(tmp_path, server, *WRITE)
    assert requested(server) <= granted(run(tmp_path, "rbac", "--for", "fix").out)


WORKLOAD = RestartedWorkload(
    CCM,
    RequestKind(APPS, "v1", "daemonsets", GET, "kube-system", NAME),
    RequestKind(CORE, "v1", "pods", LIST, "kube-system"),
)


class OwnTime:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def waited(tmp_path: Path, server: ApiServer, stamp: str = "", seconds: float = 20) -> tuple[str, float]:
    """Wait with a clock of our own; what is said, and after which time."""
    own = OwnTime()
    with serving(server):
        connection, _ = open_for_writing(Access(kubeconfig=str(kubeconfig(tmp_path, server))))
        writer = Writer(connection, sleep=lambda _: None)
        with patch.object(rollout, "time", own):
            said = Roller(writer, WORKLOAD, seconds).wait(stamp)
        connection.close()
    return said, own.now


def rolled(nodes: int = 2) -> ApiServer:
    server = interactive()
    DaemonSetController(server, starts_with(CONF), nodes)
    return server


def test_pods_must_stay(tmp_path: Path) -> None:
    assert waited(tmp_path, rolled()) == ("", 10)


def test_a_restarted_container_counts_from_then_on(tmp_path: Path) -> None:
    server = rolled()
    asked_before = [0]
    proper = server.answer

    def answer(asked: Any) -> Any:
        if asked.path == PODS:
            asked_before[0] += 1
            restarts = 1 if asked_before[0] > 3 else 0
            for pod in server.lists[PODS]:
                pod["status"]["containerStatuses"][0]["restartCount"] = restarts
        return proper(asked)

    server.answer = answer  # type: ignore[method-assign]
    assert waited(tmp_path, server) == ("", 16)


def test_the_wait_has_a_limit(tmp_path: Path) -> None:
    server = rolled()
    assert waited(tmp_path, server, "another") == ("not ready after 20 s: 0 of 2 new pods are ready", 20)
    server.objects[DAEMONSET]["metadata"]["generation"] = 9
    assert waited(tmp_path, server)[0] == "not ready after 20 s: its controller has not seen the change"
    server.fail(DAEMONSET, status(500, "canary"))
    assert waited(tmp_path, server)[0] == "not ready after 20 s: HTTP 500: the API server failed"


def test_a_workload_without_nodes_is_ready(tmp_path: Path) -> None:
    assert waited(tmp_path, rolled(nodes=0))[0] == ""


def test_a_deployment_waits_for_its_old_pods_to_go(tmp_path: Path) -> None:
    server = rolled(nodes=1)
    workload = server.objects[DAEMONSET]
    workload["kind"] = "Deployment"
    workload["spec"]["replicas"] = 1
    status_: dict[str, Any] = {"observedGeneration": 1, "replicas": 2, "updatedReplicas": 1, "availableReplicas": 2}
    workload["status"] = status_
    assert waited(tmp_path, server)[0].startswith("not ready after")
    status_["replicas"] = 1
    assert waited(tmp_path, server)[0] == ""
    status_["conditions"] = [{"type": "Progressing", "reason": "ProgressDeadlineExceeded", "message": "hunter2"}]
    assert waited(tmp_path, server)[0] == "the progress deadline of the Deployment is exceeded"


@pytest.mark.parametrize("broken", [{}, {"status": {"containerStatuses": "x"}}, {"metadata": {"uid": 1}}])
def test_pods_that_are_none_do_not_end_the_wait(broken: dict[str, Any], tmp_path: Path) -> None:
    server = rolled()
    server.lists[PODS] = [json.loads(json.dumps({"metadata": {"name": "x"}, **broken}))]
    assert waited(tmp_path, server)[0].startswith("not ready after")


def test_a_cluster_without_a_ccm_changes_nothing(tmp_path: Path) -> None:
    server = cluster()
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = []
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert "CCM: no CCM runs in kube-system or openshift-cloud-controller-manager" in done.err
    assert sent(server) == []
