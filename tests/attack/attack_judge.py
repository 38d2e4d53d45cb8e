"""What no run may do, whatever it was given: the promises of SECURITY.md as one judge of one run."""

from __future__ import annotations

import io
import json
import os
import re
import resource
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from contextvars import Context
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from skipped_waits import skipped_waits

from ccmcheck.cli.main import run as run_command

MOST_SECONDS = 20.0
"""Of processor time for one run over a few kilobytes, on a busy machine."""
MOST_MIB = 200
"""By which one run may let the process grow."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_COMMANDS = {
    "a command of GitHub Actions": re.compile(r"^\s*::", re.MULTILINE),
    "a command of GitHub Actions or Azure": re.compile(r"##(?:\[|vso\[)"),
}
_BLOCKS_COMMANDS = "github"
"""The one format whose lines are commands, of ours."""
_JSON = frozenset({"json", "sarif", "gitlab", "codeclimate", "rdjson"})
_XML = frozenset({"junit", "checkstyle"})
_EXACT = frozenset({"--patch", "render"})
"""What is printed to be applied: a policy of SECURITY.md lets it be as the file is."""
_RAW = re.compile(r"<(?:img|script)[ /]", re.IGNORECASE)
_NO_MARKUP = re.compile(r"\\.|(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)")
"""What Markdown takes literally: an escaped sign, and code."""


class Told(NamedTuple):
    """What one run left behind.

    Attributes:
        code: Its exit code.
        out: Its standard output.
        err: Its standard error.
        seconds: Its processor time.
        grown: By how many MiB the process grew beyond what it ever had.
    """

    code: int
    out: str
    err: str
    seconds: float
    grown: float


def told(folder: Path, words: Sequence[str], **variables: str) -> Told:
    """Run ``ccmcheck`` in a folder, in this process, with no secret of another run, and without pauses between requests."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n") for _ in range(3)]
    out, err, entered = streams
    before = time.process_time(), _peak()
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    with (
        chdir(folder),
        patch.dict(os.environ, {**environment, **variables}, clear=True),
        patch.object(sys, "stdin", entered),
        redirect_stdout(out),
        redirect_stderr(err),
        skipped_waits(),
    ):
        code = Context().run(run_command, list(words))
    said = []
    for stream in (out, err):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        said.append(stream.buffer.getvalue().decode("utf-8", "replace"))
    return Told(code, said[0], said[1], time.process_time() - before[0], _peak() - before[1])


def hits(run: Told, words: Sequence[str], canaries: Sequence[str] = ()) -> Iterator[str]:
    """What is wrong with a run; nothing where every promise holds.

    Args:
        run: What it left behind.
        words: The command.
        canaries: What no output may have.
    """
    said = run.out + run.err
    if run.code not in (0, 1, 2, 3):
        yield f"exit code {run.code}"
    for fault in ("internal error", "Traceback (most"):
        if fault in said:
            yield f"a fault of ours: {said[said.index(fault) :][:200]!r}"
    for canary in canaries:
        if canary in said:
            yield f"{canary} is shown: {_line(said, canary)!r}"
    is_exact = bool(_EXACT & {*words})
    if match := _CONTROL.search(run.err if is_exact else said):
        yield f"a control character: {_line(said, match[0])!r}"
    yield from _of_form(run, _form(words), is_exact=is_exact)
    if run.seconds > MOST_SECONDS:
        yield f"{run.seconds:.0f} s of processor time"
    if run.grown > MOST_MIB:
        yield f"{run.grown:.0f} MiB more"


def _of_form(run: Told, form: str, *, is_exact: bool) -> Iterator[str]:
    for name, pattern in _COMMANDS.items():
        for text in (run.err, "" if is_exact or form == _BLOCKS_COMMANDS else run.out):
            if match := pattern.search(text):
                yield f"{name}: {_line(text, match[0].strip())!r}"
    if form == _BLOCKS_COMMANDS:
        for line in run.out.splitlines():
            if not line.startswith(("::error ", "::warning ", "::notice ")):
                yield f"a line that is no annotation: {line!r}"
    if form in _JSON and run.out:
        try:
            json.loads(run.out)
        except ValueError as error:
            yield f"no JSON: {error}"
    if form in _XML and run.out:
        try:
            ET.fromstring(run.out)  # noqa: S314 - of ours
        except ET.ParseError as error:
            yield f"no XML: {error}"
    plain = _NO_MARKUP.sub("", run.out) if form == "markdown" else run.out if form == "html" else ""
    if match := _RAW.search(plain):
        yield f"a tag: {_line(run.out, match[0])!r}"


def _form(words: Sequence[str]) -> str:
    """The output format that a command names."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "--format":
            return following
        if word.startswith("--format="):
            return word.partition("=")[2]
    return ""


def _line(text: str, part: str) -> str:
    return next((line for line in text.splitlines() if part in line), part)[:300]


def _peak() -> float:
    """The most memory that this process ever had, in MiB."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (1024 * 1024 if sys.platform == "darwin" else 1024)
