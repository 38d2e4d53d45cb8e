"""Nodes in files: what is said of them is true of their own cluster, and of all its nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths

CONF = "[Global]\nauth-url=https://keystone.example.org/v3\nusername=k\npassword=s\nuser-domain-name=d\ntenant-id=t\nregion=RegionOne\n"
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
NODE = """\
apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{{labels}}}}}
spec: {{providerID: 'openstack://{region}/8aa9d9b3-5a6a-4b0f-9c1d-3f2e1d0c9b8a'}}
status:
  addresses: [{{type: InternalIP, address: 10.0.0.1}}]
---
"""
OUT = "node.kubernetes.io/exclude-from-external-load-balancers: ''"


def node(name: str, labels: str = "", region: str = "") -> str:
    return NODE.format(name=name, labels=labels, region=region)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"cp.yaml": node("cp", OUT)}, "the only node is left out"),
        ({"cp.yaml": node("cp", OUT), "w.yaml": node("w")}, ""),
        ({"cp/node.yaml": node("cp", OUT), "w/node.yaml": node("w")}, ""),
        ({"all.yaml": node("a", OUT) + node("b", OUT)}, "all 2 nodes are left out"),
        ({"all.yaml": node("a", OUT) + node("b", OUT), "w.yaml": node("w")}, ""),
        ({"a/cloud.conf": CONF, "a/n.yaml": node("a", region="RegionTwo")}, "has an ID of region `RegionTwo`"),
        ({"a/cloud.conf": CONF, "a/nodes/n.yaml": node("a", region="RegionTwo")}, "has an ID of region `RegionTwo`"),
        ({"a/cloud.conf": CONF, "b/n.yaml": node("b", region="RegionTwo")}, ""),
    ],
)
def test_what_is_said_of_a_cluster(files: dict[str, str], words: str, tmp_path: Path) -> None:
    shared = {} if any(name.endswith("conf") for name in files) else {"cloud.conf": CONF, "svc.yaml": SERVICE}
    for name, text in {**shared, **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = check_paths([str(tmp_path)], LintOptions(select=("node-no-member",)))
    found = [one.label for one in result.findings if one.severity.name != "INFO"]
    assert bool(found) == bool(words)
    assert all(words in one for one in found)


@pytest.mark.parametrize(
    ("line", "release", "stay"),
    [
        ("manage-security-groups = true", "v1.31.2", True),
        ("manage-security-groups = false", "v1.31.2", False),
        ("# manage-security-groups = true", "v1.31.2", False),
        ("manage-security-groups = true", "v1.23.4", False),
    ],
)
def test_groups_stay_on_a_node_that_was_a_member(line: str, release: str, stay: bool, tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text(f"{CONF}[LoadBalancer]\n{line}\n", encoding="utf-8")
    (tmp_path / "nodes.yaml").write_text(node("a", OUT) + node("b"), encoding="utf-8")
    (tmp_path / "svc.yaml").write_text(SERVICE, encoding="utf-8")
    result = check_paths([str(tmp_path)], LintOptions(select=("node-no-member",), releases=(release,)))
    (found,) = result.findings
    assert found.label.startswith("gets no traffic from load balancers")
    assert ("keeps the security groups" in found.detail and "lb-sg-" in found.help) is stay
