"""What the tests of the whole project share; the slow ones of all rooms run last."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import everyday
import pytest
from root import PIP, ROOT


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("CI") != "true":
        config.hook.pytest_deselected(items=everyday.leave_out(items))
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


def pytest_collection_finish() -> None:
    """Keep the tests themselves from the garbage collector, which would look through all of them for half a second each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The caller's environment without what would lead a program back to the caller's Python, git, make or settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "GIT_", "PRE_COMMIT", "VIRTUAL", "MAKE", "MFLAGS", "ARGS"))
    }
    home = tmp_path_factory.mktemp("home")
    return {**kept, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1"}


@pytest.fixture(scope="session")
def pip_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips a test that installs from an index where none is available."""
    try:
        subprocess.run(
            [*PIP, "download", "--no-deps", "--retries=1", "--dest", str(tmp_path_factory.mktemp("index")), "click"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("pip reaches no package index here")


@pytest.fixture(scope="session")
def project_files() -> list[str]:
    """What a commit of the working tree would hold, as paths relative to the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is not a git repository, so what belongs to the project is unknown")
    return sorted(name for name in set(listed.stdout.split("\0")) if name and (ROOT / name).is_file())


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built without isolation: the build backend is one of the project's tools for development."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def zizmor() -> str:
    found = shutil.which("zizmor", path=str(Path(sys.executable).parent)) or shutil.which("zizmor")
    if found is None:
        pytest.skip("there is no zizmor: pip install -e '.[dev]'")
    return found


@pytest.fixture(scope="session")
def actionlint() -> str:
    found = shutil.which("actionlint") or shutil.which("actionlint", path=str(Path.home() / "go" / "bin"))
    if found is None:
        pytest.skip("there is no actionlint: go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
    return found
