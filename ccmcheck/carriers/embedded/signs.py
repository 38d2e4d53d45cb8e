"""Cheap signs of a text within a text, asked of every file before a scanner is imported."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex

_HEADER = lazy_regex(
    r"(?:\A|\n)[ \t]*+\[[ \t]*+(?:global|loadbalancer|blockstorage|networking|metadata|route)\b", re.IGNORECASE
)
_DEFINE = lazy_regex(r"\{\{-?\s*+define\b")


def has_defines(text: str) -> bool:
    """Whether a text defines Go templates."""
    return "{{" in text and _DEFINE.search(text) is not None


def has_known_section(text: str) -> bool:
    """Whether a text has a section that the CCM knows."""
    return "[" in text and _HEADER.search(text) is not None


def may_hold_heredoc(text: str) -> bool:
    """Whether a text may hold a heredoc with a cloud.conf or a manifest."""
    return "<<" in text and (("[" in text and "=" in text) or "kind" in text or "loudConfig" in text)
