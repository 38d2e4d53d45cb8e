"""Builds the program that says what kube-apiserver makes of Services, and asks it."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import reader_build

Json = dict[str, Any]
SOURCES = Path(__file__).parent / "oracle"
VERSION = "1.36.1"
"""Of Kubernetes; Go's proxy has no newer release whose parts it has, too."""

_PARTS = re.compile(r"^\s*(k8s\.io/[a-z-]+) => \./staging", re.MULTILINE)
_SECONDS = 600


def program(work_dir: Path) -> Path:
    """Build the program unless it is there.

    Args:
        work_dir: Where; kept.

    Raises:
        reader_build.CannotBuildError: It cannot be built here.
    """
    sources = sorted([*SOURCES.glob("*.go"), *SOURCES.glob("*.s")])
    made_from = hashlib.sha256(VERSION.encode() + reader_build.go(["version"], Path()).encode())
    for source in sources:
        made_from.update(source.read_bytes())
    found = work_dir / f"apiserver-{VERSION}-{made_from.hexdigest()[:12]}"
    if found.exists():
        return found
    folder = work_dir / "module"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source in sources:
        shutil.copy(source, folder)
    _write_module(folder)
    reader_build.go(["build", "-mod=mod", "-ldflags", "-s -w", "-o", str(found), "."], folder)
    return found


def _write_module(folder: Path) -> None:
    """Kubernetes replaces its own parts by folders; they are published beside it as 0.x of the same number."""
    (folder / "go.mod").write_text("module apiserver\n", encoding="utf-8")
    module = f"k8s.io/kubernetes@v{VERSION}"
    theirs = Path(json.loads(reader_build.go(["mod", "download", "-json", module], folder))["Dir"], "go.mod").read_text(
        encoding="utf-8"
    )
    go_line = re.search(r"^go .*$", theirs, re.MULTILINE)
    part = f"v0.{VERSION.partition('.')[2]}"
    lines = [
        "module apiserver",
        go_line[0] if go_line else "",
        f"require k8s.io/kubernetes v{VERSION}",
        *(f"replace {name} => {name} {part}" for name in _PARTS.findall(theirs)),
    ]
    (folder / "go.mod").write_text("\n".join(lines) + "\n", encoding="utf-8")
    reader_build.go(["mod", "tidy", "-e"], folder)


def ask(oracle: Path, services: Sequence[Json | str]) -> list[list[str]]:
    """What the API server reports.

    Args:
        oracle: The program.
        services: The manifests, as data or as text.

    Returns:
        For each the fields, as it names them; a text that names none is used as it is.
    """
    lines = "".join(json.dumps(one if isinstance(one, str) else json.dumps(one)) + "\n" for one in services)
    done = subprocess.run(
        [str(oracle)],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_SECONDS,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(services), done.stderr[-500:]
    return [[one["field"] or one["text"] for one in answer] for answer in answers]
