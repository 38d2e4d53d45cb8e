"""A switch that is neither on nor off.

What it does: finds booleans that the CCM does not know: `t`, `y`, `enabled`, `'true'`, `true,`, `2`.

Why: every tool around this file has its own idea of a boolean, and gcfg's list is short.

What the CCM does: it stops at start with ``failed to parse bool `enabled` ``. It knows `true`, `yes`, `on`, `1` and `false`,
`no`, `off`, `0`, in any case, with or without double quotes.

Releases: all

Fix: writes `true` or `false` where only one of them can have been meant.

Fix safety: safe because the file cannot be read as it is and there is one reading of it

Source: gcfg v1.2.3 types/bool.go, run; cloud-provider-openstack, all releases
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Severity
from ccmcheck.rules._support import spelling, unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Problem
    from ccmcheck.conf.view import CloudConf

META = Meta("bool-bad", "A switch that is neither on nor off", Severity.ERROR, claims=("bad-bool",))

BAD = (
    Case("[LoadBalancer]\ncreate-monitor = enabled\n", at=(2, 18), fixed="[LoadBalancer]\ncreate-monitor = true\n"),
    Case("[LoadBalancer]\ncreate-monitor='false'\n", at=(2, 16), fixed="[LoadBalancer]\ncreate-monitor=false\n"),
    Case("[LoadBalancer]\ncreate-monitor=true // Local\n", at=(2, 16), fixed="[LoadBalancer]\ncreate-monitor=true\n"),
    Case("[LoadBalancer]\ninternal-lb=maybe\n", at=(2, 13)),
    Case('[LoadBalancer]\ninternal-lb="y"\n', at=(2, 13), fixed='[LoadBalancer]\ninternal-lb="true"\n', shown=False),
    Case(
        "[LoadBalancer]\ninternal-lb=true\u00a0\n", at=(2, 13), fixed="[LoadBalancer]\ninternal-lb=true\n", shown=False
    ),
    Case("[LoadBalancer]\ninternal-lb=“off”\n", at=(2, 13), fixed="[LoadBalancer]\ninternal-lb=false\n", shown=False),
    Case("[LoadBalancer]\ninternal-lb=$INTERNAL\n", at=(2, 13), shown=False),
    Case(
        "[LoadBalancer]\nuse-octavia=t\n",
        at=(2, 13),
        fixed="[LoadBalancer]\nuse-octavia=true\n",
        release="1.25",
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor = True\ninternal-lb=OFF\n"),
    Case("[LoadBalancer]\ncreate-monitor\n", shown=False),
    Case("[LoadBalancer]\nuse-octavia=t\n", shown=False),
    Case("[LoadBalancer]\ncreate-monitor=${MONITOR}\n", template=True),
    Case('[LoadBalancer]\ncreate-monitor="1" ; yes\n', shown=False),
    Case("[Global]\ntls-insecure=t\n", shown=False),
)

_TRUE = frozenset(("true", "yes", "on", "1", "t", "y", "enable", "enabled"))
_FALSE = frozenset(("false", "no", "off", "0", "f", "n", "disable", "disabled"))
_TAIL = lazy_regex(r"\s*+(?:,|//.*+|--.*+)\Z")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Explain each boolean that stops the reader."""
    for unread in unreadable.values(conf, *META.claims):
        word = _TAIL.sub("", spelling.plain(unread.text), count=1).lower()
        word = spelling.plain(word)
        mended = "true" if word in _TRUE else "false" if word in _FALSE else None
        label = "neither true nor false to the CCM"
        if spelling.single_quoted(unread.text) is not None:
            label = "single quotes are a part of the value, so it is neither true nor false"
        yield unreadable.problem(conf, unread, label, "Write `true` or `false`.", mended)
