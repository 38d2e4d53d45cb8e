"""What is a secret, and how it is masked: the one place for every output (contract 5 of the design).

Masking works on the text itself, not on what a parser made of it, so that it holds for broken files too: whatever
stands after a name that holds a secret, to the end of its line, is one. A trailing comment is masked with it, because
the rest of ``pa#ss`` is a comment to the reader and half a password to everybody else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.model import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

MASK = "****"

_NAME = (
    r"(?:pass(?:word|wd|phrase|code)|(?<![a-z])pass(?![a-z])|pwd|token|private[-_]?key"
    r"|secret(?![-_ ]?(?:name|ref|type|key\b)))"
)
# A name that holds a secret, then `=`, `:` or a blank; the value may start on the next line, because gcfg lets the key
# stand alone and people break lines there.
_AFTER_NAME = re.compile(
    rf"""{_NAME}[\w.()-]*+["'`]?(?:[ \t\r]*+(?:\n[ \t]*+)?(?:=+|:)|(?<=[a-z"'])[ \t]++(?=\S))""",
    re.IGNORECASE,
)
# user:password@host, encoded blobs that may hold a whole file, and the body of a PEM key
_IN_URL = re.compile(r"://[^/\s:@]*+:([^\s]*)@")
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{40,}+={0,2}")
_PEM = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*+")
_TRIM = " \t\r\"'`,}"


def is_secret_name(name: str) -> bool:
    """Whether a key, option or variable of this name holds a secret, in any spelling of its separators."""
    return _AFTER_NAME.search(name + "=") is not None


def secret_spans(text: str) -> list[Span]:
    """Find every place of a text that may hold a secret.

    Args:
        text: Any text, broken or not.

    Returns:
        Sorted spans without overlaps.
    """
    found: list[Span] = []
    for match in _AFTER_NAME.finditer(text):
        start = match.end()
        while start < len(text) and text[start] in " \t":
            start += 1
        end = _logical_line_end(text, start)
        if end > start:
            found.append(Span(start, end))
    found.extend(Span(*match.span(1)) for match in _IN_URL.finditer(text))
    for pattern in (_BLOB, _PEM):
        found.extend(Span(*match.span()) for match in pattern.finditer(text))
    return _merged(found)


class Masker:
    """Masks the secrets of one text, in its lines and in what is said about it.

    Args:
        text: The text of one layer.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def spans(self) -> list[Span]:
        """Where the secrets are; see `secret_spans`."""
        return secret_spans(self.text)

    @cached_property
    def _words(self) -> re.Pattern[str] | None:
        words = {word for span in self.spans for word in _spellings(self.text[span.start : span.end])}
        if not words:
            return None
        ordered = sorted(words, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)

    def scrub(self, message: str) -> str:
        """Mask every secret of the text that a message quotes, also one that a reader cut short or lower-cased."""
        if not message or self._words is None:
            return message
        return self._words.sub(MASK, message)

    def line(self, start: int, end: int, span: Span) -> tuple[str, int, int]:
        """One line as it may be shown.

        Args:
            start: Offset of the line's first character.
            end: Offset after its last.
            span: What to underline, anywhere in the text.

        Returns:
            The masked line, the first underlined column from 0, and the number of columns, at least 1.
        """
        shown: list[str] = []
        at, width, first, last = start, 0, None, 0
        for low, high, text in (*self._pieces(start, end), (end, end, "")):
            shown.append(text)
            whole = text == MASK and self.text[low:high] != MASK
            if first is None and (span.start < high or low == end):
                first = width + (0 if whole else max(0, min(span.start, end) - low))
            if span.end > low:
                last = width + (len(text) if whole else min(len(text), span.end - low))
            width += len(text)
            at = high
        assert at == end  # noqa: S101 - the pieces tile the line
        first = min(first or 0, width)
        return "".join(shown), first, max(1, last - first)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        index = max(0, bisect_right(self.spans, start, key=lambda span: span.start) - 1)
        at = start
        for low, high in self.spans[index:]:
            if low >= end:
                break
            low, high = max(low, start), min(high, end)  # noqa: PLW2901 - clipped to the line
            if high <= at:
                continue
            if low > at:
                yield at, low, self.text[at:low]
            yield low, high, MASK
            at = high
        if at < end:
            yield at, end, self.text[at:end]


def mask_text(text: str) -> str:
    """A whole text with every secret masked, for diffs and for tables."""
    masker = Masker(text)
    return "".join(piece for _, _, piece in masker._pieces(0, len(text)))  # noqa: SLF001 - same module


def _logical_line_end(text: str, start: int) -> int:
    """End of the line, without its newline, over lines that a backslash or an open quote joins."""
    end = start
    while True:
        newline = text.find("\n", end)
        stop = len(text) if newline < 0 else newline
        body = text[start:stop].rstrip("\r")
        if newline < 0 or not (body.endswith("\\") or body.count('"') % 2):
            return start + len(body)
        if body.count('"') % 2 and '"' not in text[stop:]:
            return start + len(body)
        end = newline + 1


def _spellings(raw: str) -> Iterator[str]:
    """The texts by which a message may quote a secret: as written, unquoted, or cut at a comment sign.

    Shorter than four characters they would mask half of every sentence; rules do not quote values of secret keys.
    """
    trimmed = raw.strip(_TRIM)
    unquoted = raw.replace('"', "").strip(_TRIM)
    parts = {trimmed, unquoted, unquoted.replace("\\", "")}
    for text in (trimmed, unquoted):
        parts.update(part.strip(_TRIM) for part in re.split(r"[#;\n]", text))
    return (part for part in parts if len(part) >= 4)


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
