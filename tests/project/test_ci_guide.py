"""The guide to CI: every example is valid by the tool that reads it, and its tables say what the files say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from action_steps import load
from root import ROOT
from ruamel.yaml import YAML
from schemas import schema_errors

from ccmcheck import __version__

pytestmark = pytest.mark.slow

GUIDE = (ROOT / "ccmcheck" / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(yaml|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USES = re.compile(r"uses: *(\S+)(?: # (.+))?")
ROW = re.compile(r"^\| `([\w-]+)` \| (.*?) \| .* \|$", re.MULTILINE)
OURS = "your-org/ccmcheck/.github/actions/ccmcheck"


def kind(text: str) -> str:
    """Which tool an example is for."""
    if text.startswith("{"):
        return "renovate"
    names = set(YAML(typ="safe", pure=True).load(text))
    if "jobs" in names:
        return "workflow"
    return "pre-commit" if "repos" in names else "gitlab"


EXAMPLES: dict[str, list[str]] = {}
for _match in BLOCK.finditer(GUIDE):
    EXAMPLES.setdefault(kind(_match.group(2)), []).append(_match.group(2))


def parsed(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def test_there_are_examples() -> None:
    assert {name: len(texts) for name, texts in EXAMPLES.items()} == {
        "workflow": 3,
        "gitlab": 2,
        "pre-commit": 1,
        "renovate": 1,
    }


@pytest.mark.parametrize("text", EXAMPLES["workflow"], ids=range(3))
def test_workflows_are_valid(text: str) -> None:
    assert schema_errors("github-workflows", parsed(text)) == []


def test_workflows_pass_actionlint(actionlint: str, tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{number}.yml", text) for number, text in enumerate(EXAMPLES["workflow"])]
    done = subprocess.run([actionlint, "-no-color", *paths], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_workflows_pass_zizmor(zizmor: str, tmp_path: Path) -> None:
    """With zizmor's own configuration: whoever copies an example has no finding."""
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for number, text in enumerate(EXAMPLES["workflow"]):
        written(folder / f"{number}.yml", text)
    command = [zizmor, "--offline", "--no-progress", "--color=never", "--no-config", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("text", EXAMPLES["workflow"], ids=range(3))
def test_workflows_are_pinned_and_ask_for_least_permissions(text: str) -> None:
    """What zizmor finds first, where it is not installed."""
    document = parsed(text)
    assert document["permissions"] == {}
    for job in document["jobs"].values():
        assert job["permissions"].pop("contents") == "read"
        assert set(job["permissions"].items()) <= {("security-events", "write"), ("pull-requests", "write")}
        for step in job["steps"]:
            used = step.get("uses", "")
            assert not used or re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40}", used), used
            if used.startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
            assert "${{" not in step.get("run", ""), "an expression is code in a script; it belongs in env"


def test_our_own_action_is_pinned_to_a_commit_that_has_it() -> None:
    """No page can hold the commit that it is part of, so it is an earlier one, with every input of the examples."""
    revisions = {used.partition("@")[2] for used, _ in USES.findall(GUIDE) if used.startswith(OURS)}
    (revision,) = revisions
    git = ["git", "-C", str(ROOT)]
    if subprocess.run([*git, "cat-file", "-e", f"{revision}^{{commit}}"], capture_output=True, check=False).returncode:
        pytest.skip("the history is not here")
    subprocess.run([*git, "merge-base", "--is-ancestor", revision, "HEAD"], check=True)
    shown = subprocess.run(
        [*git, "show", f"{revision}:.github/actions/ccmcheck/action.yml"], capture_output=True, text=True, check=True
    )
    known = parsed(shown.stdout)["inputs"]
    steps = [step for text in EXAMPLES["workflow"] for job in parsed(text)["jobs"].values() for step in job["steps"]]
    given = {name for step in steps if step.get("uses", "").startswith(OURS) for name in step["with"]}
    assert given <= set(known)


def test_workflows_use_the_actions_that_ours_use() -> None:
    ours = set()
    for path in [*(ROOT / ".github" / "workflows").glob("*.yml"), ROOT / ".github/actions/ccmcheck/action.yml"]:
        ours |= set(USES.findall(path.read_text(encoding="utf-8")))
    by_name = {used.partition("@")[0]: (used, version) for used, version in ours}
    for used, version in USES.findall(GUIDE):
        name, _, revision = used.partition("@")
        assert re.fullmatch(r"[0-9a-f]{40}", revision), used
        if name == OURS:
            assert f"v{__version__}" in version.split()
        else:
            assert by_name.get(name, (used, version)) == (used, version)


def test_workflows_give_the_action_inputs_that_it_has() -> None:
    known = load(ROOT / ".github/actions/ccmcheck/action.yml")
    used = 0
    for text in EXAMPLES["workflow"]:
        for job in parsed(text)["jobs"].values():
            for step in job["steps"]:
                if step.get("uses", "").startswith(OURS):
                    used += 1
                    assert set(step["with"]) <= set(known["inputs"])
    assert used == 2
    assert set(re.findall(r"steps\.ccmcheck\.outputs\.([\w-]+)", GUIDE)) <= set(known["outputs"])


def test_the_comment_is_one_comment(tmp_path: Path) -> None:
    """The step that comments, with a ``gh`` that only says what it was asked."""
    (step,) = [
        step
        for text in EXAMPLES["workflow"]
        for job in parsed(text)["jobs"].values()
        for step in job["steps"]
        if step.get("name") == "Comment"
    ]
    gh = Path(written(tmp_path / "gh", '#!/bin/sh\nprintf "%s\\n" "$@"\n'))
    gh.chmod(0o755)
    values = {"GH_TOKEN": "t", "REPOSITORY": "a/b", "NUMBER": "12", "FILE": "a file.md"}
    assert set(step["env"]) == set(values)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", **values}
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], env=environment, capture_output=True, text=True, check=True
    )
    said = ["pr", "comment", "12", "--repo", "a/b", "--edit-last", "--create-if-none", "--body-file", "a file.md"]
    assert done.stdout.splitlines() == said


@pytest.mark.parametrize("text", EXAMPLES["gitlab"], ids=range(2))
def test_gitlab(text: str) -> None:
    ours = load(ROOT / ".gitlab" / "ccmcheck.yml")
    document = parsed(text)
    if "ccmcheck-review" in document:  # changes a job that is included
        document["ccmcheck-review"] = ours["ccmcheck-review"] | document["ccmcheck-review"]
    assert schema_errors("gitlab-ci", document) == []
    assert set(document.get("variables", {})) <= set(ours["variables"])
    for include in document.get("include", ()):
        assert re.fullmatch("[0-9a-f]{40}", include["ref"])
        assert document["variables"]["CCMCHECK_SOURCE"].endswith("@" + include["ref"])


def test_pre_commit(tmp_path: Path) -> None:
    (text,) = EXAMPLES["pre-commit"]
    path = written(tmp_path / ".pre-commit-config.yaml", text)
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", path], check=True, capture_output=True)
    (repository,) = parsed(text)["repos"]
    assert re.fullmatch("[0-9a-f]{40}", repository["rev"])
    assert {hook["id"] for hook in repository["hooks"]} == {
        hook["id"] for hook in load(ROOT / ".pre-commit-hooks.yaml")
    }


def test_renovate() -> None:
    (text,) = EXAMPLES["renovate"]
    config = json.loads(text)
    assert schema_errors("renovate", config) == []
    assert schema_errors("renovate", config | {"automerge": "never"})
    (rule,) = config["packageRules"]
    image = rule["matchPackageNames"][0]
    assert f"image: {image}:v" in (ROOT / "samples" / "ccm.yaml").read_text(encoding="utf-8")
    (pattern,) = config["kubernetes"]["managerFilePatterns"]
    assert re.search(pattern.strip("/"), "clusters/dev/ccm.yaml")


def test_the_versions_are_this_one() -> None:
    named = re.findall(r"[0-9a-f]{40} # before v([\d.]+\d)", GUIDE)
    assert len(named) >= 6
    assert set(named) == {__version__}


def test_nothing_is_installed_by_a_name_that_nobody_has_registered() -> None:
    """Whoever registers it would run code beside the token of the job."""
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in ("README.md", ".gitlab/ccmcheck.yml")}
    for path, text in {**texts, "ci.md": GUIDE}.items():
        assert "ccmcheck/ccmcheck" not in text, path
        for line in re.findall(r"^ *(?:- )?(?:run: )?((?:pip|pipx|uvx?) .*)$", text, re.MULTILINE):
            assert re.search(r"install \.|dist/|\$CCMCHECK_SOURCE|--spec \"git\+|pip wheel", line), (path, line)
    variables = load(ROOT / ".gitlab" / "ccmcheck.yml")["variables"]
    assert variables["CCMCHECK_SOURCE"]["value"] == ""


def test_the_table_of_inputs() -> None:
    inputs = load(ROOT / ".github/actions/ccmcheck/action.yml")["inputs"]
    rows = dict(ROW.findall(table("| input |")))
    assert list(rows) == list(inputs)
    for name, documented in rows.items():
        default = str(inputs[name]["default"])
        assert documented.startswith("the ") or documented == (f"`{default}`" if default else ""), name


def test_the_table_of_variables() -> None:
    variables = load(ROOT / ".gitlab" / "ccmcheck.yml")["variables"]
    rows = dict(ROW.findall(table("| variable |")))
    assert list(rows) == list(variables)
    for name, documented in rows.items():
        default = variables[name] if isinstance(variables[name], str) else variables[name]["value"]
        assert documented == (f"`{default}`" if default else ""), name


def table(head: str) -> str:
    """The table that begins so; empty cells lose their blank."""
    start = GUIDE.index(head)
    return GUIDE[start : GUIDE.index("\n\n", start) + 1].replace("| | ", "|  | ")


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)
