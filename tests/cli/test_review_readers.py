"""``ccmcheck review`` leaves files of the in-tree provider to that reader, as the other commands do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import git, put, run

CONF = "[Global]\nauth-url=https://k/v3\nusername=u\npassword=p\ntenant-name=t\ndomain-name=d\n[LoadBalancer]\nsubnet-id={}\n"
KUBELET = "kubelet --cloud-provider=openstack\n"
IN_TREE: dict[str, str | bytes] = {"cloud.conf": CONF.format("a"), "kubelet.service": KUBELET}
CHANGED: dict[str, str | bytes] = {"cloud.conf": CONF.format("b")}
LEFT_OUT = "cloud.conf is read by the in-tree provider, and there is no cloud.conf of the CCM"


def commit(repository: Path, files: dict[str, str | bytes]) -> None:
    put(repository, files)
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "x")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One in whose last commit a file of the in-tree provider changes."""
    git(tmp_path, "init", "-q")
    commit(tmp_path, IN_TREE)
    commit(tmp_path, CHANGED)
    return tmp_path


@pytest.mark.parametrize("revisions", ["HEAD~1..HEAD", "HEAD~1"])
def test_what_the_ccm_does_not_read_is_not_compared(repository: Path, revisions: str) -> None:
    done = run(repository, "review", "--git", revisions, "--format=json")
    assert "cloud.conf is read by the in-tree provider: it is not compared" in done.err
    found = json.loads(done.out)
    assert found["configs"] == []
    assert any(note.startswith(LEFT_OUT) for note in found["notes"])


def test_a_release_that_is_asked_for_makes_it_the_ccm_s(repository: Path) -> None:
    for option in ("--release=1.31", "--from=1.31"):
        found = json.loads(run(repository, "review", "--git", "HEAD~1", option, "--format=json").out)
        assert [one["change"] for one in found["configs"]] == ["changed"]
        assert "in-tree" not in str(found["notes"])


def test_two_folders_and_two_files(tmp_path: Path) -> None:
    put(tmp_path, {**{f"a/{name}": text for name, text in IN_TREE.items()}, "b/cloud.conf": CONF.format("b")})
    put(tmp_path, {"b/kubelet.service": KUBELET})
    for ends in (("a", "b"), ("a/cloud.conf", "b/cloud.conf")):
        found = json.loads(run(tmp_path, "review", *ends, "--format=json").out)
        assert (found["configs"], [note for note in found["notes"] if LEFT_OUT in note] == []) == ([], False)


def test_a_copy_elsewhere_and_a_move_to_the_ccm_are_compared(tmp_path: Path) -> None:
    """What a file's neighbours tell on one side alone says nothing about its text on the other."""
    put(tmp_path, {**{f"a/{name}": text for name, text in IN_TREE.items()}, "b/cloud.conf": CONF.format("b")})
    for ends in (("a", "b"), ("b", "a"), ("a/cloud.conf", "b/cloud.conf")):
        found = json.loads(run(tmp_path, "review", *ends, "--format=json").out)
        assert [one["change"] for one in found["configs"]] == ["changed"]
        assert "in-tree" not in str(found["notes"])


def test_beside_a_cloud_conf_of_the_ccm_it_is_named(repository: Path) -> None:
    put(repository, {"new/cloud.conf": CONF.format("a"), "new/up.sh": "openstack-cloud-controller-manager\n"})
    put(repository, {"new/kubelet.service": KUBELET.replace("openstack", "external")})
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "x")
    found = json.loads(run(repository, "review", "--git", "HEAD~2", "--format=json").out)
    assert [one["change"] for one in found["configs"]] == ["added"]
    assert "cloud.conf is read by the in-tree provider: it is not compared" in found["notes"]


def test_an_object_in_the_same_script_has_its_own_reader(repository: Path) -> None:
    secret = "kubectl apply -f - <<EOF\nkind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: |\n"
    indented = "".join(f"    {line}\n" for line in CONF.format("a").splitlines())
    put(repository, {"up.sh": f"cat > cloud.conf <<EOF\n{CONF.format('a')}EOF\n{secret}{indented}EOF\n"})
    found = json.loads(run(repository, "review", "--git", "HEAD", "--format=json").out)
    assert ["up.sh" in one["title"] for one in found["configs"]] == [True]
    assert "up.sh and 1 more are read by the in-tree provider: they are not compared" in found["notes"]


def test_services_beside_a_file_of_the_in_tree_provider(repository: Path) -> None:
    put(repository, {"services/cloud.conf": CONF.format("c")})
    found = json.loads(run(repository, "review", "--git", "HEAD", "--services", "services", "--format=json").out)
    assert found["configs"] == []
