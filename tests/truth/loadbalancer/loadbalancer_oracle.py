"""Asks the real load balancer code: many cases to one program, and no answer goes missing when the program dies of one."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

ORACLE = Path(__file__).parent / "oracle"
BATCH_SECONDS = 900
PROCESSES = 2
_FATAL = re.compile(r"F\d{4} \S+ +\d+ [^]]+\] (.*)")

Json = dict[str, Any]


class Case(NamedTuple):
    """One thing to reconcile.

    Attributes:
        config: The cloud.conf; where it says to log in does not matter.
        service: The Service, as Kubernetes has it.
        nodes: The nodes.
        cluster: The CCM's ``--cluster-name``.
        octavia: The newest API version that Octavia offers, such as ``2.27``.
        cloud: What exists, see `loadbalancer_cloud`.
        absent: What the service catalog lacks, such as ``key-manager``.
    """

    config: str
    service: Json
    nodes: tuple[Json, ...]
    cluster: str
    octavia: str
    cloud: Json
    absent: tuple[str, ...] = ()


def case_of(raw: Sequence[Any]) -> Case:
    """A case that went through JSON."""
    config, service, nodes, cluster, octavia, cloud, absent = raw
    return Case(config, service, tuple(nodes), cluster, octavia, cloud, tuple(absent))


class Asked(NamedTuple):
    """One request that the CCM made; ``made`` is the ID of what a POST made."""

    service: str
    method: str
    path: str
    query: str
    body: Json | None
    made: str = ""


class Answer(NamedTuple):
    """What the real code did with one case.

    Attributes:
        outcome: ``ok``, ``error`` (EnsureLoadBalancer returned one), ``config`` (the cloud.conf is refused), ``start``
            (no log-in), ``unsupported`` (Services are not looked at), ``panic``, or ``exit`` (klog.Fatal).
        error: Its words; empty when ok.
        requests: All but those for a token.
        ingress: The Service's status afterwards.
        events: As ``Warning Reason message``.
        annotations: The Service's, afterwards.
        cloud: What exists afterwards, where that was asked for.
    """

    outcome: str
    error: str
    requests: tuple[Asked, ...]
    ingress: tuple[Json, ...]
    events: tuple[str, ...]
    annotations: dict[str, str]
    cloud: Json | None = None

    @property
    def changes(self) -> tuple[Asked, ...]:
        """The requests that change something."""
        return tuple(one for one in self.requests if one.method != "GET")


def ask(program: Path, cases: Sequence[Case], *, keep: bool = False) -> list[Answer]:
    """Let a program reconcile.

    Args:
        program: Built by `reader_build.oracle` from `ORACLE`.
        cases: The cases.
        keep: Whether to return the state afterwards.

    Returns:
        One answer a case, in the same order.

    Raises:
        TimeoutError: A case never ends; the message names it.
    """
    share = max(1, -(-len(cases) // PROCESSES))
    parts = [cases[at : at + share] for at in range(0, len(cases), share)]
    with ThreadPoolExecutor(PROCESSES) as workers:
        return [answer for part in workers.map(lambda part: _ask_one(program, part, keep), parts) for answer in part]


def _ask_one(program: Path, cases: Sequence[Case], keep: bool) -> list[Answer]:
    answers: list[Answer] = []
    while len(answers) < len(cases):
        rest = cases[len(answers) :]
        got, last_words = _run(program, rest, keep)
        answers.extend(got)
        if len(got) < len(rest):
            answers.append(Answer("exit", last_words, (), (), (), {}))
    return answers


def _run(program: Path, cases: Sequence[Case], keep: bool) -> tuple[list[Answer], str]:
    """Answers up to the end of the program, and what it died of."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        requests, replies, errors = home / "requests", home / "replies", home / "errors"
        with requests.open("w", encoding="utf-8") as file:
            for number, case in enumerate(cases):
                file.write(json.dumps(_request(number, case, keep)) + "\n")
        with requests.open("rb") as stdin, replies.open("wb") as stdout, errors.open("wb") as stderr:
            try:
                # no OS_* variables: the oldest releases start from them; what is not active at once is not waited for
                subprocess.run(
                    [str(program)],
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    cwd=home,
                    env={"HOME": folder, "TMPDIR": folder, "OCCM_WAIT_LB_ACTIVE_STEPS": "1"},
                    timeout=BATCH_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                done = sum(1 for _ in replies.open("rb"))
                raise TimeoutError(f"{program.name} does not answer {cases[done]!r}") from None
        with replies.open(encoding="utf-8") as lines:
            got = [_answer(json.loads(line)) for line in lines if line.endswith("\n")]
        words = errors.read_text(encoding="utf-8", errors="replace").splitlines()
    fatal = [found[1] for line in words if (found := _FATAL.match(line))]
    return got, fatal[-1] if fatal else (words[-1] if words else "no words")


def play(program: Path, cases: Sequence[Case], acts: Sequence[Sequence[Any]]) -> list[list[Answer] | None]:
    """Let a program do acts one after another, in one cloud for each case.

    Args:
        program: Built by `reader_build.oracle` from `ORACLE`.
        cases: The configuration and the cloud of each scenario.
        acts: Its acts: kind, Service, nodes and another configuration.

    Returns:
        An answer an act, with what exists afterwards; None where the program died of a scenario.
    """
    lines = [
        {**_request(number, case, True), "acts": [_act(*act) for act in each]}
        for number, (case, each) in enumerate(zip(cases, acts, strict=True))
    ]
    answers: list[list[Answer] | None] = []
    while len(answers) < len(lines):
        done = subprocess.run(
            [str(program)],
            input="".join(json.dumps(line) + "\n" for line in lines[len(answers) :]),
            capture_output=True,
            text=True,
            env={"HOME": "/nonexistent", "OCCM_WAIT_LB_ACTIVE_STEPS": "1"},
            timeout=BATCH_SECONDS,
            check=False,
        )
        got = [json.loads(line) for line in done.stdout.splitlines()]
        answers += [[_answer(step) for step in one["steps"]] for one in got]
        if len(answers) < len(lines):
            answers.append(None)
    return answers


def _act(kind: str, service: Json, nodes: Sequence[Json], config: str) -> Json:
    return {"kind": kind, "service": service, "nodes": nodes, "config": config}


def _request(number: int, case: Case, keep: bool) -> Json:
    return {
        "id": number,
        "config": case.config,
        "service": case.service,
        "nodes": case.nodes,
        "cluster_name": case.cluster,
        "octavia_version": case.octavia,
        "cloud": case.cloud,
        "absent": case.absent,
        "keep": keep,
    }


def _answer(raw: Json) -> Answer:
    return Answer(
        raw["outcome"],
        raw["error"],
        tuple(
            Asked(
                one["service"], one["method"], one["path"], one.get("query", ""), one.get("body"), one.get("made", "")
            )
            for one in raw["requests"]
        ),
        tuple((raw["status"] or {}).get("ingress") or ()),
        tuple(raw["events"] or ()),
        raw["annotations"] or {},
        raw.get("cloud"),
    )
