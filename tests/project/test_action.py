"""The composite action for GitHub: its steps are run as the runner would run them, in a repository with two commits."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from action_steps import EXPRESSION, Action, Ran, commit, git, programs
from root import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash"),
]

FOLDER = ROOT / ".github" / "actions" / "ccmcheck"
CONF = (ROOT / "samples" / "review" / "cloud.conf").read_text(encoding="utf-8")
SERVICES = (ROOT / "samples" / "review" / "services.yaml").read_text(encoding="utf-8")
CCM = (ROOT / "samples" / "ccm.yaml").read_text(encoding="utf-8")
MONITORED = CONF + "create-monitor = true\n"
FATAL = MONITORED + "monitor-delay = 5\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "--quiet")
    commit(folder, {"cloud.conf": MONITORED, "services.yaml": SERVICES, "ccm.yaml": CCM})
    return folder


class Runner:
    """Runs the action with an installation that is there already."""

    def __init__(self, scratch: Path, environment: Mapping[str, str]) -> None:
        self.action = Action(FOLDER, scratch, environment)
        self.given = {"install": {"programs": str(programs(scratch.parent / "programs"))}}

    def __call__(self, workspace: Path, base: str = "", **inputs: str) -> Ran:
        named = {name.replace("_", "-"): value for name, value in inputs.items()}
        return self.action.run(workspace, named, event_base=base, given=self.given)


@pytest.fixture
def runner(tmp_path: Path, clean_environment: Mapping[str, str]) -> Runner:
    return Runner(tmp_path / "runner", clean_environment)


def test_lint_annotates_and_writes_sarif(repository: Path, runner: Runner) -> None:
    commit(repository, {"cloud.conf": FATAL})
    done = runner(repository, sarif_file="out.sarif")
    assert done.code == 1
    assert "::error file=cloud.conf,line=12,col=17" in done.log
    assert "duration-bad" in done.summary
    assert done.summary.startswith("## ccmcheck\n\n1 finding (1 error)")
    log = json.loads((repository / "out.sarif").read_text(encoding="utf-8"))
    assert {result["ruleId"] for result in log["runs"][0]["results"]} >= {"duration-bad"}
    assert done.outputs == {"exit-code": "1", "comment-file": "", "sarif-file": "out.sarif"}


@pytest.mark.parametrize(("command", "name"), [("lint", "out.sarif"), ("review", "ccmcheck-review.md")])
def test_a_link_that_a_branch_commits_is_neither_written_nor_read(
    command: str, name: str, repository: Path, runner: Runner
) -> None:
    base = git(repository, "rev-parse", "HEAD")
    (repository.parent / "victim").write_text("secret", encoding="utf-8")
    (repository / name).symlink_to("../victim")
    commit(repository, {"cloud.conf": FATAL})
    done = runner(repository, base, command=command, sarif_file="out.sarif")
    assert done.code == 2
    assert f"{name} cannot be written: it leads out of" in done.log
    assert done.outputs == {"exit-code": "2", "comment-file": "", "sarif-file": ""}
    assert "secret" not in done.log + done.summary
    assert (repository.parent / "victim").read_text(encoding="utf-8") == "secret"


def test_lint_without_findings(repository: Path, runner: Runner) -> None:
    done = runner(repository, paths="ccm.yaml")
    assert done.code == 0
    assert done.summary.startswith("## ccmcheck\n\nNo cloud.conf in 1 file, ")
    assert done.outputs["exit-code"] == "0"


def test_inputs_are_never_run_as_a_script(repository: Path, runner: Runner) -> None:
    commit(repository, {"odd $(touch hit) name/cloud.conf": FATAL})
    done = runner(
        repository,
        paths="odd $(touch hit) name\nno `touch hit`; \"touch hit\" || 'x'",
        args="--release\n1.31\n\n--select\nduration-bad\n",
        fail_on="error",
    )
    assert done.code == 3, done.log  # the second path is not there
    assert "odd $(touch hit) name/cloud.conf" in done.log
    assert not list(repository.rglob("hit"))


def test_wrong_use_is_in_the_summary(repository: Path, runner: Runner) -> None:
    done = runner(repository, args="--no-such-option")
    assert done.code == 2
    assert "exit code 2" in done.summary
    assert done.outputs["exit-code"] == "2"


def test_a_review_is_a_comment_and_a_summary(repository: Path, runner: Runner) -> None:
    base = git(repository, "rev-parse", "HEAD")
    commit(repository, {"cloud.conf": CONF})
    done = runner(repository, base, command="review", args="--nodes\n3")
    assert done.code == 1, done.log
    comment = (repository / "ccmcheck-review.md").read_text(encoding="utf-8")
    assert comment.startswith("### ccmcheck review: ")
    assert "🔴 error" in comment
    assert done.summary == comment
    assert done.outputs == {"exit-code": "1", "comment-file": "ccmcheck-review.md", "sarif-file": ""}


def test_a_new_release_of_the_ccm_adds_the_upgrade_report(repository: Path, runner: Runner) -> None:
    base = commit(repository, {"ccm.yaml": CCM.replace("v1.31.2", "v1.25.6")})
    commit(repository, {"ccm.yaml": CCM})
    done = runner(repository, base, command="review", comment_file="out.md")
    assert done.code == 0, done.log
    comment = (repository / "out.md").read_text(encoding="utf-8")
    assert comment.startswith("### ccmcheck review: ")
    _, _, upgrade = comment.partition("\n### ccmcheck upgrade: ")
    assert "CCM v1.25.6 → CCM v1.31.2" in upgrade.splitlines()[0]
    assert done.summary == comment


@pytest.mark.ci
def test_an_upgrade_that_does_not_fit_the_comment_is_in_the_summary(repository: Path, runner: Runner) -> None:
    for number in range(70):
        folder = f"clusters/{number:02}"
        commit_files = {f"{folder}/cloud.conf": FATAL, f"{folder}/ccm.yaml": CCM.replace("v1.31.2", "v1.25.6")}
        for name, text in commit_files.items():
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            (repository / name).write_text(text, encoding="utf-8")
    base = commit(repository, {})
    for path in repository.glob("clusters/*/ccm.yaml"):
        path.write_text(CCM, encoding="utf-8")
    commit(repository, {})
    done = runner(repository, base, command="review")
    comment = (repository / "ccmcheck-review.md").read_text(encoding="utf-8")
    assert len(comment) < 65_536
    assert "does not fit here" in comment
    assert done.summary.count("\n### ccmcheck upgrade: CCM v1.25.6 → CCM v1.31.2: ") == 1


def test_a_downgrade_is_reviewed(repository: Path, runner: Runner) -> None:
    base = git(repository, "rev-parse", "HEAD")
    commit(repository, {"ccm.yaml": CCM.replace("v1.31.2", "v1.25.6")})
    done = runner(repository, base, command="review")
    assert done.outputs["comment-file"] == "ccmcheck-review.md"
    assert "is not newer than" in done.log
    assert "1.25.6" in done.summary


@pytest.mark.parametrize(("base", "words"), [("", "give the input base"), ("0" * 40, "fetch-depth: 0")])
def test_a_missing_base(base: str, words: str, repository: Path, runner: Runner) -> None:
    done = runner(repository, base, command="review")
    assert done.code == 2
    assert "::error title=ccmcheck::" in done.log
    assert words in done.log


def test_an_unknown_command(repository: Path, runner: Runner) -> None:
    done = runner(repository, command="fix")
    assert done.code == 2
    assert "lint or review" in done.log


def test_the_scripts_hold_no_expression() -> None:
    """What GitHub fills into a script before bash reads it is code; what comes by the environment is not."""
    steps = Action(FOLDER, Path(), {}).definition["runs"]["steps"]
    scripts = [step["run"] for step in steps if "run" in step]
    assert len(scripts) >= 4
    assert not [script for script in scripts if EXPRESSION.search(script)]


@pytest.mark.ci
@pytest.mark.xdist_group("wheel")
def test_it_installs_the_source_it_comes_with(
    repository: Path,
    tmp_path: Path,
    pip_index: None,  # noqa: ARG001 - may skip
    clean_environment: Mapping[str, str],
) -> None:
    cache = {"PIP_CACHE_DIR": os.environ.get("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))}
    done = Action(FOLDER, tmp_path / "runner", {**clean_environment, **cache}).run(repository, {"python-version": ""})
    assert done.code == 0, done.log
    assert "CCM releases" in done.log
    assert f"installed in  {tmp_path / 'runner' / 'ccmcheck-environment'}" in done.log
