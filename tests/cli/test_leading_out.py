"""No link inside of a checkout leads a command out of it, to read, to write, to list or to ask git."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from command_line import FATAL, RIGHT, git, put, run

OUT = "leads out of"
SECRET = "region = Hush"
BODY = FATAL.replace("region = RegionOne", SECRET)
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository with a cloud.conf, beside a folder that is none of its business."""
    put(tmp_path, {"victim": "keep me", "private/cloud.conf": BODY, "repo/cloud.conf": FATAL})
    put(tmp_path, {"repo/svc.yaml": SERVICE, "repo/right.conf": RIGHT})
    git(tmp_path / "repo", "init", "-q")
    git(tmp_path / "repo", "add", ".")
    git(tmp_path / "repo", "commit", "-q", "-m", "base")
    return tmp_path / "repo"


def link(path: Path, to: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(to)
    return path


class TestOutputs:
    WRITING = (
        ("lint", "--format=sarif", "-o", "{}", "."),
        ("lint", "--output-file=json={}", "."),
        ("lint", "--write-baseline={}", "."),
        ("list", "-o", "{}", "."),
        ("predict", "-o", "{}", "."),
        ("review", "--git", "HEAD", "--format=markdown", "-o", "{}"),
        ("rules", "-o", "{}"),
        ("render", "cloud.conf", "--cloud-config=right.conf", "-o", "{}"),
    )

    @pytest.mark.parametrize("command", WRITING, ids=" ".join)
    @pytest.mark.parametrize("name", ["out", "sub/out"])
    def test_a_committed_link_is_not_written_through(self, top: Path, command: tuple[str, ...], name: str) -> None:
        if name == "out":
            link(top / "out", "../victim")
        else:
            link(top / "sub", "..")
            (top.parent / "victim").rename(top.parent / "out")
            link(top.parent / "victim", "out")
        done = run(top, *(word.format(name) for word in command))
        assert (top.parent / "victim").read_text() == "keep me"
        assert done.code in (2, 3)
        assert f"{OUT} {top}" in done.err
        assert "--trust-checkout" in done.err

    def test_nothing_new_is_made_outside(self, top: Path) -> None:
        link(top / "out.sarif", "../new")
        link(top / "folder", "../made")
        assert run(top, "lint", "--format=sarif", "-o", "out.sarif", ".").code == 2
        assert run(top, "fix", "--output-dir=folder/deeper", ".").code >= 2
        assert not (top.parent / "new").exists()
        assert not (top.parent / "made").exists()

    def test_it_is_written_where_the_checkout_is_trusted(self, top: Path) -> None:
        link(top / "out.json", "../victim")
        assert run(top, "lint", "--trust-checkout", "--format=json", "-o", "out.json", ".").code == 1
        assert (top.parent / "victim").read_text().startswith("{")

    def test_trust_ends_with_the_run(self, top: Path) -> None:
        link(top / "out.json", "../victim")
        run(top, "rules", "--trust-checkout")
        assert run(top, "lint", "--format=json", "-o", "out.json", ".").code == 2

    def test_a_link_that_stays_inside_is_written_through(self, top: Path) -> None:
        link(top / "out.json", "reports/out.json")
        (top / "reports").mkdir()
        assert run(top, "lint", "--format=json", "-o", "out.json", ".").code == 1
        assert (top / "reports/out.json").is_file()
        assert (top / "out.json").is_symlink()

    def test_paths_that_are_spelled_out_may_lie_anywhere(self, top: Path) -> None:
        link(top.parent / "elsewhere", "victim")
        for path in (os.devnull, "/dev/stdout", "../elsewhere", str(top.parent / "new")):
            assert run(top, "lint", "--format=json", "-o", path, ".").code == 1
        assert (top.parent / "victim").read_text().startswith("{")

    def test_without_a_repository_the_named_folder_is_the_limit(self, tmp_path: Path) -> None:
        put(tmp_path, {"victim": "keep me", "named/cloud.conf": FATAL})
        link(tmp_path / "named/out", "../victim")
        assert run(tmp_path, "lint", "-o", "named/out", "named").code == 2
        assert run(tmp_path / "named", "lint", "-o", "out").code == 2
        assert (tmp_path / "victim").read_text() == "keep me"


class TestReading:
    @pytest.mark.parametrize("command", ["lint", "show", "read", "list", "fix"])
    @pytest.mark.parametrize("path", ["linked.conf", "folder/cloud.conf", "folder"])
    def test_links_that_are_named_one_by_one(self, top: Path, command: str, path: str) -> None:
        """As pre-commit names the files of a commit."""
        link(top / "linked.conf", "../private/cloud.conf")
        link(top / "folder", "../private")
        done = run(top, command, path)
        assert "Hush" not in done.out + done.err
        assert done.code in (2, 3)
        assert OUT in done.out + done.err
        assert OUT not in run(top, command, "--trust-checkout", path).err

    @pytest.mark.parametrize("option", ["--config", "--env-file", "--baseline", "--profile"])
    def test_files_that_options_name(self, top: Path, option: str) -> None:
        link(top / "named.toml", "../victim")
        done = run(top, "lint", option, "./named.toml", ".")
        assert (done.code, OUT in done.err) == (2, True)

    def test_names_of_an_index_that_lead_out(self, top: Path) -> None:
        put(top, {"folder/cloud.conf": RIGHT})
        git(top, "add", "folder")
        (top / "folder/cloud.conf").unlink()
        (top / "folder").rmdir()
        link(top / "folder", "../private")
        for command in (("lint", "."), ("lint", "--diff-base=HEAD", "."), ("list", "."), ("predict", ".")):
            done = run(top, *command)
            assert "folder" not in done.out
            assert "Hush" not in done.out + done.err

    @pytest.mark.parametrize("name", [b"../private/", b"/private_x/"])
    def test_an_index_that_was_made_to_lead_out(self, top: Path, name: bytes) -> None:
        put(top, {"aa/private/cloud.conf": RIGHT})
        git(top, "add", "aa")
        (top / "aa").rename(top.parent / "aa")
        index = top / ".git/index"
        index.write_bytes(index.read_bytes().replace(b"aa/private/", name))
        done = run(top, "list", ".")
        assert "private" not in done.out

    @pytest.mark.parametrize("where", ["repository", "folder"])
    def test_includes_of_templates(self, top: Path, where: str) -> None:
        put(top, {"t/mine.conf.j2": "{% include 'inner.j2' %}\n"})
        put(top.parent, {"private/cloud.conf": RIGHT.replace("RegionOne", "Hush")})
        link(top / "t/inner.j2", "../../private/cloud.conf")
        if where == "folder":
            (top / ".git").rename(top.parent / "git")
        done = run(top, "render", "mine.conf", "--template-dir=t", "--cloud-config=right.conf", "--with-secrets")
        assert "Hush" not in done.out + done.err
        assert (done.code, OUT in done.err) == (2, True)
        trusted = run(top, "render", "mine.conf", "--template-dir=t", "--cloud-config=right.conf", "--trust-checkout")
        assert trusted.code == 0

    def test_what_kustomize_builds(self, top: Path) -> None:
        put(
            top, {"k/kustomization.yaml": "secretGenerator:\n- name: cloud-config\n  files: [cloud.conf=linked.conf]\n"}
        )
        link(top / "k/linked.conf", "../../private/cloud.conf")
        done = run(top, "lint", "k")
        assert "Hush" not in done.out + done.err


class TestGit:
    @pytest.fixture
    def private(self, top: Path) -> Path:
        """Another repository, of the same user."""
        path = top.parent / "private"
        git(path, "init", "-q", "-b", "main")
        git(path, "add", ".")
        git(path, "commit", "-q", "-m", "one")
        put(path, {"cloud.conf": FATAL})
        git(path, "add", ".")
        git(path, "commit", "-q", "-m", "two")
        return path

    @pytest.mark.parametrize("kind", ["file", "link", "commondir", "objects", "refs", "index", "packed-refs"])
    def test_another_repository_is_not_shown(self, top: Path, private: Path, kind: str) -> None:
        unpacked = top.parent / "unpacked"
        put(unpacked, {"cloud.conf": RIGHT})
        if kind == "file":
            put(unpacked, {".git": "gitdir: ../private/.git\n"})
        elif kind == "link":
            link(unpacked / ".git", "../private/.git")
        else:
            git(unpacked, "init", "-q")
            if kind == "packed-refs":
                git(private, "pack-refs", "--all", "--no-prune")
            if kind == "commondir":
                put(unpacked, {".git/commondir": "../../private/.git\n"})
            else:
                there = unpacked / ".git" / kind
                if there.exists():
                    there.rename(top.parent / "old")
                link(there, f"../../private/.git/{kind}")
        commit = (private / ".git/refs/heads/main").read_text().strip()
        for revisions in ("HEAD~1..HEAD", f"{commit}~1..{commit}", f"{commit}~1"):
            done = run(unpacked, "review", "--git", revisions)
            assert "Hush" not in done.out + done.err
            assert done.code == 2
        assert "cloud.conf" in run(unpacked, "list", ".").out

    def test_alternates(self, top: Path, private: Path) -> None:
        put(top, {".git/objects/info/alternates": "../../../private/.git/objects\n"})
        commit = (private / ".git/refs/heads/main").read_text().strip()
        done = run(top, "review", "--git", f"{commit}~1..{commit}")
        assert (done.code, OUT in done.err) == (3, True)
        assert run(top, "review", "--trust-checkout", "--git", f"{commit}~1..{commit}").code < 2
        assert run(top, "lint", ".").code == 1

    def test_alternates_of_alternates(self, top: Path, private: Path) -> None:
        put(top, {".git/objects/info/alternates": "../../inner\n"})
        put(top, {"inner/info/alternates": f"{private}/.git/objects\n"})
        assert OUT in run(top, "review", "--git", "HEAD..HEAD").err

    def test_a_linked_work_tree_is_known_by_what_points_back(self, top: Path) -> None:
        git(top, "worktree", "add", "-q", "../linked")
        assert run(top.parent / "linked", "review", "--git", "HEAD").code < 2
        put(top.parent / "stolen", {".git": (top.parent / "linked/.git").read_text()})
        assert run(top.parent / "stolen", "review", "--git", "HEAD").code == 2

    def test_a_work_tree_that_only_says_so(self, top: Path, private: Path) -> None:
        fake = top.parent / "fake"
        put(fake, {".git": "gitdir: ../main/worktrees/x\n"})
        store = top.parent / "main/worktrees/x"
        put(store, {"gitdir": str(fake / ".git"), "HEAD": "ref: refs/heads/main\n", "commondir": f"{private}/.git"})
        done = run(fake, "review", "--git", "HEAD~1..HEAD")
        assert done.code == 2
        assert "Hush" not in done.out + done.err

    def test_submodules(self, top: Path, private: Path) -> None:
        git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(private), "sub")
        assert (top / "sub/.git").is_file()
        assert run(top / "sub", "review", "--git", "HEAD~1..HEAD").code < 2

    @pytest.mark.parametrize(
        "name",
        [".git/objects/info/alternates", ".git/objects/info/commit-graph", ".git/refs/heads/x", ".git/objects/ab/cd",
         ".git/packed-refs", ".git/shallow", ".gitattributes", "deep/er/.gitignore", ".git/info/exclude", ".git/HEAD"],
    )  # fmt: skip
    def test_pipes_where_git_reads(self, top: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        from ccmcheck.workspace import git_program

        monkeypatch.setattr(git_program, "PATIENCE", 0.5, raising=False)
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        started = time.monotonic()
        assert run(top, "lint", ".").code == 1
        assert run(top, "review", "--git", "HEAD..HEAD").code <= 3
        assert run(top, "lint", "--diff-base=HEAD", ".").code <= 3
        assert time.monotonic() - started < 10
        if name == "deep/er/.gitignore":
            assert f"{path} is a pipe" in run(top, "lint", "-v", ".").out
