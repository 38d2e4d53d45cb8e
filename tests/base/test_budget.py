"""What a run may use: one module ends it, nothing swallows the end, and SECURITY.md names every limit."""

from __future__ import annotations

import ast
import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccmcheck.base import budget
from ccmcheck.cli import command
from ccmcheck.cli.fleet_options import FleetArguments
from ccmcheck.cluster.access import limits
from ccmcheck.cluster.octavia import client
from ccmcheck.cluster.preflight.cloud import MOST_ASKED
from ccmcheck.kustomize import limits as builds
from ccmcheck.layers import encoded
from ccmcheck.render import environment
from ccmcheck.workspace import discover, git_program
from ccmcheck.yamlio import parse

ROOT = Path(__file__).resolve().parents[2]
SECURITY = (ROOT / ".github/SECURITY.md").read_text()
MIB = 1024 * 1024


def _handlers() -> Iterator[tuple[str, str]]:
    """Each handler of all errors in the package: its file, and its code."""
    for path in sorted((ROOT / "ccmcheck").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name) and node.type.id == "Exception":
                yield str(path.relative_to(ROOT / "ccmcheck")), ast.unparse(node)


WITHOUT = {
    "cli/main.py": "it is asked before",
    "base/child.py": "MemoryError has a handler of its own before",
    "render/environment.py": "the same",
}


def test_who_deals_with_all_errors_lets_the_memory_limit_through() -> None:
    handlers = list(_handlers())
    assert len(handlers) > 8
    wrong = [path for path, code in handlers if "refuse_to_go_on(" not in code and "is_out_of_memory(" not in code]
    assert set(wrong) == set(WITHOUT)


OF_A_LIBRARY = ValueError("no TLS")
OF_A_LIBRARY.__cause__ = ImportError("libssl.so: failed to map segment from shared object")
OUT_OF_MEMORY = [
    MemoryError(), ImportError("cannot map"), OSError(errno.ENOMEM, "fork"), RuntimeError("can't start new thread"),
    SystemError("error return without exception set"), OF_A_LIBRARY,
    AttributeError("partially initialized module 'ssl' has no attribute 'x'", name="x", obj=errno),
]  # fmt: skip


@pytest.mark.parametrize("error", OUT_OF_MEMORY, ids=repr)
def test_what_libraries_make_of_the_memory_limit_is_known(error: Exception) -> None:
    assert budget.is_out_of_memory(error) == isinstance(error, MemoryError)
    budget.limit_memory(4_096)
    try:
        with pytest.raises(MemoryError):
            budget.refuse_to_go_on(error)
        assert not budget.is_out_of_memory(ModuleNotFoundError("kubernetes"))
        assert not budget.is_out_of_memory(ValueError())
        assert not budget.is_out_of_memory(AttributeError("'NoneType' object has no attribute 'x'", name="x", obj=None))
    finally:
        budget.lift_limits()


ROWS = {
    "a process of a run": [f"{command.CPU_SECONDS:,} s"],
    "the templates of `--template-dir`": [
        f"{environment.LIMITS.seconds} s", f"{environment.LIMITS.most_bytes // MIB} MiB", f"{environment.MOST_CHARACTERS:,} characters",
    ],
    "an answer of an API server, Octavia or Neutron": [
        f"{limits.SECONDS:g} s", f"{limits.MOST_BYTES // MIB} MiB", f"{limits.MOST_VALUES:,} values",
    ],
    "an answer of Keystone": [
        f"{client.TOKEN_SECONDS:g} s", f"{client.MOST_BYTES_OF_TOKEN // MIB} MiB", f"{limits.MOST_VALUES:,} values",
    ],
    "all answers of an API server, or of Octavia and Neutron together": [
        f"{limits.SECONDS_OF_RUN:g} s of waiting", f"{limits.MOST_BYTES_OF_RUN // MIB // 1024} GiB",
        f"a list {limits.MOST_PAGES:,} pages and {limits.MOST_SECONDS:g} s",
    ],
    "a file": [f"{discover.DEFAULT_MAX_SIZE // MIB} MiB", f"{encoded.UNPACKED_LIMIT // MIB} MiB unpacked", f"{parse.MAX_DEPTH} levels"],
    "a kustomization's build": [f"{builds.MOST_FILES:,} files", f"{builds.OF_BUILD.objects:,} objects", f"{builds.OF_BUILD.steps:,} steps"],
    "a cluster of `cluster fleet`": [f"{FleetArguments().timeout:g} s", f"{FleetArguments().cluster_timeout:g} s"],
    "`cluster preflight`": [f"{MOST_ASKED:,} requests"],
    "git": [f"{git_program.SECONDS:g} s in all"],
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_security_names_each_limit(row: str) -> None:
    lines = [line for line in SECURITY.splitlines() if line.startswith(f"| {row}")]
    for words in ROWS[row]:
        assert any(words in line for line in lines), (words, lines)
