"""Which files a run looks at, in git and outside of it, and what is said of those that cannot be read."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.result import Failure
from ccmcheck.workspace.discover import DiscoverOptions, Target, discover, read

CONF = "[Global]\nauth-url=https://keystone.example.com/v3\n"


def tree(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CONF)


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "init.defaultBranch=main", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def found(*paths: str, options: DiscoverOptions | None = None) -> list[str]:
    """The paths of the files; a failure counts as its own path with a cross before it."""
    return sorted(
        one.path if isinstance(one, Target) else f"✗ {one.path}"
        for one in discover(paths, options or DiscoverOptions())
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    return tmp_path


@pytest.fixture
def repo(here: Path) -> Path:
    git(here, "init", "-q")
    return here


class TestFolders:
    def test_outside_git_walks_and_skips_generated_folders(self, here: Path) -> None:
        tree(here, "a/cloud.conf", "b/c/d.yaml", "node_modules/x.yaml", "a/__pycache__/x.yaml", ".terraform/x.yaml")
        tree(here, "venv/pyvenv.cfg", "venv/lib/x.yaml", ".hidden/y.yaml")
        assert found(".") == [".hidden/y.yaml", "a/cloud.conf", "b/c/d.yaml"]

    def test_paths_begin_with_the_folder_as_it_was_named(self, here: Path) -> None:
        tree(here, "a/b/cloud.conf")
        assert found("a") == ["a/b/cloud.conf"]
        assert found("./a/") == ["./a/b/cloud.conf"]
        assert found(str(here / "a")) == [str(here / "a/b/cloud.conf")]

    def test_source_code_is_skipped(self, here: Path) -> None:
        tree(here, "a_test.go", "a.rs", "a.py", "a.PNG", "cloud-config", "a.yaml", "a.json", "x.tmpl")
        assert found(".") == ["a.json", "a.yaml", "cloud-config", "x.tmpl"]

    def test_a_folder_named_like_the_file_is_walked(self, here: Path) -> None:
        tree(here, "cloud.conf/cloud.conf")
        assert found("cloud.conf") == ["cloud.conf/cloud.conf"]
        assert found(".") == ["cloud.conf/cloud.conf"]

    def test_links_and_their_loops_are_not_followed(self, here: Path) -> None:
        tree(here, "real/cloud.conf")
        (here / "real/loop").symlink_to(here / "real")
        (here / "link.yaml").symlink_to(here / "real/cloud.conf")
        (here / "dangling.yaml").symlink_to(here / "nowhere")
        assert found(".") == ["real/cloud.conf"]

    def test_a_link_to_a_folder_is_walked_when_it_is_named(self, here: Path) -> None:
        tree(here, "real/cloud.conf")
        (here / "link").symlink_to(here / "real")
        assert found("link") == ["link/cloud.conf"]

    def test_pipes_are_skipped(self, here: Path) -> None:
        tree(here, "a.yaml")
        os.mkfifo(here / "pipe.yaml")
        assert found(".") == ["a.yaml"]

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
    def test_a_folder_that_cannot_be_listed_is_a_failure(self, here: Path) -> None:
        tree(here, "a/x.yaml", "b/x.yaml")
        (here / "a").chmod(0)
        try:
            assert found(".") == ["b/x.yaml", "✗ a"]
        finally:
            (here / "a").chmod(0o700)

    def test_excluded(self, here: Path) -> None:
        tree(here, "a/x.yaml", "b/x.yaml", "b/deep/y.yaml", "c/secret.yaml")
        assert found(".", options=DiscoverOptions(exclude=("b",))) == ["a/x.yaml", "c/secret.yaml"]
        assert found(".", options=DiscoverOptions(exclude=("b/deep", "secret.yaml"))) == ["a/x.yaml", "b/x.yaml"]

    def test_patterns_count_from_the_configuration_s_folder(self, here: Path) -> None:
        tree(here, "a/b/x.yaml", "a/c/x.yaml")
        assert found("a", options=DiscoverOptions(exclude=("a/b/*",))) == ["a/c/x.yaml"]
        assert found("a", options=DiscoverOptions(exclude=("b/*",), root="a")) == ["a/c/x.yaml"]


class TestArguments:
    def test_a_file_is_explicit_and_a_folder_s_files_are_not(self, here: Path) -> None:
        tree(here, "a/x.yaml", "a/y.yaml")
        assert list(discover(["a/x.yaml", "a"])) == [Target("a/x.yaml", explicit=True), Target("a/y.yaml")]

    def test_each_file_comes_once_however_it_is_named(self, here: Path) -> None:
        tree(here, "a/x.yaml", "a/y.yaml")
        assert found("a", "./a", "a/x.yaml", "a/../a/x.yaml", str(here / "a/y.yaml")) == [
            str(here / "a/y.yaml"),
            "a/x.yaml",
        ]

    def test_a_named_file_is_read_whatever_its_name_and_the_patterns(self, here: Path) -> None:
        tree(here, "notes.md")
        assert found("notes.md", options=DiscoverOptions(exclude=("*",))) == ["notes.md"]

    def test_patterns_in_arguments(self, here: Path) -> None:
        tree(here, "a/x.yaml", "a/b/y.yaml", "c/z.yaml")
        assert list(discover(["a/*.yaml"])) == [Target("a/x.yaml", explicit=True)]
        assert found("**/*.yaml") == ["a/b/y.yaml", "a/x.yaml", "c/z.yaml"]
        assert found("[ac]") == ["a/b/y.yaml", "a/x.yaml", "c/z.yaml"]

    def test_a_name_with_a_bracket_is_that_file(self, here: Path) -> None:
        tree(here, "a[1].yaml", "a1.yaml")
        assert found("a[1].yaml") == ["a[1].yaml"]

    @pytest.mark.parametrize("name", ["nowhere", "nowhere/*.yaml", "bad\0name"])
    @pytest.mark.usefixtures("here")
    def test_what_is_not_there_is_a_failure(self, name: str) -> None:
        assert list(discover([name])) == [Failure(name, "there is no such file or folder")]


class TestGit:
    def test_tracked_and_new_files_but_no_ignored_ones(self, repo: Path) -> None:
        tree(repo, "tracked.yaml", "new.yaml", "build/x.yaml", "sub/ignored.yaml")
        (repo / ".gitignore").write_text("build/\nignored.yaml\n")
        git(repo, "add", "tracked.yaml")
        assert found(".") == [".gitignore", "new.yaml", "tracked.yaml"]
        assert found("sub") == []

    def test_an_ignored_folder_is_walked_when_it_is_named(self, repo: Path) -> None:
        tree(repo, "build/x.yaml", "a.yaml")
        (repo / ".gitignore").write_text("build/\n")
        assert found("build") == ["build/x.yaml"]

    def test_names_are_taken_as_they_are(self, repo: Path) -> None:
        names = ["with space.yaml", 'quo"te.yaml', "ümläut.yaml", "new\nline.yaml"]
        tree(repo, *names)
        git(repo, "add", "-A")
        assert found(".") == sorted(names)
        assert all(isinstance(read(Target(name)), bytes) for name in names)

    def test_a_submodule_is_another_repository(self, repo: Path) -> None:
        tree(repo, "other/cloud.conf", "a.yaml")
        git(repo / "other", "init", "-q")
        git(repo / "other", "add", "-A")
        git(repo / "other", "commit", "-qm", "one")
        git(repo, "add", "a.yaml")
        assert found(".") == ["a.yaml"]
        git(repo, "-c", "advice.addEmbeddedRepo=false", "add", "other")
        assert [
            read(target) for target in discover(["."]) if isinstance(target, Target) and target.path == "other"
        ] == [None]

    def test_a_folder_of_repositories_is_listed_by_each_one_s_rules(self, here: Path) -> None:
        tree(here, "one/a.yaml", "one/ignored.yaml", "two/ignored.yaml")
        (here / "one/.gitignore").write_text("ignored.yaml\n")
        git(here / "one", "init", "-q")
        git(here / "two", "init", "-q")
        assert found(".") == ["one/.gitignore", "one/a.yaml", "two/ignored.yaml"]

    def test_a_file_that_git_knows_and_somebody_deleted(self, repo: Path) -> None:
        tree(repo, "a.yaml")
        git(repo, "add", "-A")
        (repo / "a.yaml").unlink()
        (target,) = discover(["."])
        assert isinstance(target, Target)
        assert read(target) is None


class TestDiffBase:
    @pytest.fixture
    def branch(self, repo: Path) -> Path:
        """main moves on after the branch is cut; the branch changes one file of each kind."""
        tree(
            repo, "same.yaml", "committed.yaml", "staged.yaml", "edited.yaml", "gone.yaml", "main.yaml", "dir/deep.yaml"
        )
        git(repo, "add", "-A")
        git(repo, "commit", "-qm", "one")
        git(repo, "checkout", "-qb", "work")
        (repo / "committed.yaml").write_text(CONF + "region=a\n")
        (repo / "dir/deep.yaml").write_text(CONF + "region=a\n")
        git(repo, "rm", "-q", "gone.yaml")
        git(repo, "commit", "-qam", "two")
        (repo / "staged.yaml").write_text(CONF + "region=b\n")
        git(repo, "add", "staged.yaml")
        (repo / "edited.yaml").write_text(CONF + "region=c\n")
        (repo / "new.yaml").write_text(CONF)
        work = git(repo, "rev-parse", "HEAD")
        git(repo, "stash", "-qu")
        git(repo, "checkout", "-q", "main")
        (repo / "main.yaml").write_text(CONF + "region=d\n")
        git(repo, "commit", "-qam", "three")
        git(repo, "checkout", "-q", "work")
        git(repo, "stash", "pop", "-q", "--index")
        assert git(repo, "rev-parse", "HEAD") == work
        return repo

    @pytest.mark.usefixtures("branch")
    def test_what_the_branch_changed_and_nothing_that_only_main_did(self) -> None:
        assert found(".", options=DiscoverOptions(diff_base="main")) == [
            "committed.yaml",
            "dir/deep.yaml",
            "edited.yaml",
            "new.yaml",
            "staged.yaml",
        ]

    @pytest.mark.usefixtures("branch")
    def test_folders_and_files_are_narrowed_too(self) -> None:
        options = DiscoverOptions(diff_base="main")
        assert found("dir", options=options) == ["dir/deep.yaml"]
        assert found("same.yaml", "edited.yaml", "dir/deep.yaml", options=options) == ["dir/deep.yaml", "edited.yaml"]

    @pytest.mark.parametrize("revision", ["no-such-branch", "--output=x", "-x"])
    def test_a_revision_that_is_not_there(self, branch: Path, revision: str) -> None:
        with pytest.raises(WrongUse, match="git knows no revision"):
            found(".", options=DiscoverOptions(diff_base=revision))
        assert not (branch / "x").exists()

    def test_histories_without_a_common_commit(self, branch: Path) -> None:
        git(branch, "checkout", "-q", "--orphan", "other")
        git(branch, "commit", "-qm", "another root")
        with pytest.raises(WrongUse, match="no commit in common"):
            found(".", options=DiscoverOptions(diff_base="main"))

    @pytest.mark.usefixtures("here")
    def test_outside_git(self) -> None:
        with pytest.raises(WrongUse, match="in no git repository"):
            found(".", options=DiscoverOptions(diff_base="main"))


class TestReading:
    def test_a_file_of_a_folder_is_only_read_out_when_it_matters(self, here: Path) -> None:
        tree(here, "a.yaml")
        (here / "b.yaml").write_text("kind: Deployment\n")
        assert read(Target("a.yaml")) == CONF.encode()
        assert read(Target("b.yaml")) is None
        assert read(Target("b.yaml", explicit=True)) == b"kind: Deployment\n"

    @pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 200_000])
    def test_all_of_it_is_read(self, here: Path, size: int) -> None:
        data = os.urandom(size)
        (here / "x").write_bytes(data)
        assert read(Target("x", explicit=True)) == data

    def test_a_file_that_says_it_is_empty_and_is_not(self) -> None:
        name = "/proc/self/status"
        if not Path(name).exists():
            pytest.skip("there is no /proc here")
        data = read(Target(name, explicit=True))
        assert isinstance(data, bytes)
        assert data.startswith(b"Name:")

    def test_too_large(self, here: Path) -> None:
        (here / "conf.yaml").write_text(CONF + "#" * 100)
        (here / "other.yaml").write_text("#" * 200)
        for target in (Target("conf.yaml", explicit=True), Target("conf.yaml"), Target("other.yaml", explicit=True)):
            failure = read(target, 100)
            assert isinstance(failure, Failure)
            assert "more than the limit of 100" in failure.message
            assert "--max-size" in failure.hint
        assert read(Target("other.yaml"), 100) is None

    def test_a_pipe_that_is_named_is_not_waited_for(self, here: Path) -> None:
        os.mkfifo(here / "pipe")
        failure = read(Target("pipe", explicit=True))
        assert isinstance(failure, Failure)
        assert "a pipe, not a file" in failure.message

    def test_a_device(self) -> None:
        failure = read(Target(os.devnull, explicit=True))
        assert isinstance(failure, Failure)
        assert "a device, not a file" in failure.message

    def test_what_vanished_or_is_forbidden(self, here: Path) -> None:
        assert read(Target("nowhere")) is None
        named = read(Target("nowhere", explicit=True))
        assert named == Failure("nowhere", "cannot be read: no such file or directory")
        if os.geteuid():
            tree(here, "a.yaml")
            (here / "a.yaml").chmod(0)
            assert read(Target("a.yaml")) == Failure("a.yaml", "cannot be read: permission denied")

    def test_a_named_link_is_followed_and_a_found_one_is_not(self, here: Path) -> None:
        tree(here, "real.yaml")
        (here / "link.yaml").symlink_to("real.yaml")
        assert read(Target("link.yaml", explicit=True)) == CONF.encode()
        assert read(Target("link.yaml")) is None
