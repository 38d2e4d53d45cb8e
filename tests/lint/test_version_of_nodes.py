"""The version of Kubernetes that the Nodes in the files tell, and where it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

CCM = """apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      tolerations: [{operator: Exists}]
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.24.0
          args: [/bin/openstack-cloud-controller-manager, --cluster-name=x, --cloud-provider=openstack]
"""
SKEW = "the cluster runs Kubernetes 1.31"


def node(version: str, role: str = "control-plane") -> str:
    """A Node of a version."""
    return (
        f'apiVersion: v1\nkind: Node\nmetadata: {{name: n, labels: {{node-role.kubernetes.io/{role}: ""}}}}\n'
        f'spec: {{providerID: "openstack:///a"}}\nstatus: {{nodeInfo: {{kubeletVersion: {version}}}}}\n'
    )


def said(folder: Path, files: dict[str, str], *arguments: str) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return " ".join(run(folder, "lint", *arguments, ".").out.split())


@pytest.mark.parametrize("place", ["nodes.yaml", "live/nodes.yaml"])
def test_nodes_tell_the_version_of_their_cluster(tmp_path: Path, place: str) -> None:
    assert SKEW in said(tmp_path, {"ccm.yaml": CCM, place: node("v1.31.2") + "---\n" + node("v1.31.4", "worker")})


@pytest.mark.parametrize(
    "nodes",
    [
        {"live/nodes.yaml": node("v1.31.2") + "---\n" + node("v1.30.1", "worker")},
        {"nodes.yaml": node("v1.31.2", "worker")},
        {"a/live/nodes.yaml": node("v1.31.2")},
        {"a/nodes.yaml": node("v1.31.2"), "b/nodes.yaml": node("v1.30.2")},
    ],
    ids=["two generations", "workers alone", "of another folder", "of two clusters"],
)
def test_others_do_not(tmp_path: Path, nodes: dict[str, str]) -> None:
    assert "the cluster runs" not in said(tmp_path, {"ccm.yaml": CCM, **nodes})


def test_what_is_said_wins(tmp_path: Path) -> None:
    files = {"ccm.yaml": CCM, "nodes.yaml": node("v1.31.2")}
    assert "the cluster runs" not in said(tmp_path, files, "--kubernetes-version", "1.24")
