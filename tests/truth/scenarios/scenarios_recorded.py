"""The recorded scenarios: what the real code did, act by act, for tests without Go.

``recorded/scenarios.jsonl.xz`` has a JSON line for each scenario: a release's tag, the scenario, and an answer an act.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path

from loadbalancer_oracle import Answer, Asked, case_of
from loadbalancer_scenarios import Act, Scenario

AT = Path(__file__).parent / "recorded" / "scenarios.jsonl.xz"
SEED, COUNT = 1, 40

Played = tuple[Scenario, list[Answer]]


def write(played: Mapping[str, Sequence[Played]]) -> int:
    """Write the record; its size in bytes."""
    lines = [
        json.dumps([tag, scenario, [one._replace(requests=one.changes) for one in answers]], separators=(",", ":"))
        for tag, each in played.items()
        for scenario, answers in each
    ]
    packed = lzma.compress("".join(f"{line}\n" for line in lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    AT.write_bytes(packed)
    return len(packed)


def load() -> dict[str, list[Played]]:
    """Read the record: for each release its scenarios."""
    found: dict[str, list[Played]] = {}
    with lzma.open(AT, "rt", encoding="ascii") as lines:
        for tag, (name, case, acts), answers in map(json.loads, lines):
            scenario = Scenario(name, case_of(case), tuple(Act(*act) for act in acts))
            found.setdefault(tag, []).append((scenario, [_answer(*raw) for raw in answers]))
    return found


def _answer(
    outcome: str,
    error: str,
    requests: list[list[object]],
    ingress: object,
    events: object,
    annotations: object,
    cloud: object,
) -> Answer:
    asked = tuple(Asked(*one) for one in requests)  # type: ignore[arg-type]  # as they were written
    return Answer(outcome, error, asked, tuple(ingress), tuple(events), annotations, cloud)  # type: ignore[arg-type]
