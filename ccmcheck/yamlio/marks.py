"""Template marks in a text.

Files that carry a cloud.conf are often templates: clusterctl's ``${VAR:=default}``, Helm's and Jinja's ``{{ … }}``,
Terraform's ``%{ if … }``, ytt's ``key: #@ …``, several in one file. YAML and gcfg can read such a file only once the
marks are covered by ordinary characters, see `ccmcheck.yamlio.cover`.
"""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.text import has_one
from ccmcheck.yamlio.mark import TemplateMark, disjoint

__all__ = ["TemplateMark", "bare_variables", "find"]


_YTT = "#@ "
_KEY = r"""(?:"[^"\r\n]*+"|'[^'\r\n]*+'|[^\s"'\#;=:\[\]{},&*!|>%@`-](?:[^"'\#=:\r\n]|:(?=\S))*+)[ \t]*+:[ \t]++"""
_YTT_VALUE = lazy_regex(rf"^[ \t]*+(?:(?:-[ \t]++)*+{_KEY}|(?:-[ \t]++)++)(?P<value>#@[ \t][^\r\n]*+)", re.MULTILINE)
"""A comment in the place of a value, which ytt computes (carvel.dev, ytt's annotation syntax).

What stands before it is the key or the dash alone: within quotes, or behind another value, it is other text.
"""
_SIGNS = ("${", "{{", "{%", "{#", "%{")
_BARE = lazy_regex(r"=[ \t]*+(?P<quote>[\"']?)(?P<variable>\$(?P<name>[A-Za-z_]\w*+))(?P=quote)[ \t]*+(?=[\r\n]|\Z)")


def find(text: str) -> list[TemplateMark]:
    """Find all template marks.

    Args:
        text: Any text.

    Returns:
        The marks in the order of the text; they do not overlap. An unclosed one is not a mark.
    """
    erb = "<" in text and "<%" in text  # one character is found ten times as fast as two, and most texts have none
    if "@" in text and _YTT in text:
        return _with_ytt(text, erb=erb)
    if not erb and ("{" not in text or not has_one(text, _SIGNS)):
        return []
    from ccmcheck.yamlio.mark_reader import read  # compiling its patterns is slow, and most texts have no marks

    return read(text, erb=erb)


def _with_ytt(text: str, *, erb: bool) -> list[TemplateMark]:
    """The values that ytt computes, and the marks of other languages around and beside them."""
    from ccmcheck.yamlio.mark_reader import read

    values = [TemplateMark(Span(*match.span("value")), "braces") for match in _YTT_VALUE.finditer(text)]
    return disjoint([*values, *read(text, erb=erb)])


def bare_variables(text: str) -> list[TemplateMark]:
    """The values of an INI file that are a ``$VAR`` without braces, as for Heat's ``str_replace`` and ``envsubst``.

    Args:
        text: A text with ``key = value`` lines.

    Returns:
        The marks in the order of the text.
    """
    if "$" not in text:
        return []
    return [TemplateMark(Span(*match.span("variable")), "shell", match["name"]) for match in _BARE.finditer(text)]
