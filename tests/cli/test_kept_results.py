"""Results are kept in the user's own cache folder, hold no secret and no line, and can be left out and forgotten."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from pathlib import Path

import pytest
from command_line import FATAL, RIGHT, Done, git, put, run
from filesets import control_plane, write_carriers

from ccmcheck.base.open_input import open_regular
from ccmcheck.carriers.base import RunContext
from ccmcheck.lint import child_processes, first_look, kept_results, run_survey
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.looks import Look, look_at
from ccmcheck.workspace.read_files import SurveyedFile

CANARY = "c4n4ryC4N4RYc4n4ry"
FILES = 60
SECRET = """\
apiVersion: v1
kind: Secret
metadata: {{name: cloud-config, namespace: kube-system}}
data:
  cloud.conf: {}
"""

NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, annotations: {loadbalancer.openstack.org/load-balancer-id: of another cloud}}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """More files than are needed, of several kinds, with secrets everywhere and mistakes in many."""
    files: dict[str, str | bytes] = {}
    for number in range(FILES):
        text = (FATAL if number % 2 else RIGHT).replace("s3cr3t", f"{CANARY}{number}")
        text += f"username = {CANARY}\nmonitor-dealy = {CANARY}\n# a line about {CANARY} and remarkable\n"
        name = f"{number % 7}/{number}"
        files |= [
            {f"{name}/cloud.conf": text},
            {f"{name}.yaml": SECRET.format(b64encode(text.encode()).decode())},
            {f"{name}.yaml": SECRET.format("|\n    " + text.replace("\n", "\n    ")).replace("data", "stringData")},
        ][number % 3]
    return put(tmp_path / "tree", files)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were judged."""
    seen: list[str] = []
    lint = Linter.lint

    def noted(self: Linter, path: str, data: bytes, *, explicit: bool = False) -> object:
        seen.append(path)
        return lint(self, path, data, explicit=explicit)

    monkeypatch.setattr(Linter, "lint", noted)
    return seen


def lint(tree: Path, *arguments: str, ci: str = "") -> Done:
    return run(tree, "lint", "--max-findings", "0", *arguments, XDG_CACHE_HOME=str(tree.parent / "cache"), CI=ci)


def test_a_file_is_judged_again_only_where_something_changed(tree: Path, judged: list[str]) -> None:
    first = lint(tree)
    assert len(judged) == FILES
    assert f"{FILES // 2} fixable" in first.out
    judged.clear()
    second = lint(tree)
    plain = {str(path.relative_to(tree)) for path in tree.rglob("cloud.conf")}
    assert set(judged) <= plain  # who reads those is asked for in the files around
    assert second.out.splitlines()[:-1] == first.out.splitlines()[:-1]
    changed = tree / "1/1.yaml"
    changed.write_text(changed.read_text().replace("kube-system", "other"))
    judged.clear()
    lint(tree)
    assert "1/1.yaml" in judged
    assert set(judged) <= {"1/1.yaml", *plain}
    judged.clear()
    lint(tree, "--release", "1.30")
    assert len(judged) == FILES


def test_control_planes_of_a_known_version_are_judged_once(
    tmp_path: Path, judged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = write_carriers(tmp_path / "tree", FILES)
    gates = control_plane(1).replace("external\n", "external\n          feature-gates: Gate=true\n", 1)
    put(tree, {"gates.yaml": gates})
    read: list[str] = []

    def noted(path: str, *_: object) -> tuple[RunContext, ...]:
        read.append(path)
        return ()

    monkeypatch.setattr(run_survey, "contributions_of", noted)
    lint(tree)
    assert len(judged) == FILES + 1
    judged.clear()
    lint(tree)
    assert not judged
    assert not read  # no CCM is there that the labels of their nodes would matter to
    put(tree, {"clusters.yaml": "kind: OpenStackCluster\n"})
    lint(tree)
    assert len(read) == FILES // 2 + 2


def test_nothing_of_a_file_is_kept(tree: Path) -> None:
    lint(tree)
    folder = tree.parent / "cache/ccmcheck"
    (kept,) = folder.glob("*.results")
    data = kept.read_bytes()
    assert b"duration-bad" in data
    for word in (CANARY.encode(), b64encode(CANARY.encode())[:-4], b"keystone.example.org", b"remarkable"):
        assert word not in data


def test_options_leave_it_out_and_forget_it(tree: Path, judged: list[str]) -> None:
    folder = tree.parent / "cache/ccmcheck"
    lint(tree, "--no-cache")
    lint(tree, ci="true")
    assert not folder.exists()
    lint(tree, ci="false")
    assert list(folder.glob("*.results"))
    judged.clear()
    lint(tree, "--clear-cache", "--no-cache")
    assert len(judged) == FILES
    assert [path.name for path in folder.iterdir()] == ["key"]
    own = tree.parent / "own"
    lint(tree, "--cache-dir", str(own), ci="true")
    assert list(own.glob("*.results"))
    assert [path.name for path in folder.iterdir()] == ["key"]


def test_other_options_do_not_forget_it(tree: Path, judged: list[str]) -> None:
    """Up to some times what a run takes: files as they were long ago are forgotten."""
    for release in ("1.28", "1.29", "1.30"):
        lint(tree, "--release", release)
    judged.clear()
    lint(tree, "--release", "1.28")
    lint(tree, "--release", "1.30")
    assert judged == []
    for release in ("1.31", "1.32", "1.33", "1.34", "1.35"):
        lint(tree, "--release", release)
    (kept,) = (tree.parent / "cache/ccmcheck").glob("*.results")
    codes, looks = map(json.loads, kept.read_bytes()[32:].splitlines()[1:3])
    assert len(codes) == 2 * 4 * FILES
    assert len(looks) == 2 * FILES


def test_a_file_is_looked_at_again_only_where_it_changed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def noted(file: SurveyedFile) -> Look:
        looked.append(file.target.path)
        return look_at(file)

    monkeypatch.setattr(kept_results, "look_at", noted)
    put(tree, {"nodes.yaml": NODE, "service.yaml": SERVICE})
    first = lint(tree, "--jobs", "1")
    assert len(looked) == FILES + 2
    looked.clear()
    assert lint(tree, "--jobs", "1").out.splitlines()[:-1] == first.out.splitlines()[:-1]
    assert looked == []
    put(tree, {"service.yaml": SERVICE.replace("cloud", "Cloud")})
    lint(tree, "--jobs", "1")
    assert looked == ["service.yaml"]


def test_a_file_that_is_as_it_was_is_not_read(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its size, times and inode; only where it was last changed well before the run that read it."""
    put(tree, {"other.yaml": "replicas: 3\n"})
    opened: list[str] = []

    def noted(path: str, *, follow: bool = True) -> tuple[int, int]:
        opened.append(path)
        return open_regular(path, follow=follow)

    monkeypatch.setattr("ccmcheck.workspace.discover.open_regular", noted)

    def read(*arguments: str) -> set[str]:
        opened.clear()
        lint(tree, "--jobs", "1", "--release", "1.30", *arguments)
        return set(opened)

    every = {str(path.relative_to(tree)) for path in tree.rglob("*.*") if path.is_file()}
    assert read() == read() == every
    monkeypatch.setattr(kept_results, "SETTLED", 0)
    assert read() == every
    with_findings = {path for path in every if "duration-bad" in lint(tree, "--release", "1.30", path).out}
    assert with_findings < read() < every
    assert "other.yaml" not in read()
    assert read("--max-size", "10") == every
    status = (tree / "0/0/cloud.conf").stat()
    right = (tree / "0/0/cloud.conf").read_text()
    (tree / "0/0/cloud.conf").write_text(right.replace("10s", " 10"))
    os.utime(tree / "0/0/cloud.conf", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert status.st_size == (tree / "0/0/cloud.conf").stat().st_size
    assert "0/0/cloud.conf" in read()


def test_a_file_that_is_as_it_was_and_led_out_to_is_not_judged(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_results, "SETTLED", 0)
    put(tree, {"1/right.yaml": SECRET.format(b64encode(RIGHT.encode()).decode())})
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    lint(tree)
    (tree / "1").rename(tree.parent / "1")
    (tree / "1").symlink_to(tree.parent / "1")
    kept = lint(tree)
    assert f"{FILES} files" not in kept.out
    assert without_time(kept) == without_time(lint(tree, "--no-cache"))


@pytest.mark.parametrize("arguments", [(), ("--no-cache",)])
def test_processes_that_did_their_work_are_not_ended(
    tree: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    ended: list[int] = []
    fork = os.fork

    def noted() -> int:
        started.append(child := fork())
        return child

    monkeypatch.setattr(os, "fork", noted)
    monkeypatch.setattr(child_processes, "_end", ended.append)
    for number in range(0, FILES, 3):
        lint(tree, "--jobs", "2", *arguments)
        name = tree / f"{number % 7}/{number}/cloud.conf"
        name.write_text(name.read_text() + "# changed\n")
        if number > 6:
            break
    assert started
    assert ended == []


def test_it_is_never_in_the_checkout(tree: Path) -> None:
    refused = lint(tree, "--cache-dir", "kept")
    assert refused.code == 2
    assert "--cache-dir kept cannot be used: it lies in the checkout" in refused.err
    run(tree, "lint", XDG_CACHE_HOME=str(tree / "cache"))
    run(tree, "lint", XDG_CACHE_HOME="cache")
    assert not list(tree.rglob("*.results"))


def test_a_folder_of_others_is_refused(tree: Path) -> None:
    shared = tree.parent / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    refused = lint(tree, "--cache-dir", str(shared))
    assert refused.code == 2
    assert "cannot be used: not a folder of the user's alone" in refused.err
    (tree.parent / "cache").mkdir()
    own = shared.rename(tree.parent / "cache/ccmcheck")
    own.chmod(0o775)
    assert "cannot be used" not in lint(tree).err
    assert (
        lint(tree, "-v").err.count("cannot be used, so no result is kept between runs: not a folder of the user") == 1
    )
    assert not list(tree.parent.rglob("*.results"))


def test_ccmchecks_own_folder_is_closed_to_others(tree: Path) -> None:
    own = tree.parent / "cache/ccmcheck"
    own.mkdir(parents=True)
    own.chmod(0o755)
    lint(tree)
    assert list(own.glob("*.results"))
    assert own.stat().st_mode & 0o777 == 0o700


def test_few_files_are_judged_without(tree: Path) -> None:
    lint(tree, "0", "1")
    assert not (tree.parent / "cache").exists()


CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - {name: ccm, image: "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2"}
"""
OLD = CCM.replace("v1.31.2", "v1.24.0")
KUBELET = "ExecStart=/usr/bin/kubelet --cloud-provider=openstack --cloud-config=/etc/cloud.conf\n"


@pytest.mark.parametrize(
    ("outside", "before", "after"),
    [
        ("ccm.yaml", CCM, OLD),
        ("ccm.yaml", OLD, CCM),
        ("ccm.yaml", CCM, ""),
        ("shop/kubelet.service", "", KUBELET),
        ("shop/kubelet.service", KUBELET, ""),
        ("ccmcheck.toml", "", '[per-path-ignores]\n"**/*.yaml" = ["duration-bad"]\n'),
        ("shop/ccmcheck.toml", "", '[[override]]\npaths = ["*.conf"]\nseverity = {duration-bad = "info"}\n'),
        ("ccmcheck.toml", "[vars]\nPASSWORD = 'keystone'\n", "[vars]\nPASSWORD = 'example'\n"),
    ],
)
def test_what_decides_outside_of_the_files_is_looked_at(
    outside: str, before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder that is linted lies in a repository whose other files say who reads its cloud.confs, and how."""
    monkeypatch.setattr(first_look, "WORTH_KEEPING", 1)
    secret = SECRET.format("|\n    " + FATAL.replace("\n", "\n    ")).replace("data", "stringData")
    tree = put(tmp_path / "tree", {"shop/cloud.conf": FATAL, "shop/secret.yaml": secret, outside: before})
    git(tree, "init", "-q")
    lint(tree, "shop")
    (tree / outside).write_text(after)
    kept, plain = lint(tree, "shop"), lint(tree, "--no-cache", "shop")
    assert without_time(kept) == without_time(plain)


def without_time(done: Done) -> str:
    return re.sub(r"files, [\d.]+ s", "", done.out + done.err)
