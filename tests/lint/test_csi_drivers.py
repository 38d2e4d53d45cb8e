"""The Cinder CSI driver's own files: judged by its image, and compared with when its containers were started."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths
from ccmcheck.base.model import Severity

CANARY = "c4n4ry-5ecret"
WORKLOAD = """\
apiVersion: apps/v1
kind: {kind}
metadata: {{name: csi, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
        - name: cinder-csi-plugin
          image: registry.k8s.io/provider-os/cinder-csi-plugin:{release}
          args: [--cloud-config=$(CLOUD_CONFIG)]
          env: [{{name: CLOUD_CONFIG, value: /etc/config/config}}]
          volumeMounts: [{{name: c, mountPath: /etc/config}}]
      volumes: [{{name: c, secret: {{secretName: {secret}}}}}]
"""
SECRET = f"""\
apiVersion: v1
kind: Secret
metadata:
  name: cloud-config-csi
  namespace: kube-system
  managedFields:
  - {{manager: kubectl-create, time: "2025-02-10T07:58:40Z", fieldsV1: {{"f:data": {{}}}}}}
  - {{manager: rotator, time: "2025-03-07T10:21:05Z", fieldsV1: {{"f:CHANGED": {{}}}}}}
stringData:
  config: |
    [Global]
    auth-url = https://keystone.example.com:5000/v3
    application-credential-id = 9d3e5f7a1b2c4d6e8f0a1b2c3d4e5f60
    application-credential-secret = {CANARY}
    region = R
    [BlockStorage]
    ignore-volume-az = true
"""
STATUS = """\
status:
  containerStatuses:
  - name: cinder-csi-plugin
    image: registry.k8s.io/provider-os/cinder-csi-plugin:v1.31.2
    state: {{running: {{startedAt: "{started}"}}}}
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: csi-1, namespace: kube-system}\n"
SPEC = """\
spec:
  containers:
  - name: cinder-csi-plugin
    image: registry.k8s.io/provider-os/cinder-csi-plugin:v1.31.2
    volumeMounts: [{name: c, mountPath: /etc/config}]
  volumes: [{name: c, secret: {secretName: cloud-config-csi}}]
"""
OLD, NEW = "2025-02-10T08:00:31Z", "2025-03-07T10:30:00Z"


def workload(release: str, kind: str = "Deployment", name: str = "cloud-config-csi") -> str:
    return WORKLOAD.format(release=release, kind=kind, secret=name)


def written(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize(
    ("files", "release"),
    [
        ({"csi.yaml": workload("v1.23.0")}, "v1.23.0"),
        ({"csi.yaml": workload("v1.23.0"), "node.yaml": workload("v1.23.0", "DaemonSet")}, "v1.23.0"),
        ({"csi.yaml": workload("v1.23.0"), "node.yaml": workload("v1.24.0", "DaemonSet")}, "1.36"),
        ({"csi.yaml": workload("v1.23.0", name="another")}, "1.36"),
        ({"csi.yaml": workload("latest")}, "1.36"),
    ],
)
def test_its_image_says_the_release(files: dict[str, str], release: str, tmp_path: Path) -> None:
    result = check_paths([written(tmp_path, {"live/secret.yaml": SECRET, **files})], LintOptions())
    assert result.summary.releases == (f"cinder-csi-plugin {release}",)
    named = check_paths([str(tmp_path)], LintOptions(releases=("1.30",)))
    assert named.summary.releases == ("cinder-csi-plugin 1.30",)


@pytest.mark.parametrize(
    ("pod", "owner", "is_told"),
    [
        (POD + SPEC + STATUS.format(started=OLD), "data", True),
        (POD + SPEC + STATUS.format(started=OLD), "metadata", False),
        (POD + SPEC + STATUS.format(started=NEW), "data", False),
        (POD + SPEC + STATUS.format(started=f"{CANARY}Z"), "data", False),
        (POD + SPEC, "data", False),
        (POD + STATUS.format(started=OLD), "data", True),
        (POD.replace("kube-system", "other") + STATUS.format(started=OLD), "data", False),
        (POD + STATUS.format(started=NEW), "data", False),
    ],
)
def test_an_older_container_may_use_an_older_text(pod: str, owner: str, is_told: bool, tmp_path: Path) -> None:
    secret = SECRET.replace("f:CHANGED", f"f:{owner}")
    files = {"csi.yaml": workload("v1.31.2"), "live/pod.yaml": pod, "live/secret.yaml": secret}
    findings = check_paths([written(tmp_path, files)], LintOptions(select=("ccm-restart-needed",))).findings
    said = f"changed at 2025-03-07T10:21:05Z, and Pod kube-system/csi-1 was started at {OLD}"
    assert [(one.severity, said in one.label) for one in findings] == [(Severity.INFO, True)] * is_told
    assert CANARY not in repr(findings)


@pytest.mark.parametrize(
    ("files", "at"),
    [
        ({"csi.yaml": workload("v1.23.0")}, ["csi.yaml"]),
        ({"a.yaml": workload("v1.23.0"), "b.yaml": workload("v1.23.0", "DaemonSet")}, ["b.yaml"]),
        ({"a.yaml": workload("v1.34.0")}, []),
        ({"a.yaml": POD + STATUS.format(started=OLD), "b.yaml": workload("v1.23.0")}, ["b.yaml"]),
    ],
)
def test_its_bugs_are_told_once(files: dict[str, str], at: list[str], tmp_path: Path) -> None:
    findings = check_paths([written(tmp_path, files)], LintOptions(select=("csi-release-bug",))).findings
    assert [Path(one.place.path).name for one in findings] == at
    assert all("does not read `force-create`" in f"{one.label} {one.detail}" for one in findings)


def test_a_workload_whose_namespace_is_given_when_it_is_applied(tmp_path: Path) -> None:
    files = {"live/secret.yaml": SECRET, "csi.yaml": workload("v1.23.0").replace(", namespace: kube-system", "")}
    result = check_paths([written(tmp_path, files)], LintOptions())
    assert result.summary.releases == ("cinder-csi-plugin v1.23.0",)


HEADLESS = """\
apiVersion: v1
kind: Service
metadata: {name: csi, namespace: kube-system}
spec: {selector: {app: csi}, ports: [{name: dummy, port: 12345}]}
"""


@pytest.mark.parametrize(
    ("service", "names_the_ccm"),
    [
        (HEADLESS, False),
        (HEADLESS.replace("spec: {", "spec: {type: NodePort, "), False),
        (HEADLESS.replace("spec: {", "spec: {type: LoadBalancer, "), True),
        (HEADLESS.replace("spec: {", 'spec: {type: "{{ .Values.type }}", '), True),
    ],
)
def test_a_service_of_another_type_is_nothing_that_a_ccm_is_assumed_for(
    tmp_path: Path, service: str, names_the_ccm: bool
) -> None:
    (tmp_path / "secret.yaml").write_text(SECRET, encoding="utf-8")
    workload = WORKLOAD.format(kind="StatefulSet", release="v1.31.2", secret="cloud-config-csi")
    (tmp_path / "csi.yaml").write_text(f"{service}---\n{workload}", encoding="utf-8")
    releases = check_paths([str(tmp_path)]).summary.releases
    assert "cinder-csi-plugin v1.31.2" in releases
    assert (len(releases) == 2) is names_the_ccm
