"""The recorded answers: what the real code asked for in some hundred cases a release, for tests without Go.

``recorded/answers.json.xz`` holds, for each release, pairs of a case and its answer, as `loadbalancer_oracle` has them;
what several of them share is stored once. Look-ups are left out.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loadbalancer_oracle import Answer, Asked, Case, case_of

AT = Path(__file__).parent / "recorded" / "answers.json.xz"
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
    cases: dict[str, int] = {}
    answers: dict[str, int] = {}
    pairs = {
        tag: [
            (
                cases.setdefault(_dump(case), len(cases)),
                answers.setdefault(_dump(_short(answer)), len(answers)),
            )
            for case, answer in given
        ]
        for tag, given in kept.items()
    }
    text = "\n".join([_dump(pairs), f"[{','.join(cases)}]", f"[{','.join(answers)}]"])
    packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    AT.parent.mkdir(exist_ok=True)
    AT.write_bytes(packed)
    return len(packed)


def load() -> dict[str, list[tuple[Case, Answer]]]:
    """Read the record: for each release cases and answers."""
    pairs, cases, answers = map(json.loads, lzma.decompress(AT.read_bytes()).decode().splitlines())
    return {
        tag: [(case_of(cases[number]), _answer(answers[answer])) for number, answer in given]
        for tag, given in pairs.items()
    }


def _short(answer: Answer) -> Answer:
    return answer._replace(requests=answer.changes, cloud=None)


def _answer(raw: list[Any]) -> Answer:
    outcome, error, requests, ingress, events, annotations, _ = raw
    return Answer(
        outcome, error, tuple(Asked(*one) for one in requests), tuple(ingress), tuple(events), annotations, None
    )


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)
