"""The runs that are recorded: a cluster for each, what happens in it, and the commands."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import kube_objects as objects
import kube_workload
from kube_cloud import PASSWORD, PROJECT, READER_PASSWORD, conf_at
from kube_nodes import MERGE
from kube_processes import until
from kube_recorder import Recorder, Run, Upstream, nobody, record, recording
from kube_server import Running, running
from kube_stack import Stack, stack
from kube_traffic import Traffic
from led_traffic import Answer
from recordings import CANARY, CLOUD, KUBE, URL
from replay import TOKEN, kubeconfig

from ccmcheck.cli.cluster import COMMANDS

Json = dict[str, Any]
Commands = tuple[tuple[str, ...], ...]

READER = f"{CANARY}token-of-the-reader"
OS_CLOUD = ("--os-cloud", "reader")
KUBECONFIG = ("--kubeconfig", "kubeconfig")
FILES = {"kubeconfig": kubeconfig(URL.format(KUBE))}
_SERVICES = "/api/v1/namespaces/default/services"
_PREFIX = "loadbalancer.openstack.org/"


class Scene(NamedTuple):
    """A run in a cluster that others may have used.

    Attributes:
        name: The recording's.
        title: What is shown, for the demonstration.
        needs: The command of ``ccmcheck cluster`` that it needs.
        commands: What is run.
        prepare: What happens before.
        files: What the commands find in their folder, beside the kubeconfig.
        has_traffic: Whether load balancers must answer.
        shows: What is printed then, among other things.
    """

    name: str
    title: str
    needs: str
    commands: Commands
    prepare: Callable[[Any], None] = lambda _: None
    files: dict[str, str] = {}  # noqa: RUF012 - never changed
    has_traffic: bool = False
    shows: tuple[str, ...] = ()


def _lint(*arguments: str) -> tuple[str, ...]:
    return ("lint", *KUBECONFIG, *arguments)


OBJECTS = (
    Scene("lint-fatal", "a cloud.conf at which the CCM stops", "lint", (_lint(), _lint("--format", "json"))),
    Scene(
        "lint-no-rights",
        "a user who may read nothing",
        "lint",
        (_lint(),),
        files={"kubeconfig": kubeconfig(URL.format(KUBE), READER)},
    ),
    Scene(
        "lint-wrong-token",
        "a token that nobody has",
        "lint",
        (_lint(),),
        files={"kubeconfig": kubeconfig(URL.format(KUBE), f"{CANARY}token-of-nobody")},
    ),
)
"""In a cluster that has objects and no controller."""

_RIGHT = "create-monitor = true\nmonitor-delay = 5s\n"
_WRONG = "create-monitor = true\nmonitor-delay = 5\n"
_NO_MONITOR = {f"{_PREFIX}enable-health-monitor": "false"}
_AGE = timedelta(minutes=10)
_KINDS: dict[str, Json] = {
    "web": {},
    "local": {"externalTrafficPolicy": "Local"},
    "names": {"ports": [{"name": "udp", "port": 53, "protocol": "UDP"}]},
}


def _service(name: str, annotations: Json | None = None) -> Json:
    spec = {"type": "LoadBalancer", "selector": {"app": name}, "ports": [{"port": 80}], **_KINDS.get(name, {})}
    metadata = {"name": name, "annotations": annotations or {}}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def _services(cluster: Stack) -> None:
    """A CCM as a workload, and Services that it has made load balancers for."""
    cluster.install_ccm(cluster.cloud.conf(_RIGHT), cluster_name="demo")
    until(cluster.kubelet.running, "the CCM's pod runs")
    cluster.wait_for_nodes()
    for name in _KINDS:
        cluster.create_service(_service(name))
    for name in _KINDS:
        cluster.wait_for_address(name)


def _edited(cluster: Stack) -> None:
    """The monitor of a Local Service is switched off, and the cloud.conf is edited under a CCM that has run for long."""
    kube_workload.date_back(cluster.server, _AGE)
    change = {"metadata": {"annotations": _NO_MONITOR}}
    cluster.server.request("PATCH", f"{_SERVICES}/local?fieldManager=kubectl-annotate", change, MERGE)
    kube_workload.change_conf(cluster.server, cluster.cloud.conf(_WRONG), "kubectl-edit")


def _written_by_flux(cluster: Stack) -> None:
    """A GitOps program writes the cloud.conf that is in git, mistake included."""
    kube_workload.change_conf(cluster.server, cluster.cloud.conf(_WRONG), "kustomize-controller")


def _unwatched(cluster: Stack) -> None:
    """Somebody deletes a health monitor in Octavia."""
    balancer = cluster.cloud.balancer("kube_service_demo_default_web")
    assert balancer is not None
    monitor = balancer["listeners"][0]["default_pool"]["healthmonitor_id"]
    reply = cluster.cloud.octavia.ask("DELETE", f"healthmonitors/{monitor}")
    assert reply.taken, reply


def _orphaned(cluster: Stack) -> None:
    """A Service goes without the CCM, as where somebody removes its finalizer."""
    cluster.create_service(_service("old"))
    cluster.wait_for_address("old")
    cluster.server.request("PATCH", f"{_SERVICES}/old", {"metadata": {"finalizers": None}}, MERGE)
    cluster.server.request("DELETE", f"{_SERVICES}/old")


def _clouds() -> str:
    """The clouds.yaml of a user who reads."""
    log_in = {
        "auth_url": f"{URL.format(CLOUD)}/identity/v3", "username": "reader", "project_id": PROJECT,
        "user_domain_id": "default", "password": f"{CANARY}password-of-the-reader",
    }  # fmt: skip
    return json.dumps({"clouds": {"reader": {"region_name": "RegionOne", "auth": log_in}}})


def _checkout() -> dict[str, str]:
    """A folder with what somebody means to run."""
    text = conf_at(f"{URL.format(CLOUD)}/identity/v3", _RIGHT)
    secret = {**kube_workload.secret(text), "metadata": {"name": kube_workload.SECRET, "namespace": "kube-system"}}
    found = {"checkout/secret.json": json.dumps(secret, indent=1)}
    for name in _KINDS:
        found[f"checkout/{name}.json"] = json.dumps(_service(name), indent=1)
    return found


RUNNING = (
    Scene("lint-running", "a cluster whose CCM runs", "lint", (_lint("-v"),), _services),
    Scene(
        "lint-octavia",
        "somebody has deleted a health monitor in Octavia",
        "orphans",
        (_lint(*OS_CLOUD, "--octavia"),),
        _unwatched,
        {"clouds.yaml": _clouds()},
        shows=("health monitor: none in Octavia", "Trigger a sync: ccmcheck cluster resync default/web"),
    ),
    Scene(
        "resync",
        "the CCM is told to sync the Service",
        "resync",
        (
            ("resync", *KUBECONFIG, *OS_CLOUD, "--all"),
            ("resync", *KUBECONFIG, *OS_CLOUD, "default/web", "--write", "--yes", "--audit-log", "writes.jsonl"),
        ),
        files={"clouds.yaml": _clouds()},
        shows=("Trigger it with --write", "wrote Service default/web"),
    ),
    Scene(
        "orphans",
        "a load balancer is left of a Service that is gone",
        "orphans",
        (("orphans", *KUBECONFIG, *OS_CLOUD, "--only-cluster-of-that-name", "--older-than", "0m"),),
        _orphaned,
        {"clouds.yaml": _clouds()},
        shows=("made for default/old, orphaned",),
    ),
    Scene(
        "conformance",
        "load balancers are tried: created, asked, and removed again",
        "conformance",
        (("conformance", *KUBECONFIG, "--yes", "--wait", "60", "--use-case", "both", "--case", "udp", "--quiet"),),
        has_traffic=True,
        shows=("✓ default", "✓ local", "✓ udp", "Everything that was created is removed"),
    ),
    Scene(
        "lint-edited",
        "somebody edits its cloud.conf, and switches off the monitor of a Local Service",
        "lint",
        (_lint(), _lint("--format", "markdown")),
        _edited,
        shows=("duration-bad", "fails at its next restart", "svc-local-no-monitor"),
    ),
    Scene(
        "diff-edited",
        "what runs beside the checkout",
        "diff",
        (("diff", *KUBECONFIG, "checkout"),),
        files=_checkout(),
        shows=("monitor-delay", "enable-health-monitor"),
    ),
    Scene(
        "fix-shown",
        "what would be corrected in the cluster",
        "fix",
        (("fix", *KUBECONFIG),),
        shows=("+monitor-delay = 5s", "Write with --write."),
    ),
    Scene(
        "fix-written",
        "it is corrected, the CCM is restarted, and the cluster is linted again",
        "fix",
        (("fix", *KUBECONFIG, "--write", "--yes", "--restart", "--backup", "before.json"), _lint()),
        shows=("1 of 1 object written", "its new pods run"),
    ),
    Scene(
        "fix-refused",
        "a cloud.conf that a GitOps program writes is not corrected in the cluster",
        "fix",
        (("fix", *KUBECONFIG, "--write", "--yes"),),
        _written_by_flux,
        shows=("is not written: kustomize-controller", "--take-ownership"),
    ),
)
"""One after another in a cluster whose CCM runs; they are also the demonstration."""


def runs(names: Collection[str] = ()) -> Iterator[tuple[Run, Scene]]:
    """Play all scenes whose commands there are, and record them; each with its scene.

    Args:
        names: Those to record; all where none is named.

    Raises:
        NotAvailableError: Go, a module, or Octavia cannot be had here.
    """
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        for path, body, manager in objects.STAGE:
            server.request("POST", f"{path}?fieldManager={manager}", body)
        for path, body, manager in objects.PATCHES:
            server.request("PATCH", f"{path}?fieldManager={manager}", body, MERGE)
        with _at(server, {}, {objects.PASSWORD: f"{CANARY}password"}) as recorder:
            yield from _record(OBJECTS, recorder, server, names)
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder)) as cluster, at_stack(cluster) as recorder:
        yield from _record(RUNNING, recorder, cluster, names, Traffic(cluster).answer)


@contextmanager
def at_stack(cluster: Stack) -> Iterator[Recorder]:
    """Proxies in front of a cluster and its cloud."""
    secrets = {
        PASSWORD: f"{CANARY}password-of-the-ccm", READER_PASSWORD: f"{CANARY}password-of-the-reader",
        "token-of-a-reader": f"{CANARY}keystone-token", PROJECT: "project-of-the-recording",
    }  # fmt: skip
    with _at(cluster.server, {CLOUD: Upstream(cluster.cloud.url)}, secrets) as recorder:
        yield recorder


@contextmanager
def _at(server: Running, others: dict[str, Upstream], secrets: dict[str, str]) -> Iterator[Recorder]:
    """Proxies in front of an API server and others."""
    tokens = {server.tokens["admin"]: TOKEN, server.tokens["reader"]: READER}
    kube = Upstream(f"https://127.0.0.1:{server.port}", server.authority)
    with recording({KUBE: kube, **others}, {**tokens, **secrets}) as recorder:
        yield recorder


def _record(
    scenes: tuple[Scene, ...],
    recorder: Recorder,
    cluster: object,
    names: Collection[str],
    answer: Answer = nobody,
) -> Iterator[tuple[Run, Scene]]:
    for scene in scenes:
        scene.prepare(cluster)
        if scene.needs in COMMANDS and (not names or scene.name in names):
            with tempfile.TemporaryDirectory() as folder:
                files = {**FILES, **scene.files}
                yield record(recorder, scene.name, Path(folder), files, scene.commands, answer), scene
