"""Values that several files lay over one another: judged as one, each finding where its value is set."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run

CHART = "openstack-cloud-controller-manager"
LOGIN = """\
cloudConfig:
  global:
    auth-url: https://keystone.example.com/v3
    application-credential-id: 0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f
    application-credential-secret: made-up
  loadBalancer:
    create-monitor: true
    lb-provider: ovn
    manage-security-groups: true
cluster: {name: prod}
"""
METHOD = "cloudConfig:\n  loadBalancer:\n    lb-method: {}\n"
WRONG, RIGHT = METHOD.format("ROUND_ROBIN"), METHOD.format("SOURCE_IP_PORT")


def lint(folder: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    """The path, the line and the rule of each finding."""
    put(folder, {**files})
    findings = json.loads(run(folder, "lint", "--format=json", ".").out)["findings"]
    return [(one["path"], one["line"], one["rule"]) for one in findings]


def application(files: str, more: str = "", chart: str = f"chart: {CHART}") -> str:
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: occm}\nspec:\n"
        f"  destination: {{namespace: kube-system}}\n  source:\n    repoURL: https://example.com\n    {chart}\n"
        f"    targetRevision: 2.31.2\n    helm:\n      valueFiles: [{files}]\n{more}"
    )


def release(sources: str, values: str = "") -> str:
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: occm, namespace: kube-system}\n"
        f"spec:\n  chart:\n    spec: {{chart: {CHART}, version: 2.31.2}}\n  valuesFrom:\n{sources}{values}"
    )


DAEMON_SET = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: openstack-cloud-controller-manager, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
      - name: openstack-cloud-controller-manager
        image: {}
        args: [/bin/openstack-cloud-controller-manager, --cloud-config=/etc/config/cloud.conf]
"""


def held(kind: str, name: str, text: str, field: str = "data") -> str:
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: kube-system}}\n{field}:\n  values.yaml: |\n{body}"


FILES = {"envs/base.yaml": LOGIN, "envs/prod.yaml": WRONG}


class TestArgoCd:
    def test_files_are_laid_over_one_another(self, tmp_path: Path) -> None:
        files = {**FILES, "app.yaml": application("$v/envs/base.yaml, $v/envs/prod.yaml")}
        assert lint(tmp_path, files) == [("envs/prod.yaml", 3, "ovn-lb-method")]
        assert lint(tmp_path, {"envs/prod.yaml": RIGHT}) == []

    def test_what_another_file_replaces_is_not_judged(self, tmp_path: Path) -> None:
        files = {**FILES, "envs/base.yaml": LOGIN.replace("create-monitor: true", "lb-method: ROUND_ROBIN")}
        files |= {"envs/prod.yaml": RIGHT, "app.yaml": application("$v/envs/base.yaml, $v/envs/prod.yaml")}
        assert [one for one in lint(tmp_path, files) if one[2] == "ovn-lb-method"] == []

    def test_values_and_parameters_come_last(self, tmp_path: Path) -> None:
        more = "      values: |\n        cloudConfig:\n          loadBalancer: {lb-method: LEAST_CONNECTIONS}\n"
        files = {**FILES, "app.yaml": application("$v/envs/base.yaml, $v/envs/prod.yaml", more)}
        assert lint(tmp_path, files) == [("app.yaml", 14, "ovn-lb-method")]
        more += "      parameters:\n      - {name: cloudConfig.loadBalancer.lb-method, value: SOURCE_IP_PORT}\n"
        files["app.yaml"] = application("$v/envs/base.yaml, $v/envs/prod.yaml", more)
        assert lint(tmp_path, files) == []

    def test_a_complete_chain_without_credentials_is_an_error(self, tmp_path: Path) -> None:
        files = {"envs/prod.yaml": RIGHT, "app.yaml": application("$v/envs/prod.yaml")}
        assert "auth-incomplete" in [rule for _, _, rule in lint(tmp_path, files)]

    def test_a_missing_link_is_said_and_leaves_what_is_missing_open(self, tmp_path: Path) -> None:
        files = {"envs/prod.yaml": RIGHT, "app.yaml": application("$v/envs/prod.yaml, $v/envs/secret.yaml")}
        assert lint(tmp_path, files) == []
        assert "app.yaml: values that are named there are not here" in run(tmp_path, "lint", "-v", ".").out
        assert lint(tmp_path, {"app.yaml": application("$v/envs/prod.yaml, '../../../etc/passwd'")}) == []

    def test_a_set_has_an_application_for_each_element(self, tmp_path: Path) -> None:
        template = application("$v/envs/base.yaml, '$v/envs/{{env}}.yaml'").partition("spec:\n")[2]
        body = "".join(f"    {line}\n" for line in template.splitlines())
        text = (
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: occm}\nspec:\n  generators:\n"
            "  - list: {elements: [{env: dev}, {env: prod}]}\n  template:\n"
            f"    metadata: {{name: 'occm-{{{{env}}}}'}}\n    spec:\n  {body.replace(chr(10), chr(10) + '  ').rstrip()}\n"
        )
        files = {**FILES, "envs/dev.yaml": RIGHT + "cluster: {name: dev}\n", "set.yaml": text}
        assert lint(tmp_path, files) == [("envs/prod.yaml", 3, "ovn-lb-method")]
        out = run(tmp_path, "list", ".").out
        assert "Application occm-prod" in out
        assert "cluster dev" in out
        assert "cluster prod" in out
        folders = text.replace("list: {elements: [{env: dev}, {env: prod}]}", "git: {directories: [{path: envs/*}]}")
        folders = folders.replace("envs/{{env}}.yaml", "{{path}}/v.yaml").replace("{{env}}", "{{path.basename}}")
        files = {"set.yaml": folders, "envs/dev/v.yaml": RIGHT, "envs/prod/v.yaml": WRONG, "envs/prod.yaml": ""}
        assert lint(tmp_path, files) == [("envs/prod/v.yaml", 3, "ovn-lb-method")]

    def test_a_chart_that_wraps_it(self, tmp_path: Path) -> None:
        chart = f"name: ccm\nversion: 0.1.0\ndependencies:\n- {{name: {CHART}, alias: occm, version: 2.31.2}}\n"
        wrapped = {"charts/ccm/Chart.yaml": chart, "charts/ccm/values.yaml": "occm:\n" + _indented(LOGIN)}
        files = {**wrapped, "charts/ccm/prod.yaml": "occm:\n" + _indented(WRONG)}
        files["app.yaml"] = application("prod.yaml", chart="path: charts/ccm")
        assert lint(tmp_path, files) == [("charts/ccm/prod.yaml", 4, "ovn-lb-method")]


class TestFlux:
    def test_objects_first_then_its_own_values(self, tmp_path: Path) -> None:
        own = "  values:\n    cloudConfig:\n      loadBalancer: {lb-method: SOURCE_IP_PORT}\n"
        files = {"v.yaml": held("ConfigMap", "base", LOGIN) + "---\n" + held("Secret", "s", WRONG, "stringData")}
        sources = "  - {kind: ConfigMap, name: base}\n  - {kind: Secret, name: s}\n"
        line = files["v.yaml"].splitlines().index("        lb-method: ROUND_ROBIN") + 1
        assert lint(tmp_path, {**files, "r.yaml": release(sources)}) == [("v.yaml", line, "ovn-lb-method")]
        assert lint(tmp_path, {"r.yaml": release(sources, own)}) == []

    def test_in_what_kustomize_builds(self, tmp_path: Path) -> None:
        files = {
            "kustomization.yaml": "resources: [r.yaml]\nconfigMapGenerator:\n- {name: base, files: [values.yaml]}\n",
            "values.yaml": LOGIN + "  # end\n",
            "r.yaml": release("  - {kind: ConfigMap, name: base}\n", "  values:\n" + _indented(WRONG, 4)),
        }
        assert lint(tmp_path, files) == [("r.yaml", 12, "ovn-lb-method")]

    def test_what_is_not_here_is_said(self, tmp_path: Path) -> None:
        files = {"r.yaml": release("  - {kind: Secret, name: gone}\n", "  values:\n" + _indented(RIGHT, 4))}
        assert lint(tmp_path, files) == []
        optional = files["r.yaml"].replace("name: gone", "name: gone, optional: true")
        assert [one[2] for one in lint(tmp_path, {"r.yaml": optional}) if one[2] == "auth-incomplete"]

    def test_a_key_that_may_be_in_what_is_not_here_is_not_missing(self, tmp_path: Path) -> None:
        files = {"r.yaml": release("  - {kind: Secret, name: gone}\n", "  values:\n" + _indented(LOGIN, 4))}
        assert lint(tmp_path, files) == []
        optional = files["r.yaml"].replace("name: gone", "name: gone, optional: true")
        assert "ovn-lb-method" in [rule for _, _, rule in lint(tmp_path, {"r.yaml": optional})]

    def test_one_value_of_a_secret(self, tmp_path: Path) -> None:
        secret = held("Secret", "s", "ROUND_ROBIN", "stringData").replace("yaml: |", "yaml: |-")
        target = "  - {kind: Secret, name: s, targetPath: cloudConfig.loadBalancer.lb-method}\n"
        files = {"r.yaml": release(target + "  - {kind: ConfigMap, name: base}\n"), "s.yaml": secret}
        files["v.yaml"] = held("ConfigMap", "base", LOGIN)
        assert [one[2] for one in lint(tmp_path, files)] == ["ovn-lb-method"]


@pytest.mark.parametrize("between", ["", "---\n"])
def test_helmfile(tmp_path: Path, between: str) -> None:
    files = {
        "helmfile.yaml": (
            f"environments: {{dev: {{}}, prod: {{}}}}\n{between}releases:\n- name: occm\n  namespace: kube-system\n"
            f"  chart: cpo/{CHART}\n  version: 2.31.2\n  values:\n  - envs/base.yaml\n"
            "  - envs/{{ .Environment.Name }}.yaml\n  - {image: {tag: v1.31.2}}\n"
        ),
        "envs/base.yaml": LOGIN,
        "envs/dev.yaml": RIGHT,
        "envs/prod.yaml": WRONG,
    }
    assert lint(tmp_path, files) == [("envs/prod.yaml", 3, "ovn-lb-method")]


def test_an_umbrella_chart_with_environments(tmp_path: Path) -> None:
    chart = f"name: platform\nversion: 0.1.0\ndependencies:\n- {{name: {CHART}, version: 2.31.2}}\n"
    own = f"{CHART}:\n"
    files = {"Chart.yaml": chart, "values.yaml": own + _indented(LOGIN)}
    files |= {"envs/dev.yaml": own + _indented(RIGHT), "envs/prod.yaml": own + _indented(WRONG)}
    assert lint(tmp_path, files) == [("envs/prod.yaml", 4, "ovn-lb-method")]


def test_other_charts_of_an_umbrella_are_judged_too(tmp_path: Path) -> None:
    chart = f"name: platform\nversion: 0.1.0\ndependencies:\n- {{name: {CHART}, version: 2.31.2}}\n"
    ingress = "ingress-nginx:\n  controller:\n    service:\n      annotations:\n"
    ingress += '        loadbalancer.openstack.org/keep-floatingip: "ja"\n'
    files = {"Chart.yaml": chart, "values.yaml": f"{CHART}:\n" + _indented(LOGIN) + ingress}
    files |= {"envs/dev.yaml": f"{CHART}:\n" + _indented(RIGHT), "envs/prod.yaml": f"{CHART}:\n" + _indented(RIGHT)}
    line = files["values.yaml"].count("\n")
    assert lint(tmp_path, files) == [("values.yaml", line, "svc-annotation-value")]
    app = application("values.yaml", chart="path: charts/platform")
    assert lint(tmp_path / "argo", {"app.yaml": app} | {f"charts/platform/{name}": files[name] for name in files})


@pytest.mark.parametrize(
    ("switch", "own", "more", "is_rendered"),
    [
        ("condition: ingress-nginx.enabled", {"enabled": False}, {}, False),
        ("condition: ingress-nginx.enabled", {"enabled": True}, {}, True),
        ("condition: ingress-nginx.enabled", {}, {}, True),
        ("condition: ingress-nginx.enabled", {"enabled": "false"}, {}, True),
        ("condition: 'ingress-nginx.enabled, global.on'", {}, {"global": {"on": False}}, False),
        ("condition: 'ingress-nginx.enabled, global.on'", {"enabled": True}, {"global": {"on": False}}, True),
        ("tags: [front, edge]", {}, {"tags": {"front": False}}, False),
        ("tags: [front, edge]", {}, {"tags": {"front": False, "edge": True}}, True),
        ("tags: [front], condition: ingress-nginx.enabled", {"enabled": True}, {"tags": {"front": False}}, True),
    ],
)
@pytest.mark.parametrize("ccm", [f"- {{name: {CHART}, version: 2.31.2}}\n", ""])
@pytest.mark.parametrize("has_environments", [True, False])
def test_a_chart_that_the_values_leave_out(
    tmp_path: Path,
    switch: str,
    own: dict[str, object],
    more: dict[str, object],
    ccm: str,
    *,
    is_rendered: bool,
    has_environments: bool,
) -> None:
    chart = f"name: platform\nversion: 0.1.0\ndependencies:\n{ccm}- {{name: ingress-nginx, {switch}}}\n"
    annotations = {"loadbalancer.openstack.org/keep-floatingip": "ja"}
    merged = {**more, "ingress-nginx": {**own, "controller": {"service": {"annotations": annotations}}}}
    values = "".join(f"{name}: {json.dumps(value)}\n" for name, value in merged.items())
    files = {"Chart.yaml": chart, "values.yaml": (f"{CHART}:\n" + _indented(LOGIN) if ccm else "") + values}
    environments = {"values-prod.yaml": f"{CHART}: {{cluster: {{name: prod}}}}\n"} if has_environments else {}
    found = [rule for _, _, rule in lint(tmp_path, {**files, **environments}) if rule.startswith("svc")]
    assert found == ["svc-annotation-value"] * is_rendered
    if ccm and not has_environments:
        app = application("values.yaml", chart="path: charts/platform")
        placed = {f"charts/platform/{name}": text for name, text in files.items()}
        of_app = lint(tmp_path / "argo", {"app.yaml": app, **placed})
        assert [rule for _, _, rule in of_app if rule.startswith("svc")] == found


def test_a_ccm_that_an_environment_leaves_out(tmp_path: Path) -> None:
    chart = "name: platform\nversion: 0.1.0\ndependencies:\n"
    chart += f"- {{name: {CHART}, version: 2.31.2, alias: ccm, condition: ccm.enabled}}\n"
    values = "ccm:\n  enabled: {}\n"
    files = {"Chart.yaml": chart, "values.yaml": values.format("true") + _indented(WRONG)}
    files |= {"envs/dev.yaml": values.format("false"), "envs/prod.yaml": "ccm:\n" + _indented(RIGHT)}
    assert lint(tmp_path, files) == []


def test_variables_of_groups(tmp_path: Path) -> None:
    files = {
        "inventory/a/group_vars/all/openstack.yml": "external_openstack_lbaas_provider: ovn\n",
        "inventory/a/group_vars/k8s_cluster/lb.yml": "external_openstack_lbaas_method: ROUND_ROBIN\n",
        "inventory/b/group_vars/all/openstack.yml": "external_openstack_lbaas_method: ROUND_ROBIN\n",
    }
    assert lint(tmp_path, files) == [("inventory/a/group_vars/k8s_cluster/lb.yml", 1, "ovn-lb-method")]


def test_variables_beside_them_say_which_kubespray_it_is(tmp_path: Path) -> None:
    own = "external_openstack_username: u\nexternal_openstack_password: canary-7f3a9b\ncinder_csi_enabled: true\n"
    files = {
        "inventory/a/group_vars/all/openstack.yml": own,
        "inventory/a/group_vars/all/all.yml": "cloud_provider: external\nexternal_cloud_provider: openstack\n",
        "inventory/a/group_vars/k8s_cluster/k8s-cluster.yml": "kube_version: v1.21.5\n",
        "inventory/a/group_vars/k8s_cluster/storage.yml": "cinder_password: canary-7f3a9b\n",
    }
    assert lint(tmp_path, files) == [
        ("inventory/a/group_vars/all/openstack.yml", line, "installer-setting") for line in (1, 1, 3)
    ]
    result = run(tmp_path, "lint", "-v", ".")
    assert "Kubespray 2.17.0 writes neither `username`" in result.out
    assert "canary-7f3a9b" not in result.out + result.err
    files["inventory/a/group_vars/k8s_cluster/storage.yml"] += "cinder_username: u\n"
    files["inventory/a/group_vars/k8s_cluster/k8s-cluster.yml"] = "kube_version: v1.36.1\n"
    assert lint(tmp_path, files) == []


@pytest.mark.parametrize("top", ["", "ansible/"])
def test_defaults_of_a_role_lie_below_variables_of_groups(tmp_path: Path, top: str) -> None:
    defaults = "external_openstack_lbaas_provider: ovn\nexternal_openstack_lbaas_method: ROUND_ROBIN\n"
    files = {
        f"{top}roles/lb/occm/defaults/main.yml": defaults,
        f"{top}inventory/a/group_vars/all/openstack.yml": "external_openstack_lbaas_method: SOURCE_IP_PORT\n",
    }
    assert lint(tmp_path, files) == []
    own = {f"{top}inventory/b/group_vars/all/openstack.yml": "external_openstack_lbaas_enabled: true\n"}
    assert lint(tmp_path, own) == [(f"{top}roles/lb/occm/defaults/main.yml", 2, "ovn-lb-method")]


def test_defaults_of_several_roles_are_each_role_s_own(tmp_path: Path) -> None:
    delay = "external_openstack_lbaas_monitor_delay: {}\n"
    files = {
        "roles/a/defaults/main.yml": delay.format(5),
        "roles/b/defaults/main.yml": delay.format("7s"),
        "inventory/prod/group_vars/all/o.yml": "external_openstack_lbaas_enabled: true\n",
    }
    assert lint(tmp_path, files) == [("roles/a/defaults/main.yml", 1, "duration-bad")]
    assert lint(tmp_path, {"inventory/prod/group_vars/all/o.yml": delay.format("3s")}) == []


def test_a_sample_of_an_inventory_says_nothing_about_a_role(tmp_path: Path) -> None:
    defaults = 'external_openstack_cloud_controller_image_tag: "v1.26.0"\nexternal_openstack_region: R\n'
    role = "roles/openstack/"
    image = "{{ external_openstack_cloud_controller_image_repo }}:{{ external_openstack_cloud_controller_image_tag }}"
    put(tmp_path, {f"{role}defaults/main.yml": defaults})
    put(
        tmp_path,
        {
            f"{role}templates/cloud-config.j2": "[Global]\nauth-url=https://k/v3\nregion={{ region }}\n[LoadBalancer]\nenabled=true\n"
        },
    )
    put(tmp_path, {f"{role}templates/ds.yml.j2": DAEMON_SET.format(image)})
    for inventory in ("sample", "prod"):
        put(tmp_path, {f"inventory/{inventory}/group_vars/all/o.yml": "external_openstack_lbaas_enabled: true\n"})
        listed = run(tmp_path, "list", ".").out.partition(f"{role}templates/cloud-config.j2:1")[2]
        assert f"release v1.26.0, from {role}defaults/main.yml:1" in listed.partition("no Services")[0]


def test_defaults_of_a_role_elsewhere_are_their_own(tmp_path: Path) -> None:
    files = {
        "other/roles/occm/defaults/main.yml": "external_openstack_lbaas_monitor_delay: 5\n",
        "inventory/group_vars/all/openstack.yml": "external_openstack_lbaas_monitor_delay: 5s\n",
    }
    assert lint(tmp_path, files) == [("other/roles/occm/defaults/main.yml", 1, "duration-bad")]


def test_the_fix_is_made_where_the_value_is(tmp_path: Path) -> None:
    lint(tmp_path, {**FILES, "app.yaml": application("$v/envs/base.yaml, $v/envs/prod.yaml")})
    run(tmp_path, "fix", "--write", ".")
    assert (tmp_path / "envs/prod.yaml").read_text("utf-8") == RIGHT
    assert (tmp_path / "envs/base.yaml").read_text("utf-8") == LOGIN


def test_no_secret_of_a_chain_is_shown(tmp_path: Path) -> None:
    login = LOGIN.replace("made-up", "canary-7f3a9b")
    put(tmp_path, {"envs/base.yaml": login, "envs/prod.yaml": WRONG})
    put(tmp_path, {"app.yaml": application("$v/envs/base.yaml, $v/envs/prod.yaml")})
    for command in (("lint", "-v"), ("list", "-v"), ("predict",), ("fix", "--diff"), ("show",), ("read",)):
        result = run(tmp_path, *command, ".")
        assert "canary-7f3a9b" not in result.out + result.err


@pytest.mark.parametrize(
    "text",
    [
        application("[[], {}]"),
        application("'$'"),
        release("  - 1\n  - {kind: ConfigMap}\n"),
        "kind: ApplicationSet\nspec: {generators: [{matrix: {generators: [1, 2]}}], template: x}\nvalueFiles: 1\n",
        "kind: Application\nspec: {sources: [{helm: {valueFiles: [a]}}]}\n",
        "releases: [1, {chart: x}]\nvalueFiles: []\n",
    ],
)
def test_what_makes_no_sense(tmp_path: Path, text: str) -> None:
    put(tmp_path, {"app.yaml": text})
    assert run(tmp_path, "lint", ".").code in (0, 1)


def _indented(text: str, by: int = 2) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


MINE = (
    "cluster: {name: prod}\ncloudConfig:\n  loadBalancer: {floating-network-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11}\n"
)


@pytest.mark.parametrize(
    ("head", "field", "text", "found"),
    [
        ("HelmChart", "valuesContent", MINE, True),
        ("HelmChart", "valuesSecrets: [{name: login, keys: [v.yaml]}]\n  valuesContent", MINE, False),
        ("HelmChartProxy", "valuesTemplate", MINE, True),
        (
            "HelmChartProxy",
            "valuesTemplate",
            MINE.replace("cloudConfig:\n", "cloudConfig:\n  {{ if .x }}\n  global: {{ .y }}\n  {{ end }}\n"),
            False,
        ),
        ("HelmChartProxy", "valuesTemplate", MINE.replace("1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11", "{{ .x }}"), True),
    ],
)
def test_credentials_that_other_values_or_a_template_may_add_are_not_missing(
    tmp_path: Path, head: str, field: str, text: str, *, found: bool
) -> None:
    chart = f"chart: {CHART}" if head == "HelmChart" else f"chartName: {CHART}"
    obj = f"apiVersion: v1\nkind: {head}\nmetadata: {{name: occm}}\nspec:\n  {chart}\n  version: 2.32.0\n  {field}: |\n"
    rules = [rule for _, _, rule in lint(tmp_path, {"occm.yaml": obj + _indented(text, 4)})]
    assert ("auth-incomplete" in rules) is found


CONTROLLER = (
    "apiVersion: helm.cattle.io/v1\nkind: {}\nmetadata: {{name: {}, namespace: {}}}\nspec:\n  {}valuesContent: |-\n{}"
)


def of_rancher(kind: str, values: str, name: str = "occm", namespace: str = "kube-system") -> str:
    chart = f"chart: {CHART}\n  version: 2.31.2\n  " if kind == "HelmChart" else ""
    values += 'nodeSelector: {node-role.kubernetes.io/control-plane: "true"}\n' if chart else ""
    body = "".join(f"    {line}\n" for line in values.splitlines())
    return CONTROLLER.format(kind, name, namespace, chart, body)


class TestHelmChartConfig:
    def test_over_the_values_of_the_chart(self, tmp_path: Path) -> None:
        files = {"occm.yaml": of_rancher("HelmChart", LOGIN)}
        files["config.yaml"] = of_rancher("HelmChartConfig", WRONG)
        assert lint(tmp_path, files) == [("config.yaml", 8, "ovn-lb-method")]
        assert lint(tmp_path, {"config.yaml": of_rancher("HelmChartConfig", RIGHT)}) == []
        listed = run(tmp_path, "list", ".").out
        assert "cluster prod" in listed
        assert listed.count("read by") == 1

    def test_in_one_file(self, tmp_path: Path) -> None:
        text = of_rancher("HelmChart", LOGIN) + "---\n" + of_rancher("HelmChartConfig", WRONG)
        assert [rule for _, _, rule in lint(tmp_path, {"occm.yaml": text})] == ["ovn-lb-method"]

    def test_of_another_chart(self, tmp_path: Path) -> None:
        for name, namespace in (("other", "kube-system"), ("occm", "elsewhere")):
            files = {"occm.yaml": of_rancher("HelmChart", LOGIN)}
            files["config.yaml"] = of_rancher("HelmChartConfig", RIGHT, name, namespace)
            assert ("occm.yaml", "ovn-lb-method") in [(path, rule) for path, _, rule in lint(tmp_path, files)]

    @pytest.mark.parametrize(
        ("name", "values", "services"),
        [
            ("traefik", "service: {spec: {externalTrafficPolicy: Local}}", "traefik"),
            (
                "rke2-ingress-nginx",
                "controller: {service: {enabled: true, externalTrafficPolicy: Local}}",
                "rke2-ingress-nginx-controller",
            ),
            ("rke2-ingress-nginx", "controller: {service: {externalTrafficPolicy: Local}}", ""),
            ("rke2-traefik", "service: {type: LoadBalancer}", "rke2-traefik"),
            ("rke2-traefik", "service: {spec: {externalTrafficPolicy: Local}}", ""),
        ],
    )
    def test_packaged_charts(self, tmp_path: Path, name: str, values: str, services: str) -> None:
        put(
            tmp_path,
            {"occm.yaml": of_rancher("HelmChart", LOGIN), "c.yaml": of_rancher("HelmChartConfig", values, name)},
        )
        listed = run(tmp_path, "list", ".").out
        assert (f"Service: kube-system/{services}" in listed) if services else ("no Services" in listed)


def test_services_belong_to_the_application_whose_values_are_beside_them(tmp_path: Path) -> None:
    template = application("$v/clusters/{{cluster}}/occm.yaml").replace(
        "kind: Application\nmetadata: {name: occm}\n", ""
    )
    spec = "".join(f"    {line}\n" for line in template.splitlines()[1:])
    elements = "spec:\n  generators:\n  - list: {elements: [{cluster: dev}, {cluster: prod}]}\n  template:\n"
    files = {
        "argo/set.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: occm}\n"
        f'{elements}    metadata: {{name: "occm-{{{{cluster}}}}"}}\n{spec}'
    }
    for cluster in ("dev", "prod"):
        classes = '[LoadBalancerClass "fast"]\nsubnet-id = a\n' if cluster == "dev" else ""
        contents = f"[Global]\nuse-clouds = true\ncloud = x\n{classes}[LoadBalancer]\ncreate-monitor = true\n"
        body = "".join(f"  {line}\n" for line in contents.splitlines())
        files[f"clusters/{cluster}/occm.yaml"] = f"cluster: {{name: {cluster}}}\ncloudConfigContents: |\n{body}"
        files[f"clusters/{cluster}/web.yaml"] = (
            f"apiVersion: v1\nkind: Service\nmetadata:\n  name: {cluster}\n"
            '  annotations: {loadbalancer.openstack.org/class: "fast"}\n'
            "spec: {type: LoadBalancer, selector: {a: b}, ports: [{port: 80}]}\n"
        )
    found = lint(tmp_path, files)
    assert ("clusters/prod/web.yaml", 5, "svc-class") in found
    assert ("clusters/dev/web.yaml", 5, "svc-class") not in found
    listed = run(tmp_path, "list", ".").out
    assert listed.count("1 Service:") == 2
