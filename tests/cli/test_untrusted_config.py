"""What a checkout's configuration cannot do: read or write elsewhere, hang the run, or weaken what a base revision asks."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest
from command_line import FATAL, RIGHT, git, put, run, spawn

SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80, nodePort: 30080}]}
"""


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    put(tmp_path, {"precious.txt": "keep me", "vars.env": "PASSWORD=hunter2\n", "repo/cloud.conf": FATAL})
    git(tmp_path / "repo", "init", "-q")
    return tmp_path


@pytest.mark.parametrize("command", ["lint", "fix"])
@pytest.mark.parametrize("name", ["ccmcheck.toml", "pyproject.toml"])
def test_output_files_are_for_the_command_line(outside: Path, command: str, name: str) -> None:
    header = "[tool.ccmcheck.output-file]" if name == "pyproject.toml" else "[output-file]"
    put(outside, {f"repo/{name}": f'{header}\nsarif = "../precious.txt"\n'})
    done = run(outside / "repo", command, ".")
    assert done.code == 2
    assert f"{name}:1: `output-file` may be given on the command line only." in done.err
    assert (outside / "precious.txt").read_text() == "keep me"


def test_trusted_output_files_are_written(outside: Path) -> None:
    put(outside, {"repo/ccmcheck.toml": '[output-file]\nsarif = "../out.sarif"\n'})
    assert run(outside / "repo", "lint", "--trust-checkout", ".").code == 1
    assert json.loads((outside / "out.sarif").read_text())["version"] == "2.1.0"


@pytest.mark.parametrize("option", ["env-file", "baseline", "profile"])
@pytest.mark.parametrize("path", ["../vars.env", "{outside}/vars.env", "link/vars.env", "linked.env"])
def test_named_files_stay_in_the_repository(outside: Path, option: str, path: str) -> None:
    (outside / "repo/link").symlink_to(outside)
    (outside / "repo/linked.env").symlink_to(outside / "vars.env")
    path = path.format(outside=outside)
    if option == "profile" and "/" not in path:
        path = f"./{path}"
    put(outside, {"repo/ccmcheck.toml": f'{option} = "{path}"\n'})
    done = run(outside / "repo", "lint", ".")
    assert done.code == 2
    assert f"`{option}` leads out of {outside / 'repo'}" in done.err
    assert "--trust-checkout" in done.err
    assert "leads out" not in run(outside / "repo", "lint", "--trust-checkout", ".").err


def test_named_files_of_the_repository_are_read(outside: Path) -> None:
    put(outside, {"repo/sub/ccmcheck.toml": 'env-file = "../ci/vars.env"\n', "repo/ci/vars.env": "A=b\n"})
    put(outside, {"repo/sub/cloud.conf": FATAL})
    assert run(outside / "repo/sub", "lint", ".").code == 1


def test_without_a_repository_the_folder_is_the_limit(tmp_path: Path) -> None:
    put(tmp_path, {"a/ccmcheck.toml": 'env-file = "../vars.env"\n', "vars.env": "", "a/cloud.conf": RIGHT})
    assert "`env-file` leads out of" in run(tmp_path / "a", "lint", ".").err


class TestSpecialFiles:
    @pytest.mark.parametrize("name", ["pyproject.toml", "ccmcheck.toml"])
    @pytest.mark.parametrize("kind", ["pipe", "zero"])
    def test_a_configuration_in_the_checkout(self, tmp_path: Path, name: str, kind: str) -> None:
        put(tmp_path, {"cloud.conf": FATAL})
        self.special(tmp_path / name, kind)
        assert spawn(tmp_path, "lint", ".").code == 1

    @pytest.mark.part(of=5)
    @pytest.mark.parametrize("option", ["env-file", "baseline", "profile"])
    @pytest.mark.parametrize("kind", ["pipe", "zero"])
    @pytest.mark.parametrize("trusted", [(), ("--trust-checkout",)])
    def test_what_a_configuration_names(self, tmp_path: Path, option: str, kind: str, trusted: tuple[str, ...]) -> None:
        put(tmp_path, {"cloud.conf": FATAL, "ccmcheck.toml": f'{option} = "./special"\n'})
        self.special(tmp_path / "special", kind)
        done = spawn(tmp_path, "lint", *trusted, ".")
        assert done.code == 2
        assert "not a file" in done.err or "leads out" in done.err

    @pytest.mark.parametrize("option", ["--env-file", "--baseline", "--profile", "--config"])
    def test_what_the_user_names(self, tmp_path: Path, option: str) -> None:
        put(tmp_path, {"cloud.conf": FATAL})
        done = spawn(tmp_path, "lint", option, "/dev/zero", ".")
        assert done.code == 2
        assert "/dev/zero cannot be read: this is a device, not a file" in done.err

    def test_null_is_an_empty_file(self, tmp_path: Path) -> None:
        put(tmp_path, {"cloud.conf": FATAL})
        assert spawn(tmp_path, "lint", "--env-file=/dev/null", "--config=/dev/null", ".").code == 1

    def test_a_pipe_that_the_user_names(self, tmp_path: Path) -> None:
        put(tmp_path, {"cloud.conf": FATAL})
        read, write = os.pipe()
        os.write(write, b"A=b\n")
        os.close(write)
        try:
            assert run(tmp_path, "lint", f"--env-file=/dev/fd/{read}", ".").code == 1
        finally:
            os.close(read)

    def special(self, path: Path, kind: str) -> None:
        if kind == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero")


class TestConfigFrom:
    @pytest.fixture
    def repository(self, tmp_path: Path) -> Path:
        put(tmp_path, {"a/cloud.conf": FATAL, "old.conf": FATAL})
        git(tmp_path, "init", "-q")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", "base")
        return tmp_path

    def findings(self, folder: Path, *arguments: str) -> list[str]:
        done = run(folder, "lint", "--format=json", *arguments)
        assert "--config-from" in " ".join(arguments) or done.err == ""
        return sorted(finding["path"] for finding in json.loads(done.out)["findings"])

    def test_the_configuration_of_the_base_counts(self, repository: Path) -> None:
        put(repository, {"ccmcheck.toml": 'ignore = ["duration-bad"]\n'})
        assert self.findings(repository) == []
        assert self.findings(repository, "--config-from=HEAD") == ["a/cloud.conf", "old.conf"]
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "allowed")
        (repository / "ccmcheck.toml").unlink()
        assert self.findings(repository, "--config-from=HEAD", "a") == []

    def test_a_branch_cannot_blind_any_command(self, repository: Path) -> None:
        put(repository, {"a/cloud.conf": RIGHT, "a/web.yaml": SERVICE, "old.conf": RIGHT})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "works")
        off = RIGHT.replace("create-monitor = true", "create-monitor = false")
        put(repository, {"a/cloud.conf": off, "ccmcheck.toml": 'exclude = ["a"]\n'})
        blind = run(repository, "review", "--git=HEAD")
        assert (blind.code, "stop" in blind.out) == (0, False)
        done = run(repository, "review", "--git=HEAD", "--config-from=HEAD")
        assert (done.code, "begins to lose connections" in done.out) == (1, True)
        for command in ("predict", "list", "upgrade --from=1.30"):
            assert "a/cloud.conf" not in run(repository, *command.split(), ".").out
            done = run(repository, *command.split(), ".", "--config-from=HEAD")
            assert "a/cloud.conf" in done.out
            assert "ccmcheck.toml is new since HEAD, whose configuration holds" in done.err

    def test_what_a_branch_changes_of_the_configuration_is_said(self, repository: Path) -> None:
        put(repository, {"ccmcheck.toml": 'fail-on = "error"\n', "pyproject.toml": "[project]\nname = 'x'\n"})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "configured")
        put(repository, {"pyproject.toml": "[project]\nname = 'y'\n"})
        assert run(repository, "lint", ".", "--config-from=HEAD").err == ""
        put(repository, {"ccmcheck.toml": 'ignore = ["duration-bad"]\n'})
        assert "ccmcheck.toml differs since HEAD" in run(repository, "lint", ".", "--config-from=HEAD").err
        (repository / "ccmcheck.toml").unlink()
        assert "ccmcheck.toml is gone since HEAD" in run(repository, "lint", ".", "--config-from=HEAD").err

    def test_a_configuration_that_is_named_comes_from_the_base_too(self, repository: Path) -> None:
        put(repository, {"ci/lint.toml": ""})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "named")
        put(repository, {"ci/lint.toml": 'ignore = ["duration-bad"]\n'})
        assert self.findings(repository, "--config=ci/lint.toml", "a") == []
        assert self.findings(repository, "--config=ci/lint.toml", "--config-from=HEAD", "a") == ["a/cloud.conf"]

    def test_a_profile_that_the_configuration_names_comes_from_the_base(self, repository: Path) -> None:
        put(repository, {"ccmcheck.toml": 'profile = "./site.ini"\nselect = ["profile"]\n'})
        put(repository, {"site.ini": "[LoadBalancer]\ncreate-monitor = equals(false)\n", "a/cloud.conf": RIGHT})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "profile")
        put(repository, {"site.ini": "[LoadBalancer]\ncreate-monitor = equals(true)\n"})
        assert self.findings(repository, "a") == []
        assert self.findings(repository, "--config-from=HEAD", "a") == ["a/cloud.conf"]

    def test_a_profile_that_an_option_names_comes_from_the_base_too(self, repository: Path) -> None:
        strict, loose = "[LoadBalancer]\ncreate-monitor = equals(false)\n", "[LoadBalancer]\ncreate-monitor = any()\n"
        put(repository, {"ci/base.ini": strict, "ci/site.ini": "extends = base.ini\n", "a/cloud.conf": RIGHT})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "profile")
        command = ("--profile=ci/site.ini", "--select=profile", "a")
        put(repository, {"ci/base.ini": loose})
        assert self.findings(repository, *command) == []
        assert self.findings(repository, "--config-from=HEAD", *command) == ["a/cloud.conf"]
        (repository / "ci/site.ini").unlink()
        assert self.findings(repository, "--config-from=HEAD", *command) == ["a/cloud.conf"]
        done = run(repository, "fix", "--check", "--config-from=HEAD", "--profile=ci/site.ini", "a")
        assert done.code == 1, done.err

    def test_a_profile_that_the_base_lacks(self, repository: Path) -> None:
        put(repository, {"new.ini": "[LoadBalancer]\ncreate-monitor = equals(true)\n"})
        done = run(repository, "lint", "--config-from=HEAD", "--profile=new.ini", ".")
        assert done.code == 2
        assert "The profile new.ini cannot be read: it is not in head." in done.err.lower().replace("the", "The", 1)
        done = run(repository, "lint", "--config-from=HEAD", "--profile=scs-onv", ".")
        assert "Did you mean" in done.err

    def test_a_file_outside_of_the_repository_is_read_as_it_is(self, repository: Path, tmp_path: Path) -> None:
        outside = tmp_path.parent / f"{tmp_path.name}-outside"
        put(outside, {"site.ini": "[LoadBalancer]\ncreate-monitor = equals(false)\n", "v.env": "A=b\n"})
        put(repository, {"a/cloud.conf": RIGHT})
        options = [f"--profile={outside}/site.ini", f"--env-file={outside}/v.env", "--profile=scs", "--select=profile"]
        done = run(repository, "lint", "--config-from=HEAD", *options, "a")
        assert "equals" in done.out or "create-monitor" in done.out
        said = [line for line in done.err.splitlines() if "outside of the repository" in line]
        assert len(said) == 2
        assert all(option in " ".join(said) for option in ("--profile", "--env-file"))
        done = run(repository, "lint", "-q", "--config-from=HEAD", *options, "a")
        assert "outside of the repository" not in done.err

    @pytest.mark.parametrize("named", ["option", "configuration"])
    def test_the_baseline_of_the_base_counts(self, repository: Path, named: str) -> None:
        option = []
        if named == "option":
            option = ["--baseline=known.json"]
            put(repository, {"known.json": '{"version": 1, "files": {}}'})
        else:
            put(repository, {"ccmcheck.toml": 'baseline = "known.json"\n', "known.json": '{"version": 1, "files": {}}'})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "baseline")
        put(repository, {"known.json": '{"version": 1, "files": {"a/cloud.conf": {"duration-bad": 9}}}'})
        assert self.findings(repository, *option, ".") == ["old.conf"]
        assert self.findings(repository, *option, "--config-from=HEAD", ".") == ["a/cloud.conf", "old.conf"]

    def test_a_baseline_that_the_base_lacks(self, repository: Path) -> None:
        put(repository, {"known.json": '{"version": 1, "files": {}}'})
        done = run(repository, "lint", "--config-from=HEAD", "--baseline=known.json", ".")
        assert done.code == 2
        assert "There is no baseline known.json" in done.err

    def test_the_variables_of_the_base_count(self, repository: Path) -> None:
        put(repository, {"ccmcheck.toml": 'env-file = "v.env"\n', "v.env": "DELAY=30s\n"})
        put(repository, {"a/cloud.conf": RIGHT + "monitor-delay = ${DELAY}\n", "old.conf": RIGHT})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "variables")
        put(repository, {"v.env": "DELAY=3\n"})
        command = ("--select=duration-bad", "a/cloud.conf")
        assert self.findings(repository, *command) == ["a/cloud.conf"]
        assert self.findings(repository, "--config-from=HEAD", *command) == []

    def test_a_new_suppression_does_not_count(self, repository: Path) -> None:
        silent = FATAL.replace("monitor-delay = 3", "monitor-delay = 3 # ccmcheck: ignore[duration-bad] why")
        put(repository, {"a/cloud.conf": silent, "old.conf": "# ccmcheck: ignore-file[duration-bad] why\n" + FATAL})
        assert self.findings(repository) == []
        assert self.findings(repository, "--config-from=HEAD") == ["a/cloud.conf", "old.conf"]
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "approved")
        assert self.findings(repository, "--config-from=HEAD") == []
        put(repository, {"b/cloud.conf": silent})
        assert self.findings(repository, "--config-from=HEAD") == ["b/cloud.conf"]

    def test_a_suppression_holds_for_the_line_it_was_approved_for(self, repository: Path) -> None:
        put(repository, {"a/cloud.conf": RIGHT + "# ccmcheck: ignore[duration-bad] why\nmonitor-delay = 3\n"})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "approved")
        put(repository, {"a/cloud.conf": "\n" + RIGHT + "# ccmcheck: ignore[duration-bad] w\nmonitor-delay = 3\n"})
        assert self.findings(repository, "--config-from=HEAD", "a") == []
        put(repository, {"a/cloud.conf": RIGHT + "# ccmcheck: ignore[duration-bad] why\nmonitor-delay = 4\n"})
        assert self.findings(repository, "--config-from=HEAD", "a") == ["a/cloud.conf"]

    def test_inside_what_is_encoded_and_by_annotation(self, repository: Path) -> None:
        def secret(conf: str, annotation: str = "") -> str:
            encoded = base64.b64encode(conf.encode()).decode()
            notes = f"  annotations: {{ccmcheck.dev/ignore: {annotation}}}\n" if annotation else ""
            head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\n  namespace: kube-system\n"
            return f"{head}{notes}data:\n  cloud.conf: {encoded}\n"

        silent = FATAL.replace("monitor-delay = 3", "monitor-delay = 3 # ccmcheck: ignore[duration-bad] why")
        put(repository, {"a/s.yaml": secret(FATAL), "a/t.yaml": secret(FATAL)})
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "secrets")
        put(repository, {"a/s.yaml": secret(silent), "a/t.yaml": secret(FATAL, "duration-bad=why")})
        assert self.findings(repository, "a/s.yaml", "a/t.yaml") == []
        assert self.findings(repository, "--config-from=HEAD", "a/s.yaml", "a/t.yaml") == ["a/s.yaml", "a/t.yaml"]
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "approved")
        assert self.findings(repository, "--config-from=HEAD", "a/s.yaml", "a/t.yaml") == []

    def test_fix_asks_the_base_too(self, repository: Path) -> None:
        put(repository, {"a/cloud.conf": "# ccmcheck: ignore-file[duration-bad] why\n" + FATAL})
        assert run(repository, "fix", "--check", "a").code == 0
        assert run(repository, "fix", "--check", "--config-from=HEAD", "a").code == 1

    @pytest.mark.parametrize(("revision", "said"), [("nope", "no revision `nope`"), ("--x", "no revision `--x`")])
    def test_a_revision_that_is_none(self, repository: Path, revision: str, said: str) -> None:
        done = run(repository, "lint", f"--config-from={revision}", ".")
        assert done.code == 2
        assert said in done.err

    def test_outside_of_git(self, tmp_path: Path) -> None:
        put(tmp_path, {"cloud.conf": RIGHT})
        done = run(tmp_path, "lint", "--config-from=HEAD", ".", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
        assert done.code == 2
        assert "is in no git repository" in done.err


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ('exclude = ["**"]', "Every file is excluded."),
        ('exclude = ["*"]', "Every file is excluded."),
        ('ignore = [{groups}, "unused-suppression"]', "Every rule is switched off."),
        ('[per-path-ignores]\n"**" = [{rules}]', "per-path-ignores switches every rule off for every file."),
        ('ignore = ["duration-bad"]', ""),
        ('exclude = ["b"]', ""),
    ],
)
def test_a_configuration_that_switches_everything_off_is_named(tmp_path: Path, config: str, said: str) -> None:
    from ccmcheck.rules import GROUPS, RULE_NAMES

    groups, rules = (", ".join(f'"{name}"' for name in names) for names in (GROUPS, RULE_NAMES))
    put(tmp_path, {"a/cloud.conf": FATAL, "b/cloud.conf": FATAL})
    put(tmp_path, {"ccmcheck.toml": config.format(groups=groups, rules=rules)})
    done = run(tmp_path, "lint", ".")
    summary = done.out.rstrip().splitlines()[-1]
    if said:
        assert done.code == 0
        assert summary.endswith(said)
        assert said.rstrip(".") in json.loads(run(tmp_path, "lint", "--format=json", ".").out)["summary"]["notes"]
    else:
        assert "switche" not in summary
        assert "xcluded" not in summary
