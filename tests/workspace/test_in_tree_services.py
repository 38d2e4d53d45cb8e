"""Which Services the provider inside Kubernetes makes load balancers for: those whose cloud.confs it alone reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

from ccmcheck.api import LintOptions, check_paths

KUBEADM = """\
kind: ClusterConfiguration
apiVersion: kubeadm.k8s.io/v1beta2
controllerManager:
  extraArgs: {cloud-provider: openstack, cloud-config: /etc/kubernetes/cloud.conf}
---
"""
SECRET = """\
kind: Secret
apiVersion: v1
metadata: {name: cloud-config, namespace: kube-system}
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone.example.com/v3
    [LoadBalancer]
    use-octavia = true
"""
SERVICE = """\
kind: Service
apiVersion: v1
metadata: {name: dns}
spec:
  type: LoadBalancer
  selector: {app: dns}
  ports: [{port: 53, protocol: UDP}]
"""


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"all.yaml": f"{KUBEADM}{SECRET}---\n{SERVICE}"}, ["all.yaml"]),
        ({"a.yaml": KUBEADM + SECRET, "dns.yaml": SERVICE}, ["dns.yaml"]),
        # the CCM's is there, too
        ({"a.yaml": KUBEADM + SECRET, "b.yaml": SECRET, "dns.yaml": SERVICE}, []),
        ({"ccm/cloud.yaml": SECRET, "ccm/dns.yaml": SERVICE, "old/a.yaml": KUBEADM + SECRET}, []),
        # another folder may be another cloud's
        ({"old/a.yaml": KUBEADM + SECRET, "apps/dns.yaml": SERVICE}, []),
        ({"a.md": f"```yaml\n{KUBEADM}{SECRET}```\n", "dns.yaml": SERVICE}, []),
        ({"dns.yaml": SERVICE}, []),
    ],
)
def test_udp_beside_the_in_tree_providers_cloud_conf(tmp_path: Path, files: dict[str, str], found: list[str]) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    result = check_paths([str(tmp_path)], LintOptions(select=("svc-protocol-tcp-only",)))
    assert [Path(one.place.path).relative_to(tmp_path).as_posix() for one in result.findings] == found


@pytest.mark.parametrize(("consumer", "is_told"), [("legacy-in-tree", True), ("cinder-csi-plugin", False)])
def test_a_reader_that_the_user_names(tmp_path: Path, consumer: str, is_told: bool) -> None:
    (tmp_path / "secret.yaml").write_text(SECRET)
    (tmp_path / "dns.yaml").write_text(SERVICE)
    done = run(tmp_path, "lint", ".", f"--consumer={consumer}", "--release=1.22")
    assert ("svc-protocol-tcp-only" in done.out) is is_told
