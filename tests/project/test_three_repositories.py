"""The life of a change in three repositories, by exit codes: nothing wrong passes, and nothing right fails."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from command_line import Done, git, put
from command_line import run as ccmcheck
from root import ROOT
from three_repositories import REPOSITORIES, Repository

pytestmark = pytest.mark.part(of=3)

FATAL = ("monitor-delay = 10s", "monitor-delay = 10")
MISSPELT = ("create-monitor = true", "create-montior = true")
UNSAFE_VALUE = ("region = RegionOne", "region = RegionOne\n{indent}tls-insecure = true")
NAMES = list(REPOSITORIES)


class Checkout:
    """A repository in a folder of its own, with git."""

    def __init__(self, name: str, folder: Path) -> None:
        self.repository: Repository = REPOSITORIES[name]
        self.folder = put(folder, {**self.repository.files})
        git(folder, "init", "-q")
        self.commit("right")

    def change(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text("utf-8")
        assert old in text
        indent = re.search(rf"^( *){re.escape(old)}", text, re.MULTILINE)
        new = new.replace("{indent}", indent[1] if indent else "")
        (self.folder / path).write_text(text.replace(old, new), encoding="utf-8")

    def conf(self, change: tuple[str, str]) -> None:
        self.change(self.repository.conf, *change)

    def commit(self, subject: str) -> None:
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "-m", subject)

    def run(self, *arguments: str) -> Done:
        return ccmcheck(self.folder, *arguments)

    def rules(self, *arguments: str) -> set[str]:
        """The rules of the findings that fail a run."""
        document = json.loads(self.run("lint", "--format", "json", *arguments).out)
        return {one["rule"] for one in document["findings"] if one["severity"] != "info"}


@pytest.fixture(params=NAMES)
def checkout(request: pytest.FixtureRequest, tmp_path: Path) -> Checkout:
    return Checkout(request.param, tmp_path)


def test_what_is_right_passes_everywhere(checkout: Checkout) -> None:
    for command in (
        ("lint", "--fail-on", "info"),
        ("lint", "--require", "1", "-q"),
        ("list",),
        ("show",),
        ("read",),
        ("fix", "--check"),
        ("predict", "--nodes", "3"),
        ("review", "--git", "HEAD..HEAD", "--nodes", "3"),
        ("lint", "--config-from", "HEAD", "--diff-base", "HEAD"),
    ):
        done = checkout.run(*command)
        assert done.code == 0, (command, done)
    assert checkout.run("lint", "-q").out == ""


@pytest.mark.parametrize(
    ("change", "rule"), [(FATAL, "duration-bad"), (MISSPELT, "unknown-key"), (UNSAFE_VALUE, "tls-insecure-on")]
)
def test_a_mistake_fails_lint_and_fix_corrects_what_it_may(
    checkout: Checkout, change: tuple[str, str], rule: str
) -> None:
    checkout.conf(change)
    monitors = {"svc-local-no-monitor"} if rule == "unknown-key" else set()
    assert checkout.rules() == {rule} | monitors
    assert checkout.run("lint").code == 1
    assert checkout.run("lint", "--diff-base", "HEAD").code == 1
    is_safe = rule == "duration-bad"
    assert checkout.run("fix", "--check").code == int(is_safe)
    checkout.run("fix", "--write", *([] if is_safe else ["--unsafe"]))
    fixed = rule != "tls-insecure-on"
    assert checkout.run("lint", "--fail-on", "info").code == int(not fixed)
    git_says = checkout.run("lint", "--diff-base", "HEAD", "--fail-on", "info")
    assert git_says.code == int(not fixed), git_says


def test_a_baseline_holds_what_was_and_no_more(checkout: Checkout) -> None:
    checkout.conf(MISSPELT)
    assert checkout.run("lint", "--write-baseline", "baseline.json").code == 0
    assert checkout.run("lint", "--baseline", "baseline.json").code == 0
    checkout.conf(FATAL)
    assert checkout.run("lint", "--baseline", "baseline.json").code == 1


def test_the_hook_starts_for_the_changed_file_and_stops_the_commit(checkout: Checkout) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (hook,) = (one for one in hooks if one["id"] == "ccmcheck")
    for path in checkout.repository.files:
        assert not re.search(hook["exclude"], path), f"the hook does not start for {path}"
    assert checkout.run(*hook["entry"].split()[1:]).code == 0
    checkout.conf(FATAL)
    assert checkout.run(*hook["entry"].split()[1:]).code == 1


def test_a_branch_cannot_blind_what_judges_it(checkout: Checkout) -> None:
    checkout.conf(FATAL)
    folder = checkout.repository.conf.split("/", maxsplit=1)[0]
    (checkout.folder / "ccmcheck.toml").write_text(
        f'exclude = ["{folder}", "files", "clusters", "*.tf"]\nignore = ["duration-bad"]\n', encoding="utf-8"
    )
    checkout.commit("blind")
    assert checkout.run("lint", "--config-from", "HEAD~1").code == 1
    for command in (
        ("fix", "--check"),
        ("predict", "--nodes", "3"),
        ("upgrade", "--from", "1.31", "--to", "1.33"),
        ("review", "--git", "HEAD~1..HEAD", "--nodes", "3"),
    ):
        done = checkout.run(*command, "--config-from", "HEAD~1")
        assert done.code == 1, (command, done)
        assert "ccmcheck.toml is new since HEAD~1" in done.err
    assert checkout.repository.conf in checkout.run("list", "--config-from", "HEAD~1").out


def test_what_was_not_read_is_no_success(checkout: Checkout) -> None:
    for command in (("lint", "-q", "--require", "1", "-"), ("fix", "-"), ("predict", "--cloud-config", "-")):
        assert checkout.run(*command).code in (1, 2), command
    assert checkout.run("lint", "no-such-folder").code == 3
    assert checkout.run("lint", "--require", "1", ".git/HEAD").code != 0


def test_a_report_for_people_and_programs_says_the_same(checkout: Checkout) -> None:
    checkout.conf(MISSPELT)
    document = json.loads(checkout.run("lint", "--format", "json").out)
    counted = checkout.run("lint", "--statistics")
    assert counted.code == 1
    for rule in {finding["rule"] for finding in document["findings"]}:
        assert rule in counted.out
    assert checkout.run("lint", "--exit-zero", "-q").code == 0
    first = checkout.run("lint", "--max-findings", "1", "--format", "concise").out.splitlines()
    assert sum(": error " in line or ": warning " in line for line in first) == 1


def test_ci_reports_name_the_line(checkout: Checkout) -> None:
    checkout.conf(FATAL)
    done = checkout.run("lint", "--format", "github", "--output-file", "sarif=out.sarif")
    assert done.code == 1
    assert re.search(
        rf"^::error file={re.escape(checkout.repository.conf)},line=\d+.*monitor-delay: ", done.out, re.MULTILINE
    )
    (run,) = json.loads((checkout.folder / "out.sarif").read_text("utf-8"))["runs"]
    assert {one["ruleId"] for one in run["results"] if one["level"] == "error"} == {"duration-bad"}


def test_predict_says_what_will_not_work(checkout: Checkout) -> None:
    checkout.conf(("monitor-timeout = 5s", "monitor-timeout = 5s\n{indent}lb-method = ROUND-ROBIN"))
    done = checkout.run("predict", "--nodes", "3")
    assert done.code == 1, done
    assert "ROUND-ROBIN" in done.out


def test_review_tells_harmless_from_breaking(checkout: Checkout) -> None:
    checkout.conf(("monitor-delay = 10s", "monitor-delay = 12s"))
    checkout.commit("harmless")
    done = checkout.run("review", "--git", "HEAD~1..HEAD", "--nodes", "3")
    assert done.code == 0, done
    assert "shop/web" in done.out
    checkout.conf(("monitor-delay = 12s", "monitor-delay = 12"))
    checkout.commit("breaking")
    assert checkout.run("review", "--git", "HEAD~1..HEAD", "--nodes", "3").code == 1
    checkout.change(checkout.repository.service, "https, port: 443", "https, port: 70000")
    checkout.conf(("monitor-delay = 12", "monitor-delay = 12s"))
    checkout.commit("the CCM starts, the Service is refused")
    done = checkout.run("review", "--git", "HEAD~2..HEAD", "--nodes", "3")
    assert done.code == 1, done


def test_a_new_release_is_an_upgrade(checkout: Checkout) -> None:
    path, old, new = checkout.repository.image
    done = checkout.run("upgrade", "--to", "1.33", "--nodes", "3")
    assert done.code == 1, "the CCM's behaviour changes"
    assert "no Service stops or starts working" in done.out
    assert checkout.run("upgrade", "--to", "1.33", "--nodes", "3", "--exit-zero").code == 0
    checkout.change(path, old, new)
    checkout.commit("upgrade")
    assert checkout.run("review", "--git", "HEAD~1..HEAD", "--nodes", "3").code == 0
    assert checkout.run("lint", "--fail-on", "info").code == 0
    checkout.conf(("create-monitor = true", "create-monitor = true\n{indent}max-shared-lb = two"))
    assert checkout.run("upgrade", "--from", "1.22", "--to", "1.31").code == 1


def test_a_profile_judges_the_values(checkout: Checkout) -> None:
    profile = "title = ours\n[LoadBalancer]\nmonitor-delay = duration(min=5s, max=15s)\n"
    (checkout.folder / "site.ini").write_text(profile, encoding="utf-8")
    right = checkout.run("lint", "--profile", "site.ini")
    assert right.code == 0, right
    checkout.conf(("monitor-delay = 10s", "monitor-delay = 60s"))
    assert "profile" in checkout.rules("--profile", "site.ini")


def test_an_emptied_configuration_fails(checkout: Checkout) -> None:
    text = (checkout.folder / checkout.repository.conf).read_text("utf-8")
    start, end = text.index("[Global]"), text.index("monitor-max-retries = 3") + len("monitor-max-retries = 3")
    (checkout.folder / checkout.repository.conf).write_text(text[:start] + "# to be written" + text[end:], "utf-8")
    done = checkout.run("lint", "--require", "1")
    assert done.code != 0, done
