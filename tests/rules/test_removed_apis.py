"""APIs that Kubernetes has no more: an error where its version is known, information where it is not, else nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths
from ccmcheck.base.model import Severity

CONTROLLER = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: csi, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
        - {{name: a, image: 'registry.k8s.io/sig-storage/{sidecar}', args: [--feature-gates=Topology={topology}]}}
        - {{name: cinder-csi-plugin, image: 'registry.k8s.io/provider-os/cinder-csi-plugin:v1.20.0', args: [--cloud-config=/c]}}
"""
NODE = """\
apiVersion: v1
kind: Node
metadata: {{name: a, labels: {{node-role.kubernetes.io/control-plane: ''}}}}
status: {{nodeInfo: {{kubeletVersion: {version}}}}}
"""
DRIVER = "apiVersion: storage.k8s.io/v1beta1\nkind: CSIDriver\nmetadata: {name: cinder.csi.openstack.org}\n"
STORAGE = "apiVersion: storage.k8s.io/v1beta1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: cinder.csi.openstack.org\n"
SNAPSHOTS = "apiVersion: snapshot.storage.k8s.io/%s\nkind: VolumeSnapshotClass\nmetadata: {name: a}\ndriver: cinder.csi.openstack.org\n"
CCM = """\
apiVersion: extensions/v1beta1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      containers:
        - name: openstack-cloud-controller-manager
          image: docker.io/k8scloudprovider/openstack-cloud-controller-manager:v1.15.0
"""
ROLE = "apiVersion: rbac.authorization.k8s.io/v1beta1\nkind: ClusterRole\nmetadata: {name: system:cloud-controller-manager}\nrules: []\n"


def found(folder: Path, **files: str) -> list[tuple[Severity, str]]:
    """What the rule says of a folder with files; underscores in their names are dots."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    result = check_paths([str(folder)], LintOptions(select=("api-removed",)))
    assert result.failures == []
    return [(one.severity, f"{one.label} {one.detail} {one.help}") for one in result.findings]


def of(sidecar: str, topology: str = "false") -> str:
    return CONTROLLER.format(sidecar=sidecar, topology=topology)


@pytest.mark.parametrize(
    ("text", "last", "first_without", "words"),
    [
        (of("csi-attacher:v2.2.0"), "v1.21.3", "v1.22.4", "csi-attacher before 3.0"),
        (of("csi-provisioner:v1.6.1", "true"), "v1.21.3", "v1.30.1", "csi-provisioner before 2.0"),
        (DRIVER, "v1.18.0", "v1.22.0", "in `storage.k8s.io/v1beta1` from 1.22 on"),
        (STORAGE, "v1.21.14", "v1.36.0", "in `storage.k8s.io/v1beta1` from 1.22 on"),
        (CCM, "v1.15.12", "v1.16.0", "no `extensions/v1beta1` from 1.16 on"),
        (CCM.replace("extensions/v1beta1", "apps/v1beta2"), "v1.9.1", "v1.22.0", "no `apps/v1beta2` from 1.16 on"),
        (ROLE, "v1.21.0", "v1.25.0", "in `rbac.authorization.k8s.io/v1beta1` from 1.22 on"),
    ],
)
def test_the_version_of_kubernetes_decides(
    tmp_path: Path, text: str, last: str, first_without: str, words: str
) -> None:
    assert [(one, words in told) for one, told in found(tmp_path, a_yaml=text)] == [(Severity.INFO, True)]
    assert found(tmp_path, n_yaml=NODE.format(version=last)) == []
    told = found(tmp_path, n_yaml=NODE.format(version=first_without))
    assert [(one, words in told) for one, told in told] == [(Severity.ERROR, True)]


@pytest.mark.parametrize(
    "text",
    [
        of("csi-attacher:v3.1.0"),
        of("csi-provisioner:v1.6.1"),
        of("csi-provisioner:v2.0.5", "true"),
        of("csi-attacher:v2.2.0").replace("cinder-csi-plugin", "other-plugin"),
        of("csi-attacher:{{ .Values.tag }}"),
        DRIVER.replace("cinder", "other"),
        DRIVER.replace("v1beta1", "{{ .Values.api }}"),
        STORAGE.replace("cinder", "other"),
        CCM.replace("extensions/v1beta1", "apps/v1"),
        CCM.replace("openstack-cloud-controller-manager", "fluentd"),
        ROLE.replace("cloud-controller-manager", "other"),
        ROLE.replace("v1beta1", "v1"),
    ],
)
def test_what_fits_is_silent(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, a_yaml=text, n_yaml=NODE.format(version="v1.34.1")) == []


def test_sidecars_may_be_too_new(tmp_path: Path) -> None:
    assert found(tmp_path, a_yaml=of("csi-attacher:v3.1.0")) == []
    assert found(tmp_path, n_yaml=NODE.format(version="v1.17.0")) == []
    told = found(tmp_path, n_yaml=NODE.format(version="v1.16.3"))
    assert [(one, "here it is `v1.16.3`" in text) for one, text in told] == [(Severity.ERROR, True)]


@pytest.mark.parametrize(
    ("api", "sidecar", "words"),
    [
        ("v1beta1", "csi-resizer:v1.0.0", "6.0 and newer do not serve"),
        ("v1beta1", "csi-snapshotter:v6.0.0", "6.0 and newer do not serve"),
        ("v1beta1", "csi-snapshotter:v2.1.3", ""),
        ("v1", "csi-snapshotter:v2.1.3", "serve v1beta1 alone"),
        ("v1", "csi-snapshotter:v4.0.0", ""),
        ("v1", "csi-resizer:v1.0.0", ""),
    ],
)
def test_snapshot_classes_and_what_serves_them(tmp_path: Path, api: str, sidecar: str, words: str) -> None:
    told = found(tmp_path, s_yaml=SNAPSHOTS % api, a_yaml=of(sidecar))
    assert [(one, words in text) for one, text in told] == [(Severity.INFO, True)] * bool(words)


def test_no_secret_is_shown(tmp_path: Path) -> None:
    secret = "hunter2-canary"
    text = of("csi-attacher:v2.2.0").replace("--cloud-config=/c", f"--cloud-config=/c, --password={secret}")
    assert all(secret not in told for _, told in found(tmp_path, a_yaml=text, d_yaml=DRIVER + f"x: {secret}\n"))
