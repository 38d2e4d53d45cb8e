"""A trailing backslash that joins the next line."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Note, Problem, Problems, Span
from ccmcheck.conf.view import CloudConf

_JOINED = lazy_regex(r"\\\r?\n[ \t]*+((?:[A-Za-z][A-Za-z0-9-]*+[ \t]*+=|\[[ \t]*+[A-Za-z])[^\n]*+)")


def check(conf: CloudConf) -> Problems:
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
