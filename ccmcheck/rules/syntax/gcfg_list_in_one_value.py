"""A list of names in one value.

What it does: finds commas, or the brackets of a printed list, in `public-network-name` and `internal-network-name`.

Why: Helm prints a YAML list as `[a b]`, and other INI dialects split at commas. gcfg reads one name per line.

What the CCM does: it looks for one network named `a,b`, finds none, and sorts the node's addresses wrongly.

Releases: where the key is a list

Fix: writes one line per name.

Fix safety: unsafe because a network's name may contain a comma

Source: gcfg v1.2.3 run; cloud-provider-openstack pkg/openstack/openstack.go (Networking), 1.19 and newer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import fixes, spelling
from ccmcheck.rules._support.ignored import is_merged
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.conf.item import Item
    from ccmcheck.conf.view import CloudConf

META = Meta("gcfg-list-in-one-value", "A list of names in one value", Severity.WARNING)

BAD = (
    Case(
        "[Networking]\npublic-network-name = a, b\n",
        at=(2, 23),
        fixed="[Networking]\npublic-network-name = a\npublic-network-name = b\n",
        unsafe=True,
    ),
    Case(
        '[Networking]\n  internal-network-name="[a b]" # both\n',
        at=(2, 25),
        fixed='[Networking]\n  internal-network-name="a" # both\n  internal-network-name="b"\n',
        unsafe=True,
    ),
    Case(
        "[Networking]\r\npublic-network-name=a,b,c",
        at=(2, 21),
        fixed="[Networking]\r\npublic-network-name=a\r\npublic-network-name=b\r\npublic-network-name=c",
        unsafe=True,
        shown=False,
    ),
)
GOOD = (
    Case("[Networking]\npublic-network-name = a\npublic-network-name = b\n"),
    Case("[Networking]\npublic-network-name = a,b\n", release="1.18"),
    Case("[Networking]\npublic-network-name = {{ names | join(',') }}\n", template=True),
    Case("[Networking]\naddress-sort-order=10.0.0.0/8, 192.168.0.0/16\n"),
    Case("[Networking]\npublic-network-name = my network\n", shown=False),
)

_KEYS = ("public-network-name", "internal-network-name")


def check(conf: CloudConf) -> Iterator[Problem]:
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
