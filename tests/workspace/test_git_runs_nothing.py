"""No command runs a program that a checkout names, whether by git's configuration, a hook or a folder like a repository."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from contextvars import copy_context
from pathlib import Path

import pytest
from gits import CONF, git, tree

from ccmcheck.base.boundary import trust
from ccmcheck.base.errors import GitUnavailable
from ccmcheck.base.repository_paths import find_repository
from ccmcheck.cli.main import run as run_command
from ccmcheck.workspace import git_program
from ccmcheck.workspace.git import Git
from ccmcheck.workspace.repositories import Repositories

PACKAGE = Path(git_program.__file__).parents[1]
TABLE = Path(__file__).with_name("git_programs.tsv")

COMMANDS = (
    ("lint", "."),
    ("lint", "--diff-base=HEAD~1", "."),
    ("lint", "--diff-base=main@{upstream}", "."),
    ("lint", "--diff-base=HEAD~1", "changed/cloud.conf"),
    ("lint", "--config-from=HEAD~1", "."),
    ("lint", "changed/cloud.conf"),
    ("list", "changed/cloud.conf"),
    ("fix", "."),
    ("predict", "."),
    ("upgrade", ".", "--to=1.36", "--from=1.31"),
    ("review", "--git", "HEAD~1..HEAD"),
    ("review", "--git", "HEAD~1...HEAD"),
    ("review", "--git", "HEAD~1"),
    ("review", "--git", "no-such-revision"),
)


def settings() -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    return [(row[0], row[1] if len(row) > 1 else "{program}") for row in rows]


class Hostile:
    """Programs that leave a mark, and where they leave them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.marks = folder / "marks"
        self.marks.mkdir(parents=True)
        self.hooks = folder / "hooks"
        self.hooks.mkdir()
        for hook in ("post-index-change", "post-checkout", "pre-commit", "reference-transaction", "fsmonitor-watchman"):
            self.program(f"hook-{hook}", self.hooks / hook)
        (folder / "attributes").write_text("* filter=evil diff=evil merge=evil\n")
        (folder / "included").write_text(f"[core]\n\tfsmonitor = {self.program('included')}\n")

    def program(self, name: str, path: Path | None = None) -> Path:
        path = path or self.folder / f"run-{len(list(self.folder.iterdir()))}.sh"
        path.write_text(
            f"#!/bin/sh\ntouch '{self.marks}/{name.replace('/', '_')}'\ncat >/dev/null </dev/null\nexit 1\n"
        )
        path.chmod(0o755)
        return path

    def value(self, name: str, value: str) -> str:
        return value.format(
            program=self.program(name) if "{program}" in value else "",
            folder=self.hooks,
            attributes=self.folder / "attributes",
            included=self.folder / "included",
            missing=self.folder / "missing",
        )

    @property
    def ran(self) -> list[str]:
        return sorted(path.name for path in self.marks.iterdir())


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return Hostile(tmp_path / "hostile")


@pytest.fixture
def checkout(tmp_path: Path, hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that sets every variable of the table, with files that are dirty, and an object that is missing."""
    top = tmp_path / "checkout"
    top.mkdir()
    monkeypatch.chdir(top)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    git(top, "init", "-q")
    tree(top, "same/cloud.conf", "changed/cloud.conf", "gone/cloud.conf")
    (top / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n*.yaml filter=lfs\n")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "base")
    tree(top, "new/cloud.conf")
    (top / "changed/cloud.conf").write_text(CONF + "region=a\n")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "topic")
    git(top, "update-ref", "refs/remotes/origin/main", "HEAD~1")
    (top / "changed/cloud.conf").write_text(CONF + "region=b\n")
    os.utime(top / "same/cloud.conf", (1, 1))
    with (top / ".git/config").open("a") as file:
        for name, value in settings():
            section, _, rest = name.partition(".")
            subsection, _, key = rest.rpartition(".")
            header = f'{section} "{subsection}"' if subsection else section
            file.write(f'[{header}]\n\t{key} = "{hostile.value(name, value)}"\n')
    return top


def run(*arguments: str) -> int:
    return run_command(list(arguments))


def test_the_programs_would_run(checkout: Path, hostile: Hostile) -> None:
    """Otherwise the tests below could not fail."""
    subprocess.run(["git", "ls-files", "-co"], cwd=checkout, check=False, capture_output=True)
    subprocess.run(["git", "diff", "--name-only", "HEAD"], cwd=checkout, check=False, capture_output=True)
    assert hostile.ran


@pytest.mark.part(of=3)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_program_of_the_configuration_runs(checkout: Path, hostile: Hostile, command: tuple[str, ...]) -> None:
    run(*command)
    assert hostile.ran == []
    assert checkout.exists()


@pytest.mark.parametrize("command", [("review", "--git", "HEAD~1..HEAD"), ("lint", "--diff-base=HEAD~1", ".")])
def test_a_missing_object_is_not_fetched(checkout: Path, hostile: Hostile, command: tuple[str, ...]) -> None:
    blob = git(checkout, "-c", "core.fsmonitor=", "rev-parse", "HEAD:new/cloud.conf", "--")
    blob = blob.splitlines()[0]
    hostile_marks = set(hostile.ran)
    (checkout / ".git/objects" / blob[:2] / blob[2:]).unlink()
    run(*command)
    assert set(hostile.ran) == hostile_marks


@pytest.mark.parametrize("command", ["lint", "fix", "predict"])
def test_a_folder_that_looks_like_a_bare_repository_is_none(tmp_path: Path, hostile: Hostile, command: str) -> None:
    top = tmp_path / "clone"
    tree(top, "deploy/cloud.conf", "deploy/objects/.k", "deploy/refs/.k")
    git(top, "init", "-q")
    (top / "deploy/HEAD").write_text("ref: refs/heads/main\n")
    (top / "deploy/config").write_text(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n"
        f"\tfsmonitor = {hostile.program('embedded')}\n"
    )
    git(top, "add", ".")
    subprocess.run(["git", "ls-files", "-co"], cwd=top / "deploy", check=False, capture_output=True)
    assert hostile.ran == ["embedded"]
    (hostile.marks / "embedded").unlink()
    run(command, str(top / "deploy"))
    assert hostile.ran == []
    found = find_repository(str(top / "deploy"))
    assert found is not None
    assert found.top == str(top)


def test_git_is_not_taken_from_the_checkout(checkout: Path, hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile.program("relative", checkout / "git")
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    run("lint", ".")
    assert hostile.ran == []


def test_only_one_module_starts_a_program() -> None:
    starting = set()
    words = re.compile(rb"\b(subprocess|pty|multiprocessing|exec\w*|spawn\w*|popen|system|posix_spawn\w*)\b")
    sources = {path: path.read_bytes() for path in PACKAGE.rglob("*.py")}
    for path in (path for path, source in sources.items() if words.search(source)):
        for node in ast.walk(ast.parse(sources[path])):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if isinstance(node, ast.Attribute) and ast.unparse(node).startswith(
                ("os.exec", "os.spawn", "os.popen", "os.system", "os.posix_spawn")
            ):
                names = ["subprocess"]
            if any(name.partition(".")[0] in {"subprocess", "pty", "multiprocessing"} for name in names):
                starting.add(path.relative_to(PACKAGE).as_posix())
            if isinstance(node, ast.ImportFrom) and any(alias.name == "started" for alias in node.names):
                starting.add(path.relative_to(PACKAGE).as_posix())
    # a kubeconfig's exec plug-in runs where the user allows it; no file of a checkout names one
    assert starting == {"base/budget.py", "workspace/git_program.py", "cluster/access/exec_plugin.py"}


class TestUnavailable:
    def fake(self, folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
        folder.mkdir()
        (folder / "git").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "git").chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))

    @pytest.fixture
    def repository(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        top = tmp_path / "repository"
        tree(top, "cloud.conf")
        git(top, "init", "-q")
        monkeypatch.chdir(top)
        return top

    @pytest.mark.usefixtures("repository")
    def test_an_old_git(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.fake(tmp_path / "bin", monkeypatch, "echo git version 2.11.0")
        assert run("lint", "-v", ".") < 2
        assert ". was walked without git" in (out := capsys.readouterr().out)
        assert "git 2.11 is too old: git 2.30 or newer is needed" in out
        assert run("lint", "--diff-base=HEAD", ".") == 2
        assert "git 2.11 is too old: git 2.30 or newer is needed" in capsys.readouterr().err
        assert run("review", "--git", "HEAD") == 2
        assert "git 2.11 is too old: git 2.30 or newer is needed" in capsys.readouterr().err

    @pytest.mark.usefixtures("repository")
    def test_a_git_that_never_ends(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.fake(
            tmp_path / "bin", monkeypatch, '[ "$1" = version ] && echo git version 2.45.0 && exit\nexec /bin/sleep 60'
        )
        monkeypatch.setattr(git_program, "SECONDS", 0.3)
        assert run("lint", "-v", ".") < 2
        assert "git took longer than" in capsys.readouterr().out
        assert run("lint", "--diff-base=HEAD", ".") == 2

    def test_an_index_that_is_a_pipe(self, repository: Path) -> None:
        (repository / ".git/index").unlink(missing_ok=True)
        os.mkfifo(repository / ".git/index")
        with Repositories() as repositories, pytest.raises(GitUnavailable, match="index is a pipe, not a file"):
            repositories.of(".")
        assert run("lint", ".") < 2


class TestSealed:
    @pytest.fixture
    def top(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
        (tmp_path / "temporary").mkdir()
        top = tmp_path / "top"
        tree(top, "cloud.conf")
        return top

    def listed(self, folder: Path) -> list[str] | None:
        paths = find_repository(str(folder))
        assert paths is not None
        with Git(paths, upstreams=True) as sealed:
            return sealed.lines(str(folder), "ls-files", "-co", "--exclude-standard", "-z")

    def test_the_folder_goes_again(self, top: Path, tmp_path: Path) -> None:
        git(top, "init", "-q")
        assert self.listed(top) == ["cloud.conf"]
        assert list((tmp_path / "temporary").iterdir()) == []

    def test_a_linked_work_tree(self, top: Path, tmp_path: Path) -> None:
        git(top, "init", "-q")
        git(top, "add", ".")
        git(top, "commit", "-q", "-m", "x")
        git(top, "worktree", "add", "-q", str(tmp_path / "linked"))
        assert self.listed(tmp_path / "linked") == ["cloud.conf"]

    def test_a_git_directory_that_does_not_point_back(self, top: Path) -> None:
        git(top, "init", "-q", f"--separate-git-dir={top.parent / 'elsewhere'}")
        with pytest.raises(GitUnavailable, match=r"\.git leads out of it to what does not point back"):
            self.listed(top)
        context = copy_context()
        context.run(trust)
        assert context.run(self.listed, top) == ["cloud.conf"]

    @pytest.mark.parametrize("setting", ["--object-format=sha256", "--separate-git-dir=elsewhere"])
    def test_other_layouts(self, top: Path, setting: str) -> None:
        if "=elsewhere" in setting:
            setting = f"--separate-git-dir={top / 'elsewhere'}"
            (top / ".gitignore").write_text("elsewhere\n.gitignore\n")
        git(top, "init", "-q", setting)
        git(top, "add", ".")
        git(top, "commit", "-q", "-m", "x")
        assert self.listed(top) == ["cloud.conf"]
        paths = find_repository(str(top))
        assert paths is not None
        with Git(paths) as sealed:
            staged = sealed.lines(str(top), "ls-files", "-s", "-z")
            assert staged is not None
            assert sealed.hash_of(str(top / "cloud.conf")) == staged[0].split()[1]

    def test_a_split_index(self, top: Path) -> None:
        git(top, "init", "-q")
        git(top, "add", ".")
        git(top, "update-index", "--split-index")
        assert self.listed(top) == ["cloud.conf"]

    def test_excluded_by_the_repository_alone(self, top: Path) -> None:
        git(top, "init", "-q")
        (top / ".git/info").mkdir(exist_ok=True)
        (top / ".git/info/exclude").write_text("cloud.conf\n")
        assert self.listed(top) == []

    def test_the_upstream_is_understood(self, top: Path) -> None:
        git(top, "init", "-q")
        git(top, "add", ".")
        git(top, "commit", "-q", "-m", "x")
        git(top, "remote", "add", "origin", "https://example.org/x.git")
        git(top, "update-ref", "refs/remotes/origin/main", "HEAD")
        git(top, "branch", "-q", "--set-upstream-to=origin/main")
        paths = find_repository(str(top))
        assert paths is not None
        with Git(paths, upstreams=True) as sealed:
            assert sealed.lines(str(top), "rev-parse", "@{upstream}") == sealed.lines(str(top), "rev-parse", "HEAD")
