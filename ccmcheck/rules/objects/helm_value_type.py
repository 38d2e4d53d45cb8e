"""A chart value that Helm prints differently."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes

_CHART = "Helm values"


_TEXTS = ("string", "word", "list")
_QUOTES = ('"', "'", "|", ">")


def check(conf: CloudConf) -> Problems:
    """Compare each value with its source in the values file."""
    layers = conf.layers
    if not layers or layers[-1].kind != _CHART:
        return
    for item in conf.items:
        value = item.entry.value
        if not value or item.opaque:
            continue
        source = conf.source_of(item.span)
        if source == value or source.startswith(_QUOTES):
            continue
        if value.startswith("map["):
            yield _collection(item, "a map", "A load balancer class needs its own section.")
        elif source[0] in "[-" and value[0] == "[":
            yield _collection(item, "a list", "The CCM reads it as one name; each name needs its own line.")
        elif item.spec is not None and item.spec.type in _TEXTS and not _is_valid(conf, item, value):
            edit = fixes.write_value(conf, item.entry, source)
            yield Problem(
                item.span,
                f"the chart prints {conf.quote(item)} instead of this",
                "YAML reads it as a number or a boolean, which the chart prints in its own format.",
                "Quote it.",
                fixes.unsafe(conf, "quote the value", edit),
            )


def _collection(item: Item, what: str, detail: str) -> Problem:
    return Problem(
        item.span,
        f"the chart prints {what} as one string in brackets",
        detail,
        "Write the whole file as `cloudConfigContents`.",
    )


def _is_valid(conf: CloudConf, item: Item, value: str) -> bool:
    """Whether the printed text is a valid value of the key."""
    words = allowed_values(item.section.name, item.spec.name, conf.release) if item.spec is not None else None
    return words is not None and value in words.words
