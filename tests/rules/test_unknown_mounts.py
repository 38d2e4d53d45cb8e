"""What is mounted at a path that a template computes may be mounted anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command_line import RIGHT, run

if TYPE_CHECKING:
    from pathlib import Path

WORKLOAD = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        volumeMounts:
        - name: conf
          mountPath: /etc/config
        - name: ca
          mountPath: PATH
      volumes:
      - {name: conf, secret: {secretName: cloud-config}}
      - {name: ca, secret: {secretName: ca}}
"""


@pytest.mark.parametrize(
    ("mounted_at", "count"), [("/etc/other", 1), ("/etc/ca", 0), ("{{ .Values.path }}", 0), ("/{{ .Values.path }}", 0)]
)
def test_a_file_that_may_be_mounted_is_not_missing(tmp_path: Path, mounted_at: str, count: int) -> None:
    folder = tmp_path / "templates"
    folder.mkdir()
    folder.joinpath("ccm.yaml").write_text(WORKLOAD.replace("PATH", mounted_at))
    tmp_path.joinpath("cloud.conf").write_text(RIGHT.replace("region", "ca-file = /etc/ca/ca.crt\nregion"))
    assert run(tmp_path, "lint", ".").out.count("error  ca-file-unmounted") == count
