"""What depends on where ``ccmcheck`` runs: a terminal, a pipe, a CI system, a shell, somebody's Ctrl-C."""

from __future__ import annotations

import base64
import fcntl
import os
import pty
import shutil
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from command_line import FATAL, RIGHT, ROOT, Done, environment, put, run, spawn, start

from ccmcheck.catalog.data.releases import BRANCHES

SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata: {{name: cloud-config-{}}}\ndata:\n  cloud.conf: "
    + base64.b64encode(FATAL.encode()).decode()
    + "\n"
)
ESCAPE = "\x1b["


def on_terminal(folder: Path, *arguments: str, code: str = "", **variables: str) -> tuple[int, str, str]:
    """Run with stdout on one terminal and stderr on another; exit code, what each showed."""
    out, out_end = pty.openpty()
    err, err_end = pty.openpty()
    program = f"{code}\nfrom ccmcheck.cli.main import main\nmain({list(arguments)!r})"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment(folder, **{"TERM": "xterm", "COLUMNS": "100", **variables}),
        stdin=subprocess.DEVNULL,
        stdout=out_end,
        stderr=err_end,
    ) as process:
        os.close(out_end)
        os.close(err_end)
        shown, progress = _all_of(out), _all_of(err)
        status = process.wait(timeout=60)
    return status, shown, progress


def _all_of(end: int) -> str:
    parts = []
    while True:
        try:
            part = os.read(end, 65_536)
        except OSError:  # the other side has been closed
            break
        if not part:
            break
        parts.append(part)
    os.close(end)
    return b"".join(parts).decode()


def test_colour_is_for_terminals(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    assert ESCAPE not in run(tmp_path, "lint").out
    assert ESCAPE in run(tmp_path, "lint", "--color=always").out
    assert ESCAPE in run(tmp_path, "lint", FORCE_COLOR="1").out
    assert ESCAPE not in run(tmp_path, "lint", FORCE_COLOR="1", NO_COLOR="1").out
    assert ESCAPE not in run(tmp_path, "lint", "--color=always", "--format=json").out
    assert ESCAPE in on_terminal(tmp_path, "lint")[1]
    assert ESCAPE not in on_terminal(tmp_path, "lint", NO_COLOR="1")[1]
    assert ESCAPE not in on_terminal(tmp_path, "lint", TERM="dumb")[1]
    assert ESCAPE not in on_terminal(tmp_path, "lint", "--color=never")[1]
    assert ESCAPE in on_terminal(tmp_path, "lint", "--color=always", NO_COLOR="1")[1]


def test_colour_in_the_configuration(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL, "ccmcheck.toml": 'color = "always"\n'})
    assert ESCAPE in run(tmp_path, "lint").out
    assert ESCAPE not in run(tmp_path, "lint", "--color=never").out


def test_a_file_never_gets_colour(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    assert ESCAPE in run(tmp_path, "lint", "--color=always", "--output-file=text=report").out
    assert ESCAPE not in (tmp_path / "report").read_text(encoding="utf-8")


def test_the_text_fits_the_terminal(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL + "monitor-timeout = 4 # a long comment that does not fit, by far not at all\n"})
    for columns in (50, 72, 100):
        shown = run(tmp_path, "lint", COLUMNS=str(columns)).out
        prose = [
            line
            for line in shown.rpartition("\n\n")[0].splitlines()
            if line.startswith("   ") and "ends with: " not in line
        ]
        assert max(map(len, prose)) <= columns
        assert len(prose) >= 6
    assert len(max(run(tmp_path, "lint").out.splitlines(), key=len)) > 100


def test_a_ci_job_at_github_gets_annotations(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    assert run(tmp_path, "lint", GITHUB_ACTIONS="true").out.startswith("::error file=cloud.conf,line=11,col=17")
    assert run(tmp_path, "lint", "--format=text", GITHUB_ACTIONS="true").out.startswith("cloud.conf:11:17")
    assert run(tmp_path, "lint", GITHUB_ACTIONS="false").out.startswith("cloud.conf:11:17")
    put(tmp_path, {"ccmcheck.toml": 'format = "concise"\n'})
    assert run(tmp_path, "lint", GITHUB_ACTIONS="true").out.startswith("cloud.conf:11:17: error duration-bad")


def test_a_ci_job_at_github_gets_a_summary(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL, "summary.md": "from another command\n"})

    def lint(*arguments: str, summary: Path = tmp_path / "summary.md") -> Done:
        return run(tmp_path, "lint", "cloud.conf", *arguments, GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))

    lint()
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("from another command\n## ccmcheck\n")
    assert (
        "| 🔴 error (fatal) | `cloud.conf:11` | `duration-bad` | monitor-delay: a duration needs a unit; the CCM stops here |"
        in text
    )
    for arguments in (["-q"], ["--format=json"]):
        lint(*arguments)
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == text
    gone = lint(summary=tmp_path / "no" / "such")
    assert gone.code == 1
    assert "cannot be written: no such file or directory" in gone.err


def test_the_progress_bar_is_for_terminals_and_goes_away(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}.yaml": SECRET.format(number) for number in range(20)})
    impatient = "import ccmcheck.cli.console as c; c.PATIENCE_SECONDS = 0"
    code, shown, progress = on_terminal(tmp_path, "lint", code=impatient)
    assert code == 1
    assert "of 20 files" in progress
    assert progress.endswith("\r\x1b[K")
    assert "of 20 files" not in shown
    assert on_terminal(tmp_path, "lint", "-q", code=impatient)[2] == ""
    assert on_terminal(tmp_path, "lint", "--format=json", code=impatient)[2] == ""
    assert on_terminal(tmp_path, "lint")[2] == ""
    assert spawn(tmp_path, "lint").err == ""


def test_a_closed_pipe_adds_no_error(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}.yaml": SECRET.format(number) for number in range(250)})  # more than a pipe holds
    for form in ("text", "sarif"):
        command = f"{sys.executable} -m ccmcheck lint -q --format={form} | head -1"
        done = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=True
        )
        assert done.stdout.count(b"\n") == 1
        assert done.stderr == b""


def test_a_closed_pipe_does_not_fail_a_script(tmp_path: Path) -> None:
    command = f"set -o pipefail; {sys.executable} -m ccmcheck rules --format=markdown | head -c1"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment(tmp_path), check=False)
    assert done.returncode == 0


@pytest.mark.parametrize(
    "command", [("rules", "--format=markdown"), ("explain", "duration-bad"), ("--help",), ("lint", "-h")]
)
def test_a_pipe_without_a_reader(tmp_path: Path, command: tuple[str, ...]) -> None:
    words = " ".join(command)
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m ccmcheck {words} | true"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    put(tmp_path, {"cloud.conf": FATAL})
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ccmcheck", "lint"],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert b"standard output cannot be written: no space left on device" in done.stderr


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("lint >&-", 1),
        ("lint 2>&-", 1),
        ("lint nowhere >&- 2>&-", 3),
        ("lint --no-such-option 2>&-", 2),
        ("explain nothing-of-the-kind >&- 2>&-", 2),
        ("--help >&-", 0),
    ],
)
def test_streams_that_the_caller_closed(tmp_path: Path, command: str, expected: int) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    shell = f"{sys.executable} -m ccmcheck {command}"
    done = subprocess.run(
        ["sh", "-c", shell], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False
    )
    assert done.returncode == expected
    assert done.stderr == b""


@pytest.mark.parametrize("command", ["lint -", "read -", "fix -", "render secret --cloud-config -"])
def test_a_standard_input_that_the_caller_closed_cannot_be_read(tmp_path: Path, command: str) -> None:
    shell = f"{sys.executable} -m ccmcheck {command} <&-"
    done = subprocess.run(
        ["sh", "-c", shell], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False
    )
    assert done.returncode == 3
    assert b"standard input is closed" in done.stderr


def test_interrupted_at_any_moment_there_is_no_traceback(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    code = (
        "import ccmcheck.cli.start, sys; sys.argv[1:] = ['lint']; print('.', flush=True); ccmcheck.cli.start.program()"
    )
    ends = set()
    for wait in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # what a shell starts in the background ignores interrupts, and so does all that it starts
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - nothing else runs here
        )
        assert process.stdout is not None
        process.stdout.read(1)
        time.sleep(wait * 0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        # CPython's own import lock says so where the interrupt comes in its callback
        assert b"Traceback" not in err or b"Exception ignored in: <function _get_module_lock" in err
        ends.add(process.returncode)
    assert ends <= {-signal.SIGINT, 130, 1}
    assert -signal.SIGINT in ends  # it was not even loaded


@pytest.mark.parametrize("where", ["ccmcheck.workspace.discover.read", "ccmcheck.lint.engine.Linter.examine"])
def test_an_interrupt_while_a_class_is_made(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 raises a RuntimeError then, behind which the interrupt is."""

    def interrupted(*_: object, **__: object) -> None:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    put(tmp_path, {"cloud.conf": FATAL})
    monkeypatch.setattr(where, interrupted)
    done = run(tmp_path, "lint", ".")
    assert (done.code, done.err) == (130, "\nccmcheck: interrupted\n")


def test_a_current_folder_that_is_gone(tmp_path: Path) -> None:
    shell = f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -m ccmcheck lint"
    done = subprocess.run(
        ["sh", "-c", shell], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False
    )
    assert done.returncode in (0, 3)
    assert b"Traceback" not in done.stderr
    assert b"internal error" not in done.stderr


def test_an_encoding_that_cannot_take_it(tmp_path: Path) -> None:
    put(tmp_path, {"ü\udcff/cloud.conf": FATAL})
    done = spawn(tmp_path, "lint", PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.code == 1
    assert "monitor-delay = 3" in done.out
    assert done.err == ""


def test_interrupted_while_waiting_for_standard_input(tmp_path: Path) -> None:
    with start(tmp_path, "lint", "-") as process:
        assert process.stdin is not None
        process.stdin.write(b"[")
        process.stdin.flush()
        _wait_until(lambda: not _unread(process.pid))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.strip()) == (130, b"", b"ccmcheck: interrupted")


def test_interrupted_with_several_processes(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}.yaml": SECRET.format(number) for number in range(3000)})
    with start(tmp_path, "lint", "--jobs=2") as process:
        _wait_until(lambda: len(_children(process.pid)) == 2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.strip()) == (130, b"", b"ccmcheck: interrupted")
    _wait_until(lambda: not _group_lives(process.pid))


def test_ctrl_c_reaches_the_whole_group(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}.yaml": SECRET.format(number) for number in range(3000)})
    with start(tmp_path, "lint", "--jobs=2") as process:
        _wait_until(lambda: len(_children(process.pid)) == 2)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err
    _wait_until(lambda: not _group_lives(process.pid))


def test_a_killed_worker_is_reported(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}.yaml": SECRET.format(number) for number in range(3000)})
    with start(tmp_path, "lint", "--jobs=2") as process:
        _wait_until(lambda: len(_children(process.pid)) == 2)
        os.kill(_children(process.pid)[0], signal.SIGKILL)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 3
    assert b"a worker process ended before its files were done" in err
    assert b"--jobs 1" in err
    _wait_until(lambda: not _group_lives(process.pid))


def _wait_until(said: object, seconds: float = 20.0) -> None:
    assert callable(said)
    end = time.monotonic() + seconds
    while not said():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except FileNotFoundError:
        return []


def _unread(pid: int) -> int:
    """How many bytes wait in a process's standard input."""
    with Path(f"/proc/{pid}/fd/0").open("rb") as pipe:
        return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4), sys.byteorder)


def _group_lives(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(tmp_path: Path, shell: str) -> None:
    done = spawn(tmp_path, _CCMCHECK_COMPLETE=f"{shell}_source")
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("no bash")
    assert done.code == 0
    assert "_CCMCHECK_COMPLETE=" in done.out
    assert "ccmcheck" in done.out
    if shutil.which(shell) is not None:
        script = tmp_path / f"script.{shell}"
        script.write_text(done.out, encoding="utf-8")
        subprocess.run([shell, "-n", str(script)], check=True, capture_output=True)


def completed(folder: Path, shell: str, *words: str) -> list[str]:
    """What a shell is offered after some words, the last of which is incomplete."""
    done = run(
        folder,
        _CCMCHECK_COMPLETE=f"{shell}_complete",
        COMP_WORDS=" ".join(("ccmcheck", *words)),
        COMP_CWORD=words[-1] if shell == "fish" else str(len(words)),
    )
    assert done.err == ""
    lines = done.out.splitlines()
    if shell == "zsh":
        return lines[1::3]
    return [line.partition(",")[2].partition("\t")[0] for line in lines]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_commands_and_options(tmp_path: Path, shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("no bash")
    assert completed(tmp_path, shell, "li") == ["lint", "list"]
    assert completed(tmp_path, shell, "lint", "--rel") == ["--release"]
    assert completed(tmp_path, shell, "lint", "--color", "al") == ["always"]
    assert completed(tmp_path, shell, "lint", "--format", "s") == ["sarif"]
    assert completed(tmp_path, shell, "lint", "--select", "names,duration-b") == ["names,duration-bad"]
    assert completed(tmp_path, shell, "lint", "--release", "1.3")[:2] == list(reversed(BRANCHES[-3:-1]))
    assert completed(tmp_path, shell, "lint", "--consumer", "cc") == ["ccm"]
    assert completed(tmp_path, shell, "lint", "--fail-on", "w") == ["warning"]
    assert completed(tmp_path, shell, "explain", "create-monitor-i") == ["create-monitor-implicit"]
    assert completed(tmp_path, shell, "explain", "LoadBalancer.create") == ["LoadBalancer.create-monitor"]


def test_files_are_left_to_the_shell(tmp_path: Path) -> None:
    def kinds(*words: str) -> list[str]:
        words = ("ccmcheck", *words)
        done = run(
            tmp_path, _CCMCHECK_COMPLETE="zsh_complete", COMP_WORDS=" ".join(words), COMP_CWORD=str(len(words) - 1)
        )
        return done.out.splitlines()[::3]

    for words in (
        ("lint", "clus"),
        ("read", "clus"),
        ("show", "clus"),
        ("fix", "clus"),
        ("lint", "--config", "c"),
        ("lint", "--env-file", "c"),
    ):
        assert kinds(*words) == ["file"]


def test_completion_in_bash_itself(tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("no bash")
    put(tmp_path, {"bin/ccmcheck": f'#!/bin/sh\nexec {sys.executable} -m ccmcheck "$@"\n'})
    (tmp_path / "bin" / "ccmcheck").chmod(0o755)
    script = (
        'eval "$(_CCMCHECK_COMPLETE=bash_source ccmcheck)"; COMP_WORDS=(ccmcheck expl); COMP_CWORD=1; '
        '_ccmcheck_completion ccmcheck; echo "${COMPREPLY[@]}"'
    )
    variables = environment(tmp_path, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}", PYTHONPATH=str(ROOT))
    done = subprocess.run(["bash", "-c", script], env=variables, capture_output=True, check=True)
    assert done.stdout.split() == [b"explain"]


def test_a_long_run_says_nothing_to_a_pipe(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    assert spawn(tmp_path, "lint", "-q") == (0, "", "")
