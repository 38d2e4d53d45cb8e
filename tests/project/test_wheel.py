"""What people install: the wheel holds the package and its templates, and works where the repository is not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest
from root import PIP

from ccmcheck import __version__

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]

FATAL = """\
[Global]
use-clouds = true
clouds-file = /etc/openstack/clouds.yaml
cloud = main

[LoadBalancer]
create-monitor = true
monitor-delay = 3
"""


@pytest.fixture(scope="module")
def installed(wheel: Path, pip_index: None, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001 - may skip
    """The folder of programs of an environment that has the wheel and what it asks for, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    # the pip that is here installs into it: to put one there, too, would take longer than all else
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [*PIP, "--python", str(programs / "python"), "install", "--no-compile", str(wheel)]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return programs


def test_it_holds_what_the_repository_holds(wheel: Path, project_files: list[str]) -> None:
    held = {name for name in ZipFile(wheel).namelist() if not name.startswith(f"ccmcheck-{__version__}.dist-info/")}
    package = {name for name in project_files if name.startswith("ccmcheck/")}
    templates = {f"ccmcheck/{name}" for name in project_files if name.startswith("templates/")}
    assert held == package | templates


def test_it_says_what_it_is(wheel: Path) -> None:
    archive = ZipFile(wheel)
    dist_info = f"ccmcheck-{__version__}.dist-info"
    metadata = Parser().parsestr(archive.read(f"{dist_info}/METADATA").decode())
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "Apache-2.0"
    assert f"{dist_info}/licenses/LICENSE" in archive.namelist()
    started = archive.read(f"{dist_info}/entry_points.txt").decode()
    assert "\nccmcheck = ccmcheck.cli.start:program\n" in started
    assert "\nkubectl-ccmcheck = ccmcheck.cli.start:plugin" in started


@pytest.mark.ci
def test_it_runs_elsewhere(installed: Path, tmp_path: Path, clean_environment: Mapping[str, str]) -> None:
    def ccmcheck(*args: str) -> tuple[int, str]:
        done = subprocess.run(
            [str(installed / "ccmcheck"), *args],
            cwd=tmp_path,
            env=clean_environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert not done.stderr
        return done.returncode, done.stdout

    assert ccmcheck("--version") == (0, f"ccmcheck {__version__}\n")
    (tmp_path / "cloud.conf").write_text(FATAL)
    code, printed = ccmcheck("lint", "--format", "concise", "cloud.conf")
    assert code == 1
    assert printed.startswith("cloud.conf:8:17: error duration-bad: ")
    code, printed = ccmcheck("profiles")
    assert code == 0
    assert "\ngardener " in printed
    code, printed = ccmcheck("explain", "duration-bad")
    assert code == 0
    assert "duration" in printed


@pytest.mark.ci  # test_wheel_renders.py runs what the wheel holds every day, without an installation
def test_it_is_not_the_repository_that_runs(
    installed: Path, tmp_path: Path, clean_environment: Mapping[str, str]
) -> None:
    code = "import ccmcheck; print(ccmcheck.__file__)"
    done = subprocess.run(
        [str(installed / "python"), "-c", code],
        cwd=tmp_path,
        env=clean_environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()).is_relative_to(installed.parent)
