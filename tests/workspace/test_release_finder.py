"""Which image, chart or tag is nearest to a file, in repositories and folders of many layouts."""

from __future__ import annotations

import sys
from contextlib import chdir
from pathlib import Path

import pytest
from gits import CONF, git

from ccmcheck.carriers import find
from ccmcheck.conf.target_release import FoundRelease
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.release_finder import ReleaseFinder, search_around

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import run

IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
RELEASES = [f"v1.{minor}.0" for minor in range(17, 37)]


def workload(tag: str, name: str = "ccm") -> str:
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: {name}, namespace: kube-system}}\nspec:\n"
        f"  template:\n    spec:\n      containers:\n      - name: ccm\n        image: {IMAGE}:{tag}\n"
    )


def chart(version: str, values: str = "") -> str:
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ccm, namespace: kube-system}\n"
        "spec:\n  chart:\n    spec:\n      chart: openstack-cloud-controller-manager\n"
        f"      version: {version}\n{values}"
    )


def kustomization(*resources: str, tag: str = "") -> str:
    listed = "".join(f"- {resource}\n" for resource in resources)
    images = f"images:\n- name: {IMAGE}\n  newTag: {tag}\n" if tag else ""
    return f"resources:\n{listed}{images}"


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(folder: Path, path: str) -> FoundRelease:
    with chdir(folder):
        return ReleaseFinder(search_around([path], DiscoverOptions())).of(path)


def release_of(folder: Path, path: str) -> str:
    release = found(folder, path).release
    return release.name if release is not None else ""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def test_twenty_clusters_of_twenty_releases(repository: Path) -> None:
    for number, release in enumerate(RELEASES):
        put(
            repository,
            {f"clusters/c{number:02}/ccm/ds.yaml": workload(release), f"clusters/c{number:02}/a.yaml": "a: b"},
        )
    for number, release in enumerate(RELEASES):
        one = found(repository, f"clusters/c{number:02}/config/cloud.conf")
        assert (one.release is not None, one.place) == (True, f"clusters/c{number:02}/ccm/ds.yaml:9")
        assert release_of(repository, f"clusters/c{number:02}/config/cloud.conf") == release


def test_a_shared_base_takes_what_all_overlays_agree_on(repository: Path) -> None:
    put(repository, {"base/kustomization.yaml": kustomization("cloud.conf.yaml"), "base/secret.yaml": "kind: Secret\n"})
    for number in range(20):
        put(repository, {f"overlays/c{number}/kustomization.yaml": kustomization("../../base", tag="v1.31.2")})
    assert release_of(repository, "base/secret.yaml") == "v1.31.2"
    put(repository, {"overlays/c7/kustomization.yaml": kustomization("../../base", tag="v1.28.0")})
    one = found(repository, "base/secret.yaml")
    assert one.release is None
    assert {pod.release for pod in one.rivals} == {"v1.31.2", "v1.28.0"}
    assert "overlays/c7/kustomization.yaml:5 (v1.28.0)" in one.target.source


def test_an_overlay_reads_by_its_own_tag_else_by_its_base(repository: Path) -> None:
    put(
        repository,
        {
            "base/ccm.yaml": workload("v1.31.0"),
            "base/kustomization.yaml": kustomization("ccm.yaml"),
            "overlays/a/kustomization.yaml": kustomization("../../base"),
            "overlays/b/kustomization.yaml": kustomization("../../base", tag="v1.28.1"),
            "overlays/c/kustomization.yaml": kustomization("../b"),
        },
    )
    assert release_of(repository, "overlays/a/secret.yaml") == "v1.31.0"
    assert release_of(repository, "overlays/b/secret.yaml") == "v1.28.1"
    assert release_of(repository, "overlays/c/secret.yaml") == "v1.28.1"
    assert release_of(repository, "base/secret.yaml") == "v1.31.0"


def test_references_that_lead_out_of_the_repository_or_in_circles(tmp_path: Path) -> None:
    top = tmp_path / "repository"
    put(tmp_path, {"outside/kustomization.yaml": kustomization("ccm.yaml", tag="v1.20.0")})
    put(
        tmp_path,
        {
            "repository/a/kustomization.yaml": kustomization(
                "../b", "../../outside", "link", "/etc", "https://x.example"
            ),
            "repository/b/kustomization.yaml": kustomization("../a"),
        },
    )
    (top / "a/link").symlink_to(tmp_path / "outside")
    git(top, "init", "-q")
    assert found(top, "a/secret.yaml") == FoundRelease()


def test_the_same_document_then_the_same_file_then_the_folder(repository: Path) -> None:
    put(
        repository,
        {
            "a/hr.yaml": chart("2.28.1") + "---\n" + chart("2.30.0").replace("name: ccm", "name: other"),
            "a/ds.yaml": workload("v1.20.0"),
        },
    )
    whole = (repository / "a/hr.yaml").read_text()
    with chdir(repository):
        file = ReleaseFinder(search_around(["a/hr.yaml"], DiscoverOptions())).of_file(
            "a/hr.yaml", find("a/hr.yaml", whole).pods
        )
    assert [str(file.of(document).release) for document in (0, 1)] == ["v1.28.1", "v1.30.0"]
    assert file.of(2).release is None
    assert release_of(repository, "a/cloud.conf") == ""  # three equally near
    (repository / "a/hr.yaml").unlink()
    assert release_of(repository, "a/cloud.conf") == "v1.20.0"


def test_an_image_in_the_values_wins_over_the_chart_of_the_same_object() -> None:
    values = "  values:\n    image: {tag: v1.31.2}\n    cloudConfig: {global: {auth-url: https://k.example}}\n"
    contents = find("hr.yaml", chart("2.28.1", values))
    (carried,) = contents.carried
    file = ReleaseFinder().of_file("hr.yaml", contents.pods)
    assert str(file.of(carried.document, carried.subject).release) == "v1.31.2"


def test_objects_of_one_list(tmp_path: Path) -> None:
    items = "".join(
        "- " + chart(version).replace("name: ccm", f"name: ccm{version[2:4]}").replace("\n", "\n  ").rstrip() + "\n"
        for version in ("2.28.1", "2.30.0")
    )
    contents = find("list.yaml", "apiVersion: v1\nkind: List\nitems:\n" + items)
    file = ReleaseFinder().of_file(str(tmp_path / "list.yaml"), contents.pods)
    names = [str(file.of(0, f"HelmRelease kube-system/ccm{minor}").release) for minor in (28, 30)]
    assert names == ["v1.28.1", "v1.30.0"]
    assert file.of(0, "Secret kube-system/cloud-config").release is None


def test_a_folder_further_up_decides_between_siblings_that_differ(repository: Path) -> None:
    put(
        repository,
        {
            "ccm.yaml": workload("v1.31.0"),
            "clusters/a/ccm.yaml": workload("v1.28.0"),
            "clusters/b/ccm.yaml": workload("v1.29.0"),
        },
    )
    assert release_of(repository, "clusters/c/cloud.conf") == "v1.31.0"
    (repository / "ccm.yaml").unlink()
    assert {pod.path for pod in found(repository, "clusters/c/cloud.conf").rivals} == {
        "clusters/a/ccm.yaml",
        "clusters/b/ccm.yaml",
    }


@pytest.mark.parametrize("tag", ["latest", "${CCM_VERSION}", "v9.9.9"])
def test_a_workload_without_a_release_hides_those_of_other_clusters(repository: Path, tag: str) -> None:
    put(repository, {"clusters/a/ccm.yaml": workload(tag), "clusters/b/ccm.yaml": workload("v1.20.0")})
    assert found(repository, "clusters/a/cloud.conf") == FoundRelease()
    assert release_of(repository, "clusters/b/cloud.conf") == "v1.20.0"


def test_without_git_only_the_own_folder_counts(tmp_path: Path) -> None:
    put(tmp_path, {"ccm.yaml": workload("v1.20.0"), "a/below/ccm.yaml": workload("v1.20.0")})
    assert release_of(tmp_path, "a/cloud.conf") == ""
    assert release_of(tmp_path, "cloud.conf") == "v1.20.0"
    put(tmp_path, {"a/ccm.yaml": workload("v1.31.0")})
    assert release_of(tmp_path, "a/cloud.conf") == "v1.31.0"


def test_ignored_files_and_nested_repositories_do_not_count(repository: Path) -> None:
    put(repository, {".gitignore": "/old/\n", "old/ccm.yaml": workload("v1.20.0"), "sub/ccm.yaml": workload("v1.21.0")})
    git(repository / "sub", "init", "-q")
    assert release_of(repository, "cloud.conf") == ""
    assert release_of(repository, "sub/a/cloud.conf") == "v1.21.0"


def test_documentation_source_code_and_hostile_files_do_not_count(repository: Path) -> None:
    put(
        repository,
        {
            "README.md": workload("v1.20.0"),
            "main.go": workload("v1.20.0"),
            "broken.yaml": workload("v1.20.0") + "x: [\n",
            "sh.yaml": f"# {IMAGE}:v1.19.0\n",
        },
    )
    (repository / "link.yaml").symlink_to("/etc/passwd")
    (repository / "zero.yaml").write_bytes(b"\0" + IMAGE.encode())
    assert release_of(repository, "cloud.conf") == ""


def test_a_link_on_the_way_to_the_repository(tmp_path: Path) -> None:
    put(tmp_path, {"real/a/ccm.yaml": workload("v1.30.0"), "real/a/b/cloud.conf": CONF})
    git(tmp_path / "real", "init", "-q")
    (tmp_path / "link").symlink_to("real/a")
    assert release_of(tmp_path, "link/b/cloud.conf") == "v1.30.0"
    assert found(tmp_path, "real/a/b/cloud.conf").place == "real/a/ccm.yaml:9"
    assert found(tmp_path, str(tmp_path / "real/a/b/cloud.conf")).place == str(tmp_path / "real/a/ccm.yaml:9")


def test_a_repository_without_a_git_that_can_be_used(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(repository, {"ccm.yaml": workload("v1.20.0"), "a/ccm.yaml": workload("v1.31.0")})
    monkeypatch.setenv("PATH", str(repository))
    assert release_of(repository, "a/cloud.conf") == "v1.31.0"
    assert release_of(repository, "a/b/cloud.conf") == ""


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

    def test_nothing_around_is_about_the_data_of_a_test(self, repository: Path) -> None:
        put(repository, {"ccm.yaml": workload("v1.30.0"), "pkg/testdata/cloud.conf": CONF, "tests/cloud.conf": CONF})
        assert release_of(repository, "pkg/testdata/cloud.conf") == ""
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


def test_an_example_of_a_document_is_about_that_document_alone(repository: Path) -> None:
    values = "  values:\n    cloudConfig: {global: {auth-url: https://k.example}}\n"
    first, second = (f"```yaml\n{chart(version, values)}```\n" for version in ("2.28.1", "2.30.0"))
    conf = "```ini\n[Global]\nauth-url=https://k.example\n[LoadBalancer]\nsubnet-id=x\n```\n"
    put(
        repository,
        {"a/README.md": first + second, "a/one.md": first + conf, "a/cloud.conf": "", "b/ds.yaml": workload("v1.20.0")},
    )
    found = []
    with chdir(repository):
        finder = ReleaseFinder(search_around(["."], DiscoverOptions()))
        for name in ("a/README.md", "a/one.md"):
            contents = find(name, (repository / name).read_text())
            assert contents.pods == []
            file = finder.of_file(name, contents.run_context.image_tags)
            found += [str(file.of(carried.document, carried.subject).release) for carried in contents.carried]
    assert found == ["v1.28.1", "v1.30.0", "v1.28.1", "v1.28.1"]
    assert release_of(repository, "a/cloud.conf") == "v1.20.0"


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
