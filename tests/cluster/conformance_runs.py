"""Runs ``ccmcheck cluster conformance`` on a cluster on loopback, as a user does, with short waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from api_server import kubeconfig
from cluster_runs import Done, run
from conformance_cloud import free_port

from ccmcheck.cluster.conformance import session
from ccmcheck.cluster.conformance.steps import traffic

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from conformance_cloud import Cloud

PASSWORD = "hunter2-is-the-secret"
GOOD = f"""\
[Global]
auth-url = https://keystone.example.org:5000/v3
username = ccm
password = {PASSWORD}
[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
create-monitor = true
"""
WITHOUT_MONITOR = GOOD.replace("create-monitor = true", "create-monitor = false")


def hasten(monkeypatch: pytest.MonkeyPatch, seconds: float = 2.0) -> None:
    """Look often at what is waited for, and give requests up soon.

    Args:
        monkeypatch: Pytest's.
        seconds: The limit of a request, which silence takes.
    """
    monkeypatch.setattr(session, "POLL_SECONDS", 0.1)
    monkeypatch.setattr(traffic, "FIRST_PAUSE", 0.1)
    monkeypatch.setattr(traffic, "FIRST_SECONDS", seconds)
    monkeypatch.setattr(traffic, "FIRST_TRIES", 3)
    monkeypatch.setattr(traffic, "REQUEST_SECONDS", seconds)


def conformance(folder: Path, cloud: Cloud, *arguments: str) -> Done:
    """Run the command on a cluster that is served."""
    config = kubeconfig(folder, cloud.server)
    port = () if "--cleanup" in arguments else ("--port", str(free_port()))
    return run(folder, "conformance", "--kubeconfig", str(config), "--yes", *port, *arguments)


def inside(cloud: Cloud) -> list[str]:
    """What runs have left in the cluster."""
    return [path for path in cloud.server.objects if "ccmcheck-conformance-" in path]


def leaves_nothing(cloud: Cloud) -> None:
    """Hold that the cluster and the cloud are as they were."""
    assert inside(cloud) == []
    assert cloud.balancers == {}
    assert cloud.plane.sockets == {}


def hides(done: Done) -> None:
    """Hold that no output has a secret or a traceback."""
    assert [canary for canary in (PASSWORD, "t0ken-of-the-user", "c4nary") if canary in done.said] == []
    assert "Traceback" not in done.said
    assert "internal error" not in done.said
