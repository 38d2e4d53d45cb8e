"""HCL's heredocs, with tree-sitter's grammar beside our scanner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from generated_hcl import make_hcl

from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.hcl import find


def test_tree_sitter_finds_the_same_heredocs() -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    grammar = pytest.importorskip("tree_sitter_hcl")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    compared = 0
    for seed in range(3_000):
        text = make_hcl(seed)
        root = parser.parse(text.encode()).root_node
        if root.has_error:
            continue
        compared += 1
        theirs = sorted(_lines(text, *span) for span in _heredocs(root))
        ours = []
        for found in find(text):
            if found.where.startswith("heredoc"):
                start, end = found.layer.outward(Span(0, len(found.layer.text)))
                ours.append((text.count("\n", 0, start), text.count("\n", 0, end)))
        assert sorted(ours) == theirs, (seed, text)
    assert compared > 1_500, compared


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    """The lines of a body, from its `<<` line's end to its delimiter."""
    return text.count("\n", 0, start) + 1, text.count("\n", 0, end)


def _heredocs(node: Any) -> Iterator[tuple[int, int]]:
    """From each opening sign to its delimiter."""
    if node.type == "heredoc_template":
        names = [child for child in node.children if child.type == "heredoc_identifier"]
        yield node.start_byte, names[-1].start_byte
    for child in node.children:
        yield from _heredocs(child)
