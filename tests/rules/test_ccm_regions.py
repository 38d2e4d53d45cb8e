"""CCMs for several regions: whether each takes the other's Nodes for those of servers that are gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

CCM = """apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: ccm-{name}, namespace: {namespace}}}
spec:
  template:
    spec:
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:{release}
          args: [--cloud-provider=openstack, --cloud-config=/etc/config/cloud.conf, --cluster-name=a{flags}]
          env: [{{name: {variable}, value: "true"}}]
          volumeMounts: [{{name: conf, mountPath: /etc/config}}]
      volumes: [{{name: conf, secret: {{secretName: conf-{name}}}}}]
---
apiVersion: v1
kind: Secret
metadata: {{name: conf-{name}, namespace: {namespace}}}
stringData:
  cloud.conf: |
    [Global]
    auth-url=https://k/v3
    password=canary-77aa
    region={region}
"""


def said(folder: Path, *changes: dict[str, str]) -> str:
    """What lint says of the CCMs ``a`` and ``b``."""
    for name, change in zip("ab", changes, strict=True):
        values = {
            "namespace": "kube-system",
            "release": "v1.24.0",
            "region": name,
            "variable": "X",
            "flags": "",
            **change,
        }
        path = folder / values.pop("folder", ".") / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(CCM.format(name=name, **values))
    out = run(folder, "lint", "--select", "ccm-regions", ".").out
    assert "canary" not in out
    return out


@pytest.mark.parametrize(
    ("one", "other", "change"),
    [
        ({}, {}, "Upgrade the CCM to 1.25"),
        ({"variable": "OS_CCM_REGIONAL"}, {"variable": "OS_CCM_REGIONAL"}, "Upgrade the CCM to 1.25"),
        ({"release": "v1.36.0"}, {"release": "v1.36.0"}, "Set `OS_CCM_REGIONAL=true`"),
    ],
)
def test_nodes_of_two_regions_are_told_apart_by_their_ids_alone(
    tmp_path: Path, one: dict[str, str], other: dict[str, str], change: str
) -> None:
    assert change in said(tmp_path, one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"release": "v1.25.0", "variable": "OS_CCM_REGIONAL"}, {"release": "v1.25.0", "variable": "OS_CCM_REGIONAL"}),
        ({"region": "b"}, {}),
        ({"folder": "one"}, {"folder": "two"}),
        ({"namespace": "shoot-a"}, {"namespace": "shoot-b"}),
        # each is for another cluster
        ({"flags": ", --kubeconfig=/a"}, {"flags": ", --kubeconfig=/b"}),
    ],
)
def test_other_ccms_are_no_concern(tmp_path: Path, one: dict[str, str], other: dict[str, str]) -> None:
    assert "ccm-regions" not in said(tmp_path, one, other)
