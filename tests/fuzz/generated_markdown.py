"""Markdown documents made at random, with fenced blocks in lists and quotations, of every length and sign."""

from __future__ import annotations

import random

_TEXTS = ("Some text about `code`.", "More, with ``two`` and a [link](x).", "# A heading", "| a | b |")
_LINES = (
    "[Global]",
    "auth-url = x",
    "  deeper",
    "# comment",
    "``",
    "~~",
    "- a list",
    "> a quotation",
    "",
    "`x`",
    "$VAR",
)


def make_markdown(seed: int) -> str:
    """Make a document with a few fenced blocks.

    Args:
        seed: Decides everything.
    """
    choose = random.Random(seed)  # noqa: S311 - for tests
    blocks = [_block(choose, prefix="") for _ in range(choose.randint(2, 6))]
    last = ""
    if choose.random() < 0.2:
        last = "```ini\n[Global]\nauth-url = x\n"  # never closed
    return "\n".join(blocks) + last


def _block(choose: random.Random, prefix: str, depth: int = 0) -> str:
    """A block with a blank line after it, its lines with a prefix."""
    kind = choose.random()
    if kind < 0.25:
        return f"{prefix}{choose.choice(_TEXTS)}\n"
    if kind < 0.4 and depth < 3:
        mark = choose.choice(("- ", "* ", "1. ", "10. ", "-  "))
        inner = _block(choose, "", depth + 1).rstrip("\n") + "\n\n" + _block(choose, "", depth + 1)
        lines = inner.split("\n")
        pad = " " * len(mark)
        return "".join(
            f"{prefix}{mark if number == 0 else pad}{line}".rstrip(" ") + "\n" for number, line in enumerate(lines[:-1])
        )
    if kind < 0.5 and depth < 3:
        inner = _block(choose, "", depth + 1)
        return "".join(f"{prefix}> {line}\n" for line in inner.split("\n")[:-1])
    return _fence(choose, prefix, depth)


def _fence(choose: random.Random, prefix: str, depth: int) -> str:
    sign = choose.choice("`~")
    fence = sign * choose.choice((3, 3, 3, 4, 5))
    info = choose.choice(("", "ini", " yaml", "shell title=x"))
    margin = choose.choice(("", "", " ", "  ")) if depth == 0 else ""
    lines = [choose.choice(_LINES) for _ in range(choose.randint(0, 5))]
    lines += [sign * (len(fence) - 1)] if len(fence) > 3 and choose.random() < 0.5 else []
    body = "".join(f"{prefix}{margin}{line}\n" for line in lines)
    closing = fence + choose.choice(("", sign, " "))
    return f"{prefix}{margin}{fence}{info}\n{body}{prefix}{margin}{closing}\n"
