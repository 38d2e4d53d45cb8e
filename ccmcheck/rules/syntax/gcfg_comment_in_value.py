"""A comment character that truncates a value."""

from __future__ import annotations

from ccmcheck.base.model import Edit, Problem, Problems, Severity, Span
from ccmcheck.conf.assignments import spell
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes

_BLANKS = " \t\r"
_SENTENCE = 3
"""Words after a blank and the sign that are a comment: no password goes on like that."""
_ID_LENGTH = 32
"""A Keystone ID; a UUID with its hyphens is longer."""


def check(conf: CloudConf) -> Problems:
    """Look at every string value that a comment follows."""
    text = conf.text
    if "#" not in text and ";" not in text:
        return
    for item in conf.items:
        entry = item[1]
        start = entry.comment_start
        if start < 0 or entry.value is None or item.spec is None or item.opaque:
            continue
        if entry.quoted and '"' in text[entry.value_start : entry.value_end].replace('\\"', ""):
            continue
        if item.spec.type not in ("string", "list") or conf.is_stopped(item) or conf.is_opaque(Span(start, entry.end)):
            continue
        glued_before = entry.value_end == start > entry.value_start and text[start - 1] != "\n"
        glued_after = entry.end > start + 1 and text[start + 1] not in _BLANKS
        if item.spec.secret:
            sure = glued_before or glued_after
            is_sentence = not glued_before and len(text[start + 1 : entry.end].split()) >= _SENTENCE
            if is_sentence or (not sure and not entry.value):
                continue
        elif glued_before and glued_after and not _is_whole(item, entry.value):
            sure = True
        else:
            continue
        if not (
            entry.value[:1] in ("'", "`") and entry.value[0] in text[start : entry.end]
        ):  # reported by gcfg-single-quotes
            yield _problem(conf, item, item.spec.secret, sure=sure)


def _is_whole(item: Item, value: str) -> bool:
    """Whether the text before the comment is certainly the whole value."""
    return len(value) >= _ID_LENGTH and item.spec is not None and item.spec.name.endswith("-id")


def _problem(conf: CloudConf, item: Item, secret: bool, *, sure: bool) -> Problem:
    entry = item.entry
    start = entry.comment_start
    sign = conf.text[start]
    begin = entry.value_start if entry.value else start
    end = begin + len(conf.text[begin : entry.end].rstrip(_BLANKS))
    whole = (entry.value or "") + conf.text[entry.value_end if entry.value else start : end]
    return Problem(
        Span(start, entry.end),
        f"a comment starts at `{sign}`, so the value ends before it"
        if entry.value
        else f"a comment starts at `{sign}`, so the value is empty",
        f"{conf.reader_first} does not report it, and the login fails."
        if secret
        else f"{conf.reader_first} does not report it.",
        "If it is part of the value, write the whole value in double quotes.",
        fixes.unsafe(conf, "write the whole value in double quotes", Edit(begin, end, spell(whole, quoted=True)))
        if sure
        else None,
        severity=None if sure else Severity.WARNING,
    )
