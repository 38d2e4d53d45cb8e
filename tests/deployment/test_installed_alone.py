"""A CCM whose cloud.conf is not among the files is a deployment of its own, whatever installs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccmcheck.cli.main import run as run_command

CONF = "[Global]\nauth-url = https://k/v3\napplication-credential-id = a\napplication-credential-secret = b\n"
WEB = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80, nodePort: 30080}]}
"""
WORKLOAD = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ccm, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        args: [--cluster-name=mine]
        volumeMounts: [{name: c, mountPath: /etc/config}]
      volumes: [{name: c, secret: {secretName: cloud-config}}]
"""
RELEASED = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: occm, namespace: kube-system}
spec:
  chart: {spec: {chart: openstack-cloud-controller-manager, version: 2.31.1}}
  values: {secret: {create: false}}
"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: occm, namespace: argocd}
spec:
  source: {repoURL: https://kubernetes.github.io/cloud-provider-openstack, chart: openstack-cloud-controller-manager, targetRevision: 2.31.1, helm: {valuesObject: {secret: {create: false}}}}
"""
SCRIPT = "helm upgrade -i occm cpo/openstack-cloud-controller-manager --version 2.31.1\n"
APPLIED = (
    "kubectl apply -f https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack/v1.31.1/manifests/"
    "controller-manager/openstack-cloud-controller-manager-ds.yaml\n"
)
TERRAFORM = (
    'resource "helm_release" "occm" {\n  chart = "openstack-cloud-controller-manager"\n  version = "2.31.1"\n}\n'
)
INSTALLED = {
    "ccm.yaml": (WORKLOAD, "DaemonSet kube-system/ccm"),
    "release.yaml": (RELEASED, "HelmRelease kube-system/occm"),
    "application.yaml": (APPLICATION, "Application argocd/occm"),
    "install.sh": (SCRIPT, ""),
    "apply.sh": (APPLIED, ""),
    "ccm.tf": (TERRAFORM, ""),
}


def put(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def said(capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str]:
    code = run_command([*command, "--no-config"])
    return code, capsys.readouterr().out


@pytest.fixture(params=INSTALLED)
def clusters(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two clusters, the second without a cloud.conf; the name of its deployment."""
    text, subject = INSTALLED[request.param]
    put(tmp_path, {"a/cloud.conf": CONF, "a/ccm.yaml": WORKLOAD, "a/web.yaml": WEB})
    put(tmp_path, {f"b/{request.param}": text, "b/web.yaml": WEB})
    monkeypatch.chdir(tmp_path)
    return f"b/{request.param} › {subject}" if subject else f"b/{request.param}"


def test_list_shows_it_with_its_release_and_services(clusters: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = said(capsys, "list", "--format", "json")
    data = json.loads(out)
    (found,) = data["installations"]
    assert code == 0
    assert (found["deployment"], [one["path"] for one in found["services"]]) == (clusters, ["b/web.yaml"])
    assert found["releases"][0].startswith("v1.31.")
    assert found["facts"]["cloud_conf"]["state"] == "unknown"
    assert [one["path"] for one in data["cloud_confs"][0]["services"]] == ["a/web.yaml"]
    text = said(capsys, "list", "-v", "--deployment", "b")[1]
    assert "cloud.conf unknown: " in text
    assert "a/cloud.conf" not in text


def test_predict_names_the_assumption(clusters: str, capsys: pytest.CaptureFixture[str]) -> None:
    reports = json.loads(said(capsys, "predict", ".", "--format", "json")[1])["services"]
    assert [one["deployments"] for one in reports] == [["a/cloud.conf"], [clusters]]
    text = said(capsys, "predict", ".", "--deployment", "b")[1]
    assert f"the cloud.conf of {clusters} is not among the files: the release's defaults stand in" in text


def test_lint_does_not_judge_its_services_by_another_cloud_conf(
    clusters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    findings = json.loads(said(capsys, "lint", "--format", "json", "--select", "svc-local-no-monitor")[1])["findings"]
    assert clusters
    assert [one["path"] for one in findings] == ["a/web.yaml"]


def test_review_pairs_it_and_says_what_another_release_changes(
    clusters: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / clusters.partition(" › ")[0]
    (tmp_path / "base").mkdir()
    for name in ("a", "b"):
        put(tmp_path / "base", {f"{name}/{one.name}": one.read_text() for one in (tmp_path / name).iterdir()})
    path.write_text(path.read_text().replace("2.31.1", "2.27.1").replace("v1.31.", "v1.27."))
    put(
        tmp_path / "head",
        {f"{name}/{one.name}": one.read_text() for name in ("a", "b") for one in (tmp_path / name).iterdir()},
    )
    data = json.loads(said(capsys, "review", "base", "head", "--format", "json")[1])
    changed = [one for one in data["configs"] if one["release_before"] != one["release_after"]]
    assert [(one["title"], one["change"]) for one in changed] == [(clusters, "same")]


def test_one_that_mounts_a_secret_says_which_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, {"ccm.yaml": WORKLOAD, "web.yaml": WEB})
    monkeypatch.chdir(tmp_path)
    assert "cloud.conf unknown: Secret kube-system/cloud-config is not among the files" in said(capsys, "list")[1]


def test_a_page_that_shows_a_command_installs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, {"README.md": f"```sh\n{SCRIPT}```\n", "web.yaml": WEB})
    monkeypatch.chdir(tmp_path)
    assert json.loads(said(capsys, "list", "--format", "json")[1])["installations"] == []


def test_many_releases_in_one_file_are_listed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of more than sixteen nobody can tell which is meant, which is no reason to say that they are missing."""
    release = (
        "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: a{0}, namespace: n}}\nspec:\n"
        "  chart: {{spec: {{chart: openstack-cloud-controller-manager, version: 2.28.1}}}}\n"
        "  values: {{cloudConfig: {{global: {{auth-url: https://k{0}/v3}}}}}}\n"
    )
    (tmp_path / "x.yaml").write_text("".join(release.format(number) for number in range(20)), encoding="utf-8")
    assert run_command(["list", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert said.count("  HelmRelease n/a") == 20
    assert "not among the files" not in said


MINE = "{cluster: {name: mine}, secret:"


@pytest.mark.parametrize("text", [RELEASED.replace("{secret:", MINE), APPLICATION.replace("{secret:", MINE)])
def test_the_values_of_the_chart_name_its_cluster(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, {"x.yaml": text, "web.yaml": WEB})
    monkeypatch.chdir(tmp_path)
    (install,) = json.loads(said(capsys, "list", "--format", "json")[1])["installations"]
    assert install["facts"]["cluster_name"]["values"] == ["mine"]
    assert "cloud-config is not among the files" in install["facts"]["cloud_conf"]["why"]
    assert "kube_service_mine_shop_web" in said(capsys, "predict", "-vv")[1]


def test_a_command_with_a_cloud_conf_in_its_values_is_no_second_deployment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    values = "  values = [<<-EOT\n    cloudConfig:\n      global: {auth-url: https://k/v3}\n    EOT\n  ]\n}\n"
    put(tmp_path, {"main.tf": TERRAFORM.removesuffix("}\n") + values})
    monkeypatch.chdir(tmp_path)
    listed = json.loads(said(capsys, "list", "--format", "json")[1])
    assert len(listed["cloud_confs"]) == 1
    assert listed["installations"] == []
