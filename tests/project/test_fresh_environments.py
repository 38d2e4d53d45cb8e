"""The wheel with each of its extras, installed into an empty environment of each Python that is at hand, and run.

`test_wheel` has the running Python without extras every day; this is for CI. The wheel of the sdist is the same file, byte
by byte, as `test_reproducible_build` shows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from root import PIP, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ("", *PROJECT["optional-dependencies"])


def candidates(version: str) -> Iterator[str]:
    """What may be a Python of this version: on the path, or where pyenv keeps its own."""
    if sys.version.startswith(f"{version}."):
        yield sys.executable
    found = shutil.which(f"python{version}")
    if found is not None:
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python"), reverse=True))


@cache
def interpreter(version: str) -> str | None:
    """A Python of this version that can make environments; None where there is none."""
    for path in candidates(version):
        code = "import sys, ensurepip, venv; print('%d.%d' % sys.version_info[:2])"
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
        if done.stdout.strip() == version:
            return path
    return None


@pytest.mark.ci
@pytest.mark.parametrize("extra", EXTRAS)
@pytest.mark.parametrize("version", PYTHONS)
def test_it_installs_and_runs(
    version: str,
    extra: str,
    pip_index: None,  # noqa: ARG001 - may skip
    wheel: Path,
    tmp_path: Path,
    clean_environment: Mapping[str, str],
) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    environment = tmp_path / "environment"
    subprocess.run([python, "-m", "venv", str(environment)], check=True)
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [str(programs / "python"), *PIP[1:]]
    requirement = f"{wheel}[{extra}]" if extra else str(wheel)
    for command in ([*pip, "install", "--no-compile", requirement], [*pip, "check"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    assert f"Python        CPython {version}." in run(
        programs, tmp_path, clean_environment, 0, "--version", "--verbose"
    )
    printed = run(programs, tmp_path, clean_environment, 1, "lint", "samples/secret.yaml")
    assert re.search(r"^3 findings \(2 errors, 1 info\)", printed, re.MULTILINE), printed
    assert "[LoadBalancer]" in run(programs, tmp_path, clean_environment, 0, "show", "samples/good/cloud.conf")


def run(programs: Path, folder: Path, environment: Mapping[str, str], code: int, *arguments: str) -> str:
    done = subprocess.run(
        [str(programs / "ccmcheck"), *arguments],
        cwd=folder,
        env={**environment, "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "")
    return done.stdout


def test_a_python_is_found() -> None:
    """At least the one that runs this, where it is one of those that are promised."""
    version = "{}.{}".format(*sys.version_info)
    assert version not in PYTHONS or interpreter(version) is not None
