"""Asks the real reader: many files to one program, and no answer goes missing when the program dies of one."""

from __future__ import annotations

import base64
import json
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

Value = str | bool | int | list[str] | dict[str, int]  # a duration is {"ns": …}
Key = tuple[str, str | None, str]  # section, subsection, key
BATCH_SECONDS = 900
# `use-clouds` without a name of a file or a cloud finds this one; it adds nothing to what the cloud.conf says
EMPTY_CLOUD = "clouds:\n  only:\n    auth: {}\n"


class Answer(NamedTuple):
    """What the real code did with one file.

    Attributes:
        outcome: ``ok``, ``fatal``, ``panic`` (a Go panic) or ``exit`` (the program ended, for example by klog.Fatal).
        error: Its words; empty when ok.
        values: Every key the struct has, with its value after reading. Empty unless ok.
        subsections: The map sections that exist, also the empty ones.
        ignored: What gcfg warned about: section, subsection, key; the latter two None where it does not name them.
        elsewhere: The file names a clouds.yaml or a cloud in it, so that only gcfg was asked.
    """

    outcome: str
    error: str
    values: dict[Key, Value]
    subsections: frozenset[tuple[str, str]]
    ignored: frozenset[tuple[str, str | None, str | None]]
    elsewhere: bool


def ask(program: Path, consumer: str, inputs: Sequence[bytes]) -> list[Answer]:
    """Let a program read files.

    Args:
        program: Built by `reader_build.oracle`.
        consumer: ``ccm``, ``cinder-csi-plugin`` or ``barbican-kms-plugin``.
        inputs: The files.

    Returns:
        One answer an input, in the same order.

    Raises:
        TimeoutError: An input keeps the program busy for ever; the message says which.
    """
    answers: list[Answer] = []
    while len(answers) < len(inputs):
        rest = inputs[len(answers) :]
        got, last_words = _run(program, consumer, rest)
        answers.extend(got)
        if len(got) < len(rest):
            answers.append(Answer("exit", last_words, {}, frozenset(), frozenset(), elsewhere=False))
    return answers


def _run(program: Path, consumer: str, inputs: Sequence[bytes]) -> tuple[list[Answer], str]:
    """Answers up to the end of the program, and the last line it wrote to stderr."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "clouds.yaml").write_text(EMPTY_CLOUD, encoding="utf-8")
        requests, replies, errors = home / "requests", home / "replies", home / "errors"
        with requests.open("w", encoding="ascii") as file:
            for number, data in enumerate(inputs):
                asked = {"id": number, "consumer": consumer, "input_b64": base64.b64encode(data).decode()}
                file.write(json.dumps(asked) + "\n")
        with requests.open("rb") as stdin, replies.open("wb") as stdout, errors.open("wb") as stderr:
            try:
                # no OS_* variables: the oldest releases start from them
                subprocess.run(
                    [str(program)],
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    cwd=home,
                    env={"HOME": folder, "TMPDIR": folder},
                    timeout=BATCH_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                done = sum(1 for _ in replies.open("rb"))
                raise TimeoutError(f"{program.name} does not answer {inputs[done]!r}") from None
        with replies.open(encoding="utf-8") as lines:
            got = [_answer(json.loads(line)) for line in lines if line.endswith("\n")]
        words = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return got, words[-1] if words else "no words"


@cache
def _key(section: str, subsection: str | None, key: str) -> Key:
    """One tuple for all answers: there are millions."""
    return section, subsection, key


def _answer(raw: dict[str, object]) -> Answer:
    values: dict[Key, Value] = {}
    subsections = set()
    for part in raw["values"] or []:  # type: ignore[attr-defined]  # the shape is ours, see neutral.go
        section, subsection = part["section"], part["subsection"]
        if subsection is not None:
            subsections.add((section, subsection))
        for key, value in part["keys"].items():
            values[_key(section, subsection, key)] = value
    ignored = frozenset(
        (name["section"], name.get("subsection"), name.get("key"))
        for name in raw["ignored"]  # type: ignore[attr-defined]
    )
    return Answer(
        str(raw["outcome"]), str(raw["error"]), values, frozenset(subsections), ignored, bool(raw["elsewhere"])
    )
