"""`cluster conformance` against a cluster on loopback: each case passes, and leaves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from api_server import kubeconfig
from cluster_runs import Done, run
from conformance_cloud import Cloud, free_port, running

from ccmcheck.cluster.conformance import session
from ccmcheck.cluster.conformance.cases import NAMES
from ccmcheck.cluster.conformance.steps import traffic

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
username = ccm
password = hunter2-is-the-secret
[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
create-monitor = true
"""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "POLL_SECONDS", 0.005)
    monkeypatch.setattr(traffic, "FIRST_PAUSE", 0.01)


def conformance(folder: Path, cloud: Cloud, *arguments: str) -> Done:
    """Run the command on a cluster that is served."""
    config = kubeconfig(folder, cloud.server)
    port = str(free_port())
    return run(folder, "conformance", "--kubeconfig", str(config), "--yes", "--port", port, *arguments)


def nothing_left(cloud: Cloud) -> bool:
    """Whether the cluster is as it was."""
    inside = [path for path in cloud.server.objects if "ccmcheck-conformance-" in path]
    return not inside and not cloud.balancers


@pytest.mark.parametrize("name", NAMES)
def test_each_case_passes_alone_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    with running(GOOD) as cloud:
        done = conformance(tmp_path, cloud, "--case", name, "--format", "json")
        assert nothing_left(cloud)
    report = done.report
    assert [(case["name"], case["verdict"]) for case in report["cases"]] == [(name, "PASS")], done.said
    assert done.code == 0
    assert report["remains"] is None
