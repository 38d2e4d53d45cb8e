"""The chart's values as a map of Terraform: ``yamlencode({ cloudConfig = { global = { region = "x" } } })``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.chart_settings import PLAIN, ChartSetting, ChartSettings, is_reference
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAP = lazy_regex(r"^[ \t]*+(?:#|//)[^\n]*+|(?<![\w.])\"?cloudConfig\"?[ \t]*+[=:][ \t]*+(?P<open>\{)", re.MULTILINE)
"""A line that is a comment, or the beginning of a map."""
_BETWEEN = lazy_regex(r"(?:[\s,]++|(?:#|//)[^\n]*+)*+")
_ITEM = lazy_regex(
    r"(?:(?P<close>\})"
    r"|(?P<quote>\"?)(?P<name>[A-Za-z][\w-]{0,100}+)(?P=quote)[ \t]*+[=:][ \t]*+"
    r"(?:(?P<open>\{)"
    r"|\"(?P<text>[^\"\n\\]*+)\"(?=[ \t]*+(?:[,}\r\n#]|//|\Z))"
    r"|(?P<literal>true|false|\d++)(?=[ \t]*+(?:[,}\r\n#]|//|\Z))"
    r"|(?P<other>(?:\$\{[^}\n]{0,500}+\}|[^\n,{}])++)))"
)
_LITERAL = lazy_regex(r"(?:true|false|\d+)\Z")


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the maps that the chart gets as values.

    Args:
        text: A file in HCL.

    Yields:
        The cloud.conf that each becomes, as far as it is read: what is no plain value is unknown, as is what follows a
        nested map or a call with several arguments.
    """
    position = 0
    while match := _MAP.search(text, position):
        position = match.end()
        if match["open"]:
            settings, position = _settings(text, position)
            if settings:
                yield EmbeddedText(ChartSettings(text, settings), "cloudConfig")


def _settings(text: str, position: int) -> tuple[list[ChartSetting], int]:
    """The values of a map that begins before a position, and where what is read of it ends."""
    settings: list[ChartSetting] = []
    section = ""
    while item := _ITEM.match(text, position := _behind_comments(text, position)):
        if (item["close"] and not section) or (item["open"] and section):
            break
        position = item.end()
        if item["close"]:
            section = ""
        elif item["open"]:
            section = item["name"]
        elif section:
            value = item.span(item.lastgroup or "other")
            settings.append(_setting(section, item.span("name"), value, item.lastgroup, text))
    return settings, position


def _behind_comments(text: str, position: int) -> int:
    between = _BETWEEN.match(text, position)
    return between.end() if between is not None else position


def _setting(section: str, key: tuple[int, int], value: tuple[int, int], kind: str | None, text: str) -> ChartSetting:
    is_known = kind == "literal" or (kind == "text" and not is_reference(text[slice(*value)]))
    return ChartSetting(section, Span(*key), Span(*value), is_known, writable=_LITERAL if kind == "literal" else PLAIN)
