"""An invalid boolean.

What it does: finds booleans that the CCM cannot parse: `t`, `y`, `enabled`, `'true'`, `true,`, `2`.

Why: other tools accept more spellings of a boolean than gcfg does.

What the CCM does: it stops at start with ``failed to parse bool `enabled` ``. It accepts `true`, `yes`, `on`, `1` and `false`,
`no`, `off`, `0`, in any case, with or without double quotes.

Releases: all

Fix: writes `true` or `false` where only one of them can be intended.

Fix safety: safe because the file cannot be read as it is, and only one correction is possible

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

META = Meta("bool-bad", "An invalid boolean", Severity.ERROR, claims=("bad-bool",))

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
    """Report each boolean that stops the reader."""
    for unread in unreadable.values(conf, *META.claims):
        word = _TAIL.sub("", spelling.plain(unread.text), count=1).lower()
        word = spelling.plain(word)
        corrected = "true" if word in _TRUE else "false" if word in _FALSE else None
        label = "not a boolean"
        if spelling.single_quoted(unread.text) is not None:
            label = "not a boolean: the single quotes are part of the value"
        yield unreadable.problem(conf, unread, label, "Write `true` or `false`.", corrected)
