"""Real scripts and Terraform files: our scanners' heredocs next to those of tree-sitter's grammars.

``CCMCHECK_SCRIPTS`` names a folder of files (``*.sh``, ``*.bash``, ``*.rc``, ``*.tf``, ``*.hcl``, in folders of any depth).
A file that a grammar cannot parse without an error is left out: its answer says nothing then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.hcl import find
from ccmcheck.carriers.embedded.shell_lexer import shell_texts

SKIPPED = 77
SHELL = {".sh", ".bash", ".rc"}
HCL = {".tf", ".hcl"}
Lines = tuple[int, int]


def ours(path: Path, text: str) -> list[Lines]:
    """The lines of each heredoc that our scanner finds."""
    if path.suffix in SHELL:
        spans = [found.span for found in shell_texts(text) if found.kind in ("<<", "<<-")]
    else:
        spans = [
            found.layer.outward(Span(0, len(found.layer.text)))
            for found in find(text)
            if found.where.startswith("heredoc")
        ]
    return sorted(lines(text, *span) for span in spans if text[slice(*span)].strip())


def theirs(root: Any, data: bytes) -> Iterator[Lines]:
    """The lines of each heredoc in a tree that holds text, and is not within another one."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type not in ("heredoc_body", "heredoc_template"):
            pending += node.children
        if node.type == "heredoc_body":
            start, end = node.start_byte, node.end_byte
        elif node.type == "heredoc_template":
            names = [child for child in node.children if child.type == "heredoc_identifier"]
            start, end = data.find(b"\n", node.start_byte) + 1, names[-1].start_byte
        else:
            continue
        if data[start:end].strip():
            yield lines(data.decode("latin-1"), start, end)


def lines(text: str, start: int, end: int) -> Lines:
    """The numbers of the first and the last line with text: the grammars leave blank lines at both ends out."""
    body = text[start:end]
    first = start + len(body) - len(body.lstrip())
    return text.count("\n", 0, first), text.count("\n", 0, start + len(body.rstrip()))


def main() -> int:
    """Compare all files of the folder; the exit code."""
    folder = os.environ.get("CCMCHECK_SCRIPTS", "")
    if not folder:
        print("CCMCHECK_SCRIPTS names no folder of scripts")
        return SKIPPED
    try:
        import tree_sitter
        import tree_sitter_bash
        import tree_sitter_hcl
    except ImportError as error:
        print(f"{error.name} is not installed")
        return SKIPPED
    shell = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    hcl = tree_sitter.Parser(tree_sitter.Language(tree_sitter_hcl.language()))
    passed = failed = left_out = 0
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix not in SHELL | HCL or not path.is_file():
            continue
        data = path.read_bytes()
        root = (shell if path.suffix in SHELL else hcl).parse(data).root_node
        if root.has_error:
            left_out += 1
            continue
        found, expected = ours(path, data.decode("latin-1")), sorted(theirs(root, data))
        if found == expected:
            passed += 1
        else:
            failed += 1
            print(f"{path}: ours {found}, theirs {expected}")
    print(f"{left_out} files that the grammars cannot parse are left out")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
