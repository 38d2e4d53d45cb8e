"""Terraform's ``openstack_cloud_provider { … }`` of the providers rke and rancher2; see `ccmcheck.carriers.rke`.

Releases of the provider rke before 1.0 call it ``openstack_cloud_config``, and have maps in the place of blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.carriers.embedded.chart_settings import ChartSettings, Form, Setting
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.carriers.rke import CARRIER, SECTIONS

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_FORM = Form(CARRIER, SECTIONS, (IN_TREE,))
_BLOCK = lazy_regex(r"\b(?P<name>openstack_cloud_(?:provider|config))[ \t]*+=?[ \t]*+\{")
_TOKEN = lazy_regex(
    r"(?P<comment>(?:#|//)[^\n]*+)|(?P<open>(?P<section>\w*+)[ \t]*+=?[ \t]*+\{)|(?P<close>\})"
    r"|(?P<key>\w++)[ \t]*+=[ \t]*+(?:\"(?P<value>[^\"\n\\$%]*+)\"(?=[ \t]*+(?:[,}#\r\n]|//))"
    r"|(?P<plain>true|false|\d++)(?=[ \t]*+(?:[,}#\r\n]|//))|(?P<other>[^\n]*+))|[\w\"]++|[^\w\"]"
)
_ZERO = ("", "0", "false")
_MOST_TOKENS = 5_000


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the cloud.confs that such blocks become.

    Args:
        text: A file in HCL.

    Yields:
        One for each block.
    """
    for block in _BLOCK.finditer(text):
        settings = list(_settings(text, block.end()))
        if settings:
            yield EmbeddedText(ChartSettings(text, settings, _FORM), block["name"])


def _settings(text: str, position: int) -> Iterator[Setting]:
    """The values of a block from the character after its brace on."""
    sections: list[str] = []
    for _ in range(_MOST_TOKENS):
        token = _TOKEN.match(text, position)
        if token is None:
            return
        position = token.end()
        if token["open"]:
            sections.append(token["section"])
        elif token["close"]:
            if not sections:
                return
            sections.pop()
        elif token["key"] and len(sections) == 1:
            setting = _setting(token, sections[0])
            if setting is not None:
                yield setting


def _setting(token: re.Match[str], section: str) -> Setting | None:
    group = next(name for name in ("value", "plain", "other") if token[name] is not None)
    if group != "other" and token[group] in _ZERO:
        return None
    name = token["key"].replace("_", "-")
    return Setting(section, Span(*token.span("key")), Span(*token.span(group)), group != "other", name)
