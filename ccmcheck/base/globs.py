"""Path patterns of the configuration, with the semantics of .gitignore.

A pattern without a slash matches a file or folder of that name at any depth; one with a slash starts at the folder of
the configuration. ``*`` and ``?`` stay within one name, ``**`` crosses folders, ``[…]`` is a set. A pattern that
matches a folder matches everything below it. There are no escapes and no negated patterns.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby

from ccmcheck.base.lazy_regex import lazy_regex

# a run of stars, any one character, a set; anything else is literal
_PIECE = lazy_regex(r"(?P<stars>\*+)|\?|\[(?P<set>[!^]?\]?[^]]*)\]|[^*?[]+|\[")
_ENDS = r"(?=/|\Z)"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Translate one pattern.

    Args:
        pattern: As written in the configuration, with forward slashes.

    Returns:
        An expression whose ``match`` decides on a whole path, relative to the configuration's folder, with forward
        slashes. Between two stars the first place is taken where the text fits, and no other one tried: what follows
        fits behind a later place only if it fits behind this one. So many stars take no longer than one.
    """
    body = (pattern[1:] if pattern.startswith("./") else pattern).rstrip("/")
    names = body.lstrip("/").split("/")
    if "/" not in body:
        names.insert(0, "**")
    written, starred = "", False
    for anywhere, part in groupby(names, "**".__eq__):
        if not anywhere:
            text = "/".join(map(_name, part)) + _ENDS
            written += "/" * bool(written) + (f"(?>(?:[^/]*+/)*?{text})" if starred else text)
        starred = anywhere
    if starred:
        written += "/.*" if written else ".*"
    return re.compile(f"{written}(?:/.*)?\\Z", re.DOTALL)


def _name(name: str) -> str:
    """The expression of one name."""
    pieces = [""]
    for piece in _PIECE.finditer(name):
        if piece["stars"]:
            pieces.append("")
        else:
            pieces[-1] += _translated(piece)
    first, *others = pieces
    if not others:
        return first
    return first + "".join(f"(?>[^/]*?{text})" for text in others[:-1]) + f"[^/]*{others[-1]}"


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches a path, which is relative and has forward slashes."""
    return compiled(pattern).match(path) is not None


def prefixed(pattern: str, folder: str) -> str:
    """The pattern that means the same one or more folders further up.

    Args:
        pattern: Relative to a folder.
        folder: That folder's path from the other one, with forward slashes.
    """
    body = (pattern[1:] if pattern.startswith("./") else pattern).rstrip("/")
    literal = re.sub(r"[*?\[]", r"[\g<0>]", folder)
    return f"{literal}/{body.lstrip('/')}" if "/" in body else f"{literal}/**/{body}"


def _translated(piece: re.Match[str]) -> str:
    text = piece.group()
    if text == "?":
        return "[^/]"
    if piece["set"]:
        inside = piece["set"]
        negated = inside[0] in "!^"
        members = re.sub(r"([\\\[\]&~|^])", r"\\\1", inside[1:] if negated else inside)
        return f"(?!/)[{'^' if negated else ''}{members}]" if members else re.escape(text)
    return re.escape(text)
