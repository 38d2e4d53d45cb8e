"""One search answers what several would have, and costs one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from gits import git
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck.cli.main import run
from ccmcheck.workspace import one_search
from ccmcheck.workspace.git import Git
from ccmcheck.workspace.one_search import OneSearch

TEXTS = ("kubelet", "occm", "kube_version", "apiserver")


class Files:
    """Files by their paths, and the searches that were made."""

    top = "/r"

    def __init__(self, files: dict[str, bytes | None]) -> None:
        self.files = files
        self.searches: list[tuple[str, ...]] = []

    def holding(self, texts: Sequence[str]) -> list[str]:
        self.searches.append(tuple(texts))
        return [path for path, data in self.files.items() if data and any(text.encode() in data for text in texts)]

    def read(self, path: str) -> bytes | None:
        return self.files[path]

    def read_each(self, paths: Sequence[str]) -> Iterator[bytes | None]:
        return map(self.read, paths)


CONTENTS = st.lists(st.sampled_from([*TEXTS, "kube", "x\n", "\xff"]), max_size=5).map(
    lambda parts: "".join(parts).encode()
)


@given(
    st.dictionaries(st.sampled_from([f"/r/{name}" for name in "abcdef"]), CONTENTS),
    st.lists(st.lists(st.sampled_from([*TEXTS, "x"]), min_size=1, max_size=3), max_size=4),
)
@settings(max_examples=200)
def test_the_answers_are_those_of_separate_searches(files: dict[str, bytes | None], asked: list[list[str]]) -> None:
    tree = Files(files)
    search = OneSearch(tree, TEXTS)
    for texts in asked:
        assert search.holding(texts) == Files(files).holding(texts)
    assert len(tree.searches) == sum("x" in texts for texts in asked) + any("x" not in texts for texts in asked)


@pytest.mark.parametrize("limit", ["MOST_FILES", "MOST_BYTES"])
def test_many_files_are_searched_for_each_question(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(one_search, limit, 1)
    tree = Files({"/r/a": b"kubelet", "/r/b": b"occm"})
    search = OneSearch(tree, TEXTS)
    assert search.holding(["occm"]) == ["/r/b"]
    assert search.holding(["kubelet"]) == ["/r/a"]
    assert tree.searches == [TEXTS, ("occm",), ("kubelet",)]


def test_a_file_that_cannot_be_read_holds_nothing() -> None:
    class Unreadable(Files):
        def read(self, path: str) -> bytes | None:
            return None if path else b""

    assert OneSearch(Unreadable({"/r/a": b"occm"}), TEXTS).holding(["occm"]) == []


def test_a_plain_file_costs_one_search_of_its_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "cloud.conf").write_text("[Global]\nauth-url=https://k/v3\nusername=u\npassword=p\ntenant-name=t\n")
    (folder / "kubelet.service").write_text("ExecStart=kubelet --cloud-provider=openstack\n")
    (folder / "vars.yaml").write_text("kubernetes_version: v1.19.4\n")
    searches = []
    files_with = Git.files_with

    def counted(self: Git, texts: Sequence[str], tree: str = "") -> list[str] | None:
        searches.append(texts)
        return files_with(self, texts, tree)

    monkeypatch.setattr(Git, "files_with", counted)
    monkeypatch.chdir(folder)
    run(["lint", "cloud.conf"])
    assert "legacy-in-tree v1.19.4" in capsys.readouterr().out
    assert len(searches) == 1


def test_without_git_the_folder_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "cloud.conf").write_text("[Global]\nauth-url=https://k/v3\nusername=u\npassword=p\ntenant-name=t\n")
    (tmp_path / "kubelet.service").write_text("ExecStart=kubelet --cloud-provider=openstack\n")
    (tmp_path / "vars.yaml").write_text("kubernetes_version: v1.19.4\n")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    for arguments in (("lint", "cloud.conf"), ("lint",), ("list",), ("show", "cloud.conf")):
        run(arguments)
        shown = capsys.readouterr()
        assert "internal error" not in shown.out + shown.err
        assert "v1.19.4" in shown.out
