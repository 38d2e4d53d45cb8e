"""Runs the steps of a composite action as GitHub's runner does: each script in bash, with what the expressions give.

Only the expressions that our action has: a name, ``a || b`` in outputs, and ``a == 'b' && c != 'd'`` in conditions.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from root import ROOT
from ruamel.yaml import YAML

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
CLAUSE = re.compile(r"(\S+) (==|!=) '([^']*)'")


def load(path: Path) -> Any:
    """A YAML file as YAML 1.2 reads it, in which ``on`` is a name."""
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


class Ran(NamedTuple):
    """What a run of an action left behind."""

    code: int
    log: str
    summary: str
    outputs: dict[str, str]


class Action:
    """A composite action, run in a folder.

    Args:
        folder: The folder of its ``action.yml``.
        scratch: Where the runner keeps its own files.
        environment: The job's environment.
    """

    def __init__(self, folder: Path, scratch: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.scratch = scratch
        self.environment = environment
        self.definition = load(folder / "action.yml")

    def run(
        self,
        workspace: Path,
        inputs: Mapping[str, str],
        *,
        event_base: str = "",
        given: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Ran:
        """Run it with some inputs.

        Args:
            workspace: The checkout.
            inputs: As under ``with``.
            event_base: ``github.event.pull_request.base.sha``.
            given: Outputs of steps that are not run.
        """
        context = {"github.event.pull_request.base.sha": event_base}
        for name, entry in self.definition["inputs"].items():
            context[f"inputs.{name}"] = inputs.get(name, _filled(str(entry["default"]), context))
        assert set(inputs) <= set(self.definition["inputs"])
        steps: dict[str, Mapping[str, str]] = dict(given or {})
        self.scratch.mkdir(exist_ok=True)
        summary = self.scratch / "summary"
        summary.write_text("")
        log, code = "", 0
        for number, step in enumerate(self.definition["runs"]["steps"]):
            name = step.get("id", f"step{number}")
            if code or "uses" in step or name in steps or not _holds(step.get("if", ""), context):
                continue
            assert step["shell"] == "bash"
            known = context | {
                f"steps.{of}.outputs.{key}": value for of, pairs in steps.items() for key, value in pairs.items()
            }
            output, script = self.scratch / f"output{number}", self.scratch / f"script{number}.sh"
            output.write_text("")
            script.write_text(step["run"], encoding="utf-8")
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
                cwd=workspace,
                env={
                    **self.environment,
                    "GITHUB_ACTIONS": "true",
                    "GITHUB_ACTION_PATH": str(self.folder),
                    "GITHUB_OUTPUT": str(output),
                    "GITHUB_STEP_SUMMARY": str(summary),
                    "RUNNER_TEMP": str(self.scratch),
                    **{key: _filled(value, known) for key, value in step.get("env", {}).items()},
                },
                capture_output=True,
                text=True,
                check=False,
                timeout=300,
            )
            log, code = log + done.stdout + done.stderr, done.returncode
            steps[name] = dict(line.split("=", 1) for line in output.read_text().splitlines())
        known = {f"steps.{of}.outputs.{key}": value for of, pairs in steps.items() for key, value in pairs.items()}
        outputs = {name: _filled(entry["value"], known) for name, entry in self.definition["outputs"].items()}
        return Ran(code, log, summary.read_text(encoding="utf-8"), outputs)


def _filled(text: str, context: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        names = [name.strip() for name in match.group(1).split("||")]
        return next((context[name] for name in names if context.get(name)), "")

    return EXPRESSION.sub(value, text)


def _holds(condition: str, context: Mapping[str, str]) -> bool:
    for clause in filter(None, condition.split(" && ")):
        match = CLAUSE.fullmatch(clause)
        assert match is not None, clause
        name, operator, value = match.groups()
        if (context[name] == value) != (operator == "=="):
            return False
    return True


def programs(folder: Path) -> Path:
    """A folder with ``ccmcheck`` and ``python`` as an installation has them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, words in (("ccmcheck", "-m ccmcheck "), ("python", "")):
        path = folder / name
        path.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" {words}"$@"\n', encoding="utf-8")
        path.chmod(0o755)
    return folder


def git(folder: Path, *arguments: str, day: str = "2026-03-01T12:00:00+00:00") -> str:
    """Run git as somebody who has no settings, on some day."""
    identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.net", "-c", "init.defaultBranch=main"]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_COMMITTER_DATE": day,
    }
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(folder: Path, files: Mapping[str, str]) -> str:
    """Write some files and commit all there is; the commit."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=files")
    return git(folder, "rev-parse", "HEAD")
