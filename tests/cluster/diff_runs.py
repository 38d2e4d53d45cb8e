"""Checkouts, and runs of ``ccmcheck cluster diff`` with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api_server import (
    cluster,
    kubeconfig,
    service,
    serving,
)
from cluster_runs import Done, run
from live_objects import CCM, RIGHT, SERVICES

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import ApiServer


SECRET = "/api/v1/namespaces/kube-system/secrets/cloud-config"
TIMEOUT = "loadbalancer.openstack.org/timeout-client-data"
SAME_CONF = """\
# order, spelling and defaults that are written out
[LoadBalancer]
monitor-delay = 5000ms
create-monitor = YES
lb-method = ROUND_ROBIN
subnet-id = "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
[Global]
region = RegionOne
password = hunter2-is-the-secret
username = ccm
auth-url = https://keystone.example.org:5000/v3
"""


def config(text: str = RIGHT, name: str = "cloud-config") -> str:
    """The Secret with a cloud.conf, as git has it."""
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return (
        f"apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: kube-system}}\n"
        f"stringData:\n  cloud.conf: |\n{body}"
    )


def ccm(*args: str, image: str = f"registry.k8s.io/provider-os/{CCM}:v1.31.2", env: str = "") -> str:
    """The CCM's DaemonSet, as git has it."""
    words = "".join(f"        - {word!r}\n" for word in (f"/bin/{CCM}", *args))
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: {CCM}, namespace: kube-system}}\nspec:\n"
        "  selector: {matchLabels: {app: ccm}}\n  template:\n    metadata: {labels: {app: ccm}}\n    spec:\n"
        f"      containers:\n      - name: ccm\n        image: {image}\n        args:\n{words}{env}"
        "        volumeMounts: [{name: config, mountPath: /etc/config}]\n"
        "      volumes: [{name: config, secret: {secretName: cloud-config}}]\n"
    )


ARGS = ("--cloud-config=/etc/config/cloud.conf", "--cluster-name=prod")
WEB_ANNOTATION = "loadbalancer.openstack.org/enable-health-monitor"


def web(
    spec: str = "externalTrafficPolicy: Local, ",
    name: str = "web",
    namespace: str = "namespace: shop, ",
    annotations: str = f'{WEB_ANNOTATION}: "false"',
) -> str:
    """A Service, as git has it."""
    return (
        f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, {namespace}annotations: {{{annotations}}}}}\n"
        f"spec: {{type: LoadBalancer, {spec}ports: [{{port: 80}}], selector: {{app: web}}}}\n"
    )


def checkout(folder: Path, **files: str) -> Path:
    """A folder with the objects; a file without a text is left out."""
    git = folder / "git"
    git.mkdir()
    for name, text in {"secret": config(), "ccm": ccm(*ARGS), "web": web(), **files}.items():
        if text:
            path = git / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return git


def diff(folder: Path, server: ApiServer | None = None, *arguments: str, form: str = "json", **files: str) -> Done:
    """Serve a cluster, and compare it with a checkout."""
    checkout(folder, **files)
    with serving(server or cluster(RIGHT)) as there:
        access = kubeconfig(folder, there)
        return run(folder, "diff", "--kubeconfig", str(access), "--format", form, *arguments, "git")


def differences(done: Done) -> dict[str, tuple[str, str]]:
    """What differs: from its name to both values."""
    return {
        one["name"]: (one["git"], one["live"])
        for compared in done.report["compared"]
        for one in compared["differences"]
    }


def compared(done: Done, kind: str) -> Any:
    """What a JSON report says of the one object of a kind."""
    (found,) = [one for one in done.report["compared"] if one["kind"] == kind]
    return found


def live_web(*managers: dict[str, Any], annotations: dict[str, str] | None = None, **spec: Any) -> ApiServer:
    """A cluster whose Service has these managers, annotations and fields."""
    server = cluster(RIGHT)
    given = {WEB_ANNOTATION: "false"} if annotations is None else annotations
    server.lists[SERVICES] = [
        service("web", annotations=given, managers=list(managers), **{"externalTrafficPolicy": "Local", **spec})
    ]
    return server
