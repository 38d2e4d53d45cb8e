"""The recorded answers of the real Octavia, for tests without it.

Each line of ``recorded/answers.jsonl`` is a case, with the CCM's release, a hash of the requests that were sent, the statuses
of the answers and the reason of the last one. The lines are sorted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from loadbalancer_oracle import Case, case_of

from ccmcheck.predict.records import Request

AT = Path(__file__).parent / "recorded" / "answers.jsonl"
MOST = 260


class Recorded(NamedTuple):
    """One case and what Octavia said.

    Attributes:
        case: The case.
        release: The CCM's.
        requests: A hash of what was sent.
        statuses: The answers.
        fault: The last answer's reason.
    """

    case: Case
    release: str
    requests: str
    statuses: tuple[int, ...]
    fault: str


class Tried(Protocol):
    """What is recorded, see `octavia_compare.Tried`."""

    @property
    def case(self) -> Case: ...
    @property
    def release(self) -> str: ...
    @property
    def verdict(self) -> Any: ...
    @property
    def played(self) -> Any: ...


def fingerprint(requests: Sequence[Request]) -> str:
    """A hash of the requests to Octavia."""
    sent = [(one.method, one.path, one.body) for one in requests if one.api == "octavia"]
    return hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()[:16]


def choose(found: Sequence[Tried]) -> list[Recorded]:
    """Every kind of refusal a few times, and as many that are taken."""
    seen: dict[str, int] = {}
    chosen: list[Recorded] = []
    for tried in found:
        kind = re.sub(r"'[^']*'|[0-9a-f-]{36}|\d+", "", tried.played.fault) or "taken"
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= (MOST // 2 if kind == "taken" else 8) and len(chosen) < MOST:
            chosen.append(
                Recorded(
                    tried.case,
                    tried.release,
                    fingerprint(tried.verdict.requests),
                    tried.played.statuses,
                    tried.played.fault,
                )
            )
    return chosen


def write(chosen: Sequence[Recorded]) -> int:
    """Write the record; its size in bytes."""
    lines = sorted(json.dumps(recorded, separators=(",", ":"), sort_keys=True) + "\n" for recorded in chosen)
    AT.parent.mkdir(exist_ok=True)
    return AT.write_text("".join(lines), encoding="ascii")


def load() -> Iterator[Recorded]:
    """Read the record."""
    with AT.open(encoding="ascii") as lines:
        for case, release, requests, statuses, fault in map(json.loads, lines):
            yield Recorded(case_of(case), release, requests, tuple(statuses), fault)
