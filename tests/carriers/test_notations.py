"""Other tools' variables and fields that become a cloud.conf: what they become, where findings are, and who reads it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from carrying import only, place

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit
from ccmcheck.carriers import find
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.carriers.prefilter import worth_parsing

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run

KUBESPRAY = """\
external_openstack_lbaas_floating_network_id: "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
external_openstack_lbaas_create_monitor: true
external_openstack_lbaas_monitor_delay: "60"
external_openstack_lbaas_monitor_max_retries: 11
external_openstack_lbaas_provider: "{{ provider }}"
external_openstack_lbaas_member_subnet_id: nowhere
external_openstack_network_public_networks: [one, two]
external_openstack_cloud_controller_image_tag: "v1.31.2"
kube_version: 1.31.2
"""
KOPS = """\
apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata: {name: my.example.com}
spec:
  cloudConfig:
    openstack:
      loadbalancer:
        floatingNetwork: public
        method: ROUND_ROBIN
        provider: ovn
      monitor:
        delay: 60
        maxRetries: 30
"""
RKE = """\
cloud_provider:
  name: NAME
  customCloudProvider: |-
    [Global]
    auth-url=https://keystone.example.com/v3
    username=kube
    password=${password}
    tenant-id=616a8b01b5f94f99acd00a844f8f46c3
    domain-id=default
    [LoadBalancer]
    monitor-delay=5
"""
ANSIBLE = """\
- hosts: all
  tasks:
  - community.general.ini_file:
      path: /etc/kubernetes/cloud.conf
      section: LoadBalancer
      option: monitor-delay
      value: "60"
  - ini_file: {path: /etc/kubernetes/cloud.conf, section: LoadBalancer, option: lb-provder, value: "{{ provider }}"}
  - ini_file: {path: /etc/php.ini, section: PHP, option: a, value: b}
"""
TERRAFORM = """\
locals {
  rke = yamlencode({
    cloud_provider = {
      openstackCloudProvider = {
        global        = { auth-url = "https://keystone.example.com/v3", username = var.user }
        load_balancer = { monitor-delay = "5", lb-method = "" } # a comment }
      }
    }
  })
}
"""
SERVICE = """\
resource "kubernetes_service_v1" "web" {
  metadata {
    name      = "web"
    namespace = var.namespace
    annotations = {
      "loadbalancer.openstack.org/x-forwarded-for" = "true"
      "loadbalancer.openstack.org/proxy-protocol"  = "true"
    }
  }
  spec {
    type                        = "LoadBalancer"
    load_balancer_source_ranges = ["10.0.0.0/33"]
    selector                    = { app_name = "web" }
    PORT
  }
}
"""
PORT = 'port {\n      port = 53\n      protocol = "UDP"\n      target_port = "dns"\n    }'


def test_kubespray() -> None:
    carried = only("group_vars/all/openstack.yml", KUBESPRAY)
    assert (carried.carrier, carried.consumers) == ("Kubespray variables", ("ccm",))
    assert carried.stack.inner.splitlines() == [
        "[LoadBalancer]",
        'floating-network-id = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"',
        'create-monitor = "true"',
        'monitor-delay = "60"',
        'monitor-max-retries = "11"',
        f'lb-provider = "{"x" * len("{{ provider }}")}"',
        "[Networking]",
        'public-network-name = "one"',
        'public-network-name = "two"',
    ]
    assert place(carried, "60") == (3, 42, "60")
    assert place(carried, "monitor-delay")[0] == 3
    start = carried.stack.inner.index('"60"')
    assert carried.stack.put([Edit(start, start + 4, '"60s"')])[0].text == "60s"
    with pytest.raises(CannotEdit):
        carried.stack.put([Edit(0, 0, "x = y\n")])


def lint(folder: Path, name: str, text: str) -> list[tuple[int, str, str]]:
    put(folder, {name: text})
    findings = json.loads(run(folder, "lint", "--format=json", ".").out)["findings"]
    return [(one["line"], one["severity"], one["rule"]) for one in findings]


def test_findings_are_at_the_variables(tmp_path: Path) -> None:
    assert lint(tmp_path, "group_vars/all/openstack.yml", KUBESPRAY) == [
        (3, "error", "duration-bad"),
        (4, "warning", "monitor-range"),
        (6, "info", "installer-setting"),
    ]
    run(tmp_path, "fix", "--write", ".")
    assert (tmp_path / "group_vars/all/openstack.yml").read_text("utf-8") == KUBESPRAY.replace('"60"', '"60s"')


def test_kops(tmp_path: Path) -> None:
    carried = only("cluster.yaml", KOPS)
    assert carried.stack.inner.splitlines() == [
        "[LoadBalancer]",
        'lb-method = "ROUND_ROBIN"',
        'lb-provider = "ovn"',
        'create-monitor = "true"',
        'monitor-timeout = ""',
        'monitor-delay = "60"',
        'monitor-max-retries = "30"',
    ]
    assert {(line, rule) for line, _, rule in lint(tmp_path, "cluster.yaml", KOPS)} == {
        (7, "installer-setting"),
        (9, "ovn-lb-method"),
        (11, "gcfg-blank-value"),
        (12, "duration-bad"),
        (13, "monitor-range"),
    }
    without = KOPS.replace("loadbalancer:", "other:")
    assert "monitor-delay" not in "".join(one.text for one in find("cluster.yaml", without).carried)


@pytest.mark.parametrize(("name", "reader"), [("openstack", IN_TREE), ("custom", IN_TREE), ("external", "ccm")])
def test_the_text_of_rke(name: str, reader: str) -> None:
    carried = only("cluster.yml", RKE.replace("NAME", name))
    assert carried.consumers == (reader,)
    assert place(carried, "monitor-delay") == (11, 5, "monitor-delay")


def test_tasks_of_ansible(tmp_path: Path) -> None:
    carried = only("play.yml", ANSIBLE)
    assert carried.route == "Ansible ini_file › /etc/kubernetes/cloud.conf"
    assert lint(tmp_path, "play.yml", ANSIBLE) == [(7, "error", "duration-bad"), (8, "error", "unknown-key")]


def test_a_map_of_rke_in_terraform() -> None:
    carried = only("main.tf", TERRAFORM)
    assert carried.consumers == (IN_TREE,)
    assert carried.text.splitlines()[-2:] == ["[LoadBalancer]", 'monitor-delay = "5"']
    assert place(carried, "5")[:2] == (6, 44)


def test_a_service_of_terraform(tmp_path: Path) -> None:
    text = SERVICE.replace("PORT", PORT)
    assert worth_parsing(text.replace("openstack.org", "x").encode(), "main.tf")
    found = [(line, rule) for line, _, rule in lint(tmp_path, "main.tf", text)]
    assert (7, "svc-proxy-and-xff") in found
    assert (12, "svc-invalid") in found
    (service,) = find("main.tf", text).objects
    assert (service.name, service.namespace) == ("web", "")


def test_a_service_with_computed_ports_is_one() -> None:
    text = SERVICE.replace("PORT", 'dynamic "port" {\n      for_each = var.ports\n      content {}\n    }')
    assert [one.kind for one in find("main.tf", text).objects] == ["Service"]


@pytest.mark.parametrize("text", [KUBESPRAY, KOPS, RKE], ids=["Kubespray", "kOps", "RKE"])
def test_they_are_read_in_folders(text: str) -> None:
    assert worth_parsing(text.encode(), "x.yml")


@pytest.mark.parametrize(
    "text",
    ["{" * 5000, "a = [" * 3000, "cloudConfig = {" * 3000, "cloudConfig = { a = <<EOT\n" * 300],
    ids=["braces", "brackets", "maps", "heredocs"],
)
def test_hostile_hcl(text: str) -> None:
    assert find("main.tf", f'resource "kubernetes_service" "x" {{\n{text}').objects == []


@pytest.mark.parametrize(
    ("provider", "version", "reader"),
    [
        ("openstack", "v1.22.4", "legacy-in-tree"),
        ("openstack", "v1.31.0", "ccm"),
        ("openstack", "", "ccm"),
        ("external", "v1.22.4", "ccm"),
    ],
)
def test_the_configuration_of_rke2(tmp_path: Path, provider: str, version: str, reader: str) -> None:
    """Most of its releases are of Kubernetes that has no such provider: without a version nothing is taken for known."""
    put(tmp_path, {"vars.yml": f"kubernetes_version: {version}\n"})
    put(tmp_path, {"config.yaml": f"cloud-provider-name: {provider}\ncloud-provider-config: /etc/cloud.conf\n"})
    put(tmp_path, {"cloud.conf": "[Global]\nauth-url = https://k/v3\n[LoadBalancer]\ncreate-monitor = true\n"})
    shown = run(tmp_path, "list", "-v", ".").out
    assert f"read by {reader}" in shown
    assert ("RKE2's cloud-provider-name" in shown) == (provider == "openstack")
