"""Texts of any size that are bad for a reader which backtracks, recurses or copies."""

from __future__ import annotations

from collections.abc import Callable

from growing import GLOBAL

_HEAD = GLOBAL.encode()
"""What makes each text a cloud.conf, whatever follows."""


def _repeat(piece: bytes, size: int) -> bytes:
    return (piece * (size // len(piece) + 1))[:size]


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "one value, one long line": lambda size: _HEAD + b"a=" + _repeat(b"x", size),
    "blanks inside a value": lambda size: _HEAD + b"a=x" + _repeat(b" \t", size) + b"y\n",
    "blanks before the end": lambda size: _HEAD + b"a=x" + _repeat(b" ", size) + b"\n",
    "open quote": lambda size: _HEAD + b'a="' + _repeat(b"x ", size),
    "quotes": lambda size: _HEAD + b"a=" + _repeat(b'"', size),
    "escapes in quotes": lambda size: _HEAD + b'a="' + _repeat(rb"\\", size) + b'"\n',
    "continued lines": lambda size: _HEAD + b"a=" + _repeat(b"x\\\n", size),
    "brackets": lambda size: _HEAD + _repeat(b"[", size),
    "open header": lambda size: _HEAD + b'[Global "' + _repeat(b"x", size),
    "equal signs": lambda size: _HEAD + _repeat(b"=", size),
    "bytes that are no UTF-8": lambda size: _HEAD + b"a=" + _repeat(b"\xff\xc3", size),
    "comments": lambda size: _HEAD + _repeat(b"# " + b"x" * 60 + b"\n", size),
    "empty lines": lambda size: _HEAD + _repeat(b"\n", size),
    "carriage returns": lambda size: _HEAD + b"a=" + _repeat(b"\r", size),
    "short lines": lambda size: _HEAD + _repeat(b"a=1\n", size),
    "short sections": lambda size: _HEAD + _repeat(b'[a "b"]\n', size),
    "usual lines": lambda size: _HEAD + _repeat(b"region = RegionOne of some length, a comment # here\n", size),
}
"""Each text's name, and what makes it at a size in bytes; none is longer than the size and a few bytes."""
