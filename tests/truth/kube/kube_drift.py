"""`cluster diff` on a real kube-apiserver: owners as it writes them, and applying the checkout as `diff` says it goes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import kube_objects as objects
import yaml

if TYPE_CHECKING:
    from pathlib import Path

    from kube_checks import Checks
    from kube_server import Running

_APPLY = "application/apply-patch+yaml"
_MERGE = "application/merge-patch+json"
_CCM = "/apis/apps/v1/namespaces/kube-system/daemonsets/openstack-cloud-controller-manager"
_SERVICE = "/api/v1/namespaces/drift/services/web"
_SECRET = "/api/v1/namespaces/kube-system/secrets/cloud-config"
_GITOPS = "kustomize-controller"
_TIMEOUT = "loadbalancer.openstack.org/timeout-client-data"
_LIMIT = "loadbalancer.openstack.org/connection-limit"


def _web(policy: str = "", **annotations: str) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "type": "LoadBalancer",
        "selector": {"app": "web"},
        "ports": [{"port": 80, "protocol": "TCP"}],
    }
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "drift", "annotations": annotations},
        "spec": {**spec, **({"externalTrafficPolicy": policy} if policy else {})},
    }


def check_drift(checks: Checks, server: Running, folder: Path) -> None:
    """Run all checks on an API server that has the objects of the stage."""
    git = folder / "git"
    git.mkdir()
    server.request("POST", "/api/v1/namespaces", {"metadata": {"name": "drift"}})
    conf = objects.CONF.replace("monitor-delay = 3", "monitor-delay = 3s")
    text = {"stringData": {"cloud.conf": conf}}
    server.request("PATCH", f"{_SECRET}?fieldManager=kubectl-edit", text, _MERGE)
    _apply(server, _web("Local", **{_LIMIT: "100"}))
    live = server.request("GET", _CCM)
    named = {"name": live["metadata"]["name"], "namespace": "kube-system"}
    ccm = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": named, "spec": live["spec"]}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cloud-config", "namespace": "kube-system"}}
    _write(git, ccm, {**secret, **text}, _web("Local", **{_LIMIT: "100"}))
    code, report = _diff(server, git)
    checks.hold("what was applied is no drift", code == 0 and not report["failures"], report)
    server.request(
        "PATCH",
        f"{_SERVICE}?fieldManager=kubectl-edit",
        {"metadata": {"annotations": {_TIMEOUT: "9000"}}, "spec": {"sessionAffinity": "ClientIP"}},
        _MERGE,
    )
    arguments = [*live["spec"]["template"]["spec"]["containers"][0]["args"], "--concurrent-service-syncs=4"]
    container = {**live["spec"]["template"]["spec"]["containers"][0], "args": arguments}
    patch = {"spec": {"template": {"spec": {"containers": [container]}}}}
    server.request("PATCH", f"{_CCM}?fieldManager=kubectl-patch", patch, "application/strategic-merge-patch+json")
    _write(git, ccm, {**secret, "stringData": {"cloud.conf": conf.replace("false", "true")}}, _web())
    code, report = _diff(server, git)
    found = {one["name"]: one for compared in report["compared"] for one in compared["differences"]}
    effects = {name: one["sync"] for name, one in found.items()}
    expected = {
        "[LoadBalancer] create-monitor": "written",
        "--concurrent-service-syncs": "written",
        "spec.externalTrafficPolicy": "removed",
        _LIMIT: "removed",
        "spec.sessionAffinity": "left",
        _TIMEOUT: "left",
    }
    checks.hold("each difference, and what a sync does to it", code == 1 and effects == expected, effects)
    managers = {name: (one["changed"] or {}).get("manager") for name, one in found.items()}
    names = {_TIMEOUT: "kubectl-edit", _LIMIT: _GITOPS, "--concurrent-service-syncs": "kubectl-patch"}
    checks.hold("who changed it last", names.items() <= managers.items(), managers)
    (conf_of,) = [one for one in report["compared"] if one["kind"] == "cloud.conf"]
    checks.hold("who changed the Secret last", conf_of["changed"]["manager"] == "kubectl-edit", conf_of)
    predicted = {one["service"]: one["after"]["policy"] for one in report["sync"]["services"] if one["after"]}
    _apply(server, _web())
    after = server.request("GET", _SERVICE)
    checks.hold(
        "a sync leaves the policy that is predicted",
        after["spec"]["externalTrafficPolicy"] == predicted["drift/web"],
        after,
    )
    annotations = after["metadata"].get("annotations", {})
    kept = _TIMEOUT in annotations and _LIMIT not in annotations and after["spec"]["sessionAffinity"] == "ClientIP"
    checks.hold("a sync removes and leaves what is predicted", kept, after)
    code, report = _diff(server, git)
    left = {
        one["name"]
        for compared in report["compared"]
        if compared["kind"] == "Service"
        for one in compared["differences"]
    }
    checks.hold("what was left is still drift", left == {"spec.sessionAffinity", _TIMEOUT}, left)


def _apply(server: Running, obj: dict[str, Any]) -> None:
    """Apply a Service on the server's side, as a GitOps controller does."""
    server.request("PATCH", f"{_SERVICE}?fieldManager={_GITOPS}&force=true", obj, _APPLY)


def _write(git: Path, *documents: dict[str, Any]) -> None:
    (git / "cluster.yaml").write_text(yaml.safe_dump_all(documents))


def _diff(server: Running, git: Path) -> tuple[int, Any]:
    config = str(server.kubeconfig("admin"))
    command = [
        sys.executable,
        "-m",
        "ccmcheck",
        "cluster",
        "diff",
        "--kubeconfig",
        config,
        "--format",
        "json",
        str(git),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert objects.PASSWORD not in done.stdout + done.stderr, "a secret is shown"
    return done.returncode, json.loads(done.stdout)
