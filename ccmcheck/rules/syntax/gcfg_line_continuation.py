"""A trailing backslash that joins the next line.

What it does: finds values that end with a backslash and are followed by what looks like a key or a section header.

Why: Windows paths and passwords end with a backslash, and the line below is lost.

What the CCM does: it joins both lines, including their whitespace. The key below is not set; where it is a header, the keys below it belong to
the section above, where most of them are unknown and ignored.

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

META = Meta(
    "gcfg-line-continuation", "A trailing backslash that joins the next line", Severity.WARNING, per_release=False
)

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

_JOINED = lazy_regex(r"\\\r?\n[ \t]*+((?:[A-Za-z][A-Za-z0-9-]*+[ \t]*+=|\[[ \t]*+[A-Za-z])[^\n]*+)")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at every value of more than one line."""
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
        match = _JOINED.search(text, entry.value_start, entry.value_end)
        if match is not None:
            header = match[1][0] == "["
            yield Problem(
                Span(match.start(), match.start() + 1),
                "this backslash joins the next line to the value",
                "The section below does not start, and its keys belong to this one."
                if header
                else "The key below is not set.",
                "Remove the backslash, or write the value in double quotes with the backslash doubled.",
                notes=(Note(Span(match.start(1), match.end(1)), "part of the value above"),),
            )
