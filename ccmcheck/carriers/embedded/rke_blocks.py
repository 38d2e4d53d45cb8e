"""Terraform's ``openstack_cloud_provider { … }`` of the providers rke and rancher2; see `ccmcheck.carriers.rke`.

Releases of the provider rke before 1.0 call it ``openstack_cloud_config``, and have maps in the place of blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.carriers.embedded.chart_settings import ChartSetting, ChartSettings, SettingsForm
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.catalog.data.deployments import RKE, RKE_BLOCKS, RKE_SECTIONS

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_FORM = SettingsForm(RKE, RKE_SECTIONS, (IN_TREE,))
_BLOCK = lazy_regex(rf"\b(?P<name>{'|'.join(RKE_BLOCKS)})[ \t]*+=?[ \t]*+\{{")
_STRING = r"\"(?:[^\"\\\n]|\\.)*+\"?"
_END = r"(?=[ \t]*+(?:[,}#\r\n]|//))"
_TOKEN = lazy_regex(
    r"(?P<comment>(?:#|//)[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)"
    r"|(?P<open>(?:(?P<section>\w++)[ \t]*+=?[ \t]*+)?+\{)|(?P<close>\})"
    rf"|(?P<key>\w++)[ \t]*+=(?!=)[ \t]*+(?:\"(?P<value>[^\"\n\\$%]*+)\"{_END}|(?P<plain>true|false|\d++){_END}"
    rf"|(?P<other>(?:{_STRING}|[^\n\",#{{}}/]|/(?!/))*+))|\w++|{_STRING}|[^\w\"{{}}#/]++|/"
)
"""A value ends with its line, a comma or the brace of a block on one line; one with braces is read up to them."""
_ZERO = ("", "0", "false")
_MOST_TOKENS = 5_000


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the cloud.confs that such blocks become.

    Args:
        text: A file in HCL.

    Yields:
        One for each block.
    """
    position = 0
    while (block := _BLOCK.search(text, position)) is not None:
        settings, position = _settings(text, block.end())
        if settings:
            yield EmbeddedText(ChartSettings(text, settings, _FORM), block["name"])


def _settings(text: str, position: int) -> tuple[list[ChartSetting], int]:
    """The values of a block from the character after its brace on, and where it ends."""
    settings: list[ChartSetting] = []
    sections: list[str] = []
    for _ in range(_MOST_TOKENS):
        token = _TOKEN.match(text, position)
        if token is None:
            break
        position = token.end()
        if token["open"]:
            sections.append(token["section"] or "")
        elif token["close"]:
            if not sections:
                break
            sections.pop()
        elif token["key"] and len(sections) == 1:
            setting = _setting(token, sections[0])
            if setting is not None:
                settings.append(setting)
    return settings, position


def _setting(token: re.Match[str], section: str) -> ChartSetting | None:
    group = next(name for name in ("value", "plain", "other") if token[name] is not None)
    if group != "other" and token[group] in _ZERO:
        return None
    name = token["key"].replace("_", "-")
    start = token.start(group)
    value = Span(start, start + len(token[group].rstrip()))
    return ChartSetting(section, Span(*token.span("key")), value, group != "other", name)
