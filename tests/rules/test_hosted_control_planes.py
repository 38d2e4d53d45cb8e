"""The chart of the CCM selects nodes of the control plane, of which a hosted one has none among the Nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths
from ccmcheck.base.model import Severity

RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ccm, namespace: kube-system}
spec:
  chart: {spec: {chart: openstack-cloud-controller-manager, version: 2.30.2}}
  values: {VALUES}
"""
NODE = """---
apiVersion: v1
kind: Node
metadata: {name: n, labels: {LABEL: ""}}
"""
WORKER, SERVER = (NODE.replace("LABEL", f"node-role.kubernetes.io/{role}") for role in ("worker", "control-plane"))


@pytest.mark.parametrize(
    ("values", "nodes", "is_told"),
    [
        ("cluster: {name: a}", WORKER, True),
        ("cluster: {name: a}", WORKER + SERVER, False),
        ("cluster: {name: a}", "", False),
        ("nodeSelector: {node-role.kubernetes.io/control-plane: null}", WORKER, False),
    ],
)
def test_no_node_of_the_control_plane(tmp_path: Path, values: str, nodes: str, *, is_told: bool) -> None:
    (tmp_path / "a.yaml").write_text(RELEASE.replace("VALUES", values) + nodes, encoding="utf-8")
    found = check_paths([str(tmp_path)], LintOptions(select=("ccm-node-selector",))).findings
    told = [(one.severity, f"{one.label} {one.help}") for one in found]
    assert [severity for severity, _ in told] == [Severity.INFO] * is_told
    assert all("control-plane: null` in the chart's value nodeSelector" in text for _, text in told)
