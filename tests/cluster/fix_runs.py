"""Clusters to be fixed, and runs of ``ccmcheck cluster fix`` against them."""

from __future__ import annotations

import base64
import copy
from typing import TYPE_CHECKING, Any

from api_server import CONF, cluster, kubeconfig, secret, serving
from cluster_runs import Done, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from api_server import ApiServer
    from loopback import Asked

SECRETS = "/api/v1/namespaces/kube-system/secrets"
SECRET = f"{SECRETS}/cloud-config"
SUBJECT = "Secret kube-system/cloud-config"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
PASSWORD = "hunter2-is-the-secret"
OLD_PASSWORD = "0ld-passw0rd-of-last-applied"
FIXED = CONF.replace("monitor-delay = 5\n", "monitor-delay = 5s\n")


def owner(manager: str, operation: str = "Update", *path: str) -> dict[str, Any]:
    """An entry of managedFields that owns a field; the cloud.conf without one."""
    fields: dict[str, Any] = {}
    for name in reversed(path or ("data", "cloud.conf")):
        fields = {f"f:{name}": fields}
    return {"manager": manager, "operation": operation, "time": "2026-11-01T08:00:00Z", "fieldsV1": fields}


def owned_by(*entries: dict[str, Any], conf: str = CONF, **metadata: Any) -> ApiServer:
    """A cluster whose cloud.conf has owners."""
    server = cluster()
    held = secret(conf, managedFields=list(entries), resourceVersion="41", **metadata)
    server.put(SECRET, {"apiVersion": "v1", "kind": "Secret", **held})
    return server


def interactive(**metadata: Any) -> ApiServer:
    """A cluster whose cloud.conf somebody wrote with kubectl."""
    return owned_by(owner("kubectl-edit"), **metadata)


def held(server: ApiServer) -> str:
    """The cloud.conf of a cluster as it is now."""
    return base64.b64decode(server.objects[SECRET]["data"]["cloud.conf"]).decode()


def fix(folder: Path, server: ApiServer, *arguments: str, **kubeconfig_of: str) -> Done:
    """Serve a cluster, and fix it."""
    with serving(server):
        config = kubeconfig(folder, server, **kubeconfig_of)
        done = run(folder, "fix", "--kubeconfig", str(config), *arguments)
    for canary in (PASSWORD, OLD_PASSWORD, base64.b64encode(CONF.encode()).decode()):
        assert canary not in done.said
    assert "Traceback" not in done.said
    assert "internal error" not in done.said
    return done


def sent(server: ApiServer) -> list[tuple[str, str, str]]:
    """What was asked beside GET: method, path, and whether it was a dry run."""
    return [(one.method, one.path, one.query.get("dryRun", "")) for one in server.asked if one.method != "GET"]


def copied(server: ApiServer) -> dict[str, Any]:
    """The objects of a cluster as they are now."""
    return copy.deepcopy(server.objects)


NAME = "openstack-cloud-controller-manager"
DAEMONSET = f"/apis/apps/v1/namespaces/kube-system/daemonsets/{NAME}"
RESTARTED_AT = "kubectl.kubernetes.io/restartedAt"
PODS = "/api/v1/namespaces/kube-system/pods"
EXIT_MESSAGE = f'time: missing unit in duration, password "{PASSWORD}"'
"""What a container may leave behind as its termination message."""


class DaemonSetController:
    """Makes the pods of the CCM again when their template changes; they run where the cloud.conf lets them.

    Args:
        server: The API server.
        runs: Whether a CCM with this cloud.conf runs.
        nodes: How many pods there are.
    """

    def __init__(self, server: ApiServer, runs: Callable[[str], bool], nodes: int = 2) -> None:
        self._server = server
        self._runs = runs
        self._nodes = nodes
        self.rollouts = 0
        server.controllers.append(self.react)
        self._make(server.objects[DAEMONSET])

    def react(self, asked: Asked, changed: dict[str, Any]) -> None:
        """Follow a change of the DaemonSet."""
        if asked.path == DAEMONSET:
            self.rollouts += 1
            changed["metadata"]["generation"] = 1 + self.rollouts
            self._make(changed)

    def _make(self, workload: dict[str, Any]) -> None:
        runs = self._runs(held(self._server))
        annotations = workload["spec"]["template"]["metadata"].get("annotations", {})
        for number in range(self._nodes):
            uid = f"{self.rollouts}-{number}"
            pod = {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {
                    "name": f"ccm-{number}",
                    "namespace": "kube-system",
                    "uid": uid,
                    "labels": {"app": "ccm"},
                    "annotations": dict(annotations),
                    "ownerReferences": [{"kind": "DaemonSet", "name": NAME}],
                },
                "spec": {},
                "status": _running() if runs else _crashing(),
            }
            self._server.put(f"{PODS}/ccm-{number}", pod)
        ready = self._nodes if runs else 0
        workload["status"] = {
            "observedGeneration": 1 + self.rollouts,
            "desiredNumberScheduled": self._nodes,
            "updatedNumberScheduled": self._nodes,
            "numberAvailable": ready,
        }


def _running() -> dict[str, Any]:
    state = {"running": {"startedAt": "2026-11-03T10:00:00Z"}}
    return {
        "phase": "Running",
        "conditions": [{"type": "Ready", "status": "True"}],
        "containerStatuses": [{"name": "ccm", "restartCount": 0, "state": state}],
    }


def _crashing() -> dict[str, Any]:
    last = {"terminated": {"exitCode": 255, "reason": "Error", "message": EXIT_MESSAGE}}
    state = {"waiting": {"reason": "CrashLoopBackOff", "message": EXIT_MESSAGE}}
    return {
        "phase": "Running",
        "conditions": [{"type": "Ready", "status": "False"}],
        "containerStatuses": [{"name": "ccm", "restartCount": 3, "state": state, "lastState": last}],
    }
