"""What ccmcheck says of clusters that are broken in the ways in which clusters break, one way after the other.

A real kube-apiserver with its controllers, the CCM by its own manifests and with its own account, and the real Octavia API
behind it. First all is well, and nothing may be said. Each line of ``live_faults.jsonl`` then breaks one thing; ccmcheck, with
no rights but those of ``cluster rbac``, must name it, and nothing beside it. Pods' states that only a kubelet could write are
written; the CCM's own ends, log lines and events are its own. ``--table FILE`` writes what was said of each.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import kube_objects as objects
from kube_cloud import PASSWORD, READER_PASSWORD
from kube_stack import NotAvailableError, Stack
from live_acts import Acts
from live_cluster import well

Json = dict[str, Any]
SKIPPED = 77
FAULTS: list[Json] = [
    json.loads(line) for line in Path(__file__).with_name("live_faults.jsonl").read_text(encoding="utf-8").splitlines()
]
EVERY = 8  # in a sample
IGNORED = "auth-url-form,auth-password"
"""The stand-in has no TLS, and users with passwords alone."""
_PROGRAM = """
from datetime import timedelta
from ccmcheck.cluster.live import services
services.PATIENCE = timedelta()
from ccmcheck.cli.main import main
main()
"""
"""Runs ccmcheck without its patience of five minutes with a Service that has no address."""
_WITH_CLOUD = ("--octavia", "resync", "orphans", "preflight")
_LONGEST = 600
_COMMANDS = ("lint", "diff", "orphans", "resync", "conformance", "fix", "report")


class Said(NamedTuple):
    """What a run said.

    Attributes:
        code: The exit code.
        text: Both outputs.
        rules: The words of each finding, by the rule and the object.
        failures: What could not be read, with the reason.
    """

    code: int
    text: str
    rules: dict[tuple[str, str], str]
    failures: tuple[str, ...]


class Judged(NamedTuple):
    """What was made of a run.

    Attributes:
        missing: What was not said.
        false: What was said and is not so.
        said: In one line.
    """

    missing: tuple[str, ...]
    false: tuple[str, ...]
    said: str


class Runner:
    """Runs ccmcheck in a cluster, with the account that `cluster rbac` makes."""

    def __init__(self, cluster: Stack, folder: Path) -> None:
        self._cluster, self._folder = cluster, folder
        folder.mkdir()
        roles = self._ccmcheck("cluster", "rbac", *(word for name in _COMMANDS for word in ("--for", name)))
        for path, body in objects.created(roles.stdout):
            cluster.server.request("POST", path, body)
        path = "/api/v1/namespaces/kube-system/serviceaccounts/ccmcheck/token"
        request = {
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenRequest",
            "spec": {"expirationSeconds": 36000},
        }
        cluster.server.tokens["ccmcheck"] = cluster.server.request("POST", path, request)["status"]["token"]
        self._config = cluster.server.kubeconfig("ccmcheck", "reader", name="ccmcheck.kubeconfig")

    def _ccmcheck(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, "OS_CLIENT_CONFIG_FILE": str(self._cluster.cloud.clouds_yaml)}
        return subprocess.run(
            [sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, timeout=180, check=False,
            stdin=subprocess.DEVNULL, env=variables, cwd=self._folder,
        )  # fmt: skip

    def run(self, command: str, files: dict[str, str]) -> Said:
        """Run a command.

        Args:
            command: What follows ``ccmcheck cluster``.
            files: What is in the folder that it runs in.
        """
        for name, text in files.items():
            (self._folder / name).parent.mkdir(exist_ok=True)
            (self._folder / name).write_text(text, encoding="utf-8")
        words = command.split()
        if words[0] != "preflight":
            words += ["--kubeconfig", str(self._config)]
        if words[0] == "lint":
            words += ["--format", "json", "--ignore", IGNORED]
        if any(one in words for one in _WITH_CLOUD):
            words += ["--os-cloud", "reader"]
        done = self._ccmcheck("cluster", *words)
        text = done.stdout + done.stderr
        leaked = [one for one in (PASSWORD, READER_PASSWORD, *self._cluster.server.tokens.values()) if one in text]
        assert not leaked, "a secret is shown"
        assert "Traceback" not in text, text
        if words[0] != "lint" or not done.stdout.startswith("{"):
            return Said(done.returncode, text, {}, ())
        report = json.loads(done.stdout)
        rules: dict[tuple[str, str], str] = {}
        for one in report["findings"]:
            key = one["rule"], one["path"]
            rules[key] = f"{rules.get(key, '')} {one['label']}: {one['detail']} {one['help']}".strip()
        failures = tuple(f"{one['path']}: {one['message']}" for one in report["failures"])
        return Said(done.returncode, text, rules, failures)


def judged(run: Json, said: Said) -> Judged:
    """Compare what was said with what should be.

    Args:
        run: ``rules``: words of the finding, by its rule; ``beside``: rules that follow from the fault; ``fails``: words of
            what cannot be read; ``words``: of other outputs; ``never``: words that may not be there; ``code``; ``unnamed``:
            why nothing is said of a fault.
        said: What was said.
    """
    missing, false = [], []
    for rule, words in run.get("rules", {}).items():
        texts = [text for (name, _), text in said.rules.items() if name == rule]
        if not any(words.lower() in text.lower() for text in texts):
            missing.append(f"{rule}: {words} ({'; '.join(texts) or 'no such finding'})")
    plain = " ".join(said.text.split())
    missing += [f"words: {words} ({plain})" for words in run.get("words", ()) if words not in plain]
    wanted = run.get("fails", [])
    missing += [f"failure: {words}" for words in wanted if not any(words in one for one in said.failures)]
    code = run.get("code", 1)
    if said.code != code:
        missing.append(f"exit code {code}, not {said.code}")
    allowed = {*run.get("rules", {}), *run.get("beside", ())}
    false += [f"{rule} {path}: {text}" for (rule, path), text in said.rules.items() if rule not in allowed]
    false += [f"failure {one}" for one in said.failures if not any(words in one for words in wanted)]
    false += [f"words: {words} ({plain})" for words in run.get("never", ()) if words in plain]
    return Judged(tuple(missing), tuple(false), _line(run, said, plain))


def _line(run: Json, said: Said, plain: str) -> str:
    """What was said, for the table."""
    parts = [f"{rule}: {text}" for (rule, _), text in said.rules.items() if rule in run.get("rules", {})]
    parts += [one for one in said.failures if any(words in one for words in run.get("fails", ()))]
    for words in run.get("words", ()):
        at = plain.find(words)
        parts += [plain[max(0, at - 40) : at + 160]] if at >= 0 else []
    return re.sub(r"\s+", " ", "; ".join(parts)) or "nothing"


class Results:
    """Counts and rows of a table."""

    def __init__(self) -> None:
        self.passed = self.failed = 0
        self.counts = dict.fromkeys(("named", "not named", "with something false"), 0)
        self.rows = ["| fault | command | what is said | exit code |", "|---|---|---|---|"]

    def add(self, fault: str, run: Json, said: Said, found: Judged) -> None:
        """Count a run, and print it."""
        self.counts["not named" if found.missing or "unnamed" in run else "named"] += 1
        self.counts["with something false"] += bool(found.false)
        self.rows.append(f"| {fault} | `{run['run']}` | {found.said[:_LONGEST]} | {said.code} |")
        self._note(fault, f"{run['run']} ({said.code}): {found.said[:_LONGEST]}", [*found.missing, *found.false])

    def fail(self, fault: str, why: str) -> None:
        """Count a fault that could not be tried or undone."""
        self._note(fault, "not tried", [why])

    def _note(self, fault: str, text: str, wrong: Sequence[str]) -> None:
        self.failed += bool(wrong)
        self.passed += not wrong
        print(f"{'FAILED ' if wrong else 'ok     '} {fault}: {text}")
        for one in wrong:
            print(f"        {one[:_LONGEST]}", flush=True)


def play(faults: Sequence[Json], results: Results) -> None:
    """Break a cluster in each way, and hear what ccmcheck says; where one is not as before afterwards, take another.

    Raises:
        NotAvailableError: There can be no cluster here.
    """
    waiting = list(faults)
    while waiting:
        with tempfile.TemporaryDirectory() as folder, well(Path(folder)) as cluster:
            runner, acts = Runner(cluster, Path(folder) / "work"), Acts(cluster)
            while waiting and _try(waiting.pop(0), runner, acts, results):
                pass


def _try(fault: Json, runner: Runner, acts: Acts, results: Results) -> bool:
    """Try one; whether the cluster is as before."""
    name = fault["fault"]
    try:
        acts.play(fault["do"])
        for run in ({"run": "lint", **fault}, *fault.get("then", ())):
            # what was done names what may be gone
            whole = json.loads(acts.filled(json.dumps({key: run[key] for key in run if key not in ("do", "then")})))
            said = runner.run(whole["run"], whole.get("files", {}))
            results.add(name, run, said, judged(whole, said))
    except (AssertionError, StopIteration) as error:
        results.fail(name, str(error))
    try:
        if fault["do"]:
            acts.undo()
    except AssertionError as error:
        results.fail(f"{name}, undone", str(error))
        return False
    return True


def main() -> int:
    """Run everything; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", action="store_true", help=f"every {EVERY}th fault")
    parser.add_argument("--seed", type=int, help="has no effect: nothing depends on chance")
    parser.add_argument("--record", action="store_true", help="has no effect: nothing is recorded")
    parser.add_argument("--table", type=Path, help="write a table of what was said")
    parser.add_argument("only", nargs="*", help="faults by words of their names")
    asked = parser.parse_args()
    chosen = FAULTS[:: EVERY if asked.sample else 1]
    if asked.only:
        chosen = [one for one in FAULTS if any(words in one["fault"] for words in asked.only)]
    results = Results()
    try:
        play(chosen, results)
    except NotAvailableError as error:
        print(f"skipped: {error}")
        return SKIPPED
    print(f"{len(chosen)} faults; runs: " + ", ".join(f"{count} {name}" for name, count in results.counts.items()))
    if asked.table:
        asked.table.write_text("\n".join(results.rows) + "\n", encoding="utf-8")
    print(f"{results.passed} passed, {results.failed} failed")
    return 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main())
