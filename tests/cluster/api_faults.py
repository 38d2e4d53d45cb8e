"""Answers of an API server that are written by hand: faults, and errors as Kubernetes words them."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Fault(NamedTuple):
    """An answer instead of the proper one."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    write: Callable[[Any], None] | None = None
    """Writes everything by itself."""


def held(gone: list[bool], most: float = 60) -> Fault:
    """No answer until who asks has gone, which a list is told; it stays empty where that does not come to pass."""

    def write(handler: Any) -> None:
        handler.connection.settimeout(most)
        gone.append(handler.connection.recv(1) == b"")

    return Fault(write=write)


def status(
    code: int,
    message: str = "no",
    reason: str = "",
    *,
    causes: Sequence[dict[str, Any]] = (),
    **metadata: str,
) -> Fault:
    """An error as Kubernetes answers it."""
    body = {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "code": code,
        "message": message,
        "reason": reason,
        **({"details": {"causes": list(causes)}} if causes else {}),
    }
    return Fault(code, json.dumps({**body, "metadata": metadata}).encode())


def cut(start: bytes) -> Fault:
    """Close the connection in the middle of the body.

    Args:
        start: What is sent of it.
    """

    def write(handler: Any) -> None:
        _begin(handler)
        handler.end_headers()
        handler.wfile.write(start)
        handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)

    return Fault(write=write)


_DRIPS, _PAUSE, _REST = 100, 0.05, b"{}"


def _drip_body(handler: Any) -> None:
    _begin(handler)
    handler.end_headers()
    for _ in range(_DRIPS):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(_PAUSE)
    handler.wfile.write(_REST)


def _drip_headers(handler: Any) -> None:
    _begin(handler)
    handler.flush_headers()
    for number in range(_DRIPS):
        handler.wfile.write(f"X-Drip-{number}: 1\r\n".encode())
        handler.wfile.flush()
        time.sleep(_PAUSE)
    handler.wfile.write(b"\r\n" + b" " * _DRIPS + _REST)


def _begin(handler: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(_DRIPS + len(_REST)))


DRIPPING = {"body": Fault(write=_drip_body), "headers": Fault(write=_drip_headers)}
"""A little now and then, for longer than anybody waits; who does gets the whole answer."""
