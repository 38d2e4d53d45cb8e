"""Puts what was measured beside the model, and says where they differ."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from haproxy_play import ANSWERING, Measured, Pool

from ccmcheck.catalog.data.octavia import CONNECT_TRIES
from ccmcheck.predict.verdicts.redispatch import busy_shares, first_connections, lone_limits, lone_shares

POINTS = 0.03
"""How far shares, pooled over the shapes, may be from the model."""
SLACK = 0.02
"""One connection of sixty."""
SECONDS = 0.3
"""How far the moment may be at which a connection is closed."""
Shares = tuple[float, float, float]


def walked(order: str) -> Shares:
    """What becomes of the connections of one client that walks a ring; ``x`` answers."""
    start = order.index("x") + 1
    outcomes, tries = [0, 0, 0], 0
    for sign in order[start:] + order[:start]:
        tries += 1
        if sign == "x" or tries == CONNECT_TRIES:
            outcomes[2 if sign != "x" else int(tries > 1)] += 1
            tries = 0
    at_once, late, closed = (count / sum(outcomes) for count in outcomes)
    return at_once, late, closed


class Row(NamedTuple):
    """All connections to pools of one kind.

    Attributes:
        shape: How many members, and how many of them answer.
        method: The algorithm.
        load: ``busy``, ``alone``, ``clients``, ``held``, or ``ordered`` with the members' order.
        silent: Whether the others are silent, not refusing.
        timeout: timeout_member_connect in seconds.
        connections: How many there were.
        measured: The shares answered at once, answered late, closed.
        closed: The first and the last moment at which one was closed, in seconds; None where none was.
        steady: Whether each client's connections all had one outcome.
    """

    shape: tuple[int, int]
    method: str
    load: str
    silent: bool
    timeout: float
    connections: int
    measured: Shares
    closed: tuple[float, float] | None
    steady: bool

    @property
    def model(self) -> Shares | None:
        """The shares that the model gives for this load; None where it gives limits only."""
        members, answering = self.shape
        if self.load.startswith("ordered "):
            return walked(self.load.removeprefix("ordered "))
        if self.method == "LEAST_CONNECTIONS":
            most = first_connections(self.method, members, answering, self.timeout, silent=self.silent)
            if self.load != "held" or most is None:
                return None
            return 0.0, 1 - most.closed.most, most.closed.most
        if self.method == "SOURCE_IP":
            return answering / members, 0.0, 1 - answering / members
        shares = (busy_shares if self.load == "busy" and self.silent else lone_shares)(members, answering)
        late = sum(shares[1:-1])
        return (shares[0], late, shares[-1]) if self.silent else (shares[0] + late, 0.0, shares[-1])

    @property
    def closes(self) -> tuple[float, float]:
        """When the model closes a connection, at the earliest and at the latest."""
        first = first_connections(self.method, *self.shape, self.timeout, silent=self.silent)
        if first is None:
            return 0.0, 0.0
        return first.closed_after if first.closed_from is None else first.closed_from, first.closed_after

    def line(self) -> str:
        """The row of the printed table."""
        members, answering = self.shape
        when = "" if self.closed is None else f"{self.closed[0]:.2f} to {self.closed[1]:.2f} s ({self.closes[1]:g})"
        others = f"{'silent' if self.silent else 'refusing'} {self.timeout:g}"
        pair = "  ".join(
            "/".join(f"{100 * share:.1f}" for share in shares or ()).ljust(18) for shares in (self.measured, self.model)
        )
        return (
            f"{answering} of {members:<9}{self.method:19}{self.load:9}{others:14}{self.connections:6}  {pair}  {when}"
        )

    def as_dict(self) -> dict[str, Any]:
        """The same for a file."""
        return self._asdict()


def rows_of(pools: list[Pool], measured: list[list[Measured]]) -> list[Row]:
    """Add up the pools of one kind, whose members are in different orders."""
    grouped: dict[tuple[Any, ...], list[list[Measured]]] = defaultdict(list)
    for pool, connections in zip(pools, measured, strict=True):
        load = pool.load
        if load == "ordered":
            load += " " + "".join("x" if port == ANSWERING else "." for port in pool.ports)
        grouped[pool.shape, pool.method, load, pool.silent, pool.timeout].append(connections)
    return [_row(kind, several) for kind, several in grouped.items()]


def _row(kind: tuple[Any, ...], several: list[list[Measured]]) -> Row:
    timeout = kind[-1]
    every = [connection for connections in several for connection in connections]
    closed = [connection.seconds for connection in every if not connection.answered]
    at_once = sum(connection.answered and connection.seconds < timeout * 0.75 for connection in every)
    shares = (at_once / len(every), (len(every) - at_once - len(closed)) / len(every), len(closed) / len(every))
    outcomes: dict[tuple[int, str], set[bool]] = defaultdict(set)
    for number, connections in enumerate(several):
        for connection in connections:
            outcomes[number, connection.client].add(connection.answered)
    steady = all(len(outcome) == 1 for outcome in outcomes.values())
    moments = (round(min(closed), 2), round(max(closed), 2)) if closed else None
    shape, method, load, silent, _ = kind
    return Row(shape, method, load, silent, timeout, len(every), shares, moments, steady)


def faults(rows: list[Row]) -> list[str]:
    """Where the model is wrong, in words."""
    found = []
    pooled: dict[tuple[str, str, bool], list[Row]] = defaultdict(list)
    for row in rows:
        if row.model is not None:
            pooled[row.method, row.load, row.silent].append(row)
        least, most = row.closes
        if row.closed is not None and not least - SECONDS <= row.closed[0] <= row.closed[1] <= most + SECONDS:
            found.append(f"closed at {row.closed[0]} to {row.closed[1]} s, not {least:g} to {most:g} s: {row.line()}")
        if row.load == "clients" and not row.steady:
            found.append(f"some clients get through only sometimes: {row.line()}")
        if row.load.startswith("ordered ") and any(
            not limit.least - SLACK <= share <= limit.most + SLACK
            for share, limit in zip(row.measured, lone_limits(*row.shape), strict=True)
        ):
            found.append(f"one client alone fares beyond the limits: {row.line()}")
    for (method, load, silent), alike in pooled.items():
        count = sum(row.connections for row in alike)
        off = [
            sum(row.connections * (row.measured[at] - (row.model or row.measured)[at]) for row in alike) / count
            for at in range(3)
        ]
        print(
            f"{method} {load} {'silent' if silent else 'refusing'}: {count} connections, off by",
            *(f"{100 * one:+.1f}" for one in off),
        )
        if max(map(abs, off)) > POINTS:
            found.append(f"{method} {load}: shares are off by {[round(100 * one, 1) for one in off]} points")
    return found
