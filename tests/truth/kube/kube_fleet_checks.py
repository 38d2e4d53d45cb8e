"""The Indexed Job of `render fleet-job` in a real API server with its controllers: each pod's command run as its pod would.

The management cluster is the real one; the clusters that its Secrets lead to are stand-ins behind TLS.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import fleet_objects as objects
import kube_nodes
import kube_objects
from fleet_certificates import certificates as make_certificates
from fleet_stand_in import StandIn
from fleet_stand_in import running as serving
from kube_checks import Checks
from kube_controllers import controllers
from kube_processes import until
from kube_server import Running, running

Json = dict[str, Any]

CLUSTERS, SHARDS = 24, 4
NAMESPACE, JOB = "ccmcheck", "ccmcheck-fleet"
_VARIABLE = re.compile(r"\$\(([A-Za-z_][\w.-]*)\)")
_IN_POD = """
import sys
from ccmcheck.cli.main import main
from ccmcheck.cluster.fleet import files
files.pod_credentials.__defaults__ = (sys.argv.pop(1),)  # where the kubelet mounts the token
main(sys.argv[1:])
"""


def check_fleet(checks: Checks, folder: Path) -> None:
    """Run all checks in a cluster of their own.

    Raises:
        NotAvailableError: It cannot be had here.
    """
    certificates, kube = folder / "certificates", folder / "kube"
    certificates.mkdir()
    kube.mkdir()
    make_certificates(certificates)
    layout = objects.Layout(CLUSTERS, 20, 3)
    with serving(certificates, layout) as clusters, running(kube) as server, controllers(server):
        kube_nodes.register(server, kube_nodes.nodes(1))
        kube_nodes.initialize(server)
        _manage(server, clusters)
        manifests = _ccmcheck("render", "fleet-job", *_variables())
        for path, body in kube_objects.created(manifests):
            server.request("POST", path, body)
        job = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs/{JOB}"
        pods = until(lambda: _pods(server), "the Job has its pods", 60)
        indexes = sorted(_index(pod) for pod in pods)
        checks.hold("each shard has a pod", indexes == list(range(SHARDS)), indexes)
        logs = [_run(server, pod, folder / "pods" / pod["metadata"]["name"]) for pod in pods]
        held = [log.returncode == 0 and json.loads(log.stdout.splitlines()[-1])["type"] == "end" for log in logs]
        checks.hold(
            "each pod's command ends well, though clusters have findings", all(held), [log.stderr for log in logs]
        )
        merged = _merge([log.stdout for log in logs])
        totals = merged["summary"]
        checks.hold("all clusters were read with the roles of the Job", totals["read"] == CLUSTERS, totals)
        checks.hold("no shard is missing", merged["complete"] and not merged["notes"], merged["notes"])
        made_by = [one["made_by"] for one in merged["common"] if one["rule"] == "duration-bad"]
        checks.hold("what produced a finding is known", made_by == ["ClusterResourceSet clusters/ccm"], made_by)
        without = _merge([log.stdout for log in logs[1:]])
        checks.hold("a shard that is missing is named", "Missing: shard" in str(without["notes"]), without["notes"])
        said = "".join(log.stdout + log.stderr for log in logs)
        checks.hold("no secret is in a log", not any(canary in said for canary in (objects.PASSWORD, objects.TOKEN)))
        done = until(lambda: _completed(server.request("GET", job)), "the Job is complete", 60)
        checks.hold("the Indexed Job completes", done == f"0-{SHARDS - 1}", done)
        secret = "/api/v1/namespaces/clusters/secrets/c0-kubeconfig"
        refused = _as(server, secret.replace("c0-kubeconfig", "other"))
        checks.hold("another Secret cannot be read by the Job's account", refused == 403, refused)
        checks.hold("that of a Cluster can", _as(server, secret) == 200)
        scheduled = _ccmcheck(
            "render", "fleet-job", *_variables(), "--var", "schedule=0 3 * * *", "--var", "claim=results"
        )
        (cron,) = [body for path, body in kube_objects.created(scheduled) if path.endswith("/cronjobs")]
        strict = f"/apis/batch/v1/namespaces/{NAMESPACE}/cronjobs?fieldValidation=Strict"
        accepted = server.request("POST", strict, cron)["spec"]["schedule"]
        checks.hold("the API server knows every field of the CronJob", accepted == "0 3 * * *", accepted)


def _variables() -> list[str]:
    names = ",".join(f"clusters/c{number}" for number in range(CLUSTERS))
    given = {
        "image": "registry.example.org/ccmcheck:1",
        "shards": str(SHARDS),
        "clusters": names,
        "resources": "clusters/ccm-config",
    }
    return [argument for name, value in given.items() for argument in ("--var", f"{name}={value}")]


def _manage(server: Running, clusters: StandIn) -> None:
    """Make a management cluster: Cluster API's kinds as far as they are read, its Clusters and their Secrets."""
    for group, kind, plural in (
        ("cluster.x-k8s.io", "Cluster", "clusters"),
        ("addons.cluster.x-k8s.io", "ClusterResourceSet", "clusterresourcesets"),
        ("addons.cluster.x-k8s.io", "HelmChartProxy", "helmchartproxies"),
        ("controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "kubeadmcontrolplanes"),
    ):
        server.request(
            "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", _definition(group, kind, plural)
        )
        path = f"/apis/{group}/v1beta1/{plural}"
        until(lambda path=path: _is_served(server, path), f"{plural} are served", 30)  # type: ignore[misc]
    for namespace in ("clusters", NAMESPACE):
        server.request("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}})
    head = {"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Cluster"}
    for number in range(CLUSTERS):
        labels = {"ccm": "managed" if objects.is_from_resource_set(number) else "own"}
        body = {**head, "metadata": {"name": f"c{number}", "labels": labels}, "spec": {}}
        server.request("POST", "/apis/cluster.x-k8s.io/v1beta1/namespaces/clusters/clusters", body)
        _secret(server, f"c{number}-kubeconfig", {"value": json.dumps(clusters.of_cluster(number))})
    _secret(server, "other", {"value": "x"})
    resources = {
        "apiVersion": "addons.cluster.x-k8s.io/v1beta1",
        "kind": "ClusterResourceSet",
        **objects.resource_set(),
    }
    server.request("POST", "/apis/addons.cluster.x-k8s.io/v1beta1/namespaces/clusters/clusterresourcesets", resources)
    server.request("POST", "/api/v1/namespaces/clusters/secrets", objects.resource_secret())


def _secret(server: Running, name: str, texts: dict[str, str]) -> None:
    body = {"metadata": {"name": name}, "stringData": texts, "type": "cluster.x-k8s.io/secret"}
    server.request("POST", "/api/v1/namespaces/clusters/secrets", body)


def _definition(group: str, kind: str, plural: str) -> Json:
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    version = {"name": "v1beta1", "served": True, "storage": True, "schema": schema}
    names = {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{plural}.{group}",
            "annotations": {"api-approved.kubernetes.io": "unapproved, for tests"},
        },
        "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [version]},
    }


def _is_served(server: Running, path: str) -> bool:
    try:
        server.request("GET", path)
    except AssertionError:
        return False
    return True


def _pods(server: Running) -> list[Json]:
    found: list[Json] = server.request("GET", f"/api/v1/namespaces/{NAMESPACE}/pods")["items"]
    return found if len(found) >= SHARDS else []


def _index(pod: Json) -> int:
    return int(pod["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"])


def _token(server: Running) -> str:
    path = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/ccmcheck/token"
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 600}}
    return str(server.request("POST", path, request)["status"]["token"])


def _as(server: Running, path: str) -> int:
    """The status that the Job's account gets."""
    import ssl
    import urllib.error
    import urllib.request

    request = urllib.request.Request(
        f"https://127.0.0.1:{server.port}{path}", headers={"Authorization": f"Bearer {_token(server)}"}
    )
    context = ssl.create_default_context(cafile=str(server.authority))
    try:
        with urllib.request.urlopen(request, context=context, timeout=20) as answer:  # noqa: S310 - https
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def _run(server: Running, pod: Json, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run what a pod's container says, with its variables, its arguments and its account."""
    container = pod["spec"]["containers"][0]
    folder.mkdir(parents=True)
    (folder / "token").write_text(_token(server))
    (folder / "ca.crt").write_bytes(server.authority.read_bytes())
    fields = {**pod["metadata"]["labels"], **pod["metadata"]["annotations"]}
    variables = {
        one["name"]: one.get("value") or fields[one["valueFrom"]["fieldRef"]["fieldPath"].split("'")[1]]
        for one in container["env"]
    }
    arguments = [_VARIABLE.sub(lambda found: variables.get(found[1], found[0]), word) for word in container["args"]]
    assert container["command"] == ["ccmcheck"]
    environment = {
        **os.environ, **variables, "KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(server.port),
    }  # fmt: skip
    command = [sys.executable, "-c", _IN_POD, str(folder), *arguments]
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def _completed(job: Json) -> str:
    conditions = job.get("status", {}).get("conditions", [])
    is_complete = any(one["type"] == "Complete" and one["status"] == "True" for one in conditions)
    return str(job["status"]["completedIndexes"]) if is_complete else ""


def _merge(logs: list[str]) -> Json:
    command = [sys.executable, "-m", "ccmcheck", "cluster", "merge", "-", "--format", "json"]
    done = subprocess.run(command, input="".join(logs), capture_output=True, text=True, timeout=120, check=False)
    found: Json = json.loads(done.stdout)
    return found


def _ccmcheck(*arguments: str) -> str:
    command = [sys.executable, "-m", "ccmcheck", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
