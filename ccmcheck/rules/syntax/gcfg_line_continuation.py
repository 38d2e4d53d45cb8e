"""A backslash at the end of a line that swallows the next one.

What it does: finds values that end with a backslash and are followed by something that looks like a key or a section header.

Why: Windows paths and passwords end with a backslash, and the line below vanishes.

What the CCM does: it joins both lines, blanks and all. The key below is not set; after a header the keys below it land in the section
above, where most of them are unknown and ignored.

Releases: all

Fix: by hand: remove the backslash, or write the value in double quotes with the backslash doubled.

Source: gcfg v1.2.3 scanner/scanner.go, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Note, Problem, Severity, Span
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("gcfg-line-continuation", "A backslash that swallows the next line", Severity.WARNING, per_release=False)

BAD = (
    Case("[Global]\npassword = secret\\\nregion = R\n", at=(2, 18)),
    Case("[Global]\nca-file = C:\\\r\n[LoadBalancer]\r\nsubnet-id = x\r\n", at=(2, 13)),
    Case("[Global]\nnothing = x\\\n\\\n  region=R\n", at=(3, 1), shown=False),
)
GOOD = (
    Case("[Networking]\npublic-network-name = a\\\nb\n"),
    Case('[Global]\npassword = "secret\\\\"\nregion = R\n'),
    Case("# x \\\n[Global]\nregion = R\n"),
    Case("[Global]\nregion = {{ x }}\\\nusername = {{ y }}\n", template=True),
    Case("[LoadBalancer]\nmonitor-delay=5s\\\nmonitor-timeout=3s\n", shown=False),
)

_SWALLOWED = lazy_regex(r"\\\r?\n[ \t]*+((?:[A-Za-z][A-Za-z0-9-]*+[ \t]*+=|\[[ \t]*+[A-Za-z])[^\n]*+)")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at every value that goes over more than one line."""
    text = conf.text
    if "\\" not in text:
        return
    for item in conf.items:
        entry = item.entry
        if (
            entry.value is None
            or "\n" not in text[entry.value_start : entry.value_end]
            or item.opaque
            or conf.is_stopped(item)
        ):
            continue
        found = _SWALLOWED.search(text, entry.value_start, entry.value_end)
        if found is not None:
            header = found[1][0] == "["
            yield Problem(
                Span(found.start(), found.start() + 1),
                "this backslash joins the next line to the value",
                "The section below never begins, and its keys land in this one."
                if header
                else "The key below is not set.",
                "Remove the backslash, or write the value in double quotes with the backslash doubled.",
                notes=(Note(Span(found.start(1), found.end(1)), "a part of the value above"),),
            )
