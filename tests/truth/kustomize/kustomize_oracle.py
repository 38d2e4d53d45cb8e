"""What the real kustomize builds of a tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from kustomize_ours import named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kustomize_ours import Objects

MODULE = "sigs.k8s.io/kustomize/kustomize/v5@v5.8.1"
_HASH = re.compile(r"-[0-9a-z]{10}$")


def program() -> str | None:
    """The real kustomize: the one that is installed, or built from its Go module; None without Go."""
    places = (shutil.which("kustomize"), str(Path.home() / "go/bin/kustomize"))
    known = next((place for place in places if place and Path(place).exists()), None)
    go = shutil.which("go") or next((str(path) for path in (Path("/usr/local/go/bin/go"),) if path.exists()), None)
    if known is not None or go is None:
        return known
    folder = Path(tempfile.gettempdir()) / "ccmcheck-kustomize"
    done = subprocess.run(
        [go, "install", MODULE], env={**os.environ, "GOBIN": str(folder)}, check=False, capture_output=True
    )
    return str(folder / "kustomize") if not done.returncode else None


def run(kustomize: str, files: Mapping[str, str], folder: str) -> Objects | str:
    """The objects of a tree by their names; the error where kustomize does not build it."""
    with tempfile.TemporaryDirectory() as top:
        for name, text in files.items():
            path = Path(top, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return run_in(kustomize, Path(top, folder))


def run_in(kustomize: str, folder: Path) -> Objects | str:
    """The same for a folder of a file system; files are read wherever they lie, and nothing is fetched."""
    done = subprocess.run(
        [kustomize, "build", "--load-restrictor", "LoadRestrictionsNone", str(folder)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PATH": "/nonexistent"},
    )
    if done.returncode:
        return done.stderr.strip() or "failed"
    return by_name(done.stdout)


def by_name(text: str) -> Objects:
    """The objects of a YAML text."""
    found = [data for data in yaml.load_all(text, yaml.CSafeLoader) if isinstance(data, dict)]
    return {named(data): data for data in found}


def unhashed(objects: Objects, ours: Objects) -> Objects:
    """The objects with the names that generated ones have without the hash, which ours do not have."""
    import json

    text = json.dumps(objects, sort_keys=True)
    for name in objects:
        plain = _HASH.sub("", name)
        if name not in ours and plain in ours:
            text = text.replace(name.rpartition("/")[2], plain.rpartition("/")[2])
    found = json.loads(text)
    for data in found.values():
        if data.get("kind") == "Secret" and isinstance(data.get("data"), dict):
            # long values are wrapped, which base64 does not mind
            data["data"] = {key: str(value).replace("\n", "") for key, value in data["data"].items()}
    return {named(data): data for data in found.values()}
