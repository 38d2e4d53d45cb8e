"""What a finding is about, for outputs that show no line of the file: the object, and the key, field or section.

It is read off the line as it may be shown, so that it has no secret.
"""

from __future__ import annotations

from collections.abc import Callable

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Snippet

_KEY = lazy_regex(r"""[ \t]*+(\[[^\]\n]*+\]?|[\w.-]++)""")
_FIELD = lazy_regex(
    r"""(?:^[ \t]*+(?:-[ \t]++)*+|[{,][ \t]*+)["']?(?:([A-Za-z][\w./-]*+)["']?[ \t]*+:(?=\s|$)|(--[A-Za-z][\w-]*+)=)"""
)
_ITEM_NAME = lazy_regex(r"""[ \t]*+(?:-[ \t]++)?name:[ \t]*+["']?([\w.-]++)""")
_BEFORE, _AFTER = 300, 100
"""How much of a long line around the finding is searched."""
_MOST_LINES_UP = 50
"""How far above an item the field of its list is searched."""
_LONGEST_QUOTE = 60
_VALUE = "value"


def key_of(snippet: Snippet) -> str:
    """The key or section header that a line of a cloud.conf starts with; else the line itself, but no comment."""
    match = _KEY.match(snippet.text[:_BEFORE])
    rest = snippet.text[match.end() :][:_BEFORE].lstrip() if match else ""
    if match and (match[1][0] == "[" or not rest or rest[0] in "=:"):
        return match[1]
    line = snippet.text.strip()[:_LONGEST_QUOTE]
    return f"`{line}`" if line and line[0] not in "#;" and "`" not in line else ""


def field_of(snippet: Snippet, line_above: Callable[[int], str]) -> str:
    """The field of a Kubernetes object that a finding is about, or the name of the list's item that has it.

    Args:
        snippet: The line.
        line_above: Gives a line by how many lines it is above; empty where there is none.
    """
    start = max(0, snippet.start - _BEFORE)
    fields = _FIELD.finditer(snippet.text[start : snippet.start + _AFTER])
    names = [match[1] or match[2] for match in fields if match.start(match.lastindex or 0) + start <= snippet.start]
    if names and names[-1] != _VALUE:
        return names[-1]
    if names:
        named = _ITEM_NAME.match(line_above(1)[:_BEFORE])
        return named[1] if named else _VALUE
    indent = _indent(snippet.text)
    for number in range(1, _MOST_LINES_UP):
        line = line_above(number)
        if not line:
            break
        match = _FIELD.search(line[: indent + _BEFORE])
        if match and match[1] and match.start(1) <= indent:
            return match[1]
    return ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" -"))
