"""Leads the requests to load balancers to a function: what is at their addresses is a stand-in.

The requests go over real sockets of loopback. A connection to the stand-in begins with a line that says where it was meant
to go; what a datagram is for, the stand-in knows by the port that it got for its address.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

TCP, UDP = "tcp", "udp"
Answer = Callable[[str, str, int], str]
"""From protocol, address and port to what the pod says; empty where nobody answers."""

PREFIXES = ("203.0.113.", "10.")
"""Of the load balancers' addresses."""
_SECONDS = 30
_MOST = 4096


@contextmanager
def standing_in(answer: Answer) -> Iterator[int]:
    """Serve until the block ends; the port on loopback."""
    datagrams: dict[tuple[str, int], socket.socket] = {}
    with socket.create_server(("127.0.0.1", 0), backlog=128) as server:

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=_serve, args=(connection, answer, datagrams), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            for opened in datagrams.values():
                opened.close()


def _serve(connection: socket.socket, answer: Answer, datagrams: dict[tuple[str, int], socket.socket]) -> None:
    """Answer one connection, or say at which port datagrams for an address are answered."""
    with connection, suppress(OSError):
        connection.settimeout(_SECONDS)
        received = b""
        while b"\n" not in received:
            received += _some(connection)
        protocol, address, port = received.split(b"\n", 1)[0].decode().split(" ")
        if protocol == UDP:
            own = datagrams.get((address, int(port)))
            if own is None:
                own = datagrams[address, int(port)] = _responder(answer, address, int(port))
            connection.sendall(f"{own.getsockname()[1]}\n".encode())
            return
        while b"\r\n\r\n" not in received:
            received += _some(connection)
        said = answer(TCP, address, int(port))
        if said:
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + said.encode())


def _some(connection: socket.socket) -> bytes:
    piece = connection.recv(_MOST)
    if not piece:
        raise ConnectionAbortedError
    return piece


def _responder(answer: Answer, address: str, port: int) -> socket.socket:
    """A socket that answers datagrams for an address."""
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own.bind(("127.0.0.1", 0))

    def respond() -> None:
        while True:
            try:
                _, client = own.recvfrom(_MOST)
                if client is None:  # it was closed
                    return
                said = answer(UDP, address, port)
                if said:
                    own.sendto(said.encode(), client)
            except OSError:
                return

    threading.Thread(target=respond, daemon=True).start()
    return own


@contextmanager
def led_to(port: int) -> Iterator[None]:
    """Lead all requests to load balancers to the stand-in at a port, until the block ends."""
    connect, look_up = socket.create_connection, socket.getaddrinfo

    def create_connection(address: tuple[str, int], *arguments: Any, **named: Any) -> socket.socket:
        if not address[0].startswith(PREFIXES):
            return connect(address, *arguments, **named)
        connection = connect(("127.0.0.1", port), *arguments, **named)
        connection.sendall(f"{TCP} {address[0]} {address[1]}\n".encode())
        return connection

    def getaddrinfo(host: Any, service: Any, *arguments: Any, **named: Any) -> Any:
        if named.get("type") == socket.SOCK_DGRAM and str(host).startswith(PREFIXES):
            with connect(("127.0.0.1", port), timeout=_SECONDS) as asking:
                asking.sendall(f"{UDP} {host} {service}\n".encode())
                host, service = "127.0.0.1", int(asking.makefile().readline())
        return look_up(host, service, *arguments, **named)

    with patch.object(socket, "create_connection", create_connection), patch.object(socket, "getaddrinfo", getaddrinfo):
        yield
