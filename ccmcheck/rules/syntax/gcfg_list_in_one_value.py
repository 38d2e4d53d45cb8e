"""A list of names in one value."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Problem, Problems
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling
from ccmcheck.rules._support.ignored import is_merged

_KEYS = ("public-network-name", "internal-network-name")


def check(conf: CloudConf) -> Problems:
    """Look at both keys that are lists of names."""
    for key in _KEYS:
        last = conf.last("Networking", key)
        if last is None or last.spec is None or last.spec.type != "list":
            continue
        for item in conf.items:
            if item[2] is not last.spec:
                continue
            value = item.entry.value
            if not value or item.opaque:
                continue
            printed = value[0] == "[" and value[-1] == "]"
            if (
                not (printed or "," in value)
                or spelling.is_reported_as_misspelt(value)
                or (printed and is_merged(conf))
            ):
                continue
            inner = value[1:-1].replace(",", " ").split() if printed else value.split(",")
            names = [name for name in (part.strip(" \t'\"") for part in inner) if name]
            yield Problem(
                item.span,
                "the CCM reads this as the name of one network",
                "No network has that name, so the nodes' addresses are sorted as if the key were not set.",
                "Write one line per name.",
                _split(conf, item, names),
            )


def _split(conf: CloudConf, item: Item, names: list[str]) -> Fix | None:
    if not names:
        return None
    edits = [fixes.write_value(conf, item.entry, names[0])]
    if len(names) > 1:
        edits.append(fixes.repeat_key(conf, item.entry, names[1:]))
    return fixes.unsafe(conf, "write one line per name", *edits)
