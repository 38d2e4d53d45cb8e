"""The release of the provider inside Kubernetes is that of the cluster, in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

CONTROL_PLANE = """\
kind: KubeadmControlPlane
metadata: {{name: a}}
spec:
  version: {version}
  kubeadmConfigSpec:
    clusterConfiguration:
      controllerManager:
        extraArgs: {{cloud-provider: openstack}}
    files:
    - path: /etc/kubernetes/cloud.conf
      content: |
        [Global]
        auth-url=https://k.example.com/v3
"""


@pytest.mark.parametrize(
    ("version", "listed", "judged"),
    [("v1.24.3", ["v1.24.3"], "legacy-in-tree v1.24.3"), ("v1.33.2", [], "legacy-in-tree 1.25")],
)
def test_a_cluster_without_that_provider_has_no_release_of_it(
    tmp_path: Path, version: str, listed: list[str], judged: str
) -> None:
    put(tmp_path, {"plane.yaml": CONTROL_PLANE.format(version=version)})
    (conf,) = json.loads(run(tmp_path, "list", "--format=json").out)["cloud_confs"]
    assert (conf["reader"], conf["releases"]) == ("legacy-in-tree", listed)
    assert judged in run(tmp_path, "lint").out
