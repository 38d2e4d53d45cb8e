"""Serves HTTP on a free port of loopback: stand-ins that answer requests, and what answers in other ways."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from api_faults import Fault

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")


class Asked(NamedTuple):
    """One request."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""

    @property
    def document(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class StandIn(Protocol):
    """What answers requests, and notes them.

    Attributes:
        asked: The requests so far.
        port: Where it is served.
    """

    asked: list[Asked]
    port: int

    def answer(self, asked: Asked) -> Fault:
        """The answer of a request."""


class _QuietServer(ThreadingHTTPServer):
    """Says nothing of clients that hang up, as they do in the middle of an error's body."""

    daemon_threads = True

    def handle_error(self, *_arguments: object) -> None:
        """Say nothing."""

    def serve(self, ended: threading.Event) -> None:
        """Answer until the first connection after the end: ``shutdown`` would wait for the next look at a flag."""
        while True:
            connection, address = self.get_request()
            if ended.is_set():
                connection.close()
                return
            self.process_request(connection, address)


@contextmanager
def serving_port(respond: Callable[[BaseHTTPRequestHandler, bytes], None]) -> Iterator[int]:
    """Serve until the block ends.

    Args:
        respond: Writes the answer to a request with this body.

    Returns:
        The port.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _any(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                respond(self, raw)
            except OSError:
                self.close_connection = True

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    for method in METHODS:
        setattr(Handler, f"do_{method}", Handler._any)
    http = _QuietServer(("127.0.0.1", 0), Handler)
    port = http.server_address[1]
    ended = threading.Event()
    thread = threading.Thread(target=http.serve, args=(ended,), daemon=True)
    thread.start()
    try:
        yield port
    finally:
        ended.set()
        socket.create_connection(("127.0.0.1", port)).close()
        thread.join()
        http.server_close()


@contextmanager
def serving_stand_in(server: StandIn) -> Iterator[None]:
    """Serve until the block ends; the port is in the stand-in."""

    def respond(handler: BaseHTTPRequestHandler, raw: bytes) -> None:
        parts = urlsplit(handler.path)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        asked = Asked(handler.command, parts.path, dict(parse_qsl(parts.query)), headers, raw)
        server.asked.append(asked)
        answer = server.answer(asked)
        if answer.write is not None:
            handler.close_connection = True
            answer.write(handler)
            return
        send(handler, answer.status, answer.body, (("Content-Type", answer.content_type), *answer.headers))

    with serving_port(respond) as server.port:
        yield


def send(handler: BaseHTTPRequestHandler, status: int, body: object, headers: Iterable[tuple[str, str]] = ()) -> None:
    """Write a whole answer.

    Args:
        handler: Of the request.
        status: The HTTP status.
        body: The body: bytes, a text, or what is sent as JSON; None for none.
        headers: Their names and values.
    """
    raw = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else _json(body)
    handler.send_response(status)
    for name, value in headers:
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(raw)))
    handler.end_headers()
    handler.wfile.write(raw)


def _json(body: object) -> bytes:
    return b"" if body is None else json.dumps(body).encode()
