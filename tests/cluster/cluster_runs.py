"""Runs ``ccmcheck cluster`` against the API server of the tests, as a user does."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from contextvars import Context
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from api_server import kubeconfig, serving
from skipped_waits import skipped_waits

from ccmcheck.cli.main import run as run_command

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import ApiServer


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Everything."""
        return self.out + self.err

    @property
    def report(self) -> Any:
        """The report as JSON."""
        return json.loads(self.out)


def run(folder: Path, *arguments: str, command: str = "cluster", **variables: str) -> Done:
    """Run ``ccmcheck cluster``, or another command, against stand-ins, for which nothing needs to wait."""
    with skipped_waits():
        return run_waiting(folder, *arguments, command=command, **variables)


def run_waiting(folder: Path, *arguments: str, command: str = "cluster", **variables: str) -> Done:
    """Run ``ccmcheck cluster`` with all its pauses, as real servers need them."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **variables}
    with (
        chdir(folder),
        patch.dict(os.environ, environment, clear=True),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(), "utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        # with no secret that another test left in the process
        code = Context().run(run_command, [command, *arguments])
    out.flush()
    err.flush()
    out.seek(0)
    err.seek(0)
    done = Done(code, out.read(), err.read())
    if os.environ.get("CI") == "true":
        from test_json_schemas import published

        published((command, *arguments), done.out)
    return done


def lint(folder: Path, server: ApiServer, *arguments: str, **kubeconfig_of: str) -> Done:
    """Serve a cluster, and lint it."""
    with serving(server):
        config = kubeconfig(folder, server, **kubeconfig_of)
        return run(folder, "lint", "--kubeconfig", str(config), *arguments)


def rules(done: Done) -> set[str]:
    """The rules of a JSON report's findings."""
    return {finding["rule"] for finding in done.report["findings"]}


def failures(done: Done) -> dict[str, str]:
    """What a JSON report says could not be read, and why."""
    return {failure["path"]: failure["message"] for failure in done.report["failures"]}
