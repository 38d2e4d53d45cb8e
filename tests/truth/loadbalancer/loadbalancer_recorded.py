"""The recorded answers: what the real code asked for in some hundred cases a release, for tests without Go.

``recorded/answers.jsonl.xz`` holds sorted JSON lines: a case, and each of its answers, as `loadbalancer_oracle` has them, with
the releases that give it. Look-ups are left out. It is compressed because the lines are 13 MB.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loadbalancer_oracle import Answer, Asked, Case, case_of

AT = Path(__file__).parent / "recorded" / "answers.jsonl.xz"
SEED = 20
CANDIDATES = 1500
MOST = 110  # of new cases, and of existing ones, a release

Json = dict[str, Any]


def choose(answers: Sequence[Sequence[Answer]]) -> list[int]:
    """Choose cases that show as much as possible.

    Args:
        answers: For each case what one or more releases did.

    Returns:
        The numbers of the chosen cases, ascending.
    """
    left = {number: {what for one in given for what in _features(one)} for number, given in enumerate(answers)}
    chosen: list[int] = []
    seen: set[str] = set()
    while left and len(chosen) < MOST:
        number = max(left, key=lambda one: (_outcomes(left[one]) - seen != set(), len(left[one] - seen), -one))
        if not left[number] - seen:
            seen = set()  # each feature once more
            if not left[number]:
                break
            continue
        chosen.append(number)
        seen |= left.pop(number)
    return sorted(chosen)


def _outcomes(features: set[str]) -> set[str]:
    """Those of them that are outcomes, of which each counts more than anything else."""
    return {one for one in features if one.isalpha()}


def _features(answer: Answer) -> Iterator[str]:
    yield answer.outcome
    if answer.error:
        yield "error " + re.sub(r'"[^"]*"|\d+', "", answer.error)[:60]
    for event in answer.events:
        yield f"event {event.split()[1]}"
    for one in answer.ingress:
        yield f"status {' '.join(one)}"
    for asked in answer.changes:
        kind = f"{asked.method} {asked.path.split('/')[2:4]}"
        yield kind
        for field, value in _fields(asked.body):
            yield f"{kind} {field} {value if isinstance(value, int) or len(str(value)) < 16 else ''}"


def _fields(body: object, at: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(body, dict):
        for key, value in body.items():
            yield from _fields(value, f"{at}.{key}")
    elif isinstance(body, list):
        for value in body:
            yield from _fields(value, at)
    else:
        yield at, body


def write(kept: Mapping[str, Sequence[tuple[Case, Answer]]]) -> int:
    """Write the record; its size in bytes."""
    by_case: dict[str, dict[str, list[str]]] = {}
    for tag, pairs in kept.items():
        for case, answer in pairs:
            by_case.setdefault(_dump(case), {}).setdefault(_dump(_short(answer)), []).append(tag)
    lines = [
        f"[{case},[{','.join(f'[{_dump(tags)},{answer}]' for answer, tags in answers.items())}]]\n"
        for case, answers in sorted(by_case.items())
    ]
    packed = lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    AT.parent.mkdir(exist_ok=True)
    AT.write_bytes(packed)
    return len(packed)


def load() -> dict[str, list[tuple[Case, Answer]]]:
    """Read the record: for each release cases and answers."""
    by_release: dict[str, list[tuple[Case, Answer]]] = {}
    with lzma.open(AT, "rt", encoding="ascii") as lines:
        for raw_case, groups in map(json.loads, lines):
            case = case_of(raw_case)
            for tags, raw_answer in groups:
                answer = _answer(raw_answer)
                for tag in tags:
                    by_release.setdefault(tag, []).append((case, answer))
    return dict(sorted(by_release.items()))


def _short(answer: Answer) -> Answer:
    return answer._replace(requests=answer.changes, cloud=None)


def _answer(raw: list[Any]) -> Answer:
    outcome, error, requests, ingress, events, annotations, _ = raw
    return Answer(
        outcome, error, tuple(Asked(*one) for one in requests), tuple(ingress), tuple(events), annotations, None
    )


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)
