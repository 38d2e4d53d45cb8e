"""What the guides show of commands about a cluster is what the recorded runs print, which the other tests replay.

A block ``text recorded=NAME`` is a part of ``recorded/NAME.txt``; ``…`` stands for lines that are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from recordings import AT, volatile

DOCS = Path(__file__).resolve().parents[2] / "ccmcheck" / "docs"
BLOCK = re.compile(r"^```text recorded=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"
KUBECONFIG = " --kubeconfig kubeconfig"
"""Of each recorded command; a guide leaves it to the default."""
BLOCKS = [
    pytest.param(match[1], match[2], id=f"{page.stem}-{match[1]}-{number}")
    for page in sorted(DOCS.glob("*.md"))
    for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")))
]


def test_there_are_examples() -> None:
    assert len(BLOCKS) >= 8


@pytest.mark.parametrize(("name", "block"), BLOCKS)
def test_an_example_is_what_was_recorded(name: str, block: str) -> None:
    printed = (AT / f"{name}.txt").read_text(encoding="utf-8").replace(KUBECONFIG, "")
    rest = "\n".join(line.rstrip() for line in printed.split("\n"))
    pieces = re.split(rf"(?m)^\s*{LEFT_OUT}$\n", volatile(block))
    for piece in filter(None, pieces):
        _, found, rest = rest.partition(piece)
        assert found, f"{piece}\nis not, or not at this place, in\n{rest or printed}"
