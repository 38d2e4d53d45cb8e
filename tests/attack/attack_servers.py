"""An API server, Keystone, Octavia and Neutron that answer one of the questions of a command with each kind of hostility."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from api_faults import Fault
from api_server import TOKEN, ApiServer, kubeconfig, serving
from attack_judge import Told, hits, told
from diff_runs import ccm, config
from hostile_answers import CANARY, ELSEWHERE, KINDS, LIMITS
from loopback import Asked
from octavia_project import kubernetes, openstack
from openstack_api import CLOUD_CANARIES, TOKENS, OpenStack, clouds_yaml, serving_cloud

from ccmcheck.cluster.access import limits, transport
from ccmcheck.cluster.octavia import client

_CLUSTER = ("--kubeconfig", "kubeconfig")
_CLOUD = (*_CLUSTER, "--os-cloud", "test")
COMMANDS = tuple(
    tuple(line.split())
    for line in (
        "cluster lint", "cluster lint --format json", "cluster lint -v --format markdown", "cluster diff .", "cluster diff --format json .",
        "cluster fix", "cluster report", "cluster lint --octavia", "cluster lint --octavia --format json", "cluster orphans",
        "cluster orphans --format json", "cluster resync shop/web", "cluster preflight secret.yaml", "cluster preflight --format json secret.yaml",
        "cluster fleet --all-contexts", "cluster fleet --all-contexts --jobs 1 --format json", "lint --os-cloud test secret.yaml",
    )
)  # fmt: skip
_ASKS_OPENSTACK = {"--octavia", "orphans", "resync"}
CANARIES = (CANARY, TOKEN, *CLOUD_CANARIES, "hunter2-is-the-secret")


class Servers(NamedTuple):
    """The stand-ins of one run."""

    kube: ApiServer
    cloud: OpenStack


class Question(NamedTuple):
    """What is asked by a command.

    Attributes:
        command: The command.
        server: `kube` or `cloud`.
        path: The path.
    """

    command: tuple[str, ...]
    server: str
    path: str


@contextmanager
def _serving(folder: Path) -> Iterator[Servers]:
    servers = Servers(kubernetes(), openstack())
    with serving(servers.kube), serving_cloud(servers.cloud):
        kubeconfig(folder, servers.kube)
        clouds_yaml(folder, servers.cloud)
        (folder / "secret.yaml").write_text(config() + "---\n" + ccm())
        yield servers


def _run(folder: Path, command: Sequence[str]) -> Told:
    where = (
        ("--os-cloud", "test")
        if "preflight" in command
        else ()
        if "lint --os-cloud" in " ".join(command)
        else _CLOUD
        if _ASKS_OPENSTACK & {*command}
        else _CLUSTER
    )
    return told(folder, [*command, *where], OS_CLIENT_CONFIG_FILE=str(folder / "clouds.yaml"))


@cache
def questions() -> tuple[Question, ...]:
    """What each command asks servers that answer properly, each path once."""
    import tempfile

    asked: dict[Question, None] = {}
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as name, _serving(Path(name)) as servers:
            run = _run(Path(name), command)
            assert run.code in (0, 1) or "--os-cloud" in command, (command, run.err)
            for server in Servers._fields:
                asked |= {Question(command, server, one.path): None for one in getattr(servers, server).asked}
    assert any(question.path == TOKENS for question in asked)
    return tuple(asked)


def size() -> int:
    """How many there are, with a hundred ways in which chance makes each."""
    return len(questions()) * len(KINDS) * 100


def _made(number: int) -> tuple[Question, str, int]:
    number, question = divmod(number, len(questions()))
    chance, kind = divmod(number, len(KINDS))
    return questions()[question], list(KINDS)[kind], chance


def hostile(proper: Callable[[Asked], Fault], path: str, kind: str, chosen: random.Random) -> Callable[[Asked], Fault]:
    """The same server, which answers one path in another way."""

    def answer(asked: Asked) -> Fault:
        answered = proper(asked)
        return KINDS[kind](answered, chosen) if asked.path == path else answered

    return answer


@contextmanager
def low_limits() -> Iterator[None]:
    """Limits that an answer may pass in a moment."""
    with ExitStack() as patches:
        for name, most in LIMITS.items():
            patches.enter_context(patch.object(limits, name, most))
        of_transport: dict[str, Any] = transport.Transport.__init__.__kwdefaults__  # type: ignore[assignment]
        low = {"seconds": LIMITS["SECONDS"], "most_bytes": LIMITS["MOST_BYTES"]}
        patches.enter_context(patch.dict(of_transport, low))
        patches.enter_context(patch.object(transport, "TRIES", 2))
        patches.enter_context(patch.object(client, "TOKEN_SECONDS", LIMITS["SECONDS"]))
        patches.enter_context(patch.object(client, "MOST_BYTES_OF_TOKEN", LIMITS["MOST_BYTES"]))
        yield


def attack(number: int, folder: Path) -> list[str]:
    """Try one; what is wrong with it."""
    question, kind, chance = _made(number)
    with _serving(folder) as servers, low_limits():
        server = getattr(servers, question.server)
        server.answer = hostile(server.answer, question.path, kind, random.Random(chance))  # noqa: S311 - no secret
        run = _run(folder, question.command)
        asked = [one for of in servers for one in of.asked]
    wrong = list(hits(run, question.command, CANARIES))
    wrong += [f"{one.method} {one.path}" for one in asked if one.method != "GET" and one.path != TOKENS]
    if ELSEWHERE in run.out + run.err:
        wrong.append("the address of a redirect is shown")
    if len(asked) > 400:
        wrong.append(f"{len(asked)} requests")
    # of preflight something else may not have passed, a login that is refused or another question: it counts for more
    said = (1, 2, 3) if not {"preflight", "--os-cloud"}.isdisjoint(question.command) else (2, 3)
    if kind in MUST_BE_SAID and run.code not in said:
        wrong.append(f"exit code {run.code}: nothing is said of an answer that is none")
    return wrong


MUST_BE_SAID = frozenset(
    {
        "moved", "found, with a token", "moved to a file", "unauthorized", "teapot", "failed", "bad gateway", "a status of two digits",
        "no HTTP", "closed at once", "cut in the body", "a slow body", "slow headers", "compressed", "a page called JSON", "nothing",
        "JSON that ends early", "a list", "a hundred thousand levels", "too large", "too many values",
    }
)  # fmt: skip
"""Kinds that are never a proper answer: a run that got one is not complete."""


def described(number: int) -> str:
    """What it is."""
    question, kind, chance = _made(number)
    return f"{' '.join(question.command)}: {question.server} {question.path}: {kind}, {chance}"
