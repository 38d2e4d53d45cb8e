"""Every fault of an API server: a clear message, a partial result, and nothing of what it sent."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import DRIPPING, Fault, cut, status
from api_server import CONF, TOKEN, ApiServer, cluster, kubeconfig, serving
from cluster_runs import Done, failures, lint, run
from forgotten_secrets import forgotten_secrets  # noqa: F401 - a fixture

from ccmcheck.cluster.access import transport
from ccmcheck.cluster.access.client import ClusterConnection, open_cluster
from ccmcheck.cluster.access.errors import Refused, Unintelligible, Unreachable
from ccmcheck.cluster.access.kubeconfig import Access
from ccmcheck.cluster.access.transport import HTTPAnswer, Transport, items

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CANARY = "c4nary-of-a-password-7d2e"
USERINFO = "somebody:us3rinfo-9b1c@"
CANARIES = (CANARY, "us3rinfo-9b1c", TOKEN, "hunter2")
IDENTITY = "/api/v1/namespaces/kube-system"
SECRET = "/api/v1/namespaces/kube-system/secrets/cloud-config"
SERVICES = "/api/v1/services"
DAEMONSETS = "/apis/apps/v1/namespaces/kube-system/daemonsets"


def no_http(handler: Any) -> None:
    """Answer with something that is no HTTP."""
    handler.wfile.write(f"{CANARY}\r\n\r\n".encode())
    handler.wfile.flush()


MESSAGE = f'Secret in version "v1" cannot be handled: illegal base64 data at input byte 7: {CANARY}'
CUT = cut(f'{{"items": [{{"x": "{CANARY}"'.encode())
HTML = f"<html><body>Please log in as {CANARY}</body></html>".encode()
FAULTS = {
    "unauthorized": (status(401, MESSAGE), "HTTP 401: the credentials are not accepted: they are expired or revoked"),
    "forbidden": (status(403, MESSAGE, details=CANARY), "HTTP 403: the credentials do not allow it"),
    "not found": (status(404, MESSAGE), "HTTP 404: there is none"),
    "conflict": (status(409, MESSAGE), "HTTP 409: the object was changed meanwhile"),
    "gone": (status(410, MESSAGE), "HTTP 410: the list is too old to be continued"),
    "invalid": (status(422, MESSAGE), "HTTP 422: the API server calls the request invalid"),
    "too many": (status(429, MESSAGE), "HTTP 429: the API server asks to wait, again and again"),
    "failed": (status(500, MESSAGE), "HTTP 500: the API server failed"),
    "teapot": (status(418, MESSAGE), "HTTP 418: the request failed"),
    "redirect": (
        Fault(302, headers=(("Location", f"https://login.example.org/?token={CANARY}"),)),
        "HTTP 302: the answer is a redirect, which is not followed",
    ),
    "cut": (CUT, "the connection to the API server failed or was cut"),
    "no http": (Fault(write=no_http), "the connection to the API server failed or was cut"),
    "html": (
        Fault(200, HTML, "text/html"),
        "the answer is not JSON; is there a proxy or a login page in front of the API server?",
    ),
    "html called json": (Fault(200, HTML), "the answer is not a JSON object"),
    "broken json": (Fault(200, f'{{"data": "{CANARY}'.encode()), "the answer is not a JSON object"),
    "deep json": (Fault(200, b'{"a":' + b"[" * 100_000), "the answer is not a JSON object"),
    "a list": (Fault(200, f'["{CANARY}"]'.encode()), "the answer is not a JSON object"),
}


def hides(done: Done) -> None:
    """Hold that no output has a canary or a traceback."""
    assert [canary for canary in CANARIES if canary in done.said] == []
    assert "Traceback" not in done.said
    assert "internal error" not in done.said


@pytest.mark.part(of=2)
@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("path", [SECRET, SERVICES, DAEMONSETS, "/version"])
def test_a_fault_is_a_failure_that_names_what_was_asked_for(name: str, path: str, tmp_path: Path) -> None:
    fault, message = FAULTS[name]
    server = cluster()
    server.fail(path, fault)
    done = lint(tmp_path, server, "--format", "json", userinfo=USERINFO)
    hides(done)
    assert done.code == 3
    titles = {
        SECRET: "Secret kube-system/cloud-config",
        SERVICES: "Services of all namespaces",
        DAEMONSETS: "DaemonSets of namespace kube-system",
        "/version": "Kubernetes version",
    }
    assert failures(done) == {titles[path]: message}


@pytest.mark.parametrize("name", sorted(set(FAULTS) - {"forbidden", "not found"}))
def test_a_fault_of_the_first_request_ends_the_run(name: str, tmp_path: Path) -> None:
    fault, message = FAULTS[name]
    server = cluster()
    server.fail(IDENTITY, fault)
    done = lint(tmp_path, server, userinfo=USERINFO)
    hides(done)
    assert done.code == 3
    assert f"error: context test, http://127.0.0.1:{server.port}: {message}\n" in done.err
    assert len({asked.path for asked in server.asked}) == 1


def test_missing_rights_are_named_and_the_rest_is_judged(tmp_path: Path) -> None:
    server = cluster()
    server.fail(IDENTITY, status(403, MESSAGE))
    server.fail("/api/v1/nodes", status(403, MESSAGE))
    done = lint(tmp_path, server)
    hides(done)
    assert done.code == 3
    assert "kube-system of unknown UID" in done.out
    assert "Namespace kube-system  could not be read\n   HTTP 403: the credentials do not allow it\n" in done.out
    assert "`ccmcheck cluster rbac` prints the roles that are needed." in done.out
    assert "duration-bad" in done.out


def test_what_passes_is_tried_again(tmp_path: Path) -> None:
    server = cluster()
    server.fail(SERVICES, status(500), status(429), CUT, server.answer_of(SERVICES))
    done = lint(tmp_path, server, "--format", "json")
    assert done.code == 1
    assert failures(done) == {}
    assert [asked.path for asked in server.asked].count(SERVICES) == 4


def test_nobody_listens(tmp_path: Path) -> None:
    server = cluster()
    with serving(server):
        pass
    done = run(tmp_path, "lint", "--kubeconfig", str(kubeconfig(tmp_path, server, userinfo=USERINFO)))
    hides(done)
    assert done.code == 3
    assert "there is no connection to the API server: nobody answers there" in done.err


class Scripted:
    """A connection that gives prepared answers."""

    server = "https://api"

    def __init__(self, *answers: HTTPAnswer | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, str]] = []

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
        assert path
        assert seconds > 0
        assert most_bytes > 0
        self.asked.append(dict(query))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def ok(body: bytes) -> HTTPAnswer:
    return HTTPAnswer(200, "application/json", None, body)


def page(names: str, token: str = "") -> HTTPAnswer:
    objects = ", ".join(f'{{"metadata": {{"name": "{name}"}}}}' for name in names)
    return ok(f'{{"kind": "NodeList", "metadata": {{"continue": "{token}"}}, "items": [{objects}]}}'.encode())


def names(connection: Scripted) -> str:
    return "".join(item["metadata"]["name"] for item in items(Transport(connection), "/x"))


def test_pauses_grow_and_have_a_random_part() -> None:
    pauses: list[float] = []
    failing = [HTTPAnswer(503, "", None, b"")] * 3
    Transport(Scripted(*failing, ok(b"{}")), sleep=pauses.append).get("/x")
    assert len(pauses) == 3
    for pause, most in zip(pauses, (0.5, 1.0, 2.0), strict=True):
        assert most / 2 <= pause <= most


def test_retry_after_is_followed_up_to_a_limit() -> None:
    pauses: list[float] = []
    Transport(Scripted(HTTPAnswer(429, "", 7.0, b""), ok(b"{}")), sleep=pauses.append).get("/x")
    assert pauses == [7.0]
    with pytest.raises(Refused):
        Transport(Scripted(HTTPAnswer(429, "", 3600.0, b"")), sleep=pauses.append).get("/x")
    assert pauses == [7.0]


def test_the_last_try_gives_up() -> None:
    connection = Scripted(*[Unreachable("cut")] * transport.TRIES, ok(b"{}"))
    with pytest.raises(Unreachable):
        Transport(connection, sleep=lambda _: None).get("/x")
    assert len(connection.answers) == 1


def test_a_list_goes_on_by_the_token_of_a_410() -> None:
    gone = HTTPAnswer(410, "application/json", None, b'{"metadata": {"continue": "fresh"}}')
    connection = Scripted(page("ab", "old"), gone, page("cd", ""))
    assert names(connection) == "abcd"
    assert [asked.get("continue") for asked in connection.asked] == [None, "old", "fresh"]


def test_a_410_without_a_token_ends_the_list() -> None:
    with pytest.raises(Refused) as caught:
        names(Scripted(page("ab", "old"), HTTPAnswer(410, "application/json", None, b"{}")))
    assert caught.value.status == 410


@pytest.mark.parametrize("tokens", [("a", "a", "a"), ("a", "b", "a", "b")])
def test_a_list_that_goes_in_circles_ends(tokens: tuple[str, ...]) -> None:
    connection = Scripted(*(page("x", token) for token in tokens))
    with pytest.raises(Unintelligible, match="does not end"):
        names(connection)


def test_a_list_that_never_ends_is_a_partial_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.cluster.access.limits.MOST_PAGES", 5)
    server = cluster()
    one = '{"metadata": {"name": "a"}, "spec": {"type": "ClusterIP"}}'
    endless = (f'{{"metadata": {{"continue": "{number}"}}, "items": [{one}]}}' for number in range(9))
    server.fail(SERVICES, *(Fault(body=body.encode()) for body in endless))
    done = lint(tmp_path, server, "--format", "json")
    assert done.code == 3
    assert failures(done) == {"Services of all namespaces": "the list does not end; the objects up to here are judged"}


@pytest.mark.parametrize("body", [b'{"items": {"a": 1}}', b'{"items": "x"}'])
def test_a_list_that_is_none_is_refused(body: bytes) -> None:
    with pytest.raises(Unintelligible):
        names(Scripted(ok(body)))


@pytest.mark.parametrize("body", [b'{"items": null}', b"{}", b'{"items": [1, null, "x"]}'])
def test_an_empty_list_has_no_objects(body: bytes) -> None:
    assert names(Scripted(ok(body))) == ""


def flood(handler: Any) -> None:
    """Send more than anybody reads."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    for _ in range(1000):
        handler.wfile.write(b" " * 10_000)


def _open(folder: Path, server: ApiServer) -> Any:
    return open_cluster(Access(kubeconfig=str(kubeconfig(folder, server)))).connection


@pytest.mark.parametrize("part", DRIPPING)
def test_a_slow_answer_is_given_up(tmp_path: Path, part: str) -> None:
    server = cluster()
    server.fail("/version", DRIPPING[part])
    with serving(server):
        connection = _open(tmp_path, server)
        with pytest.raises(Unreachable, match="did not answer in time"):
            connection.get("/version", {}, seconds=0.4, most_bytes=1000)
        connection.close()


def test_a_body_without_an_end_is_given_up(tmp_path: Path) -> None:
    server = cluster()
    server.fail("/version", Fault(write=flood))
    with serving(server):
        connection = _open(tmp_path, server)
        with pytest.raises(Unintelligible, match="larger than 1 MiB"):
            connection.get("/version", {}, seconds=10, most_bytes=1024 * 1024)
        connection.close()


def test_the_connection_has_no_way_to_change_anything() -> None:
    public = {name for name in vars(ClusterConnection) if not name.startswith("_")}
    assert public == {"server", "get", "close"}


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (1_700_000_000, "the token expired at 2023-11-14T22:13:20Z"),
        (4_000_000_000, "they are expired or revoked"),
    ],
)
@pytest.mark.parametrize("command", ["lint", "fix", "diff"])
def test_an_expired_token_is_named_as_such(command: str, end: int, words: str, tmp_path: Path) -> None:
    claims = base64.urlsafe_b64encode(json.dumps({"exp": end, "sub": CANARY}).encode()).decode().rstrip("=")
    (tmp_path / "git").mkdir()
    (tmp_path / "git" / "cloud.conf").write_text(CONF)
    with serving(cluster()) as server:
        config = kubeconfig(tmp_path, server, token=f"eyJhbGciOiJub25lIn0.{claims}.c2ln")
        paths = ["git"] if command == "diff" else []
        done = run(tmp_path, command, "--kubeconfig", str(config), *paths)
    assert done.code == 3
    server_url = f"context test, http://127.0.0.1:{server.port}"
    assert f"{server_url}: HTTP 401: the credentials are not accepted: {words}" in done.err
    assert "Log in again" in done.err
    hides(done)
    assert claims not in done.said
