"""Recognizes other formats in the place of a cloud.conf: YAML, JSON, base64, a shell script, UTF-16.

It is asked only when the reader found errors, so a right cloud.conf never pays for it.
"""

from __future__ import annotations

import re
from binascii import a2b_base64

from ccmcheck.base.data_files import read_paragraphs
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.gcfg import Document


class ForeignFormat(NamedTuple):
    """The format that a text begins with.

    Attributes:
        name: What it is, as a message says it: ``a clouds.yaml``.
        advice: What to do about it, a sentence.
        span: The place that shows it, on the first line that is neither blank nor a comment.
        whole: True where nothing in the text is a cloud.conf; False where one follows below.
    """

    name: str
    advice: str
    span: Span
    whole: bool


_FIRST = lazy_regex(r"^[ \t\r\ufeff]*+([^ \t\r\n\ufeff#;])", re.MULTILINE)
_STARTS = [
    (lazy_regex(row["pattern"][0]), row["name"][0], row["advice"][0])
    for row in read_paragraphs(__file__, "foreign_formats.txt")
]
_WIDE = ("\udcff\udcfe", "\udcfe\udcff")
"""The byte order marks of UTF-16, as bytes that are not UTF-8 are decoded."""
_BEGINNING = 64
_ENCODED = lazy_regex(r"[A-Za-z0-9+/]{24,}+[A-Za-z0-9+/\s]*+={0,2}\s*+\Z")


def detect(document: Document) -> ForeignFormat | None:
    """Recognize a text that is no cloud.conf.

    Args:
        document: The text as gcfg reads it.

    Returns:
        What its beginning looks like; None where that is a cloud.conf, if a broken one.
    """
    text = document.text
    looked_at = min(len(text), _BEGINNING)
    if text.startswith(_WIDE) or (looked_at > 3 and text.count("\0", 0, looked_at) * 3 > looked_at):
        return ForeignFormat("UTF-16", "Save the file as UTF-8.", Span(0, 2), whole=True)
    first = _FIRST.search(text)
    start = first.start(1) if first is not None else 0
    beginning = _beginning(text, start)
    if beginning is not None:
        name, advice, span = beginning
        return ForeignFormat(name, advice, span, not document.sections)
    if not document.sections:
        end = text.find("\n", start)
        once = encoding_of(text)
        if once is not None:
            return ForeignFormat(
                once,
                "Decode it; `stringData` takes the text as it is.",
                Span(start, end if end > 0 else len(text)),
                whole=True,
            )
    return None


def format_of(text: str) -> str:
    """What the first line of a text that is neither blank nor a comment begins as; empty where that is unknown."""
    first = _FIRST.search(text)
    beginning = _beginning(text, first.start(1)) if first is not None else None
    return beginning[0] if beginning is not None else ""


def _beginning(text: str, start: int) -> tuple[str, str, Span] | None:
    """The format that begins at a place, with the advice and what shows it."""
    for pattern, name, advice in _STARTS:
        match = pattern.match(text, start)
        if match is not None:
            return name, advice, Span(*match.span())
    return None


def encoding_of(text: str) -> str | None:
    """What a text is encoded with that should be a cloud.conf.

    Args:
        text: The text; comments and blank lines may stand above.

    Returns:
        ``base64`` or ``gzip and base64``; None where it is neither.
    """
    first = _FIRST.search(text)
    match = _ENCODED.match(text, first.start(1)) if first is not None else None
    return _decoded("".join(match.group().split())) if match is not None else None


def _decoded(encoded: str) -> str | None:
    """What base64 holds: a text or gzip; None for anything else."""
    try:
        data = a2b_base64(encoded, strict_mode=True)
    except ValueError:
        return None
    if data[:2] == b"\x1f\x8b":
        return "gzip and base64"
    return "base64" if b"[" in data or b"=" in data or data.isascii() else None
