"""What ccmcheck reports about a folder: the findings of ``lint``, and the inputs and releases of ``list``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 900


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    inner: int  # the line in the cloud.conf, where ``line`` is that of a whole scalar, or 0
    rule: str
    severity: str
    fatal: bool
    label: str = ""


@dataclass(frozen=True)
class Input:
    path: str
    line: int  # or 0 where ccmcheck does not tell
    release: str  # or "unknown"
    carrier: str


@dataclass(frozen=True)
class Run:
    findings: tuple[Finding, ...] = ()
    inputs: tuple[Input, ...] = ()
    failures: tuple[str, ...] = ()


def run(tree: Path) -> Run:
    lint = _json("lint", tree)
    listed = _json("list", tree)
    inputs = from_list(listed) if listed else from_read(_json("read", tree), lint["summary"])
    return Run(findings(lint), inputs, tuple(str(failure) for failure in lint["failures"]))


def findings(document: Mapping[str, Any]) -> tuple[Finding, ...]:
    found = []
    for e in document["findings"]:
        inner = 0 if e["exact"] else e["inner"]["line"]
        found.append(Finding(_clean(e["path"]), e["line"], inner, e["rule"], e["severity"], e["fatal"], e["label"]))
    return tuple(sorted(found, key=lambda f: (f.path, f.line, f.inner, f.rule)))


def from_list(document: Mapping[str, Any]) -> tuple[Input, ...]:
    return tuple(
        Input(_clean(e["path"]), e.get("line") or 0, _release(e["release_source"], e["release"]), e["carrier"])
        for e in document["inputs"]
    )


def from_read(document: Mapping[str, Any], summary: Mapping[str, Any]) -> tuple[Input, ...]:
    """The inputs of ``ccmcheck read``, which tells neither lines nor where the release comes from: that is the run's."""
    release = _release(summary["release_source"], summary["releases"][0] if summary["releases"] else "")
    return tuple(Input(_clean(e["source"]), 0, release, e["carrier"]) for e in document.get("configs", ()))


def _release(source: str, release: str) -> str:
    """A release that only the lack of any other makes the newest is not known."""
    return "unknown" if source == "the newest" else release


def _clean(path: str) -> str:
    return path.removeprefix("./")


def _json(command: str, tree: Path) -> dict[str, Any]:
    """The document of a command, empty where it does not exist or found nothing."""
    call = (sys.executable, "-m", "ccmcheck", command, "--format", "json", ".")
    done = subprocess.run(call, cwd=tree, capture_output=True, text=True, check=False, timeout=SECONDS)
    if command != "lint" and not done.stdout.startswith("{"):
        return {}
    document: dict[str, Any] = json.loads(done.stdout)
    return document
