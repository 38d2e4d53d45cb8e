"""``ccmcheck lint --diff-base``: unchanged files whose release, cloud.conf or Services changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import FATAL, RIGHT, git, put, run

IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
OLD_KEY = RIGHT + "use-octavia = true\n"
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, annotations: {loadbalancer.openstack.org/load-balancer-id: "%s"}}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: %d}]}
"""


def workload(tag: str, label: str = "a") -> str:
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: ccm, namespace: kube-system, labels: {{l: {label}}}}}\n"
        f"spec:\n  template:\n    spec:\n      containers:\n      - name: ccm\n        image: {IMAGE}:{tag}\n"
    )


def chart(version: str) -> str:
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ccm, namespace: kube-system}\n"
        f"spec:\n  chart:\n    spec:\n      chart: openstack-cloud-controller-manager\n      version: {version}\n"
        "  values: {cluster: {name: prod}, secret: {create: false}}\n"
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Twenty clusters, each with its own release and the same file, and a topic branch without changes yet."""
    for number in range(17, 37):
        put(tmp_path, {f"c{number}/cloud.conf": OLD_KEY, f"c{number}/ccm.yaml": workload(f"v1.{number}.0")})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "topic")
    return tmp_path


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")


def judged(folder: Path, *arguments: str) -> dict[str, str]:
    """The files with a finding other than about the CCM's workload, and where the releases of the run come from."""
    arguments = ("--format=json", "--ignore=objects", "--diff-base=main", *arguments)
    document = json.loads(run(folder, "lint", *arguments).out)
    assert document["failures"] == []
    return {one["path"]: document["summary"]["release_source"] for one in document["findings"]}


def test_nothing_changed(repository: Path) -> None:
    assert judged(repository) == {}


@pytest.mark.parametrize("committed", [True, False])
def test_an_image_alone_changes(repository: Path, committed: bool) -> None:
    put(repository, {"c18/ccm.yaml": workload("v1.31.2")})
    if committed:
        commit(repository)
    assert judged(repository) == {"c18/cloud.conf": "from c18/ccm.yaml"}
    assert judged(repository, "c18/cloud.conf") == {"c18/cloud.conf": "from c18/ccm.yaml"}
    assert judged(repository, "c19") == {}
    assert judged(repository, "--release=1.31") == {}


def test_a_change_beside_the_image_concerns_nobody(repository: Path) -> None:
    put(repository, {"c18/ccm.yaml": workload("v1.18.0", label="b")})
    assert judged(repository) == {}


def test_the_image_in_an_unchanged_file_counts(repository: Path) -> None:
    put(repository, {"c17/cloud.conf": FATAL + "use-octavia = true\n"})
    document = json.loads(run(repository, "lint", "--format=json", "--diff-base=main").out)
    assert document["summary"]["releases"] == ["v1.17.0"]


def test_an_image_is_deleted_moved_or_replaced_by_a_chart(repository: Path) -> None:
    (repository / "c30/ccm.yaml").unlink()
    put(repository, {"c30/hr.yaml": chart("2.31.1")})
    (repository / "c31/ccm.yaml").rename(repository / "c31/daemon-set.yaml")
    (repository / "c32/ccm.yaml").unlink()
    assert set(judged(repository)) == {"c30/cloud.conf", "c32/cloud.conf"}


def test_the_version_of_a_chart_further_up(tmp_path: Path) -> None:
    put(tmp_path, {"hr.yaml": chart("2.25.0"), "a/b/cloud.conf": OLD_KEY, "a/plain.yaml": "a: b\n"})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    put(tmp_path, {"hr.yaml": chart("2.31.0")})
    assert judged(tmp_path) == {"a/b/cloud.conf": "from hr.yaml"}
    assert judged(tmp_path, "a") == {"a/b/cloud.conf": "from hr.yaml"}


def test_a_kustomization_that_names_another_base(tmp_path: Path) -> None:
    kustomization = "resources: [../../bases/%s]\n"
    put(
        tmp_path,
        {
            "bases/old/ccm.yaml": workload("v1.25.0"),
            "bases/new/ccm.yaml": workload("v1.31.0"),
            "overlays/a/kustomization.yaml": kustomization % "old",
            "overlays/a/cloud.conf": OLD_KEY,
            "overlays/b/kustomization.yaml": kustomization % "old",
            "overlays/b/cloud.conf": OLD_KEY,
        },
    )
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    put(tmp_path, {"overlays/a/kustomization.yaml": kustomization % "new"})
    assert judged(tmp_path) == {"overlays/a/cloud.conf": "from bases/new/ccm.yaml"}


def test_services_whose_cloud_conf_changes(tmp_path: Path) -> None:
    forwarded = SERVICE.replace("load-balancer-id", "x-forwarded-for") % ("true", 80)
    ovn = RIGHT + "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
    for folder in "ab":
        put(tmp_path, {f"{folder}/cloud.conf": ovn, f"{folder}/web.yaml": forwarded})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    put(tmp_path, {"a/cloud.conf": "# changed\n" + ovn})
    found = set(judged(tmp_path))
    assert "a/web.yaml" in found
    assert not any(path.startswith("b/") for path in found)
    put(tmp_path, {"a/cloud.conf": ovn, "b/web.yaml": "# changed\n" + forwarded})
    assert set(judged(tmp_path)) == {"b/web.yaml"}  # judged by the cloud.conf that did not change


def test_services_that_share_a_load_balancer_with_a_changed_one(tmp_path: Path) -> None:
    same = "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"
    put(tmp_path, {"a.yaml": SERVICE % (same, 80), "b.yaml": SERVICE % (same, 81), "c.yaml": SERVICE % ("other", 80)})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    put(tmp_path, {"b.yaml": SERVICE % (same, 80)})
    assert {"a.yaml", "b.yaml"} <= set(judged(tmp_path))
    assert "c.yaml" not in judged(tmp_path)


KUBELET = "[Service]\nExecStart=/usr/bin/kubelet --cloud-provider={}\n"


@pytest.mark.parametrize(
    ("changes", "source"),
    [
        (
            {"x/kubelet.service": KUBELET.format("openstack")},
            "one of 1.16 to 1.25, because no single version of Kubernetes is found",
        ),
        ({"y/kubelet.service": KUBELET.format("external")}, "assumed: the newest"),
        ({"y/all.yml": "kube_version: v1.17.3\n"}, "from y/all.yml"),
        ({"y/all.yml": "kube_version: v1.31.0\n"}, "assumed: the newest"),
        ({"y/README.md": "kubelet --cloud-provider=external\n", "x/page.md": "kube_version: v1.17.3\n"}, None),
    ],
)
def test_another_reader_of_an_unchanged_file(
    tmp_path: Path, changes: dict[str, str | bytes], source: str | None
) -> None:
    found = RIGHT + "[LoadBalancer]\nsubnet-id = name\n"
    put(tmp_path, {"x/cloud.conf": found, "x/kubelet.service": KUBELET.format("external"), "y/cloud.conf": found})
    put(tmp_path, {"y/kubelet.service": KUBELET.format("openstack")})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "topic")
    assert judged(tmp_path) == {}
    put(tmp_path, changes)
    folder = next(iter(changes)).partition("/")[0]
    assert judged(tmp_path) == ({f"{folder}/cloud.conf": source} if source is not None else {})


@pytest.mark.parametrize(
    ("changes", "source"),
    [
        ({"x/vars.yml": "kube_version: v1.28.0\n"}, "assumed: that of Kubernetes 1.28.0 in x/vars.yml:1"),
        (
            {"x/ccm.yaml": workload("latest").replace(IMAGE, "k8scloudprovider/openstack-cloud-controller-manager")},
            "one of v1.26.0 to v1.26.2, by the image in x/ccm.yaml:9 and Kubernetes 1.27.3",
        ),
        ({"x/vars.yml": "# a comment\nkube_version: v1.27.3\n"}, None),
    ],
)
def test_another_assumption_about_an_unchanged_file(
    tmp_path: Path, changes: dict[str, str], source: str | None
) -> None:
    put(tmp_path, {"x/cloud.conf": OLD_KEY, "x/ccm.yaml": workload("latest"), "x/vars.yml": "kube_version: v1.27.3\n"})
    put(tmp_path, {"y/cloud.conf": OLD_KEY, "y/ccm.yaml": workload("v1.29.0")})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    put(tmp_path, dict(changes))
    found = judged(tmp_path)
    assert found.get("x/cloud.conf", "").startswith(source or "")
    assert ("x/cloud.conf" in found) == (source is not None)
    assert "y/cloud.conf" not in found
