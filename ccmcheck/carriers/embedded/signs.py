"""Cheap signs of a text within a text, asked of every file before a scanner is imported."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex

_DEFINE = lazy_regex(r"\{\{-?\s*+define\b")


def has_defines(text: str) -> bool:
    """Whether a text defines Go templates."""
    return "{{" in text and _DEFINE.search(text) is not None


def may_hold_heredoc(text: str) -> bool:
    """Whether a text may hold a heredoc with a cloud.conf or a manifest."""
    return "<<" in text and (("[" in text and "=" in text) or "kind" in text or "loudConfig" in text)
