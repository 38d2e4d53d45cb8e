"""Rules about Terraform and inventories in whole folders: what another file says makes them silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import check_paths

OWN = """\
resource "openstack_networking_secgroup_rule_v2" "nodeports" {
  direction         = "ingress"
  port_range_min    = 30000
  port_range_max    = 32767
  remote_group_id   = openstack_networking_secgroup_v2.nodes.id
  security_group_id = openstack_networking_secgroup_v2.nodes.id
}
"""
OPEN = OWN.replace("nodeports", "balancers").replace(
    "remote_group_id   = openstack_networking_secgroup_v2.nodes.id", "remote_ip_prefix = var.cidr"
)
CONF = "[LoadBalancer]\nsubnet-id=7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f00\n"
MANAGED = CONF + "manage-security-groups=true\n"
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.36.0
"""
MODULE = 'module "rules" {\n  source = "./rules"\n}\n'


def _rules(folder: Path, files: dict[str, str]) -> set[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return {finding.rule for finding in check_paths([str(folder)]).findings}


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"network.tf": OWN, "cloud.conf": CONF}, True),
        ({"network.tf": OWN, "cloud.conf": MANAGED}, False),
        ({"terraform/network.tf": OWN, "deploy/cloud.conf": CONF, "deploy/ccm.yaml": CCM}, True),
        ({"terraform/network.tf": OWN, "deploy/cloud.conf": MANAGED, "deploy/ccm.yaml": CCM}, False),
        ({"network.tf": OWN, "balancers.tf": OPEN, "cloud.conf": CONF}, False),
        ({"network.tf": OWN + MODULE, "cloud.conf": CONF}, False),
    ],
)
def test_nodeports_that_may_be_open_elsewhere(files: dict[str, str], found: bool, tmp_path: Path) -> None:
    assert ("terraform-nodeports" in _rules(tmp_path, files)) is found


def test_a_variable_that_the_inventory_reads_itself_is_its_own(tmp_path: Path) -> None:
    own = "external_openstack_lbaas_subnet: 7d3f\n"
    assert "unread-setting" in _rules(tmp_path, {"openstack.yml": own})
    used = own + 'external_openstack_lbaas_subnet_id: "{{ external_openstack_lbaas_subnet }}"\n'
    assert "unread-setting" not in _rules(tmp_path, {"openstack.yml": used})
