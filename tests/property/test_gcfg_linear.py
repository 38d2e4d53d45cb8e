"""No text makes reading slow: held by the shape of the expressions and by counting calls, not by a clock."""

from __future__ import annotations

import re
import re._parser as sre  # type: ignore[import-not-found, import-untyped, unused-ignore]
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from ccmcheck import catalog
from ccmcheck.conf.reading import read
from ccmcheck.gcfg import error_recovery, lines, parse, parser, scanner, sections, tokens, values

PATTERNS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in (lines, sections, scanner, error_recovery, parser, tokens, values)
    for name, value in vars(module).items()
    if isinstance(value, re.Pattern)
}
for text in ("", "\0", "é", "é" * 70_000, "²" * 70_000):
    for field, value in lines.plain(text)._asdict().items():
        PATTERNS[f"plain({text[:1]!r} * {len(text)}).{field}"] = value
PATTERNS["names"] = lines._names()
PATTERNS["unreadable"] = lines.unreadable()

_ONE_CHARACTER = {"IN", "LITERAL", "NOT_LITERAL", "ANY"}
_MOST_REPEATS = 1_000


def repeats(parsed: Any) -> Iterator[tuple[str, int, bool]]:
    """Every repetition in a parsed expression: its operator, its upper bound, whether it repeats one character."""
    if isinstance(parsed, tuple) and parsed and str(parsed[0]).endswith("_REPEAT"):
        _, most, inner = parsed[1]
        yield str(parsed[0]), int(most), len(inner) == 1 and str(inner[0][0]) in _ONE_CHARACTER
        yield from repeats(inner)
    elif isinstance(parsed, tuple | list | sre.SubPattern):
        for part in parsed:
            yield from repeats(part)


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_expressions_cannot_backtrack(name: str) -> None:
    pattern = PATTERNS[name]
    parsed = sre.parse(pattern.pattern, pattern.flags)
    for operator, most, one_character in repeats(parsed):
        if one_character:
            # an optional character is tried twice at most
            assert operator == "POSSESSIVE_REPEAT" or most <= 1, pattern.pattern
        else:
            # possessive groups went wrong in Python 3.11.0 to 3.11.4
            assert operator == "MAX_REPEAT", pattern.pattern
            assert most <= _MOST_REPEATS, pattern.pattern


HOSTILE = {
    "one value": ("[A]\na=", "x", ""),
    "blanks": ("[A]\na=x", " \t", "y"),
    "quotes": ("[A]\na=", '"', ""),
    "quoted backslashes": ("[A]\na=", '"\\\\"', ""),
    "open quote": ('[A]\na="', "x ", ""),
    "escapes": ('[A]\na="', "\\\\", '"'),
    "bad escapes": ('[A]\na="', "\\x", '"'),
    "bad and good escapes": ('[A]\na="', "\\x\\n", '"'),
    "bad escapes in a header": ('[A "', "\\x", '"]'),
    "escaped quotes": ("[A]\na=", '\\"', ""),
    "continuations": ("[A]\na=", "\\\n", ""),
    "continuations with returns": ("[A]\na=", "\\\r\n", ""),
    "brackets": ("", "[", ""),
    "closing brackets": ("[A", "]", ""),
    "header blanks": ("[", " ", ""),
    "letters": ("[A]\n", "é", ""),
    "numerals": ("[A]\né", "²", ""),
    "equals": ("[A]\n", "=", ""),
    "bytes": ("[A]\na=", "\udcff", ""),
    "bytes in a comment": ("#", "\udcff", "\n"),
    "marks": ("", "\ufeff", ""),
    "returns": ("[A]\na=", "\r", ""),
    "duration": ("[LoadBalancer]\nmonitor-delay=", "1", "s"),
    "fraction": ("[LoadBalancer]\nmonitor-delay=0.", "0", "1s"),
    "number": ("[LoadBalancer]\nmonitor-max-retries=", "0", "1"),
    "blank lines": ("[A]\n", "\n", ""),
    "comments": ("[A]\n", ";\n", ""),
}  # fmt: skip
"""In one line, or in lines that say nothing: the work in Python must not grow with the size at all, up to bounded pieces."""

LINES = {
    "keys": ("[A]\n", "a\n", ""),
    "known keys": ("[Global]\n", "username=u\n", ""),
    "lists": ("[Networking]\n", "public-network-name=a\n", ""),
    "headers": ("", "[a]\n", ""),
    "classes": ("", '[LoadBalancerClass "a"]\n', ""),
    "other scripts": ("[A]\n", "é\n", ""),
    "no section": ("", "a\n", ""),
    "errors": ("[A]\n", "=\n", ""),
    "bad values": ("[LoadBalancer]\n", "enabled=x\n", ""),
    "bad bytes": ("[A]\n", "a=\udcff\n", ""),
    "continued": ("[A]\n", "a=\\\n", ""),
    "durations": ("[LoadBalancer]\nmonitor-delay=", "0s", ""),
}


def work(text: str) -> int:
    """How many calls, of Python's functions and of built-in ones, reading a text takes."""
    count = 0

    def tick(frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG001 - its shape is Python's
        nonlocal count
        count += 1

    schema = catalog.schema(catalog.newest())
    read(parse(text), schema)  # what is made once is made now
    sys.setprofile(tick)
    try:
        found = read(parse(text), schema)
        assert found.values is not None
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_one_long_line(name: str) -> None:
    head, piece, tail = HOSTILE[name]
    small, large = (work(head + piece * count + tail) for count in (3_000, 30_000))
    # pieces are taken by the hundred, and nothing is done for one alone
    assert large - small < 27_000 / 30


@pytest.mark.part(of=3)
@pytest.mark.parametrize("name", LINES)
def test_many_lines(name: str) -> None:
    head, piece, tail = LINES[name]
    small, large = (work(head + piece * count + tail) for count in (500, 5_000))
    assert large < 12 * small
