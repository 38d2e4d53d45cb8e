"""Runs the command line as a user does: in this process, or in one of its own where that matters."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from contextvars import Context
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from ccmcheck.cli.main import run as run_command

ROOT = Path(__file__).resolve().parents[2]

RIGHT = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
application-credential-id = 3a1b5a94dcb94d4ba0d52ad45c5dbd8f
application-credential-secret = "s3cr3t"
region = RegionOne

[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
create-monitor = true
"""
FATAL = RIGHT + "monitor-delay = 3\n"
"""One error, `duration-bad`, at 11:17."""
WARNED = RIGHT.replace("region = RegionOne", "tls-insecure = true")
"""One warning, `tls-insecure-on`, at 5:16."""
NOTED = RIGHT.replace("create-monitor = true\n", "")
"""One info, `create-monitor-implicit`, at 7:1."""
BROKEN_YAML = "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: [a\n"


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A user's environment without this machine's own settings."""
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **more}


def run(folder: Path, *arguments: str, stdin: bytes = b"", **variables: str) -> Done:
    """Run ``ccmcheck`` in a folder, in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    entered = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    with (
        chdir(folder),
        patch.dict(os.environ, environment(folder, **variables), clear=True),
        patch.object(sys, "stdin", entered),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            code = Context().run(run_command, arguments)  # with no secret that another test left in the process
        except SystemExit as end:
            code = int(end.code or 0)
    done = Done(code, _written(out), _written(err))
    if os.environ.get("CI") == "true":
        from test_json_schemas import published

        published(arguments, done.out)
    return done


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(folder: Path, *arguments: str, **variables: str) -> subprocess.Popen[bytes]:
    """Start ``python -m ccmcheck`` in a folder, as the head of its own process group."""
    return subprocess.Popen(
        [sys.executable, "-m", "ccmcheck", *arguments],
        cwd=folder,
        env=environment(folder, **variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_heed_interrupts,  # noqa: PLW1509 - one thread; children inherit an ignored Ctrl-C
    )


def spawn(folder: Path, *arguments: str, stdin: bytes = b"", **variables: str) -> Done:
    """Run ``python -m ccmcheck`` in a folder to its end."""
    with start(folder, *arguments, **variables) as process:
        out, err = process.communicate(stdin, timeout=60)
    return Done(process.returncode, out.decode(), err.decode())


def put(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write some files below a folder, and give the folder back."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
    return folder


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder, as somebody."""
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *arguments],
        cwd=folder,
        env=environment(folder, GIT_CONFIG_NOSYSTEM="1", **who),
        check=True,
        capture_output=True,
    )


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
