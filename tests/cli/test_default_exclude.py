"""Examples and test data: left out of folders by the names below the path that was given, unless a CCM mounts them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import FATAL, git, put, run

from ccmcheck.catalog.signs.paths import DEFAULT_EXCLUDE, EXAMPLE_ENDINGS, EXAMPLE_FOLDERS

SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: kube-system\nstringData:\n  cloud.conf: |\n"
)
SECRET += "".join(f"    {line}\n" for line in FATAL.splitlines())
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: openstack-cloud-controller-manager
  namespace: kube-system
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        args: [--cloud-config=/etc/config/cloud.conf]
        volumeMounts:
        - {name: config, mountPath: /etc/config}
      volumes:
      - name: config
        secret: {secretName: cloud-config}
"""
OURS = SECRET.format(name="cloud-config")
OTHER = SECRET.format(name="other")


def judged(folder: Path, *arguments: str, command: tuple[str, ...] = ("lint",)) -> tuple[set[str], int]:
    """The files with a fatal line, and how many are left out."""
    document = json.loads(run(folder, *command, "--format", "json", *arguments).out)
    paths = {one["path"] for one in document["findings"] if one["rule"] == "duration-bad" and one["fatal"]}
    return paths, document["summary"]["left_out"]


@pytest.mark.parametrize(
    "path", [*(f"a/{name}/cloud.conf" for name in EXAMPLE_FOLDERS), *(f"cloud.conf.{one}" for one in EXAMPLE_ENDINGS)]
)
def test_names_leave_out_of_a_folder_alike(tmp_path: Path, path: str) -> None:
    put(tmp_path, {path: FATAL, "cloud.conf": FATAL})
    assert judged(tmp_path, ".") == ({"cloud.conf"}, 1)
    assert judged(tmp_path, path) == ({path}, 0)
    listed = json.loads(run(tmp_path, "list", "--format", "json").out)["cloud_confs"]
    assert [one["path"] for one in listed] == ["cloud.conf"]


@pytest.mark.parametrize("given", ["tests/fixtures", "./tests/fixtures/", "tests/fixtures/case"])
def test_names_count_below_the_path_that_is_given(tmp_path: Path, given: str) -> None:
    put(tmp_path, {"tests/fixtures/case/cloud.conf": FATAL, "tests/fixtures/case/e2e/cloud.conf": FATAL})
    paths, left_out = judged(tmp_path, given)
    assert {Path(path) for path in paths} == {Path("tests/fixtures/case/cloud.conf")}
    assert left_out == 1
    assert judged(tmp_path, ".") == (set(), 2)


def test_the_summary_says_it_and_so_does_a_run_without_anything(tmp_path: Path) -> None:
    put(tmp_path, {"e2e/cloud.conf": FATAL, "e2e/README.txt": "nothing\n", "fixtures/secret.yaml": OURS})
    done = run(tmp_path, "lint")
    assert "2 files left out as examples or test data (default-exclude)." in done.out
    assert "0 files, 2 more left out as examples or test data (default-exclude)" in done.err
    assert "2 more left out" in run(tmp_path, "list").err
    assert "2 more left out" in run(tmp_path, "fix").err


def test_the_configuration_switches_it_off_and_shows_it(tmp_path: Path) -> None:
    put(tmp_path, {"e2e/cloud.conf": FATAL, "e2e/old/cloud.conf": FATAL, "fixtures/cloud.conf": FATAL})
    put(tmp_path, {"fixtures/ccmcheck.toml": "default-exclude = false\n"})
    assert judged(tmp_path) == ({"fixtures/cloud.conf"}, 2)
    (shown,) = json.loads(run(tmp_path, "config", "show", "--format", "json").out)["files"][0]["settings"]
    assert shown == {
        "option": "default-exclude",
        "value": list(DEFAULT_EXCLUDE),
        "path": None,
        "line": None,
        "override": None,
    }
    assert "built in" in run(tmp_path, "config", "show").out
    put(tmp_path, {"ccmcheck.toml": 'exclude = ["old/"]\ndefault-exclude = false\n'})
    assert judged(tmp_path) == ({"e2e/cloud.conf", "fixtures/cloud.conf"}, 0)
    off = json.loads(run(tmp_path, "config", "show", "--format", "json").out)["files"][0]["settings"][-1]
    assert (off["option"], off["value"], off["line"]) == ("default-exclude", False, 2)


def test_a_pattern_of_the_user_adds_to_it(tmp_path: Path) -> None:
    put(tmp_path, {"e2e/cloud.conf": FATAL, "old/cloud.conf": FATAL, "cloud.conf": FATAL})
    assert judged(tmp_path, "--exclude", "old/") == ({"cloud.conf"}, 1)


@pytest.mark.parametrize(
    ("files", "paths"),
    [
        ({"ccm.yaml": CCM, "fixtures/secret.yaml": OURS}, {"fixtures/secret.yaml"}),
        ({"deploy/ccm.yaml": CCM, "testdata/secret.yaml": OURS}, {"testdata/secret.yaml"}),
        ({"e2e/ccm.yaml": CCM, "e2e/secret.yaml": OURS}, {"e2e/secret.yaml"}),
        ({"golden/all.yaml": f"{CCM}---\n{OURS}"}, {"golden/all.yaml"}),
        # not what another object holds, nor a copy of what is judged
        ({"ccm.yaml": CCM, "fixtures/secret.yaml": OTHER}, set()),
        ({"ccm.yaml": CCM, "fixtures/secret.yaml": OURS.replace("kube-system", "other")}, set()),
        ({"ccm.yaml": CCM, "secret.yaml": OURS, "fixtures/secret.yaml": OURS}, {"secret.yaml"}),
        ({"a/ccm.yaml": CCM, "b/secret.yaml": OURS, "fixtures/secret.yaml": OURS}, {"b/secret.yaml"}),
        ({"a/ccm.yaml": CCM, "a/e2e/secret.yaml": OURS, "secret.yaml": OURS}, {"a/e2e/secret.yaml", "secret.yaml"}),
        ({"a/ccm.yaml": CCM, "fixtures/cloud.conf": FATAL}, set()),
    ],
)
def test_what_a_ccm_mounts_is_judged_even_there(tmp_path: Path, files: dict[str, str | bytes], paths: set[str]) -> None:
    put(tmp_path, files)
    assert judged(tmp_path)[0] == paths
    listed = json.loads(run(tmp_path, "list", "--format", "json").out)["cloud_confs"]
    assert {one["path"] for one in listed} == paths


def test_a_ccm_of_test_data_tells_the_release_of_what_it_mounts_and_is_not_judged(tmp_path: Path) -> None:
    put(tmp_path, {f"tests/golden/{name}/ccm.yaml": CCM for name in "ab"})
    put(tmp_path, {f"tests/golden/{name}/secret.yaml": OURS for name in "ab"})
    put(tmp_path, {"cloud.conf": FATAL})
    document = json.loads(run(tmp_path, "lint", "--format", "json").out)
    assert {one["path"] for one in document["findings"]} >= {"tests/golden/a/secret.yaml", "cloud.conf"}
    assert "cluster-name-shared" not in {one["rule"] for one in document["findings"]}
    assert document["summary"]["releases"] == ["v1.31.2", "1.36"]
    found = json.loads(run(tmp_path, "list", "--format", "json").out)["cloud_confs"]
    assert {one["path"]: one["releases"] for one in found} == {
        "cloud.conf": ["1.36"],
        "tests/golden/a/secret.yaml": ["v1.31.2"],
        "tests/golden/b/secret.yaml": ["v1.31.2"],
    }


def test_what_a_kustomization_builds_is_judged_even_there(tmp_path: Path) -> None:
    put(tmp_path, {"kustomization.yaml": "resources:\n- fixtures/secret.yaml\n", "fixtures/secret.yaml": OURS})
    assert judged(tmp_path)[0] == {"fixtures/secret.yaml"}


def test_revisions_leave_it_out_too(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL, "e2e/cloud.conf": FATAL.replace("RegionOne", "Two"), "e2e/web.yaml": CCM})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    put(tmp_path, {"cloud.conf": FATAL.replace("delay = 3", "delay = 3s"), "e2e/cloud.conf": FATAL})
    out = run(tmp_path, "review", "--git", "HEAD", "--format", "json").out
    assert "e2e" not in out
    assert judged(tmp_path, "--diff-base", "HEAD") == (set(), 1)
