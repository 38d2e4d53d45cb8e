"""cloud.conf and clouds.yaml in one Secret: by what the workload has at the path of clouds-file."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

SECRET = """apiVersion: v1
kind: Secret
metadata: {{name: cloud-config, namespace: kube-system}}
stringData:
  cloud.conf: |
    [Global]
    use-clouds = true
    clouds-file = {path}
    cloud = open
  clouds.yaml: |
    clouds:
      prod:
        auth: {{auth_url: https://k/v3}}
  ccm-clouds.yaml: |
    clouds:
      open:
        auth: {{auth_url: https://k/v3}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: openstack-cloud-controller-manager, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
          args: [--cloud-config=/etc/config/cloud.conf, --cloud-provider=openstack]
          volumeMounts: [{{name: config, mountPath: /etc/config}}{mounts}]
      volumes: [{{name: config, secret: {{secretName: cloud-config{items}}}}}{volumes}]
"""
ITEMS = ", items: [{key: cloud.conf, path: cloud.conf}, {key: ccm-clouds.yaml, path: %s}]"


def said(folder: Path, path: str, mounts: str = "", items: str = "", volumes: str = "") -> list[str]:
    """The severity of each finding about clouds.yaml."""
    (folder / "ccm.yaml").write_text(SECRET.format(path=path, mounts=mounts, items=items, volumes=volumes))
    lines = run(folder, "lint", "--format", "concise", "--select", "use-clouds-incomplete", ".").out.splitlines()
    return [line.split()[1] for line in lines if "use-clouds-incomplete" in line]


def test_the_file_that_is_mounted_is_judged(tmp_path: Path) -> None:
    assert said(tmp_path, "/etc/config/clouds.yaml") == ["error"]


@pytest.mark.parametrize("shown", ["clouds.yaml", "c.yaml"])
def test_another_key_may_be_shown_by_that_name(tmp_path: Path, shown: str) -> None:
    assert said(tmp_path, f"/etc/config/{shown}", items=ITEMS % shown) == []


@pytest.mark.parametrize(
    ("mount", "volume"),
    [
        ("{name: o, mountPath: /etc/openstack}", "{name: o, secret: {secretName: other}}"),
        ("{name: o, mountPath: /etc/openstack}", "{name: o, configMap: {name: cloud-config}}"),
        ("{name: o, mountPath: /etc/openstack}", "{name: o, hostPath: {path: /etc/openstack}}"),
        (
            "{name: config, mountPath: /etc/openstack/clouds.yaml, subPath: ccm-clouds.yaml}",
            "{name: o, emptyDir: {}}",
        ),
    ],
)
def test_a_file_of_another_object_is_not_known(tmp_path: Path, mount: str, volume: str) -> None:
    assert said(tmp_path, "/etc/openstack/clouds.yaml", f", {mount}", volumes=f", {volume}") == []


def test_what_is_mounted_nowhere_is_one_finding(tmp_path: Path) -> None:
    assert said(tmp_path, "/etc/openstack/clouds.yaml") == ["error"]


def test_a_template_may_mount_it_anywhere(tmp_path: Path) -> None:
    mount = ', {name: config, mountPath: "{{ .Values.at }}"}'
    assert "error" not in said(tmp_path, "/etc/openstack/clouds.yaml", mount)
