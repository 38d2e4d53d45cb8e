"""Compares what the real code did with what ccmcheck predicts, field by field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

from loadbalancer_facts import facts
from loadbalancer_foretold import Foretold, foretell, foretell_act
from loadbalancer_ids import identify, readable
from loadbalancer_left import left_differences
from loadbalancer_oracle import Answer, Asked, Case

from ccmcheck.predict.records import Request

Json = dict[str, Any]
_Request = TypeVar("_Request", Asked, Request)

# gophercloud's words for a 404, which contain the fake OpenStack's port
_MISSING = (
    re.compile(r"Expected HTTP response code \[[\d ]+\] when accessing \[[^\]]*\], but got 404 instead: .*", re.DOTALL),
    re.compile(r"Resource not found: \[[^\]]*\], error message: .*", re.DOTALL),
    re.compile(r"Resource not found$"),
)
_CONFLICT = re.compile(
    r'Expected HTTP response code \[[\d ]+\] when accessing \[[^\]]*\], but got 409 instead: \{.*"faultstring":"([^"]*)".*',
    re.DOTALL,
)
# a whole request body in an error
_BODY = re.compile(r"error creating loadbalancer \{.*\}: ", re.DOTALL)
_SYMBOL = re.compile(r"\{[^{}]*\}")


def differences(case: Case, answer: Answer, release: str) -> list[str]:
    """What differs for one case, a line each.

    Args:
        case: The case.
        answer: What the real code did.
        release: As ccmcheck names it.
    """
    answer = _plain(answer)
    changes = answer.changes
    usual = identify("net-ext")
    known = facts(case, release, changes, usual)
    ours = foretell(case, release, known)
    if ours.network not in ("", usual):
        known = facts(case, release, changes, ours.network)
        ours = foretell(case, release, known)
    lines = list(compared(case, answer, ours)) or left_differences(case, answer, release, known, ours.requests)
    return [readable(line) for line in lines]


def act_differences(kind: str, case: Case, answer: Answer, release: str) -> list[str]:
    """What differs for one act of a scenario, a line each.

    Args:
        kind: The act's.
        case: What was before.
        answer: What the real code did, with what exists afterwards.
        release: As ccmcheck names it.
    """
    if kind in ("ensure", "restart") or answer.outcome in ("config", "start", "unsupported", "exit"):
        return differences(case, answer, release)
    answer = _plain(answer)
    known = facts(case, release, (), "")
    ours = foretell_act(kind, case, release, known)
    lines = list(compared(case, answer, ours)) or left_differences(case, answer, release, known, ours.requests)
    return [readable(line) for line in lines]


def _plain(answer: Answer) -> Answer:
    """An answer in which a panic is an error, and "others do it" the same as not being asked."""
    if answer.outcome == "panic":
        return answer._replace(outcome="error")
    if answer.error == "implemented by alternate to cloud provider":
        return answer._replace(outcome="unsupported", error="")
    return answer


def compared(case: Case, answer: Answer, ours: Foretold) -> Iterator[str]:
    """What differs before the state that is left behind."""
    if ours.outcome != answer.outcome:
        yield f"outcome: predicted {ours.outcome} ({ours.error}), real {answer.outcome} ({said(answer.error)})"
        return
    names = Names(case)
    yield from _requests(names, ours, answer)
    if not names.unify(ours.error, said(answer.error)):
        yield f"error: predicted {ours.error!r}, real {said(answer.error)!r}"
    yield from _rest(ours, answer)


def _rest(ours: Foretold, answer: Answer) -> Iterator[str]:
    if ours.ingress is not None and list(ours.ingress) != list(answer.ingress):
        yield f"status: predicted {list(ours.ingress)}, real {list(answer.ingress)}"
    if list(ours.events) != list(answer.events):
        yield f"events: predicted {list(ours.events)}, real {list(answer.events)}"


def _requests(names: Names, ours: Foretold, answer: Answer) -> Iterator[str]:
    real = in_order(answer.changes)
    for number, (mine, theirs) in enumerate(zip(in_order(ours.requests), real, strict=False)):
        said = f"{theirs.method} {plain_path(theirs.path)}" + (f"?{theirs.query}" if theirs.query else "")
        if not names.unify(f"{mine.method} {plain_path(mine.path)}".rstrip("/"), said):
            yield f"request {number}: predicted {mine.method} {plain_path(mine.path)}, real {said}"
            return
        for line in names.compare(mine.body, theirs.body, ""):
            yield f"request {number}, {said}: {line}"
    if len(ours.requests) != len(real):
        short = [
            f"{one.method} {plain_path(one.path)}"
            for one in (ours.requests if len(ours.requests) > len(real) else real)
        ]
        which = "predicted" if len(ours.requests) > len(real) else "real"
        yield f"requests: {which} goes on with {short[min(len(ours.requests), len(real)) :]}"


def in_order(requests: Sequence[_Request]) -> list[_Request]:
    """Requests, with a NodePort's rules in the order of their remotes: those of ovn come from a Go map, in any order."""
    found: list[_Request] = []
    for _, run in groupby(requests, _rule_of):
        found += sorted(run, key=_remote_of)
    return found


def _rule_of(request: _Request) -> object:
    if not request.path.endswith("/security-group-rules") or request.body is None:
        return object()
    rule = _rule(request.body)
    return rule["protocol"], rule.get("port_range_min")


def _remote_of(request: _Request) -> str:
    return str(_rule(request.body or {}).get("remote_ip_prefix", ""))


def _rule(body: Mapping[str, Any]) -> Json:
    rule = body.get("security_group_rule")
    return rule if isinstance(rule, dict) else {}


def plain_path(path: str) -> str:
    return re.sub(r"^/v2(\.0)?/", "/", path)


def said(error: str) -> str:
    for pattern in _MISSING:
        error = pattern.sub("Resource not found", error)
    error = _CONFLICT.sub(r"\1", error)
    return _BODY.sub("error creating loadbalancer: ", error)


class Names:
    """The objects behind the names in braces, each a new one."""

    def __init__(self, case: Case) -> None:
        self._meant: dict[str, str] = {}
        self._there = set(_ids(case.cloud))

    def unify(self, mine: str, theirs: str) -> bool:
        """Whether a text with names in braces can be the other one."""
        names = _SYMBOL.findall(mine)
        if not names:
            return mine == theirs
        pattern = "([^/ ]+)".join(re.escape(part) for part in _SYMBOL.split(mine))
        found = re.fullmatch(pattern, theirs)
        if found is None:
            return False
        return all(
            meaning not in self._there and self._meant.setdefault(name, meaning) == meaning
            for name, meaning in zip(names, found.groups(), strict=True)
        )

    def compare(self, mine: object, theirs: object, at: str) -> Iterator[str]:
        """Yield the fields that differ."""
        if isinstance(mine, dict) and isinstance(theirs, dict):
            for key in dict.fromkeys([*mine, *theirs]):
                here = f"{at}.{key}" if at else str(key)
                if key not in mine:
                    yield f"{here} is really {theirs[key]!r}, predicted without it"
                elif key not in theirs:
                    yield f"{here} is predicted {mine[key]!r}, really without it"
                else:
                    yield from self.compare(mine[key], theirs[key], here)
        elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
            known_groups = at.endswith("security_groups") and not any("{" in str(one) for one in mine)
            if at.endswith("allowed_cidrs") or known_groups:  # from a set: in any order
                mine, theirs = sorted(mine), sorted(theirs)
            for number, (one, other) in enumerate(zip(mine, theirs, strict=True)):
                yield from self.compare(one, other, f"{at}[{number}]")
        elif isinstance(mine, str) and isinstance(theirs, str):
            if not self.unify(mine, theirs):
                yield f"{at} is predicted {mine!r}, really {theirs!r}"
        elif at.endswith(".tags") and not mine and not theirs:
            pass  # null where an old API shows no tags
        elif mine != theirs or type(mine) is not type(theirs):
            yield f"{at} is predicted {mine!r}, really {theirs!r}"


def _ids(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        if isinstance(data.get("id"), str):
            yield data["id"]
        for value in data.values():
            yield from _ids(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _ids(value)
