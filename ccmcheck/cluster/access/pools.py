"""Connections of urllib3 whose whole answer, headers included, arrives within the read timeout."""

from __future__ import annotations

import io
import time
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import socket


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

    class Connection(kind.ConnectionCls):  # type: ignore[misc,name-defined]  # as the pool has it
        response_class = answer

        def connect(self) -> None:
            super().connect()
            self.is_verified = True  # decides on the warning alone

    class Pool(kind):  # type: ignore[misc]  # as the scheme has it
        ConnectionCls = Connection

    return Pool


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
