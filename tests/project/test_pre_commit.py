"""The hooks as pre-commit runs them: installed from a commit of this working tree, in a repository of somebody else's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from root import ROOT

from ccmcheck.carriers import prefilter

pytestmark = [pytest.mark.ci, pytest.mark.slow, pytest.mark.xdist_group("pre-commit")]

RIGHT = """\
[Global]
auth-url = https://k.example.net:5000/v3
application-credential-id = 0d2c1c2b6a0b4a1c8ed3e5f6a7b8c9d0
application-credential-secret = not-a-real-one

[LoadBalancer]
create-monitor = true
monitor-delay = 10s
monitor-timeout = 5s
monitor-max-retries = 3
"""
WRONG = RIGHT.replace("10s", "10")
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: openstack-cloud-controller-manager
  namespace: kube-system
spec:
  template:
    spec:
      tolerations:
        - key: node.cloudprovider.kubernetes.io/uninitialized
          value: "true"
          effect: NoSchedule
        - key: node-role.kubernetes.io/control-plane
          effect: NoSchedule
      containers:
        - name: openstack-cloud-controller-manager
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:{release}
"""
BYSTANDERS = {
    "nginx.conf": "server {\n  listen 80;\n}\n",
    "deploy/app.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: shop\n",
    "notes.md": "Our [Global] section had `monitor-delay = 3`.\n",
    "package.json": '{"name": "shop"}\n',
}


class Repository:
    """Somebody's repository that uses the hook."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.git("init", "--quiet")

    def git(self, *args: str) -> str:
        identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.net"]
        done = subprocess.run(
            ["git", *identity, *args], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def commit(self) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=files")
        return self.git("rev-parse", "HEAD")

    def run_hook(self, *args: str, hook: str = "ccmcheck") -> tuple[int, str]:
        return self.pre_commit("run", "--color=never", hook, *args)

    def pre_commit(self, *args: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "pre_commit", *args]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False, timeout=300
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, clean_environment: Mapping[str, str]) -> Mapping[str, str]:
    """Pre-commit keeps what it installs, so that it does so once for all tests of this file.

    Nothing is compiled that no hook loads, and what has been downloaded is not downloaded again.
    """
    downloads = os.environ.get("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
    pip = {"PIP_COMPILE": "0", "PIP_CACHE_DIR": downloads}
    return {**clean_environment, **pip, "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pre-commit"))}


@pytest.fixture(scope="module")
def published(
    tmp_path_factory: pytest.TempPathFactory, environment: Mapping[str, str], project_files: list[str]
) -> tuple[Path, str]:
    """This working tree as a repository with a commit, and that commit."""
    repository = Repository(tmp_path_factory.mktemp("published"), environment)
    for name in project_files:
        target = repository.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    return repository.folder, repository.commit()


@pytest.fixture
def repository(
    published: tuple[Path, str],
    environment: Mapping[str, str],
    pip_index: None,  # noqa: ARG001 - may skip
    tmp_path: Path,
) -> Repository:
    folder, revision = published
    made = Repository(tmp_path, environment)
    hook = (
        f"repos:\n  - repo: {folder}\n    rev: {revision}\n    hooks:\n      - id: ccmcheck-fix\n      - id: ccmcheck\n"
    )
    made.write({".pre-commit-config.yaml": hook, **BYSTANDERS})
    return made


def test_it_stops_a_commit_and_says_where(repository: Repository) -> None:
    repository.write({"clusters/dev/cloud.conf": WRONG})
    repository.git("add", "--all")
    code, printed = repository.run_hook()
    assert code == 1
    assert "clusters/dev/cloud.conf:8:17" in printed
    assert "duration-bad" in printed
    assert "not-a-real-one" not in printed


def test_it_lets_right_files_pass(repository: Repository) -> None:
    repository.write({"clusters/dev/cloud.conf": RIGHT})
    repository.git("add", "--all")
    code, printed = repository.run_hook()
    assert (code, "Passed" in printed) == (0, True), printed


def test_it_judges_by_the_release_beside_it(repository: Repository) -> None:
    """The CCM's manifest did not change, yet it decides what the changed file means."""
    repository.write({"ccm.yaml": CCM.format(release="v1.25.6")})
    repository.commit()
    repository.write({"cloud.conf": RIGHT.replace("create-monitor", "use-octavia = true\ncreate-monitor")})
    repository.git("add", "--all")
    code, printed = repository.run_hook()
    assert (code, "Passed" in printed) == (0, True), printed
    repository.write({"ccm.yaml": CCM.format(release="v1.31.2")})
    repository.git("add", "--all")
    code, printed = repository.run_hook("--verbose")
    assert "key-removed" in printed


def test_the_other_hook_writes_safe_fixes_and_stops_the_commit(repository: Repository) -> None:
    repository.write({"clusters/dev/cloud.conf": WRONG.replace("create-monitor", "create-montior")})
    repository.git("add", "--all")
    code, printed = repository.run_hook(hook="ccmcheck-fix")
    assert code == 1
    assert "files were modified by this hook" in printed
    after = (repository.folder / "clusters/dev/cloud.conf").read_text()
    assert "monitor-delay = 10s\n" in after
    assert "create-montior = true\n" in after  # what would change the CCM's mind is not safe
    repository.git("add", "--all")
    code, printed = repository.run_hook(hook="ccmcheck-fix")
    assert (code, "Passed" in printed) == (0, True), printed


def test_both_with_try_repo(
    repository: Repository,
    published: tuple[Path, str],
) -> None:
    folder, revision = published
    repository.write({"clusters/dev/cloud.conf": WRONG})
    repository.git("add", "--all")
    code, printed = repository.pre_commit("try-repo", "--color=never", str(folder), f"--ref={revision}")
    assert code == 1
    lint, _, fix = printed.partition("ccmcheck fix..")
    assert "clusters/dev/cloud.conf:8:17" in lint
    assert "duration-bad fixed: write `10s`" in fix
    assert "files were modified by this hook" in fix
    assert "monitor-delay = 10s\n" in (repository.folder / "clusters/dev/cloud.conf").read_text()


def test_it_does_not_start_for_what_it_never_reads(repository: Repository) -> None:
    repository.write({"logo.svg": "<svg/>\n", "main.py": "CONF = '[Global]'\n"})
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--no-verify", "--message=others")
    repository.write({"logo.svg": "<svg></svg>\n", "main.py": "CONF = '[global]'\n"})
    repository.git("add", "--all")
    code, printed = repository.run_hook()
    assert (code, "Skipped" in printed) == (0, True), printed


@pytest.mark.parametrize("path", ["main.tf", "bootstrap.sh", "openrc.rc", "notes.md", "Makefile", "Dockerfile"])
def test_it_starts_for_what_holds_a_cloud_conf(repository: Repository, path: str) -> None:
    repository.write({path: "x\n"})
    repository.git("add", "--all")
    code, printed = repository.run_hook()
    assert (code, "Passed" in printed) == (0, True), printed


def test_the_hooks_leave_out_what_no_folder_is_searched_for() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (pattern,) = {hook["exclude"] for hook in hooks}
    assert all("files" not in hook for hook in hooks)
    left_out = re.fullmatch(r"\(\?i\)\\\.\((?P<extensions>.*)\)\$", pattern)
    assert left_out is not None
    assert {f".{extension}" for extension in left_out["extensions"].split("|")} == prefilter._NEVER
