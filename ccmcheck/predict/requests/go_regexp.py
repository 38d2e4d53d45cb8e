"""What Go's regexp package refuses, in its words; RE2 knows no look-around, back-references or possessive repetition.

Source: Go 1.26 regexp/syntax/parse.go, compared pattern by pattern.
"""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex

_NAMED = lazy_regex(r"\(\?P?<(?:[A-Za-z0-9_]++>)?")


_FLAGS = lazy_regex(r"\(\?[imsU]*+(?:-[imsU]++)?[:)]")


_REPEAT = lazy_regex(r"(?:[*+?]|\{(\d+)(?:(,)(\d*+))?\})\??")


_ESCAPE = lazy_regex(
    r"\\(?:[abfnrtvAzBCdDsSwW]|[0-7][0-7]{1,2}|0|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]{1,8}\}|[pP](?:\{\^?\w+\}|\w)|[^\w\u0080-\U0010ffff])"
)


_POSIX = lazy_regex(r"\[:\^?(\w*):\]")


_CLASSES = frozenset(
    ("alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
     "xdigit")
)  # fmt: skip


_MOST_REPEATS = 1000


_SETS = "dDsSwWpP"
"""Escapes of several characters, which no range begins with."""


class _BadPatternError(Exception):
    pass


def fault(pattern: str) -> str:
    """Why Go does not compile a pattern; empty where it does, or is not known to refuse it."""
    try:
        _walk(pattern)
    except _BadPatternError as error:
        return str(error)
    return ""


def _walk(pattern: str) -> None:
    at, depth = 0, 0
    operand = False  # whether there is something to repeat
    repeated = -1  # where the last repetition begins, directly before this place
    while at < len(pattern):
        char, begins = pattern[at], at
        repetition = _REPEAT.match(pattern, at)
        if repetition is not None:
            _check_repetition(pattern, repetition, operand=operand, repeated=repeated)
            repeated, at = begins if repeated < 0 else repeated, repetition.end()
            continue
        repeated, operand = -1, True
        if char == "(":
            at, opened = _group(pattern, at)
            depth += opened
            operand = False
        elif char == ")":
            if not depth:
                raise _BadPatternError(f"unexpected ): `{pattern}`")
            depth -= 1
            at += 1
        elif char == "[":
            at = _class(pattern, at)
        elif char == "\\":
            at = _escape(pattern, at)
        else:
            operand = char != "|"
            at += 1
    if depth:
        raise _BadPatternError(f"missing closing ): `{pattern}`")


def _check_repetition(pattern: str, match: re.Match[str], *, operand: bool, repeated: int) -> None:
    text = match[0]
    if not operand:
        raise _BadPatternError(f"missing argument to repetition operator: `{text}`")
    if repeated >= 0:
        raise _BadPatternError(f"invalid nested repetition operator: `{pattern[repeated : match.end()]}`")
    least, comma, most = match[1], match[2], match[3]
    if least is None:
        return
    numbers = [least, *([most] if most else [])]
    if any(len(number) > 4 or int(number) > _MOST_REPEATS for number in numbers) or (
        comma and most and int(most) < int(least)
    ):
        raise _BadPatternError(f"invalid repeat count: `{text.removesuffix('?')}`")


def _group(pattern: str, at: int) -> tuple[int, int]:
    """The place behind what opens a group, and how many it opens."""
    if not pattern.startswith("(?", at):
        return at + 1, 1
    named = _NAMED.match(pattern, at)
    if named is not None:
        if not named[0].endswith(">"):
            end = pattern.find(">", at)
            whole = pattern[at:] if end < 0 else pattern[at : end + 1]
            wrong = pattern[at:] if end < 0 else whole
            closes = pattern.find(")", at)
            if end < 0 and closes >= 0 and pattern[at + 3] in "=!":
                wrong = pattern[at : closes + 1]
            raise _BadPatternError(f"invalid named capture: `{wrong}`")
        return named.end(), 1
    flags = _FLAGS.match(pattern, at)
    if flags is None:
        known = re.match(r"\(\?[imsU-]*+.?", pattern[at:])
        raise _BadPatternError(f"invalid or unsupported Perl syntax: `{known[0] if known else '(?'}`")
    return flags.end(), int(flags[0].endswith(":"))


def _class(pattern: str, begins: int) -> int:
    """The place behind a character class."""
    at = begins + 1 + pattern.startswith("^", begins + 1)
    first = True
    while at < len(pattern) and (first or pattern[at] != "]"):
        first = False
        posix = _POSIX.match(pattern, at)
        if posix is not None:
            if posix[1] not in _CLASSES:
                raise _BadPatternError(f"invalid character class range: `{posix[0]}`")
            at = posix.end()
            continue
        low, end = _one(pattern, at)
        is_range = pattern.startswith("-", end) and not pattern.startswith("-]", end) and end + 1 < len(pattern)
        if is_range and len(low) == 1:
            high, after = _one(pattern, end + 1)
            if len(high) == 1 and high < low:
                raise _BadPatternError(f"invalid character class range: `{pattern[at:after]}`")
            end = after
        at = end
    if at >= len(pattern):
        raise _BadPatternError(f"missing closing ]: `{pattern[begins:]}`")
    return at + 1


def _one(pattern: str, at: int) -> tuple[str, int]:
    """A character of a class, longer where it is a set, and the place behind it."""
    if pattern[at] != "\\":
        return pattern[at], at + 1
    end = _escape(pattern, at)
    text = pattern[at + 1 : end]
    return text if len(text) == 1 and text not in _SETS and not text.isalnum() else text + " ", end


def _escape(pattern: str, at: int) -> int:
    """The place behind an escape."""
    if at + 1 == len(pattern):
        raise _BadPatternError("trailing backslash at end of expression: ``")
    if pattern[at + 1] == "Q":
        end = pattern.find("\\E", at)
        return len(pattern) if end < 0 else end + 2
    match = _ESCAPE.match(pattern, at)
    if match is None:
        length = 4 if pattern[at + 1] == "x" else 2
        raise _BadPatternError(f"invalid escape sequence: `{pattern[at : at + length]}`")
    return match.end()
