"""Plays clients against a real HAProxy on loopback whose members answer, are silent, or refuse."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import subprocess
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

ANSWERING, SILENT, REFUSING = 28080, 28081, 28082
"""The ports of the members; each is bound on all of 127.0.0.0/8, so that every address of it is a member."""
FIRST_LISTENER = 21000
_CLIENT_SECONDS = 60


class Pool(NamedTuple):
    """One pool to measure.

    Attributes:
        shape: How many members it has, and how many of them answer.
        method: The algorithm in Octavia's words.
        load: ``busy``: connections begin at random moments, about ten within the time of four tries; ``alone``: one
            connection after the other; ``ordered``: the same with members in a chosen order; ``clients``: many addresses;
            ``held``: one after the other while the members that answer have open connections.
        silent: Whether the other members are silent, not refusing.
        timeout: timeout_member_connect in seconds.
        ports: The members' ports in the order of the configuration.
        connections: How many connections are measured.
    """

    shape: tuple[int, int]
    method: str
    load: str
    silent: bool
    timeout: float
    ports: tuple[int, ...]
    connections: int


class Measured(NamedTuple):
    """One first connection.

    Attributes:
        answered: Whether a member answered it.
        seconds: Until then, or until HAProxy closed it.
        client: The client's address.
    """

    answered: bool
    seconds: float
    client: str


def arranged(
    shape: tuple[int, int],
    method: str,
    load: str,
    *,
    silent: bool,
    timeout: float,
    connections: int,
    chance: random.Random,
) -> Pool:
    """A pool whose members are in an order by chance."""
    members, answering = shape
    ports = [ANSWERING] * answering + [SILENT if silent else REFUSING] * (members - answering)
    chance.shuffle(ports)
    return Pool(shape, method, load, silent, timeout, tuple(ports), connections)


def in_order(order: str, *, timeout: float, connections: int) -> Pool:
    """A pool for one client alone; ``x`` in the order is a member that answers, ``.`` a silent one."""
    ports = tuple(ANSWERING if sign == "x" else SILENT for sign in order)
    shape = len(order), order.count("x")
    return Pool(shape, "ROUND_ROBIN", "ordered", silent=True, timeout=timeout, ports=ports, connections=connections)


def member_address(number: int) -> str:
    """The address of a pool's member."""
    return f"127.20.{number // 250}.{number % 250 + 1}"


async def measure(command: list[str], configuration: Path, pools: list[Pool], seed: int) -> list[list[Measured]]:
    """Start HAProxy on a configuration with a listener for each pool, and connect to all pools at once.

    Returns:
        What was measured, pool by pool.
    """
    async with _members():
        with subprocess.Popen([*command, "-db", "-f", str(configuration)], stderr=subprocess.DEVNULL) as haproxy:  # noqa: ASYNC220 - it starts before anything else runs
            try:
                await _until_listening(FIRST_LISTENER, haproxy)
                measured = await asyncio.gather(
                    *(_measure(pool, FIRST_LISTENER + number, seed + number) for number, pool in enumerate(pools))
                )
                if haproxy.poll() is not None:
                    raise RuntimeError(f"HAProxy ended with exit code {haproxy.returncode} while it was measured")
                return list(measured)
            finally:
                haproxy.kill()


@contextlib.asynccontextmanager
async def _members() -> AsyncIterator[None]:
    """A server that answers, and one whose queue of connections is full, so that the kernel drops further ones."""
    answering = await asyncio.start_server(_answer, "0.0.0.0", ANSWERING, backlog=4096)  # noqa: S104 - loopback only matters
    with contextlib.ExitStack() as open_sockets:
        silent = open_sockets.enter_context(socket.socket())
        silent.bind(("0.0.0.0", SILENT))  # noqa: S104
        silent.listen(0)
        for _ in range(2):
            filling = open_sockets.enter_context(socket.socket())
            filling.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filling.connect(("127.0.0.1", SILENT))
        await asyncio.sleep(0.2)
        yield
    answering.close()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"x")
    with contextlib.suppress(OSError):
        await writer.drain()
        await reader.read()  # until the client ends it
    writer.close()


async def _until_listening(port: int, haproxy: subprocess.Popen[bytes]) -> None:
    for _ in range(100):
        if haproxy.poll() is not None:
            raise RuntimeError(f"HAProxy ended with exit code {haproxy.returncode}")
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.1)
    raise RuntimeError("HAProxy does not listen after 10 s")


async def _measure(pool: Pool, port: int, seed: int) -> list[Measured]:
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    measured: list[Measured] = []
    at_once = {"busy": pool.connections, "alone": 1, "ordered": 1, "held": 1, "clients": pool.connections // 2}[
        pool.load
    ]
    span = 4 * pool.timeout * pool.connections / 10  # not all pools at once, which this program could not time

    async def client(number: int) -> None:
        address = f"127.30.{number // 250}.{number % 250 + 1}"
        await asyncio.sleep(chance.random() * span)
        for _ in range(pool.connections // at_once):
            measured.append(await _connect(port, address))
            await asyncio.sleep(chance.random() * pool.timeout / 8)

    async with contextlib.AsyncExitStack() as held:
        if pool.load == "held":
            await asyncio.gather(*(_hold(port, held) for _ in range(4 * len(pool.ports))))
        await asyncio.gather(*map(client, range(at_once)))
    return measured


async def _hold(port: int, held: contextlib.AsyncExitStack) -> None:
    """Open a connection, and keep it where it is answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    if await reader.read(1):
        held.callback(writer.close)
    else:
        writer.close()


async def _connect(port: int, address: str) -> Measured:
    began = time.monotonic()
    said = b""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(_CLIENT_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            said = await reader.read(1)
            writer.close()
    return Measured(said == b"x", time.monotonic() - began, address)
