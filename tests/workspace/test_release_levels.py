"""Which of the files around one are nearest to it, level by level, and what else is asked of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

import pytest
from gits import CONF, git
from release_repositories import IMAGE, Files, finder_of, kustomization, put, workload

from ccmcheck.base.errors import GitUnavailable, WrongUse
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import IN_TREE, CarriedConf, CcmPod, KubernetesVersion
from ccmcheck.conf.target_release import NOTHING_FOUND
from ccmcheck.layers.stack import Stack
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch, search_around
from ccmcheck.workspace.release_levels import FileIndex, Levels

OF_CHART = (
    "kind: Deployment\nmetadata: {name: ccm}\nspec: {template: {spec: {containers: [{name: x,\n"
    "  image: '{{ .Values.image.repository }}:{{ .Values.image.tag }}',\n"
    "  command: [/bin/openstack-cloud-controller-manager, --cloud-provider=openstack]}]}}}\n"
)

OF_VERSION = OF_CHART.replace(".Values.image.tag", "default .Chart.AppVersion .Values.image.tag")


@pytest.mark.parametrize(
    ("files", "path", "place"),
    [
        # the kustomization of the folder goes before its other files
        ({"a/kustomization.yaml": kustomization(tag="v1.31.2"), "a/ccm.yaml": workload("v1.30.0")}, "a/x", "a/kustomization.yaml:4"),
        (
            {"a/kustomization.yaml": kustomization(tag="v1.31.2"), "a/kustomization.yml": kustomization(tag="v1.30.0"), "a/ccm.yaml": workload("v1.29.0")},
            "a/x",
            "a/ccm.yaml:9",
        ),
        # then what it refers to: folders and single files
        (
            {"o/kustomization.yaml": kustomization("../b/ccm.yaml"), "b/ccm.yaml": workload("v1.30.0"), "b/other.yaml": workload("v1.29.0")},
            "o/x",
            "b/ccm.yaml:9",
        ),
        (
            {"o/kustomization.yaml": kustomization("../b"), "b/kustomization.yaml": kustomization("ccm.yaml"), "b/ccm.yaml": workload("v1.30.0"), "c/ccm.yaml": workload("v1.29.0")},
            "o/x",
            "b/ccm.yaml:9",
        ),
        # then those that refer to the folder, or to the file alone
        ({"o/kustomization.yaml": kustomization("../base", tag="v1.31.2"), "z/ccm.yaml": workload("v1.20.0")}, "base/x", "o/kustomization.yaml:5"),
        ({"o/kustomization.yaml": kustomization("../base/x.yaml", tag="v1.31.2"), "z/ccm.yaml": workload("v1.20.0")}, "base/x.yaml", "o/kustomization.yaml:5"),
        ({"o/kustomization.yaml": kustomization("../base/x.yaml", tag="v1.31.2"), "base/ccm.yaml": workload("v1.20.0")}, "base/y.yaml", "base/ccm.yaml:9"),
        # a workload of no known release: what is below it is another's, what is built with it is not
        ({"a/ccm.yaml": workload("v9.9.9"), "a/sub/ccm.yaml": workload("v1.30.0")}, "a/x", ""),
        ({"a/ccm.yaml": workload("v9.9.9"), "o/kustomization.yaml": kustomization("../a", tag="v1.31.2")}, "a/x", "o/kustomization.yaml:5"),
        # the values of a chart are for its templates
        ({"c/values.yaml": f"ccm:\n  image: {{repository: {IMAGE}, tag: v1.35.0}}\n", "c/templates/ccm.yaml": OF_CHART, "c/sub/values.yaml": f"image: {{repository: {IMAGE}, tag: v1.30.0}}\n"}, "c/templates/x", "c/values.yaml:2"),
        (
            {"c/Chart.yaml": "apiVersion: v1\nappVersion: v1.27.1\nname: openstack-cloud-controller-manager\nversion: 2.27.1\n", "c/templates/ds.yaml": OF_VERSION, "c/other.yaml": workload("v1.20.0")},
            "c/templates/x",
            "c/Chart.yaml:2",
        ),
        # only a kustomization refers to what is elsewhere
        ({"o/kustomization.yaml": kustomization("../base"), "o/ccm.yaml": workload("v1.31.2"), "z/ccm.yaml": workload("v1.20.0")}, "base/x", ""),
    ],
)  # fmt: skip
def test_what_is_nearest(files: dict[str, str], path: str, place: str) -> None:
    assert finder_of(Files({f"/r/{name}": content for name, content in files.items()})).of(path).place == place


def test_only_what_lies_in_a_folder_further_up_decides_between_two() -> None:
    files = {
        "/r/a/x.yaml": workload("v1.30.0"),
        "/r/a/y.yaml": workload("v1.31.0"),
        "/r/b/ccm.yaml": workload("v1.29.0"),
    }
    built = {**files, "/r/kustomization.yaml": kustomization("b/ccm.yaml")}
    conflict = "a/x.yaml:9 (v1.30.0) and a/y.yaml:9 (v1.31.0) are equally near"
    assert finder_of(Files(built)).of("a/cloud.conf").conflict == conflict
    direct = {**files, "/r/ccm.yaml": workload("v1.28.0")}
    assert finder_of(Files(direct)).of("a/cloud.conf").place == "ccm.yaml:9"


def test_a_file_that_is_referred_to_is_asked_for_itself() -> None:
    files = {
        "/r/o/kustomization.yaml": kustomization("../base/x.yaml", tag="v1.31.2"),
        "/r/p/kustomization.yaml": kustomization("../base/w.yaml", tag="v1.30.0"),
        "/r/base/ccm.yaml": workload("v9.9.9"),
    }
    finder = finder_of(Files(files))
    places = {"y": "", "x": "o/kustomization.yaml:5", "w": "p/kustomization.yaml:5", "z": ""}
    assert {name: finder.of(f"base/{name}.yaml").place for name in places} == places


@pytest.mark.parametrize(
    ("count", "first", "conflict"),
    [
        (256, "v1.30.0", None),
        (257, "v1.30.0", ""),
        (300, "v1.31.2", "/r/a/0 (v1.31.2) and /r/a/1 (v1.30.0) are equally near"),
    ],
)
def test_many_files_of_a_level(count: int, first: str, conflict: str | None) -> None:
    def pods_of(path: str) -> list[CcmPod]:
        return [
            CcmPod(path, "a", release="v9.9.9"),
            CcmPod(path, "a", release=first if path == "/r/a/0" else "v1.30.0"),
        ]

    found = Levels((FileIndex([f"/r/a/{number}" for number in range(count)], pods_of),), top="/r").of("/r/a/x")
    assert (found.release is None) == (conflict is not None)
    assert found.conflict == (conflict or "")


STARTING = "ExecStart=kubelet --cloud-provider=openstack\n"
STARTED = {"/r/a.service": STARTING, "/r/all.yml": "kube_version: v1.17.3\n"}


STACK = Stack("")


def conf(*consumers: str, kubernetes: KubernetesVersion | None = None) -> CarriedConf:
    return CarriedConf("file", "", "", STACK, "", consumers=consumers, kubernetes=kubernetes)


def test_who_is_started_around_a_file() -> None:
    finder = finder_of(Files(STARTED))
    version = KubernetesVersion("v1.17.3", "all.yml", 1)
    whole = "/r/b/cloud.conf"
    assert finder.started_around("b/cloud.conf", whole, "") == (IN_TREE, version)
    assert finder.started_around(whole, whole, "") == (IN_TREE, version._replace(path="/r/all.yml"))
    assert finder.started_around("<stdin>", whole, "") == ("", None)
    assert ReleaseFinder().started_around("b/cloud.conf", whole, "ccm") == ("ccm", None)
    nobody = finder_of(Files({"/r/all.yml": STARTED["/r/all.yml"]}))
    assert nobody.started_around("b/cloud.conf", whole, "") == ("", None)
    assert nobody.started_around("b/cloud.conf", whole, IN_TREE) == (IN_TREE, version)


def test_whose_reader_is_looked_for() -> None:
    version, other = KubernetesVersion("v1.17.3", "all.yml", 1), KubernetesVersion("v1.18.0", "x", 1)
    file = finder_of(Files(STARTED)).of_file("b/cloud.conf", ())
    assert file.with_reader(conf()) == conf(IN_TREE, kubernetes=version)
    assert file.with_reader(conf(IN_TREE)) == conf(IN_TREE, kubernetes=version)
    for settled in (conf("cinder-csi-plugin"), conf(IN_TREE, kubernetes=other)):
        assert file.with_reader(settled) == settled
    rivals = {"/r/x.yaml": workload("v1.30.0"), "/r/y.yaml": workload("v1.31.0")}
    assert (
        finder_of(Files({"/r/b/a.service": STARTING, **rivals})).of_file("b/cloud.conf", ()).with_reader(conf())
        == conf()
    )


def test_a_document_goes_before_what_is_in_no_object() -> None:
    pods = [CcmPod("x.yaml", "", release="v1.30.0"), CcmPod("x.yaml", "DaemonSet a", release="v1.31.2")]
    file = ReleaseFinder().of_file("x.yaml", pods)
    assert file.of(0, "").rivals == tuple(pods)
    assert str(file.of(0, "DaemonSet a").release) == "v1.31.2"


class Odd(Files):
    """Files of which none can be read, or none be searched."""

    def read(self, path: str) -> bytes | None:
        return None if path else b""


class Broken(Files):
    """Files of a repository that git cannot search."""

    def holding(self, texts: Sequence[str]) -> list[str]:
        raise GitUnavailable(str(texts))


def test_files_that_say_nothing() -> None:
    for path in ("a/cloud.conf", "a/x.yaml"):
        assert finder_of(Odd({"/r/ccm.yaml": workload("v1.30.0")})).of(path) == NOTHING_FOUND
    with pytest.raises(GitUnavailable):
        finder_of(Broken({})).started_around("a/cloud.conf", "/r/a/cloud.conf", "")

    def refused(path: str) -> FindOptions:
        asked.append(path)
        raise WrongUse(path)

    asked: list[str] = []
    tree = Files({"/r/ccm.yaml": workload("v1.30.0")})
    search = ReleaseSearch(find_options=refused, tree_of=lambda _folder: tree, root="/r")
    assert ReleaseFinder(search).of("a/cloud.conf") == NOTHING_FOUND
    assert asked == ["ccm.yaml"]


def test_folders_without_git(tmp_path: Path) -> None:
    put(tmp_path, {"ccm.yaml": workload("v1.30.0"), "cloud.conf": CONF})
    folder, file = str(tmp_path), str(tmp_path / "cloud.conf")
    assert search_around([folder, file], DiscoverOptions()).covered == (folder,)
    assert ReleaseFinder(ReleaseSearch(covered=("/elsewhere",))).of(file).release is not None


def test_a_repository_in_another(tmp_path: Path) -> None:
    put(tmp_path, {"ccm.yaml": workload("v1.30.0"), "sub/ccm.yaml": workload("v1.31.2")})
    git(tmp_path, "init", "-q")
    git(tmp_path / "sub", "init", "-q")
    with chdir(tmp_path):
        finder = ReleaseFinder(search_around([], DiscoverOptions()))
        found = [finder.of(path).place for path in ("cloud.conf", "sub/cloud.conf", "below/cloud.conf")]
    assert found == ["ccm.yaml:9", "sub/ccm.yaml:9", "ccm.yaml:9"]
