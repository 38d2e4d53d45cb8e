"""`cluster conformance` on the whole cluster: the real CCM and Octavia API make its load balancers, and remove them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from kube_checks import Checks
from kube_processes import until
from kube_stack import Stack, stack
from kube_traffic import CLIENT_PROGRAM, traffic

from ccmcheck.cluster.conformance.cases import NAMES

Json = dict[str, Any]

_SECONDS = 600
_SECRET = "hunter2"
_HEEDS = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""What a shell runs in the background inherits that SIGINT is ignored."""


def check_conformance(checks: Checks, folder: Path, release: str = "v1.36.0") -> None:
    """Run all checks in a cluster of their own.

    Raises:
        NotAvailableError: It cannot be had here.
    """
    with stack(folder, ccm=release, nodes=3) as cluster, traffic(cluster) as port:
        cluster.install_ccm(cluster.cloud.conf("create-monitor = true\nmax-shared-lb = 4\n"))
        until(cluster.kubelet.running, "the CCM's pod runs")
        cluster.wait_for_nodes()
        program = CLIENT_PROGRAM.format(port=port)
        _passes(checks, cluster, program)
        _interrupted(checks, cluster, program)
        _without_monitor(checks, cluster, program)


def conformance(cluster: Stack, program: str, *arguments: str) -> tuple[int, str, str]:
    """Run the command; its exit code and outputs."""
    done = subprocess.run(
        command(cluster, program, *arguments), capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    assert _SECRET not in done.stdout + done.stderr
    return done.returncode, done.stdout, done.stderr


def command(cluster: Stack, program: str, *arguments: str) -> list[str]:
    """The command."""
    own = ("cluster", "conformance", "--kubeconfig", str(cluster.kubeconfig), "--yes", "--wait", "60")
    return [sys.executable, "-c", program, *own, *arguments]


def left(cluster: Stack) -> list[str]:
    """What runs have left in the cluster and in the cloud."""
    namespaces = cluster.server.request("GET", "/api/v1/namespaces?labelSelector=ccmcheck.dev/conformance-run")["items"]
    balancers = [one["name"] for one in cluster.cloud.balancers() if "ccmcheck" in one["name"]]
    return [*(one["metadata"]["name"] for one in namespaces), *balancers]


def _passes(checks: Checks, cluster: Stack, program: str) -> None:
    code, out, err = conformance(cluster, program, "--use-case", "all", "--format", "json")
    report = json.loads(out) if out else {"cases": []}
    for case in report["cases"]:
        checks.hold(
            f"conformance: {case['name']} passes", case["verdict"] == "PASS", (case["steps"][-1:], case["causes"])
        )
        if case["delays"] is not None:
            checks.hold(
                f"conformance: {case['name']} is as predicted", case["delays"]["agrees"] is True, case["delays"]
            )
    udp = [one for one in report["cases"] if one["name"] == "udp"]
    answered = [step["text"] for one in udp for step in one["steps"] if step["name"] == "requests"]
    checks.hold("conformance: 50 datagrams are answered", [one[:8] for one in answered] == ["50 of 50"], answered)
    checks.hold("conformance: all cases were tried", len(report["cases"]) == len(NAMES), out)
    checks.hold("conformance: exit code 0", code == 0, err)
    checks.hold("conformance: nothing is left in cluster and cloud", not left(cluster), left(cluster))


def _interrupted(checks: Checks, cluster: Stack, program: str) -> None:
    """A signal in the middle leaves nothing either, in the cluster and at Octavia."""
    for number, seconds in ((signal.SIGINT, 3.0), (signal.SIGTERM, 6.0)):
        with subprocess.Popen(
            command(cluster, _HEEDS + program), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            until(lambda: left(cluster), "something is created")
            time.sleep(seconds / 10)
            process.send_signal(number)
            out, err = process.communicate(timeout=_SECONDS)
        name = signal.Signals(number).name
        checks.hold(f"conformance: {name} ends it with {128 + number}", process.returncode == 128 + number, out + err)
        checks.hold(f"conformance: {name} leaves nothing", not left(cluster), left(cluster))


def _without_monitor(checks: Checks, cluster: Stack, program: str) -> None:
    """Local without a monitor fails as predicted, and is information; text as the guide shows it."""
    from kube_workload import change_conf, roll_out

    change_conf(cluster.server, cluster.cloud.conf("create-monitor = false\n"), "kubectl-edit")
    before = cluster.kubelet.running()
    roll_out(cluster.server, "2026-01-02T03:04:05Z", "kubectl-rollout")
    until(lambda: cluster.kubelet.running() not in ([], before), "the CCM runs again")
    code, out, err = conformance(cluster, program)
    print(out, flush=True)
    checks.hold(
        "conformance: a failing Local case is information", code == 0 and "information, not counted" in out, err
    )
    checks.hold("conformance: its delays are as predicted", out.count(": as predicted") == 2, out)
    checks.hold("conformance: its cause is the missing monitor", "Write create-monitor = true" in out, out)
    checks.hold("conformance: nothing is left after a failure", not left(cluster), left(cluster))


def main() -> int:
    """Run these checks alone; the exit code."""
    import tempfile

    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        check_conformance(checks, Path(folder))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
