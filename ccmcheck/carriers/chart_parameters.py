"""The chart's values that an object sets one by one: Argo CD's ``helm.parameters``, helmfile's and k3s' ``set``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.embedded.chart_settings import ChartSetting, ChartSettings
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode

_NAME = lazy_regex(r"(?:[\w-]{1,100}\.)*?cloudConfig\.(?P<section>[A-Za-z]{1,50})\.(?P<key>[\w-]{1,100})\Z")
_STRING = lazy_regex(
    r"(?!(?:true|false|yes|no|on|off|y|n|null)\Z)(?!(?:[-+.\d][\d_.:]*+(?:e[-+]?\d*+)?|0[xo][\da-f_]*+|\d{4}-\d\d?-\d\d?)\Z)"
    r"[\w./][\w.:/@-]*+(?<!:)\Z",
    re.IGNORECASE,
)
"""What is a string to YAML without quotes: Argo CD's parameters take no other type."""
_NOT_PLAIN = ('"', "\\", "$")
"""What the rendered text would have to escape, and variables, which Argo CD replaces in parameters."""


def find(carrier: Carrier, settings: YamlNode, where: str) -> None:
    """Collect the cloud.conf that a list of names and values, or a map of them, sets.

    Args:
        carrier: The file or object, with the text that they are in.
        settings: The list or map.
        where: Where it is in the object, for people.
    """
    found_settings = [
        setting for name, value in _entries(settings) if (setting := _setting(carrier, name, value)) is not None
    ]
    if found_settings:
        carrier.search_embedded([EmbeddedText(ChartSettings(carrier.source.text, found_settings), where)])


def _entries(settings: YamlNode) -> Iterator[tuple[Scalar, Scalar]]:
    if isinstance(settings, Mapping):
        pairs: list[tuple[YamlNode | None, YamlNode | None]] = list(settings.items)
    elif isinstance(settings, Sequence):
        pairs = [(item.get("name"), item.get("value")) for item in settings.items if isinstance(item, Mapping)]
    else:
        return
    for name, value in pairs:
        if isinstance(name, Scalar) and isinstance(value, Scalar):
            yield name, value


def _setting(carrier: Carrier, name: Scalar, value: Scalar) -> ChartSetting | None:
    match = _NAME.match(name.value)
    if match is None:
        return None
    text = carrier.source.text
    named, valued = scalar_layer(name, text), scalar_layer(value, text)
    if not named.exact or not valued.exact or "\n" in value.value:
        return None
    place = valued.outward(Span(0, len(value.value)))
    known = text[slice(*place)] == value.value and not carrier.source.has_mark(value)
    known = known and not any(sign in value.value for sign in _NOT_PLAIN)
    setting = ChartSetting(match["section"], named.outward(Span(*match.span("key"))), place, known)
    return setting._replace(writable=_STRING) if value.style == "plain" else setting
