"""Cheap signs of a text within a text, asked of every file before a scanner is imported."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex

_DEFINE = lazy_regex(r"\{\{-?\s*+define\b")


def has_defines(text: str) -> bool:
    """Whether a text defines Go templates."""
    return "{{" in text and _DEFINE.search(text) is not None


_SECTION = r"(?<![^\s=(,])[\"'](?:\\?\r?\n)?[ \t]*+\[[A-Za-z]++\][ \t]*+\r?\n"
_QUOTED = lazy_regex(_SECTION)
"""A quote, which no letter stands before, and a section on a line of its own."""
_OPENED = lazy_regex(rf"^(?![ \t]*+[#;])(?:[^\"'\n#]++|(?<![ \t])#|\"[^\"\n]*+\"|'[^'\n]*+')*{_SECTION}", re.MULTILINE)
"""The same where the line does not close a quote by it, as one of ``"c2VjcmV0="`` above the next section does."""


_HEREDOC_WORDS = ("kind", "loudConfig", "openstack.org/", "/cloud.conf")
"""What a script has that writes a manifest, chart values, or a cloud.conf with nothing in it."""


def may_hold_shell_text(text: str) -> bool:
    """Whether a text may be a script with a cloud.conf or a manifest in a heredoc, or a cloud.conf between quotes."""
    has_section = "[" in text and "=" in text
    if "<<" in text and (has_section or any(word in text for word in _HEREDOC_WORDS)):
        return True
    return has_section and _QUOTED.search(text) is not None


def holds_quoted_conf(text: str) -> bool:
    """Whether a line opens a quote before a section that is alone on its line, as a cloud.conf begins in a script."""
    return _OPENED.search(text) is not None


def is_quoted_conf(text: str, start: int) -> bool:
    """Whether a text between quotes begins like that.

    Args:
        text: The script.
        start: Where the opening quote is.
    """
    return _QUOTED.match(text, start) is not None
