"""Text after a closing quote."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Problem, Problems, Span
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes

_QUOTED = lazy_regex(r'"(?:[^"\\\n]|\\.)*+"(?P<rest>[^"\s#;][^"\n]*+)\Z')


def check(conf: CloudConf) -> Problems:
    """Look for a value that begins with a quoted part, and goes on after it."""
    for item in conf.items:
        entry = item.entry
        raw = conf.text[entry.value_start : entry.value_end] if entry.quoted and entry.value_start >= 0 else ""
        match = _QUOTED.match(raw)
        if match is None or item.opaque:
            continue
        start = entry.value_start + match.start("rest")
        yield Problem(
            Span(start, entry.value_end),
            "text after the closing quote, which becomes a part of the value",
            "Pages and word processors leave such characters where text is copied from them.",
            "Delete it.",
            fixes.unsafe(conf, "delete what follows the closing quote", Edit(start, entry.value_end, "")),
        )
