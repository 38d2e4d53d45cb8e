"""`cluster diff` says who changed what, which text the CCM uses, and what a sync changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from api_server import (
    BALANCER,
    cluster,
    daemonset,
    secret,
)
from diff_runs import (
    ARGS,
    SECRET,
    WEB_ANNOTATION,
    ccm,
    compared,
    config,
    diff,
    differences,
    live_web,
    web,
)
from live_objects import BALANCER_ID, CCM, PODS, RIGHT, owner, pod

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("started", "uses", "words"),
    [
        ("2026-11-01T08:00:00Z", "older", "uses an older text than the live one, changed by kubectl-edit (Update)"),
        ("2026-11-03T08:00:00Z", "live", "uses the live text, changed by kubectl-edit (Update)"),
        ("2026-11-02T09:31:00Z", "unknown", "may use an older text than the live one"),
    ],
)
def test_which_text_the_ccm_uses(started: str, uses: str, words: str, tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.objects[SECRET] = {
        "apiVersion": "v1",
        "kind": "Secret",
        **secret(RIGHT, managedFields=[owner("kubectl-edit", "data", "cloud.conf")]),
    }
    server.lists[PODS] = [pod("ccm-x", started)]
    text = RIGHT.replace("create-monitor = true", "create-monitor = false")
    done = diff(tmp_path, server, secret=config(text))
    found = compared(done, "cloud.conf")
    assert (found["uses"], found["started"]) == (uses, started)
    assert found["changed"] == {
        "manager": "kubectl-edit",
        "operation": "Update",
        "time": "2026-11-02T09:30:00Z",
        "owns_more": False,
    }
    (tmp_path / "again").mkdir()
    assert words in diff(tmp_path / "again", server, form="text", secret=config(text)).out


POLICY = ("spec", "externalTrafficPolicy")


@pytest.mark.parametrize(
    ("manager", "operation", "sync", "health_check"),
    [
        ("kubectl-edit", "Update", "left", 1),
        ("kubectl-client-side-apply", "Update", "removed", 0),
        ("kustomize-controller", "Apply", "removed", 0),
        ("helm", "Update", "removed", 0),
    ],
)
def test_what_git_does_not_set_goes_only_where_an_applier_owns_it(
    manager: str, operation: str, sync: str, health_check: int, tmp_path: Path
) -> None:
    done = diff(tmp_path, live_web(owner(manager, *POLICY, operation=operation)), web=web(""))
    (difference,) = compared(done, "Service")["differences"]
    assert difference["sync"] == sync
    assert difference["changed"]["manager"] == manager
    if sync == "left":
        assert done.report["sync"] is None
    else:
        (changed,) = done.report["sync"]["services"]
        assert changed["before"]["policy"] == "Local"
        assert changed["after"]["policy"] == "Cluster"
    assert health_check == (done.report["sync"] is None)


def test_the_flag_s_owner_is_the_container_s(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    item = ("spec", "template", "spec", "containers", 'k:{"name":"ccm"}')
    changed = daemonset(cluster_name="dev")
    changed["metadata"]["managedFields"] = [owner("kubectl-edit", *item, "args"), owner("kubectl-set", *item, "image")]
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [changed]
    done = diff(tmp_path, server, ccm=ccm(*ARGS, image=f"x/{CCM}:v1.32.0"))
    found = {one["name"]: one["changed"]["manager"] for one in compared(done, "CCM")["differences"]}
    assert found == {"image": "kubectl-set", "--cluster-name": "kubectl-edit"}


def test_what_a_sync_changes_at_octavia(tmp_path: Path) -> None:
    done = diff(tmp_path, web=web("externalTrafficPolicy: Local, ").replace("port: 80", "port: 443"))
    (changed,) = done.report["sync"]["services"]
    assert (changed["service"], changed["fate"]) == ("shop/web", "reconciled")
    assert [one["method"] for one in changed["requests"]] == ["POST", "POST", "PUT", "DELETE", "DELETE"]


def test_the_id_that_the_ccm_wrote_is_no_drift(tmp_path: Path) -> None:
    annotations = {WEB_ANNOTATION: "false", BALANCER_ID: BALANCER}
    mine = owner(CCM, "metadata", "annotations", BALANCER_ID)
    assert diff(tmp_path, live_web(mine, annotations=annotations)).code == 0


@pytest.mark.parametrize("in_git", [True, False])
def test_the_id_that_somebody_wrote_is_drift_where_git_lacks_it(in_git: bool, tmp_path: Path) -> None:
    annotations = {WEB_ANNOTATION: "false", BALANCER_ID: BALANCER}
    theirs = owner("kubectl-client-side-apply", "metadata", "annotations", BALANCER_ID)
    given = f'{WEB_ANNOTATION}: "false"' + (f", {BALANCER_ID}: {BALANCER}" if in_git else "")
    done = diff(tmp_path, live_web(theirs, annotations=annotations), web=web(annotations=given))
    assert differences(done) == ({} if in_git else {BALANCER_ID: ("", BALANCER)})
