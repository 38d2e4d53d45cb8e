"""Cloud.confs in Terraform: strings, maps of Secrets, values and settings of charts."""

from __future__ import annotations

from pathlib import Path

import pytest
from carrying import CONF, indent, only, place
from command_line import put, run

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit
from ccmcheck.carriers import find


class TestTerraform:
    def test_a_map_of_a_secret(self) -> None:
        body = (
            f'resource "kubernetes_secret_v1" "x" {{\n  data = {{\n    "cloud.conf" = <<-EOT\n      {indent(CONF, 6)}'
        )
        text = f"{body}      region = ${{var.region}}\n    EOT\n    other = 1\n  }}\n}}\n"
        carried = only("main.tf", text)
        assert carried.route == "heredoc cloud.conf"
        assert carried.text == CONF + "region = ${var.region}\n"
        assert [carried.text[slice(*mark)] for mark in carried.marks] == ["${var.region}"]
        assert place(carried, "monitor-delay") == (12, 7, "monitor-delay")

    @pytest.mark.parametrize(
        ("written", "count"),
        [
            ('resource "kubernetes_secret" "openstack_cloud_provider" {', 0),
            ("openstack_cloud_provider {", 1),
            ("openstack_cloud_provider = {", 1),
            ('"openstack_cloud_provider" = {', 1),
        ],
    )
    def test_a_label_is_no_map(self, written: str, count: int) -> None:
        text = f'{written}\n  global {{\n    auth_url = "https://k/v3"\n    username = "u"\n  }}\n}}\n'
        assert len(find("main.tf", text).carried) == count

    def test_a_string(self) -> None:
        carried = only("main.tf", 'content = "[Global]\\nuse-clouds=true\\n[LoadBalancer]\\nmonitor-delay=3\\n"\n')
        assert carried.text == "[Global]\nuse-clouds=true\n[LoadBalancer]\nmonitor-delay=3\n"
        assert place(carried, "monitor-delay")[:2] == (1, 55)

    def test_values_of_a_chart(self) -> None:
        values = "cloudConfig:\n  global:\n    auth-url: ${var.url}\n  loadBalancer:\n    monitor-delay: 3\n"
        text = f'resource "helm_release" "ccm" {{\n  values = [<<EOT\n{values}EOT\n  ]\n}}\n'
        carried = only("main.tf", text)
        assert carried.carrier == "Helm values"
        assert "monitor-delay" in carried.text

    def test_other_strings_are_none(self) -> None:
        assert find("main.tf", 'a = "<<EOT"\n[Global]\nauth-url=x\nEOT\n').carried == []


class TestChartSettings:
    SCRIPT = """\
helm upgrade --install ccm cpo/openstack-cloud-controller-manager \\
  --set cloudConfig.global.auth-url=$URL,cloudConfig.loadBalancer.monitor-delay=3 \\
  --set-string "cloudConfig.loadBalancer.create-monitor=true" --set cloudConfig.lodBalancer.x=y
helm upgrade csi cpo/openstack-cinder-csi --set cloudConfig.blockStorage.bs-version=v2
"""

    def test_of_each_helm_command(self) -> None:
        first, second = find("install.sh", self.SCRIPT).carried
        assert first.carrier == "Helm values"
        assert first.text == (
            '[Global]\nauth-url = "$URL"\n[LoadBalancer]\nmonitor-delay = "3"\ncreate-monitor = "true"\n'
        )
        assert second.text == '[BlockStorage]\nbs-version = "v2"\n'
        assert place(first, "monitor-delay") == (2, 67, "monitor-delay")
        assert place(first, "true") == (3, 57, "true")
        marks = [first.text[slice(*mark)] for mark in first.marks]
        assert marks == ['"$URL"', "", ""]  # the rest may be in a values file

    def test_a_value_is_changed_where_it_is_set(self) -> None:
        (first, _) = find("install.sh", self.SCRIPT).carried
        start = first.stack.inner.index('"3"')
        (edit,) = first.stack.put([Edit(start, start + 3, '"3s"')])
        assert self.SCRIPT[edit.start - 14 : edit.end] == "monitor-delay=3"
        assert edit.text == "3s"
        for refused in (Edit(0, 0, "a"), Edit(start, start, "x = y\n"), Edit(start + 1, start + 2, "a b")):
            with pytest.raises(CannotEdit):
                first.stack.put([refused])

    def test_of_a_helm_release(self) -> None:
        text = """\
resource "helm_release" "ccm" {
  set {
    name  = "cloudConfig.global.auth-url"
    value = var.url
  }
  set { name = "cloudConfig.loadBalancer.monitor-delay", value = "3" }
}
"""
        carried = only("main.tf", text)
        assert carried.text == '[Global]\nauth-url = "xxxxxxx"\n\n[LoadBalancer]\nmonitor-delay = "3"\n'
        assert place(carried, "3") == (6, 67, "3")

    def test_of_a_map_of_terraform(self) -> None:
        text = """\
resource "helm_release" "ccm" {
  values = [yamlencode({
    cloudConfig = {
      global = {
        auth-url    = "https://k.example" # the login
        "username"  = var.user
        password    = "${var.password}"
      },
      loadBalancer = { create-monitor = true, "monitor-delay" = "3" }
      blockStorage = merge(local.a, { b = 1 })
    }
    image = { tag = "x" }
  })]
}
"""
        carried = only("main.tf", text)
        assert [line for line in carried.stack.inner.splitlines() if "[" in line] == ["[Global]", "[LoadBalancer]"]
        marked = [carried.stack.outward(mark) for mark in carried.marks if mark.end > mark.start]
        assert [text[slice(*mark)] for mark in marked] == ["var.user", '"${var.password}"']
        assert carried.text.endswith('create-monitor = "true"\nmonitor-delay = "3"\n')
        assert place(carried, "3") == (9, 66, "3")
        assert place(carried, "true") == (9, 41, "true")
        start = carried.text.index('"true"')
        (edit,) = carried.stack.put([Edit(start, start + 6, '"false"')])
        assert edit.text == "false"

    def test_values_and_settings_are_one_in_the_order_of_helm(self) -> None:
        text = """\
resource "helm_release" "ccm" {
  name    = "occm"
  chart   = "openstack-cloud-controller-manager"
  values = [
    yamlencode({ cloudConfig = { loadBalancer = { monitor-delay = "1s", max-shared-lb = 3 } } }),
    <<-EOT
    cluster:
      name: prod
    cloudConfig:
      global: {auth-url: "https://k", password: "${var.password}", username: u}
      loadBalancer:
        monitor-delay: 2s
        create-monitor: true
    EOT
  ]
  set {
    name  = "cloudConfig.loadBalancer.monitor-delay"
    value = "3"
  }
}
"""
        found = find("main.tf", text)
        (carried,) = found.carried
        assert carried.subject == "Terraform occm"
        assert [line for line in carried.text.splitlines() if line.startswith(("m", "c"))] == [
            'monitor-delay = "3"',
            'max-shared-lb = "3"',
            'create-monitor = "true"',
        ]
        assert place(carried, '3"\nmax')[:2] == (18, 14)
        assert [pod.cluster_name for pod in found.pods if pod.cluster_name] == ["prod"]

    def test_a_key_is_added_to_values_behind_no_single_setting(self, tmp_path: Path) -> None:
        values = (
            "cloudConfig:\n      loadBalancer:\n        floating-network-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11\n"
        )
        single = '  set {\n    name = "cloudConfig.loadBalancer.lb-provider"\n    value = "ovn"\n  }\n'
        head = 'resource "helm_release" "ccm" {\n  chart = "openstack-cloud-controller-manager"\n'
        text = f"{head}  values = [<<-EOT\n    {values}    EOT\n  ]\n{single}}}\n"
        put(tmp_path, {"main.tf": text})
        for changed in (
            ("set", "main.tf", "lb-method=SOURCE_IP_PORT"),
            ("fix", "--select=ovn-lb-method", "--write", "."),
        ):
            (tmp_path / "main.tf").write_text(text)
            run(tmp_path, *changed)
            added = "        lb-method: SOURCE_IP_PORT\n"
            assert (tmp_path / "main.tf").read_text() == text.replace(values, values + added)

    def test_values_that_are_not_all_written_out_lack_nothing(self) -> None:
        values = "cloudConfig: {loadBalancer: {create-monitor: true}}"
        text = f"""resource "helm_release" "ccm" {{
  chart  = "openstack-cloud-controller-manager"
  values = [file("values.yaml"), <<EOT
{values}
EOT
  ]
}}"""
        assert not only("main.tf", text).has_all_values
        assert only("main.tf", text.replace('file("values.yaml"), ', "")).has_all_values

    @pytest.mark.parametrize(
        "text",
        [
            "cloudConfig = {}\n",
            "cloudConfig = {\n  global = {",
            'cloudConfig = { a = "b" }\n',
            "my.cloudConfig = { global = { a = 1 } }",
            '# cloudConfig = {\nglobal = {\n  region = "x"\n}\n}\n',
            '  // cloudConfig = {\n  # global = {\nglobal = {\n  region = "x"\n}\n',
        ],
    )
    def test_of_other_maps(self, text: str) -> None:
        assert find("main.tf", text).carried == []

    def test_what_sets_nothing(self) -> None:
        assert find("x.sh", "helm upgrade x --set image.tag=v1 # cloudConfig.global.auth-url\n").carried == []
        assert find("x.sh", "helm upgrade x --set cloudConfig.nothing.a=b\n").carried == []


def test_a_service_with_ports_and_annotations_from_elsewhere(tmp_path: Path) -> None:
    service = """\
resource "kubernetes_service_v1" "web" {{
  metadata {{
    name        = "web"
    annotations = {annotations}
  }}
  spec {{
    type                        = "LoadBalancer"
    load_balancer_source_ranges = ["192.0.2.0/40"]
    {port}
  }}
}}
"""
    ports = {
        "dynamic": 'dynamic "port" {\n      for_each = var.ports\n      content {\n        port = port.value\n      }\n    }'
    }
    ports["static"] = "port {\n      port = 80\n    }"
    marks = '{ "loadbalancer.openstack.org/proxy-protocol" = "true", "loadbalancer.openstack.org/x-forwarded-for" = "true" }'
    for port in ports.values():
        put(tmp_path, {"main.tf": service.format(annotations="var.annotations", port=port)})
        assert "svc-invalid" in run(tmp_path, "lint", ".").out
    put(
        tmp_path, {"main.tf": service.format(annotations="var.annotations", port=ports["static"]).replace("/40", "/24")}
    )
    assert "? metadata.annotations is filled in later" in run(tmp_path, "predict", ".").out
    text = f"locals {{\n  marks = {marks}\n}}\n" + service.format(annotations="local.marks", port=ports["static"])
    put(tmp_path, {"main.tf": text.replace("/40", "/24")})
    assert "svc-proxy-and-xff" in run(tmp_path, "lint", ".").out
