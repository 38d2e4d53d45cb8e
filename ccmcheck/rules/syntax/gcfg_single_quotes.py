"""Single quotes are part of the value."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Problem, Problems, Span
from ccmcheck.conf.assignments import spell
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling

_CUT = lazy_regex(r"(?:'[^'\n\\\"]*+'|`[^`\n\\\"]*+`)(?=[ \t\r]*+(?:[#;\n]|\Z))")

_NAMES = {"'": "single quotes", "`": "backticks"}


def check(conf: CloudConf) -> Problems:
    """Look at every value that starts with one."""
    if "'" not in conf.text and "`" not in conf.text:
        return
    for item in conf.items:
        value = item.entry.value
        if (
            not value
            or value[0] not in _NAMES
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
            f"{_NAMES[value[0]]} do not protect `#` or `;`: the value ends there"
            if cut
            else f"the {_NAMES[value[0]]} are part of the value",
            f"{conf.reader_first} only knows double quotes; OpenStack receives the value with the {_NAMES[value[0]]}.",
            "Write double quotes.",
            fixes.unsafe(conf, "write double quotes", Edit(place.start, place.end, spell(inner, quoted=True))),
        )
