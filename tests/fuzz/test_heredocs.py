"""Heredocs, with the shell itself and tree-sitter's grammar beside our lexer."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from generated_scripts import make_script

from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.as_written import as_written
from ccmcheck.carriers.embedded.shell import find_in_part
from ccmcheck.carriers.embedded.shell_lexer import shell_texts
from ccmcheck.carriers.source_text import SourceText
from ccmcheck.layers.stack import Stack

BASH = shutil.which("bash")


def pattern_of(source: SourceText) -> str:
    """What a shell must write for a heredoc: its text, with anything in the place of the marks."""
    pieces, position = [], 0
    for start, end in source.marks:
        pieces += [re.escape(source.text[position:start]), "(?s:.*?)"]
        position = end
    pieces.append(re.escape(source.text[position:].rstrip("\n")))
    return "".join(pieces) + r"\n*"


@pytest.mark.part(of=4)
@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize("first", range(0, 400, 50))
def test_bash_writes_the_same_texts(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 50):
        script = make_script(seed)
        environment = {"USER_NAME": "me", "REGION": "one", "PATH": "/usr/bin:/bin"}
        subprocess.run(
            [str(BASH), "-c", script.text], cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=30
        )
        found = sorted(find_in_part(script.text, script.text), key=lambda text: text.layer.outward(Span(0, 0)).start)
        assert len(found) == len(script.files), (seed, script.text)
        for name, heredoc in zip(script.files, found, strict=True):
            written = (tmp_path / name).read_text()
            source = as_written(SourceText(Stack(script.text), script.text).enter(heredoc.layer), heredoc)
            assert re.fullmatch(pattern_of(source), written), (seed, name, source.text, written)


def test_tree_sitter_finds_the_same_heredocs() -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    grammar = pytest.importorskip("tree_sitter_bash")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    compared, differing = 0, []
    for seed in range(5_000):
        text = make_script(seed).text
        root = parser.parse(text.encode()).root_node
        if root.has_error or "\n  EOF\n" in text:  # their grammar takes blanks before a delimiter for a part of it
            continue
        theirs = sorted(_lines(text, start, end) for start, end in _bodies(root))
        ours = sorted(_lines(text, *found.span) for found in shell_texts(text) if found.kind in ("<<", "<<-"))
        if [pair for pair in ours if pair[0] < pair[1]] != [pair for pair in theirs if pair[0] < pair[1]]:
            differing.append(seed)
        compared += 1
    assert compared > 1_000, compared
    assert differing == []


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    """The lines of a body from its first text on: their grammar leaves blank lines and the margin of ``<<-`` out."""
    body = text[start:end]
    first = start + len(body) - len(body.lstrip())
    last = text.count("\n", 0, end)
    return text.count("\n", 0, first) if body.strip() else last, last


def _bodies(node: Any) -> Iterator[tuple[int, int]]:
    if node.type == "heredoc_body":
        yield node.start_byte, node.end_byte
    for child in node.children:
        yield from _bodies(child)
