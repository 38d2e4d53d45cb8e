"""Plays Services through: the API server gets them, the running CCM reconciles them, the real Octavia has the result."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from cloud_chosen import Act, CloudCase
from cloud_play import API, Step
from kube_cloud import with_ids
from kube_nodes import MERGE
from kube_processes import until
from kube_stack import Stack
from loadbalancer_oracle import Answer, Case
from loadbalancer_words import LOAD_BALANCER_ID

from ccmcheck.predict.inputs.nodes import EXCLUDED

Json = dict[str, Any]

NAMESPACE = "shop"
SECONDS = 60
SHARE = "share"
"""The kind of an act that creates a second Service at the load balancer of the first."""
_SERVICES = f"/api/v1/namespaces/{NAMESPACE}/services"
_QUIET_SECONDS = 0.7
_UNNOTICED_SECONDS = 3.0
"""For a change that the CCM has no reason to look at."""
_FAILED = "SyncLoadBalancerFailed"
_BEGINS = "EnsuringLoadBalancer"
_ENDS = ("EnsuredLoadBalancer", "UpdatedLoadBalancer", "DeletedLoadBalancer", _FAILED)
_ERROR = "Error syncing load balancer: "
_WRITERS = ("service-controller", "cloud-provider-openstack")


class _Before(NamedTuple):
    """What was there before an act.

    Attributes:
        cloud: Everything in the cloud.
        events: How often each event of the Service was seen, by its name.
        asked: How many requests the CCM had made.
    """

    cloud: Json
    events: dict[str, int]
    asked: int


class Reconciler:
    """Plays cases in one cluster, one after another, with one release of the CCM."""

    def __init__(self, cluster: Stack, tag: str) -> None:
        self._cluster = cluster
        self._tag = tag
        self._lines: str | None = None
        self._conf = ""
        self._fresh = False

    def play(self, case: CloudCase) -> Iterator[Step]:
        """Play a case; its configurations are what ``[LoadBalancer]`` has, and its nodes those of the cluster."""
        names = ["-".join(case.name.lower().split())]
        self._run_with(case.config)
        try:
            for number, act in enumerate((Act("create"), *case.acts)):
                if act.kind == SHARE:
                    names.append(f"{names[0]}-2")
                name = names[-1] if act.kind != "delete" else names.pop()
                before = _Before(self._cloud(), self._counts(name), len(self._cluster.cloud.asked()))
                service = self._do(name, case.service, act)
                self._settle(name, before, act, service)
                state = Case(self._conf, service, self._nodes(), "kubernetes", API, before.cloud)
                kind = "create" if act.kind == SHARE else act.kind
                yield Step(f"{case.name} {number}", kind, state, *self._answer(service, before, act))
        finally:
            self._clean()

    def _run_with(self, lines: str) -> None:
        if lines == self._lines:
            return
        cluster = self._cluster
        self._lines, self._conf, self._fresh = lines, cluster.cloud.conf(lines), True
        cluster.ccm.start(self._conf, tag=self._tag)
        cluster.ccm.wait_for_start()
        cluster.wait_for_nodes()

    def _do(self, name: str, service: Json, act: Act) -> Json:
        """Do what an act says; the Service as it is before the CCM looks at it."""
        request, path = self._cluster.server.request, f"{_SERVICES}/{name}"
        if act.kind in ("create", SHARE):
            annotations, spec = service["metadata"]["annotations"], service["spec"]
            if act.kind == SHARE:
                shared = self._cluster.cloud.balancers()[0]["id"]
                annotations = {**annotations, **act.annotations, LOAD_BALANCER_ID: shared}
                spec = {**spec, **act.service}
            manifest = {"metadata": {"name": name, "annotations": annotations}, "spec": spec}
            found = request("POST", f"{_SERVICES}?fieldManager=kubectl-create", _identified(manifest))
        elif act.kind == "delete" and not act.service:
            found = self._service(name)
            found["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z"
            request("DELETE", path)
        else:
            for node in self._cluster.server.request("GET", "/api/v1/nodes")["items"] if act.nodes is not None else ():
                self._exclude(node, act)
            change: Json = {"metadata": {"annotations": dict(act.annotations)}}
            for field, value in act.service.items():
                part = change
                *way, last = field.split(".")
                for step in way:
                    part = part.setdefault(step, {})
                part[last] = value
            found = request("PATCH", f"{path}?fieldManager=kubectl-edit", _identified(change), MERGE)
            if act.config is not None:
                self._run_with(act.config)
        found["metadata"].setdefault("annotations", {})
        return copy.deepcopy(found)

    def _exclude(self, node: Json, act: Act) -> None:
        """Take a node out of all load balancers, or let it in, by its label."""
        name = node["metadata"]["name"]
        wanted = [one["metadata"]["name"] for one in act.nodes or ()]
        if name != "node-0":
            labels = {EXCLUDED: None if name in wanted else ""}
            path = f"/api/v1/nodes/{name}?fieldManager=kubectl-label"
            self._cluster.server.request("PATCH", path, {"metadata": {"labels": labels}}, MERGE)

    def _settle(self, name: str, before: _Before, act: Act, service: Json) -> None:
        """Wait until the CCM has looked at the Service, and then for nothing to happen."""
        started = time.monotonic()

        def ended() -> bool:
            if act.kind == "delete" and self._find(name) is None:
                return True
            reasons = {one["reason"] for one in self._events(name, before)}
            can_be_unnoticed = act.kind == "change" or "loadBalancerClass" in service["spec"]
            if can_be_unnoticed and _BEGINS not in reasons and time.monotonic() - started > _UNNOTICED_SECONDS:
                return True
            return bool(reasons.intersection(_ENDS))

        until(ended, f"the CCM reconciles {name}", SECONDS)
        seen: tuple[object, ...] = ()
        quiet_since = time.monotonic()
        while time.monotonic() - quiet_since < _QUIET_SECONDS:
            now = (len(self._cluster.cloud.asked()), self._counts(name), self._find(name))
            if now != seen:
                seen, quiet_since = now, time.monotonic()
            time.sleep(0.1)

    def _answer(self, service: Json, before: _Before, act: Act) -> tuple[Answer, tuple[int, ...]]:
        """What has come of a Service."""
        name = service["metadata"]["name"]
        events = self._events(name, before)
        if self._fresh or act.nodes is not None:
            # the CCM has begun to bring all load balancers up to date with the nodes, and this is not one of them yet
            events = [one for one in events if one["reason"] != "UpdateLoadBalancerFailed"]
        self._fresh = False
        asked = self._cluster.cloud.asked()[before.asked :]
        statuses = tuple(status for one, status in asked if one.method != "GET")
        left = self._find(name) or {"metadata": service["metadata"]}
        last = next((one for one in reversed(events) if one["reason"] in _ENDS), None)
        error = last["message"].removeprefix(_ERROR) if last is not None and last["reason"] == _FAILED else ""
        is_left_alone = act.kind in ("create", "delete") and not events and not asked
        answer = Answer(
            "error" if error else "nothing" if is_left_alone else "ok",
            error,
            tuple(one for one, _ in asked),
            tuple(left.get("status", {}).get("loadBalancer", {}).get("ingress", ())),
            tuple(f"{one['source']['component']} {one['type']} {one['reason']} {one['message']}" for one in events),
            left["metadata"].get("annotations", {}),
            self._cloud(),
        )
        return answer, statuses

    def _clean(self) -> None:
        """Remove all Services, and what they leave behind in the cloud."""
        request = self._cluster.server.request
        for service in request("GET", _SERVICES)["items"]:
            path = f"{_SERVICES}/{service['metadata']['name']}"
            request("PATCH", path, {"metadata": {"finalizers": None}}, MERGE)
            request("DELETE", path)
        until(lambda: not request("GET", _SERVICES)["items"], "all Services are gone", SECONDS)
        octavia, neutron = self._cluster.cloud.octavia, self._cluster.cloud.stand_in.neutron
        for balancer in octavia.ask("GET", "loadbalancers").body.get("loadbalancers", []):
            octavia.ask("DELETE", f"loadbalancers/{balancer['id']}?cascade=true")
            neutron.balancer_is_gone(balancer["id"])
        neutron.collections["floatingips"] = [
            one for one in neutron.collections["floatingips"] if one["description"] == "by hand"
        ]

    def _cloud(self) -> Json:
        return {**self._cluster.cloud.stand_in.neutron.dump(), "loadbalancers": self._cluster.cloud.balancers()}

    def _nodes(self) -> tuple[Json, ...]:
        """The nodes that the service controller gives to the CCM."""
        found = self._cluster.server.request("GET", "/api/v1/nodes")["items"]
        return tuple(one for one in found if EXCLUDED not in one["metadata"].get("labels", {}))

    def _service(self, name: str) -> Json:
        return self._cluster.service(name, NAMESPACE)

    def _find(self, name: str) -> Json | None:
        found = self._cluster.server.request("GET", _SERVICES)["items"]
        return next((one for one in found if one["metadata"]["name"] == name), None)

    def _counts(self, name: str) -> dict[str, int]:
        return {one["metadata"]["name"]: one["count"] for one in self._all_events(name)}

    def _events(self, name: str, before: _Before) -> list[Json]:
        """The events since then, the last that happened last."""
        found = self._all_events(name)
        new = [one for one in found if one["count"] > before.events.get(one["metadata"]["name"], 0)]
        return sorted(new, key=lambda one: int(one["metadata"]["resourceVersion"]))

    def _all_events(self, name: str) -> list[Json]:
        """Those that the CCM writes."""
        return [one for one in self._cluster.events(name, NAMESPACE) if one["source"].get("component") in _WRITERS]


def _identified(document: Json) -> Json:
    """A document with IDs for the names of networks and so on."""
    found: Json = json.loads(with_ids(json.dumps(document)))
    return found
