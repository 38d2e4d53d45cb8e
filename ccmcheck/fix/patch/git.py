r"""A difference that ``git apply`` takes: names with ``a/`` and ``b/``, quoted as git does, and every byte of a line.

It carries three lines around a change, or fewer where those hold a secret and the change holds none. ``git apply``
needs at least one line after a change that is not at the end of the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from ccmcheck.base.difference import LineChange, changes, line_range
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.repository_paths import repository_top
from ccmcheck.redact.masker import MASK, Masker

CONTEXT = 3
NO_NEWLINE = "\\ No newline at end of file"

_ESCAPES = {"\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}
_ESCAPES |= {'"': '\\"', "\\": "\\\\"}
_QUOTED = lazy_regex(r'[^\x20-\x7e]|["\\]')


class Diff(NamedTuple):
    """The difference of one file.

    Attributes:
        text: What ``git apply`` takes.
        masked: The same with every secret masked; equal to ``text`` where there is none.
    """

    text: str
    masked: str


class _Lines(NamedTuple):
    """A text in lines, each with its end, as git counts them.

    Attributes:
        lines: The lines; only the last one may be without a newline.
        shown: The same with secrets masked.
        secret: For each whether it holds one.
    """

    lines: list[str]
    shown: list[str]
    secret: list[bool]


class _Hunk(NamedTuple):
    """Changes with their context: lines ``[low, high)`` before, ``[start, end)`` after, and the blocks in it."""

    low: int
    high: int
    start: int
    end: int
    blocks: list[LineChange]


def make(path: str, before: str, after: str) -> Diff:
    """Compare a file before and after.

    Args:
        path: The file; it is named relative to the top of its git repository, or to the current folder.
        before: Its text before.
        after: Its text after.
    """
    name = tracked_name(path)
    old, new = _cut(before), _cut(after)
    blocks = list(changes(old.lines, new.lines))
    _agree(blocks, old, new)
    hunks = list(_hunks(blocks, old, new))
    whole = _head(name) + "".join(_written(hunk, old.lines, new.lines) for hunk in hunks)
    masked = _head(name) + "".join(_written(hunk, old.shown, new.shown) for hunk in hunks)
    return Diff(whole, whole if masked == whole else _head(f"{name} (masked)") + masked.removeprefix(_head(name)))


def tracked_name(path: str) -> str:
    """The name by which git knows a file: from the top of its repository, or from the current folder outside of one."""
    target = os.path.realpath(path)
    top = repository_top(os.path.dirname(target)) or os.getcwd()
    name = os.path.relpath(target, top)
    return (target.lstrip(os.sep) if name.startswith(os.pardir + os.sep) else name).replace(os.sep, "/")


def quoted(name: str) -> str:
    r"""A name as git writes it: in quotes, with octal escapes, where it has anything but plain ASCII."""
    if not _QUOTED.search(name):
        return name
    return '"' + "".join(_quoted_character(character) for character in name) + '"'


def _quoted_character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if " " <= character <= "~":
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))


def _head(name: str) -> str:
    old, new = quoted(f"a/{name}"), quoted(f"b/{name}")
    # git ends a name with a blank in it by a tab, as GNU diff does
    tab = "\t" if " " in name else ""
    return f"diff --git {old} {new}\n--- {old}{tab}\n+++ {new}{tab}\n"


def _cut(text: str) -> _Lines:
    lines = text.split("\n")
    lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    shown, secret = list(lines), [False] * len(lines)
    spans = Masker(text).spans
    at = index = 0
    for number, line in enumerate(lines):
        end = at + len(line)
        pieces: list[str] = []
        position = at
        while index < len(spans) and spans[index].start < end:
            start, stop = max(spans[index].start, at), min(spans[index].end, end - line.endswith("\n"))
            if stop > start:
                pieces += (text[position:start], MASK)
                position = stop
            if spans[index].end > end:
                break
            index += 1
        if pieces:
            secret[number] = True
            shown[number] = "".join(pieces) + text[position:end]
        at = end
    return _Lines(lines, shown, secret)


def _agree(blocks: Sequence[LineChange], old: _Lines, new: _Lines) -> None:
    """Take a line that stays for a secret where it is one before or after."""
    at = shift = 0
    for block in (*blocks, LineChange(len(old.lines), 0, 0, 0)):
        for line in range(at, block.start):
            if new.secret[line + shift] and not old.secret[line]:
                old.secret[line], old.shown[line] = True, new.shown[line + shift]
        at, shift = block.end, block.end_new - block.end


def _hunks(blocks: Sequence[LineChange], old: _Lines, new: _Lines) -> Iterator[_Hunk]:
    """Put the changes that share context together."""
    ends = [blocks[number + 1].start if number + 1 < len(blocks) else len(old.lines) for number in range(len(blocks))]
    hunk: _Hunk | None = None
    for block, end in zip(blocks, ends, strict=True):
        floor = hunk.high if hunk is not None else 0
        low, high = max(floor, block.start - CONTEXT), min(end, block.end + CONTEXT)
        if not any(old.secret[block.start : block.end]) and not any(new.secret[block.start_new : block.end_new]):
            low, high = _reach_up(old, block.start, low), _reach_down(old, block.end, high)
            if low == high:  # git finds the place of no empty hunk but that of an empty file
                low = max(floor, low - 1)
        if hunk is not None and low <= hunk.high:
            hunk = hunk._replace(high=high, end=block.end_new + high - block.end, blocks=[*hunk.blocks, block])
            continue
        if hunk is not None:
            yield hunk
        hunk = _Hunk(low, high, block.start_new - (block.start - low), block.end_new + high - block.end, [block])
    if hunk is not None:
        yield hunk


def _reach_up(old: _Lines, start: int, floor: int) -> int:
    """The first line of the context above a change: none that holds a secret is needed there."""
    while start > floor and not old.secret[start - 1]:
        start -= 1
    return start


def _reach_down(old: _Lines, start: int, ceiling: int) -> int:
    """The end of the context below a change, which has at least one line where the file has one."""
    end = start
    while end < ceiling and (end == start or not old.secret[end]):
        end += 1
        if old.secret[end - 1]:
            break
    return end


def _written(hunk: _Hunk, old: Sequence[str], new: Sequence[str]) -> str:
    pieces = [f"@@ -{line_range(hunk.low, hunk.high)} +{line_range(hunk.start, hunk.end)} @@\n"]
    at = hunk.low
    for block in hunk.blocks:
        pieces += (_line(" ", line) for line in old[at : block.start])
        pieces += (_line("-", line) for line in old[block.start : block.end])
        pieces += (_line("+", line) for line in new[block.start_new : block.end_new])
        at = block.end
    pieces += (_line(" ", line) for line in old[at : hunk.high])
    return "".join(pieces)


def _line(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n{NO_NEWLINE}\n"
