"""The jobs for GitLab: valid by its schema, and run as its runner would run them, with a GitLab of ours on loopback."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest
from action_steps import commit, git, load, programs
from root import ROOT
from schemas import schema_errors

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")]

FILE = ROOT / ".gitlab" / "ccmcheck.yml"
CONF = (ROOT / "samples" / "review" / "cloud.conf").read_text(encoding="utf-8")
SERVICES = (ROOT / "samples" / "review" / "services.yaml").read_text(encoding="utf-8")
SOURCE = "git+https://gitlab.example.org/your-group/ccmcheck@0123"
MONITORED = CONF + "create-monitor = true\n"


class Note(NamedTuple):
    path: str
    token: str
    body: str


class GitLab(HTTPServer):
    """Takes the notes of merge requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Notes)
        self.notes: list[Note] = []


class Notes(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, GitLab)
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.notes.append(Note(self.path, self.headers["PRIVATE-TOKEN"], form["body"][0]))
        self.send_response(201)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        pass


@pytest.fixture
def gitlab() -> Iterator[GitLab]:
    with GitLab() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "--quiet")
    commit(folder, {"cloud.conf": MONITORED, "services.yaml": SERVICES})
    return folder


def run(job: str, repository: Path, environment: Mapping[str, str], **variables: str) -> tuple[int, str]:
    """Run one job: its scripts are one script of a shell, as they are in GitLab's images."""
    definition: dict[str, Any] = load(FILE)
    template = definition[definition[job]["extends"]]
    scripts = [*template["before_script"], *definition[job]["script"]]
    values = {
        name: given if isinstance(given, str) else given["value"] for name, given in definition["variables"].items()
    }
    installation = programs(repository.parent / "programs")
    (installation / "pip").write_text(f'#!/bin/sh\necho "pip $*" >>"{repository.parent}/pip"\n', encoding="utf-8")
    (installation / "pip").chmod(0o755)
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(scripts)],
        cwd=repository,
        env={
            **environment,
            **values,
            "CCMCHECK_SOURCE": SOURCE,
            "PATH": f"{installation}:{os.environ['PATH']}",
            "TMPDIR": str(repository.parent),
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def test_it_is_valid() -> None:
    assert schema_errors("gitlab-ci", load(FILE)) == []


def test_the_schema_rejects_a_misspelled_key(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yml"
    path.write_text(FILE.read_text(encoding="utf-8").replace("codequality:", "codequalty:"), encoding="utf-8")
    assert schema_errors("gitlab-ci", load(path))


def test_lint_writes_a_code_quality_report(repository: Path, clean_environment: Mapping[str, str]) -> None:
    commit(repository, {"cloud.conf": MONITORED + "monitor-delay = 5\n"})
    code, printed = run(
        "ccmcheck-lint", repository, clean_environment, CCMCHECK_ARGS="--select duration-bad --release 1.31"
    )
    assert code == 1, printed
    assert "judged as CCM 1.31" in printed
    (issue,) = json.loads((repository / "gl-code-quality-ccmcheck.json").read_text(encoding="utf-8"))
    assert (issue["check_name"], issue["location"]["path"]) == ("duration-bad", "cloud.conf")
    assert (repository.parent / "pip").read_text(encoding="utf-8") == f"pip install --quiet {SOURCE}\n"


def test_lint_without_findings(repository: Path, clean_environment: Mapping[str, str]) -> None:
    code, printed = run(
        "ccmcheck-lint", repository, clean_environment, CCMCHECK_PATHS="cloud.conf", CCMCHECK_ARGS="--select values"
    )
    assert code == 0, printed
    assert json.loads((repository / "gl-code-quality-ccmcheck.json").read_text(encoding="utf-8")) == []


def test_variables_are_never_run_as_a_script(repository: Path, clean_environment: Mapping[str, str]) -> None:
    """ccmcheck knows patterns itself; the shell expands none, and runs nothing that stands in a variable."""
    code, printed = run("ccmcheck-lint", repository, clean_environment, CCMCHECK_PATHS="$(touch hit) *.conf")
    assert code == 3, printed
    assert not (repository / "hit").exists()


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_review_of_a_merge_request(repository: Path, gitlab: GitLab, clean_environment: Mapping[str, str]) -> None:
    base = git(repository, "rev-parse", "HEAD")
    commit(repository, {"cloud.conf": CONF})
    code, printed = run(
        "ccmcheck-review",
        repository,
        clean_environment,
        CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
        CI_API_V4_URL=f"http://127.0.0.1:{gitlab.server_port}/api/v4",
        CI_MERGE_REQUEST_PROJECT_ID="7",
        CI_MERGE_REQUEST_IID="12",
        CCMCHECK_TOKEN="glpat-not-a-real-one",
        CCMCHECK_REVIEW_ARGS="--nodes 3",
    )
    assert code == 1, printed
    assert "glpat" not in printed
    comment = (repository / "ccmcheck-review.md").read_text(encoding="utf-8")
    assert gitlab.notes == [Note("/api/v4/projects/7/merge_requests/12/notes", "glpat-not-a-real-one", comment)]
    assert comment.startswith("### ccmcheck review: ")
    assert (repository / "ccmcheck-review.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert not list(repository.parent.glob("ccmcheck-header"))


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_a_link_that_a_branch_commits_is_neither_written_nor_sent(
    repository: Path, gitlab: GitLab, clean_environment: Mapping[str, str]
) -> None:
    base = git(repository, "rev-parse", "HEAD")
    (repository.parent / "victim").write_text("secret", encoding="utf-8")
    (repository / "ccmcheck-review.md").symlink_to("../victim")
    commit(repository, {"cloud.conf": CONF})
    code, printed = run(
        "ccmcheck-review",
        repository,
        clean_environment,
        CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
        CI_API_V4_URL=f"http://127.0.0.1:{gitlab.server_port}/api/v4",
        CI_MERGE_REQUEST_PROJECT_ID="7",
        CI_MERGE_REQUEST_IID="12",
        CCMCHECK_TOKEN="glpat-not-a-real-one",
    )
    assert code == 2, printed
    assert gitlab.notes == []
    assert (repository.parent / "victim").read_text(encoding="utf-8") == "secret"


def test_without_a_token_the_review_is_an_artifact(repository: Path, clean_environment: Mapping[str, str]) -> None:
    base = git(repository, "rev-parse", "HEAD")
    commit(repository, {"services.yaml": SERVICES + "# a comment\n"})
    code, printed = run("ccmcheck-review", repository, clean_environment, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert code == 0, printed
    for name in load(FILE)["ccmcheck-review"]["artifacts"]["paths"]:
        assert (repository / name).stat().st_size > 0


def test_without_a_source_nothing_is_installed(repository: Path, clean_environment: Mapping[str, str]) -> None:
    code, printed = run("ccmcheck-lint", repository, clean_environment, CCMCHECK_SOURCE="")
    assert (code, "CCMCHECK_SOURCE is empty" in printed) == (2, True)
    assert not (repository.parent / "pip").exists()


def test_nothing_that_users_read_installs_a_package_by_its_name_alone() -> None:
    texts = [ROOT / "README.md", *(ROOT / "ccmcheck").rglob("*.md"), *(ROOT / "ccmcheck").rglob("*.py")]
    texts += (ROOT / "templates").iterdir()
    by_name = re.compile(r"(?<!After a release: `)pip(?:x)? (?:install|run) (?:-\S+ )*['\"]?ccmcheck\b")
    found = {path.name for path in texts if by_name.search(path.read_text(encoding="utf-8"))}
    assert not found, "whoever registers the name runs code there"
