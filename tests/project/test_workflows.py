"""GitHub's workflows: no finding of actionlint, zizmor and the schemas; pinned by commit; no more rights than needed."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from action_steps import EXPRESSION, load
from root import ROOT
from schemas import schema_errors

pytestmark = pytest.mark.slow

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / ".github" / "actions" / "ccmcheck" / "action.yml"
USES = re.compile(r"^\s*(?:- )?uses: *(\S+)(?: # (.*))?$", re.MULTILINE)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@([0-9a-f]{40})")


def steps(document: Any) -> Iterator[dict[str, Any]]:
    for job in document.get("jobs", {"": document.get("runs", {})}).values():
        yield from job["steps"]


def test_there_are_workflows() -> None:
    assert [path.name for path in WORKFLOWS] == ["next.yml", "release.yml", "tests.yml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_the_schema(path: Path) -> None:
    assert schema_errors("github-workflows", load(path)) == []


def test_the_schema_of_the_action_and_of_dependabot() -> None:
    assert schema_errors("github-actions", load(ACTION)) == []
    assert schema_errors("dependabot", load(ROOT / ".github" / "dependabot.yml")) == []


def test_actionlint(actionlint: str) -> None:
    command = [actionlint, "-no-color", *map(str, WORKFLOWS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_zizmor(zizmor: str) -> None:
    command = [zizmor, "--offline", "--strict-collection", "--no-progress", "--color=never", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No findings to report" in done.stdout


def test_zizmor_finds_what_is_wrong(zizmor: str, tmp_path: Path) -> None:
    path = tmp_path / "tests.yml"
    path.write_text(WORKFLOWS[-1].read_text(encoding="utf-8").replace("persist-credentials: false", "fetch-depth: 1"))
    done = subprocess.run(
        [zizmor, "--offline", "--no-progress", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "artipacked" in done.stdout


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: path.name)
def test_actions_are_pinned_by_commit_and_say_their_version(path: Path) -> None:
    for used, comment in USES.findall(path.read_text(encoding="utf-8")):
        if not used.startswith("./"):
            assert PINNED.fullmatch(used), used
            assert re.fullmatch(r"v\d+\.\d+\.\d+", comment), used


def test_an_action_has_one_version() -> None:
    versions: dict[str, set[str]] = {}
    for path in [*WORKFLOWS, ACTION]:
        for used, comment in USES.findall(path.read_text(encoding="utf-8")):
            name, _, commit = used.partition("@")
            versions.setdefault(name, set()).add(f"{commit} {comment}")
    assert {name: found for name, found in versions.items() if len(found) > 1 and not name.startswith("./")} == {}


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: path.name)
def test_scripts_hold_no_expression(path: Path) -> None:
    scripts = [step["run"] for step in steps(load(path)) if "run" in step]
    assert scripts
    assert not [script for script in scripts if EXPRESSION.search(script)]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_permissions_are_granted_per_job(path: Path) -> None:
    workflow = load(path)
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["permissions"], name
        for right, kind in job["permissions"].items():
            assert kind == "read" or path.name == "release.yml", (name, right)
        for step in job["steps"]:
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_jobs_that_sign_or_publish_run_no_project_code() -> None:
    """A job that may sign or publish runs no code of the project and of its dependencies."""
    for name, job in load(ROOT / ".github" / "workflows" / "release.yml")["jobs"].items():
        if "write" in job["permissions"].values():
            scripts = [step["run"] for step in job["steps"] if "run" in step]
            assert all(script.startswith("gh release create ") for script in scripts), name
            assert not [step for step in job["steps"] if "actions/checkout@" in step.get("uses", "")]


def test_what_is_published_was_attested() -> None:
    jobs = load(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert jobs["pypi"]["needs"] == ["build", "attest"]
    attested = [step["with"] for step in jobs["attest"]["steps"] if "actions/attest@" in step["uses"]]
    assert [("sbom-path" in given, given["subject-path"]) for given in attested] == [
        (False, "dist/*"),
        (True, "dist/*"),
    ]


def test_every_supported_python_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = {name.rpartition(" ")[2] for name in project["classifiers"] if "Python :: 3." in name}
    tested = set(load(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["tests"]["strategy"]["matrix"]["python"])
    assert promised <= tested
    assert project["requires-python"].removeprefix(">=") in tested


def test_the_windows_job_runs_no_posix_only_test() -> None:
    job = load(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["windows"]
    folders = [word for step in job["steps"] for word in step.get("run", "").split() if word.startswith("tests/")]
    assert len(folders) >= 8
    unix = re.compile(r"\b(?:os\.fork|fcntl|pty|termios|mkfifo|SIGKILL|symlink_to|chmod)\b|/dev/|[\"']bash[\"']")
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            assert unix.search(path.read_text(encoding="utf-8")) is None, path


@pytest.mark.ci
def test_posix_only_functions_are_guarded() -> None:
    """mypy knows which names Python has on Windows; each of these is guarded by hasattr or a flag."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--platform=win32",
        f"--cache-dir={ROOT / '.mypy_cache' / 'win32'}",
        "ccmcheck",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lacking = set(re.findall(r'(\S+)\.py:\d+: error: Module has no attribute "(\w+)"', done.stdout))
    # where there is no fork, there are no workers
    children = {"pthread_sigmask", "SIG_BLOCK", "fork", "SIG_SETMASK", "SIGALRM", "setitimer", "ITIMER_REAL"}
    limits = {"RLIMIT_CORE", "RLIMIT_AS", "RLIMIT_CPU", "RUSAGE_SELF", "getrlimit", "getrusage", "setrlimit", "sysconf"}
    limits |= {"SIGKILL", "SIGXCPU", "WIFSIGNALED", "WTERMSIG"}
    # after `import fcntl`, which Windows lacks
    locks = {"flock", "LOCK_EX", "LOCK_NB", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"}
    folder = "ccmcheck\\" if sys.platform == "win32" else "ccmcheck/"
    assert {(name.removeprefix(folder), what) for name, what in lacking} == {
        ("lint/parallel", "sched_getaffinity"),
        *(("lint/child_processes", what) for what in children),
        *(("base/atomic_write", what) for what in (*locks, "set_blocking")),
        *(("cli/console", what) for what in ("ioctl", "FIONREAD")),
        # where there are no timers, no run has a limit; where there is no fork, no template is rendered in a child
        *(("base/budget", what) for what in ("SIGALRM", "ITIMER_REAL", "SIGXCPU")),
        # after `import resource`, which Windows lacks
        *(("base/budget", what) for what in ("RLIMIT_AS", "RLIMIT_CPU", "RLIM_INFINITY")),
        *(("base/budget", what) for what in ("getrlimit", "setrlimit")),
        ("base/cache_folder", "getuid"),
        *(("base/child", what) for what in limits),
        # a fleet is read by one process where there is no fork, its results are not locked, keys are in a file
        *(("cluster/fleet/workers", what) for what in ("fork", "sched_getaffinity", "SIGKILL")),
        *(("cluster/fleet/workers", what) for what in ("getrlimit", "RLIMIT_NOFILE", "RLIM_INFINITY")),
        *(("cluster/fleet/results", what) for what in ("flock", "LOCK_EX", "LOCK_NB")),
        ("cluster/fleet/connection", "MFD_CLOEXEC"),
        ("base/budget", "SIGKILL"),
    }
    assert len(re.findall(": error: ", done.stdout)) == len(re.findall("Module has no attribute", done.stdout))
