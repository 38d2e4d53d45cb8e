"""A key without a value.

What it does: finds `key =` for booleans, numbers and durations, and `key` without `=`: an error unless it is a boolean, where it means
true, or a list, which it clears.

Why: a template whose variable is unset leaves such lines behind.

What the CCM does: it stops with `blank value not supported for type` where the `=` is missing, and with the type's own error where only
the value is: ``failed to parse bool `` ``, `time: invalid duration ""`, `failed to parse "" as uint: EOF`. `key =` is allowed for strings and
sets them to the empty string, even where the default is not empty.

Releases: all

Fix: deletes the line, so that the default applies; a boolean without a value gets `= true`.

Fix safety: unsafe where the line is deleted, because a value may have been intended; safe where `= true` only states what applies already

Source: gcfg v1.2.3 set.go and types/, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import fixes, unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("gcfg-blank-value", "A key without a value", Severity.ERROR, claims=("blank-value", "empty-value"))

BAD = (
    Case(
        "[LoadBalancer]\nmonitor-delay =\nsubnet-id = x\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nsubnet-id = x\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\nsubnet-id\nlb-provider=ovn\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nlb-provider=ovn\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor\nlb-provider=ovn\n",
        at=(2, 1),
        fixed="[LoadBalancer]\ncreate-monitor=true\nlb-provider=ovn\n",
        severity=Severity.WARNING,
    ),
    Case("[Networking]\npublic-network-name=a\npublic-network-name\n", at=(3, 1), severity=Severity.WARNING),
    Case(
        '[LoadBalancer]\ncreate-monitor="" # on?\n',
        at=(2, 16),
        fixed="[LoadBalancer]\n# on?\n",
        unsafe=True,
        shown=False,
    ),
    Case(
        "[LoadBalancer]\nmonitor-max-retries=\nmax-shared-lb=\n",
        at=(2, 1),
        fixed="[LoadBalancer]\n",
        unsafe=True,
        times=2,
        shown=False,
    ),
    Case("[Global]\nos-endpoint-type=\n", at=(2, 1), fixed="[Global]\n", unsafe=True, shown=False),
    Case("[Global]\nregion\n= R\n", at=(2, 1), shown=False),
    Case(
        "[Networking]\npublic-network-name\n",
        at=(2, 1),
        fixed="[Networking]\n",
        unsafe=True,
        release="1.18",
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nsubnet-id =\nlb-provider =\ncreate-monitor = true\n"),
    Case("[LoadBalancer]\nenabled =\nmax-shared-lb\n", release="1.22"),
    Case("[LoadBalancer]\nmonitor-delay = ${DELAY}\n", template=True),
    Case("[Networking]\npublic-network-name =\n", shown=False),
    Case("[Global]\nunknown\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the reader's errors, then the keys without a value that are no error."""
    for unread in unreadable.values(conf, *META.claims):
        default = unreadable.default_of(unread.spec)
        alone = unread.stop.kind == "blank-value"
        fix = None
        if _EQUALS_BELOW.match(conf.text, unread.item.entry.end) is None:
            fix = fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, unread.item.entry))
        yield Problem(
            unread.item.span,
            "only a boolean or a list may have no value"
            if alone
            else f"an empty value is not a {_TYPES[unread.spec.type]}",
            unreadable.stops(conf),
            f"Write a value, or delete the line: the default is {default}."
            if fix is not None or not alone
            else "Write `key = value` on one line.",
            fix,
            unread.stop,
        )
    for item in conf.items:
        if item[1].value is not None or item.spec is None or item.opaque:
            continue
        if item.spec.type == "bool":
            yield Problem(
                item.span,
                "a boolean without a value means true",
                "Few people who read this file know that.",
                "Write `= true`, or the intended value.",
                fixes.safe(conf, "write `= true`", fixes.write_value(conf, item.entry, "true")),
                severity=Severity.WARNING,
            )
        elif item.spec.type == "list":
            yield Problem(
                item.span,
                "a list key without a value clears the list: entries above this line are ignored",
                "Entries below it are added to the empty list.",
                "Write one name per line, or delete this line.",
                severity=Severity.WARNING,
            )


_EQUALS_BELOW = lazy_regex(r"[ \t\r\n]*+=")
_TYPES = {"bool": "boolean", "uint": "number", "int": "number", "duration": "duration", "word": "word"}
