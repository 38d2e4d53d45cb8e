"""The chart's values as a map of Terraform: ``yamlencode({ cloudConfig = { global = { region = "x" } } })``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.chart_settings import PLAIN, ChartSettings, Setting, is_reference
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAP = lazy_regex(r"(?<![\w.])\"?cloudConfig\"?[ \t]*+[=:][ \t]*+\{")
_ITEM = lazy_regex(
    r"(?:[\s,]++|(?:#|//)[^\n]*+)*+"
    r"(?:(?P<close>\})"
    r"|(?P<quote>\"?)(?P<name>[A-Za-z][\w-]{0,100}+)(?P=quote)[ \t]*+[=:][ \t]*+"
    r"(?:(?P<open>\{)"
    r"|\"(?P<text>[^\"\n\\]*+)\"(?=[ \t]*+(?:[,}\r\n#]|//|\Z))"
    r"|(?P<literal>true|false|\d++)(?=[ \t]*+(?:[,}\r\n#]|//|\Z))"
    r"|(?P<other>(?:\$\{[^}\n]*+\}|[^\n,{}])++)))"
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
    for match in _MAP.finditer(text):
        settings = list(_settings(text, match.end()))
        if settings:
            yield EmbeddedText(ChartSettings(text, settings), "cloudConfig")


def _settings(text: str, position: int) -> Iterator[Setting]:
    section = ""
    while item := _ITEM.match(text, position):
        position = item.end()
        if item["close"]:
            if not section:
                return
            section = ""
        elif item["open"]:
            if section:
                return
            section = item["name"]
        elif section:
            yield _setting(section, item.span("name"), item.span(item.lastgroup or "other"), item.lastgroup, text)


def _setting(section: str, key: tuple[int, int], value: tuple[int, int], kind: str | None, text: str) -> Setting:
    is_known = kind == "literal" or (kind == "text" and not is_reference(text[slice(*value)]))
    return Setting(section, Span(*key), Span(*value), is_known, writable=_LITERAL if kind == "literal" else PLAIN)
