"""What ccmcheck reports about a folder: the findings of ``lint``, and the inputs and releases of ``list``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 900
FOUND = re.compile(r"\A(?!assumed: |one of ).*:\d+$", re.DOTALL)


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
    carrier: str
    release: str = "unknown"


@dataclass(frozen=True)
class Run:
    findings: tuple[Finding, ...] = ()
    inputs: tuple[Input, ...] = ()
    services: tuple[Input, ...] | None = None  # None where ccmcheck does not list them
    failures: tuple[str, ...] = ()


def run(tree: Path) -> Run:
    lint = _json("lint", tree)
    failures = tuple(str(failure) for failure in lint["failures"])
    listed = _json("list", tree)
    if listed:
        return Run(findings(lint), from_list(listed), services(listed), failures)
    return Run(findings(lint), from_read(_json("read", tree), lint["summary"]), None, failures)


def findings(document: Mapping[str, Any]) -> tuple[Finding, ...]:
    found = []
    for e in document["findings"]:
        inner = 0 if e["exact"] else e["inner"]["line"]
        found.append(Finding(_clean(e["path"]), e["line"], inner, e["rule"], e["severity"], e["fatal"], e["label"]))
    return tuple(sorted(found, key=lambda f: (f.path, f.line, f.inner, f.rule)))


def from_list(document: Mapping[str, Any]) -> tuple[Input, ...]:
    """The inputs of ``ccmcheck list``; a release that no line of a file determines is not known."""
    return tuple(
        Input(
            _clean(e["path"]),
            e["line"],
            e["object"] or e["carrier"],
            e["releases"][0] if FOUND.search(e["release_source"]) else "unknown",
        )
        for e in document["cloud_confs"]
    )


def services(document: Mapping[str, Any]) -> tuple[Input, ...]:
    """The Services that ``ccmcheck list`` names, once each, with a cloud.conf near them or without."""
    deployments = (*document["cloud_confs"], *document.get("installations", ()))
    entries = [*document["services"], *(service for one in deployments for service in one["services"])]
    places = {(_clean(e["path"]), e["line"]): e["name"] for e in entries}
    return tuple(Input(path, line, f"Service {name}") for (path, line), name in sorted(places.items()))


def from_read(document: Mapping[str, Any], summary: Mapping[str, Any]) -> tuple[Input, ...]:
    """The inputs of ``ccmcheck read``, which tells neither lines nor where the release comes from: that is the run's."""
    release = "unknown" if "the newest" in summary["release_source"] else (summary["releases"] or ("unknown",))[0]
    return tuple(Input(_clean(e["source"]), 0, e["carrier"], release) for e in document.get("configs", ()))


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
