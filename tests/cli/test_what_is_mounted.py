"""What a CCM mounts is judged, whatever it looks like: in its file, and in its folder, but not in another cluster's."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent

import pytest
from command_line import put, run

from ccmcheck.carriers import find

OTHERS = {
    "a balancer": "[LoadBalancer]\nalgorithm = rr\n[Global]\ntimeout = 5\n",
    "vSphere": '[Global]\nuser = "a"\ninsecure-flag = "1"\n[VirtualCenter "192.0.2.1"]\ndatacenters = "d"\n',
}
WORKLOAD = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ccm, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        args: [--cloud-config=/etc/config/openstack]
        volumeMounts: [{name: c, mountPath: /etc/config}]
      volumes: [{name: c, secret: {secretName: cloud-config}}]
"""


def secret(text: str, key: str) -> str:
    return (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config, namespace: kube-system}\n"
        f"stringData:\n  {key}: |\n{indent(text, '    ')}"
    )


@pytest.mark.parametrize(
    ("name", "key"), [("a balancer", "openstack"), ("vSphere", "openstack"), ("vSphere", "cloud.conf")]
)
def test_in_the_same_file(name: str, key: str) -> None:
    text = secret(OTHERS[name], key)
    alone = find("x.yaml", text)
    assert alone.carried == []
    (carried,) = find("x.yaml", f"{text}---\n{WORKLOAD}").carried
    assert carried.text == OTHERS[name]
    assert carried.recognition is not None
    assert carried.recognition.reason == "DaemonSet kube-system/ccm mounts it"


@pytest.mark.parametrize("name", OTHERS)
def test_in_the_same_folder_only(tmp_path: Path, name: str) -> None:
    text = secret(OTHERS[name], "openstack")
    put(tmp_path, {"a/secret.yaml": text, "a/ccm.yaml": WORKLOAD, "b/secret.yaml": text})
    found = json.loads(run(tmp_path, "list", "--format=json").out)
    assert [conf["path"] for conf in found["cloud_confs"]] == ["a/secret.yaml"]
    assert [text["path"] for text in found["look_alikes"]] == ["b/secret.yaml"]
    findings = json.loads(run(tmp_path, "lint", "--format=json").out)["findings"]
    assert ("a/secret.yaml", "unknown-key") in {(finding["path"], finding["rule"]) for finding in findings}
    assert "b/secret.yaml" not in {finding["path"] for finding in findings}


def test_what_is_encrypted_stays_unknown() -> None:
    text = secret("ENC[AES256_GCM,data:x]\n", "cloud.conf")
    assert find("x.yaml", f"{text}---\n{WORKLOAD}").carried == []
