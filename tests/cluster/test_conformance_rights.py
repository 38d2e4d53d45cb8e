"""`cluster rbac --for conformance` renders exactly what runs and their removal ask for; only this command changes things."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cluster_runs import run
from conformance_cloud import running
from conformance_runs import GOOD, conformance, hasten
from test_cluster_rbac import Right, granted, requested

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import ApiServer

_VERBS = {"POST": "create", "PATCH": "patch", "DELETE": "delete"}


def rights_of(server: ApiServer) -> set[Right]:
    """The rights that the requests need; a run's own namespace is not known before, so everywhere."""
    found = set()
    for asked in server.asked:
        server.asked = [asked]
        (right,) = requested(server)
        verb = _VERBS.get(asked.method, right.verb)
        own = right.namespace.startswith("ccmcheck-") or right.resource == "namespaces"
        found.add(right._replace(verb=verb, namespace="", name="") if own else right._replace(verb=verb))
    return found


def test_the_roles_are_exactly_what_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hasten(monkeypatch)
    with running(GOOD) as cloud:
        assert conformance(tmp_path, cloud, "--use-case", "all", "--audit-log", "writes.jsonl").code == 0
        assert conformance(tmp_path, cloud, "--case", "deletion", "--image", "x").code == 0
        cloud.addresses = False
        cloud.finalizes = False
        assert conformance(tmp_path, cloud, "--use-case", "default", "--wait", "1").code == 3
        cloud.finalizes = True
        assert conformance(tmp_path, cloud, "--cleanup").code == 0
        asked = rights_of(cloud.server)
    rendered = granted(run(tmp_path, "rbac", "--for", "conformance").out)
    after_a_cut = {Right("get", "", "configmaps"), Right("get", "", "namespaces")}  # it looks whether it was created
    # the UID of kube-system is read by the right to read namespaces
    assert rendered - after_a_cut == asked - after_a_cut
    assert after_a_cut <= rendered


def test_the_roles_are_bound_in_the_whole_cluster(tmp_path: Path) -> None:
    roles = run(tmp_path, "rbac", "--for", "conformance").out.split("---\n")
    (cluster_wide,) = [role for role in roles if "\nkind: ClusterRole\n" in role]
    assert "- create\n" in cluster_wide
    assert not any("- create\n" in role for role in roles if "\nkind: Role\n" in role)


def test_looking_at_its_help_imports_neither_the_client_nor_what_writes() -> None:
    code = (
        "import sys, ccmcheck.cli.cluster_conformance;"
        "print([name for name in ('kubernetes', 'urllib3', 'ccmcheck.cluster.access.writing') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
