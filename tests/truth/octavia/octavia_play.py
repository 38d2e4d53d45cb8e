"""Sends predicted requests to the real Octavia, as the CCM would."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from octavia_api import Octavia, Reply

from ccmcheck.predict.records import Request

Json = dict[str, Any]

_SYMBOL = re.compile(r"\{[^{}]*\}")
_ROOT = re.compile(r"^/v2(\.0)?/lbaas/")


class Played(NamedTuple):
    """How it went.

    Attributes:
        statuses: The status of each request, up to the first that was refused.
        fault: Why that was refused; empty where none was.
        passed_over: The places of those that were refused before, and that the CCM goes on after.
        balancer: The load balancer's ID.
    """

    statuses: tuple[int, ...]
    fault: str
    tolerated: tuple[int, ...]
    balancer: str

    @property
    def taken(self) -> bool:
        """Whether all were."""
        return not self.fault


def play(
    octavia: Octavia, requests: Sequence[Request], tolerated: frozenset[int] = frozenset(), balancer: str = ""
) -> Played:
    """Send requests to Octavia, with what it made for the names in braces.

    Args:
        octavia: The API.
        requests: The requests; those to Neutron are left out.
        passed_over: The places of those after which the CCM goes on, whatever the answer.
        balancer: The existing load balancer; empty for none.
    """
    made: dict[str, str] = {}
    bound: dict[str, str] = {}
    statuses: list[int] = []
    over: list[int] = []
    for at, request in enumerate(requests):
        if request.api != "octavia":
            continue
        path = _filled(_ROOT.sub("", request.path), made, bound)
        reply = octavia.ask(request.method, path, _body(request.body, made, bound))
        statuses.append(reply.status)
        if not reply.taken and at in tolerated:
            over.append(at)
            continue
        if not reply.taken:
            return Played(tuple(statuses), reply.fault or "no words", tuple(over), balancer)
        balancer = _note(reply, made) or balancer
    return Played(tuple(statuses), "", tuple(over), balancer)


def _note(reply: Reply, made: dict[str, str]) -> str:
    """Keep what was made; the load balancer's ID where it is one."""
    for kind, one in reply.body.items():
        if isinstance(one, dict) and "id" in one:
            made[kind] = one["id"]
            if kind == "loadbalancer":
                made["vip port"], made["vip subnet"] = one["vip_port_id"], one["vip_subnet_id"]
                return str(one["id"])
    return ""


def _filled(text: str, made: dict[str, str], bound: dict[str, str]) -> str:
    """A text with IDs for names in braces: the first occurrence of a name takes the newest object."""

    def meaning(found: re.Match[str]) -> str:
        name = found[0].strip("{}")
        kind = name.rstrip("0123456789 ")
        kind = {"monitor": "healthmonitor"}.get(kind, kind)
        return bound.setdefault(name, made.get(kind, found[0]))

    return _SYMBOL.sub(meaning, text)


def _body(body: Any, made: dict[str, str], bound: dict[str, str]) -> Any:
    if isinstance(body, dict):
        return {key: _body(value, made, bound) for key, value in body.items()}
    if isinstance(body, list):
        return [_body(value, made, bound) for value in body]
    return _filled(body, made, bound) if isinstance(body, str) else body


def tree(octavia: Octavia, balancer: str) -> Json:
    """A load balancer with all that is in it, as `loadbalancer_cloud` has them."""
    found = _one(octavia, f"loadbalancers/{balancer}", "loadbalancer")
    found["listeners"] = [
        _listener(octavia, one)
        for one in octavia.ask("GET", f"listeners?loadbalancer_id={balancer}").body.get("listeners", [])
    ]
    return found


def _listener(octavia: Octavia, listener: Json) -> Json:
    pool = listener.get("default_pool_id")
    if pool:
        found = _one(octavia, f"pools/{pool}", "pool")
        found["members"] = octavia.ask("GET", f"pools/{pool}/members").body.get("members", [])
        if found.get("healthmonitor_id"):
            found["healthmonitor"] = _one(octavia, f"healthmonitors/{found['healthmonitor_id']}", "healthmonitor")
        listener["default_pool"] = found
    return listener


def _one(octavia: Octavia, path: str, kind: str) -> Json:
    one: Json = octavia.ask("GET", path).body.get(kind, {})
    return one
