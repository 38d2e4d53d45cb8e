"""A comment character that truncates a value.

What it does: finds unquoted values that `#` or `;` truncates in the middle of a word; in passwords and other secrets also after a space, unless a sentence follows.

Why: the CCM silently drops the rest of the line as a comment. `pa#ss` is read as `pa`, and the log says 401.

What the CCM does: outside double quotes `#` and `;` start a comment anywhere, with or without a space before them.

Releases: all

Fix: writes the whole value in double quotes. With spaces on both sides of the character it is most likely a comment: decide by hand.

Fix safety: unsafe because the rest may be intended as a comment

Source: gcfg v1.2.3 scanner/scanner.go, run; kubernetes/kubernetes#65304, kubernetes/cloud-provider-openstack#1647
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Edit, Problem, Severity, Span
from ccmcheck.rules._support import fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.item import Item
    from ccmcheck.conf.view import CloudConf

META = Meta("gcfg-comment-in-value", "A comment character that truncates a value", Severity.ERROR)

BAD = (
    Case("[Global]\npassword = pa#ss\n", at=(2, 14), fixed='[Global]\npassword = "pa#ss"\n', unsafe=True),
    Case("[Global]\npassword=#x1\n", at=(2, 10), fixed='[Global]\npassword="#x1"\n', unsafe=True),
    Case(
        "[LoadBalancer]\nfloating-subnet-tags=a;b\n",
        at=(2, 23),
        fixed='[LoadBalancer]\nfloating-subnet-tags="a;b"\n',
        unsafe=True,
    ),
    Case("[Global]\npassword=pass # word\n", at=(2, 15), severity=Severity.WARNING),
    Case(
        "[Global]\npassword=pass #word\n",
        at=(2, 15),
        fixed='[Global]\npassword="pass #word"\n',
        unsafe=True,
        shown=False,
    ),
    Case(
        "[Global]\nauth-url=https://k/v3#f\n",
        at=(2, 22),
        fixed='[Global]\nauth-url="https://k/v3#f"\n',
        unsafe=True,
        shown=False,
    ),
    Case(
        '[Global]\npassword=a\\"#b\\c\r\n',
        at=(2, 13),
        fixed='[Global]\npassword="a\\"#b\\\\c"\r\n',
        unsafe=True,
        shown=False,
    ),
)
GOOD = (
    Case('[Global]\npassword = "pa#ss" # quoted\n'),
    Case("[LoadBalancer]\nsubnet-id=0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e#nodes\ncreate-monitor=true;yes\n"),
    Case("[Global]\nregion = RegionOne # the only one\n"),
    Case("[Global]\npassword = {{ password }}#x\n", template=True),
    Case("[Global]\nregion=#none\n", shown=False),
    Case("[Global]\npassword= # set by hand\n", shown=False),
    Case("[Global]\nregion=R#\n", shown=False),
    Case("[Global]\npassword=made-up #change your own password\n"),
    Case("[Global]\npassword= #change your own password\n", shown=False),
    Case("[Global]\nnothing=a#b\n", shown=False),
    Case("[Global]\npassword='a#b'\n", shown=False),
)


_BLANKS = " \t\r"
_SENTENCE = 3
"""Words after a blank and the sign that are a comment: no password goes on like that."""
_ID_LENGTH = 32
"""A Keystone ID; a UUID with its hyphens is longer."""


def check(conf: CloudConf) -> Iterator[Problem]:
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
        if not (entry.value.startswith("'") and "'" in text[start : entry.end]):  # reported by gcfg-single-quotes
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
        fixes.unsafe(conf, "write the whole value in double quotes", Edit(begin, end, fixes.spell(whole, quoted=True)))
        if sure
        else None,
        severity=None if sure else Severity.WARNING,
    )
