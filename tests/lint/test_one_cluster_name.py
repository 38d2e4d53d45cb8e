"""Two clusters of one project that both have the default name: said once of each place."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run

SECRET = """\
apiVersion: v1
kind: Secret
metadata: {{name: cloud-config, namespace: kube-system}}
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone.example.com/v3
    application-credential-id = {id}
    application-credential-secret = Canary9secret
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
        args: [--cloud-provider=openstack, --cloud-config=/etc/config/cloud.conf, --cluster-name=kubernetes]
        volumeMounts:
        - {name: conf, mountPath: /etc/config}
      volumes:
      - {name: conf, secret: {secretName: cloud-config}}
"""


@pytest.mark.parametrize(
    ("other", "rule"),
    [("0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f", "cluster-name-shared"), ("ff1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f", "cluster-name-default")],
    ids=["one project", "two"],
)  # fmt: skip
def test_it_is_said_once(tmp_path: Path, other: str, rule: str) -> None:
    credentials = {"red": "0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f", "blue": other}
    for name, credential in credentials.items():
        put(tmp_path, {f"{name}/ccm.yaml": CCM, f"{name}/secret.yaml": SECRET.format(id=credential)})
    out = run(tmp_path, "lint", "--format=json", "--no-cache", ".").out
    found = [one["rule"] for one in json.loads(out)["findings"] if one["rule"].startswith("cluster-name")]
    assert set(found) == {rule}
    assert "Canary9secret" not in out
