"""The plain files of a revision: links and submodules are left out, as in a work tree."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import chdir
from pathlib import Path

import pytest
from gits import git, tree

from ccmcheck.base.errors import GitUnavailable, WrongUse
from ccmcheck.base.repository_paths import find_repository
from ccmcheck.carriers import FindOptions
from ccmcheck.workspace import release_trees
from ccmcheck.workspace.base_revision import BaseRevision
from ccmcheck.workspace.changed_files import ChangedFiles
from ccmcheck.workspace.chart_templates import FilesOnDisk
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.git import Git
from ccmcheck.workspace.release_trees import Folder, RevisionTree, top_of
from ccmcheck.workspace.repositories import Repositories
from ccmcheck.workspace.revisions import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a file, a link to it and a submodule."""
    tree(tmp_path, "cloud.conf", "below/cloud.conf")
    (tmp_path / "link.conf").symlink_to("cloud.conf")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    commit = git(tmp_path, "rev-parse", "HEAD")
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{commit},module.conf")
    git(tmp_path, "commit", "-qm", "two")
    return tmp_path


@pytest.fixture
def revision(repository: Path) -> Iterator[RevisionTree]:
    paths = find_repository(str(repository))
    assert paths is not None
    with Git(paths) as opened:
        yield RevisionTree(opened, "HEAD", str(repository), DiscoverOptions())


def test_a_link_and_a_submodule_are_no_files(repository: Path, revision: RevisionTree) -> None:
    assert sorted(revision.files) == ["below/cloud.conf", "cloud.conf"]
    assert revision.read(str(repository / "cloud.conf")) == (repository / "cloud.conf").read_bytes()
    for name in ("link.conf", "module.conf"):
        assert revision.read(str(repository / name)) is None
        assert not revision.is_file(str(repository / name))
        assert revision.blob_of(str(repository / name)) == ""
    assert revision.is_file(str(repository / "cloud.conf"))
    assert revision.blob_of(str(repository / "cloud.conf")) == git(repository, "rev-parse", "HEAD:cloud.conf")
    assert revision.is_outermost(str(repository))
    assert not revision.is_outermost(str(repository / "below"))
    with BaseRevision("HEAD", str(repository)) as base:
        assert base.read(str(repository / "cloud.conf")) is not None
        assert base.read(str(repository / "link.conf")) is None


@pytest.mark.parametrize("lacking", [(), ("a.conf",), ("b.conf", "d.conf"), ("a.conf", "b.conf", "d.conf")])
def test_several_files_are_read_by_one_process_for_each_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: tuple[str, ...]
) -> None:
    for name in ("a.conf", "b.conf", "d.conf"):
        (tmp_path / name).write_text(name)
    (tmp_path / "big.conf").write_text("x" * 100)
    (tmp_path / "link.conf").symlink_to("a.conf")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    for name in lacking:
        blob = git(tmp_path, "rev-parse", f"HEAD:{name}")
        (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    started = []
    blobs = Git.blobs

    def counted(self: Git, names: Sequence[str]) -> Iterator[bytes]:
        started.append(names)
        return blobs(self, names)

    monkeypatch.setattr(Git, "blobs", counted)
    paths = find_repository(str(tmp_path))
    assert paths is not None
    with Git(paths) as opened:
        revision = RevisionTree(opened, "HEAD", str(tmp_path), DiscoverOptions(max_size=50))
        names = ("b.conf", "none.conf", "a.conf", "big.conf", "link.conf", "d.conf", "a.conf")
        found = list(revision.read_each([str(tmp_path / name) for name in names]))
    readable = {name: name.encode() for name in ("a.conf", "b.conf", "d.conf") if name not in lacking}
    assert found == [readable.get(name) for name in names]
    assert len(started) <= 1 + sum(name in lacking for name in names)


def test_the_files_in_a_folder(repository: Path, revision: RevisionTree) -> None:
    assert revision.files_below(str(repository), 9) == ["below/cloud.conf", "cloud.conf"]
    assert revision.files_below(str(repository), 1) == ["below/cloud.conf"]
    assert revision.files_below(str(repository / "below"), 9) == ["cloud.conf"]
    assert revision.files_below(str(repository / "nothing"), 9) == []


def test_the_files_in_a_folder_of_the_disk(repository: Path) -> None:
    files, below = FilesOnDisk(), repository / "below"
    (below / "deep").mkdir()
    (below / "deep" / "a.yaml").write_text("a: b\n")
    (below / "loop").symlink_to(repository)
    assert files.files_below(str(below), 9) == ["cloud.conf", "loop", "deep/a.yaml"]
    assert files.files_below(str(below), 1) == ["cloud.conf"]
    assert files.read(str(below / "loop")) is None
    assert files.files_below(str(below / "loop"), 9) == []
    assert files.files_below(str(repository / "nothing"), 9) == []


def test_a_file_that_takes_a_links_place_is_changed(repository: Path) -> None:
    (repository / "link.conf").unlink()
    (repository / "link.conf").write_text("cloud.conf")
    git(repository, "add", "link.conf")
    with Repositories() as repositories:
        assert ChangedFiles("HEAD", repositories).below(str(repository)) == ["link.conf"]


def test_what_is_no_tree_cannot_be_listed(repository: Path, revision: RevisionTree) -> None:
    nothing = RevisionTree(revision.git, "0" * 40, str(repository), DiscoverOptions())
    with pytest.raises(WrongUse, match="git cannot list the files"):
        nothing.read(str(repository / "cloud.conf"))


@pytest.mark.part(of=3)
@pytest.mark.parametrize(
    ("folder", "paths", "expected"),
    [
        (".", [], ["below/cloud.conf", "cloud.conf"]),
        ("below", [], ["cloud.conf"]),
        ("below", ["."], ["cloud.conf"]),
        ("below", [".."], ["cloud.conf", "../cloud.conf"]),
        ("below", ["../cloud.conf"], ["../cloud.conf"]),
        (".", ["below/"], ["below/cloud.conf"]),
        (".", ["link.conf", "nothing.conf"], []),
    ],
)
def test_paths_narrow_a_survey_from_the_current_folder(
    repository: Path, folder: str, paths: list[str], expected: list[str]
) -> None:
    with chdir(repository / folder), Repository(FindOptions(), DiscoverOptions()) as opened:
        survey, existing = opened.survey("HEAD", paths)
    assert [path for path, _ in survey.confs] == expected
    assert existing == ({path.rstrip("/") for path in paths} if expected else set())


def test_a_whole_path_narrows_a_survey(repository: Path) -> None:
    path = str(repository / "cloud.conf")
    with chdir(repository / "below"), Repository(FindOptions(), DiscoverOptions()) as opened:
        survey, existing = opened.survey("HEAD", [path])
    assert [path for path, _ in survey.confs] == ["../cloud.conf"]
    assert existing == {path}


def test_a_build_reads_above_the_current_folder_and_follows_no_link(repository: Path) -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    (repository / "base").mkdir()
    (repository / "base/web.yaml").write_text(service)
    (repository / "overlay").mkdir()
    (repository / "overlay/kustomization.yaml").write_text("namePrefix: a-\nresources: [../base/web.yaml]\n")
    (repository / "linked").mkdir()
    (repository / "linked/kustomization.yaml").write_text("namePrefix: b-\nresources: [web.yaml]\n")
    (repository / "linked/web.yaml").symlink_to("../base/web.yaml")
    git(repository, "add", "base", "overlay", "linked")
    git(repository, "commit", "-qm", "three")
    found = {}
    for folder in ("overlay", "linked"):
        with chdir(repository / folder), Repository(FindOptions(), DiscoverOptions()) as opened:
            found[folder] = [item.subject for _, item in opened.survey("HEAD", [])[0].objects]
    assert found == {"overlay": ["Service a-web"], "linked": []}


def test_many_charts_of_a_revision_take_linear_time(revision: RevisionTree) -> None:
    names = [f"{chart:06}/templates/{file}.yaml" for chart in range(40_000) for file in range(5)]
    revision.__dict__["files"] = dict.fromkeys(names)
    started = time.process_time()
    for chart in range(40_000):
        assert len(revision.files_below(f"{revision.top}/{chart:06}/templates", 200)) == 5
    assert time.process_time() - started < 3


def test_which_files_of_a_revision_hold_a_text(repository: Path, revision: RevisionTree) -> None:
    whole = [str(repository / name) for name in ("below/cloud.conf", "cloud.conf")]
    assert revision.holding(["auth-url"]) == whole
    assert revision.holding(["hunter2"]) == []
    limits = DiscoverOptions(exclude=("below/**",), root=str(repository))
    assert RevisionTree(revision.git, "HEAD", str(repository), limits).holding(["auth-url"]) == whole[1:]


def test_a_file_is_read_up_to_its_limit(repository: Path, revision: RevisionTree) -> None:
    data, path = (repository / "cloud.conf").read_bytes(), str(repository / "cloud.conf")
    for size, expected in ((len(data), data), (len(data) - 1, None)):
        limited = RevisionTree(revision.git, "HEAD", str(repository), DiscoverOptions(max_size=size))
        assert limited.read(path) == expected
        assert list(limited.read_each([path])) == [expected]


def test_a_git_that_fails_while_files_are_read_is_an_error(
    repository: Path, revision: RevisionTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_git: Git, _names: Sequence[str]) -> Iterator[bytes]:
        raise GitUnavailable("killed")

    assert revision.files
    monkeypatch.setattr(Git, "blobs", fails)
    with pytest.raises(GitUnavailable):
        list(revision.read_each([str(repository / "cloud.conf")]))


def test_which_files_of_a_folder_hold_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.yaml", "a.yaml", "c.png"):
        (tmp_path / name).write_text("occm\n")
    (tmp_path / "z.yaml").write_text("nothing\n")
    (tmp_path / "d.yaml").mkdir()
    (tmp_path / "link.yaml").symlink_to("z.yaml")
    folder = Folder(str(tmp_path), DiscoverOptions())
    expected = [str(tmp_path / name) for name in ("a.yaml", "b.yaml")]
    assert folder.holding(["occm", "kubelet"]) == expected
    monkeypatch.setattr(release_trees, "MOST_IN_FOLDER", 3)
    assert folder.holding(["occm"]) == expected
    monkeypatch.setattr(release_trees, "MOST_IN_FOLDER", 2)
    assert folder.holding(["occm"]) == []
    assert Folder(str(tmp_path / "none"), DiscoverOptions()).holding(["occm"]) == []


def test_the_top_by_the_path_that_leads_there(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    paths = find_repository(str(repository))
    assert paths is not None
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "whole").symlink_to(repository)
    (elsewhere / "part").symlink_to(repository / "below")
    for folder, top in (
        (repository, repository),
        (repository / "below", repository),
        (elsewhere / "whole", elsewhere / "whole"),
        (elsewhere / "whole" / "below", elsewhere / "whole"),
        (elsewhere / "part", repository),
    ):
        assert top_of(str(folder), paths) == str(top)
