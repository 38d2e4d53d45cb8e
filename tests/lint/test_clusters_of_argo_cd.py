"""Clusters that Applications of Argo CD name: two of one name in one project share load balancers."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import put, run

SOURCE = """\
source:
  chart: openstack-cloud-controller-manager
  repoURL: https://kubernetes.github.io/cloud-provider-openstack
  targetRevision: 2.32.0
  helm:
    values: |
      cluster:
        name: "{cluster}"
      cloudConfig:
        global:
          auth-url: https://keystone.example.com:5000/v3
          region: R1
          tenant-name: "{project}"
          username: u
          password: p
        loadBalancer:
          floating-network-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
"""


def application(name: str, cluster: str, project: str, server: str) -> str:
    spec = SOURCE.format(cluster=cluster, project=project).replace("\n", "\n  ").rstrip()
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
        f"metadata: {{name: {name}, namespace: argocd}}\nspec:\n"
        f"  destination: {{server: {server}, namespace: kube-system}}\n  {spec}\n"
    )


def application_set(cluster: str, project: str) -> str:
    spec = SOURCE.format(cluster=cluster, project=project).replace("\n", "\n      ").rstrip()
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: occm, namespace: argocd}\nspec:\n"
        "  generators:\n  - list:\n      elements:\n      - {cluster: a, name: prod}\n      - {cluster: b, name: prod}\n"
        "  template:\n    metadata: {name: 'occm-{{cluster}}'}\n    spec:\n"
        f"      destination: {{server: 'https://{{{{cluster}}}}', namespace: kube-system}}\n      {spec}\n"
    )


def shared(folder: Path) -> list[str]:
    return run(folder, "lint", "--format=concise", "--select=cluster-name-shared", ".").out.splitlines()


@pytest.mark.parametrize(
    ("cluster", "project", "count"), [("{{name}}", "p", 2), ("{{cluster}}", "p", 0), ("{{name}}", "p-{{cluster}}", 0)]
)
def test_the_elements_of_an_application_set(tmp_path: Path, cluster: str, project: str, count: int) -> None:
    put(tmp_path, {"occm.yaml": application_set(cluster, project)})
    label = "cluster-name: the CCM in each of https://a, https://b has the same name in the same project"
    assert [line.endswith(label) for line in shared(tmp_path)] == [True] * count


@pytest.mark.parametrize(
    ("second", "count"),
    [(("b", "prod", "p", "https://b"), 2), (("b", "prod", "p", "https://a"), 0), (("b", "dev", "p", "https://b"), 0)],
)
def test_applications(tmp_path: Path, second: tuple[str, str, str, str], count: int) -> None:
    put(tmp_path, {"a.yaml": application("a", "prod", "p", "https://a"), "b.yaml": application(*second)})
    assert len(shared(tmp_path)) == count


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        ("server: https://a:6443/", "server: https://A:6443", 0),
        ("server: https://a", "server: https://a:443", 0),
        ("name: in-cluster", "server: https://kubernetes.default.svc", 0),
        ("name: c1", "server: https://192.0.2.1:6443", 0),
        ("name: c1", "server: https://kubernetes.default.svc", 0),
        ("name: c1", "name: c2", 2),
        ("name: in-cluster", "name: c2", 2),
        ("name: in-cluster", "server: https://b", 2),
    ],
)
def test_destinations(tmp_path: Path, first: str, second: str, count: int) -> None:
    pair = [
        application(name, "prod", "p", "X").replace("server: X", one) for name, one in (("a", first), ("b", second))
    ]
    put(tmp_path, {"a.yaml": pair[0], "b.yaml": pair[1]})
    assert len(shared(tmp_path)) == count
    put(tmp_path, {"a.yaml": "---\n".join(pair), "b.yaml": ""})
    assert len(shared(tmp_path)) == count


def test_a_fix_of_what_all_elements_are_made_from(tmp_path: Path) -> None:
    put(tmp_path, {"occm.yaml": application_set("{{cluster}}", "p")})
    assert run(tmp_path, "fix", "--unsafe", "--select=create-monitor-implicit", "--write", ".").code == 0
    text = (tmp_path / "occm.yaml").read_text()
    assert text.count("          create-monitor: true\n") == 1
    assert run(tmp_path, "lint", "--select=create-monitor-implicit", ".").code == 0


def test_what_a_parameter_sets_is_found_and_fixed_in_the_file_that_has_it(tmp_path: Path) -> None:
    keys = f"max-shared-lb: {{{{shared}}}}\n{' ' * 16}monitor-delay: {{{{delay}}}}"
    text = application_set("{{name}}", "p").replace("floating-network-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11", keys)
    generator = "- git:\n      files:\n      - path: clusters/*/config.yaml\n"
    start, end = text.index("- list:"), text.index("  template:")
    text = text[:start] + generator + text[end:]
    config = "name: a\ncluster: a\ndelay: {}\nshared: '{}'\n"
    put(tmp_path, {"occm.yaml": text})
    put(
        tmp_path, {"clusters/a/config.yaml": config.format("5s", "many"), "clusters/b/config.yaml": config.format(5, 2)}
    )
    lines = run(tmp_path, "lint", "--format=concise", ".").out.splitlines()
    errors = [line.split()[:3] for line in lines if "the CCM stops here" in line]
    assert errors == [
        ["clusters/a/config.yaml:4:10:", "error", "uint-bad:"],
        ["clusters/b/config.yaml:3:8:", "error", "duration-bad:"],
    ]
    run(tmp_path, "fix", "--write", ".")
    assert (tmp_path / "clusters/b/config.yaml").read_text() == config.format("5s", 2)


def test_a_class_that_no_cluster_has(tmp_path: Path) -> None:
    service = (
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n"
        "  annotations: {loadbalancer.openstack.org/class: premium}\n"
        "spec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    )
    keys = "floating-network-id: {{net}}"
    text = application_set("{{cluster}}", "p").replace(
        "floating-network-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11", keys
    )
    for letter in "ab":
        network = f"1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a1{letter}"
        text = text.replace(f"{{cluster: {letter}, ", f"{{cluster: {letter}, net: {network}, ")
    text = text.replace("username: u", "username: u\n                user-domain-name: d")
    put(tmp_path, {"occm.yaml": text, "web.yaml": service})
    said = run(tmp_path, "lint", "--format=concise", "--select=svc-class", ".").out
    assert "web.yaml:5:51: error svc-class: " in said
    assert "no class `premium` in cloud.conf" in said
