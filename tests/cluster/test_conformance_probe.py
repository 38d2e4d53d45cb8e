"""One request: what becomes of it is named, and none takes longer than its limit. Delays beside what is predicted."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from ccmcheck.cluster.conformance.delays import compare
from ccmcheck.cluster.conformance.echo import FIRST_LINE, Echo, parse
from ccmcheck.cluster.conformance.records import Reply, RequestProblem
from ccmcheck.cluster.conformance.stage import ProbeTarget, ask
from ccmcheck.predict.records import Answer, Outcome, Prediction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANSWER = f"{FIRST_LINE}\npod=echo-1\nclient=10.0.0.4\n".encode()


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that treats each connection so."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    try:
                        serve(connection)
                    except OSError:
                        continue

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def http(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    return "\r\n".join((f"HTTP/1.1 {status}", *headers, "", "")).encode() + body


def sends(*pieces: bytes, pause: float = 0.0, hold: float = 0.0) -> Callable[[socket.socket], None]:
    def serve(connection: socket.socket) -> None:
        connection.recv(4096)
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        time.sleep(hold)

    return serve


SERVERS: dict[str, tuple[Callable[[socket.socket], None], Reply]] = {
    "answered": (sends(http(ANSWER)), Reply(0, None, "echo-1", "10.0.0.4")),
    "in pieces": (sends(http(ANSWER)[:30], http(ANSWER)[30:], pause=0.05), Reply(0, None, "echo-1", "10.0.0.4")),
    "kept open": (
        sends(http(ANSWER, "200 OK", f"Content-Length: {len(ANSWER)}"), hold=5),
        Reply(0, None, "echo-1", "10.0.0.4"),
    ),
    "forwarded": (sends(http(ANSWER + b"forwarded=9.9.9.9\n")), Reply(0, None, "echo-1", "10.0.0.4", "9.9.9.9")),
    "an error page": (sends(http(b"<html>", "503 Busy")), Reply(0, RequestProblem.STRANGER, status=503)),
    "another page": (sends(http(b"<html>")), Reply(0, RequestProblem.STRANGER, status=200)),
    "an error with the right body": (sends(http(ANSWER, "500 No")), Reply(0, RequestProblem.STRANGER, status=500)),
    "no http": (sends(b"SSH-2.0-x\r\n"), Reply(0, RequestProblem.STRANGER)),
    "closed": (lambda connection: connection.close(), Reply(0, RequestProblem.CLOSED)),
    "silent": (lambda _connection: time.sleep(2), Reply(0, RequestProblem.WAITING)),
    "endless": (sends(*[b"x" * 9999] * 999), Reply(0, RequestProblem.STRANGER)),
}


@pytest.mark.parametrize("name", SERVERS)
def test_what_becomes_of_a_request(name: str) -> None:
    serve, expected = SERVERS[name]
    with listening(serve) as port:
        reply = ask(ProbeTarget("127.0.0.1", port), 0.4)
    assert reply._replace(seconds=0) == expected


def test_a_slow_answer_is_given_up_at_the_limit_for_all_of_it() -> None:
    with listening(sends(*[b"x"] * 50, pause=0.1)) as port:
        reply = ask(ProbeTarget("127.0.0.1", port), 0.5)
    assert reply.problem is RequestProblem.WAITING


def test_a_port_that_nobody_listens_at() -> None:
    with listening(sends()) as port:
        pass
    assert ask(ProbeTarget("127.0.0.1", port), 0.5).problem is RequestProblem.REFUSED
    assert ask(ProbeTarget("127.0.0.1", port, udp=True), 0.5).problem is RequestProblem.REFUSED


def test_a_host_that_nobody_knows() -> None:
    assert ask(ProbeTarget("no-such-host.invalid", 80), 0.5).problem is RequestProblem.UNREACHABLE
    assert ask(ProbeTarget("no-such-host.invalid", 80, udp=True), 0.5).problem is RequestProblem.UNREACHABLE


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with listening(sends(http(ANSWER))) as port:
        assert ask(ProbeTarget("127.0.0.1", port), 0.5).problem is None


def test_a_lost_datagram_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.cluster.conformance.stage._DATAGRAM_PAUSE", 0.1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def serve() -> None:
            server.recvfrom(99)
            _, client = server.recvfrom(99)
            server.sendto(ANSWER, client)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        reply = ask(ProbeTarget("127.0.0.1", server.getsockname()[1], udp=True), 2)
        thread.join()
    assert reply.pod == "echo-1"
    assert reply.seconds >= 0.1


def test_a_datagram_that_nobody_answers() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        reply = ask(ProbeTarget("127.0.0.1", server.getsockname()[1], udp=True), 0.2)
    assert reply.problem is RequestProblem.SILENT


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ANSWER, Echo("echo-1", "10.0.0.4")),
        (ANSWER + b"proxy=1.2.3.4\nx=y=z\nother\n", Echo("echo-1", "10.0.0.4", "", "1.2.3.4")),
        (b"", None),
        (b"pod=echo-1\n", None),
        (f"{FIRST_LINE}\nclient=1\n".encode(), None),
        (f"{FIRST_LINE}\npod=\n".encode(), None),
        (b"\xff\xfe\x00" * 3000, None),
    ],
)
def test_what_an_answer_says(body: bytes, expected: Echo | None) -> None:
    assert parse(body) == expected


def predicted(**numbers: Any) -> Prediction:
    good = None if "good" not in numbers else numbers.pop("good")
    answer = Answer("traffic-local", good, "words of the prediction", numbers=numbers)
    return Prediction("a/b", "v1.31.2", Outcome.ACCEPTED, answers=(answer,))


def replies(at_once: int, late: int = 0, lost: int = 0) -> list[Reply]:
    quick, slow = Reply(0.01, None, "p"), Reply(5.1, None, "p")
    return [*[quick] * at_once, *[slow] * late, *[Reply(2.0, RequestProblem.WAITING)] * lost]


THIRD = {
    "at_once": [0.25, 0.3333],
    "waiting": [0.6, 0.7],
    "closed": [0, 0.08],
    "waits": [5, 15],
    "closed_after": 20,
    "by_client": False,
    "by_load": False,
}


@pytest.mark.parametrize(
    ("prediction", "measured", "agrees"),
    [
        (predicted(good=True), replies(50), True),
        (predicted(good=True), replies(49, lost=1), False),
        (predicted(good=False, first_connections=THIRD), replies(16, lost=34), True),
        (predicted(good=False, first_connections=THIRD), replies(0, lost=50), False),
        (predicted(good=False, first_connections=THIRD), replies(50), False),
        (predicted(good=False, first_connections={**THIRD, "by_client": True}), replies(50), True),
        (predicted(good=False, first_connections={**THIRD, "by_client": True}), replies(20, lost=30), False),
        (predicted(good=False, first_connections={**THIRD, "by_load": True}), replies(20, lost=30), None),
        (predicted(good=False, share=0.5), replies(25, lost=25), True),
        (predicted(good=False, share=0.5), replies(49, lost=1), False),
        (predicted(good=False), replies(0, lost=50), True),
        (predicted(good=True, seconds=[5, 60]), replies(40, late=5, lost=5), None),
        (predicted(good=True, seconds=[5, 15]), replies(40, late=5, lost=5), False),
        (None, replies(50), None),
    ],
)
def test_measured_delays_are_compared_with_what_chance_allows(
    prediction: Prediction | None, measured: list[Reply], agrees: bool | None
) -> None:
    comparison = compare(prediction, "Local", measured, 30.0)
    assert comparison is not None
    assert comparison.agrees is agrees
    assert comparison.measured.startswith(f"{sum(one.seconds < 1 for one in measured)} of 50 at once")


def test_all_parts_of_a_measurement_are_named() -> None:
    comparison = compare(None, "Local", replies(40, late=5, lost=5), 30.0)
    assert comparison is not None
    assert comparison.measured == "40 of 50 at once (median 10 ms, 95 % within 5.1 s), 5 later (up to 5.1 s), 5 not"
    assert compare(None, "Local", [], 0.0) is None
