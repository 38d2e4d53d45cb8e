"""Plays scenarios through: the CCM's load balancer code, act by act, in one cloud with the real Octavia."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cloud_stand_in import StandIn
from loadbalancer_oracle import Answer, Case
from loadbalancer_scenarios import FIRST, Scenario
from octavia_api import Octavia
from octavia_play import tree

Json = dict[str, Any]

API = "2.30"
_FATAL = re.compile(r"F\d{4} \S+ +\d+ [^]]+\] (.*)")


class Step(NamedTuple):
    """One act.

    Attributes:
        name: The scenario's, and the number of the act.
        act: Its kind.
        tag: The release.
        case: Everything before it.
        answer: What the real code did, with what exists afterwards.
        statuses: The status of each answer to ``answer.changes``.
    """

    name: str
    act: str
    tag: str
    case: Case
    answer: Answer
    statuses: tuple[int, ...]

    @property
    def plain(self) -> tuple[str, str, Case, Answer, tuple[int, ...]]:
        """The same without the release."""
        return self.name, self.act, self.case, self.answer, self.statuses


class Process:
    """One release's program, which is started again where it has ended."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._running: subprocess.Popen[str] | None = None

    def stop(self) -> None:
        """End it; the next act is of a new process."""
        if self._running is not None:
            self._running.kill()
            self._running.communicate()
        self._running = None

    def ask(self, request: Json) -> Json:
        """One act."""
        running = self._running
        if running is None:
            running = self._running = subprocess.Popen(
                [str(self._program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env={"HOME": "/nonexistent", "OCCM_WAIT_LB_ACTIVE_STEPS": "2"},
            )  # fmt: skip
        if running.stdin is None or running.stdout is None:
            raise RuntimeError("the program has no pipes")
        running.stdin.write(json.dumps(request) + "\n")
        running.stdin.flush()
        line = running.stdout.readline()
        if line:
            answer: Json = json.loads(line)
            return answer
        _, words = running.communicate()
        self._running = None
        fatal = [found[1] for said in words.splitlines() if (found := _FATAL.match(said))]
        return {"outcome": "exit", "error": fatal[-1] if fatal else words[-200:], "annotations": None}


class Player:
    """Plays scenarios with the programs of some releases.

    Args:
        programs: The program of each tag.
        stand_in: Keystone, Nova, Neutron and Barbican.
        octavia: The real one behind it.
    """

    def __init__(self, programs: Mapping[str, Path], stand_in: StandIn, octavia: Octavia) -> None:
        self._processes = {tag: Process(program) for tag, program in programs.items()}
        self._stand_in = stand_in
        self._octavia = octavia

    def stop(self) -> None:
        """End all programs."""
        for process in self._processes.values():
            process.stop()

    def play(self, scenario: Scenario, tag: str) -> Iterator[Step]:
        """Play a scenario from a release on; an act of the kind ``upgrade`` names the release in place of a configuration."""
        for process in self._processes.values():
            process.stop()
        config, cloud = scenario.case.config, scenario.case.cloud
        written: dict[str, Json] = {}
        for number, act in enumerate(scenario.acts):
            kind = act.kind
            if kind == "upgrade":
                self._processes[tag].stop()
                tag, kind = act.config, "restart"
            elif kind == "restart":
                config = act.config or config
            service = json.loads(json.dumps(act.service).replace(FIRST, _first(cloud)))
            metadata = service["metadata"]
            own, mine = dict(metadata.get("annotations", {})), written.setdefault(metadata["name"], {})
            metadata["annotations"] = {**own, **mine}
            case = scenario.case._replace(config=config, service=service, nodes=act.nodes, cloud=cloud, octavia=API)
            answer, statuses = self._act(kind, tag, case)
            yield Step(f"{scenario.name} {number}", act.kind, tag, case, answer, statuses)
            mine.update({name: text for name, text in answer.annotations.items() if name not in own or name in mine})
            cloud = answer.cloud or cloud
        for balancer in self._octavia.ask("GET", "loadbalancers").body.get("loadbalancers", []):
            self._octavia.ask("DELETE", f"loadbalancers/{balancer['id']}?cascade=true")

    def _act(self, kind: str, tag: str, case: Case) -> tuple[Answer, tuple[int, ...]]:
        self._stand_in.begin(case.cloud, case.absent)
        act = {"kind": kind, "service": case.service, "nodes": case.nodes, "config": ""}
        done = self._processes[tag].ask(
            {"config": case.config, "cluster_name": case.cluster, "url": self._stand_in.url, "acts": [act]}
        )
        asked = tuple(one for one, _ in self._stand_in.asked)
        statuses = tuple(status for one, status in self._stand_in.asked if one.method != "GET")
        listed = self._octavia.ask("GET", "loadbalancers").body.get("loadbalancers", [])
        trees = [tree(self._octavia, one["id"]) for one in listed]
        annotations = done["annotations"]
        return Answer(
            done["outcome"],
            done["error"],
            asked,
            tuple((done.get("status") or {}).get("ingress") or ()),
            tuple(done.get("events") or ()),
            case.service["metadata"]["annotations"] if annotations is None else annotations,
            {**self._stand_in.neutron.dump(), "loadbalancers": trees},
        ), statuses


def _first(cloud: Json) -> str:
    """The ID of the first load balancer; the one that stands for it where there is none."""
    trees = cloud["loadbalancers"]
    return str(trees[0]["id"]) if trees else FIRST
