"""What becomes of first connections where some members of an amphora's pool do not answer, and nothing takes them out.

Octavia renders ``retries 3`` and ``option redispatch``: HAProxy tries four times, then closes the client's connection.
Which member a retry goes to depends on the algorithm (haproxy src/backend.c, back_handle_st_cer, v2.6): round robin
takes the next member of its ring, never the same one twice in a row; source IP always takes the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.octavia import CONNECT_TRIES, REFUSED_WAIT_SECONDS, REFUSED_WAITS

MEASURED = "HAProxy 2.6.12 on Octavia 19.0.0's rendered configuration, measured; haproxy src/backend.c"
_SAME = 0.03
"""Shares that differ by less are the same: what the measurements can tell."""


class Share(NamedTuple):
    """A part of all first connections, from its least to its most; the load decides where both differ.

    Attributes:
        least: Between 0 and 1.
        most: Between 0 and 1.
    """

    least: float
    most: float

    def __str__(self) -> str:
        least, most = round(100 * self.least), round(100 * self.most)
        if self.most - self.least < _SAME:
            return f"{round(50 * (self.least + self.most)) or 'under 1'} %"
        return f"{least} to {most} %" if least else f"up to {most} %"


class FirstConnections(NamedTuple):
    """What becomes of first connections, those of many clients if nothing else is said.

    Attributes:
        at_once: The share that is answered without a wait.
        waiting: The share that is answered after a wait.
        closed: The share that HAProxy closes.
        waits: The shortest and the longest wait in seconds; None where nobody waits.
        closed_after: Seconds until HAProxy closes a connection, at most.
        by_client: Whether a client's connections all work or all fail, so that the shares are shares of clients.
        by_load: Whether the number of open connections decides, so that the shares are limits only.
        alone: The three shares where one client alone walks the ring; the order of the members decides between the
            limits. None where that makes no difference.
        closed_from: Seconds until it closes one at the earliest, where that is not ``closed_after``.
    """

    at_once: Share
    waiting: Share
    closed: Share
    waits: tuple[float, float] | None
    closed_after: float
    by_client: bool = False
    by_load: bool = False
    alone: tuple[Share, Share, Share] | None = None
    closed_from: float | None = None

    def describe(self, *, http: bool = False) -> str:
        """The same in a sentence without its full stop.

        Args:
            http: Whether the listener speaks HTTP, so that a client gets a 503 in place of a closed connection.
        """
        least = self.closed_after if self.closed_from is None else self.closed_from
        after = _between(least, self.closed_after) if self.closed_after else "four tries"
        lost = f"answered with 503 after {after}" if http else f"closed after {after}"
        if self.by_client:
            return f"{self.closed} of clients never get through: each of their connections is {lost}"
        if self.by_load:
            return self._depends(lost)
        parts = [f"{self.closed} of first connections are {lost}"] if self.closed.most else []
        if self.waits is not None:
            share = str(self.waiting) if parts else f"{self.waiting} of first connections"
            parts.append(f"{share} wait {_between(*self.waits)}")
        return ", ".join(parts) + self._one_client()

    def _one_client(self) -> str:
        """The same for one client alone, where it fares otherwise."""
        if self.alone is None:
            return ""
        _, waiting, closed = self.alone
        said = ", ".join(f"{share} {word}" for share, word in ((closed, "closed"), (waiting, "wait")) if share.most)
        by_order = any(share.least != share.most for share in self.alone)
        return f"; one client alone{', by the order of the members' if by_order else ''}: {said}"

    def _depends(self, lost: str) -> str:
        parts = [] if self.waits is None else [f"wait {_between(*self.waits)}"]
        if self.closed.most:
            parts.append(f"are {lost}")
        outcome = " or ".join(parts) or "cost nothing"
        return f"the number of open connections decides how many first connections {outcome}"

    def as_dict(self) -> dict[str, object]:
        """The same for programs: shares as pairs of their least and their most, waits in seconds."""
        return {
            "at_once": [round(end, 4) for end in self.at_once],
            "waiting": [round(end, 4) for end in self.waiting],
            "closed": [round(end, 4) for end in self.closed],
            "waits": None if self.waits is None else list(self.waits),
            "closed_from": self.closed_after if self.closed_from is None else self.closed_from,
            "closed_after": self.closed_after,
            "by_client": self.by_client,
            "by_load": self.by_load,
            "alone": self.alone and [[round(end, 4) for end in share] for share in self.alone],
        }


def _between(least: float, most: float) -> str:
    return f"{least:g} s" if least == most else f"{least:g} to {most:g} s"


def from_dict(numbers: Mapping[str, Any]) -> FirstConnections:
    """The record of what `FirstConnections.as_dict` wrote."""
    waits, alone = numbers["waits"], numbers.get("alone")
    return FirstConnections(
        Share(*numbers["at_once"]),
        Share(*numbers["waiting"]),
        Share(*numbers["closed"]),
        None if waits is None else (waits[0], waits[1]),
        numbers["closed_after"],
        numbers["by_client"],
        numbers["by_load"],
        None if alone is None else (Share(*alone[0]), Share(*alone[1]), Share(*alone[2])),
        numbers.get("closed_from"),
    )


def first_connections(
    method: str, members: int, answering: int, timeout: float, *, silent: bool = True
) -> FirstConnections | None:
    """Work out what becomes of first connections.

    Args:
        method: The pool's algorithm in Octavia's words.
        members: How many members the pool has.
        answering: How many of them answer: the nodes with a pod.
        timeout: The listener's timeout_member_connect in seconds.
        silent: Whether the others drop packets, as kube-proxy does under policy Local; False where they refuse.

    Returns:
        None where all members answer, or none is there, or the algorithm is not known.
    """
    failing = members - answering
    if failing <= 0:
        return None
    wait = timeout if silent else 0.0
    closed_from, closed_after = None, CONNECT_TRIES * wait
    waits = (wait, (CONNECT_TRIES - 1) * wait) if silent else None
    if not silent:
        counts = REFUSED_WAITS.get(method if members > 1 else "", (0, 0))
        closed_from, closed_after = (count * min(REFUSED_WAIT_SECONDS, timeout) for count in counts)
    if answering <= 0:
        return FirstConnections(Share(0, 0), Share(0, 0), Share(1, 1), None, closed_after, closed_from=closed_from)
    if method == "SOURCE_IP":
        works, fails = Share(answering / members, answering / members), Share(failing / members, failing / members)
        return FirstConnections(works, Share(0, 0), fails, None, closed_after, by_client=True, closed_from=closed_from)
    if method == "LEAST_CONNECTIONS":
        found = _by_load(failing, waits or (0.0, closed_after), closed_after)
        return found._replace(closed_from=closed_from)
    if method not in ("ROUND_ROBIN", "SOURCE_IP_PORT"):  # the amphora renders SOURCE_IP_PORT as round robin
        return None
    if not silent:
        # tries that are refused follow each other at once, so that no other client turns the ring between them
        closed = lone_shares(members, answering)[CONNECT_TRIES]
        return FirstConnections(Share(1 - closed, 1 - closed), Share(0, 0), Share(closed, closed), None, 0.0)
    busy = busy_shares(members, answering)
    at_once, late, closed = busy[0], sum(busy[1:CONNECT_TRIES]), busy[CONNECT_TRIES]
    longest = max(tries for tries in range(1, CONNECT_TRIES) if busy[tries] > 0)
    alone = lone_limits(members, answering)
    differs = any(
        abs(end - share) >= _SAME
        for limits, share in zip(alone, (at_once, late, closed), strict=True)
        for end in limits
    )
    return FirstConnections(
        Share(at_once, at_once),
        Share(late, late),
        Share(closed, closed),
        (wait, longest * wait),
        closed_after,
        alone=alone if differs else None,
    )


def _by_load(failing: int, waits: tuple[float, float], closed_after: float) -> FirstConnections:
    """Least connections: short connections favour the members that answer, long ones those that do not.

    A member that was tried last is not tried again, so with a single failing member the second try is answered.
    """
    most = 1.0 if failing > 1 else 0.0
    if failing == 1 and waits[0]:
        waits = (waits[0], waits[0])
    return FirstConnections(Share(0, 1), Share(0, 1), Share(0, most), waits, closed_after, by_load=True)


def busy_shares(members: int, answering: int) -> list[float]:
    """Round robin where other clients turn the ring between two tries: any member but the last is as likely.

    Returns:
        The share of connections that is answered at each try, and at last what is closed.
    """
    left, shares = 1.0, []
    failing = members - answering
    fails = failing / members
    again = (failing - 1) / (members - 1)
    for _ in range(CONNECT_TRIES):
        shares.append(left * (1 - fails))
        left *= fails
        fails = again
    return [*shares, left]


def lone_limits(members: int, answering: int) -> tuple[Share, Share, Share]:
    """Round robin where one connection after the other walks the ring: the limits over all orders of its members.

    Between two answering members lies a run of failing ones; each whole `CONNECT_TRIES` of it close a connection, and
    the next is answered at once where nothing is left of the run.

    Returns:
        What is answered at once, what waits, and what is closed, each between its least and its most.
    """
    failing = members - answering
    most_closed = failing // CONNECT_TRIES
    # as few as can be: every run has as many as are still answered
    least_closed = max(0, -(-(failing - (CONNECT_TRIES - 1) * answering) // CONNECT_TRIES))
    even = failing % CONNECT_TRIES == 0
    # at once as often as can be: all failing ones in one run; never where each run can have some
    most = (answering if even else answering - 1) / (answering + most_closed)
    least = max(answering - failing, 0) / answering
    if answering == 1 and even:
        least = most
    closed = Share(least_closed / (answering + least_closed), most_closed / (answering + most_closed))
    return Share(least, most), Share(1 - most - closed.most, 1 - least - closed.least), closed


def lone_shares(members: int, answering: int) -> list[float]:
    """Round robin where one connection after the other walks the ring, averaged over the orders of its members.

    Between two answering members lies a run of failing ones: each whole `CONNECT_TRIES` of it close a connection, and
    the next is answered after the rest of the run.

    Returns:
        The share of connections that is answered at each try, and at last what is closed.
    """
    failing = members - answering
    answered, closed = [0.0] * CONNECT_TRIES, 0.0
    # the chance that a run has this length: the other failing members lie in the other runs
    chance = (answering - 1) / (members - 1)
    for run in range(failing + 1):
        if answering == 1:
            chance = float(run == failing)
        answered[run % CONNECT_TRIES] += chance
        closed += chance * (run // CONNECT_TRIES)
        chance *= (failing - run) / max(members - run - 2, 1)
    total = 1 + closed
    return [*(share / total for share in answered), closed / total]
