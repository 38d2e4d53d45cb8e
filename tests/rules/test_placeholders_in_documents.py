"""Placeholders in documents: their readers put in what they want, so that none is reported unless the page is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

CONF = "[Global]\nauth-url=https://k.example.com/v3\npassword=<password>\n[LoadBalancer]\nfloating-network-id=<ID>\n"
SERVICE = "kind: Service\nmetadata: {name: a}\nspec: {type: LoadBalancer, loadBalancerIP: <IP>, ports: [{port: 80}]}\n"


def rules(folder: Path, *paths: str) -> set[str]:
    return {one["rule"] for one in json.loads(run(folder, "lint", "--format=json", *paths).out)["findings"]}


@pytest.mark.parametrize(("block", "rule"), [(CONF, "placeholder-left"), (SERVICE, "svc-lbip")])
def test_only_a_named_page_has_its_placeholders_reported(block: str, rule: str, tmp_path: Path) -> None:
    put(tmp_path, {"docs/page.md": f"```\n{block}```\n"})
    assert rule not in rules(tmp_path)
    assert rule in rules(tmp_path, "docs/page.md")


CLASS = (
    "kind: Service\nmetadata: {name: a, annotations: {loadbalancer.openstack.org/class: internet}}\n"
    "spec: {type: LoadBalancer, ports: [{port: 80}]}\n"
)


def test_a_page_is_not_asked_for_classes_of_a_cloud_conf_near_it(tmp_path: Path) -> None:
    conf = "[Global]\nauth-url=https://k.example.com/v3\nusername=u\nuser-domain-name=d\npassword=p\ntenant-id=t\n"
    put(tmp_path, {"cloud.conf": conf, "docs/page.md": f"```yaml\napiVersion: v1\n{CLASS}```\n"})
    assert "svc-class" not in rules(tmp_path)
    put(tmp_path, {"service.yaml": f"apiVersion: v1\n{CLASS}"})
    assert "svc-class" in rules(tmp_path)
