"""Commands in a repository of several clusters: each deployment by itself, equal ones once, some by their names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from textwrap import indent

import pytest
from command_line import FATAL, NOTED, RIGHT, run

WEB = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  ports: [{port: 80, nodePort: 30080}]
"""
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.%s.0
        args: [--cluster-name=%s]
"""


@pytest.fixture
def clusters(tmp_path: Path) -> Path:
    """Three clusters: two alike, and one without monitors, with an older CCM."""
    for name, conf in (("a", RIGHT), ("b", RIGHT), ("c", NOTED)):
        folder = tmp_path / "clusters" / name
        folder.mkdir(parents=True)
        (folder / "cloud.conf").write_text(conf)
        (folder / "web.yaml").write_text(WEB)
    for name, release, cluster in (("a", 36, "kubernetes"), ("b", 36, "kubernetes"), ("c", 30, "gamma")):
        (tmp_path / "clusters" / name / "ccm.yaml").write_text(CCM % (release, cluster))
    return tmp_path


def predicted(folder: Path, *arguments: str) -> list[dict[str, object]]:
    done = run(folder, "predict", *arguments, "--format", "json", "--fail-on", "error")
    assert done.code in (0, 1), done.err
    data = json.loads(done.out)
    assert data["version"] == 2
    found: list[dict[str, object]] = data["services"]
    return found


def test_every_deployment_is_predicted_and_equal_ones_once(clusters: Path) -> None:
    assert [(one["deployments"], one["release"], one["name"]) for one in predicted(clusters, ".")] == [
        (["clusters/a/cloud.conf", "clusters/b/cloud.conf"], "v1.36.0", "kube_service_kubernetes_shop_web"),
        (["clusters/c/cloud.conf"], "v1.30.0", "kube_service_gamma_shop_web"),
    ]


def test_the_text_names_each(clusters: Path) -> None:
    out = run(clusters, "predict", ".").out
    assert out.startswith("CCM v1.36.0 (from clusters/a/ccm.yaml), clusters/a/cloud.conf\n")
    assert "The same for 1 more: clusters/b/cloud.conf\n" in out
    assert "\nCCM v1.30.0 (from clusters/c/ccm.yaml), clusters/c/cloud.conf\n" in out


@pytest.mark.parametrize("name", ["clusters/c/cloud.conf", "clusters/c", "clusters/c/", "*c/cloud.conf"])
@pytest.mark.parametrize("command", ["predict", "upgrade"])
def test_a_name_selects(clusters: Path, command: str, name: str) -> None:
    done = run(clusters, command, ".", "--deployment", name)
    assert "clusters/c/cloud.conf" in done.out
    assert "clusters/a" not in done.out


@pytest.mark.parametrize("command", [("predict", "."), ("upgrade", "."), ("review", "clusters", "clusters")])
def test_a_name_of_none_says_which_there_are(clusters: Path, command: tuple[str, ...]) -> None:
    done = run(clusters, *command, "--deployment", "staging")
    assert done.code == 2
    assert "There is no deployment `staging`." in done.err
    assert "a/cloud.conf" in done.err


FATAL_IN_BOTH = FATAL.replace("monitor-delay = 3", "monitor-delay = 3\nmonitor-timeout = 2")


@pytest.mark.parametrize("name", ["clusters/c/cloud.conf", "clusters/c", "*c/cloud.conf"])
def test_lint_and_fix_are_about_the_selected_one(clusters: Path, name: str) -> None:
    for one in "abc":
        (clusters / "clusters" / one / "cloud.conf").write_text(FATAL_IN_BOTH)
        (clusters / "clusters" / one / "web.yaml").write_text(WEB.replace("Local", "Lokal"))
    everything = json.loads(run(clusters, "lint", "--format", "json").out)["findings"]
    found = json.loads(run(clusters, "lint", "--format", "json", "--deployment", name).out)["findings"]
    assert found == [one for one in everything if one["path"].startswith("clusters/c/")] != everything
    assert {one["path"] for one in found} == {"clusters/c/cloud.conf", "clusters/c/ccm.yaml", "clusters/c/web.yaml"}
    done = run(clusters, "fix", "--write", "--deployment", name)
    assert done.code == 0, done.err
    changed = [one for one in "abc" if (clusters / "clusters" / one / "cloud.conf").read_text() != FATAL_IN_BOTH]
    assert changed == ["c"]


@pytest.mark.parametrize("command", ["lint", "fix"])
def test_lint_and_fix_say_which_deployments_there_are(clusters: Path, command: str) -> None:
    done = run(clusters, command, "--deployment", "staging")
    assert (done.code, done.out) == (2, "")
    assert "There is no deployment `staging`." in done.err
    assert "clusters/a/cloud.conf" in done.err


def test_lint_selects_one_of_two_texts_in_a_file(tmp_path: Path) -> None:
    secrets = [SECRET.replace("cloud-config", f"cloud-config-{name}") + indent(FATAL, "    ") for name in "ab"]
    (tmp_path / "all.yaml").write_text("---\n".join(secrets))
    command = (
        "lint",
        "all.yaml",
        "--format",
        "json",
        "--deployment",
        "kube-system/cloud-config-b",
        "--select",
        "duration-bad",
    )
    found = json.loads(run(tmp_path, *command).out)["findings"]
    assert [one["line"] for one in found] == [33]
    piped = json.loads(run(tmp_path, "lint", "-", *command[2:], stdin="---\n".join(secrets).encode()).out)["findings"]
    assert [one["line"] for one in piped] == [33]


def test_options_hold_for_every_deployment(clusters: Path) -> None:
    found = predicted(clusters, ".", "--release", "1.31", "--cluster-name", "mine", "--nodes", "3")
    assert {(one["release"], one["name"], one["nodes"]) for one in found} == {("1.31", "kube_service_mine_shop_web", 3)}


def test_a_name_of_another_cluster_is_none_of_its_own(clusters: Path) -> None:
    (clusters / "clusters" / "a" / "ccm.yaml").unlink()
    first = next(one for one in predicted(clusters, ".") if "clusters/a/cloud.conf" in one["deployments"])  # type: ignore[operator]
    assert first["name"] == "kube_service_kubernetes_shop_web"


def test_a_verdict_that_depends_on_an_open_release_is_unknown(clusters: Path) -> None:
    image = CCM.replace("registry.k8s.io/provider-os", "docker.io/k8scloudprovider") % (30, "gamma")
    (clusters / "clusters" / "c" / "ccm.yaml").write_text(image.replace("v1.30.0", "latest"))
    out = run(clusters, "predict", ".", "--deployment", "clusters/c").out
    assert "depends on the CCM's release, which is not known: Octavia takes the requests at v1." in out
    assert "(one of v1." in out


def test_a_service_between_clusters_is_one_of_each(clusters: Path) -> None:
    (clusters / "apps").mkdir()
    (clusters / "apps" / "db.yaml").write_text(WEB.replace("web", "db"))
    found = [one for one in predicted(clusters, ".") if one["service"] == "shop/db"]
    assert {name for one in found for name in one["deployments"]} == {  # type: ignore[attr-defined]
        f"clusters/{name}/cloud.conf" for name in "abc"
    }


def test_a_deployment_without_services_is_said(clusters: Path) -> None:
    (clusters / "clusters" / "c" / "web.yaml").unlink()
    out = run(clusters, "predict", ".").out
    assert "clusters/c/cloud.conf: no Service of type LoadBalancer is near it" in out


def test_a_cloud_conf_that_the_csi_driver_reads_is_none(clusters: Path) -> None:
    (clusters / "clusters" / "c" / "csi.conf").write_text(
        RIGHT.split("[LoadBalancer]")[0] + "[BlockStorage]\nbs-version = v3\n"
    )
    assert {name for one in predicted(clusters, "clusters/c") for name in one["deployments"]} == {  # type: ignore[attr-defined]
        "clusters/c/cloud.conf"
    }


SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config, namespace: kube-system}\nstringData:\n  cloud.conf: |\n"


@pytest.fixture
def overlays(tmp_path: Path) -> Path:
    """One base with thirty overlays, of which one is another."""
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "kustomization.yaml").write_text("resources: [web.yaml, secret.yaml]\n")
    (tmp_path / "base" / "web.yaml").write_text(WEB)
    (tmp_path / "base" / "secret.yaml").write_text(SECRET + indent(NOTED, "    "))
    for number in range(30):
        folder = tmp_path / "overlays" / f"c{number:02}"
        folder.mkdir(parents=True)
        (folder / "kustomization.yaml").write_text("resources: [../../base]\n")
    change = "[{op: replace, path: /spec/externalTrafficPolicy, value: Cluster}]"
    with (tmp_path / "overlays" / "c07" / "kustomization.yaml").open("a") as file:
        file.write(f'patches: [{{target: {{kind: Service}}, patch: "{change}"}}]\n')
    return tmp_path


def test_thirty_overlays_are_printed_as_often_as_they_differ(overlays: Path) -> None:
    assert [len(one["deployments"]) for one in predicted(overlays, ".")] == [29, 1]  # type: ignore[arg-type]
    out = run(overlays, "predict", ".").out
    assert "The same for 28 more: overlays/c01/kustomization.yaml, overlays/c02/kustomization.yaml, " in out
    (one,) = predicted(overlays, ".", "--deployment", "overlays/c07")
    assert one["policy"] == "Cluster"


@pytest.mark.usefixtures("overlays")
def test_review_names_the_overlays_and_says_the_same_once(tmp_path: Path) -> None:
    before = tmp_path / "before"
    before.mkdir()
    for name in ("base", "overlays"):
        (tmp_path / name).rename(before / name)
    shutil.copytree(before, tmp_path / "after")
    file = tmp_path / "after" / "base" / "secret.yaml"
    file.write_text(SECRET + indent(RIGHT, "    "))
    out = run(tmp_path, "review", "before", "after").out
    assert "of 30 Services 29 start working" in out
    assert "Configuration overlays/c00/kustomization.yaml › Secret" in out
    assert " and 29 more " in out
    assert out.count("create-monitor: false → true") == 1
