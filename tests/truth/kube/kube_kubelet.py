"""A kubelet for pods of the CCM alone: what their containers say is run as a process, and its end is their status.

kwok makes every pod ready; this runs what is in those of the CCM, again and again where it ends, as a kubelet does.
"""

from __future__ import annotations

import base64
import re
import subprocess
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import kube_ccm
import kube_processes
from kube_build import CCM
from kube_nodes import MERGE
from kube_server import Running

Json = dict[str, Any]

LOOK_SECONDS = 0.2
BACKOFF_SECONDS = 2.0
_VARIABLE = re.compile(r"\$\(([A-Za-z_][\w.-]*)\)")


class Kubelet:
    """Looks at the pods until it is closed."""

    def __init__(self, server: Running, binaries: Mapping[str, Path], kubeconfig: Path) -> None:
        """Start looking.

        Args:
            server: The API server.
            binaries: The CCM's programs by the tags of their images.
            kubeconfig: The CCM's way to the cluster.
        """
        self._server, self._binaries, self._kubeconfig = server, binaries, kubeconfig
        self._pods: dict[str, _Pod] = {}
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking, and stop everything that runs."""
        self._closed.set()
        self._thread.join()
        for pod in self._pods.values():
            pod.stop()

    def log(self, name: str, *, previous: bool = False) -> str | None:
        """What a pod's container has logged; None where there is no such one.

        Args:
            name: The pod's.
            previous: Of the run that has ended, and not of the one that runs.
        """
        pod = next((one for one in list(self._pods.values()) if one.name == name), None)
        if pod is None:
            return None
        log = pod.previous_log if previous and pod.alive else pod.log
        return log.read_text(errors="replace") if log.exists() else None

    def processes(self) -> list[int]:
        """The IDs of the processes that run."""
        return [pod.process_id for pod in list(self._pods.values()) if pod.alive]

    def running(self) -> list[str]:
        """The names of the pods whose CCM runs."""
        return [pod.name for pod in list(self._pods.values()) if pod.alive]

    def _look(self) -> None:
        while not self._closed.wait(LOOK_SECONDS):
            listed = self._server.request("GET", "/api/v1/pods?fieldSelector=status.phase%3DRunning")["items"]
            found = {one["metadata"]["uid"]: one for one in listed if "deletionTimestamp" not in one["metadata"]}
            for uid in [uid for uid in self._pods if uid not in found]:
                self._pods.pop(uid).stop()
            for uid, pod in found.items():
                container = next((one for one in pod["spec"]["containers"] if _runs_ccm(one)), None)
                if container is None:
                    continue
                if uid not in self._pods:
                    folder = self._server.folder / "pods" / uid
                    self._pods[uid] = _Pod(self._server, pod, container, folder)
                self._pods[uid].look(self._binaries, self._kubeconfig_of(pod))

    def _kubeconfig_of(self, pod: Json) -> Path:
        """The way to the cluster of the pod's service account; of one without, the administrator's."""
        account = pod["spec"].get("serviceAccountName", "default")
        if account == "default":
            return self._kubeconfig
        if account not in self._server.tokens:
            path = f"/api/v1/namespaces/{pod['metadata']['namespace']}/serviceaccounts/{account}/token"
            request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
            self._server.tokens[account] = self._server.request("POST", path, request)["status"]["token"]
        return self._server.kubeconfig(account, name=f"{account}.kubeconfig")


class _Pod:
    def __init__(self, server: Running, pod: Json, container: Json, folder: Path) -> None:
        self._server, self._pod, self._container, self._folder = server, pod, container, folder
        self.name = pod["metadata"]["name"]
        self.log, self.previous_log = folder / "ccm.log", folder / "ccm.previous.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0
        self._next = 0.0
        self._started = ""

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def process_id(self) -> int:
        return self._process.pid if self._process is not None else 0

    def look(self, binaries: Mapping[str, Path], kubeconfig: Path) -> None:
        if self.alive:
            return
        if self._process is not None:
            self._has_ended(self._process)
        if time.monotonic() >= self._next:
            self._start(binaries, kubeconfig)

    def stop(self) -> None:
        if self._process is not None:
            kube_processes.stop(self._process)

    def _has_ended(self, process: subprocess.Popen[bytes]) -> None:
        self._process = None
        self._next = time.monotonic() + BACKOFF_SECONDS
        ended = {
            "exitCode": process.returncode % 256, "reason": "Error", "startedAt": self._started, "finishedAt": _now()
        }  # fmt: skip
        message = f"back-off restarting failed container {self._container['name']}"
        waiting = {"reason": "CrashLoopBackOff", "message": message}
        self._say({"waiting": waiting}, {"terminated": ended})

    def _start(self, binaries: Mapping[str, Path], kubeconfig: Path) -> None:
        self._next = time.monotonic() + BACKOFF_SECONDS
        binary = binaries.get(self._container["image"].partition("@")[0].rpartition(":")[2])
        if binary is None:
            self._say({"waiting": {"reason": "ErrImagePull", "message": f"no image {self._container['image']}"}})
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        missing = self._mount()
        if missing:
            self._say({"waiting": {"reason": "ContainerCreating", "message": f"{missing} not found"}})
            return
        if self.log.exists():
            self.log.replace(self.previous_log)
        self._process = kube_ccm.run(binary, self._arguments(), kubeconfig, self.log)
        self._starts += 1
        self._started = _now()
        if self._starts > 1:  # kwok has said so of the first
            self._say({"running": {"startedAt": self._started}})

    def _arguments(self) -> list[str]:
        variables = {one["name"]: one.get("value", "") for one in self._container.get("env", [])}
        words = [*self._container.get("command", []), *self._container.get("args", [])]
        if words and not words[0].startswith("-"):
            del words[0]
        words = [_VARIABLE.sub(lambda found: variables.get(found[1], found[0]), word) for word in words]
        for mount in sorted(self._container.get("volumeMounts", []), key=lambda one: -len(one["mountPath"])):
            at = str(self._folder / mount["name"])
            at += f"/{mount['subPath']}" if "subPath" in mount else ""
            words = [
                re.sub(f"(^|=){re.escape(mount['mountPath'].rstrip('/'))}(?=/|$)", rf"\1{at}", one) for one in words
            ]
        return words

    def _mount(self) -> str:
        """Write the Secrets and ConfigMaps that the pod mounts; the first that is missing."""
        namespace = self._pod["metadata"]["namespace"]
        for volume in self._pod["spec"].get("volumes", []):
            if "secret" in volume:
                source, plural, name = volume["secret"], "secrets", volume["secret"]["secretName"]
            elif "configMap" in volume:
                source, plural, name = volume["configMap"], "configmaps", volume["configMap"]["name"]
            else:
                continue
            listed = self._server.request("GET", f"/api/v1/namespaces/{namespace}/{plural}")["items"]
            found = next((one for one in listed if one["metadata"]["name"] == name), None)
            if found is None:
                return f"{plural.removesuffix('s')} {name}"
            _write(self._folder / volume["name"], found, source.get("items", []))
        return ""

    def _say(self, state: Json, last: Json | None = None) -> None:
        ready = "running" in state
        status = {
            "name": self._container["name"], "image": self._container["image"], "imageID": "", "ready": ready,
            "started": ready, "restartCount": max(self._starts - 1, 0), "state": state, "lastState": last or {},
        }  # fmt: skip
        said = "True" if ready else "False"
        conditions = [
            {"type": kind, "status": "True" if kind in ("Initialized", "PodScheduled") else said,
             "lastTransitionTime": _now()}
            for kind in ("Initialized", "PodScheduled", "Ready", "ContainersReady")
        ]  # fmt: skip
        metadata = self._pod["metadata"]
        path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}/status?fieldManager=kubelet"
        patch = {
            "metadata": {"uid": metadata["uid"]},
            "status": {"containerStatuses": [status], "conditions": conditions},
        }
        try:
            self._server.request("PATCH", path, patch, MERGE)
        except AssertionError:
            return  # the pod is gone, or another has its name


def _write(folder: Path, found: Json, items: list[Json]) -> None:
    folder.mkdir(exist_ok=True)
    contents = {key: base64.b64decode(text) for key, text in found.get("data", {}).items()}
    if found.get("kind") == "ConfigMap" or "type" not in found:
        contents = {key: text.encode() for key, text in found.get("data", {}).items()}
    names = {one["key"]: one["path"] for one in items} or {key: key for key in contents}
    for key, name in names.items():
        if key in contents:
            path = folder / name
            path.touch(mode=0o600)
            path.write_bytes(contents[key])


def _runs_ccm(container: Json) -> bool:
    words = [container["image"], *container.get("command", [])[:1], *container.get("args", [])[:1]]
    return any(CCM in word for word in words)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
