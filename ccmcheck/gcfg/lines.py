"""Lines that are as they should be, which is nearly all of them, read with one regular expression each.

A plain line is blank, a comment, a key, or a key with a value; quoted parts, escapes and continuations included. What
the expressions refuse goes to `ccmcheck.gcfg.oddline`, which finds out what is wrong, or that nothing is.

Every repetition of one character is possessive and every repeated group is bounded, so no text makes them slow, and
none relies on possessive groups, which Python 3.11 got wrong before 3.11.5.
"""

from __future__ import annotations

import re

from ccmcheck.gcfg.syntax import Entry

UNREADABLE = "\\x00\\ud800-\\udfff"
"""What the scanner complains about wherever it stands: NUL, and what was not UTF-8 (as lone surrogates)."""

BLANKS = "[ \\t\\r]*+"
"""gcfg knows no other white space."""

_KEY = "[A-Za-z][A-Za-z0-9-]*+"
_QUOTED = f'"[^"\\\\\\n{UNREADABLE}]*+(?:\\\\[\\\\"nt][^"\\\\\\n{UNREADABLE}]*+){{0,50}}"'
_TEXT = f'[^\\n#;"\\\\{UNREADABLE}]'
_MORE = f'(?:{_QUOTED}|\\\\\\r?[\\n"]|{_TEXT}++){{1,50}}'
_COMMENT = f"[#;][^\\n{UNREADABLE}]*+"

PLAIN = re.compile(
    f"(?:{BLANKS}(?:{_KEY}{BLANKS}(?:={BLANKS}{_TEXT}*+(?:{_MORE})?)?)?(?:{_COMMENT})?(?:\\n|\\Z)){{1,500}}"
)
"""Up to 500 plain lines."""

PREAMBLE = re.compile(f"(?:{BLANKS}(?:{_COMMENT})?(?:\\n|\\Z)){{1,500}}")
"""Up to 500 blank lines and comments, which is all that may stand before the first header."""

_LINE = re.compile(f"{BLANKS}(?:({_KEY}){BLANKS}(?:(=){BLANKS}({_TEXT}*+)({_MORE})?)?)?({_COMMENT})?()(?:\\n|\\Z)")

HEADER = re.compile(
    f'{BLANKS}(\\[{BLANKS}({_KEY}){BLANKS}(?:("[^"\\\\\\n{UNREADABLE}]++"){BLANKS})?\\]){BLANKS}(?:{_COMMENT})?()(?:\\n|\\Z)'
)
"""A header as it should be: 1 the brackets, 2 the name, 3 the subsection in quotes, 4 the end of the line."""

_new = tuple.__new__


def unquote(raw: str) -> str:
    r"""The value of a raw text: carriage returns and quotes removed, escapes and continuations resolved.

    Valid escapes mean the same inside quotes and outside, so no state is needed: a backslash before a line end can only
    stand outside, one before ``n``, ``t`` or a backslash only inside.

    Args:
        raw: Text that gcfg's scanner accepts.

    Returns:
        The value.
    """
    if "\r" in raw:
        raw = raw.replace("\r", "")
    if "\\" not in raw:
        return raw.replace('"', "")
    # NUL cannot be in a text that the scanner accepts, so it can stand for what must not be seen again
    return (
        raw.replace("\\\\", "\0b")
        .replace('\\"', "\0q")
        .replace("\\\n", "")
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace('"', "")
        .replace("\0b", "\\")
        .replace("\0q", '"')
    )


def plain_entries(text: str, start: int, end: int) -> list[Entry]:
    """The entries of a stretch of plain lines.

    Args:
        text: The whole text.
        start: Where the stretch begins.
        end: Where it ends; every line in it is plain.

    Returns:
        One entry per key.
    """
    entries: list[Entry] = []
    add = entries.append
    returns = "\r" in text
    for match in _LINE.finditer(text, start, end):
        key, equals, raw, more, _, _ = match.groups()
        if key is None:
            continue
        key_start, key_end = match.span(1)
        value = None
        quoted = False
        value_start = value_end = -1
        stop = match.start(6)
        if returns and text.startswith("\r\n", stop - 1):
            stop -= 1
        if equals is not None:
            value_start = match.start(3)
            if more is not None:
                raw = (raw + more).rstrip(" \t\r")
                value = unquote(raw)
                quoted = '"' in raw
                value_end = value_start + len(raw)
            else:
                value = raw.rstrip(" \t\r")
                value_end = value_start + len(value)
                if returns and "\r" in value:
                    value = value.replace("\r", "")
                if value_start == value_end:
                    value_start = value_end = match.end(2)
        add(_new(Entry, (key, value, quoted, True, key_start, key_end, value_start, value_end, match.start(5), stop)))
    return entries
