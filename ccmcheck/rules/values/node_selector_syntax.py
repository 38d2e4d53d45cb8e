"""A node-selector that matches no node."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import spelling

_PART = lazy_regex(r"[A-Za-z0-9][A-Za-z0-9./_-]*+(?:=(?:[A-Za-z0-9][A-Za-z0-9._-]*+)?)?")
_SET = lazy_regex(r"(?i:\s(?:not)?in\s*\()|[()]")


def check(conf: CloudConf) -> Problems:
    """Look at node-selector."""
    item = conf.last("LoadBalancer", "node-selector")
    if item is None:
        return
    value = conf.typed(item)
    if not isinstance(value, str) or spelling.is_reported_as_misspelt(value):
        return
    for part in value.split(","):
        word = part.strip()
        if not word or _PART.fullmatch(word):
            continue
        key, equals, value_part = word.partition("=")
        if _SET.search(value) or word[0] == "!" or key.endswith("!"):
            label = "only `label=value` is supported, not sets or negation"
        elif value_part.startswith("="):
            label = f"`==` requires the value `{value_part}`"
        elif equals and (key != key.rstrip() or value_part != value_part.lstrip()):
            label = "the spaces around `=` become part of the label and its value"
        else:
            label = f"`{word}` is not `label=value`"
        yield Problem(
            item.span,
            label,
            "No node has such a label, so every load balancer silently loses all its members.",
            "Write `label=value`, as in `env=prod,zone=a`; a node must match all of them.",
        )
        return
