"""One module says whether a path leads out of the checkout, and a few open, list or follow anything."""

from __future__ import annotations

import ast
import os
from contextvars import copy_context
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ccmcheck.base import boundary
from ccmcheck.base.atomic_write import make_folder, open_to_keep, replace
from ccmcheck.base.boundary import LeadsOut, leads_out, name_folders, refuse, trust
from ccmcheck.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = Path(boundary.__file__).parents[1]

OPENING = {
    "base/cache_folder.py": "the user's cache folder, which is checked; follows no link",
    "base/child.py": "a pipe of its own, and what the system says of this process",
    "base/open_input.py": "reads; asks before",
    "base/atomic_write.py": "writes what was asked for; asks before",
    "base/data_files.py": "our own data, beside the module that asks",
    "cli/own_modules.py": "our own byte code",
    "explain/rules.py": "our own rules' sources",
    "cli/command.py": "no file: click's formatter has a method write_text",
    "cli/cluster_merge.py": "reads line by line what base/open_input.py opened",
    "cli/console.py": "adds to GitHub's summary of a step, which the environment names",
    "cli/main.py": "/dev/null, where a standard stream is closed",
    "cluster/conformance/cases.py": "our own cases, beside it",
    "cluster/fleet/connection.py": "a key in memory, or in the temporary folder",
    "cluster/fleet/results.py": "keeps what base/atomic_write.py opened",
    "workspace/git_directory.py": "writes the git directory of ours, in the temporary folder",
}
LISTING = {
    "base/cache_folder.py": "the user's cache folder",
    "base/atomic_write.py": "looks for leftovers beside a file that was asked for",
    "cli/config.py": "our own schemas",
    "cli/own_modules.py": "our own modules",
    "cli/guides.py": "our own guides",
    "cluster/fleet/files.py": "--kubeconfig-dir",
    "lint/verdict_facts.py": "our own files",
    "render/environment.py": "--template-dir; asks before",
    "workspace/chart_templates.py": "the chart of a file that was listed; follows no link",
    "workspace/discover.py": "asks before, and follows no link",
    "workspace/git_directory.py": "the .git of a repository that was checked",
    "workspace/git_program.py": "looks for what git must not read; follows no link",
    "workspace/release_trees.py": "the folder of a file that was listed; follows no link",
}
FOLLOWING = {
    "base/atomic_write.py": "the file that a link leads to, which was asked for",
    "base/boundary.py": "the boundary",
    "base/repository_paths.py": "the repository of a folder, and the boundary of git",
    "base/cache_folder.py": "the user's cache folder; opens nothing",
    "cli/lint.py": "whether the cache folder lies in the checkout; opens nothing",
    "fix/output_folder.py": "whether two paths are one file; opens neither",
    "fix/patch/git.py": "a file's name in its repository; opens nothing",
    "workspace/base_revision.py": "a file's name in its repository; opens nothing",
    "workspace/config_file.py": "whether configurations extend each other in a circle, and the boundary of one",
    "workspace/configurations.py": "whether two paths are one file; opens neither",
    "workspace/git_directory.py": "where git runs, and what an old HEAD that is a link says",
    "workspace/git_program.py": "the boundary of git",
    "workspace/kustomization_references.py": "the boundary of a search",
    "workspace/kustomizations.py": "the boundary of a build",
    "workspace/release_trees.py": "a folder's name in its repository; opens nothing",
    "render/environment.py": "the boundary of templates",
}
OPENS = {
    "open", "io.open", "os.open", "os.fdopen", "os.replace", "os.rename", "os.symlink", "os.link", "os.mkdir",
    "os.makedirs", "tempfile.mkstemp", "tempfile.NamedTemporaryFile", "tempfile.mkdtemp",
}  # fmt: skip
LISTS = {"os.listdir", "os.scandir", "os.walk", "os.fwalk", "glob.glob", "glob.iglob", "glob"}
FOLLOWS = {"os.path.realpath", "os.readlink"}
METHODS = {
    "open": OPENS, "read_text": OPENS, "read_bytes": OPENS, "write_text": OPENS, "write_bytes": OPENS, "touch": OPENS,
    "iterdir": LISTS, "rglob": LISTS, "readlink": FOLLOWS, "is_relative_to": FOLLOWS, "hardlink_to": OPENS,
    "symlink_to": OPENS,
}  # fmt: skip
OTHERS = {"FileSystemLoader": "render/environment.py", "load_cert_chain": "cluster/fleet/connection.py"}
"""What opens a file for us: our own templates, and a key from memory."""


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    """The calls, names and imports of each module; parsed once, which takes seconds."""
    return [
        (path.relative_to(PACKAGE).as_posix(), node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, (ast.Call, ast.Attribute, ast.Name, ast.Import, ast.ImportFrom))
    ]


def users(names: set[str]) -> set[str]:
    """The modules that use some of the names, called or handed on."""
    methods = {method for method, kind in METHODS.items() if kind is names}
    last = {name.rpartition(".")[2] for name in names}
    modules = set()
    for module, node in nodes():
        used = node.func if isinstance(node, ast.Call) else node
        is_method = isinstance(node, ast.Call) and isinstance(used, ast.Attribute) and used.attr in methods
        # without a call where it is handed on: map(os.path.realpath, …)
        is_name = isinstance(used, ast.Attribute) or (isinstance(used, ast.Name) and used is not node)
        if is_method or (is_name and _last_name(used) in last and ast.unparse(used) in names):
            modules.add(module)
    return modules


def _last_name(node: ast.AST) -> str:
    """What stands behind the last dot, which is quickly seen."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@pytest.mark.parametrize(
    ("names", "allowed"), [(OPENS, OPENING), (LISTS, LISTING), (FOLLOWS, FOLLOWING)], ids=["open", "list", "follow"]
)
def test_no_other_module_opens_lists_or_follows(names: set[str], allowed: dict[str, str]) -> None:
    assert users(names) == set(allowed)


def test_nothing_else_opens_files_for_us() -> None:
    found = {
        (node.attr if isinstance(node, ast.Attribute) else node.id, module)
        for module, node in nodes()
        if (isinstance(node, ast.Attribute) and node.attr in OTHERS)
        or (isinstance(node, ast.Name) and node.id in OTHERS)
    }
    assert found <= set(OTHERS.items())


def test_pathlib_is_not_used_to_look_at_files() -> None:
    """Its methods have the names of others, so that the search above misses some: ``resolve``, ``exists``."""
    importing = {
        module
        for module, node in nodes()
        if (isinstance(node, ast.ImportFrom) and node.module == "pathlib")
        or (isinstance(node, ast.Import) and any(alias.name in {"pathlib", "shutil"} for alias in node.names))
    }
    # the path of our own style sheet
    assert importing == {"report/document/html.py"}


class TestLeadsOut:
    @pytest.fixture
    def top(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        top = tmp_path / "top"
        (top / ".git").mkdir(parents=True)
        (top / "sub").mkdir()
        (tmp_path / "out").mkdir()
        monkeypatch.chdir(top)
        return top

    @pytest.mark.parametrize(
        ("link", "to", "path", "leads"),
        [
            ("x", "../out/file", "x", True),
            ("x", "../missing", "x", True),
            ("x", "../out", "x/file", True),
            ("x", "../out", "x/missing/file", True),
            ("x", "../out", "./sub//../x/file", True),
            ("x", "../out", "x/..", True),
            ("x", "/dev/null", "x", True),
            ("x", "x", "x", False),
            ("x", "sub", "x/file", False),
            ("x", "sub/file", "x", False),
            ("x", "../top/sub", "x", False),
            ("../x", "out", "../x", False),
            ("../x", "out", "../x/file", False),
            ("x", "../out", "sub/file", False),
            ("x", "../out", "../out/file", False),
            ("x", "../out", "/dev/stdout", False),
        ],
    )
    def test_by_links_of_a_work_tree(self, top: Path, link: str, to: str, path: str, leads: bool) -> None:
        (top / link).symlink_to(to)
        for one in (path, f"{top}/{path}"):
            assert leads_out(one) == (str(top) if leads else "")
        if leads:
            with pytest.raises(LeadsOut, match=f"it leads out of {top}"):
                refuse(path)

    def test_nothing_is_written_through_them(self, top: Path, tmp_path: Path) -> None:
        (top / "x").symlink_to("../out/new")
        writers: list[Callable[[str], object]] = [
            lambda path: replace(path, b""),
            lambda path: open_to_keep(path, os.O_RDWR, 0o600),
            make_folder,
        ]
        for write in writers:
            with pytest.raises(InputError, match=f"^x cannot be written: it leads out of {top}$"):
                write("x")
        assert list((tmp_path / "out").iterdir()) == []

    def test_a_link_to_a_link(self, top: Path) -> None:
        (top / "x").symlink_to("y")
        (top / "y").symlink_to("../out")
        assert leads_out("x/file") == str(top)

    def test_through_a_link_to_the_checkout(self, top: Path, tmp_path: Path) -> None:
        (tmp_path / "way").symlink_to("top")
        (top / "x").symlink_to("../out")
        assert leads_out(str(tmp_path / "way/sub")) == ""
        assert leads_out(str(tmp_path / "way/x")) == str(top)

    def test_what_a_file_of_the_checkout_names(self, top: Path) -> None:
        for path, leads in (("sub/x", False), ("sub/../../out", True), ("/etc/passwd", True), ("../topper", True)):
            assert leads_out(path, str(top)) == (str(top) if leads else "")

    def test_a_run_can_be_trusted(self, top: Path) -> None:
        (top / "x").symlink_to("../out")

        def trusted() -> str:
            trust()
            name_folders(["."])
            return leads_out("x") + leads_out("../out", str(top))

        assert copy_context().run(trusted) == ""
        assert leads_out("x") == str(top)

    def test_named_folders_are_checkouts(self, tmp_path: Path) -> None:
        (tmp_path / "named").mkdir()
        (tmp_path / "named/x").symlink_to("../out")
        (tmp_path / "y").symlink_to("out")

        def named() -> tuple[str, str]:
            name_folders([str(tmp_path / "named"), "missing", "-"])
            return leads_out(str(tmp_path / "named/x")), leads_out(str(tmp_path / "y"))

        assert copy_context().run(named) == (str(tmp_path / "named"), "")
        assert leads_out(str(tmp_path / "named/x")) == ""

    def test_our_own_files_are_no_part_of_it(self, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """As an installer that links leaves them, in an environment inside of the checkout."""
        (top / "sub/ours").symlink_to("../../out")
        monkeypatch.setattr(boundary, "PACKAGE", str(top / "sub"))
        assert leads_out(str(top / "sub/ours/file")) == ""

    def test_a_long_path(self) -> None:
        assert leads_out("a/" * 2000 + "b") == ""
