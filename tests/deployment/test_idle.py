"""A CCM that never runs: what `lint` finds in its workload, `predict` says of every Service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

NAME = "openstack-cloud-controller-manager"
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      nodeSelector: {node-role.kubernetes.io/control-plane: ""}
      tolerations:
      - {key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}
      - {key: node-role.kubernetes.io/control-plane, effect: NoSchedule}
      containers:
      - name: occm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.33.0
        args: [/bin/openstack-cloud-controller-manager, --cloud-provider=openstack, --cluster-name=prod, --cloud-config=/etc/config/cloud.conf]
        volumeMounts: [{name: config, mountPath: /etc/config}]
      volumes: [{name: config, secret: {secretName: cloud-config}}]
"""
REST = """\
apiVersion: v1
kind: Secret
metadata: {name: cloud-config, namespace: kube-system}
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone.example.com/v3
    username = ccm
    password = made-up
    tenant-name = prod
    domain-name = Default
    [LoadBalancer]
    create-monitor = true
---
apiVersion: v1
kind: Node
metadata: {name: cp-1, labels: {node-role.kubernetes.io/control-plane: ""}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, selector: {a: b}, ports: [{port: 80}]}
"""
CHART = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: occm, namespace: kube-system}
spec:
  chart:
    spec: {chart: openstack-cloud-controller-manager, version: 2.33.0}
  values:
    cluster: {name: prod}
    cloudConfig:
      global: {auth-url: "https://keystone.example.com/v3", username: ccm, password: a, tenant-name: b, domain-name: c}
    nodeSelector: {}
"""
_WRONG = [
    (CCM, 'nodeSelector: {node-role.kubernetes.io/control-plane: "', 'nodeSelector: {node-role.kubernetes.io/control-plane: "true',
     "ccm-node-selector", "no node has `node-role.kubernetes.io/control-plane` with the value `true`"),
    (CCM, "node.cloudprovider.kubernetes.io/uninitialized", "other", "ccm-tolerations",
     "no toleration for `node.cloudprovider.kubernetes.io/uninitialized`"),
    (CCM, "mountPath: /etc/config", "mountPath: /etc/conf", "ccm-mount", "no volume of its container provides"),
    (CHART, "nodeSelector: {}", "tolerations: []", "ccm-tolerations", "it has no toleration for"),
    (CHART, "nodeSelector: {}", "nodeSelector: {node-role.kubernetes.io/control-plane: x}", "ccm-node-selector",
     "with the value `x`"),
]  # fmt: skip


def says(folder: Path, ccm: str) -> tuple[list[str], str, list[str]]:
    """The errors of lint, how the only Service ends, and what predict says that of."""
    put(folder, {"ccm.yaml": f"{ccm}---\n{REST if ccm.startswith('apiVersion: apps') else REST.partition('---')[2]}"})
    findings = json.loads(run(folder, "lint", "--format=json", ".").out)["findings"]
    (service,) = json.loads(run(folder, "predict", "--format=json", "--exit-zero", ".").out)["services"]
    about = [one["about"] for one in service["findings"] if one["severity"] == "error"]
    return [one["rule"] for one in findings if one["severity"] == "error"], service["verdict"]["why"] or "", about


@pytest.mark.parametrize(
    ("ccm", "old", "new", "rule", "text"), _WRONG, ids=[f"{i}-{row[3]}" for i, row in enumerate(_WRONG)]
)
def test_both_commands_say_that_it_does_not_run(
    tmp_path: Path, ccm: str, old: str, new: str, rule: str, text: str
) -> None:
    assert old in ccm
    assert says(tmp_path, ccm) == ([], "", [])
    errors, why, about = says(tmp_path, ccm.replace(old, new, 1))
    assert errors == [rule]
    assert about == ["HelmRelease kube-system/occm" if ccm == CHART else f"DaemonSet kube-system/{NAME}"]
    assert text in why


@pytest.mark.parametrize("hidden", ["{{ if x }}\n      {}\n      {{ end }}", "{}"])
def test_both_are_silent_where_a_template_decides(tmp_path: Path, hidden: str) -> None:
    line = "tolerations: {{ .Values.tolerations }}" if hidden == "{}" else hidden.replace("{}", "tolerations: []")
    start, _, rest = CCM.partition("tolerations:")
    assert says(tmp_path, f"{start}{line}\n      containers:{rest.partition('containers:')[2]}")[0] == []
