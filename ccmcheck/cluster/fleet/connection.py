"""A connection to one cluster of a fleet, made of credentials in memory.

Python's ssl reads a client certificate and its key from files alone. On Linux they are written to an anonymous file in
memory (memfd) that only this process can name; elsewhere to a file of mode 0600 that is unlinked at once.
"""

from __future__ import annotations

import base64
import os
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from urllib.parse import urlsplit

from ccmcheck.cluster.access.errors import Unreachable
from ccmcheck.cluster.access.exchange import ExchangeLimits, Question, exchange, open_pool, server_of
from ccmcheck.cluster.access.kubeconfig import Unusable
from ccmcheck.cluster.access.transport import Connection, HTTPAnswer
from ccmcheck.cluster.core import NamedTuple
from ccmcheck.cluster.fleet.credentials import Credentials

_MOST_CONTEXTS = 16
"""As many are kept, and the system's; where each cluster has an authority of its own, to keep them pays nothing."""
_contexts: dict[bytes, ssl.SSLContext] = {}
"""By a digest of what they are made of: to load the certificates of the system takes 30 ms, one authority's 1 ms."""
_making = threading.Lock()


class FleetConnection:
    """A connection to one API server; it has no way to send anything but GET.

    Args:
        credentials: How it is reached.

    Raises:
        Unusable: The certificates cannot be used.
    """

    def __init__(self, credentials: Credentials) -> None:
        parts = urlsplit(credentials.server)
        self._base = credentials.server.rstrip("/")
        self._headers = _authorization(credentials)
        self._pool = open_pool(
            _tls(credentials) if parts.scheme == "https" else None,
            verify=credentials.verify,
            server_name=credentials.server_name,
            proxy=credentials.proxy or _proxy(parts.scheme, parts.hostname or ""),
        )
        self.server = server_of(credentials.server)

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
        """Ask once; see `ccmcheck.cluster.access.transport.Connection`."""
        question = Question("GET", path, query)
        return exchange(self._pool, self._base, self._headers, question, ExchangeLimits(seconds, most_bytes))

    def close(self) -> None:
        """Close it."""
        self._pool.clear()


def _authorization(credentials: Credentials) -> dict[str, str]:
    if credentials.token:
        return {"authorization": f"Bearer {credentials.token}"}
    if credentials.basic:
        return {"authorization": f"Basic {base64.b64encode(credentials.basic.encode()).decode()}"}
    return {}


def _proxy(scheme: str, host: str) -> str:
    """The proxy that the environment names for a host, as kubectl takes it."""
    from urllib import request

    proxy = request.getproxies_environment().get(scheme, "")
    is_bypassed = request.proxy_bypass_environment(host)  # type: ignore[attr-defined]  # not in the stubs
    return proxy if proxy.startswith(("http://", "https://")) and not is_bypassed else ""


def _tls(credentials: Credentials) -> ssl.SSLContext:
    """The context of a cluster; clusters behind one proxy or of one provider may have one in common."""
    if not credentials.verify or credentials.server_name:
        return _new_tls(credentials)  # urllib3 switches off the check of the name in it
    material = (credentials.ca, credentials.certificate, credentials.key)
    digest = sha256(b"".join(sha256(one).digest() for one in material)).digest()  # no key is kept to compare with
    with _making:
        context = _contexts.get(digest)
        if context is None:
            context = _new_tls(credentials)
            if len(_contexts) < _MOST_CONTEXTS or not any(material):
                _contexts[digest] = context
    return context


def _new_tls(credentials: Credentials) -> ssl.SSLContext:
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if not credentials.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif credentials.ca:
        try:
            context.load_verify_locations(cadata=credentials.ca.decode("ascii"))
        except (ssl.SSLError, ValueError):
            raise Unusable("`certificate-authority` of the kubeconfig holds no certificate") from None
    else:
        context.load_default_certs()
    if credentials.certificate:
        with _as_file(credentials.certificate + b"\n" + credentials.key) as path:
            try:
                context.load_cert_chain(path, password=_no_password)
            except (ssl.SSLError, OSError, ValueError):
                raise Unusable("the kubeconfig's client certificate and key do not fit, or are none") from None
    return context


def _no_password() -> str:
    """An encrypted key would make OpenSSL ask on the terminal."""
    raise ValueError


@contextmanager
def _as_file(data: bytes) -> Iterator[str]:
    """A path under which some bytes can be read, for as long as the block takes."""
    if hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"):
        opened = os.memfd_create("ccmcheck", os.MFD_CLOEXEC)
        try:
            os.write(opened, data)
            yield f"/proc/self/fd/{opened}"
        finally:
            os.close(opened)
        return
    import tempfile

    opened, path = tempfile.mkstemp(prefix="ccmcheck-")
    try:
        os.write(opened, data)
        yield path
    finally:
        os.unlink(path)
        os.close(opened)


class Patience(NamedTuple):
    """How long to wait.

    Attributes:
        answer: For one answer, and for the first one with all its retries, in seconds.
        cluster: For everything that is read of one cluster.
    """

    answer: float = 10.0
    cluster: float = 120.0


class Deadline:
    """A connection that gives up at a time, and the pauses between its requests.

    Args:
        connection: The connection.
        patience: How long to wait.
    """

    def __init__(self, connection: Connection, patience: Patience) -> None:
        self._connection = connection
        self._patience = patience
        self._ends = time.monotonic() + patience.answer
        self._has_answered = False
        self._last: Unreachable | None = None
        self.server = connection.server

    def answered(self) -> None:
        """The cluster has answered, and it is its turn: from now on, the time is that for everything."""
        self._ends = time.monotonic() + self._patience.cluster
        self._has_answered = True

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
        """Ask once; see `ccmcheck.cluster.access.transport.Connection`."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise self._late()
        limit = min(seconds, left, self._patience.answer)
        try:
            return self._connection.get(path, query, seconds=limit, most_bytes=most_bytes)
        except Unreachable as error:
            self._last = error
            raise

    def sleep(self, seconds: float) -> None:
        """Wait, unless there is no time left for another try.

        Raises:
            Unreachable: There is none.
        """
        if time.monotonic() + seconds >= self._ends:
            raise self._late()
        time.sleep(seconds)

    def _late(self) -> Unreachable:
        """What was wrong with the last try; without one, what took the time."""
        if self._last is not None:
            return self._last
        if self._has_answered:
            return Unreachable(
                f"reading it took longer than {self._patience.cluster:.0f} s", "--cluster-timeout gives it more time."
            )
        return Unreachable(
            f"the API server did not answer within {self._patience.answer:.0f} s", "--timeout gives it more time."
        )
