"""The CCM in the whole cluster: what kills it and what does not, as a process and as a workload."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import kube_workload
from kube_checks import Checks
from kube_flags import check_flags
from kube_pending import check_pending
from kube_processes import until
from kube_stack import Stack, stack

FATAL = "create-monitor = true\nmonitor-delay = 3\n"
FIXED = "create-monitor = true\nmonitor-delay = 3s\n"
EXIT_CODE = 255
_SDK = """
import openstack
cloud = openstack.connect(cloud="reader")
print(*(f"{one.name} {one.vip_address} {one.provisioning_status}" for one in cloud.load_balancer.load_balancers()))
print(*(one.floating_ip_address for one in cloud.network.ips() if one.port_id))
"""


def check_stack(checks: Checks, folder: Path) -> None:
    """Run all checks in a cluster of their own.

    Raises:
        NotAvailableError: It cannot be had here.
    """
    with stack(folder, ccm=("v1.36.0", "v1.31.2"), nodes=2) as cluster:
        for tag, binary in cluster.ccm.binaries.items():
            check_flags(checks, tag, binary)
            _dies(checks, cluster, tag)
        check_pending(checks, cluster, cluster.cloud.conf(FIXED))
        cluster.ccm.stop()
        _reads(checks, cluster)
        _as_workload(checks, cluster)


def _dies(checks: Checks, cluster: Stack, tag: str) -> None:
    """A fatal cloud.conf kills the CCM of a release, and with the corrected one it reconciles a Service."""
    ccm = cluster.ccm
    ccm.start(cluster.cloud.conf(FATAL), tag=tag)
    code, log = ccm.wait_for_end(), ccm.log()
    words = 'missing unit in duration "3"'
    checks.hold(f"{tag} dies of monitor-delay = 3", code == EXIT_CODE and words in log, (code, log))
    ccm.start(cluster.cloud.conf(FIXED, password="wrong"), tag=tag)
    code, log = ccm.wait_for_end(), ccm.log()
    checks.hold(f"{tag} dies of a wrong password", code == EXIT_CODE and "got 401" in log, (code, log))
    ccm.restart(cluster.cloud.conf(FIXED), tag=tag)
    ccm.wait_for_start()
    cluster.wait_for_nodes()
    name = "with-" + tag.replace(".", "-")
    cluster.create_service(service(name))
    address = cluster.wait_for_address(name)
    found = cluster.cloud.balancer(f"kube_service_kubernetes_default_{name}") or {}
    members = found["listeners"][0]["default_pool"]["members"] if found else []
    names = sorted(one["name"] for one in members)
    checks.hold(f"{tag} gives a Service an address", address.startswith("203.0.113."), address)
    checks.hold(f"{tag} makes a member of each worker", names == ["node-1", "node-2"], found)


def _reads(checks: Checks, cluster: Stack) -> None:
    """openstacksdk reads what the CCM has made, with the clouds.yaml of the stack."""
    environment = {**os.environ, "OS_CLIENT_CONFIG_FILE": str(cluster.cloud.clouds_yaml)}
    done = subprocess.run(
        [sys.executable, "-c", _SDK], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    both = done.stdout.count("kube_service_kubernetes_default_with-") == 2 and "203.0.113.100" in done.stdout
    checks.hold("openstacksdk reads the load balancers", both, done.stdout + done.stderr)
    asked = {request.method for request, _ in cluster.cloud.stand_in.read}
    checks.hold("and what it asked is known", asked == {"GET"}, asked)


def _as_workload(checks: Checks, cluster: Stack) -> None:
    """A DaemonSet's CCM runs on the old configuration until it is restarted."""
    cluster.install_ccm(cluster.cloud.conf(FIXED), tag="v1.31.2")
    first = until(cluster.kubelet.running, "the CCM's pod runs")[0]
    cluster.create_service(service("by-pod"))
    checks.hold("the CCM in a pod gives a Service an address", bool(cluster.wait_for_address("by-pod")))
    kube_workload.change_conf(cluster.server, cluster.cloud.conf(FATAL), "kubectl-edit")
    checks.hold("a new Secret changes nothing", cluster.kubelet.running() == [first])
    kube_workload.roll_out(cluster.server, "2026-01-02T03:04:05Z", "kubectl-rollout")
    pod = until(lambda: crashed(cluster), "the restarted CCM is known to have crashed")
    checks.hold("after a restart the CCM dies of the Secret", pod["metadata"]["name"] != first, pod)
    kube_workload.change_conf(cluster.server, cluster.cloud.conf(FIXED), "kubectl-edit")
    until(lambda: cluster.kubelet.running() and not crashed(cluster), "the CCM runs again")
    cluster.create_service(service("again"))
    checks.hold("with the corrected Secret it comes back by itself", bool(cluster.wait_for_address("again")))


def service(name: str) -> dict[str, object]:
    """A plain Service."""
    spec = {"type": "LoadBalancer", "selector": {"app": name}, "ports": [{"port": 80}]}
    return {"metadata": {"name": name}, "spec": spec}


def crashed(cluster: Stack) -> dict[str, dict[str, str]] | None:
    """The CCM's pod that waits for its next start; None where there is none."""
    pods = cluster.server.request("GET", f"/api/v1/namespaces/{kube_workload.NAMESPACE}/pods")["items"]
    for pod in pods:
        for status in pod["status"].get("containerStatuses", []):
            if status["state"].get("waiting", {}).get("reason") == "CrashLoopBackOff":
                assert status["lastState"]["terminated"]["exitCode"] == EXIT_CODE
                found: dict[str, dict[str, str]] = pod
                return found
    return None
