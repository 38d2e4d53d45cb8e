"""``ccmcheck lint`` in a git repository: only what changed, and what is gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import FATAL, NOTED, RIGHT, WARNED, git, put, run


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a branch: one file changed, one new, one deleted, one renamed, one as it was."""
    put(
        tmp_path,
        {"same/cloud.conf": FATAL, "changed/cloud.conf": RIGHT, "gone/cloud.conf": FATAL, "old/cloud.conf": FATAL},
    )
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "base")
    git(tmp_path, "checkout", "-q", "-b", "topic")
    put(tmp_path, {"changed/cloud.conf": FATAL, "new/cloud.conf": WARNED})
    git(tmp_path, "rm", "-q", "gone/cloud.conf")
    (tmp_path / "moved").mkdir()
    git(tmp_path, "mv", "old/cloud.conf", "moved/cloud.conf")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "topic")
    return tmp_path


def paths(folder: Path, *arguments: str) -> list[str]:
    done = run(folder, "lint", "--format=json", *arguments)
    assert done.err == ""
    document = json.loads(done.out)
    assert document["failures"] == []
    return [one["path"] for one in document["findings"]]


CHANGED = ["changed/cloud.conf", "moved/cloud.conf", "new/cloud.conf"]


def test_only_what_changed_since_the_merge_base(repository: Path) -> None:
    assert paths(repository) == ["changed/cloud.conf", "moved/cloud.conf", "new/cloud.conf", "same/cloud.conf"]
    assert paths(repository, "--diff-base=main") == CHANGED
    assert paths(repository, "--diff-base=HEAD") == []
    assert paths(repository, "--diff-base=HEAD~1", "changed") == ["changed/cloud.conf"]
    assert paths(repository, "--diff-base=main", "same/cloud.conf", "new/cloud.conf") == ["new/cloud.conf"]


def test_what_main_gained_meanwhile_is_not_ours(repository: Path) -> None:
    git(repository, "checkout", "-q", "main")
    put(repository, {"theirs/cloud.conf": FATAL})
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "meanwhile")
    git(repository, "checkout", "-q", "topic")
    assert paths(repository, "--diff-base=main") == CHANGED


def test_what_is_not_committed_yet_counts(repository: Path) -> None:
    put(repository, {"untracked/cloud.conf": FATAL, "staged/cloud.conf": FATAL, "same/cloud.conf": WARNED})
    git(repository, "add", "staged")
    assert paths(repository, "--diff-base=HEAD") == ["same/cloud.conf", "staged/cloud.conf", "untracked/cloud.conf"]


def test_the_repository_may_be_above(repository: Path) -> None:
    assert paths(repository / "changed", "--diff-base=main") == ["cloud.conf"]


@pytest.mark.parametrize(
    ("revision", "said"),
    [
        ("mian", "git knows no revision `mian`"),
        ("--output=x", "git knows no revision `--output=x`"),
        ("HEAD:same", "`HEAD:same`"),
    ],
)
def test_a_revision_that_is_none(repository: Path, revision: str, said: str) -> None:
    done = run(repository, "lint", f"--diff-base={revision}")
    assert done.code == 2
    assert said in done.err
    assert "fetch" in done.err
    assert not (repository / "x").exists()


def test_histories_without_a_common_commit(repository: Path) -> None:
    git(repository, "checkout", "-q", "--orphan", "other")
    git(repository, "commit", "-q", "-m", "other")
    done = run(repository, "lint", "--diff-base=main")
    assert done.code == 2
    assert "have no commit in common" in done.err


def test_a_tracked_file_that_is_deleted_is_no_error(repository: Path) -> None:
    (repository / "same" / "cloud.conf").unlink()
    assert paths(repository) == CHANGED
    assert paths(repository, "--diff-base=main") == CHANGED


def test_ignored_files_stay_out_unless_they_are_named(repository: Path) -> None:
    put(repository, {".gitignore": "build/\n", "build/cloud.conf": FATAL})
    assert "build/cloud.conf" not in paths(repository)
    assert paths(repository, "build/cloud.conf") == ["build/cloud.conf"]
    assert paths(repository, "build") == ["build/cloud.conf"]


def test_a_submodule_and_a_link_are_skipped(repository: Path) -> None:
    put(repository, {"vendored/cloud.conf": NOTED})
    git(repository / "vendored", "init", "-q")
    git(repository / "vendored", "add", ".")
    git(repository / "vendored", "commit", "-q", "-m", "x")
    git(repository, "add", "vendored")
    (repository / "new" / "link.conf").symlink_to("../same/cloud.conf")
    (repository / "new" / "dangling.conf").symlink_to("nowhere")
    git(repository, "add", "new")
    assert "vendored/cloud.conf" not in paths(repository)
    assert sorted(paths(repository)) == sorted([*CHANGED, "same/cloud.conf"])


def test_git_may_be_missing(repository: Path) -> None:
    done = run(repository, "lint", "--format=json", PATH="/nonexistent")
    assert len(json.loads(done.out)["findings"]) == 4
    done = run(repository, "lint", "--diff-base=main", PATH="/nonexistent")
    assert done.code == 2
