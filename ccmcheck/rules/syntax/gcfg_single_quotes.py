"""Single quotes are part of the value.

What it does: finds values in single quotes.

Why: YAML, shells and Python have single quotes; gcfg does not.

What the CCM does: it keeps both quotes as characters of the value, so a password is wrong and an ID unknown. They do not protect
comment characters either: `'a#b'` ends at the `#`. In a boolean, number or duration they stop it at start (reported by bool-bad and the like).

Releases: all

Fix: writes double quotes instead.

Fix safety: unsafe because the quotes may be part of the value

Source: gcfg v1.2.3 scanner/scanner.go, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Problem, Severity, Span
from ccmcheck.rules._support import fixes, spelling
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("gcfg-single-quotes", "Single quotes are part of the value", Severity.ERROR)

BAD = (
    Case("[Global]\npassword = 'secret'\n", at=(2, 12), fixed='[Global]\npassword = "secret"\n', unsafe=True),
    Case("[Global]\npassword='pa#ss' # no\n", at=(2, 10), fixed='[Global]\npassword="pa#ss" # no\n', unsafe=True),
    Case("[LoadBalancer]\nlb-provider='ovn'\n", at=(2, 13), fixed='[LoadBalancer]\nlb-provider="ovn"\n', unsafe=True),
    Case(
        "[Networking]\npublic-network-name=''\n",
        at=(2, 21),
        fixed='[Networking]\npublic-network-name=""\n',
        unsafe=True,
        shown=False,
    ),
)
GOOD = (
    Case('[Global]\npassword = "it\'s"\n'),
    Case("[Global]\npassword=o'neill\n"),
    Case("[LoadBalancer]\ncreate-monitor='true'\n"),
    Case("# 'x'\n[Global]\nregion = '{{ region }}'\n", template=True),
    Case("[Global]\nnothing='x'\n", shown=False),
    Case("[Global]\nregion='a # it's\n", shown=False),
)

_CUT = lazy_regex(r"'[^'\n\\\"]*+'(?=[ \t\r]*+(?:[#;\n]|\Z))")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at every value that starts with one."""
    if "'" not in conf.text:
        return
    for item in conf.items:
        value = item.entry.value
        if (
            not value
            or value[0] != "'"
            or item.spec is None
            or item.entry.quoted
            or item.opaque
            or conf.is_stopped(item)
        ):
            continue
        start = item.entry.value_start
        inner = spelling.single_quoted(value)
        place = item.span
        if inner is None:
            whole = _CUT.match(conf.text, start) if item.entry.comment_start >= 0 else None
            if whole is None or whole.end() <= item.entry.comment_start:
                continue
            place, inner = Span(*whole.span()), whole.group()[1:-1]
        cut = place.end > item.entry.value_end
        yield Problem(
            place,
            "single quotes do not protect `#` or `;`: the value ends there"
            if cut
            else "the single quotes are part of the value",
            f"{conf.reader_first} only knows double quotes; OpenStack receives the value with the single quotes.",
            "Write double quotes.",
            fixes.unsafe(conf, "write double quotes", Edit(place.start, place.end, fixes.spell(inner, quoted=True))),
        )
