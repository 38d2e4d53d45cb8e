"""One kustomization that builds the classes of several clouds: what is said of one is not said of the others."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from command_line import put, run

WORKER = """\
apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
kind: KubeadmConfigTemplate
metadata:
  name: {name}
spec:
  template:
    spec:
      joinConfiguration:
        nodeRegistration:
          kubeletExtraArgs:
            {argument}
"""
CLUSTER = """\
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: {kind}
metadata:
  name: {name}
spec:
  template:
    spec: {{}}
"""
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: ccm
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
"""


@pytest.mark.parametrize(("kind", "reported"), [("Metal3ClusterTemplate", False), ("OpenStackClusterTemplate", True)])
def test_machines_of_a_class_beside_that_of_openstack(tmp_path: Path, kind: str, reported: bool) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    openstack = WORKER.format(name="openstack-worker", argument="cloud-provider: external  # openstack")
    files: dict[str, str | bytes] = {
        "ccm/ds.yaml": CCM,
        "classes/kustomization.yaml": "resources:\n- one.yaml\n- cluster.yaml\n- capo.yaml\n- capo-cluster.yaml\n",
        "classes/one.yaml": WORKER.format(name="one-worker", argument="node-labels: a=b"),
        "classes/cluster.yaml": CLUSTER.format(kind=kind, name="one"),
        "classes/capo.yaml": openstack,
        "classes/capo-cluster.yaml": CLUSTER.format(kind="OpenStackClusterTemplate", name="capo"),
    }
    put(tmp_path, files)
    found = {
        finding["path"]
        for finding in json.loads(run(tmp_path, "lint", "--format=json", ".").out)["findings"]
        if finding["rule"] == "capi-kubelet-external"
    }
    assert ("classes/one.yaml" in found) == reported
