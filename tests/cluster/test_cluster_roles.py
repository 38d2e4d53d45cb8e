"""`cluster lint` compares what is bound to the CCM's account with what its release asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from api_faults import status
from api_server import ApiServer, cluster
from cluster_runs import lint, rules
from live_objects import DAEMONSETS, RIGHT

if TYPE_CHECKING:
    from pathlib import Path

RBAC = "/apis/rbac.authorization.k8s.io/v1"
BINDINGS, ROLES = f"{RBAC}/clusterrolebindings", f"{RBAC}/clusterroles"
OWN: dict[str, Any] = {"kind": "ServiceAccount", "name": "cloud-ccm", "namespace": "kube-system"}
ENOUGH: dict[str, Any] = {
    "apiGroups": [""],
    "resources": ["services", "services/status", "events", "nodes"],
    "verbs": ["*"],
}
STATUS = {**ENOUGH, "resources": ["services/status", "events", "nodes"]}
RULE = "ccm-role"


def bound(*roles: tuple[str, dict[str, Any], list[dict[str, Any]]]) -> ApiServer:
    """A cluster whose CCM has an account, and ClusterRoles with their subjects."""
    server = cluster(RIGHT)
    server.lists[DAEMONSETS][0]["spec"]["template"]["spec"]["serviceAccountName"] = OWN["name"]
    server.lists[BINDINGS] = [
        {"metadata": {"name": name}, "roleRef": {"kind": "ClusterRole", "name": name}, "subjects": subjects}
        for name, _, subjects in roles
    ]
    for name, rule, _ in roles:
        server.objects[f"{ROLES}/{name}"] = {"metadata": {"name": name}, "rules": [rule]}
    return server


@pytest.mark.parametrize(
    ("roles", "missing"),
    [
        pytest.param([("ccm", ENOUGH, [OWN])], "", id="all"),
        pytest.param([("ccm", STATUS, [OWN])], "`patch` of `services`", id="without Services"),
        pytest.param([("ccm", {**ENOUGH, "resources": ["services", "services/status", "nodes"]}, [OWN])], "`create` of `events`", id="without events"),
        pytest.param([("ccm", STATUS, [OWN]), ("more", ENOUGH, [OWN])], "", id="in two roles"),
        pytest.param([("ccm", STATUS, [OWN]), ("all", ENOUGH, [{"kind": "Group", "name": "system:serviceaccounts"}])], "", id="by a group"),
        pytest.param([("ccm", STATUS, [{"kind": "User", "name": "system:serviceaccount:kube-system:cloud-ccm"}])], "`patch` of `services`", id="by its user name"),
        pytest.param([("ccm", STATUS, [{**OWN, "namespace": "other"}])], "", id="another account"),
        pytest.param([("ccm", STATUS, [{**OWN, "name": "ccm"}])], "", id="an account of another name"),
    ],
)  # fmt: skip
def test_what_the_account_lacks(tmp_path: Path, roles: Any, missing: str) -> None:
    report = lint(tmp_path, bound(*roles), "--format", "json").report
    found = [one for one in report["findings"] if one["rule"] == RULE]
    assert [one["label"] for one in found] == ([f"does not allow the CCM {missing}"] if missing else [])
    assert {one["path"] for one in found} == ({"ClusterRole ccm"} if missing else set())


def test_a_role_that_is_not_there_allows_nothing(tmp_path: Path) -> None:
    server = bound(("ccm", ENOUGH, [OWN]))
    del server.objects[f"{ROLES}/ccm"]
    assert RULE in rules(lint(tmp_path, server, "--format", "json"))


@pytest.mark.parametrize("path", [BINDINGS, f"{ROLES}/more"])
def test_without_the_right_to_read_them_nothing_is_said(tmp_path: Path, path: str) -> None:
    server = bound(("ccm", STATUS, [OWN]), ("more", ENOUGH, [OWN]))
    server.fail(path, status(403))
    done = lint(tmp_path, server, "-v")
    said = " ".join(done.out.split())
    assert RULE not in done.out
    assert "ClusterRole" in said
    assert "could not be read (HTTP 403: the credentials do not allow it): what it would say stays unknown" in said
    assert "partial" not in said
