"""Answers requests from a recording, and runs the recording's commands."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import parse_qsl, urlencode, urlsplit

from cluster_runs import Done, run_waiting
from led_traffic import Answer, led_to, standing_in
from loopback import send, serving_port
from recordings import CANARY, CLOUD, KUBE, Exchange, Recording, filled, later, said, times, volatile
from skipped_waits import skipped_waits

from ccmcheck.cli import cluster_conformance
from ccmcheck.cluster.conformance import session
from ccmcheck.cluster.conformance.steps import traffic

RUN_ID = "c0ffee00"
"""Of every recorded run of conformance."""
TOKEN = f"{CANARY}token-of-the-user"


class Replayed(NamedTuple):
    """How it went.

    Attributes:
        printed: What the commands printed, as in the recording's file.
        unexpected: Requests that the recording does not have, or not so.
        missing: Changes of the recording that nobody asked for.
    """

    printed: str
    unexpected: list[str]
    missing: list[str]


class _Answers:
    """The recorded answers of one server; the last answer to a request stays, as that of a list that is read again.

    Attributes:
        urls: Those of all servers, which bodies may have; filled before the first request.
        times: What stands for the times that commands have sent, such as that of a restart.
    """

    def __init__(self, server: str, recording: Recording, urls: dict[str, str]) -> None:
        self.urls = urls
        self.times: dict[str, str] = {}
        self.waiting: dict[tuple[str, str, str], list[Exchange]] = {}
        self.unexpected: list[str] = []
        self.asked: set[tuple[str, str, str]] = set()
        self.age = time.time() - recording.time
        self._lock = threading.Lock()
        for one in recording.exchanges:
            if one.server == server:
                self.waiting.setdefault((one.method, one.path, one.query), []).append(one)

    def answer(self, method: str, target: str, raw: bytes) -> Exchange:
        """The answer to a request."""
        path, query = parts_of(target)
        with self._lock:
            self.asked.add((method, path, query))
            waiting = self.waiting.get((method, path, query), [])
            if not waiting:
                if method == "GET" and _is_optional(path):
                    return Exchange("", method, path, query, None, 403, {}, {"kind": "Status", "code": 403})
                self.unexpected.append(f"{method} {path}?{query}")
                return Exchange("", method, path, query, None, 404, {}, {"kind": "Status", "code": 404})
            found = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            sent, recorded = json_of(raw), filled(found.sent, self.urls)
            if comparable(recorded) == comparable(sent):
                self.times.update(zip(times(recorded), times(sent), strict=True))
            elif not _is_log_in(path):
                self.unexpected.append(f"{method} {path}: sent {sent}, recorded {found.sent}")
            return found


class _Traffic:
    """The recorded answers to requests to load balancers; the last one of an address stays."""

    def __init__(self, recording: Recording) -> None:
        self._waiting: dict[tuple[str, str, int], list[str]] = {}
        for one in recording.traffic:
            self._waiting.setdefault((one.protocol, one.address, one.port), []).extend([one.answer] * one.times)

    def answer(self, protocol: str, address: str, port: int) -> str:
        """What became of a request."""
        waiting = self._waiting.get((protocol, address, port), [""])
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]


@contextmanager
def led(answer: Answer, pause: float) -> Iterator[None]:
    """Run commands with this instead of load balancers, until the block ends.

    Args:
        answer: What is at their addresses.
        pause: Seconds between two looks at something that conformance waits for.
    """
    with (
        standing_in(answer) as port,
        led_to(port),
        patch.object(session, "POLL_SECONDS", pause),
        patch.object(traffic, "FIRST_PAUSE", pause),
        patch.object(cluster_conformance, "_new_id", lambda: RUN_ID),
    ):
        yield


def replay(recording: Recording, folder: Path) -> Replayed:
    """Run the commands of a recording in an empty folder."""
    with ExitStack() as servers:
        urls: dict[str, str] = {}
        answers = {server: _Answers(server, recording, urls) for server in (KUBE, CLOUD)}
        for server, its_answers in answers.items():
            urls[server] = servers.enter_context(_serving(its_answers))
        for path, text in filled(recording.files, urls).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        with led(_Traffic(recording).answer, 0.01), skipped_waits():
            results = [run_in(folder, command) for command in recording.commands]
    unexpected = [one for server in answers.values() for one in server.unexpected]
    missing = [
        " ".join(key)
        for server in answers.values()
        for key in server.waiting
        if key[0] != "GET" and key not in server.asked
    ]
    return Replayed(said(recording.commands, results), unexpected, missing)


def run_in(folder: Path, command: Sequence[str]) -> Done:
    """Run a command in a folder, with its clouds.yaml: openstacksdk remembers the folder that it was imported in."""
    return run_waiting(folder, *command, OS_CLIENT_CONFIG_FILE=str(folder / "clouds.yaml"), COLUMNS="120")


@contextmanager
def _serving(answers: _Answers) -> Iterator[str]:
    """A server on a free port until the block ends; its URL."""

    def respond(handler: BaseHTTPRequestHandler, raw: bytes) -> None:
        answer = answers.answer(handler.command, handler.path, raw)
        body = later(filled(answer.body, answers.urls), answers.age, answers.times)
        send(handler, answer.status, body, answer.headers.items())

    with serving_port(respond) as port:
        yield f"http://127.0.0.1:{port}"


def parts_of(target: str) -> tuple[str, str]:
    """The path and the sorted query of a request."""
    parts = urlsplit(target)
    return parts.path, urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))


def json_of(raw: bytes) -> Any:
    """A body as JSON, else as text; None for none."""
    if not raw:
        return None
    try:
        return json.loads(raw)
    except ValueError:
        return raw.decode("utf-8", "replace")


def comparable(value: Any) -> Any:
    """A body that was sent, as it can be compared."""
    return json.loads(volatile(json.dumps(value, sort_keys=True)))


def kubeconfig(url: str, token: str = TOKEN) -> str:
    """A kubeconfig for a server."""
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "admin",
            "clusters": [{"name": "kube", "cluster": {"server": url}}],
            "users": [{"name": "admin", "user": {"token": token}}],
            "contexts": [{"name": "admin", "context": {"cluster": "kube", "user": "admin"}}],
        }
    )


def _is_optional(path: str) -> bool:
    """Whether a command asks for something without which it goes on; the recorded user had no right to it."""
    return path.endswith(("/log", "/events")) or any(
        part in path
        for part in (
            "/leases/",
            "/clusterrolebindings",
            "/apis/apps/v1/daemonsets",
            "/apis/apps/v1/deployments",
            "/statefulsets",
            "/endpointslices",
        )
    )


def _is_log_in(path: str) -> bool:
    return path.endswith("/auth/tokens")
