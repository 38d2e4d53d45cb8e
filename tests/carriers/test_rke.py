"""The cloud.conf that RKE writes from a map: which values become which lines, who reads it, and where findings are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

from ccmcheck.carriers import find
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.carriers.prefilter import worth_parsing

PROVIDER = """\
  name: openstack
  openstackCloudProvider:
    global:
      auth-url: https://keystone.example.com/v3
      username: kube
      password: s3cr3tpassw0rd
      tenant-id: 616a8b01b5f94f99acd00a844f8f46c3
      domain-name: ""
      domain-id: default
    load_balancer:
      create-monitor: false
      monitor-delay: 5
      monitor-max-retries: 0
    block_storage:
      ignore-volume-az: true
    metadata:
      request-timeout: 0
"""
CLUSTER = "kubernetes_version: v1.17.4-rancher1-1\ncloud_provider:\n" + PROVIDER
RENDERED = """\
[Global]
auth-url = "https://keystone.example.com/v3"
username = "kube"
password = "s3cr3tpassw0rd"
tenant-id = "616a8b01b5f94f99acd00a844f8f46c3"
domain-id = "default"

[LoadBalancer]
monitor-delay = "5"

[BlockStorage]
ignore-volume-az = "true"
"""
EMPTY = CLUSTER.replace("password: s3cr3tpassw0rd", 'password: ""')


def test_an_empty_password_is_found_as_in_a_cloud_conf(tmp_path: Path) -> None:
    put(tmp_path, {"cluster.yml": EMPTY})
    said = " ".join(run(tmp_path, "lint").out.split())
    assert "incomplete credentials: no password" in said
    assert "The in-tree provider does not start" in said
    assert "application" not in said
    put(tmp_path, {"cluster.yml": EMPTY.replace("username: kube", "secret-name: x")})
    assert "auth-incomplete" not in run(tmp_path, "lint").out


HCL = """\
resource "rke_cluster" "cluster" {
  cloud_provider {
    name = "openstack"
    openstack_cloud_provider {
      global {
        auth_url  = "https://keystone.example.com/v3"
        username  = data.openstack_identity_auth_scope_v3.scope.user_name
        password  = var.password # "}"
        tenant_id = "${var.tenant}"
        domain_id = "default"
      }
      load_balancer {
        use_octavia   = true
        monitor_delay = "5"
        create_monitor = false
      }
    }
  }
}
"""
OLD_HCL = HCL.replace("openstack_cloud_provider {", "openstack_cloud_config = {").replace("global {", "global = {")
FORMS = {
    "cluster.yml": ("cluster.yml", CLUSTER),
    "Rancher's cluster": (
        "x.yaml",
        "rancher_kubernetes_engine_config:\n  cloud_provider:\n"
        + "".join(f"  {line}\n" for line in PROVIDER.replace("load_balancer", "loadBalancer").splitlines()),
    ),
    "a document": ("a.md", f"```yaml\n{CLUSTER}```\n"),
    "Terraform": ("main.tf", HCL),
    "Terraform before 1.0": ("main.tf", OLD_HCL),
    "a template": ("main.tf", HCL.replace("cloud_provider {\n    name", "dynamic cloud_provider {\n    name")),
}


def findings(folder: Path, *arguments: str) -> list[tuple[str, int, int, str]]:
    """Path, line, column and rule of every finding, but for the bug of this version that `ignore-volume-az` meets."""
    done = run(folder, "lint", "--format=json", "--ignore=ccm-release-bug", *arguments)
    return [(one["path"], one["line"], one["column"], one["rule"]) for one in json.loads(done.out)["findings"]]


def test_what_rke_writes() -> None:
    (carried,) = find("cluster.yml", CLUSTER).carried
    assert carried.text == RENDERED
    assert (carried.carrier, carried.consumers) == ("RKE", (IN_TREE,))


def test_what_terraform_hands_to_it() -> None:
    (carried,) = find("main.tf", HCL).carried
    assert carried.stack.inner.startswith('[Global]\nauth-url = "https://keystone.example.com/v3"\nusername = "xxx')
    assert carried.stack.inner.endswith('[LoadBalancer]\nuse-octavia = "true"\nmonitor-delay = "5"\n')
    assert carried.consumers == (IN_TREE,)


@pytest.mark.parametrize("form", FORMS)
def test_a_finding_is_where_the_value_is(tmp_path: Path, form: str) -> None:
    name, text = FORMS[form]
    assert worth_parsing(text.encode(), name)
    put(tmp_path, {name: text})
    line = next(number for number, one in enumerate(text.splitlines(), 1) if "delay" in one)
    (found,) = findings(tmp_path)
    assert (found[0], found[1], found[3]) == (name, line, "duration-bad")


@pytest.mark.parametrize("form", FORMS)
def test_fix_edits_the_value(tmp_path: Path, form: str) -> None:
    name, text = FORMS[form]
    put(tmp_path, {name: text})
    assert run(tmp_path, "fix", "--write").code == 0
    assert (tmp_path / name).read_text() == text.replace('"5"', '"5s"').replace("delay: 5", "delay: 5s")


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_said_where_nothing_is_wrong(tmp_path: Path, form: str) -> None:
    name, text = FORMS[form]
    put(tmp_path, {name: text.replace('"5"', '"5s"').replace("delay: 5", "delay: 5s")})
    assert findings(tmp_path) == findings(tmp_path, name) == []
    (conf,) = json.loads(run(tmp_path, "list", "--format", "json").out)["cloud_confs"]
    assert conf["reader"] == IN_TREE


def test_another_cloud_s_provider_is_none() -> None:
    assert not find("cluster.yml", CLUSTER.replace("openstackCloud", "azureCloud")).carried
    assert not find("main.tf", HCL.replace("openstack_cloud_provider", "vsphere_cloud_provider")).carried
    assert not find("main.tf", HCL.replace("openstack_cloud_provider {", "openstack_cloud_provider = var.x")).carried


def test_no_secret_is_shown(tmp_path: Path) -> None:
    put(tmp_path, {"cluster.yml": CLUSTER, "main.tf": HCL.replace("var.password", '"s3cr3tpassw0rd"')})
    for arguments in (["lint"], ["lint", "--format=json"], ["fix"], ["show", "cluster.yml"], ["lint", "-vv"]):
        done = run(tmp_path, *arguments)
        assert done.out or done.err, arguments
        assert "s3cr3tpassw0rd" not in done.out + done.err, arguments


@pytest.mark.parametrize(
    ("block", "rendered"),
    [
        (
            'global { password = var.password }\n  load_balancer { monitor_delay = "5" }',
            '[Global]\npassword = "var.password"\n[LoadBalancer]\nmonitor-delay = "5"\n',
        ),
        (
            'global { password = var.password, auth_url = "http://k" }',
            '[Global]\npassword = "var.password"\nauth-url = "http://k"\n',
        ),
        (
            'global { password = "${var.a["b"]}", region = "a" }',
            '[Global]\npassword = ""${var.a["b"]}""\nregion = "a"\n',
        ),
        ('global {\n/* } */ region = "a" // }\n}', '[Global]\nregion = "a"\n'),
        ('global {\nname = "}{"\nregion = "a"\n}', '[Global]\nname = "}{"\nregion = "a"\n'),
    ],
)
def test_braces_that_end_a_line_a_text_or_a_comment(block: str, rendered: str) -> None:
    text = f'openstack_cloud_provider {{\n  {block}\n}}\nresource "a" "b" {{\n  global {{\n    region = "c"\n  }}\n}}\n'
    (carried,) = find("a.tf", text).carried
    assert carried.text == rendered


@pytest.mark.parametrize(
    ("block", "is_whole"),
    [
        ("load_balancer {\n create_monitor = true\n}", True),
        ('dynamic "load_balancer" {\n}\nglobal {\n auth_url = "a"\n}', False),
    ],
)
def test_what_a_block_of_terraform_leaves_out_is_missing(block: str, is_whole: bool) -> None:
    text = f'resource "rke_cluster" "a" {{\ncloud_provider {{\nopenstack_cloud_provider {{\n{block}\n}}\n}}\n}}\n'
    (carried,) = find("main.tf", text).carried
    assert (not carried.marks) is is_whole
