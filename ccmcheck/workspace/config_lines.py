"""The line of a configuration that an option stands on: tomllib gives no positions."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex

_OVERRIDE = lazy_regex(r"^[ \t]*\[\[[^\n\]]*\boverride[ \t]*\]\]", re.MULTILINE)


def line_of(text: str, words: tuple[str, ...], override: int = 0) -> int:
    """The line on which some words stand, each after the one before it; 0 where they are not found as words.

    An option's name may also occur in a comment above it, so the search begins at the first line that starts with it,
    as a key or as a table.

    Args:
        text: The file.
        words: The words; the first one is an option.
        override: The number of the ``[[override]]`` table that they stand in, from 1; 0 outside of those.
    """
    searched = _after_header(text)
    tables = list(_OVERRIDE.finditer(searched))
    if 0 < override <= len(tables):
        end = tables[override].start() if override < len(tables) else len(searched)
        if words[0] == "override":
            return _line_at(text, len(text) - len(searched) + tables[override - 1].end())
        searched = searched[tables[override - 1].end() :]
        whole = len(text) - len(_after_header(text)) + end
    else:
        whole = len(text)
    first = re.escape(words[0])
    key = re.search(rf"^[ \t]*\[?[^\n#=]*?(?<![\w-]){first}(?![\w-])", searched, re.MULTILINE)
    if key is None:
        return 0
    at = len(text) - len(searched) + key.end()
    if at > whole:
        return 0
    for word in words[1:]:
        match = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])").search(text, at)
        if match is not None:
            at = match.end()
    return _line_at(text, at)


def _line_at(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _after_header(text: str) -> str:
    """The text from pyproject's table on, so that another tool's option of the same name is not meant."""
    header = re.search(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*ccmcheck\b", text, re.MULTILINE)
    return text[header.start() :] if header else text
