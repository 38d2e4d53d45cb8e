"""Who reads a plain cloud.conf by what the files around it start, and at which version of Kubernetes."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import run
from gits import CONF, git
from release_repositories import put, workload

from ccmcheck.carriers.base import KubernetesVersion
from ccmcheck.workspace.started_readers import StartedReaders

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

UNKNOWN = (
    [f"1.{minor}" for minor in range(25, 15, -1)],
    "one of 1.16 to 1.25, because no single version of Kubernetes is found",
)
KUBELET = "[Service]\nExecStart=/usr/bin/kubelet --cloud-provider={} --cloud-config=/etc/kubernetes/cloud-config\n"
IN_TREE = KUBELET.format("openstack")
EXTERNAL = KUBELET.format("external")
BY_NAME = "nodeRegistration:\n  kubeletExtraArgs:\n  - name: cloud-provider\n    value: external\n"
REMOTE = "resources:\n- https://github.com/kubernetes/cloud-provider-openstack//manifests/controller-manager"
GENERIC = (
    "kind: DaemonSet\nspec:\n  containers:\n  - name: cloud-controller-manager\n    image: registry.example.com/x:v1\n"
    "    args: [--cloud-provider=openstack]\n  volumes: [{hostPath: {path: /var/lib/kubelet}}]\n"
)
MANIFEST = (
    "kind: Pod\nspec:\n  containers:\n  - image: gcr.io/google_containers/hyperkube-amd64:v1.7.4\n"
    "    command: [/hyperkube, controller-manager, --cloud-provider=openstack]\n"
    "    name: kube-controller-manager\n"
)
CLASSIC = f"{CONF}username=u\npassword=p\ntenant-id=t\ndomain-id=d\n[LoadBalancer]\nsubnet-id=s\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def reader_of(started: StartedReaders, path: str) -> str:
    found = {answer.value for answer in started.nearest(path).values()}
    return "legacy-in-tree" if found and "ccm" not in found else ""


def readers(folder: Path, *arguments: str) -> dict[str, tuple[str, list[str], str]]:
    """The reader, the release and its source of each cloud.conf, as `list` says them."""
    listed = json.loads(run(folder, "list", "--format=json", *arguments).out)
    return {
        one["path"]: (one["reader"], one["releases"], one["release_source"] if one["releases"] else "")
        for one in listed["cloud_confs"]
    }


@pytest.mark.part(of=4)
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
        ({"files/up.sh": "# never again: kubelet --cloud-provider=openstack\n"}, "ccm"),
        ({"files/up.sh": "start  # kubelet --cloud-provider=openstack\n"}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/up.sh": "# kubelet --cloud-provider=external\n"}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/kubeadm.yaml": BY_NAME}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/a.yaml": BY_NAME.replace("external", '"external"')}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/a.yaml": "{'cloud-provider': 'external'}\n"}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/a.sh": "kubelet --cloud-provider external\n"}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/a.sh": "kubelet --cloud-provider='external'\n"}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/all.yml": "external_cloud_provider: openstack\n"}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/talos.yaml": "externalCloudProvider: {enabled: true}\n"}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/kustomization.yaml": REMOTE}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/kustomization.yaml": REMOTE + "?ref=v1.28.0"}, "ccm"),
        ({"files/ds.yaml": GENERIC}, "ccm"),
        ({"files/kubelet.service": IN_TREE, "files/ds.yaml": GENERIC}, "ccm"),
        ({"files/up.sh": "cloud-controller-manager --x\nkubelet --cloud-provider=openstack\n"}, "legacy-in-tree"),
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


@pytest.mark.part(of=4)
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
        ({"a.yml": "kube_version: v1.17.3\n", "b.yml": "kube_version: v1.18.0\n"}, UNKNOWN),
        ({"a.yml": "kube_version: v1.17.3\n", "b.yml": "k8s_version: 1.17.3\n"}, (["v1.17.3"], "a.yml:1")),
        ({"a.yml": "kube_version: v1.17.3\nk8s_version: '1.17'\n"}, (["v1.17.3"], "a.yml:1")),
        ({"a.yml": "k8s_version: '1.17'\nother_kube_version: v1.18.3\n"}, UNKNOWN),
        ({"a.yml": "kube_version_checksum: v1.17.3\nkube_versions: 1.18.0\n"}, UNKNOWN),
        ({"README.md": "kube_version: v1.17.3\n"}, UNKNOWN),
        ({"inventory/sample/group_vars/all.yml": "kube_version: v1.17.3\n"}, UNKNOWN),
        ({"other/vars.tf": 'variable "k8s_version" { default = "1.24.0" }\n'}, UNKNOWN),
        (
            {"roles/master/tasks/main.yml": "- command: kubeadm init --kubernetes-version v1.10.2 --token x\n"},
            (["v1.10.2"], "roles/master/tasks/main.yml:1"),
        ),
        ({"up.sh": "kubeadm init --kubernetes-version='1.18.3'\n"}, (["1.18.3"], "up.sh:1")),
        ({"up.sh": "# kubeadm init --kubernetes-version=1.18.3\n"}, UNKNOWN),
        ({"difffile": "diff --git a/all.yml b/all.yml\n kube_version: v1.17.3\n"}, UNKNOWN),
        ({"Makefile": "dev:\n\tminikube start --kubernetes-version=v1.18.3\n"}, UNKNOWN),
        ({"a.yml": "# gcr.io/kube-apiserver:v1.14.1\n# kube_version: v1.14.1\n"}, UNKNOWN),
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


WEB = "kind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"


def test_every_command_takes_that_reader_unless_a_release_is_asked_for(repository: Path) -> None:
    put(
        repository,
        {"cloud.conf": CLASSIC, "kubelet.service": IN_TREE, "all.yml": "kube_version: v1.17.3\n", "web.yaml": WEB},
    )
    shown = run(repository, "show", "cloud.conf").out
    assert "legacy-in-tree@v1.17.3" in shown
    assert "legacy-in-tree@v1.17.3" in run(repository, "read", "cloud.conf").out
    assert "ccm@1.31" in run(repository, "show", "--release=1.31", "cloud.conf").out
    assert "ccm@1.31" in run(repository, "read", "--reader=ccm@1.31", "cloud.conf").out
    assert "ccm@" in run(repository, "read", "--consumer=ccm", "cloud.conf").out
    refused = run(repository, "upgrade", ".")
    assert "cloud.conf is read by the in-tree provider" in refused.err
    assert "CCM 1.25" in run(repository, "upgrade", "--from=1.25", ".").out
    noted = run(repository, "review", "--question=create-monitor", ".").out
    assert "cloud.conf is read by the in-tree provider, and there is no cloud.conf of the CCM" in noted
    assert (
        "is read by the in-tree"
        not in run(repository, "review", "--question=create-monitor", "--release=1.31", ".").out
    )
    refused = run(repository, "predict", ".")
    assert (refused.code, "web" in refused.out) == (3, False), "nothing is known of what that provider makes"
    assert "there is no cloud.conf of the CCM in .: cloud.conf is read by the in-tree provider" in refused.err
    assert "default/web" in run(repository, "predict", "--release=1.31", ".").out
    too_new = run(repository, "set", "cloud.conf", "max-shared-lb=3", "--check")
    assert "max-shared-lb" in too_new.err
    assert too_new.code != 0
    put(repository, {"ccm.yaml": workload("v1.31.0")})
    assert "default/web" in run(repository, "predict", ".").out


def test_a_release_is_advised_only_where_it_decides(repository: Path) -> None:
    put(repository, {"cloud.conf": CLASSIC, "kubelet.service": IN_TREE})
    advised = run(repository, "upgrade", "cloud.conf").err
    assert "Name a release on the command line" in advised
    put(repository, {"kubeadm.yaml": KUBEADM})
    for more in ((), ("--from=1.25",)):
        told = run(repository, "upgrade", "kubeadm.yaml", *more).err
        assert "kubeadm.yaml is read by the in-tree provider" in told
        assert "Name a release" not in told


KUBEADM = """\
kind: KubeadmConfig
spec:
  clusterConfiguration:
    controllerManager: {extraArgs: {cloud-provider: openstack}}
  files:
  - path: /etc/kubernetes/cloud.conf
    content: |
      [Global]
      auth-url=https://k/v3
"""


def test_the_oldest_known_release_stands_in_for_older_ones(repository: Path) -> None:
    put(repository, {"cloud.conf": CLASSIC, "kubelet.service": IN_TREE, "all.yml": "kube_version: v1.2.6\n"})
    summary = json.loads(run(repository, "lint", "--format=json").out)["summary"]
    assert summary["releases"] == ["legacy-in-tree 1.3"]


def test_a_kubernetes_without_that_provider_does_not_read_it(repository: Path) -> None:
    put(repository, {"cloud.conf": CLASSIC, "kubelet.service": IN_TREE, "all.yml": "kube_version: v1.31.0\n"})
    assert readers(repository)["cloud.conf"][0] == "ccm"
    put(repository, {"own/up.sh": f"{IN_TREE}cat > cloud.conf <<EOF\n{CLASSIC}EOF\n"})
    assert readers(repository)["own/up.sh"] == (
        "legacy-in-tree",
        [],
        "",
    )


def test_where_the_repository_lies_does_not_matter(tmp_path: Path) -> None:
    checkout = tmp_path / "fixtures" / "samples" / "it"
    put(checkout, {"files/cloud.conf": CLASSIC, "files/kubelet.service": IN_TREE, "all.yml": "kube_version: v1.17.3\n"})
    git(checkout, "init", "-q")
    assert readers(checkout)["files/cloud.conf"] == ("legacy-in-tree", ["v1.17.3"], "all.yml:1")


def test_each_file_of_a_folder_is_asked_for_itself(repository: Path) -> None:
    put(repository, {"a.conf": f"{CLASSIC}# kubelet --cloud-provider=external\n", "b.conf": CLASSIC})
    put(repository, {"kubelet.service": IN_TREE})
    assert {path: reader for path, (reader, _, _) in readers(repository).items()} == {
        "a.conf": "legacy-in-tree",
        "b.conf": "ccm",
    }


def test_without_git_a_folder_of_the_run_counts_as_a_repository(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": CLASSIC, "a/kubelet.service": IN_TREE, "a/all.yml": "kube_version: v1.17.3\n"})
    put(tmp_path, {"b/cloud.conf": CLASSIC, "c/kcm.yaml": MANIFEST, "d/e/f.service": EXTERNAL, "d/cloud.conf": CLASSIC})
    of_a = ("legacy-in-tree", ["v1.17.3"], "a/all.yml:1")
    assert readers(tmp_path)["a/cloud.conf"] == readers(tmp_path, "a/cloud.conf")["a/cloud.conf"] == of_a
    assert readers(tmp_path)["d/cloud.conf"][0] == "ccm"
    put(tmp_path, {"d/e/f.service": ""})
    assert readers(tmp_path)["b/cloud.conf"][0] == "legacy-in-tree"
    assert readers(tmp_path, "b/cloud.conf") == {"b/cloud.conf": ("ccm", ["1.36"], "assumed: the newest")}


def test_without_git_the_files_below_its_folder_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"etc/cloud.conf": CLASSIC, "etc/manifests/kcm.yaml": MANIFEST, "etc/.old/a.service": EXTERNAL})
    for arguments in ((), ("etc/cloud.conf",)):
        assert readers(tmp_path, *arguments) == {
            "etc/cloud.conf": ("legacy-in-tree", ["v1.7.4"], "etc/manifests/kcm.yaml:4")
        }
    monkeypatch.setattr("ccmcheck.workspace.release_trees.MOST_IN_FOLDER", 1)
    assert readers(tmp_path)["etc/cloud.conf"][0] == "ccm"


def test_without_git_git_is_not_missed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(repository, {"a/cloud.conf": CLASSIC, "a/kubelet.service": IN_TREE})
    monkeypatch.setenv("PATH", "")
    for arguments in ((), ("a/cloud.conf",)):
        assert readers(repository, *arguments)["a/cloud.conf"][0] == "legacy-in-tree"


def test_many_versions_take_linear_time() -> None:
    text = "kube_version: 1.2\n" * 60_000
    tree = Files({"/r/all.yml": text.encode()})
    started = time.process_time()
    versions = StartedReaders(tree).kubernetes_of("/r/cloud.conf", str)
    assert versions == [KubernetesVersion("1.2", "/r/all.yml", 1)]
    assert time.process_time() - started < 2


def test_many_files_around_many_folders_take_linear_time() -> None:
    for folder in ("tests", "roles/x/defaults", "units"):
        text = IN_TREE.encode() + b"\nkube_version: 1.17\n"
        tree = Files({f"/r/{folder}/{number}.yml": text for number in range(10_000)})
        started_readers = StartedReaders(tree)
        started = time.process_time()
        for number in range(2_000):
            assert reader_of(started_readers, f"/r/{number}/cloud.conf") == ""
            assert started_readers.kubernetes_of(f"/r/{number}/cloud.conf", str) == []
        assert time.process_time() - started < 2


def test_a_file_is_looked_through_once_for_all_folders() -> None:
    tree = Files({f"/r/{number}.service": IN_TREE.encode() + b"x" * 5_000 for number in range(200)})
    started_readers = StartedReaders(tree)
    started = time.process_time()
    assert {reader_of(started_readers, f"/r/{number}/cloud.conf") for number in range(2_000)} == {"legacy-in-tree"}
    assert time.process_time() - started < 4
    assert tree.read_count == 200


class Files:
    """Files by their paths, as a tree."""

    top = "/r"

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files
        self.read_count = 0

    def holding(self, texts: Sequence[str]) -> list[str]:
        return [path for path, data in self._files.items() if any(text.encode() in data for text in texts)]

    def read(self, path: str) -> bytes | None:
        self.read_count += 1
        return self._files.get(path)

    def read_each(self, paths: Sequence[str]) -> Iterator[bytes | None]:
        return map(self.read, paths)


def test_lint_takes_the_release_of_manifests_that_are_elsewhere(repository: Path) -> None:
    put(repository, {"files/cloud.conf": CLASSIC, "files/kustomization.yaml": f"{REMOTE}?ref=v1.28.0\n"})
    for path in (".", "files/cloud.conf"):
        assert json.loads(run(repository, "lint", "--format=json", path).out)["summary"]["releases"] == ["v1.28.0"]
        assert readers(repository, path)["files/cloud.conf"] == ("ccm", ["v1.28.0"], "files/kustomization.yaml:2")


def test_without_git_the_own_folder_counts(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": CLASSIC, "a/kubelet.service": IN_TREE, "b/cloud.conf": CLASSIC})
    assert readers(tmp_path, "a/cloud.conf", "b/cloud.conf") == {
        "a/cloud.conf": ("legacy-in-tree", *UNKNOWN),
        "b/cloud.conf": ("ccm", ["1.36"], "assumed: the newest"),
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


def test_each_file_that_tells_is_asked_for_itself_in_any_order() -> None:
    tree = Files(
        {
            "/r/a.conf": b"# kubelet --cloud-provider=external\nx\n- --cloud-provider=external # kubelet",
            "/r/k": IN_TREE.encode(),
        }
    )
    for paths in (("/r/k", "/r/b.conf", "/r/a.conf"), ("/r/a.conf", "/r/b.conf", "/r/k")):
        started_readers = StartedReaders(tree)
        found = {path: reader_of(started_readers, path) for path in paths}
        assert found == {"/r/a.conf": "legacy-in-tree", "/r/b.conf": "", "/r/k": ""}


def test_what_lies_in_the_folder_goes_before_what_lies_below() -> None:
    tree = Files({"/r/a/k.service": IN_TREE.encode(), "/r/a/deep/k.service": EXTERNAL.encode()})
    assert reader_of(StartedReaders(tree), "/r/a/cloud.conf") == "legacy-in-tree"


@pytest.mark.parametrize(("count", "reader"), [(256, "legacy-in-tree"), (257, "")])
def test_how_many_files_may_tell(count: int, reader: str) -> None:
    tree = Files({f"/r/{number}.service": IN_TREE.encode() for number in range(count)})
    assert reader_of(StartedReaders(tree), "/r/cloud.conf") == reader


def test_the_line_of_a_version() -> None:
    tree = Files({"/r/all.yml": b"\n\nkube_version: 1.17\n\nkube_version: v1.17.3\n"})
    versions = StartedReaders(tree).kubernetes_of("/r/cloud.conf", str)
    assert versions == [KubernetesVersion("v1.17.3", "/r/all.yml", 5)]
    tree = Files({"/r/all.yml": b"\nkube_version: 1.17\n"})
    assert StartedReaders(tree).kubernetes_of("/r/cloud.conf", str) == [KubernetesVersion("1.17", "/r/all.yml", 2)]


RKE = """\
{version}cloud_provider:
  name: openstack
  openstackCloudProvider:
    global: {{auth-url: "https://keystone.example.com:5000/v3", username: kube, password: Canary9secret}}
"""


@pytest.mark.parametrize(
    ("version", "judged"),
    [
        ("kubernetes_version: v1.18.8-rancher1-1\n", "judged as legacy-in-tree v1.18.8 (from cluster.yml)"),
        ("", "one of 1.16 to 1.25, because no single version of Kubernetes is found"),
    ],
)
def test_a_file_that_installs_a_cluster_names_its_version(tmp_path: Path, version: str, judged: str) -> None:
    put(tmp_path, {"cluster.yml": RKE.format(version=version)})
    out = run(tmp_path, "lint", ".").out
    assert judged in " ".join(out.split())
    assert "Canary9secret" not in out
