"""Recorded answers of the real readers, so that everyday tests need no Go.

``python tests/truth/reader/compare.py --record`` writes them. ``recorded/readers.json`` has every reader with what an empty
file gives; ``recorded/answers.jsonl`` has a line for each input: what differs from that, by groups of readers.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reader_oracle import Answer, Key, Value
from reader_releases import Buildable, buildable

FOLDER = Path(__file__).parent / "recorded"
MAP_PROBE = b'[LoadBalancerClass "x"]\n[Global "x"]\n'
"""An input that shows the keys of every map section."""


class RecordedReader(NamedTuple):
    """One reader.

    Attributes:
        release: The release.
        consumer: Who reads.
        defaults: Every key of the plain sections, with its value where the file is empty.
        blank: Every key of the map sections, by section, with its value in a subsection without entries.
    """

    release: Buildable
    consumer: str
    defaults: dict[Key, Value]
    blank: dict[str, dict[str, Value]]


def write(
    readers: Sequence[tuple[Buildable, str, Answer, Answer]], inputs: Sequence[bytes], answers: list[list[Answer]]
) -> None:
    """Write all answers.

    Args:
        readers: Release, consumer, the answer to an empty file, the answer to `MAP_PROBE`.
        inputs: The files.
        answers: For each reader the answer to each input.
    """
    FOLDER.mkdir(exist_ok=True)
    recorded = [
        RecordedReader(release, consumer, empty.values, _blank(probe)) for release, consumer, empty, probe in readers
    ]
    with (FOLDER / "readers.json").open("w", encoding="ascii") as file:
        lines = [
            _dump([known.release.tag, known.consumer, _by_section(known.defaults), known.blank]) for known in recorded
        ]
        file.write("[\n" + ",\n".join(lines) + "\n]\n")
    with (FOLDER / "answers.jsonl").open("w", encoding="ascii") as file:
        for number, data in enumerate(inputs):
            groups: dict[str, list[int]] = {}
            for index, known in enumerate(recorded):
                groups.setdefault(_dump(_shorten(answers[index][number], known)), []).append(index)
            by_size = sorted(groups.items(), key=lambda group: -len(group[1]))
            # the largest group are all readers that no other names
            parts = [[_ranges(members) if at else "", json.loads(what)] for at, (what, members) in enumerate(by_size)]
            file.write(_dump([_input(data), parts]) + "\n")


def load_readers() -> list[RecordedReader]:
    """The recorded readers, in the order of their numbers."""
    raw = json.loads((FOLDER / "readers.json").read_text(encoding="ascii"))
    return [
        RecordedReader(
            buildable(tag),
            consumer,
            {(section, None, key): value for section, keys in defaults.items() for key, value in keys.items()},
            blank,
        )
        for tag, consumer, defaults, blank in raw
    ]


def load_answers(readers: Sequence[RecordedReader]) -> Iterator[tuple[bytes, list[Answer]]]:
    """Yield each input with one answer a reader."""
    with (FOLDER / "answers.jsonl").open(encoding="ascii") as lines:
        for line in lines:
            raw, groups = json.loads(line)
            data = base64.b64decode(raw["b64"]) if isinstance(raw, dict) else raw.encode()
            (_, common), *others = groups
            short = dict.fromkeys(range(len(readers)), common)
            for members, what in others:
                short.update(dict.fromkeys(_numbers(members), what))
            yield data, [_lengthen(short[number], known) for number, known in enumerate(readers)]


def _blank(probe: Answer) -> dict[str, dict[str, Value]]:
    found: dict[str, dict[str, Value]] = {}
    for (section, subsection, key), value in probe.values.items():
        if subsection is not None:
            found.setdefault(section, {})[key] = value
    return found


def _shorten(answer: Answer, known: RecordedReader) -> list[Any]:
    """Outcome, error, elsewhere, what differs from the defaults, ignored names; the last two only when ok."""
    short: list[Any] = [answer.outcome, answer.error, answer.elsewhere]
    if answer.outcome == "ok":
        changed = [
            [*key, value]
            for key, value in answer.values.items()
            if value != (known.defaults[key] if key[1] is None else known.blank[key[0]][key[2]])
        ]
        short += [changed, sorted(answer.subsections), sorted(answer.ignored, key=repr)]
    return short


def _lengthen(short: list[Any], known: RecordedReader) -> Answer:
    outcome, error, elsewhere, *rest = short
    if not rest:
        return Answer(outcome, error, {}, frozenset(), frozenset(), elsewhere)
    changed, subsections, ignored = rest
    values = dict(known.defaults)
    for section, subsection in subsections:
        values.update({(section, subsection, key): value for key, value in known.blank[section].items()})
    values.update({(section, subsection, key): value for section, subsection, key, value in changed})
    return Answer(outcome, error, values, frozenset(map(tuple, subsections)), frozenset(map(tuple, ignored)), elsewhere)


def _by_section(values: dict[Key, Value]) -> dict[str, dict[str, Value]]:
    found: dict[str, dict[str, Value]] = {}
    for (section, subsection, key), value in values.items():
        if subsection is None:
            found.setdefault(section, {})[key] = value
    return found


def _input(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(data).decode()}


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as ``0-3,7``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)


def _numbers(ranges: str) -> Iterator[int]:
    for part in ranges.split(","):
        low, _, high = part.partition("-")
        yield from range(int(low), int(high or low) + 1)


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
