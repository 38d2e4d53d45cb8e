"""Everything that can go wrong between `cluster lint` and a real API server, each with what it says then."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NamedTuple

import kube_objects as objects
import kube_workload
from kube_build import CCM
from kube_checks import Checks
from kube_nodes import MERGE
from kube_processes import free_port
from kube_recorder import Recorder, Upstream, recording
from kube_server import Running, running
from recordings import CANARY, KUBE
from replay import TOKEN, kubeconfig

Json = dict[str, Any]
Fault = Callable[[BaseHTTPRequestHandler], None]

SECRET = "hunter2-in-the-answer"
"""In each answer; no output may have it."""
SERVICES = "/api/v1/services"
IDENTITY = "/api/v1/namespaces/kube-system"
_WORKLOADS = "/apis/apps/v1/namespaces/kube-system/daemonsets"
_HOLDER = f"{IDENTITY}/secrets/cloud-config"
_FINDINGS, _USE, _PARTIAL = 1, 2, 3
_SECONDS = 150


def answer(status: int, text: str, content_type: str = "application/json", **headers: str) -> Fault:
    """An answer by hand."""

    def write(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", content_type)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(text)))
        handler.end_headers()
        handler.wfile.write(text.encode())

    return write


def said(status: int, **headers: str) -> Fault:
    """An error as Kubernetes words it."""
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": status, "message": f"no: {SECRET}"}
    return answer(status, json.dumps(body), **headers)


def cut(handler: BaseHTTPRequestHandler) -> None:
    """The connection ends in the middle of the body."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    handler.wfile.write(f'{{"items": ["{SECRET}'.encode())


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """The connection ends before any answer."""
    handler.connection.close()


def slow(handler: BaseHTTPRequestHandler) -> None:
    """A byte a second, for longer than anybody waits."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    with suppress(OSError):
        for _ in range(60):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(1)


def endless(handler: BaseHTTPRequestHandler) -> None:
    """A page that is always continued by itself."""
    page = {"kind": "ServiceList", "apiVersion": "v1", "metadata": {"continue": "again"}, "items": []}
    answer(200, json.dumps(page))(handler)


class Case(NamedTuple):
    """A fault.

    Attributes:
        name: For the output.
        words: What is said, among other things.
        faults: Answers by their paths.
        code: The exit code.
        token: The user's.
        arguments: Further ones.
        prepare: A change of the cluster before.
    """

    name: str
    words: str
    faults: dict[str, Fault] = {}  # noqa: RUF012 - never changed
    code: int = _PARTIAL
    token: str = TOKEN
    arguments: tuple[str, ...] = ()
    prepare: Callable[[Running], None] = lambda _: None


_LOGIN = answer(200, f"<html><form action=/login>{SECRET}</form></html>", "text/html")
_BIG = answer(200, json.dumps({"items": [], "filler": SECRET * 3_400_000}))


def _second_ccm(server: Running) -> None:
    body = kube_workload.daemonset("v1.31.2", "prod")
    body["metadata"]["name"] += "-2"
    server.request("POST", _WORKLOADS, body)


def _without_config(server: Running) -> None:
    args = {"spec": {"template": {"spec": {"containers": [{"name": CCM, "args": ["--v=1"]}]}}}}
    path = f"{_WORKLOADS}/{CCM}-2"
    server.request("PATCH", path, args, "application/strategic-merge-patch+json")


def _without_key(server: Running) -> None:
    server.request("DELETE", f"{_WORKLOADS}/{CCM}-2")
    server.request("PATCH", _HOLDER, {"data": {"cloud.conf": None, "cloud.cnf": "eA=="}}, MERGE)


def _without_secret(server: Running) -> None:
    server.request("DELETE", _HOLDER)


def _without_ccm(server: Running) -> None:
    server.request("DELETE", f"{_WORKLOADS}/{CCM}")


CASES = (
    Case("401, a token that nobody has", "HTTP 401", token=f"{CANARY}token-of-nobody"),
    Case("403, a user without rights", "HTTP 403", token=f"{CANARY}token-of-the-reader"),
    Case("403 of one list", "HTTP 403", {SERVICES: said(403)}),
    Case("404, a list that is not served", "HTTP 404", {SERVICES: said(404)}),
    Case("409", "HTTP 409", {SERVICES: said(409)}),
    Case("410 without a token to go on", "HTTP 410", {SERVICES: said(410)}),
    Case("422", "HTTP 422", {SERVICES: said(422)}),
    Case("429 with Retry-After: 1", "HTTP 429", {SERVICES: said(429, Retry_After="1")}),
    Case("429 with Retry-After: 3600", "HTTP 429", {SERVICES: said(429, Retry_After="3600")}),
    Case("500", "HTTP 500", {SERVICES: said(500)}),
    Case("503 of everything", "HTTP 503", {IDENTITY: said(503)}),
    Case("a connection that is cut before an answer", "was cut", {SERVICES: hang_up}),
    Case("a connection that is cut in the body", "was cut", {SERVICES: cut}),
    Case("a slow body", "did not answer in time", {SERVICES: slow}),
    Case("a wrong content type", "not JSON", {SERVICES: answer(200, f'{{"items": ["{SECRET}"]}}', "text/plain")}),
    Case("a proxy's HTML page", "a proxy or a login page", {SERVICES: _LOGIN}),
    Case("a proxy's HTML page for everything", "a proxy or a login page", {IDENTITY: _LOGIN}),
    Case("no JSON", "not a JSON object", {SERVICES: answer(200, f'{{"items": {SECRET}')}),
    Case("JSON that is no list", "not a list", {SERVICES: answer(200, f'{{"items": "{SECRET}"}}')}),
    Case("an answer of 70 MB", "larger than", {SERVICES: _BIG}),
    Case("a list that never ends", "does not end", {SERVICES: endless}),
    Case("a redirection", "HTTP 302", {SERVICES: answer(302, SECRET, Location=f"https://example.org/{SECRET}")}),
    Case("no such context", "there is no context", code=_USE, arguments=("--context", "prod")),
    Case("no kubeconfig", "there is no kubeconfig", code=_USE, arguments=("--kubeconfig", "none")),
    Case("not in a pod", "not a pod", code=_PARTIAL, arguments=("--in-cluster",)),
    Case("two CCMs", "ccm-not-alone", prepare=_second_ccm, code=_FINDINGS),
    Case("a CCM without a configuration", "--cloud-config", prepare=_without_config),
    Case("a Secret without the key", "has no key cloud.conf", prepare=_without_key),
    Case("no Secret", "HTTP 404", prepare=_without_secret),
    Case("no CCM", "no CCM runs in kube-system", prepare=_without_ccm),
)


def check_faults(checks: Checks, folder: Path) -> None:
    """Run all cases in a cluster of their own.

    Raises:
        NotAvailableError: It cannot be had here.
    """
    (folder / "server").mkdir()
    with running(folder / "server") as server:
        for path, body, manager in objects.STAGE:
            server.request("POST", f"{path}?fieldManager={manager}", body)
        with _proxy(server) as recorder:
            for case in CASES:
                case.prepare(server)
                recorder.faults = dict(case.faults)
                _check(checks, case, _run(folder, kubeconfig(recorder.urls[KUBE], case.token), *case.arguments))
        _tokens(checks, folder, server)
        _connections(checks, folder, server)


def _tokens(checks: Checks, folder: Path, server: Running) -> None:
    """A token that the API server itself has signed, and that has expired since."""
    accounts = "/api/v1/namespaces/kube-system/serviceaccounts"
    server.request("POST", accounts, {"metadata": {"name": "nightly"}})
    path = f"{accounts}/nightly/token"
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 600}}
    token = server.request("POST", path, request)["status"]["token"]
    config = json.loads(kubeconfig(f"https://127.0.0.1:{server.port}", token))
    config["clusters"][0]["cluster"]["certificate-authority"] = str(server.authority)
    _check(checks, Case("a token that is valid", "HTTP 403"), _run(folder, json.dumps(config)))
    config["users"][0]["user"]["token"] = _older(server, token, hours=0)
    _check(checks, Case("the same token, signed again", "HTTP 403"), _run(folder, json.dumps(config)))
    config["users"][0]["user"]["token"] = _older(server, token, hours=1)
    expired = Case(
        "the same token an hour later", "HTTP 401: the credentials are not accepted: the token expired at 20"
    )
    _check(checks, expired, _run(folder, json.dumps(config)))


def _older(server: Running, token: str, hours: int) -> str:
    """A service account's token as it would be if it had been issued so much earlier, signed with the same key."""
    head, body, _ = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    claims |= {name: claims[name] - 3600 * hours for name in ("exp", "iat", "nbf")}
    signed = f"{head}.{_encoded(json.dumps(claims).encode())}"
    key = server.folder / "service-accounts.key"
    command = ["openssl", "dgst", "-sha256", "-sign", str(key)]
    return (
        f"{signed}.{_encoded(subprocess.run(command, input=signed.encode(), capture_output=True, check=True).stdout)}"
    )


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _connections(checks: Checks, folder: Path, server: Running) -> None:
    """What fails before there is any answer."""
    nobody = Case("nobody listens", "nobody answers there")
    _check(checks, nobody, _run(folder, kubeconfig(f"http://127.0.0.1:{free_port()}")))
    stranger = Case("a certificate of an unknown authority", "certificate of the API server is not accepted")
    _check(checks, stranger, _run(folder, kubeconfig(f"https://127.0.0.1:{server.port}")))
    config = json.loads(kubeconfig(f"https://127.0.0.1:{server.port}"))
    script = folder / "login"
    script.write_text(f"#!/bin/sh\necho {SECRET} >&2\nexit 1\n")
    script.chmod(0o755)
    plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(script), "interactiveMode": "Never"}
    config["users"][0]["user"] = {"exec": plugin}
    expired = Case("an exec plug-in that fails", "the exec plug-in of context admin gave no credentials")
    _check(checks, expired, _run(folder, json.dumps(config)))


@contextmanager
def _proxy(server: Running) -> Iterator[Recorder]:
    tokens = {server.tokens["admin"]: TOKEN, server.tokens["reader"]: f"{CANARY}token-of-the-reader"}
    kube = Upstream(f"https://127.0.0.1:{server.port}", server.authority)
    with recording({KUBE: kube}, tokens) as recorder:
        yield recorder


def _run(folder: Path, config: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "kubeconfig").write_text(config)
    access = [] if {"--kubeconfig", "--in-cluster"} & set(arguments) else ["--kubeconfig", "kubeconfig"]
    command = [sys.executable, "-m", "ccmcheck", "cluster", "lint", *access, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd=folder)


def _check(checks: Checks, case: Case, done: subprocess.CompletedProcess[str]) -> None:
    both = done.stdout + done.stderr
    lines = [line.strip() for line in both.splitlines() if case.words in line]
    print(f"  {case.name}: {lines[0] if lines else both.strip()[-300:]}", flush=True)
    checks.hold(f"{case.name}: exit code {case.code}", done.returncode == case.code, f"{done.returncode}: {both}")
    checks.hold(f"{case.name}: {case.words}", bool(lines), both)
    is_clean = SECRET not in both and CANARY not in both and "Traceback" not in both
    checks.hold(f"{case.name}: no secret and no traceback", is_clean, "a secret" if SECRET in both else both)
    if case.faults and case.code == _PARTIAL and IDENTITY not in case.faults:
        checks.hold(
            f"{case.name}: the rest is judged", "This is a partial result" in both and "duration-bad" in both, both
        )


def main() -> int:
    """Run these checks alone; the exit code."""
    import tempfile

    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        check_faults(checks, Path(folder))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
