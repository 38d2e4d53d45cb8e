"""Which image, chart or tag is nearest to a file, in repositories and folders of many layouts."""

from __future__ import annotations

import json
import time
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import run
from gits import CONF, git
from release_repositories import IMAGE, Files, chart, finder_of, found, kustomization, put, release_of, workload

from ccmcheck import catalog
from ccmcheck.base.errors import GitUnavailable
from ccmcheck.carriers import find
from ccmcheck.carriers.base import CcmPod
from ccmcheck.catalog.data.deployments import NAMING_THE_CCM
from ccmcheck.catalog.signs.releases import last_release_of
from ccmcheck.conf.target_release import NOTHING_FOUND, FoundRelease
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch, search_around
from ccmcheck.workspace.release_levels import FileIndex, Levels

if TYPE_CHECKING:
    from collections.abc import Sequence

RELEASES = [f"v1.{minor}.0" for minor in range(17, 37)]


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
    nearest = found(repository, "clusters/a/cloud.conf")
    assert nearest == FoundRelease(unnamed=nearest.unnamed)
    assert [pod.path for pod in nearest.unnamed] == ["clusters/a/ccm.yaml"]
    assert nearest.target.source == "assumed: the newest, because clusters/a/ccm.yaml:9 names no known release"
    assert release_of(repository, "clusters/b/cloud.conf") == "v1.20.0"


UNNAMED = "assumed: the newest, because clusters/a/ccm.yaml:9 names no known release"


@pytest.mark.parametrize(
    ("tag", "version", "release", "source"),
    [
        ("latest", "v1.25.3", "1.25", "assumed: that of Kubernetes 1.25.3 in clusters/a/vars.yml:1"),
        ("${CCM}", "v1.25.3", "1.25", "assumed: that of Kubernetes 1.25.3 in clusters/a/vars.yml:1"),
        # a version that the catalogue does not know, and a release that it does not know, as of a later ccmcheck
        ("latest", "v1.11.9", catalog.newest().name, UNNAMED),
        ("latest", "v1.99.0", catalog.newest().name, UNNAMED),
        ("v1.99.0", "v1.25.3", catalog.newest().name, UNNAMED),
        ("v1.31.2", "v1.25.3", "v1.31.2", "from clusters/a/ccm.yaml"),
    ],
)
def test_an_image_without_a_release_has_that_of_kubernetes(
    repository: Path, tag: str, version: str, release: str, source: str
) -> None:
    put(repository, {"clusters/a/ccm.yaml": workload(tag), "clusters/a/vars.yml": f"kube_version: {version}\n"})
    target = found(repository, "clusters/a/cloud.conf").target
    assert (target.release.name, target.source, target.older) == (release, source, ())
    assert target.is_assumed == source.startswith("assumed")


def test_kubernetes_alone_says_no_release_of_the_ccm(repository: Path) -> None:
    put(repository, {"vars.yml": "kube_version: v1.25.3\n"})
    assert found(repository, "cloud.conf").target.source == "assumed: the newest"


@pytest.mark.parametrize("tag", [":latest", "", "@sha256:" + "0" * 64, ":${TAG}"])
def test_an_image_of_the_old_registry_is_of_one_of_its_releases(repository: Path, tag: str) -> None:
    old = workload("v1.20.0").replace(f"{IMAGE}:v1.20.0", f"k8scloudprovider/openstack-cloud-controller-manager{tag}")
    put(repository, {"ccm.yaml": old, "vars.yml": "kube_version: v1.25.3\n"})
    target = found(repository, "cloud.conf").target
    is_moving = tag in (":latest", "")  # which a cluster pulls when it starts its CCM
    left = "v1.24.0 to v1.26.2, by the image in ccm.yaml:9 and Kubernetes 1.25.3"
    expected = f"one of {left if is_moving else 'v1.12.0 to v1.26.2, by the image in ccm.yaml:9'}"
    assert (target.release.name, target.source) == ("v1.26.2", expected)
    assert (target.older[0].name, target.older[-1].name) == ("v1.26.1", "v1.24.0" if is_moving else "v1.12.0")
    assert not target.is_assumed


@pytest.mark.parametrize(
    "image",
    [
        "registry.example.com/k8scloudprovider/openstack-cloud-controller-manager:latest",
        "docker.io/k8scloudprovider/cinder-csi-plugin:latest",
        "k8scloudprovider/openstack-cloud-controller-manager:v1.99.0",
    ],
)
def test_other_images_may_be_of_any_release(image: str) -> None:
    assert last_release_of(image) == ""


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


@pytest.mark.parametrize("around", ["tests", "roles/x/defaults"])
def test_many_files_around_many_folders_take_linear_time(around: str) -> None:
    levels = Levels((FileIndex([f"/r/{around}/{number}.yml" for number in range(10_000)], lambda _: ()),), top="/r")
    started = time.process_time()
    assert {levels.of(f"/r/{number}/cloud.conf") for number in range(2_000)} == {NOTHING_FOUND}
    assert time.process_time() - started < 3


TEMPLATE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: openstack-cloud-config-resource-template
  annotations: {projectsveltos.io/template: "true"}
data:
  configmap.yaml: |
    apiVersion: v1
    kind: Secret
    metadata: {name: cloud-config, namespace: kube-system}
    stringData:
      cloud.conf: |
        [Global]
        auth-url={{ $auth.auth_url }}
        region={{ $openstack.region }}
"""


def test_what_is_rendered_into_other_clusters_is_not_for_the_ccm_around_it(repository: Path) -> None:
    files = {"a/template.yaml": TEMPLATE, "a/ds.yaml": workload("v1.31.0"), "up.sh": f"cat <<'EOF'\n{TEMPLATE}EOF\n"}
    put(repository, files)
    expected = {"a/template.yaml": ["1.36"], "up.sh": ["1.36"]}
    listed = json.loads(run(repository, "list", "--format=json").out)["cloud_confs"]
    assert {one["path"]: one["releases"] for one in listed} == expected
    linted = json.loads(run(repository, "lint", "--format=json").out)
    assert "v1.31.0" not in linted["summary"]["releases"]
    put(repository, {"a/template.yaml": TEMPLATE.replace("projectsveltos.io/template", "example.org/template")})
    listed = json.loads(run(repository, "list", "--format=json").out)["cloud_confs"]
    assert {one["path"]: one["releases"] for one in listed} == expected | {"a/template.yaml": ["v1.31.0"]}


def test_what_is_around_is_searched_once_and_only_where_it_matters() -> None:
    tree = Files({"/r/ccm.yaml": workload("v1.30.0")})
    own = CcmPod("/r/a/own.yaml", "DaemonSet a", release="v1.31.2")
    finder = ReleaseFinder(ReleaseSearch(tree_of=lambda _folder: tree, root="/r"), [own])
    assert (finder.is_settled("a/own.yaml"), finder.is_settled("b/a.yaml")) == (True, False)
    finder.look_around("a/own.yaml")
    assert tree.searches == []
    finder.look_around("b/a.yaml")
    assert tree.searches == [NAMING_THE_CCM]
    for path in ("b/a.yaml", "b/b.yaml", "c/a.yaml"):
        assert finder.of(path).place == "ccm.yaml:9"
    assert str(finder.of("a/own.yaml").release) == "v1.31.2"
    assert len(tree.searches) == 1


def test_standard_input_has_nothing_around_it(tmp_path: Path) -> None:
    put(tmp_path, {"ccm.yaml": workload("v1.31.2")})
    with chdir(tmp_path):
        finder = ReleaseFinder(search_around([], DiscoverOptions()))
        assert finder.of("<stdin>") == NOTHING_FOUND
        assert finder.of("cloud.conf").place == "ccm.yaml:9"
        assert finder.of("<stdin>") == NOTHING_FOUND


def test_what_documents_show_is_none_of_the_files_around() -> None:
    shown = [CcmPod(f"a/{number}.md", "DaemonSet a", release="v1.20.0", is_example=True) for number in range(300)]
    finder = ReleaseFinder(pods=[*shown, CcmPod("a/z.yaml", "DaemonSet a", release="v1.31.2")])
    assert str(finder.of("a/cloud.conf").release) == "v1.31.2"


def test_what_the_run_knows_is_not_asked_of_the_tree() -> None:
    tree = Files({"/r/ccm.yaml": workload("v1.30.0")})
    assert finder_of(tree).of("a/cloud.conf").place == "ccm.yaml:9"
    assert finder_of(tree, covered=("/elsewhere",)).of("a/cloud.conf").place == "ccm.yaml:9"
    assert finder_of(tree, covered=("/elsewhere", "/r")).of("a/cloud.conf") == NOTHING_FOUND
    shown = CcmPod("/r/ccm.yaml", "DaemonSet a", release="v1.20.0", is_example=True)
    assert finder_of(tree, shown).of("a/cloud.conf") == NOTHING_FOUND


def test_nothing_above_a_repository_speaks_for_it(tmp_path: Path) -> None:
    above = CcmPod("/ccm.yaml", "DaemonSet a", release="v1.30.0")
    assert finder_of(Files({}), above).of("a/cloud.conf") == NOTHING_FOUND
    put(tmp_path, {"a/cloud.conf": CONF})
    beside = CcmPod(str(tmp_path / "ccm.yaml"), "DaemonSet a", release="v1.30.0")
    finder = ReleaseFinder(search_around([], DiscoverOptions()), [beside])
    assert str(finder.of(str(tmp_path / "a/cloud.conf")).release) == "v1.30.0"


def test_a_revision_without_git_is_an_error() -> None:
    class Broken(Files):
        def holding(self, texts: Sequence[str]) -> list[str]:
            raise GitUnavailable(str(texts))

    with pytest.raises(GitUnavailable):
        finder_of(Broken({})).of("a/cloud.conf")
