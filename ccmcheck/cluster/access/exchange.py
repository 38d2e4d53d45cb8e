"""One HTTP exchange with an API server, within limits of time and size; of what fails, nothing but its kind is said."""

from __future__ import annotations

import io
import socket
import ssl
import time
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit, urlunsplit

from ccmcheck.cluster.access.errors import CONFLICT, GONE, UNPROCESSABLE, ApiError, Unreachable, Untrusted
from ccmcheck.cluster.access.limits import body_of
from ccmcheck.cluster.access.transport import SUCCESSES, HTTPAnswer
from ccmcheck.cluster.core import NamedTuple, budget

CONNECT_SECONDS = 10.0


def timeout(seconds: float) -> Any:  # noqa: ANN401 - urllib3's Timeout
    """The timeout of an exchange: connecting and the answer together take that long at most.

    Args:
        seconds: How long.
    """
    from urllib3 import Timeout

    return Timeout(total=seconds, connect=min(CONNECT_SECONDS, seconds), read=seconds)


def prepare(pool: Any) -> None:  # noqa: ANN401 - urllib3's PoolManager
    """Limit the time of each answer, and let connections without verified TLS pass without a warning.

    A kubeconfig or a clouds.yaml can ask for those. The filters of warnings belong to the process and not to a thread,
    so they stay as they are.

    Args:
        pool: The connections; those through a SOCKS proxy keep their classes.
    """
    pool.pool_classes_by_scheme = {scheme: _prepared(kind) for scheme, kind in pool.pool_classes_by_scheme.items()}


@cache
def _prepared(kind: type[Any]) -> type[Any]:
    """The class of a pool whose connections are limited in time."""
    answer = _timed_response()

    class TimedConnection(kind.ConnectionCls):  # type: ignore[misc,name-defined]  # as the pool has it
        response_class = answer

        def connect(self) -> None:
            super().connect()
            self.is_verified = True  # decides on the warning alone

    class TimedPool(kind):  # type: ignore[misc]  # as the scheme has it
        ConnectionCls = TimedConnection

    return TimedPool


@cache
def _timed_response() -> type[Any]:
    from http.client import HTTPResponse

    class TimedResponse(HTTPResponse):
        def __init__(self, sock: socket.socket, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - of its base
            super().__init__(sock, *arguments, **options)
            seconds = sock.gettimeout()
            if seconds is not None:
                self.fp = io.BufferedReader(_TimedReader(self.fp.detach(), sock, time.monotonic() + seconds))

    return TimedResponse


class _TimedReader(io.RawIOBase):
    """Reads from a socket until a time; the timeout of the socket itself starts again with every byte.

    Args:
        raw: The socket's file.
        sock: The socket.
        ends: When to stop.
    """

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, ends: float) -> None:
        self._raw = raw
        self._sock = sock
        self._ends = ends

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401 - any buffer
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


_KEPT_ERRORS = frozenset({CONFLICT, GONE, UNPROCESSABLE})
"""Statuses whose bodies are read: 410 holds the token by which a list goes on, 409 and 422 name the fields."""
_MOST_OF_AN_ERROR = 64 * 1024


class Question(NamedTuple):
    """What is sent.

    Attributes:
        method: ``GET``.
        path: The path of the URL.
        query: Its query.
        body: The body; None for none.
        content_type: The body's type.
    """

    method: str
    path: str
    query: Mapping[str, str]
    body: bytes | None = None
    content_type: str = ""


class ExchangeLimits(NamedTuple):
    """Of one exchange.

    Attributes:
        seconds: From the first byte sent to the last received.
        most_bytes: Of the answer.
    """

    seconds: float
    most_bytes: int


def server_of(url: str) -> str:
    """The URL of a server as it may be shown: without userinfo, query and fragment.

    Everything before the last ``@`` counts as userinfo: a ``/`` or ``#`` in a password ends the host's part too early.

    Args:
        url: The URL; it need not be a valid one.
    """
    before, separator, after = url.partition("://")
    scheme, rest = (f"{before}:", after) if separator and before.isalnum() else ("", url)
    try:
        parts = urlsplit(f"{scheme}//{rest.rpartition('@')[2]}")
    except ValueError:
        return "a server that is not a URL"
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")).removeprefix("//")


def open_pool(tls: ssl.SSLContext | None, *, verify: bool = True, server_name: str = "", proxy: str = "") -> Any:  # noqa: ANN401 - urllib3's
    """The connections to one API server.

    Args:
        tls: What is accepted and what identifies the client; None for plain HTTP. Without verification or with a name
            urllib3 changes it, so that it must be no other cluster's.
        verify: Whether the server's certificate is checked.
        server_name: The name in the server's certificate where it is not that of the URL.
        proxy: The URL of an HTTP proxy; empty for none.
    """
    import urllib3

    settings: dict[str, Any] = {"num_pools": 1, "maxsize": 1, "retries": False}
    if tls is not None:
        settings["ssl_context"] = tls
        if not verify:
            settings |= {"cert_reqs": "CERT_NONE", "assert_hostname": False}
        elif server_name:
            settings |= {"server_hostname": server_name, "assert_hostname": server_name}
    user = urlsplit(proxy)
    headers = None
    if user.username:
        credentials = f"{unquote(user.username)}:{unquote(user.password or '')}"
        headers = urllib3.make_headers(proxy_basic_auth=credentials)
    pool = urllib3.ProxyManager(proxy, proxy_headers=headers, **settings) if proxy else urllib3.PoolManager(**settings)
    prepare(pool)
    return pool


def exchange(
    pool: Any,  # noqa: ANN401 - urllib3's PoolManager, imported lazily
    base: str,
    authorization: Mapping[str, str | tuple[str, ...]],
    question: Question,
    limits: ExchangeLimits,
) -> HTTPAnswer:
    """Ask once.

    Args:
        pool: The connections.
        base: The URL of the API server.
        authorization: The headers that identify the user; one of several values is sent several times.
        question: What is asked.
        limits: Of time and size.

    Raises:
        ApiError: There is no answer.
    """
    import ssl

    import urllib3

    url = f"{base}{question.path}" + (f"?{urlencode(question.query, errors='replace')}" if question.query else "")
    headers = urllib3.HTTPHeaderDict({"accept": "application/json", "user-agent": "ccmcheck"})
    for name, values in authorization.items():
        for value in (values,) if isinstance(values, str) else values:
            headers.add(name, value)
    if question.body is not None:
        headers["content-type"] = question.content_type
    try:
        response = pool.request(
            question.method,
            url,
            body=question.body,
            headers=headers,
            timeout=timeout(limits.seconds),
            preload_content=False,
            retries=False,
            redirect=False,
        )
        try:
            body = _body(response, limits.most_bytes)
        except BaseException:
            response.close()
            raise
        response.release_conn()
    except ApiError:
        raise
    except urllib3.exceptions.SSLError as error:
        # the server may also refuse ours, or cut the connection in the handshake
        kind = Untrusted if error.args and isinstance(error.args[0], ssl.SSLCertVerificationError) else Unreachable
        raise kind(
            "the certificate of the API server is not accepted", "Look at `certificate-authority` of the kubeconfig."
        ) from None
    except urllib3.exceptions.NewConnectionError:  # which is a timeout to urllib3
        raise Unreachable("there is no connection to the API server: nobody answers there") from None
    except urllib3.exceptions.TimeoutError:
        raise Unreachable("the API server did not answer in time") from None
    except (urllib3.exceptions.HTTPError, OSError):
        raise Unreachable("the connection to the API server failed or was cut") from None
    except Exception as error:  # noqa: BLE001 - its text may hold a header or a URL with a password
        budget.refuse_to_go_on(error)
        raise Unreachable("the request could not be sent") from None
    content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return HTTPAnswer(response.status, content_type, retry_seconds(response.headers.get("retry-after")), body)


def _body(response: Any, most_bytes: int) -> bytes:  # noqa: ANN401 - urllib3's
    """The body, within the limits; of an error only where something is needed of it.

    That of other errors is read and dropped, so that the connection can be used again.
    """
    import urllib3

    if response.status in SUCCESSES:
        return body_of(response, most_bytes, "the API server")
    if response.status in _KEPT_ERRORS:
        return body_of(response, _MOST_OF_AN_ERROR, "the API server")
    try:
        if len(response.read(_MOST_OF_AN_ERROR, decode_content=False)) == _MOST_OF_AN_ERROR:
            response.close()
    except urllib3.exceptions.TimeoutError:
        response.close()
    return b""


def retry_seconds(retry_after: str | None) -> float | None:
    """Retry-After in seconds; a date, which the APIs do not send, counts as none."""
    if retry_after is None or not retry_after.strip().isdecimal() or len(retry_after) > 9:
        return None
    return float(retry_after)
