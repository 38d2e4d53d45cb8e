"""What a release publishes: built by the release workflow's own script, the same bytes each time, and complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest
from action_steps import commit, git, load
from root import PIP, ROOT

from ccmcheck import __version__

pytestmark = [
    pytest.mark.ci,
    pytest.mark.slow,
    pytest.mark.xdist_group("build"),
    pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash"),
]

EPOCH = 1_772_366_400
"""The time of every commit here, 2026-03-01 12:00 UTC."""


class Built(NamedTuple):
    """The two files of a release."""

    wheel: Path
    sdist: Path


def script(name: str) -> str:
    """The script of one step of the release workflow."""
    (found,) = [
        str(step["run"])
        for step in load(ROOT / ".github" / "workflows" / "release.yml")["jobs"]["build"]["steps"]
        if step.get("name") == name
    ]
    return found


def build(checkout: Path, scratch: Path, environment: Mapping[str, str]) -> Built:
    """Run the step that builds; it fails where its two builds differ."""
    scratch.mkdir()
    programs = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script("Build twice, the same bytes")],
        cwd=checkout,
        env={
            **environment,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "RUNNER_TEMP": str(scratch),
            "GITHUB_STEP_SUMMARY": str(scratch / "summary"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (checkout / "dist").glob("*.whl")
    (sdist,) = (checkout / "dist").glob("*.tar.gz")
    summary = (scratch / "summary").read_text(encoding="utf-8")
    assert wheel.name in summary
    assert sdist.name in summary
    return Built(wheel, sdist)


def checkout(folder: Path, files: list[str]) -> Path:
    """What is in the working tree, committed in a repository of its own."""
    folder.mkdir(parents=True)
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    commit(folder, {})
    return folder


@pytest.fixture(scope="module")
def built(
    tmp_path_factory: pytest.TempPathFactory, project_files: list[str], clean_environment: Mapping[str, str]
) -> Built:
    folder = tmp_path_factory.mktemp("build")
    return build(checkout(folder / "here", project_files), folder / "runner", clean_environment)


def test_another_place_user_and_clock_give_the_same_bytes(
    built: Built, project_files: list[str], tmp_path: Path, clean_environment: Mapping[str, str]
) -> None:
    folder = checkout(tmp_path / "a folder of another name", list(reversed(project_files)))
    for path in folder.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            path.chmod(0o600)
            os.utime(path, (1_000_000_000, 1_000_000_000))
    again = build(folder, tmp_path / "runner", {**clean_environment, "TZ": "Asia/Tokyo", "LC_ALL": "C"})
    assert again.wheel.name == built.wheel.name
    assert again.wheel.read_bytes() == built.wheel.read_bytes()
    assert again.sdist.read_bytes() == built.sdist.read_bytes()


def test_the_date_of_every_file_is_that_of_the_commit(built: Built) -> None:
    assert {info.date_time[:4] for info in ZipFile(built.wheel).infolist()} == {(2026, 3, 1, 12)}
    with tarfile.open(built.sdist) as archive:
        assert {member.mtime for member in archive.getmembers()} == {EPOCH}


def test_the_wheel_of_the_sdist_is_the_wheel(built: Built, tmp_path: Path) -> None:
    """Who builds from source, as distributions do, gets the same; so the wheel's tests are the sdist's, too."""
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    command = [
        *PIP,
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(tmp_path),
        str(tmp_path / f"ccmcheck-{__version__}"),
    ]
    done = subprocess.run(
        command, env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.read_bytes() == built.wheel.read_bytes()


def test_the_sdist_holds_what_the_repository_holds(built: Built, project_files: list[str]) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == {*project_files, "PKG-INFO"}


def test_the_wheel_holds_what_programs_read_at_run_time(built: Built) -> None:
    names = set(ZipFile(built.wheel).namelist())
    templates = {path.relative_to(ROOT).as_posix() for path in (ROOT / "templates").rglob("*") if path.is_file()}
    assert {f"ccmcheck/{name}" for name in templates} <= names
    assert "ccmcheck/py.typed" in names
    assert "ccmcheck/docs/ci.md" in names
    assert {f"ccmcheck/catalog/data/{path.name}" for path in (ROOT / "ccmcheck/catalog/data").glob("*.py")} <= names
    assert not [name for name in names if name.startswith("tests/") or "__pycache__" in name]


def test_the_tag_has_to_be_the_version(clean_environment: Mapping[str, str]) -> None:
    for tag, code in ((f"v{__version__}", 0), (f"v{__version__}9", 1)):
        done = subprocess.run(
            ["bash", "-e", "-c", script("The tag is the version")],
            cwd=ROOT,
            env={**clean_environment, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "TAG": tag},
            check=False,
        )
        assert done.returncode == code
