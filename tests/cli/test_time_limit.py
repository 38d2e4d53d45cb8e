"""``--time-limit`` and ``--memory-limit``: what was found is reported, marked as cut, and the exit code is 3."""

from __future__ import annotations

import json
import mmap
import pkgutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from api_faults import Fault
from command_line import FATAL, RIGHT, git, put, run, spawn
from octavia_project import kubernetes, lint_octavia, openstack

from ccmcheck.base.budget import TimeIsUp, lift_limits, limit_memory, limit_processor_time, limit_time
from ccmcheck.cli.main import run as run_here
from ccmcheck.lint import engine
from ccmcheck.workspace.survey import Survey

SLOW = "slow/cloud.conf"
ends_anywhere = pytest.mark.filterwarnings("ignore:unclosed (scandir iterator|file):ResourceWarning")
"""Time may be up between the moment when a folder or a file is opened and the block that closes it; the process ends then."""


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the files takes longer than anybody waits."""
    lint = engine.Linter.lint

    def waiting(self: engine.Linter, path: str, data: bytes, *, explicit: bool = False) -> object:
        if path == SLOW:
            time.sleep(60)
        return lint(self, path, data, explicit=explicit)

    monkeypatch.setattr(engine.Linter, "lint", waiting)


@pytest.mark.usefixtures("slow")
def test_what_was_found_until_then_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, SLOW: FATAL, "z/cloud.conf": FATAL})
    monkeypatch.chdir(tmp_path)
    started = time.monotonic()
    code = run_here(["lint", "--jobs", "1", "--time-limit", "2", "--format", "json", "."])
    assert time.monotonic() - started < 30
    document = json.loads(capsys.readouterr().out)
    assert code == 3
    assert {finding["path"] for finding in document["findings"]} == {"a/cloud.conf"}
    (failure,) = document["failures"]
    assert failure["path"] == SLOW
    assert "the time limit of 2 s is over: 2 of 3 files were not read" in failure["message"]


SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, ports: [{port: 80}]}
"""
SLOW_PARTS = {
    "predict": ("ccmcheck.cli.predict._predicted", "not all Services were predicted"),
    "review": ("ccmcheck.review.change.alike_services.ServiceComparison.compare", "not all Services were compared"),
    "upgrade": ("ccmcheck.review.change.alike_services.ServiceComparison.compare", "not all Services were compared"),
    "explain": ("ccmcheck.cli.create_monitor.answered_for", "the question was not answered for all deployments"),
    "list": ("ccmcheck.workspace.survey.Survey.add", "not all of 6 files were searched"),
    "read": ("ccmcheck.cli.read.read_report", "not all cloud.confs were read"),
    "show": ("ccmcheck.conf.effective_report.effective_report", "not all cloud.confs are shown"),
    "fix": ("ccmcheck.cli.fix.fix_file", "not all files were fixed"),
}
"""From a command to a part of its work, in the second piece of which the time ends, and what is said."""
COMMANDS = {
    "predict": ("predict", "."),
    "review": ("review", "before", "a"),
    "upgrade": ("upgrade", ".", "--from", "1.25"),
    "explain": ("explain", "create-monitor", "."),
    "list": ("list", "."),
    "read": ("read", "."),
    "show": ("show", "."),
    "fix": ("fix", "--jobs", "1", "."),
}
FORMS = {
    "predict": ("text", "markdown", "json"),
    "review": ("text", "markdown", "json", "html"),
    "upgrade": ("text", "markdown", "json"),
    "explain": ("text", "markdown", "json"),
    "list": ("text", "json"),
    "read": ("text", "json"),
    "show": ("text", "markdown", "json"),
    "fix": ("text", "json"),
}


@pytest.mark.parametrize(("command", "form"), [(command, form) for command in COMMANDS for form in FORMS[command]])
def test_every_command_shows_what_it_found_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, form: str
) -> None:
    other = SERVICE.replace("web", "other").replace("80", "81")
    files = {f"{name}/cloud.conf": RIGHT + f"max-shared-lb = {at + 3}\n" for at, name in enumerate(("a", "b"))}
    files |= {f"{name}/svc.yaml": f"{SERVICE}---\n{other}" for name in ("a", "b", "before")}
    put(tmp_path, {**files, "before/cloud.conf": RIGHT})
    if command == "fix":
        put(tmp_path, {f"{name}/cloud.conf": FATAL for name in ("a", "b")})
    place, said = SLOW_PARTS[command]
    called = []
    target, name = place.rsplit(".", 1)
    owner = pkgutil.resolve_name(target)
    work = getattr(owner, name)

    def once(*arguments: object, **options: object) -> object:
        called.append(1)
        if len(called) == 2:
            raise TimeIsUp(3)
        return work(*arguments, **options)

    monkeypatch.setattr(owner, name, once)
    more = () if (command, form) == ("fix", "text") else ("--format", form)
    done = run(tmp_path, *COMMANDS[command], *more, "--time-limit", "300")
    assert done.code == 3, done.err
    assert f"the time limit of 3 s is over: {said}; what is missing is unknown" in done.err
    if command == "fix":
        assert "a/cloud.conf" in done.out
        assert "b/cloud.conf" not in done.out
    if form == "json":
        document = json.loads(done.out)
        assert document["cut"] == [f"the time limit of 3 s is over: {said}"]
        assert len(document) > 2
    elif command != "fix":
        assert f"Cut: the time limit of 3 s is over: {said}" in done.out
        assert done.out.index("Cut:") > 100 or command == "list"  # after, or beside, what was found


def _ending_at(monkeypatch: pytest.MonkeyPatch, place: str, call: int) -> None:
    """Let the time be up at a call of something."""
    target, name = place.rsplit(".", 1)
    owner = pkgutil.resolve_name(target)
    work, called = getattr(owner, name), []

    def counted(*arguments: object, **options: object) -> object:
        called.append(1)
        if len(called) == call:
            raise TimeIsUp(3)
        return work(*arguments, **options)

    monkeypatch.setattr(owner, name, counted)


WHOLE = {
    "set": ("ccmcheck.fix.settings.assign", 2, ("set", ".", "create-monitor=false")),
    "set --patch": ("ccmcheck.cli.set.patches_of", 2, ("set", "--patch", "git", ".", "create-monitor=false")),
    "render": ("ccmcheck.render.render", 1, ("render", "secret", "--cloud-config", "a/cloud.conf", "-o", "new.yaml")),
}


@pytest.mark.parametrize("command", WHOLE)
def test_what_is_no_use_in_part_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    put(tmp_path, {"a/cloud.conf": RIGHT, "b/cloud.conf": RIGHT})
    place, call, words = WHOLE[command]
    _ending_at(monkeypatch, place, call)
    done = run(tmp_path, *words)
    assert (done.code, done.out) == (3, "")
    assert "the time limit of 3 s is over: nothing was written" in done.err
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")} == {"a/cloud.conf", "b/cloud.conf"}
    assert all((tmp_path / name / "cloud.conf").read_text() == RIGHT for name in "ab")


def test_set_says_which_files_it_wrote_until_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"a/cloud.conf": RIGHT, "b/cloud.conf": RIGHT})
    _ending_at(monkeypatch, "ccmcheck.cli.console.replace_file", 2)
    done = run(tmp_path, "set", "--format", "json", ".", "create-monitor=false")
    assert done.code == 3
    document = json.loads(done.out)
    assert [file["path"] for file in document["files"]] == ["a/cloud.conf"]
    assert document["cut"] == ["the time limit of 3 s is over: not all files were written"]
    assert (tmp_path / "b/cloud.conf").read_text() == RIGHT != (tmp_path / "a/cloud.conf").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not limit processor time")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_processor_time_is_limited_in_each_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_CPU)
    computed = time.process_time()  # of this process; a new one has computed for no time, and is left as much
    lint = engine.Linter.lint

    def ending(self: engine.Linter, path: str, data: bytes, *, explicit: bool = False) -> object:
        if path == SLOW:
            assert computed + 5_000 <= resource.getrlimit(resource.RLIMIT_CPU)[0] < computed + 6_000
            with suppress(Exception):  # what libraries do
                signal.raise_signal(signal.SIGXCPU)  # the system does, once the process has computed for so long
        return lint(self, path, data, explicit=explicit)

    monkeypatch.setattr(engine.Linter, "lint", ending)
    put(tmp_path, {"a/cloud.conf": FATAL, SLOW: FATAL, "z/cloud.conf": FATAL})
    done = run(tmp_path, "lint", "--jobs", jobs, "--cpu-limit", "5000", "--format", "json", ".")
    document = json.loads(done.out)
    assert done.code == 3
    assert "the limit of processor time of 5000 s is over" in done.err
    assert {finding["path"] for finding in document["findings"]} <= {"a/cloud.conf"}
    assert document["failures"]
    assert resource.getrlimit(resource.RLIMIT_CPU) == before


def test_a_call_from_python_leaves_no_limit_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Thread

    from ccmcheck.api import inventory

    put(tmp_path, {"cloud.conf": FATAL})
    monkeypatch.setenv("CCMCHECK_TIME_LIMIT", "0.5")
    monkeypatch.setenv("CCMCHECK_MEMORY_LIMIT", "1000")
    found: list[object] = []
    thread = Thread(target=lambda: found.append(inventory([str(tmp_path)])))
    thread.start()
    thread.join()
    assert found
    inventory([str(tmp_path)])
    time.sleep(0.6)  # it would end here
    mmap.mmap(-1, 1 << 31).close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not limit processor time")
@pytest.mark.parametrize("number", ["SIGXCPU", "SIGALRM"])
def test_a_limit_that_is_reached_while_it_is_lifted_ends_nothing(monkeypatch: pytest.MonkeyPatch, number: str) -> None:
    import resource

    limits, rung = resource.getrlimit, []

    def ringing(which: int) -> tuple[int, int]:
        rung.append(which)
        signal.raise_signal(getattr(signal, number))
        return limits(which)

    limit_time(300)
    limit_processor_time(5_000)
    monkeypatch.setattr(resource, "getrlimit", ringing)
    lift_limits()
    assert rung


@pytest.mark.ci
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("path", ["/api/v1/services", "/v2/lbaas/pools"])
def test_what_was_read_of_a_cluster_until_then_is_judged(tmp_path: Path, form: str, path: str) -> None:
    kube, cloud = kubernetes(**({"conf": FATAL} if "services" in path else {})), openstack()
    for server in (kube, cloud):
        server.fail(path, Fault(write=lambda _: time.sleep(5)))
    done = lint_octavia(tmp_path, kube, cloud, "--format", form, "--time-limit", "2")
    assert done.code == 3
    assert "the time limit of 2 s is over: not everything was read" in done.said
    if path == "/api/v1/services":
        assert "duration-bad" in done.out
    if form == "json":
        assert done.report["failures"]


def test_answers_that_threads_wait_for_end_in_time(tmp_path: Path) -> None:
    kube, cloud = kubernetes(), openstack()
    cloud.fail("/v2/lbaas/pools/900100/members", Fault(write=lambda _: time.sleep(12)))
    started = time.monotonic()
    done = lint_octavia(tmp_path, kube, cloud, "--format", "json", "--time-limit", "3")
    assert time.monotonic() - started < 10
    assert done.code == 3
    assert "members of pool 900100" in done.report["failures"][0]["path"]


@ends_anywhere
@pytest.mark.parametrize(
    "arguments", [["predict"], ["list"], ["lint", "--format", "json"], ["review", "--git", "HEAD"]]
)
def test_a_run_that_found_nothing_by_then_ends_with_3(tmp_path: Path, arguments: list[str]) -> None:
    put(tmp_path, {f"{number}/cloud.conf": FATAL for number in range(200)})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "base")
    done = run(tmp_path, *arguments, "--time-limit", "0.01", *(() if "--git" in arguments else (".",)))
    assert done.code == 3
    assert "the time limit of 0.01 s is over" in done.err + done.out
    assert "Traceback" not in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory")
@pytest.mark.parametrize(
    ("arguments", "owner", "name", "reported"),
    [
        (["lint", "--jobs", "1"], engine.Linter, "examine", {"a/cloud.conf", "z/cloud.conf"}),
        (["list", "--format", "json"], Survey, "add", {"a/cloud.conf"}),
    ],
)
def test_a_memory_limit_leaves_what_was_found(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    owner: type[Any],
    name: str,
    reported: set[str],
) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, SLOW: FATAL, "z/cloud.conf": FATAL})
    work = getattr(owner, name)

    def hungry(self: object, path: str, *more: Any, **options: Any) -> object:
        if path == SLOW:
            bytearray(1 << 40)
        return work(self, path, *more, **options)

    monkeypatch.setattr(owner, name, hungry)
    done = run(tmp_path, *arguments, "--memory-limit", "1000", ".")
    assert done.code == 3, done.err
    assert "the memory limit of 1,000 MiB is used up" in done.err + done.out
    assert {path for path in ("a/cloud.conf", "z/cloud.conf") if path in done.out} == reported
    assert "internal error" not in done.err + done.out


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory")
def test_the_memory_limit_is_one_of_the_process_and_ends_with_the_run(tmp_path: Path) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    put(tmp_path, {"cloud.conf": FATAL})
    assert run(tmp_path, "lint", "--memory-limit", "1000", ".").code == 1
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    limit_memory(64)
    try:
        with pytest.raises(MemoryError):
            bytearray(128 * 1024 * 1024)
    finally:
        lift_limits()
    assert bytearray(128 * 1024 * 1024)


@ends_anywhere
def test_the_environment_may_set_it_and_an_option_wins(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}/cloud.conf": FATAL for number in range(200)})
    assert run(tmp_path, "list", ".", CCMCHECK_TIME_LIMIT="0.01").code == 3
    assert run(tmp_path, "list", "--time-limit", "300", ".", CCMCHECK_TIME_LIMIT="0.01").code == 0


def _waiting() -> None:
    while True:
        with suppress(Exception):  # what libraries do
            time.sleep(1)


def test_nothing_that_deals_with_faults_swallows_it() -> None:
    limit_time(0.05)
    try:
        with pytest.raises(TimeIsUp):
            _waiting()
    finally:
        lift_limits()


SMALL = [
    "lint .", "lint --format sarif .", "lint --jobs 2 a b", "fix --diff .", "set a/cloud.conf create-monitor=true --diff", "predict .",
    "review a b", "upgrade . --from 1.25", "list .", "read a/cloud.conf", "show a/cloud.conf", "explain create-monitor .",
    "render secret --cloud-config a/cloud.conf", "rules", "profiles", "help lint", "cluster lint", "cluster orphans", "cluster diff .",
    "cluster preflight --yes .", "cluster fleet --all-contexts", "cluster merge x", "cluster conformance --yes", "cluster fix",
    "cluster report", "lint --os-cloud x .",
]  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory")
@pytest.mark.part(of=25)
@pytest.mark.parametrize("mebibytes", [8, 32, 64])
@pytest.mark.parametrize("command", SMALL)
def test_a_memory_limit_that_is_too_small_for_a_command_ends_it(tmp_path: Path, command: str, mebibytes: int) -> None:
    put(tmp_path, {"a/cloud.conf": RIGHT, "b/cloud.conf": FATAL, "a/svc.yaml": SERVICE})
    done = spawn(tmp_path, *command.split(), "--memory-limit", str(mebibytes))
    assert done.code in (0, 1, 2, 3), done.err
    for fault in ("Traceback", "internal error:", "ImportError", "is not installed", "cannot be read\n"):
        assert fault not in done.err, done.err
    if done.code == 3 and "kubeconfig" not in done.err and "Keystone" not in done.out:
        assert f"the memory limit of {mebibytes} MiB is used up" in done.err + done.out
