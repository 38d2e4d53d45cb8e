"""Markdown's fenced blocks, with markdown-it beside our scanner."""

from __future__ import annotations

from generated_markdown import make_markdown
from markdown_it import MarkdownIt

from ccmcheck.carriers.embedded.fences import find


def test_markdown_it_finds_the_same_blocks() -> None:
    parser = MarkdownIt()
    blocks = 0
    for seed in range(2_000):
        text = make_markdown(seed)
        theirs = [token.content for token in parser.parse(text) if token.type == "fence"]
        ours = [found.layer.text for found in find(text) if found.where == "fenced block"]
        blocks += len(theirs)
        assert ours == theirs, (seed, text)
    assert blocks > 4_000, blocks
