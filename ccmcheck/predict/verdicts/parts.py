"""The parts of a request to Octavia, each with what the checks need to know of its surroundings.

Order as in Octavia's ``_graph_create``: pools with their monitors and members first, then the listeners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.inputs.cloud_state import Balancer
from ccmcheck.predict.records import Json, Request

Body: TypeAlias = Mapping[str, Any]

Place = tuple[str, object]
"""A layer-4 protocol and a port."""

_BELOW = {"UDP": "UDP", "SCTP": "SCTP"}


def place(listener: Body) -> Place:
    """Where a listener listens: HTTP, TERMINATED_HTTPS and the like are TCP underneath."""
    return _BELOW.get(str(listener["protocol"]), "TCP"), listener["protocol_port"]


class RequestPart(NamedTuple):
    """One part of a request.

    Attributes:
        kind: ``loadbalancer``, ``listener``, ``pool``, ``members`` or ``healthmonitor``.
        path: Where it is in the body; empty for the load balancer.
        body: The part; empty for members.
        members: The members, where it is these.
        pool: The protocol of the pool that it is, has or is in; empty when unknown.
        listener: The protocol of the listener that it is, or whose pool it is; empty when unknown.
        monitor: The type of the monitor that is changed; empty for a new one.
        new: Whether it is made.
        whole: Whether it comes inside one request for everything.
    """

    kind: str
    path: str
    body: Mapping[str, Any] = {}
    members: tuple[Json, ...] = ()
    pool: str = ""
    listener: str = ""
    monitor: str = ""
    new: bool = True
    whole: bool = False

    def member(self, number: int) -> str:
        """Where a member is."""
        return self.path if self.path == "member" else f"{self.path}[{number}]"


class ExistingParts:
    """The state of the load balancer, as it changes from request to request.

    Args:
        balancer: The existing load balancer; None for a new one.
    """

    def __init__(self, balancer: Balancer | None) -> None:
        self.taken: dict[Place, str] = {}
        self._pools: dict[str, str] = {}
        self._monitors: dict[str, str] = {}
        self._places: dict[str, Place] = {}
        self._listeners: dict[str, str] = {}
        self._made = ""
        self._opened = ""
        self._below: dict[str, str] = {}
        for listener in balancer.listeners if balancer is not None else ():
            where = _BELOW.get(listener.protocol, "TCP"), listener.port
            self._places[listener.id] = where
            self._listeners[listener.id] = listener.protocol
            self.taken[where] = listener.id
            pool = listener.pool
            if pool is not None:
                self._pools[pool.id] = pool.protocol
                if pool.monitor is not None:
                    self._monitors[pool.monitor.id] = pool.monitor.type
                    self._below[pool.id] = pool.monitor.id
        self.monitors = len(self._monitors)

    def listener(self, listener: str) -> str:
        """A listener's protocol; the same."""
        return self._opened if listener.startswith("{") else self._listeners.get(listener, "")

    def pool(self, pool: str) -> str:
        """A pool's protocol; one that has no ID yet is the last that was made, for ports are made one after another."""
        return self._made if pool.startswith("{") else self._pools.get(pool, "")

    def monitor(self, monitor: str) -> str:
        """A monitor's type."""
        return self._monitors.get(monitor, "")

    def note(self, request: Request) -> None:
        """Note what a request changes."""
        if request.method == "DELETE":
            gone = request.path.rpartition("/")[2]
            # a monitor goes with its pool
            self.monitors -= self._monitors.pop(self._below.get(gone, gone), None) is not None
            self.taken.pop(self._places.pop(gone, ("", 0)), None)
        elif request.method == "POST" and request.body is not None:
            pool, listener = request.body.get("pool"), request.body.get("listener")
            if isinstance(pool, dict):
                self._made = str(pool.get("protocol", ""))
            if isinstance(listener, dict):
                self._opened = str(listener["protocol"])


def parts(request: Request, known: ExistingParts) -> Iterator[RequestPart]:
    """The parts of one request."""
    new = request.method == "POST"
    sent: Body = request.body or {}
    for name, body in sent.items():
        if name == "members":
            pool = known.pool(request.path.split("/")[-2])
            yield RequestPart("members", "members", members=tuple(body), pool=pool, new=new)
        elif name == "member":
            yield RequestPart(
                "members", "member", members=(body,), pool=known.pool(request.path.split("/")[-2]), new=new
            )
        elif name == "loadbalancer":
            yield RequestPart(name, "", body, new=new)
            yield from _inside(body)
        elif name == "healthmonitor":
            changed = known.monitor(request.path.rpartition("/")[2])
            yield RequestPart(name, name, body, pool=known.pool(str(body.get("pool_id", ""))), monitor=changed, new=new)
        elif name == "pool":
            opened = known.listener(str(body.get("listener_id", "")))
            yield RequestPart(name, name, body, pool=str(body.get("protocol", "")), listener=opened, new=new)
        else:
            yield RequestPart(name, name, body, listener=str(body.get("protocol", "")), new=new)


def _inside(balancer: Json) -> Iterator[RequestPart]:
    listeners = balancer.get("listeners")
    if not isinstance(listeners, list):
        return
    for index, listener in enumerate(listeners):
        path, pool = f"listeners[{index}].default_pool", listener["default_pool"]
        protocol = str(pool["protocol"])
        yield RequestPart("pool", path, pool, pool=protocol, whole=True)
        if "healthmonitor" in pool:
            yield RequestPart(
                "healthmonitor", f"{path}.healthmonitor", pool["healthmonitor"], pool=protocol, whole=True
            )
        if "members" in pool:
            yield RequestPart("members", f"{path}.members", members=tuple(pool["members"]), pool=protocol, whole=True)
    for index, listener in enumerate(listeners):
        path, pool, protocol = (
            f"listeners[{index}]",
            str(listener["default_pool"]["protocol"]),
            str(listener["protocol"]),
        )
        yield RequestPart("listener", path, listener, pool=pool, listener=protocol, whole=True)
