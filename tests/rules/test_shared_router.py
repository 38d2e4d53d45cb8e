"""Two clusters in one router: whether their route controllers meet, by flags as people write them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from command_line import run

CONF = "[Global]\nauth-url=https://k/v3\n[Route]\nrouter-id=7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f00\n"
CCM = """apiVersion: v1
kind: Pod
metadata: {{name: ccm, namespace: kube-system}}
spec:
  containers:
    - name: ccm
      image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
      args: [--cloud-provider=openstack, --cluster-name={name}, --allocate-node-cidrs=true, {flags}]
"""


def said(folder: Path, *flags: str) -> str:
    """How severe what lint says of the two clusters is."""
    for name, own in zip("ab", flags, strict=True):
        (folder / name).mkdir()
        (folder / name / "cloud.conf").write_text(CONF)
        (folder / name / "ccm.yaml").write_text(CCM.format(name=name, flags=own))
    lines = run(folder, "lint", "--format", "concise", "--select", "router-shared", ".").out.splitlines()
    return " ".join(sorted({line.split()[1] for line in lines if "router-shared" in line}))


@pytest.mark.parametrize(
    ("one", "other", "severity"),
    [
        ("--cluster-cidr=10.1.0.0/16", "--cluster-cidr=10.1.128.0/17", "error"),
        ("--cluster-cidr=10.1.0.0/16", "--cluster-cidr=10.2.0.0/16", ""),
        ("'--cluster-cidr=10.1.0.0/16,fd00::/48'", "'--cluster-cidr=fd00:0:0:1::/64,10.2.0.0/16'", "error"),
        ("--cluster-cidr=10.1.0.0/16", "--cluster-cidr=$(CIDR)", "warning"),
        ("--cluster-cidr=10.1.0.0/16", "'--cluster-cidr=x,,'", "warning"),
        ("'--cluster-cidr=10.1.0.0/16', --configure-cloud-routes=true", "--cluster-cidr=10.1.0.0/16", "error"),
        # no route controller at all, or not known
        ("'--cluster-cidr=10.1.0.0/16', --configure-cloud-routes=$(X)", "--cluster-cidr=10.1.0.0/16", ""),
        ("'--cluster-cidr=10.1.0.0/16', --configure-cloud-routes=false", "--cluster-cidr=10.1.0.0/16", ""),
    ],
)
def test_clusters_meet_where_their_pods_addresses_do(tmp_path: Path, one: str, other: str, severity: str) -> None:
    assert said(tmp_path, one, other) == severity


def test_a_list_that_ends_the_ccm_is_not_compared(tmp_path: Path) -> None:
    lists = [",".join(f"10.{which}.{at // 250}.{at % 250}/32" for at in range(4000)) for which in (1, 2)]
    began = time.process_time()
    assert said(tmp_path, *(f"'--cluster-cidr={one}'" for one in lists)) == "warning"
    assert time.process_time() - began < 10
