"""Plays a case through: creation, changes and deletion of one Service, by the real CCM against the real Octavia."""

from __future__ import annotations

import copy
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cloud_chosen import Act, CloudCase
from cloud_stand_in import StandIn
from loadbalancer_cloud import cloud as base_cloud
from loadbalancer_ids import identified
from loadbalancer_oracle import Answer, Asked, Case
from octavia_api import Octavia
from octavia_play import tree

Json = dict[str, Any]

API = "2.30"
SECONDS = 150
FINALIZER = "service.kubernetes.io/load-balancer-cleanup"
_PANIC = re.compile(r"^panic: (.*?)(?: \[recovered.*)?$", re.MULTILINE)
_FATAL = re.compile(r"^F\d{4} \S+ +\d+ [^]]+\] (.*)", re.MULTILINE)


class Step(NamedTuple):
    """One thing that happened.

    Attributes:
        name: The case's, and the number of the step.
        act: What was done.
        case: Everything before it.
        answer: What the real code did, with the state afterwards. Its events are ``source Type Reason message``.
        statuses: The status of each answer to ``answer.changes``.
    """

    name: str
    act: str
    case: Case
    answer: Answer
    statuses: tuple[int, ...]


class Player:
    """Runs one release's program."""

    def __init__(self, program: Path, stand_in: StandIn, octavia: Octavia) -> None:
        self._program = program
        self._stand_in = stand_in
        self._octavia = octavia

    def play(self, case: CloudCase) -> Iterator[Step]:
        """Play a case; every step begins with what the one before has left."""
        state = identified(
            Case(
                case.config, case.service, tuple(case.nodes), "kubernetes", API, base_cloud(_servers(case)), case.absent
            )
        )
        state = state._replace(cloud=case.change_cloud(state.cloud))
        acts = (Act("create"), *case.acts)
        for number, act in enumerate(acts):
            state = _changed(state, act)
            answer, statuses = self._run(state)
            yield Step(f"{case.name} {number}", act.kind, state, answer, statuses)
            if answer.cloud is None or answer.outcome in ("panic", "exit"):
                break
            metadata = {**state.service["metadata"], "annotations": answer.annotations}
            state = state._replace(service={**state.service, "metadata": metadata}, cloud=answer.cloud)
        for balancer in self._octavia.ask("GET", "loadbalancers").body.get("loadbalancers", []):
            self._octavia.ask("DELETE", f"loadbalancers/{balancer['id']}?cascade=true")

    def _run(self, state: Case) -> tuple[Answer, tuple[int, ...]]:
        self._stand_in.begin(state.cloud, state.absent)
        request = {
            "config": state.config, "service": state.service, "nodes": state.nodes, "cluster_name": state.cluster,
            "url": self._stand_in.url,
        }  # fmt: skip
        done = subprocess.run(
            [str(self._program)], input=json.dumps(request), capture_output=True, text=True, timeout=SECONDS, check=False,
            env={"HOME": "/nonexistent", "OCCM_WAIT_LB_ACTIVE_STEPS": "3"},
        )  # fmt: skip
        asked = tuple(one for one, _ in self._stand_in.asked)
        statuses = tuple(status for one, status in self._stand_in.asked if one.method != "GET")
        cloud = {**self._stand_in.neutron.dump(), "loadbalancers": self._trees()}
        if not done.stdout:
            return _crash(done.stderr, asked, state, cloud), statuses
        given = json.loads(done.stdout)
        left = given["service"] or {}
        events = tuple(
            f"{one['source']} {one['type']} {one['reason']} {one['message']}" for one in given["events"] or ()
        )
        return (
            Answer(
                given["outcome"],
                given["error"],
                asked,
                tuple(left.get("status", {}).get("loadBalancer", {}).get("ingress", ())),
                events,
                left.get("metadata", {}).get("annotations", {}) or {},
                cloud,
            ),
            statuses,
        )

    def _trees(self) -> list[Json]:
        listed = self._octavia.ask("GET", "loadbalancers").body.get("loadbalancers", [])
        return [tree(self._octavia, one["id"]) for one in listed]


def _servers(case: CloudCase) -> list[Json]:
    """The nodes of all acts: their servers are there from the beginning."""
    nodes = [*case.nodes, *(node for act in case.acts for node in act.nodes or ())]
    return list({node["metadata"]["name"]: node for node in reversed(nodes)}.values())[::-1]


def _crash(stderr: str, asked: tuple[Asked, ...], state: Case, cloud: Json) -> Answer:
    annotations = state.service["metadata"].get("annotations", {})
    for pattern, outcome in ((_PANIC, "panic"), (_FATAL, "exit")):
        if found := pattern.search(stderr):
            return Answer(outcome, found[1].strip(), asked, (), (), annotations, cloud)
    return Answer("exit", stderr.strip().splitlines()[-1] if stderr.strip() else "", asked, (), (), annotations, cloud)


def _changed(state: Case, act: Act) -> Case:
    """A case with what an act changes."""
    service = copy.deepcopy(state.service)
    service["metadata"]["finalizers"] = [FINALIZER] if act.kind != "create" else []
    config = state.config if act.config is None else _with_ids(act.config)
    nodes = state.nodes if act.nodes is None else tuple(json.loads(_with_ids(json.dumps(list(act.nodes)))))
    if act.kind == "delete":
        service["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z"
    for path, value in act.service.items():
        at = service
        *way, last = path.split(".")
        for part in way:
            at = at.setdefault(part, {})
        if value is None:
            at.pop(last, None)
        else:
            at[last] = json.loads(_with_ids(json.dumps(value)))
    annotations = {**service["metadata"].get("annotations", {}), **act.annotations}
    service["metadata"]["annotations"] = {
        name: _with_ids(text) for name, text in annotations.items() if text is not None
    }
    return state._replace(config=config, nodes=nodes, service=service)


def _with_ids(text: str) -> str:
    """Names in a text as IDs."""
    case = Case(text, {}, (), "", "", {})
    return identified(case).config if text else text
