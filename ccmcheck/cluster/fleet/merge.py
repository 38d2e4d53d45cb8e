"""Joins the results of the shards of a fleet, and names the shards that are missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ccmcheck.cluster.core import errors, lazy_regex
from ccmcheck.cluster.fleet.record import FAILED, PARTIAL, READ, Record
from ccmcheck.cluster.fleet.results import MOST_OF_A_LINE, VERSION, parsed

_PREFIX = lazy_regex(rb"\[[\w./-]+\] ")
"""What `kubectl logs --prefix` writes before each line."""
_SHARD = lazy_regex(r"(\d{1,5})/(\d{1,5})", re.ASCII)
_NAMED = 10
_TEXTS = ("name", "key", "server", "source", "context", "read_at")
_OF_A_FINDING = {"rule": str, "severity": str, "fatal": bool, "label": str, "help": str, "made_by": str, "count": int}


class Merged:
    """What the inputs hold together."""

    def __init__(self) -> None:
        self._begun: dict[int, None] = {}
        self._ended: set[int] = set()
        self._count = 0
        self._options: set[str] = set()
        self._cut = 0
        self._unknown = 0
        self._unreadable: list[str] = []

    def leave_out(self, reason: str) -> None:
        """Note an input that is not joined.

        Args:
            reason: Which, and why.
        """
        self._unreadable.append(reason)

    def records(self, lines: Iterable[bytes], name: str) -> Iterator[Record]:
        """The clusters of one input.

        Args:
            lines: Its lines; those that are none of ours, such as a pod's messages, are left out.
            name: What to call it.

        Raises:
            WrongUse: It is of another kind, or of a run that was split in another way.
        """
        shard = -1
        seen = False
        for raw in lines:
            line = _PREFIX.sub(b"", raw, count=1).strip()
            if not line.startswith(b"{"):
                continue
            value = parsed(line) if len(line) <= MOST_OF_A_LINE else None
            if value is None:
                self._cut += 1
                continue
            kind = value["type"]
            if kind == "header":
                shard = self._header(value, name)
                seen = True
            elif kind == "end" and seen:
                self._ended.add(shard)
            elif kind == "cluster" and seen:
                if is_record(value):
                    yield value
                else:
                    self._unknown += 1
        if not seen:
            self.leave_out(f"{name} holds no results of cluster fleet: written with --format ndjson or --resume FILE?")

    @property
    def is_complete(self) -> bool:
        """Whether every shard is there and came to its end."""
        return (
            not (self._cut or self._unknown or self._unreadable)
            and bool(self._count)
            and self._ended.issuperset(range(self._count))
        )

    @property
    def notes(self) -> Iterator[str]:
        """What is missing, or does not fit."""
        yield from (f"Left out: {reason}." for reason in self._unreadable)
        missing = [shard for shard in range(self._count) if shard not in self._begun]
        cut = [shard for shard in self._begun if shard not in self._ended]
        if missing:
            yield f"Missing: {_listed(missing, self._count)}. Their clusters are not in this result."
        if cut:
            yield f"Not complete: {_listed(cut, self._count)}. They ended early, or are still running."
        if self._cut:
            yield f"{self._cut:,} lines are cut off; a log is kept to a size (containerLogMaxSize of the kubelet)."
        if self._unknown:
            yield f"{self._unknown:,} lines are not as this version of ccmcheck writes them."
        if len(self._options) > 1:
            yield "The shards were read with different options, or by different versions of ccmcheck."

    @property
    def shards(self) -> int:
        """How many there should be."""
        return self._count

    def _header(self, value: dict[str, Any], name: str) -> int:
        match = _SHARD.fullmatch(str(value.get("shard")))
        if value.get("kind") != "fleet" or value.get("version") != VERSION or match is None:
            raise errors.WrongUse(f"{name} was written by another command, or another version of ccmcheck")
        shard, count = int(match[1]), int(match[2])
        if self._count and count != self._count:
            raise errors.WrongUse(
                f"{name} is one of {count} shards, and the others are of {self._count}", "Merge one run at a time."
            )
        self._count = count
        self._begun[shard] = None
        self._options.add(str(value.get("options")))
        return shard


def is_record(value: dict[str, Any]) -> bool:
    """Whether a line has what a cluster's line has; results may come from anywhere."""
    if not all(isinstance(value.get(key), str) for key in _TEXTS) or value.get("state") not in (READ, PARTIAL, FAILED):
        return False
    if value["state"] == FAILED:
        error = value.get("error")
        return isinstance(error, dict) and all(isinstance(error.get(key), str) for key in ("message", "hint"))
    return (
        _has(value, {"restart": str, "fatal": int, "uid": str})
        and all(_are(value.get(key), dict) for key in ("ccms", "findings", "failures", "broken", "differing"))
        and all(_are(value.get(key), list) for key in ("balancers", "addresses", "balancer_names"))
        and all(_has(finding, _OF_A_FINDING) and _are(finding.get("places"), str) for finding in value["findings"])
        and all(_has(ccm, {"workload": str, "release": str}) for ccm in value["ccms"])
        and all(_has(failure, {"path": str, "message": str}) for failure in value["failures"])
        and all(_has(service, {"service": str, "why": str, "basis": str}) for service in value["broken"])
        and all(_has(service, {"service": str, "how": str}) for service in value["differing"])
        and all(
            len(pair) == 2 and _are(pair, str)
            for key in ("balancers", "addresses", "balancer_names")
            for pair in value[key]
        )
        and _has(value.get("counts"), {"error": int, "warning": int, "info": int})
        and _has(value.get("services"), {"all": int, "broken": int})
        and _has(value.get("prediction"), {"compared": int, "differ": int})
    )


def _has(value: object, fields: dict[str, type]) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), kind) for key, kind in fields.items())


def _are(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _listed(shards: list[int], count: int) -> str:
    names = ", ".join(f"{shard}/{count}" for shard in shards[:_NAMED])
    more = f" and {len(shards) - _NAMED} more" if len(shards) > _NAMED else ""
    return f"shard{'s' if len(shards) > 1 else ''} {names}{more}"
