"""Finds the values of secret keys in a text of any form, broken or not.

It works on the text itself, not on what a parser made of it: whatever stands after a name that holds a secret, to the
end of its line, is one. A trailing comment belongs to it, because the rest of ``pa#ss`` is a comment to the reader and
half a password to everybody else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.redact import MASK
from ccmcheck.redact.folding import fold_digits, fold_with_offsets, is_plain
from ccmcheck.redact.names import SENSITIVE, SENSITIVE_STARTS, is_misspelt, is_secret_name
from ccmcheck.redact.values import is_template_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_INDEX = r"(?:\[[^\]\n]{0,20}\])?"
_SIGN = "(?:[?+!:]?=+|:)"
_REST = r"[\w.()-]{0,64}+"
"""What follows a secret word in a name; bounded, so that one long word costs no more than its length."""
_START = r"^[ \t]*+(?:[#;-]++[ \t]*+|export[ \t]++|\[\w*+\][ \t]*+)?+[\"'`]?"
# A name that holds a secret, then `=` or `:`; the separator may start on the next line, because gcfg lets the key stand
# alone and people break lines there.
_AFTER_NAME = lazy_regex(rf"""(?:{SENSITIVE}){_REST}["'`]?{_INDEX}[ \t\r]*+(?:\n[ \t]*+)?{_SIGN}""", re.IGNORECASE)
# The same at the start of a line, where nothing but a blank follows
_AFTER_FIRST_WORD = lazy_regex(
    rf"""{_START}[\w.-]{{0,64}}?(?:{SENSITIVE}){_REST}["'`]?[ \t]++(?![\s%}}=:])""",
    re.IGNORECASE | re.MULTILINE,
)
# The same alone on its line, above a line that is no entry either
_ALONE_NAME = lazy_regex(
    rf"""^[ \t]*+[\w.-]{{0,64}}?(?:{SENSITIVE}){_REST}["'`]?[ \t\r]*+\n[ \t]*+(?=[^\s\[#;=:-][^\n=:]*+(?:\n|\Z))""",
    re.IGNORECASE | re.MULTILINE,
)
# A line's key, whatever it is, to see whether it is such a name misspelt
_KEY = lazy_regex(
    rf"""{_START}([A-Za-z][\w.@$!-]{{2,63}}+)["'`]?{_INDEX}[ \t]*+(?:{_SIGN}|(?<=[ \t])(?=\S))""",
    re.MULTILINE,
)
_IN_URL = lazy_regex(r"://[^/\s:@]*+:")
_WORD_END = lazy_regex(r"\s|\Z")
_PEM = lazy_regex(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*+")
_BLANKS = lazy_regex(r"[ \t]*+")
_ALONE = re.compile(r"[ \t\r]*+(?:\n[ \t\r]*+)++[^\s\[#;=:][^\n=:]*+(?=\n|\Z)")
_COMPARED = lazy_regex(r"(?:\"\"|'')[\w \t.!='\"()]{0,80}?-?[%}]\}")
"""What a template compares a name with where it asks whether there is a value."""
_MOST_NAMES = 2_000


def secret_spans(text: str, *, prose: bool = False) -> list[Span]:
    """Find every place of a text that holds the value of a secret key, or the credentials of a URL.

    Args:
        text: Any text, broken or not.
        prose: Whether it is a sentence, where a blank after a secret's name is no separator.

    Returns:
        Sorted spans without overlaps.
    """
    if is_plain(text):
        return _spans(text, prose)
    folded, offsets = fold_with_offsets(text)
    return merged(
        [Span(offsets[start], max(offsets[end], offsets[end - 1] + 1)) for start, end in _spans(folded, prose)]
    )


def _spans(text: str, prose: bool) -> list[Span]:
    seen: set[str] = set()
    words = _places_of_words(text)
    names = (match for match in _matches(_AFTER_NAME, text, words) if _is_name(match[0]))
    found = list(_values_after(names, text))
    if not prose:
        lines = words if words is None else sorted({text.rfind("\n", 0, place) + 1 for place in words})
        found.extend(_values_after(_matches(_AFTER_FIRST_WORD, text, lines), text))
        alone = (match for match in _matches(_ALONE_NAME, text, lines) if _is_name(match[0]))
        found.extend(_values_after(alone, text))
    keys = (match for match in _KEY.finditer(text) if not prose or match[0][-1:] in "=:")
    found.extend(_values_after((match for match in keys if _may_be_misspelt(match[1], seen)), text))
    found.extend(_in_addresses(text))
    found.extend(Span(*match.span()) for match in _PEM.finditer(text))
    return merged([span for span in found if span.end > span.start])


def _places_of_words(text: str) -> list[int] | None:
    """Where a word of `SENSITIVE` may begin; None where every place has to be tried.

    Looking for each of the words takes a tenth of the time that trying their alternatives at every place does.
    """
    if not text.isascii():
        return None  # other letters are equal to some of ASCII where case does not count, and lower() moves them
    lowered = text.lower()
    places: list[int] = []
    for word in SENSITIVE_STARTS:
        place = lowered.find(word)
        while place >= 0:
            places.append(place)
            place = lowered.find(word, place + 1)
    places.sort()
    return places


def _matches(pattern: re.Pattern[str], text: str, places: Sequence[int] | None) -> Iterator[re.Match[str]]:
    """What ``finditer`` finds, for a pattern that matches at some places alone."""
    if places is None:
        yield from pattern.finditer(text)
        return
    end = 0
    for place in places:
        if place >= end and (match := pattern.match(text, place)) is not None:
            end = match.end()
            yield match


def _is_name(matched: str) -> bool:
    """Whether what stands before a separator is a secret's name and not, say, ``secretName``."""
    name = matched.rstrip(":=?+! \t\r\n\"'`")
    return is_secret_name(name)


def _may_be_misspelt(name: str, seen: set[str]) -> bool:
    """Whether a name is a secret's misspelt; a text with more names than any cloud.conf has is not worth the time."""
    seen.add(name)
    return len(seen) > _MOST_NAMES or is_misspelt(name) or (not name.isalnum() and is_secret_name(fold_digits(name)))


def _values_after(names: Iterable[re.Match[str]], text: str) -> Iterator[Span]:
    """The value after each name; a name inside the value before is part of that one."""
    end = 0
    for match in names:
        if match.start() >= end:
            value = _value_at(text, match.end())
            shown = text[value.start : value.end].strip(" \t\"'")
            if is_template_mark(shown) or shown.startswith(MASK) or _COMPARED.match(text, value.start):
                continue
            end = value.end
            yield value


def _in_addresses(text: str) -> Iterator[Span]:
    """The passwords of ``user:password@host``, each up to the last ``@`` of its word, as people forget to encode it."""
    word_end = 0
    for match in _IN_URL.finditer(text):
        if match.start() < word_end:
            continue  # inside a word that was looked at
        ending = _WORD_END.search(text, match.end())
        word_end = ending.start() if ending else len(text)
        yield Span(match.end(), max(match.end(), text.rfind("@", match.end(), word_end)))


def _value_at(text: str, start: int) -> Span:
    """Where a value is that starts here, after blanks; a lone word below goes with one that is empty or not closed."""
    blanks = _BLANKS.match(text, start)
    start = blanks.end() if blanks else start
    end = _logical_line_end(text, start)
    if text.count('"', start, end) % 2 or not text[start : min(end, start + 4)].strip('" \t'):
        below = _ALONE.match(text, end)
        end = below.end() if below else end
    return Span(start, end)


def _logical_line_end(text: str, start: int) -> int:
    """End of the line, without its newline, over lines that a backslash or an open quote joins."""
    at, quotes = start, 0
    while True:
        newline = text.find("\n", at)
        stop = len(text) if newline < 0 else newline
        quotes += text.count('"', at, stop)
        end = stop
        while end > start and text[end - 1] == "\r":
            end -= 1
        closing = text.find('"', stop) if quotes % 2 else -1
        if newline < 0 or (closing < 0 and (quotes % 2 or text[end - 1 : end] != "\\")):
            return end
        at = max(closing, newline + 1)


def merged(spans: list[Span]) -> list[Span]:
    """Spans sorted, those that touch joined."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
