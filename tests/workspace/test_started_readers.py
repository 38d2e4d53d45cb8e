"""Who reads a plain cloud.conf by what the files around it start, and at which version of Kubernetes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from gits import CONF, git
from release_repositories import put, workload

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import run

KUBELET = "[Service]\nExecStart=/usr/bin/kubelet --cloud-provider={} --cloud-config=/etc/kubernetes/cloud-config\n"
IN_TREE = KUBELET.format("openstack")
EXTERNAL = KUBELET.format("external")
CLASSIC = f"{CONF}username=u\npassword=p\ntenant-id=t\ndomain-id=d\n[LoadBalancer]\nsubnet-id=s\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def readers(folder: Path, *arguments: str) -> dict[str, tuple[str, list[str], str]]:
    """The reader, the release and its source of each cloud.conf, as `list` says them."""
    listed = json.loads(run(folder, "list", "--format=json", *arguments).out)
    return {one["path"]: (one["reader"], one["releases"], one["release_source"]) for one in listed["cloud_confs"]}


@pytest.mark.parametrize(
    ("files", "reader"),
    [
        ({"files/kubelet.service": IN_TREE}, "legacy-in-tree"),
        ({"files/kubelet.service": EXTERNAL}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/other.service": EXTERNAL}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "other/kubelet.service": EXTERNAL}, "legacy-in-tree"),
        ({"files/deep/kubelet.service": IN_TREE, "other/kubelet.service": EXTERNAL}, "legacy-in-tree"),
        ({"other/kubelet.service": IN_TREE}, "legacy-in-tree"),
        ({"other/kubelet.service": IN_TREE, "ccm.yaml": workload("latest")}, "ccm"),
        ({"other/kubelet.service": IN_TREE, "ccm.yaml": workload("v1.31.0")}, "ccm"),
        (
            {
                "up.sh": "kubeadm init --config x\ncat <<EOF\ncontrollerManager:\n  extraArgs:\n    cloud-provider: openstack\nEOF\n"
            },
            "legacy-in-tree",
        ),
        ({"main.tf": 'locals {\n  kubelet_flags = "--cloud-provider=openstack"\n}\n'}, "legacy-in-tree"),
        ({"docs/page.md": IN_TREE}, "ccm"),
        ({"tests/kubelet.service": IN_TREE}, "ccm"),
        ({"values.yaml": "controllerExtraArgs:\n- --cloud-provider=openstack\n"}, "ccm"),
    ],
)
def test_what_is_started_around_a_file(repository: Path, files: dict[str, str], reader: str) -> None:
    put(repository, {**files, "files/cloud-config.conf": CLASSIC})
    for arguments in ((), ("files/cloud-config.conf",)):
        assert {name for name, _, _ in readers(repository, *arguments).values()} == {reader}


def test_an_object_is_read_by_no_process_of_kubernetes(repository: Path) -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: |\n"
    put(
        repository,
        {"secret.yaml": secret + "".join(f"    {line}\n" for line in CLASSIC.splitlines()), "a.service": IN_TREE},
    )
    assert readers(repository)["secret.yaml"][0] == "ccm"


@pytest.mark.parametrize(
    ("files", "release"),
    [
        ({"group_vars/all.yml": "kube_version: v1.17.3\n"}, (["v1.17.3"], "group_vars/all.yml:1")),
        (
            {"vars.tf": 'variable "kubernetes_version" {\n  type = string\n  default = "1.24.0-00"\n}\n'},
            (["1.24.0"], "vars.tf:3"),
        ),
        ({"up.sh": "set -e\nexport K8S_VERSION=1.17\n"}, (["1.17"], "up.sh:2")),
        ({"api.yaml": "image: gcr.io/google_containers/hyperkube:v1.9.6\n"}, (["v1.9.6"], "api.yaml:1")),
        ({"a.yml": "kube_version: v1.17.3\n", "b/c.yml": "kube_version: v1.18.0\n"}, (["v1.17.3"], "a.yml:1")),
        ({"a.yml": "kube_version: v1.17.3\n", "b.yml": "kube_version: v1.18.0\n"}, ([], "")),
        ({"a.yml": "kube_version: v1.17.3\n", "b.yml": "k8s_version: 1.17.3\n"}, (["v1.17.3"], "a.yml:1")),
        ({"a.yml": "kube_version_checksum: v1.17.3\nkube_versions: 1.18.0\n"}, ([], "")),
        ({"README.md": "kube_version: v1.17.3\n"}, ([], "")),
        ({"inventory/sample/group_vars/all.yml": "kube_version: v1.17.3\n"}, ([], "")),
        ({"other/vars.tf": 'variable "k8s_version" { default = "1.24.0" }\n'}, ([], "")),
        ({"a.yml": "# gcr.io/kube-apiserver:v1.14.1\n# kube_version: v1.14.1\n"}, ([], "")),
    ],
)
def test_the_version_of_kubernetes(repository: Path, files: dict[str, str], release: tuple[list[str], str]) -> None:
    put(repository, {**files, "files/cloud.conf": CLASSIC, "files/kubelet.service": IN_TREE})
    assert readers(repository, "files/cloud.conf") == {"files/cloud.conf": ("legacy-in-tree", *release)}


def test_a_reader_that_the_file_itself_tells_of_gets_its_version_likewise(repository: Path) -> None:
    put(
        repository, {"up.sh": f"{IN_TREE}cat > cloud.conf <<EOF\n{CLASSIC}EOF\n", "vars.yml": "kube_version: v1.17.3\n"}
    )
    assert readers(repository)["up.sh"] == ("legacy-in-tree", ["v1.17.3"], "vars.yml:1")


def test_lint_judges_by_that_reader_unless_a_release_is_asked_for(repository: Path) -> None:
    put(
        repository,
        {"files/cloud.conf": CLASSIC, "files/kubelet.service": IN_TREE, "all.yml": "kube_version: v1.17.3\n"},
    )
    for path in (".", "files/cloud.conf"):
        summary = json.loads(run(repository, "lint", "--format=json", path).out)
        assert summary["summary"]["releases"] == ["legacy-in-tree v1.17.3"]
        assert "auth-password" not in {one["rule"] for one in summary["findings"]}
        asked = json.loads(run(repository, "lint", "--format=json", "--release=1.31", path).out)
        assert "auth-password" in {one["rule"] for one in asked["findings"]}


def test_the_oldest_known_release_stands_in_for_older_ones(repository: Path) -> None:
    put(repository, {"cloud.conf": CLASSIC, "kubelet.service": IN_TREE, "all.yml": "kube_version: v1.9.6\n"})
    summary = json.loads(run(repository, "lint", "--format=json").out)["summary"]
    assert summary["releases"] == ["legacy-in-tree 1.16"]
    put(repository, {"all.yml": "kube_version: v1.31.0\n"})  # which has no such provider
    assert readers(repository)["cloud.conf"] == ("legacy-in-tree", [], "")


def test_without_git_the_own_folder_counts(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": CLASSIC, "a/kubelet.service": IN_TREE, "b/cloud.conf": CLASSIC})
    assert readers(tmp_path, "a/cloud.conf", "b/cloud.conf") == {
        "a/cloud.conf": ("legacy-in-tree", [], ""),
        "b/cloud.conf": ("ccm", ["1.36"], "the newest"),
    }


def test_a_link_and_a_file_of_another_repository_tell_nothing(repository: Path) -> None:
    put(repository, {"files/cloud.conf": CLASSIC, "other/kubelet.service": IN_TREE, "files/x": ""})
    git(repository / "other", "init", "-q")
    (repository / "files/link.service").symlink_to(repository / "other/kubelet.service")
    assert readers(repository)["files/cloud.conf"][0] == "ccm"


def test_too_many_files_tell_nothing(repository: Path) -> None:
    put(repository, {f"units/{number}.service": IN_TREE for number in range(257)} | {"cloud.conf": CLASSIC})
    assert readers(repository)["cloud.conf"][0] == "ccm"


def test_services_beside_it_are_its_own(repository: Path) -> None:
    service = (
        "apiVersion: v1\nkind: Service\nmetadata: {name: dns}\n"
        "spec: {type: LoadBalancer, ports: [{port: 53, protocol: UDP}], selector: {app: dns}}\n"
    )
    put(repository, {"a/cloud.conf": CLASSIC, "a/dns.yaml": service})

    def rules() -> set[str]:
        return {one["rule"] for one in json.loads(run(repository, "lint", "--format=json").out)["findings"]}

    assert "svc-protocol-tcp-only" not in rules()
    put(repository, {"a/kubelet.service": IN_TREE})
    assert "svc-protocol-tcp-only" in rules()
