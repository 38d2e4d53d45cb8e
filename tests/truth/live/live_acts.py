"""What breaks a running cluster and its cloud, act by act, and puts everything back afterwards."""

from __future__ import annotations

import base64
import copy
import json
import os
import re
import signal
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import kube_workload
from cloud_neutron import Reply
from cloud_stand_in import Refusal
from kube_cloud import with_ids
from kube_nodes import MERGE
from kube_processes import until
from kube_stack import Stack
from live_cluster import CLUSTER, NAMESPACE, is_well, service

Json = dict[str, Any]

_KUBE = "/api/v1/namespaces/kube-system"
_RBAC = "/apis/rbac.authorization.k8s.io/v1"
_CCM = "openstack-cloud-controller-manager"
PLACES = {
    "services": f"/api/v1/namespaces/{NAMESPACE}/services",
    "ccm": f"/apis/apps/v1/namespaces/kube-system/daemonsets/{_CCM}",
    "deployments": "/apis/apps/v1/namespaces/kube-system/deployments",
    "daemonsets": "/apis/apps/v1/namespaces/kube-system/daemonsets",
    "web": f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/web",
    "secret": f"{_KUBE}/secrets/cloud-config",
    "lease": "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cloud-controller-manager",
    "role": f"{_RBAC}/clusterroles/system:cloud-controller-manager",
    "binding": f"{_RBAC}/clusterrolebindings/system:cloud-controller-manager",
    "pods": f"{_KUBE}/pods",
    "nodes": "/api/v1/nodes",
}
_STRATEGIC = "application/strategic-merge-patch+json"
_MARK = re.compile(r"\{([a-z][\w.:-]*)\}")
_FRESH = re.compile(r"\bfresh\b")
"""A Service of the fault; the CCM waits ever longer with one of the same name that has failed before."""
_STEADY = timedelta(minutes=10)
_SECONDS, _GRACE_SECONDS = 60, 20
_CLOUD = frozenset({"octavia", "neutron", "sql", "add", "groups-off", "rule-off", "lose", "password"})
"""Acts that change what is in the cloud, which the CCM does not put back."""


class Acts:
    """Acts in one cluster, until they are undone."""

    def __init__(self, cluster: Stack) -> None:
        self._cluster, self._ask = cluster, cluster.server.request
        self._undo = ExitStack()
        self._conf = self._read_conf()
        self._template = self._ask("GET", PLACES["ccm"])["spec"]["template"]
        self._restarts = False
        self._turn = 0

    def play(self, acts: Sequence[Sequence[Any]]) -> None:
        """Some acts, each the name of a method here and its arguments.

        In these ``{web.balancer}`` and the like become IDs, names of networks, too.
        """
        if any(name in _CLOUD for name, *_ in acts):
            self._keep_cloud()  # without what the acts make
        for one in acts:
            self._do(*one)

    def _do(self, name: str, *given: Any) -> None:
        act: Callable[..., None] = getattr(self, name.replace("-", "_"))
        act(*(json.loads(self.filled(json.dumps(one))) for one in given))

    def undo(self) -> None:
        """Put everything back, the last act first, and wait until all is well."""
        cloud = self._cluster.cloud
        cloud.stand_in.refusals, cloud.stand_in.absent = (), ()
        self._undo.close()
        if self._restarts:
            self.restart()
            self._restarts = False
        self._turn += 1
        try:
            until(lambda: is_well(self._cluster), "everything is as before", _GRACE_SECONDS)
        except AssertionError:
            self.restart()  # what no change of an object lets the CCM correct, such as a node's address, its start does
            self._restarts = False
            until(lambda: is_well(self._cluster), "everything is as before after a restart", 90)
        for namespace in (NAMESPACE, "kube-system", "default"):
            self._ask("DELETE", f"/api/v1/namespaces/{namespace}/events")

    def filled(self, text: str) -> str:
        """A text with IDs, addresses and times for what it names."""
        own = _FRESH.sub(f"fresh-{self._turn}", text)
        return with_ids(_MARK.sub(lambda found: self._meaning(found[1]), own))

    def _meaning(self, mark: str) -> str:
        if mark in PLACES:
            return PLACES[mark]
        if mark in ("api", "cloud"):
            return f"127.0.0.1:{self._cluster.server.port}" if mark == "api" else self._cluster.cloud.url
        if mark == "pod":
            return str(self._pods()[0]["metadata"]["name"])
        if mark == "conf":
            return base64.b64encode(self._conf.encode()).decode()
        if mark == "ca":
            return base64.b64encode(self._cluster.server.authority.read_bytes()).decode()
        if mark.startswith("ago:"):
            ago = datetime.now(UTC) - timedelta(minutes=int(mark.removeprefix("ago:")))
            return ago.strftime("%Y-%m-%dT%H:%M:%S.000000Z")
        name, _, part = mark.partition(".")
        return str(self.parts(name)[part])

    def parts(self, name: str) -> Json:
        """What a Service has in Octavia and Neutron."""
        found = self._cluster.cloud.balancer(f"kube_service_{CLUSTER}_{NAMESPACE}_{name}")
        assert found is not None, name
        listener = (found["listeners"] or [{}])[0]
        pool = listener.get("default_pool") or {}
        port = found["vip_port_id"]
        floating = self._cluster.cloud.stand_in.neutron.collections["floatingips"]
        own: Json = next((one for one in floating if one["port_id"] == port), {})
        return {
            "balancer": found["id"], "listener": listener.get("id"), "pool": pool.get("id"), "port": port,
            "monitor": (pool.get("healthmonitor") or {}).get("id"), "floatingip": own.get("id"),
            "member": (pool.get("members") or [{}])[0].get("id"), "address": own.get("floating_ip_address"),
        }  # fmt: skip

    # Kubernetes

    def change(self, path: str, body: Json, manager: str = "kubectl-edit", kind: str = "merge") -> None:
        """Patch an object, by a merge patch or a strategic one."""
        before = _bare(self._ask("GET", path.removesuffix("/status")))
        self._restarts |= bool(self._cluster.cloud.stand_in.refusals)  # else the CCM tries again at some time
        if path == PLACES["secret"]:
            self._undo.callback(self._made_again)
        elif path != PLACES["lease"]:  # which the next CCM makes
            self._undo.callback(lambda: self._gone(lambda: self._ask("PUT", f"{path}?fieldManager={_CCM}", before)))
        content_type = _STRATEGIC if kind == "strategic" else MERGE
        self._ask("PATCH", f"{path}?fieldManager={manager}", body, content_type)

    def create(self, path: str, body: Json, manager: str = "kubectl-create") -> None:
        """Create an object."""
        self._ask("POST", f"{path}?fieldManager={manager}", body)
        self._undo.callback(self._remove, f"{path}/{body['metadata']['name']}")

    def delete(self, path: str) -> None:
        """Delete an object, which is not made again by anybody."""
        before = _bare(self._ask("GET", path))
        self._ask("DELETE", path)
        self._undo.callback(lambda: self._ask("POST", path.rpartition("/")[0], before))

    def service(self, name: str, annotations: Json | None = None, spec: Json | None = None) -> None:
        """Create a Service."""
        self.create(PLACES["services"], service(name, annotations, spec))

    def begin_deletion(self, path: str) -> None:
        """Delete something that is to be gone at the end, and do not wait."""
        self._ask("DELETE", path)

    def touch(self, name: str) -> None:
        """Let the CCM sync a Service."""
        self.change(f"{PLACES['services']}/{name}", {"metadata": {"annotations": {"example.org/touched": "yes"}}})

    def lose(self, name: str) -> None:
        """Delete a Service without its finalizer, so that the CCM removes nothing."""
        path = f"{PLACES['services']}/{name}"
        self._ask("PATCH", path, {"metadata": {"finalizers": None}}, MERGE)
        self._ask("DELETE", path)

    def _remove(self, path: str) -> None:
        def is_gone() -> bool:
            return self._gone(lambda: self._ask("GET", path))

        with suppress(AssertionError):
            self._ask("DELETE", path)
        if "admissionregistration" in path:
            time.sleep(3)  # until it is in force no longer
        try:
            until(is_gone, path, _GRACE_SECONDS)  # the CCM may be about to remove what it made
        except AssertionError:
            self._restarts = True  # it may wait for what is gone
            self._ask("PATCH", path, {"metadata": {"finalizers": None}}, MERGE)
            until(is_gone, f"{path} is gone", _SECONDS)

    @staticmethod
    def _gone(ask: Callable[[], object]) -> bool:
        try:
            ask()
        except AssertionError as error:
            if ": 404 " not in str(error):
                raise
            return True
        return False

    def forbid(self, *rights: str) -> None:
        """Take rights out of the CCM's ClusterRole: ``services:patch,update``, or all of a resource."""
        self._narrow(PLACES["role"], rights)

    def forbid_us(self, *rights: str) -> None:
        """Take rights out of our own ClusterRole."""
        self._narrow(f"{_RBAC}/clusterroles/ccmcheck", rights)

    def _narrow(self, path: str, rights: Sequence[str]) -> None:
        taken = {one.partition(":")[0]: one.partition(":")[2].split(",") for one in rights}
        rules = []
        for rule in self._ask("GET", path)["rules"]:
            for resource in rule.get("resources", []):
                gone = taken.get(resource)
                verbs = [] if gone == [""] else [one for one in rule["verbs"] if one not in (gone or ())]
                if verbs:
                    rules.append({**rule, "resources": [resource], "verbs": verbs})
            if "nonResourceURLs" in rule:
                rules.append(rule)
        self.change(path, {"rules": rules})
        time.sleep(1)  # the authorizer learns of it

    def ready(self, node: str, ready: str) -> None:
        """Let a node say whether it is ready."""
        path = f"/api/v1/nodes/{node}"
        conditions = [
            {**one, "status": ready} if one["type"] == "Ready" else one
            for one in self._ask("GET", path)["status"]["conditions"]
        ]
        self.change(f"{path}/status", {"status": {"conditions": conditions}}, "kubelet")

    def addresses(self, node: str, *addresses: str) -> None:
        """Let a node have other addresses."""
        listed = [{"type": "InternalIP", "address": one} for one in addresses]
        self.change(f"/api/v1/nodes/{node}/status", {"status": {"addresses": listed}}, "kubelet")

    def unready(self, selector: str) -> None:
        """Let the pods with a label be not ready."""
        path = f"/api/v1/namespaces/{NAMESPACE}/pods"
        for pod in self._ask("GET", f"{path}?labelSelector={selector.replace('=', '%3D')}")["items"]:
            conditions = [
                {**one, "status": "False"} if "Ready" in one["type"] else one for one in pod["status"]["conditions"]
            ]
            self.change(f"{path}/{pod['metadata']['name']}/status", {"status": {"conditions": conditions}}, "kubelet")

    # the CCM

    def _read_conf(self) -> str:
        return base64.b64decode(self._ask("GET", PLACES["secret"])["data"]["cloud.conf"]).decode()

    def _pods(self) -> list[Json]:
        selector = f"labelSelector=k8s-app%3D{_CCM}"
        listed = self._ask("GET", f"{PLACES['pods']}?{selector}")["items"]
        return [one for one in listed if "deletionTimestamp" not in one["metadata"]]

    def edit(self, *replaced: str) -> None:
        """Change the text of the Secret; the CCM, which has run for ten minutes, goes on with the one before."""
        self._restarts = True
        kube_workload.date_back(self._cluster.server, _STEADY)
        text = self._read_conf()
        for before, after in zip(replaced[::2], replaced[1::2], strict=True):
            assert before in text, before
            text = text.replace(before, after)
        kube_workload.change_conf(self._cluster.server, text, "kubectl-edit")
        self._undo.callback(self._made_again)

    def _made_again(self) -> None:
        """Make the Secret again: nobody can tell from one that was changed which text a CCM was started with."""
        self._ask("DELETE", PLACES["secret"])
        self._ask("POST", f"{_KUBE}/secrets?fieldManager=kubectl-create", kube_workload.secret(self._conf))

    def conf(self, *replaced: str) -> None:
        """Change the text of the Secret, and restart the CCM with it."""
        self.edit(*replaced)
        self.restart()

    def flags(self, *flags: str) -> None:
        """Add flags to the CCM."""
        container = self._ask("GET", PLACES["ccm"])["spec"]["template"]["spec"]["containers"][0]
        changed = [{**container, "args": [*container["args"], *flags]}]
        self.change(PLACES["ccm"], {"spec": {"template": {"spec": {"containers": changed}}}})
        self.restart()

    def deployment(self, name: str, spec: Json, flags: Sequence[str] = (), namespace: str = "kube-system") -> None:
        """Run the CCM as a Deployment."""
        template = copy.deepcopy(self._template)
        template["spec"]["containers"][0]["args"] += flags
        template["metadata"] = {"labels": {"app": name}}
        whole = {"selector": {"matchLabels": {"app": name}}, "template": template, **spec}
        path = PLACES["deployments"].replace("kube-system", namespace)
        self.create(path, {"metadata": {"name": name}, "spec": whole})
        self._restarts = True

    def runs(self, count: int) -> None:
        """Wait until so many CCMs run."""
        until(lambda: len(self._cluster.kubelet.running()) == count, f"{count} CCMs run", _SECONDS)

    def restart(self) -> None:
        """Restart the CCM, which need not wait for the lease of the one before."""
        self._restarts = True
        old = {one["metadata"]["uid"] for one in self._pods()}
        for one in self._pods():
            self._ask("DELETE", f"{PLACES['pods']}/{one['metadata']['name']}")
        stopped = set(self._cluster.kubelet.running())
        until(lambda: not any(one["metadata"]["uid"] in old for one in self._pods()), "the pods are gone", _SECONDS)
        until(lambda: not stopped.intersection(self._cluster.kubelet.running()), "the CCM has ended", _SECONDS)
        with suppress(AssertionError):
            self._ask("DELETE", PLACES["lease"])

    def stopped(self, words: str = "") -> None:
        """Wait until the CCM has ended, with words in its log."""

        def seen() -> bool:
            for pod in self._pods():
                for one in pod["status"].get("containerStatuses", []):
                    log = self._cluster.kubelet.log(pod["metadata"]["name"], previous=True) or ""
                    if one["state"].get("waiting", {}).get("reason") and words in log:
                        return True
            return False

        until(seen, f"the CCM ends with {words}", _SECONDS)

    def logged(self, words: str) -> None:
        """Wait until the CCM, which runs, has logged something."""
        kubelet = self._cluster.kubelet
        until(lambda: any(words in (kubelet.log(name) or "") for name in kubelet.running()), words, _SECONDS)

    def state(self, state: Json, restarts: int = 0, last: Json | None = None) -> None:
        """Let a pod's container be as a kubelet would say."""
        self._restarts = True
        pod = self._pods()[0]
        one = {**pod["status"]["containerStatuses"][0], "state": state, "ready": "running" in state}
        one |= {"restartCount": restarts, "lastState": last or {}}
        path = f"{PLACES['pods']}/{pod['metadata']['name']}/status"
        self._ask("PATCH", path, {"status": {"containerStatuses": [one]}}, MERGE)

    def phase(self, status: Json) -> None:
        """Let a pod's status be as a kubelet would say."""
        self._restarts = True
        self._ask("PATCH", f"{PLACES['pods']}/{self._pods()[0]['metadata']['name']}/status", {"status": status}, MERGE)

    def freeze(self) -> None:
        """Stop the CCM's process where it is: it neither ends nor works."""
        self._restarts = True
        for one in self._cluster.kubelet.processes():
            os.kill(one, signal.SIGSTOP)
            self._undo.callback(os.kill, one, signal.SIGCONT)

    def still(self) -> None:
        """Let kwok say nothing more of nodes and pods."""
        nodes = [_bare(one) for one in self._ask("GET", "/api/v1/nodes")["items"]]

        def go_on() -> None:
            self._cluster.kwok.send_signal(signal.SIGCONT)
            time.sleep(2)  # it begins nodes anew that were not ready, without their addresses
            for node in nodes:
                self._ask("PUT", f"/api/v1/nodes/{node['metadata']['name']}/status", node)

        self._cluster.kwok.send_signal(signal.SIGSTOP)
        self._undo.callback(go_on)

    def event(self, name: str, words: str, namespace: str = NAMESPACE) -> None:
        """Wait for an event about a Service."""

        def seen() -> bool:
            return any(
                words in one["message"] or words == one["reason"] for one in self._cluster.events(name, namespace)
            )

        until(seen, f"an event about {name} with {words}", _SECONDS)

    def address(self, name: str, namespace: str = NAMESPACE) -> None:
        """Wait until a Service has an address."""
        self._cluster.wait_for_address(name, namespace)

    @staticmethod
    def wait(seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    # the cloud

    def _keep_cloud(self) -> None:
        """Keep the cloud as it is, to have it back at the end."""
        stand_in, folder = self._cluster.cloud.stand_in, self._cluster.cloud.octavia.folder
        before, passwords = stand_in.neutron.dump(), dict(stand_in.passwords)
        kept = sqlite3.connect(":memory:")
        with sqlite3.connect(folder / "octavia.db", timeout=30) as database:
            database.backup(kept)

        def back() -> None:
            with sqlite3.connect(folder / "octavia.db", timeout=30) as database:
                kept.backup(database)
            stand_in.neutron.collections = copy.deepcopy(before)
            stand_in.passwords = passwords

        self._undo.callback(back)

    def sql(self, *statements: str) -> None:
        """Change Octavia's database, as its worker would; the worker dies there, so that nothing changes it again."""
        with sqlite3.connect(self._cluster.cloud.octavia.folder / "octavia.db", timeout=30) as database:
            for statement in statements:
                database.execute(statement)

    def octavia(self, method: str, path: str, body: Json | None = None) -> None:
        """Change something by hand."""
        reply = self._cluster.cloud.octavia.ask(method, path, body)
        assert reply.taken, (path, reply)

    def neutron(self, collection: str, known: str, change: Json | None) -> None:
        """Change or delete something by hand."""
        collections = self._cluster.cloud.stand_in.neutron.collections
        one = next(each for each in collections[collection] if known in (each["id"], each.get("name")))
        if change is None:
            collections[collection].remove(one)
        else:
            one.update(change)

    def add(self, collection: str, one: Json) -> None:
        """Make something by hand."""
        self._cluster.cloud.stand_in.neutron.collections[collection].append(one)

    def groups_off(self) -> None:
        """Take the CCM's security groups off the ports of the nodes."""
        for port in self._cluster.cloud.stand_in.neutron.collections["ports"]:
            if port.get("device_id", "").count("-") == 4 and "lb-" not in port["device_id"]:
                port["security_groups"] = port["security_groups"][:1]

    def rule_off(self, name: str) -> None:
        """Delete the ingress rules of the CCM's security group of a Service."""
        collections = self._cluster.cloud.stand_in.neutron.collections
        group = next(
            one["id"] for one in collections["security_groups"] if one["name"].endswith(f"-{NAMESPACE}-{name}")
        )
        collections["security_group_rules"] = [
            one
            for one in collections["security_group_rules"]
            if one["security_group_id"] != group or one["direction"] != "ingress"
        ]

    def refuse(self, service: str, method: str, path: str, status: int, body: Json) -> None:
        """Let a service of OpenStack refuse something."""
        stand_in = self._cluster.cloud.stand_in
        stand_in.refusals += (Refusal(service, method, path, Reply(status, body)),)

    def absent(self, *services: str) -> None:
        """Take services out of the catalogue."""
        self._cluster.cloud.stand_in.absent = services

    def password(self, user: str, password: str) -> None:
        """Change a user's password."""
        self._cluster.cloud.stand_in.passwords[user] = password


def _bare(one: Json) -> Json:
    """An object without what the API server gives it."""
    found = copy.deepcopy(one)
    for field in ("resourceVersion", "uid", "creationTimestamp", "generation", "managedFields", "deletionTimestamp"):
        found["metadata"].pop(field, None)
    return found
