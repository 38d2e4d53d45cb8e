"""What the steps of one case share: its objects, its addresses, its pods, and how requests are sent.

One request from here to a load balancer: a connection of its own, a limit for all of it, and what became of it.

Plain sockets: a proxy of the environment, a redirect or a kept connection would measure something else.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

from ccmcheck.cluster.access.documents import is_ready, mapping, published, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.conformance import echo, objects
from ccmcheck.cluster.conformance.cases import Case
from ccmcheck.cluster.conformance.records import Reply, RequestProblem
from ccmcheck.cluster.conformance.session import Session, StepFailed
from ccmcheck.cluster.core import NamedTuple

_UNREACHABLE = frozenset({"ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT", "ENETDOWN"})
_HEADERS = "User-Agent: ccmcheck\r\nConnection: close\r\n"
_DATAGRAM_PAUSE = 1.0
"""Seconds after which a datagram is sent again, as resolvers do: one may be lost on any network."""


class ProbeTarget(NamedTuple):
    """Where a request goes.

    Attributes:
        address: The IP address, or the hostname.
        port: The Service's port.
        udp: Whether it is a UDP port.
    """

    address: str
    port: int
    udp: bool = False

    def __str__(self) -> str:
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"{host}:{self.port}" + ("/UDP" if self.udp else "")


def ask(target: ProbeTarget, seconds: float, clock: Callable[[], float] = time.monotonic) -> Reply:
    """Send one request.

    Args:
        target: Where to.
        seconds: The limit for all of it, as curl's ``--max-time``.
        clock: The time in seconds.
    """
    started = clock()
    ends = started + seconds
    try:
        reply = _datagram(target, ends, clock) if target.udp else _http(target, ends, clock)
    except OSError as error:  # of the resolver and of the socket itself
        reply = Reply(0.0, _problem(error, RequestProblem.SILENT))
    return reply._replace(seconds=clock() - started)


def _http(target: ProbeTarget, ends: float, clock: Callable[[], float]) -> Reply:
    try:
        connection = socket.create_connection((target.address, target.port), timeout=_left(ends, clock))
    except OSError as error:
        return Reply(0.0, _problem(error, RequestProblem.SILENT))
    with connection:
        host = f"[{target.address}]" if ":" in target.address else target.address
        try:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\n{_HEADERS}\r\n".encode("ascii", "replace"))
            received = _received(connection, ends, clock)
        except OSError as error:
            return Reply(0.0, _problem(error, RequestProblem.WAITING))
    return _read(received)


def _received(connection: socket.socket, ends: float, clock: Callable[[], float]) -> bytes:
    """What comes until the connection closes, the answer is whole, or it is more than is looked at."""
    received = b""
    while len(received) < 2 * echo.MOST_BYTES and not _is_whole(received):
        connection.settimeout(_left(ends, clock))
        piece = connection.recv(echo.MOST_BYTES)
        if not piece:
            break
        received += piece
    return received


def _is_whole(received: bytes) -> bool:
    """Whether an answer is all there by its Content-Length: a proxy may keep the connection open."""
    head, end, body = received.partition(b"\r\n\r\n")
    for line in head.split(b"\r\n") if end else ():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return value.strip().isdigit() and len(body) >= int(value)
    return False


def _read(received: bytes) -> Reply:
    if not received:
        return Reply(0.0, RequestProblem.CLOSED)
    head, _, body = received.partition(b"\r\n\r\n")
    status = _status(head)
    answer = echo.parse(body) if status == 200 else None
    if answer is None:
        return Reply(0.0, RequestProblem.STRANGER, status=status)
    return Reply(0.0, None, answer.pod, answer.client, answer.proxy or answer.forwarded)


def _status(head: bytes) -> int:
    words = head.split(b"\r\n", 1)[0].split(b" ")
    return int(words[1]) if words[0].startswith(b"HTTP/1.") and len(words) > 1 and words[1].isdigit() else 0


def _datagram(target: ProbeTarget, ends: float, clock: Callable[[], float]) -> Reply:
    family, kind, protocol, _, address = socket.getaddrinfo(target.address, target.port, type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, kind, protocol) as connection:
        connection.connect(address)
        while clock() < ends:
            try:
                connection.send(b"ccmcheck")
                connection.settimeout(min(_DATAGRAM_PAUSE, _left(ends, clock)))
                answer = echo.parse(connection.recv(echo.MOST_BYTES))
            except TimeoutError:
                continue
            except ConnectionRefusedError:
                return Reply(0.0, RequestProblem.REFUSED)
            if answer is None:
                return Reply(0.0, RequestProblem.STRANGER)
            return Reply(0.0, None, answer.pod, answer.client)
    return Reply(0.0, RequestProblem.SILENT)


def _left(ends: float, clock: Callable[[], float]) -> float:
    """The seconds that are left; never 0, which would mean a socket that does not wait."""
    return max(ends - clock(), 0.001)


def _problem(error: OSError, late: RequestProblem) -> RequestProblem:
    import errno

    if isinstance(error, ConnectionRefusedError):
        return RequestProblem.REFUSED
    if isinstance(error, ConnectionError):  # a reset, in the middle of something
        return RequestProblem.CLOSED
    if isinstance(error, TimeoutError):
        return late
    name = errno.errorcode.get(error.errno or 0, "")
    return RequestProblem.UNREACHABLE if name in _UNREACHABLE or isinstance(error, socket.gaierror) else late


class SeenByStep(NamedTuple):
    """What a step that held saw.

    Attributes:
        text: In a line.
        replies: The requests that were sent.
    """

    text: str
    replies: tuple[Reply, ...] = ()


class Stage:
    """The objects of one case while it runs.

    Args:
        session: The API server.
        case: The case.
        image: The workload's image.
        port: The port that clients connect to.
        ask: Sends one request.
        user: The user of the pods; None where the cluster gives each namespace one.

    Attributes:
        service: The Service as it was last seen.
        second: The second Service, where there is one.
        address: The address of the load balancer.
        old_port: The port before it was changed; 0 where it was not.
        pods: The nodes of the ready pods, by the pods' names.
        asked: The Service and the pods when the first requests were sent; None before.
    """

    def __init__(
        self,
        session: Session,
        case: Case,
        image: str,
        port: int,
        ask: Callable[[ProbeTarget, float], Reply] = ask,
        user: int | None = objects.USER,
    ) -> None:
        self.session = session
        self.case = case
        self.image = image
        self.port = port
        self.ask = ask
        self.user = user
        self.service: Document = {}
        self.second: Document = {}
        self.address = ""
        self.old_port = 0
        self.pods: dict[str, str] = {}
        self.asked: tuple[Document, dict[str, str]] | None = None

    @property
    def service_path(self) -> str:
        """The Service's path."""
        return self.session.place.path("services", self.case.name)

    @property
    def second_path(self) -> str:
        """The second Service's path."""
        return self.session.place.path("services", f"{self.case.name}-2")

    @property
    def deployment_path(self) -> str:
        """The Deployment's path."""
        return self.session.place.path("deployments", self.case.name)

    @property
    def target(self) -> ProbeTarget:
        """Where requests go."""
        return ProbeTarget(self.address, self.port, self.case.udp)

    def see_service(self) -> Document:
        """Read the Service.

        Raises:
            StepFailed: Somebody deleted it.
        """
        service = self.session.get(self.service_path)
        if service is None:
            raise StepFailed("the Service is gone: somebody else deleted it")
        self.service = service
        return service

    def see_pods(self) -> dict[str, str]:
        """Read which pods are ready, and their nodes."""
        query = {"labelSelector": f"{objects.CASE_LABEL}={self.case.name}"}
        pods = self.session.list(self.session.place.path("pods"), query)
        self.pods = {
            text(mapping(pod.get("metadata")).get("name")): text(mapping(pod.get("spec")).get("nodeName"))
            for pod in pods
            if is_ready(pod) and not mapping(pod.get("metadata")).get("deletionTimestamp")
        }
        return self.pods


def ingress(service: Document) -> list[str]:
    """The addresses of a Service's status, IP addresses before hostnames."""
    entries = published(service)
    found = [text(entry.get(field)) for field in ("ip", "hostname") for entry in entries]
    return [address for address in found if address]
