"""What ccmcheck reports about a folder: the findings of ``lint``, and the carriers and releases of ``list``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CCMCHECK = (sys.executable, "-m", "ccmcheck")
SECONDS = 900


@dataclass(frozen=True)
class Finding:
    """A finding of ``lint``; ``inner`` is the line in the cloud.conf where its line in the file is that of a whole scalar."""

    path: str
    line: int
    inner: int
    rule: str
    severity: str
    fatal: bool
    label: str = ""


@dataclass(frozen=True)
class Reported:
    """An input that ccmcheck took; a line of 0 is one that it did not tell."""

    path: str
    line: int
    release: str
    carrier: str


@dataclass(frozen=True)
class Run:
    findings: tuple[Finding, ...]
    inputs: tuple[Reported, ...]
    failures: tuple[str, ...] = ()


def run(tree: Path) -> Run:
    lint = _json("lint", tree)
    findings = tuple(
        sorted((finding(entry) for entry in lint["findings"]), key=lambda f: (f.path, f.line, f.inner, f.rule))
    )
    failures = tuple(f"{entry.get('path', '')}: {entry.get('reason', entry)}" for entry in lint["failures"])
    listed = _json("list", tree, missing_ok=True)
    inputs = from_list(listed) if listed else from_read(_json("read", tree, missing_ok=True), lint["summary"])
    return Run(findings, inputs, failures)


def finding(entry: Mapping[str, Any]) -> Finding:
    inner = 0 if entry["exact"] else entry["inner"]["line"]
    return Finding(
        clean(entry["path"]), entry["line"], inner, entry["rule"], entry["severity"], entry["fatal"], entry["label"]
    )


def from_list(document: Mapping[str, Any]) -> tuple[Reported, ...]:
    """The inputs of ``ccmcheck list``."""
    return tuple(
        Reported(clean(entry["path"]), entry.get("line") or 0, release(entry), entry.get("carrier", ""))
        for entry in document["inputs"]
    )


def release(entry: Mapping[str, Any]) -> str:
    """The release of an input, or "unknown" where no file determines it and ccmcheck takes the newest."""
    return "unknown" if entry.get("release_source", "the newest") == "the newest" else str(entry["release"])


def from_read(document: Mapping[str, Any], summary: Mapping[str, Any]) -> tuple[Reported, ...]:
    """The inputs of ``ccmcheck read``, which tells neither lines nor where the release comes from: that is the run's."""
    of_run = release({"release_source": summary["release_source"], "release": (summary["releases"] or [""])[0]})
    return tuple(Reported(clean(c["source"]), 0, of_run, c["carrier"]) for c in document.get("configs", ()))


def clean(path: str) -> str:
    return path.removeprefix("./")


def _json(command: str, tree: Path, *, missing_ok: bool = False) -> dict[str, Any]:
    done = subprocess.run(
        (*CCMCHECK, command, "--format", "json", "."),
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    if missing_ok and not done.stdout.startswith("{"):
        return {}
    document: dict[str, Any] = json.loads(done.stdout)
    return document
