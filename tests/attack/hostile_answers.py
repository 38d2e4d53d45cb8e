"""46 kinds of hostile answers, the same for an API server, Keystone, Octavia and Neutron, each made from the proper one."""

from __future__ import annotations

import gzip
import json
import random
import socket
import time
from collections.abc import Callable
from typing import Any

from api_faults import Fault, cut

CANARY = "c4nary-of-a-hostile-answer-5b"
"""In every body, header and URL; no output may have it."""
ELSEWHERE = "elsewhere.invalid"

LIMITS = {"MOST_BYTES": 400_000, "MOST_VALUES": 20_000, "SECONDS": 0.25, "MOST_PAGES": 40}
"""Of `ccmcheck.cluster.access.limits`, so low that an answer may pass them in a moment."""

Kind = Callable[[Fault, random.Random], Fault]


def _status(code: int, content_type: str = "application/json", **headers: str) -> Kind:
    body = json.dumps(
        {"kind": "Status", "message": CANARY, "faultstring": CANARY, "error": {"message": CANARY}}
    ).encode()
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return lambda proper, _: proper._replace(status=code, body=body, content_type=content_type, headers=pairs)


def _body(body: bytes, content_type: str = "application/json") -> Kind:
    return lambda proper, _: _found(proper)._replace(body=body, content_type=content_type)


def _found(proper: Fault) -> Fault:
    """The same for something that is there."""
    return proper if proper.status < 400 else proper._replace(status=200)


def _writing(write: Callable[[Any], None]) -> Kind:
    return lambda _proper, _: Fault(write=write)


def _raw(data: bytes) -> Kind:
    def write(handler: Any) -> None:
        handler.wfile.write(data)
        handler.wfile.flush()

    return _writing(write)


def _dripping(start: bytes, drip: bytes, times: int = 60, pause: float = 0.02) -> Kind:
    def write(handler: Any) -> None:
        handler.wfile.write(start)
        for _ in range(times):
            handler.wfile.write(drip)
            handler.wfile.flush()
            time.sleep(pause)
        handler.connection.shutdown(socket.SHUT_RDWR)

    return _writing(write)


def _replaced(value: object) -> Kind:
    """One value of the proper answer, by chance, is another."""

    def made(proper: Fault, chosen: random.Random) -> Fault:
        document = _document(proper)
        places = list(_places(document))
        if places:
            holder, key = chosen.choice(places)
            holder[key] = value
        return proper._replace(body=json.dumps(document).encode("utf-8", "surrogatepass"))

    return made


def _all_texts(text: str) -> Kind:
    def made(proper: Fault, _chosen: random.Random) -> Fault:
        document = _document(proper)
        for holder, key in list(_places(document)):
            if isinstance(holder[key], str):
                holder[key] += text
        return proper._replace(body=json.dumps(document).encode())

    return made


def _endless(token: Callable[[random.Random], str]) -> Kind:
    """A list that names a next page for ever, in the words of Kubernetes and of OpenStack."""

    def made(proper: Fault, chosen: random.Random) -> Fault:
        document = _document(proper)
        if not isinstance(document, dict):
            return proper
        document["metadata"] = {"continue": token(chosen)}
        for key in [key for key, value in document.items() if isinstance(value, list)]:
            document[key] = document[key] or [{"id": token(chosen)}]
            document[f"{key}_links"] = [{"rel": "next", "href": f"https://{ELSEWHERE}/{CANARY}"}]
        return proper._replace(body=json.dumps(document).encode())

    return made


def _twice(proper: Fault, _chosen: random.Random) -> Fault:
    text = proper.body.decode()
    return proper._replace(body=f'{text.rstrip()[:-1] or "{"}, "items": "{CANARY}", "token": 1}}'.encode())


def _document(proper: Fault) -> Any:
    try:
        return json.loads(proper.body)
    except ValueError:
        return {}


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every value in a document, as what holds it and its key."""
    found: list[tuple[Any, Any]] = []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in pairs:
        found.append((value, key))
        found += _places(below)
    return found


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
_OBJECT = f'{{"items": [], "x": "{CANARY}"}}'.encode()
_BOMB = gzip.compress(b'{"a": "' + b"x" * 30_000_000 + b'"}')
_DEEP = b'{"a":' + b"[" * 100_000

KINDS: dict[str, Kind] = {
    # what the status says
    "no content": _status(204),
    "moved": _status(301, Location=f"http://{ELSEWHERE}/{CANARY}"),
    "found, with a token": _status(302, "text/html", Location=f"https://{ELSEWHERE}/login?token={CANARY}"),
    "moved to a file": _status(307, Location="file:///etc/passwd"),
    "bad request": _status(400),
    "unauthorized": _status(401, Www_Authenticate=f"Basic realm={CANARY}"),
    "forbidden": _status(403),
    "not found": _status(404),
    "conflict": _status(409),
    "gone": _status(410),
    "teapot": _status(418),
    "invalid": _status(422),
    "too many": _status(429),
    "too many, for ever": _status(429, Retry_After="999999999"),
    "too many, until a date": _status(429, Retry_After=f"Fri, 31 Dec 9999 23:59:59 {CANARY}"),
    "failed": _status(500),
    "bad gateway": _status(502, "text/html"),
    "unavailable": _status(503, Retry_After="1"),
    "a status of two digits": _raw(f"HTTP/1.1 99 {CANARY}\r\n\r\n".encode()),
    # what the connection does
    "no HTTP": _raw(f"{CANARY}\r\n\r\n".encode()),
    "closed at once": _raw(b""),
    "cut in the headers": _raw(_HEAD + b"X-A: "),
    "cut in the body": lambda _proper, _: cut(_OBJECT[:-9]),
    "shorter than it says": _raw(_HEAD + b"Content-Length: 9\r\n\r\n" + _OBJECT),
    "a broken chunk": _raw(_HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + _OBJECT),
    "a slow body": _dripping(_HEAD + b"Content-Length: 100000\r\n\r\n", b" "),
    "slow headers": _dripping(_HEAD, b"X-Drip: 1\r\n"),
    "one status after another": _dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a header of a megabyte": _raw(_HEAD + b"X-A: " + b"a" * 1_000_000 + b"\r\n\r\n"),
    "ten thousand headers": _raw(_HEAD + b"X-A: 1\r\n" * 10_000 + b"\r\n"),
    "compressed": lambda proper, _: _found(proper)._replace(
        body=_BOMB, headers=(*proper.headers, ("Content-Encoding", "gzip"))
    ),
    # what the body is
    "a page": _body(f"<html>{CANARY}</html>".encode(), "text/html"),
    "a page called JSON": _body(f"<html>{CANARY}</html>".encode()),
    "nothing": _body(b""),
    "JSON that ends early": _body(_OBJECT[:-9]),
    "a list": _body(f'["{CANARY}"]'.encode()),
    "a hundred thousand levels": _body(_DEEP),
    "too large": _body(b'{"a": "' + b"x" * 500_000 + b'"}'),
    "too many values": _body(b'{"items": [' + b",".join([b"{}"] * 30_000) + b"]}"),
    "no UTF-8": _body(b'{"items": ["\xff\xfe\xc3' + CANARY.encode() + b'"]}'),
    "keys twice": _twice,
    # what a value is
    "another type": lambda proper, chosen: _replaced(
        chosen.choice([None, True, -1, 1e308, 10**400, [], {}, [None], {"a": {"b": 1}}])
    )(proper, chosen),
    "control characters": _all_texts("\x1b[31m\x1b]0;t\x07\n::stop-commands::x\r##[error]\u202e"),
    "long and wide texts": _replaced("x" * 20_000 + "\ud800\U0010ffff"),
    # what a list is
    "a list without an end": _endless(lambda chosen: str(chosen.random())),
    "a list in a circle": _endless(lambda _: "again"),
}
