"""The Cinder CSI driver's own chart: its workload reads the cloud.conf that its values name, as the driver does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: csi, namespace: kube-system}}
spec:
  chart: {{spec: {{chart: openstack-cinder-csi, version: {version}}}}}
  values:
    {values}
"""
SECRET = """\
apiVersion: v1
kind: Secret
metadata: {{name: {name}, namespace: kube-system}}
stringData:
  {key}: |
    [Global]
    auth-url = https://keystone.example.com/v3
    application-credential-id = 0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f
    application-credential-secret = made-up
    {line}
    [BlockStorage]
    node-volume-attach-limit = {limit}
"""
MOUNTED = "secret: {enabled: true, name: shared}"


def lint(
    folder: Path,
    values: str = MOUNTED,
    version: str = "2.31.5",
    key: str = "cloud.conf",
    limit: str = "25",
    line: str = "",
) -> list[tuple[str, int, str]]:
    """The path, the line and the rule of each finding."""
    put(folder, {"csi.yaml": RELEASE.format(version=version, values=values)})
    put(folder, {"secret.yaml": SECRET.format(name="shared", key=key, limit=limit, line=line)})
    findings = json.loads(run(folder, "lint", "--format=json", ".").out)["findings"]
    return [(one["path"], one["line"], one["rule"]) for one in findings if one["rule"] != "csi-release-bug"]


def test_it_reads_the_secret_that_it_mounts(tmp_path: Path) -> None:
    assert lint(tmp_path) == []
    assert lint(tmp_path, limit="many") == [("secret.yaml", 12, "uint-bad")]
    assert "read by cinder-csi-plugin" in run(tmp_path, "list", ".").out


@pytest.mark.parametrize("values", ["secret: {enabled: true, name: another}", "secret: {enabled: false}", "{}"])
def test_it_does_not_read_what_it_does_not_mount(tmp_path: Path, values: str) -> None:
    assert lint(tmp_path, values, limit="many") == []


def test_the_key_is_the_file_of_the_values(tmp_path: Path) -> None:
    assert lint(tmp_path, key="other.conf") == [("secret.yaml", 5, "secret-key-name")]
    assert lint(tmp_path, "secret: {enabled: true, name: shared, filename: other.conf}", key="other.conf") == []


@pytest.mark.parametrize("version", ["2.29.0", "2.32.0", "2.33.0", "2.36.0"])
def test_a_certificate_that_no_volume_has(tmp_path: Path, version: str) -> None:
    assert lint(tmp_path, version=version, line="ca-file = /etc/cacert/ca.pem") == []
    found = lint(tmp_path, version=version, line="ca-file = /etc/openstack/ca.pem")
    assert found == [("secret.yaml", 10, "ca-file-unmounted")]


def test_its_own_secret(tmp_path: Path) -> None:
    data = "[Global]\n          use-clouds = true\n          [LoadBalancer]\n          monitor-delay = 5\n"
    values = f"secret:\n      enabled: true\n      create: true\n      name: own\n      data:\n        cloud.conf: |\n          {data}"
    put(tmp_path, {"csi.yaml": RELEASE.format(version="2.31.5", values=values)})
    out = run(tmp_path, "lint", ".").out
    assert "duration-bad" not in out  # the driver has no such section
    assert "cinder-csi-plugin" in out


PLUGIN = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: csi-cinder-nodeplugin, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: cinder-csi-plugin
        image: registry.k8s.io/provider-os/cinder-csi-plugin:v1.28.2
        args: [/bin/cinder-csi-plugin, --cloud-config=/etc/config/cloud.conf]
        volumeMounts:
        - {name: secret, mountPath: /etc/config}
      volumes:
      - {name: secret, secret: {secretName: cloud-config}}
"""
LOGIN = """\
apiVersion: v1
kind: Secret
metadata: {name: cloud-config, namespace: kube-system}
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone.example.com/v3
    username = kube
    password = Canary9secret
    tenant-id = 3b0c1d7f5a2e4c8e9d10b7a6c5e4f321
    domain-name = Default
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
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.30.0
"""


def test_where_it_runs_alone_its_secret_is_judged_as_its_own(tmp_path: Path) -> None:
    put(tmp_path, {"plugin.yaml": PLUGIN, "secret.yaml": LOGIN})
    out = run(tmp_path, "lint", ".").out
    assert "judged as cinder-csi-plugin v1.28.2 (from plugin.yaml)" in out
    assert "the Cinder CSI driver logs in with a user's password" in out
    assert "CCM" not in out
    assert "Canary9secret" not in out
    assert "read by cinder-csi-plugin" in run(tmp_path, "list", ".").out


@pytest.mark.parametrize(
    "others",
    [{"ccm/ccm.yaml": CCM}, {"secret.yaml": f"{LOGIN}    [LoadBalancer]\n    subnet-id = a\n"}],
    ids=["a CCM of another folder", "a section of the CCM's"],
)
def test_what_a_ccm_may_read_stays_the_ccms(tmp_path: Path, others: dict[str, str]) -> None:
    put(tmp_path, {"plugin.yaml": PLUGIN, "secret.yaml": LOGIN, **others})
    out = run(tmp_path, "lint", ".").out
    assert "the CCM logs in with a user's password" in out
    assert "read by ccm" in run(tmp_path, "list", ".").out


@pytest.mark.parametrize(
    ("version", "values", "release"),
    [
        pytest.param("2.31.2", MOUNTED, "v1.31.0", id="a published version"),
        pytest.param("2.31.x", MOUNTED, "1.31", id="a range of one minor"),
        pytest.param("'2.*'", MOUNTED, "1.36", id="any"),
        pytest.param("'2.*'", f"{MOUNTED}\n    csi: {{plugin: {{image: {{tag: v1.27.1}}}}}}", "v1.27.1", id="a tag"),
    ],
)
def test_the_chart_and_its_tag_say_the_release(tmp_path: Path, version: str, values: str, release: str) -> None:
    lint(tmp_path, values, version)
    out = " ".join(run(tmp_path, "lint", ".").err.split()) + " ".join(run(tmp_path, "lint", ".").out.split())
    assert f"judged as cinder-csi-plugin {release} (" in out
    assert ("assumed" in out) is (release == "1.36")


def test_a_chart_without_topology(tmp_path: Path) -> None:
    storage = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: cinder.csi.openstack.org\n"
    put(tmp_path, {"class.yaml": storage})
    line = "\n    [BlockStorage]\n    ignore-volume-az = true"
    flag = f"{MOUNTED}\n    csi: {{plugin: {{controllerPlugin: {{extraArgs: '- --with-topology=false'}}}}}}"
    assert ("class.yaml", 3, "cinder-storage") in lint(tmp_path, line=line)
    assert ("class.yaml", 3, "cinder-storage") not in lint(tmp_path, flag, "2.34.3", line=line)


def test_a_chart_brings_classes(tmp_path: Path) -> None:
    spec = "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"
    put(tmp_path, {"claim.yaml": f"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: a}}\n{spec}"})
    assert lint(tmp_path) == []


def test_the_chart_that_makes_the_secret_itself_says_the_release(tmp_path: Path) -> None:
    conf = "'[Global]\\nauth-url = https://keystone.example.com/v3\\nusername = a\\npassword = made-up\\n[BlockStorage]\\n'"
    values = f"secret: {{enabled: true, create: true, name: own, data: {{cloud.conf: {conf}}}}}".replace("'", '"')
    put(tmp_path, {"csi.yaml": RELEASE.format(version="2.31.2", values=values)})
    assert "judged as cinder-csi-plugin v1.31.0 (from csi.yaml)" in " ".join(run(tmp_path, "lint", ".").out.split())
