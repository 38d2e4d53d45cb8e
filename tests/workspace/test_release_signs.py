"""What tells the CCM's release: tags beside images, variables, installed charts, the chart of a template, scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run
from gits import CONF, git
from release_repositories import IMAGE, found, put, release_of, workload


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


VARIABLE = "external_openstack_cloud_controller_image_tag"


class TestTagsElsewhere:
    def test_an_image_with_its_tag_beside_it(self, repository: Path) -> None:
        put(repository, {"values.yaml": f"ccm:\n  image: {IMAGE}\n  tag: v1.24.0\n", "templates/cloud.conf": CONF})
        assert found(repository, "templates/cloud.conf").place == "values.yaml:3"
        put(repository, {"values.yaml": f"ccm:\n  image: {IMAGE}\n  tag: latest\n"})
        assert release_of(repository, "templates/cloud.conf") == ""
        put(repository, {"values.yaml": f"# {IMAGE}\ncsi: {{image: x/cinder-csi-plugin, tag: v1.24.0}}\n"})
        assert release_of(repository, "templates/cloud.conf") == ""

    def test_a_variable_that_an_image_names(self, repository: Path) -> None:
        put(
            repository,
            {
                "roles/ccm/templates/cloud.conf.j2": CONF,
                "roles/ccm/templates/ds.yml.j2": workload(f"{{{{ {VARIABLE} }}}}"),
                "roles/ccm/defaults/main.yml": f"{VARIABLE}: v1.18.0\n",
                "other.yaml": workload("v1.30.0"),
            },
        )
        assert found(repository, "roles/ccm/templates/cloud.conf.j2").place == "roles/ccm/defaults/main.yml:1"

    def test_a_role_s_defaults_are_for_the_role(self, repository: Path) -> None:
        put(repository, {"roles/ccm/defaults/main.yml": f"{VARIABLE}: v1.18.0\n", "roles/x/files/cloud.conf": CONF})
        assert release_of(repository, "roles/x/files/cloud.conf") == ""
        put(repository, {"group_vars/all.yml": f"{VARIABLE}: v1.19.0\n"})
        assert release_of(repository, "roles/x/files/cloud.conf") == "v1.19.0"

    @pytest.mark.parametrize(
        ("line", "release"),
        [
            ("k8scloudprovider_image_version: 1.19.0", "v1.19.0"),
            ("openstack_ccm_version: v1.31.2", "v1.31.2"),
            ("openstack_ccm_version: 2.31.1", "v1.31.1"),
            ("occm_chart_version: 1.3.0", "v1.24.0"),
            ("cloud_provider_openstack_tag: v1.31.2", "v1.31.2"),
            ("cloud_provider_tag: v1.23.4", "v1.23.4"),
            ("occm_tag: latest", ""),
            ("aws_cloud_provider_tag: v1.23.4", ""),
            ("noccm_tag: v1.23.4", ""),
            ("occm_image: v1.23.4", ""),
        ],
    )
    def test_names_of_variables(self, repository: Path, line: str, release: str) -> None:
        put(repository, {"group_vars/all.yml": f"{line}\n", "files/cloud.conf": CONF})
        assert release_of(repository, "files/cloud.conf") == release

    @pytest.mark.parametrize(
        "text",
        [
            'variable "openstack_cloud_controller_manager_version" {\n  type = "string"\n  default = "1.19.0"\n}\n',
            '\n\nopenstack_cloud_controller_manager_version = "v1.19.0"\n',
        ],
    )
    def test_terraform_s_variables(self, repository: Path, text: str) -> None:
        put(repository, {"tf/main.tf": text, "tf/conf/cloud.conf": CONF})
        assert found(repository, "tf/conf/cloud.conf").place == "tf/main.tf:3"

    def test_tests_are_for_themselves(self, repository: Path) -> None:
        put(repository, {"test/e2e/ccm.yaml": workload("v1.30.0"), "cloud.conf": CONF, "test/e2e/cloud.conf": CONF})
        assert release_of(repository, "cloud.conf") == ""
        assert release_of(repository, "test/e2e/cloud.conf") == "v1.30.0"

    def test_what_is_around_is_about_the_data_of_a_test_that_is_named(self, repository: Path) -> None:
        put(repository, {"ccm.yaml": workload("v1.30.0"), "pkg/testdata/cloud.conf": CONF, "tests/cloud.conf": CONF})
        assert release_of(repository, "pkg/testdata/cloud.conf") == "v1.30.0"
        assert release_of(repository, "tests/cloud.conf") == "v1.30.0"


CCM_CHART = "openstack-cloud-controller-manager"


class TestInstalledCharts:
    @pytest.mark.parametrize(
        ("script", "place"),
        [
            (f"helm upgrade -i ccm cpo/{CCM_CHART} --version 2.31.1 -f values.yaml\n", "ccm/up.sh:1"),
            (f"helm install ccm \\\n  --version=v2.31.1 \\\n  oci://r.example/{CCM_CHART}\n", "ccm/up.sh:2"),
            (f'V=2.31.1\n\nhelm install ccm {CCM_CHART} --version "${{V}}"\n', "ccm/up.sh:1"),
            (f"export V='2.31.1'\nhelm template cpo/{CCM_CHART} --version $V | kubectl apply -f -\n", "ccm/up.sh:1"),
            (f"helm install ccm cpo/{CCM_CHART} --version $V\n", ""),
            (f"helm install csi cpo/openstack-cinder-csi --version 2.31.1 # not {CCM_CHART}s\n", ""),
            (f"helm install ccm cpo/{CCM_CHART}; helm install csi cpo/csi --version 2.31.1\n", ""),
            (f"echo {CCM_CHART} --version 2.31.1\n", ""),
            (f"V=2.30.0\nV=2.31.1\nhelm install ccm cpo/{CCM_CHART} --version $V\n", ""),
        ],
    )
    def test_a_command(self, repository: Path, script: str, place: str) -> None:
        put(repository, {"ccm/up.sh": script, "ccm/values.yaml": ""})
        assert found(repository, "ccm/values.yaml").place == place

    def test_a_command_of_a_pipeline_and_of_a_document(self, repository: Path) -> None:
        command = f"helm upgrade ccm cpo/{CCM_CHART} --version 2.31.1"
        put(
            repository, {".gitlab-ci.yml": f"a:\n  script:\n  - {command}\n", "values.yaml": "", "b/README.md": command}
        )
        assert found(repository, "values.yaml").place == ".gitlab-ci.yml:3"
        (repository / ".gitlab-ci.yml").unlink()
        assert release_of(repository, "values.yaml") == ""
        assert release_of(repository, "b/values.yaml") == ""

    @pytest.mark.parametrize(
        ("version", "rest", "line"),
        [
            ('"2.31.1"', "", 4),
            ("var.chart_version", 'variable "chart_version" {\n  type = string\n  default = "2.31.1"\n}\n', 9),
            ("local.v", 'locals {\n  v = "2.31.1"\n}\n', 8),
            ("var.v", "locals {\n  v = 1\n}\n", 0),
            ('"~> 2.31.0"', "", 4),
        ],
    )
    def test_terraform_s_resource(self, repository: Path, version: str, rest: str, line: int) -> None:
        text = (
            f'resource "helm_release" "ccm" {{\n  repository = "https://r.example"\n  chart = "{CCM_CHART}"\n'
            f"  version = {version}\n}}\n\n{rest}"
        )
        put(repository, {"tf/main.tf": text, "tf/conf/cloud.conf": CONF})
        assert found(repository, "tf/conf/cloud.conf").place == (f"tf/main.tf:{line}" if line else "")

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            (
                f'        chartname = "cpo/{CCM_CHART}"\n        values = <<-EOT\n          a: 1\n\n        EOT\n        version = "2.31.1"\n',
                10,
            ),
            (f'        version = "2.31.1"\n        order = 1\n        chartname = "{CCM_CHART}"\n', 5),
            (f'        chartname = "cpo/{CCM_CHART}"\n      }},\n      {{\n        version = "2.31.1"\n', 0),
            (f'        version = "2.31.1"\n      }},\n      {{\n        chartname = "cpo/{CCM_CHART}"\n', 0),
            (
                f'        chartname = "cpo/{CCM_CHART}"\n        more = {{\n          version = "2.31.1"\n        }}\n',
                0,
            ),
        ],
    )
    def test_a_list_of_charts_in_terraform(self, repository: Path, text: str, line: int) -> None:
        whole = f"locals {{\n  k0s = {{\n    charts = [\n      {{\n{text}      }}\n    ]\n  }}\n}}\n"
        put(repository, {"tf/main.tf": whole, "tf/conf/cloud.conf": CONF})
        assert found(repository, "tf/conf/cloud.conf").place == (f"tf/main.tf:{line}" if line else "")

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("up.sh", f"helm install x cpo/{CCM_CHART} --version 2.31.1\n"),
            ("up.sh", f"kubectl set image ds/x x={IMAGE}:v1.31.2\n"),
            ("main.tf", f'locals {{\n  image = "{IMAGE}:v1.31.2"\n}}\n'),
            ("main.tf", f'resource "helm_release" "x" {{\n  chart = "{CCM_CHART}"\n  version = "2.31.1"\n}}\n'),
            ("vars.yml", f"image: {IMAGE}:v1.31.2\n"),
            ("images.json", f'{{"ccm": "{IMAGE}:v1.31.2"}}\n'),
        ],
    )
    def test_whatever_part_of_the_repository_is_named(self, repository: Path, name: str, text: str) -> None:
        put(repository, {f"a/{name}": text, "a/cloud.conf": CONF})
        assert release_of(repository, "a/cloud.conf").startswith("v1.31.")
        for named in (".", "a", "a/cloud.conf"):
            assert "CCM v1.31." in run(repository, "lint", named).out

    def test_an_image_in_a_text_counts_where_nothing_else_tells(self, repository: Path) -> None:
        image = f"image: {IMAGE}"
        put(repository, {"vars.yml": f"# {image}:v1.30.0\n{image}:v1.31.2\n", "cloud.conf": CONF})
        assert found(repository, "cloud.conf").place == "vars.yml:2"
        put(repository, {"vars.yml": f"{image}:v1.30.0\n{image}:v1.31.2\n"})
        assert release_of(repository, "cloud.conf") == ""
        put(repository, {"vars.yml": workload("v1.29.0") + f"---\n{image}:v1.31.2\n"})
        assert release_of(repository, "cloud.conf") == "v1.29.0"
        put(repository, {"vars.yml": f"images: |\n  - {image}:v1.31.2\n  - {IMAGE}:v1.31.2\n"})
        assert release_of(repository, "cloud.conf") == ""
        put(repository, {"vars.yml": f"{image}:v1.31.2-dev.5\n{image}s:v1.20.0\n", "README.md": f"{image}:v1.28.0\n"})
        assert release_of(repository, "cloud.conf") == "v1.31.2"

    def test_the_version_is_of_the_same_resource(self, repository: Path) -> None:
        first = f'resource "helm_release" "ccm" {{\n  chart = "{CCM_CHART}"\n}}\n'
        other = 'resource "helm_release" "csi" {\n  chart = "openstack-cinder-csi"\n  version = "2.31.1"\n}\n'
        put(repository, {"main.tf": first + other, "cloud.conf": CONF})
        assert release_of(repository, "cloud.conf") == ""

    @pytest.mark.parametrize(
        "text",
        [
            f"- kubernetes.core.helm:\n    chart_ref: cpo/{CCM_CHART}\n    chart_version: 2.31.1\n",
            f"kind: ClusterProfile\nmetadata: {{name: a}}\nspec:\n  helmCharts:\n  - chartName: cpo/{CCM_CHART}\n    chartVersion: 2.31.1\n",
        ],
    )
    def test_of_ansible_and_sveltos(self, repository: Path, text: str) -> None:
        put(repository, {"a/ccm.yaml": text, "a/cloud.conf": CONF})
        assert release_of(repository, "a/cloud.conf") == "v1.31.1"


CHART = "apiVersion: v1\nappVersion: v1.27.1\nname: openstack-cloud-controller-manager\nversion: 2.27.1\n"


APP_VERSION = workload("x").replace(
    f"{IMAGE}:x", '"{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}"'
)


@pytest.mark.parametrize(
    ("values", "release"),
    [
        ("", "v1.27.1"),
        (f"image:\n  repository: {IMAGE}\n  tag: ''\n", "v1.27.1"),
        (f"image:\n  repository: {IMAGE}\n  tag: v1.26.0\n", ""),
    ],
)
def test_the_templates_of_a_chart_are_for_the_release_of_the_chart(repository: Path, values: str, release: str) -> None:
    put(
        repository,
        {
            "charts/ccm/Chart.yaml": CHART,
            "charts/ccm/values.yaml": values,
            "charts/ccm/templates/daemonset.yaml": APP_VERSION,
            "other/ccm.yaml": workload("v1.31.0"),
        },
    )
    assert release_of(repository, "charts/ccm/templates/_helpers.tpl") == release


@pytest.mark.parametrize(
    ("image", "values", "release"),
    [
        (
            '{{ printf "%s:%s" $ccm.image.repository $ccm.image.tag }}',
            f"image: {{repository: {IMAGE}, tag: v1.36.0}}\n",
            "v1.36.0",
        ),
        (
            "{{ .Values.image.repository }}:{{ .Values.image.tag }}",
            f"image: {{repository: {IMAGE}, tag: v1.35.0}}\n",
            "v1.35.0",
        ),
        ("{{ .Values.image.repository }}:{{ .Values.image.tag }}", "image: {tag: v1.35.0}\n", ""),
    ],
)
def test_a_template_with_an_image_from_the_chart_s_values(
    repository: Path, image: str, values: str, release: str
) -> None:
    secret = f"kind: Secret\nmetadata: {{name: cloud-config}}\nstringData:\n  cloud.conf: |\n{indented(CONF)}---\n"
    put(
        repository,
        {
            "charts/x/Chart.yaml": "name: x\n",
            "charts/x/values.yaml": f"ccm:\n  {values}",
            "charts/x/templates/plane/ccm.yaml": secret + COMMAND.format(image),
            "values.yaml": f"other:\n  image: {{repository: {IMAGE}, tag: v1.20.0}}\n",
        },
    )
    (listed,) = json.loads(run(repository, "list", "--format=json", "charts/x/templates/plane/ccm.yaml").out)[
        "cloud_confs"
    ]
    unnamed = "assumed: the newest, because charts/x/templates/plane/ccm.yaml:10 names no known release"
    assert listed["release_source"] == (f"charts/x/values.yaml:{values.count(chr(10)) + 1}" if release else unnamed)
    assert (listed["releases"] == [release]) == bool(release)


COMMAND = (
    "kind: Deployment\nmetadata: {{name: ccm}}\nspec: {{template: {{spec: {{containers: [{{name: x, image: '{}', "
    "command: [/bin/openstack-cloud-controller-manager, --cloud-provider=openstack]}}]}}}}}}\n"
)


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


ADDRESS = "https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack/{}/manifests/controller-manager/$name"


INSTALL = (
    f"for name in openstack-cloud-controller-manager-ds.yaml; do curl -LO {ADDRESS.format('${CCM_VERSION}')}; done\n"
)


@pytest.mark.parametrize(
    ("script", "release"),
    [
        (INSTALL, ""),
        (f"CCM_VERSION=$(find_version)\n{INSTALL}", ""),
        (f"CCM_VERSION=v1.20.0\n{INSTALL}", "v1.20.0"),
        (f'export CCM_VERSION="v1.20.0"\n{INSTALL}', "v1.20.0"),
        (f"CCM_VERSION=v1.28.1\n{INSTALL}", ""),
        (f"CCM_VERSION=v1.20.0\nold && CCM_VERSION=v1.19.2\n{INSTALL}", ""),
        (f"OTHER_CCM_VERSION=v1.28.1\n--CCM_VERSION=3\n{INSTALL}", ""),
    ],
)
def test_a_script_that_applies_manifests_of_a_variable_is_a_candidate(
    repository: Path, script: str, release: str
) -> None:
    put(repository, {"a/ds/ccm.yaml": workload("v1.20.0"), "a/bin/install.sh": script, "a/templates/cloud.conf": CONF})
    told = found(repository, "a/templates/cloud.conf")
    assert (told.release.name if told.release else "") == release
    if script == INSTALL:
        assert told.conflict == "a/ds/ccm.yaml:9 (v1.20.0) and a/bin/install.sh:1 ($CCM_VERSION) are equally near"


def test_the_variable_of_a_script_may_have_its_value_elsewhere(repository: Path) -> None:
    put(repository, {"a/cloud.conf": CONF, "a/install.sh": INSTALL.replace("CCM_VERSION", "OCCM_VERSION")})
    assert release_of(repository, "a/cloud.conf") == ""
    put(repository, {"a/vars.yml": "occm_version: v1.30.1\n"})
    assert release_of(repository, "a/cloud.conf") == "v1.30.1"


def test_a_chart_of_a_version_in_a_variable_is_a_candidate(repository: Path) -> None:
    script = f"helm upgrade -i ccm cpo/{CCM_CHART} --version ${{CHART_VERSION}} -f values.yaml\n"
    put(repository, {"a/up.sh": script, "a/cloud.conf": CONF, "ds.yaml": workload("v1.20.0")})
    assert release_of(repository, "a/cloud.conf") == ""
    put(repository, {"a/up.sh": f"CHART_VERSION=2.31.1\n{script}"})
    assert release_of(repository, "a/cloud.conf") == "v1.31.1"
    (repository / "ds.yaml").unlink()  # which would decide between the two
    put(repository, {"a/up.sh": script, "a/ds.yaml": workload("v1.20.0")})
    conflict = "a/ds.yaml:9 (v1.20.0) and a/up.sh:1 ($CHART_VERSION) are equally near"
    assert found(repository, "a/cloud.conf").conflict == conflict
