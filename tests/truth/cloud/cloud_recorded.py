"""The recorded steps: what the real programs did, for tests without Go and Octavia.

``recorded/steps.jsonl.xz`` has a JSON line for each step: its releases' tags, name, act, case, answer and statuses. Look-ups are
left out, and IDs that OpenStack made up are numbered.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cloud_play import Step
from loadbalancer_oracle import Answer, Asked, case_of

AT = Path(__file__).parent / "recorded" / "steps.jsonl.xz"
_RANDOM = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_PORT = re.compile(r"127\.0\.0\.1:\d+")
_TIMES = re.compile(r'"(?:created_at|updated_at)":"[^"]*",')


def write(steps: Mapping[str, Sequence[Step]], at: Path = AT) -> int:
    """Write the record of some cases, and keep that of others; its size in bytes."""
    new = {(tag, _case(step.name)) for tag, played in steps.items() for step in played}
    lines = [line for line in _lines(at) if _key(line) not in new]
    for tag, played in steps.items():
        numbers: dict[str, str] = {}
        for step in played:
            if step.name.endswith(" 0"):
                numbers = {}
            lines.append(_plain(tag, step, numbers))
    packed = lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    at.parent.mkdir(exist_ok=True)
    at.write_bytes(packed)
    return len(packed)


def _key(line: str) -> tuple[str, str]:
    tag, name, *_ = json.loads(line)
    return tag, _case(name)


def _case(name: str) -> str:
    return name.rpartition(" ")[0]


def _plain(tag: str, step: Step, numbers: dict[str, str]) -> str:
    answer = step.answer._replace(requests=step.answer.changes)
    text = json.dumps([tag, *step._replace(answer=answer)], separators=(",", ":"), sort_keys=True)

    def numbered(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"00000000-0000-4000-8000-{len(numbers):012}")

    return _PORT.sub("127.0.0.1:1", _TIMES.sub("", _RANDOM.sub(numbered, text))) + "\n"


def _lines(at: Path) -> list[str]:
    if not at.exists():
        return []
    with lzma.open(at, "rt", encoding="ascii") as file:
        return list(file)


def load(at: Path = AT) -> dict[str, list[Step]]:
    """Read the record: for each release its steps."""
    found: dict[str, list[Step]] = {}
    for tag, name, act, case, answer, statuses in map(json.loads, _lines(at)):
        found.setdefault(tag, []).append(Step(name, act, case_of(case), _answer(answer), tuple(statuses)))
    return found


def _answer(raw: list[Any]) -> Answer:
    outcome, error, requests, ingress, events, annotations, cloud = raw
    return Answer(
        outcome, error, tuple(Asked(*one) for one in requests), tuple(ingress), tuple(events), annotations, cloud
    )
