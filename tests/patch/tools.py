"""The real tools that judge patches: where they are, and how they are run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

SECONDS = 120


@cache
def tool(name: str) -> str | None:
    """Where a tool is: on PATH, or where ``go install`` puts it; None where it is missing."""
    return shutil.which(name) or shutil.which(name, path=str(Path.home() / "go" / "bin"))


def needs(name: str) -> pytest.MarkDecorator:
    """Skips a test where a tool is missing."""
    return pytest.mark.skipif(tool(name) is None, reason=f"{name} is not installed here")


def run(name: str, *arguments: str, folder: Path, stdin: bytes = b"", **environment: str) -> bytes:
    """Run a tool and give its output; its own words are the failure's."""
    path = tool(name)
    assert path is not None
    settings: Mapping[str, str] = {"PATH": os.environ["PATH"], "HOME": str(folder), **environment}
    done = subprocess.run(
        [path, *arguments], cwd=folder, env=settings, input=stdin, capture_output=True, check=False, timeout=SECONDS
    )
    if done.returncode != 0:
        pytest.fail(f"{name} {' '.join(arguments)}: {done.stdout.decode()}{done.stderr.decode()}", pytrace=False)
    return done.stdout


@cache
def kustomize() -> tuple[str, ...] | None:
    """The command that builds a kustomization; None where there is none that knows ``patches`` with a target.

    The kustomize in kubectl 1.20 and older, which Debian 12 has, does not.
    """
    if tool("kustomize") is not None:
        return ("kustomize", "build")
    path = tool("kubectl")
    if path is None:
        return None
    said = subprocess.run([path, "version", "--client"], capture_output=True, text=True, check=False, timeout=SECONDS)
    found = re.search(r"v?1\.(\d+)", said.stdout)
    return ("kubectl", "kustomize") if found is not None and int(found[1]) >= 21 else None


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Run git without anybody's configuration."""
    quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    return run("git", *arguments, folder=folder, stdin=stdin, **quiet)
