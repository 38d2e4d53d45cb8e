"""Records what ccmcheck asks of real servers: proxies on loopback, and recordings without any credential."""

from __future__ import annotations

import difflib
import http.client
import json
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from led_traffic import Answer
from loopback import send, serving_port
from recordings import (
    CANARY,
    URL,
    Exchange,
    Recording,
    Request,
    credentials,
    filled,
    mapped,
    said,
)
from replay import Replayed, json_of, led, parts_of, replay, run_in

_SECONDS = 60
_POLL_SECONDS = 1.0
"""Between two looks of a recorded conformance: each look is an exchange."""
_KEPT = ("content-type", "retry-after", "x-subject-token", "warning")
_UID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b")


class Upstream(NamedTuple):
    """A real server.

    Attributes:
        url: Its URL.
        authority: The file with the certificate of its authority; None without TLS.
    """

    url: str
    authority: Path | None = None


class Recorder:
    """Proxies in front of servers, which write down every exchange.

    Attributes:
        urls: Of the proxies, by the servers' names.
        exchanges: What was asked, with everything that a recording must not hold.
        secrets: What stands for each credential, in requests and recordings.
        faults: What answers the requests of a path instead of the server.
    """

    def __init__(self, upstreams: Mapping[str, Upstream], secrets: Mapping[str, str]) -> None:
        self.urls: dict[str, str] = {}
        self.exchanges: list[Exchange] = []
        self.secrets = secrets
        self.faults: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self._upstreams = upstreams
        self._lock = threading.Lock()

    def relay(self, server: str, method: str, target: str, headers: Mapping[str, str], raw: bytes) -> Exchange:
        """Hand a request on, and note it with its answer."""
        upstream = self._upstreams[server]
        parts = urlsplit(upstream.url)
        if upstream.authority is not None:
            context = ssl.create_default_context(cafile=str(upstream.authority))
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                parts.hostname or "", parts.port, timeout=_SECONDS, context=context
            )
        else:
            connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_SECONDS)
        own = {
            name: self._real(value)
            for name, value in headers.items()
            if name.lower() not in ("host", "accept-encoding", "content-length")
        }
        try:
            connection.request(method, target, self._real_body(raw), own)
            answer = connection.getresponse()
            body = json_of(answer.read())
        finally:
            connection.close()
        kept = {name.lower(): value for name, value in answer.getheaders() if name.lower() in _KEPT}
        path, query = parts_of(target)
        body = mapped(body, self._through_proxies)
        found = Exchange(server, method, path, query, json_of(raw), answer.status, kept, body)
        with self._lock:
            self.exchanges.append(found)
        return found

    def _real(self, text: str) -> str:
        for secret, canary in self.secrets.items():
            text = text.replace(canary, secret)
        for server, upstream in self._upstreams.items():
            text = text.replace(self.urls[server], upstream.url)
        return text

    def _real_body(self, raw: bytes) -> bytes | None:
        """What is sent, as the server knows it, also inside base64: the CCM must not log in through the proxy."""
        body = json_of(raw)
        if body is None or isinstance(body, str):
            return self._real(body).encode() if body else None
        return json.dumps(mapped(body, self._real)).encode()

    def _through_proxies(self, text: str) -> str:
        """A text in which a server's URL, as in Keystone's catalog, is that of its proxy."""
        for server, upstream in self._upstreams.items():
            text = text.replace(upstream.url, self.urls[server])
        return text


@contextmanager
def recording(upstreams: Mapping[str, Upstream], secrets: Mapping[str, str]) -> Iterator[Recorder]:
    """Proxies until the block ends.

    Args:
        upstreams: The servers by their names.
        secrets: What stands for each credential.
    """
    recorder = Recorder(upstreams, secrets)
    with ExitStack() as serving:
        for server in upstreams:
            port = serving.enter_context(serving_port(partial(_respond, recorder, server)))
            recorder.urls[server] = f"http://127.0.0.1:{port}"
        yield recorder


def _respond(recorder: Recorder, server: str, handler: BaseHTTPRequestHandler, raw: bytes) -> None:
    fault = recorder.faults.get(parts_of(handler.path)[0])
    if fault is not None:
        handler.close_connection = True
        fault(handler)
        return
    found = recorder.relay(server, handler.command, handler.path, dict(handler.headers.items()), raw)
    send(handler, found.status, found.body, found.headers.items())


class Run(NamedTuple):
    """Commands that were run at real servers.

    Attributes:
        recording: Their exchanges, without any credential.
        printed: What they printed, without UIDs of this run.
        replayed: The same from the recording alone.
    """

    recording: Recording
    printed: str
    replayed: Replayed

    @property
    def problems(self) -> list[str]:
        """What keeps the recording from standing for the real servers."""
        found = [f"a credential: {one}" for one in credentials(self.recording)]
        if not self.recording.exchanges:
            found.append(f"nothing was asked: {self.printed}")
        if CANARY in self.printed:
            found.append("a credential is printed")
        found += self.replayed.unexpected + self.replayed.missing
        lines = difflib.unified_diff(
            self.printed.split("\n"), self.replayed.printed.split("\n"), "real", "replayed", n=0
        )
        return found + list(lines)


class _Requests:
    """Notes what becomes of requests to load balancers."""

    def __init__(self, answer: Answer) -> None:
        self.noted: list[Request] = []
        self._answer = answer

    def answer(self, protocol: str, address: str, port: int) -> str:
        """Hand a request on, and note the answer."""
        found = Request(protocol, address, port, self._answer(protocol, address, port))
        if self.noted and self.noted[-1]._replace(times=1) == found:
            found = found._replace(times=self.noted.pop().times + 1)
        self.noted.append(found)
        return found.answer


def nobody(_protocol: str, _address: str, _port: int) -> str:
    """Answers no request to a load balancer."""
    return ""


def record(
    recorder: Recorder,
    name: str,
    folder: Path,
    files: Mapping[str, str],
    commands: Sequence[Sequence[str]],
    answer: Answer = nobody,
) -> Run:
    """Run commands, and make a recording of what they ask.

    Args:
        recorder: The proxies.
        name: The recording's.
        folder: An empty folder, for two runs.
        files: What the commands find in their folder; `recordings.URL` stands for the servers.
        commands: Their arguments after ``ccmcheck cluster``.
        answer: What is at the addresses of load balancers.
    """
    recorder.exchanges.clear()
    began = int(time.time())
    for path, text in filled(dict(files), recorder.urls).items():
        at = folder / "real" / path
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)
    requests = _Requests(answer)
    with led(requests.answer, _POLL_SECONDS):
        results = [run_in(folder / "real", command) for command in commands]
    clean = _Cleaner(recorder.urls, recorder.secrets)
    exchanges = tuple(
        one._replace(
            path=clean.text(one.path),
            query=clean.text(one.query),
            sent=mapped(one.sent, clean.text),
            headers=mapped(one.headers, clean.text),
            body=mapped(one.body, clean.text),
        )
        for one in recorder.exchanges
    )
    found = Recording(
        name, mapped(dict(files), clean.text), tuple(map(tuple, commands)), exchanges, began, tuple(requests.noted)
    )
    printed = said(commands, [(done.code, clean.printed(done.out), clean.printed(done.err)) for done in results])
    return Run(found, printed, replay(found, folder / "replayed"))


class _Cleaner:
    """Replaces credentials, UIDs and the addresses of servers; the same by the same within a recording."""

    def __init__(self, urls: Mapping[str, str], secrets: Mapping[str, str]) -> None:
        self._urls = urls
        self._secrets = secrets
        self._uids: dict[str, str] = {}

    def text(self, text: str) -> str:
        """A text as it may be recorded."""
        for server, url in self._urls.items():
            text = text.replace(url, URL.format(server))
        return self._plain(text)

    def printed(self, text: str) -> str:
        """What a command printed, with the addresses of servers."""
        return self._plain(text)

    def _plain(self, text: str) -> str:
        for secret, canary in self._secrets.items():
            text = text.replace(secret, canary)
        return _UID.sub(self._number, text)

    def _number(self, found: re.Match[str]) -> str:
        return self._uids.setdefault(found[0], f"00000000-0000-4000-8000-{len(self._uids):012}")
