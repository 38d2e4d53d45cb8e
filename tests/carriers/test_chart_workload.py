"""The workload that the CCM's chart makes of its values: as Helm renders it, and judged at the values that decide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chart_ours import judged
from command_line import put, run

from ccmcheck.carriers import find

RECORDS = [
    json.loads(line) for line in (Path(__file__).parent / "data" / "ccm_chart.jsonl").read_text("utf-8").splitlines()
]
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: occm, namespace: kube-system}}
spec:
  chart:
    spec: {{chart: openstack-cloud-controller-manager, version: {version}}}
  values:
    {values}
"""
LOGIN = """\
cloudConfig:
      global:
        auth-url: https://keystone.example.com/v3
        application-credential-id: 0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f
        application-credential-secret: made-up
      loadBalancer: {floating-network-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11, create-monitor: true}"""


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["version"])
def test_it_is_what_helm_renders(record: dict[str, Any]) -> None:
    ours = judged(record["version"], record["values"])
    theirs = {name: value for name, value in record["made"].items() if name in ours or name != "image"}
    assert json.loads(json.dumps(ours)) == theirs


def lint(tmp_path: Path, text: str, name: str = "release.yaml") -> list[tuple[int, str, str]]:
    put(tmp_path, {name: text})
    findings = json.loads(run(tmp_path, "lint", "--format=json", ".").out)["findings"]
    of_release = "ccm-release-bug"  # what the chart's release is known for, whatever its values say
    return [(one["line"], one["severity"], one["rule"]) for one in findings if one["rule"] != of_release]


def release(values: str, version: str = "2.31.0") -> str:
    return RELEASE.format(values=values, version=version)


def test_a_release_with_all_that_it_needs_is_silent(tmp_path: Path) -> None:
    assert lint(tmp_path, release(f"cluster: {{name: prod}}\n    {LOGIN}")) == []


@pytest.mark.parametrize(
    ("values", "version", "expected"),
    [
        (LOGIN, "2.31.0", (8, "warning", "cluster-name-default")),
        (f"cluster: {{name: kubernetes}}\n    {LOGIN}", "2.31.0", (8, "warning", "cluster-name-default")),
        (f"cluster: {{name: a}}\n    tolerations: []\n    {LOGIN}", "2.31.0", (9, "error", "ccm-tolerations")),
        (
            f"cluster: {{name: a}}\n    {LOGIN}".replace("auth-url", "ca-file: /etc/config/ca.pem\n        auth-url"),
            "2.31.0",
            (11, "error", "ca-file-unmounted"),
        ),
        (
            f"cluster: {{name: a}}\n    {LOGIN}\n      route: {{router-id: x}}",
            "2.29.0",
            (15, "error", "helm-section-name"),
        ),
        (
            f"cluster: {{name: a}}\n    {LOGIN}\n      loadBalancerClass: {{gold: {{subnet-id: x}}}}",
            "2.31.0",
            (15, "error", "helm-section-name"),
        ),
        ("cluster: {name: a}", "2.31.0", (6, "error", "auth-incomplete")),
        (f"cluster: {{name: a}}\n    {LOGIN}", "1.0.1", (9, "error", "ccm-role")),
        ("cluster: {name: a}\n    cloudConfig: {global: {region: R}}", "2.31.0", (9, "error", "auth-incomplete")),
    ],
)
def test_a_mistake_is_found_where_the_value_is(
    tmp_path: Path, values: str, version: str, expected: tuple[int, str, str]
) -> None:
    assert expected in lint(tmp_path, release(values, version))


@pytest.mark.parametrize(
    "more",
    [
        "valuesFrom: [{kind: Secret, name: occm}]",
        "postRenderers: [{kustomize: {patches: []}}]",
    ],
)
def test_values_that_others_are_laid_over_are_not_judged_for_what_they_leave_out(tmp_path: Path, more: str) -> None:
    text = release("cloudConfig: {global: {region: R}}") + f"  {more}\n"
    assert lint(tmp_path, text) == []


def test_a_values_file_alone_is_judged_for_what_it_sets(tmp_path: Path) -> None:
    text = "cloudConfig:\n  global: {region: R}\ntolerations: []\ncluster: {name: kubernetes}\n"
    assert lint(tmp_path, text, "values.yaml") == [
        (3, "error", "ccm-tolerations"),
        (4, "warning", "cluster-name-default"),
    ]
    values = "cloudConfig:\n  global: {region: R}\n"
    assert lint(tmp_path, values, "values.yaml") == []
    (tmp_path / "web.yaml").write_text(
        "kind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n", encoding="utf-8"
    )
    assert lint(tmp_path, values, "values.yaml") == [(1, "info", "cluster-name-default")]
    assert lint(tmp_path, values + "cluster: {name: prod}\n", "values.yaml") == []
    assert lint(tmp_path, values + "cluster: {name: '{{ .Values.name }}'}\n", "values.yaml") == []


def test_predict_names_load_balancers_by_the_chart_s_cluster_name(tmp_path: Path) -> None:
    service = "---\nkind: Service\napiVersion: v1\nmetadata: {name: web, namespace: shop}\nspec: {type: LoadBalancer, selector: {a: b}, ports: [{port: 80}]}\n"
    put(tmp_path, {"release.yaml": release(f"cluster: {{name: prod}}\n    {LOGIN}") + service})
    assert "kube_service_prod_shop_web" in run(tmp_path, "predict", "--format=json", ".").out


def test_the_last_flag_of_a_name_counts() -> None:
    values = "cluster: {name: a}\n    controllerExtraArgs: |\n      - --cluster-name=b"
    (_, pod) = find("release.yaml", release(values)).pods
    assert pod.cluster_name == "b"


@pytest.mark.parametrize("sections", ["{}", "{global: {}}", "{global: {}, loadBalancer: {}}"])
def test_a_map_without_a_value_is_a_cloud_conf_without_a_login(tmp_path: Path, sections: str) -> None:
    values = f"cloudConfig: {sections}\n    cluster: {{name: prod}}"
    put(tmp_path, {"a.yaml": RELEASE.format(version="2.31.2", values=values)})
    assert "auth-incomplete" in run(tmp_path, "lint", ".").out
    put(tmp_path, {"a.yaml": RELEASE.format(version="2.31.2", values=values + "\n    secret: {create: false}")})
    assert "auth-incomplete" not in run(tmp_path, "lint", ".").out
