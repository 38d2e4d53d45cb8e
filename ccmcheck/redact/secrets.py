"""Finds the values of secret keys in a text of any form, broken or not.

It works on the text itself, not on what a parser made of it: whatever stands after a name that holds a secret, to the
end of its line, is one. A trailing comment belongs to it, because the rest of ``pa#ss`` is a comment to the reader and
half a password to everybody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.redact.names import SECRET_WORD, SENSITIVE_STARTS, fold_with_offsets, is_plain, is_secret_name
from ccmcheck.redact.values import holds_no_value

_INDEX = r"(?:\[[^\]\n]{0,20}\])?"
_SIGN = "(?:[?+!:]?=+|:)"
_REST = r"[\w.()-]{0,64}+"
"""What follows a secret word in a name; bounded, so that one long word costs no more than its length."""
_START = r"^[ \t]*+(?:[#;-]++[ \t]*+|export[ \t]++|\[\w*+\][ \t]*+)?+[\"'`]?"
# What follows the secret's word in a name, then `=` or `:`; the separator may start on the next line, because gcfg lets
# the key stand alone and people break lines there.
_SIGN_BEHIND = lazy_regex(rf"""{_REST}["'`]?{_INDEX}[ \t\r]*+(?:\n[ \t]*+)?{_SIGN}""")
# What precedes the word on a line that starts with the name
_LINE_BEFORE = lazy_regex(rf"{_START}[\w.-]{{0,64}}", re.MULTILINE)
# The same where nothing but a blank follows the name
_BLANK_BEHIND = lazy_regex(rf"""{_REST}["'`]?[ \t]++(?![\s%}}=:])""")
# The same where the name is alone on its line, above a line that is no entry either
_ALONE_BEFORE = lazy_regex(r"[ \t]*+[\w.-]{0,64}")
_LINE_END_BEHIND = lazy_regex(rf"""{_REST}["'`]?[ \t\r]*+\n[ \t]*+(?=[^\s\[#;=:-][^\n=:]*+(?:\n|\Z))""")
# A line's key, whatever it is, to see whether it is such a name misspelt
_KEY = lazy_regex(
    rf"""{_START}([A-Za-z][\w.@$!-]{{2,63}}+)["'`]?{_INDEX}[ \t]*+(?:{_SIGN}|(?<=[ \t])(?=\S))""", re.MULTILINE
)
_IN_URL = lazy_regex(r"://[^/\s:@]*+:(\S*+)")
_PEM = lazy_regex(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*+")
_DEFAULT = lazy_regex(r"\$\{\w{1,64}:?[=-]([^}\n]+)\}")
_IN_SINGLE_QUOTES = lazy_regex(r"'(?:[^'\n]|'')*+'(?=[ \t\r]*(?:\n|\Z|[ \t]#|[,}\]]))")
"""A value that YAML, HCL and the shell take as it is: a double quote in it opens nothing."""
_OPENS_ARGUMENT = lazy_regex(r"\"[^\s\"]*+\Z")
_ALONE = lazy_regex(r"[ \t\r]*+(?:\n[ \t\r]*+)++[^\s\[#;=:][^\n=:]*+(?=\n|\Z)")


def defaults(value: str) -> list[str]:
    """What the template marks of a secret value have in them: the ``X`` of ``${PASSWORD:-X}``."""
    return [match[1] for match in _DEFAULT.finditer(value)] if "${" in value else []


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
    return merged([Span(offsets[start], offsets[end]) for start, end in _spans(folded, prose)])


def _spans(text: str, prose: bool) -> list[Span]:
    words = _secret_words(text)
    spans = list(_values_after(_named(text, words), text))
    if not prose:
        spans.extend(_values_after(_at_line_start(text, words, _LINE_BEFORE, _BLANK_BEHIND), text))
        alone = _at_line_start(text, words, _ALONE_BEFORE, _LINE_END_BEHIND)
        spans.extend(_values_after((place for place in alone if _is_name(text[slice(*place)])), text))
    spans.extend(_values_after(list(_misspelt_keys(text, spans, prose=prose)), text))
    spans.extend(_in_addresses(text))
    spans.extend(Span(*match.span()) for match in _PEM.finditer(text))
    return merged([span for span in spans if span.end > span.start])


def _secret_words(text: str) -> list[tuple[int, int]]:
    """Where each secret word of a text begins and ends, also those within another.

    Args:
        text: A folded text: no letter outside of ASCII equals one of ASCII in it, whatever its case.
    """
    lowered = text.lower()
    places: list[int] = []
    for word in SENSITIVE_STARTS:  # this takes a tenth of the time that trying all alternatives at every place does
        place = lowered.find(word)
        while place >= 0:
            places.append(place)
            place = lowered.find(word, place + 1)
    places.sort()
    return [match.span() for place in places if (match := SECRET_WORD.match(text, place)) is not None]


def _named(text: str, words: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """From a secret word to behind its separator."""
    end = 0
    for start, word_end in words:
        if start >= end and (behind := _SIGN_BEHIND.match(text, word_end)) is not None:
            end = behind.end()
            if _is_name(text[start:end]):
                yield start, end


def _at_line_start(
    text: str, words: Iterable[tuple[int, int]], before: re.Pattern[str], behind: re.Pattern[str]
) -> Iterator[tuple[int, int]]:
    """From the start of a line whose first word is secret to where its value begins.

    Args:
        text: The text.
        words: Its secret words.
        before: What may precede the word on its line.
        behind: What has to follow the word.
    """
    end = 0
    for word, word_end in words:
        start = text.rfind("\n", 0, word) + 1
        if start < end or before.fullmatch(text, start, word) is None:
            continue
        match = behind.match(text, word_end)
        if match is not None:
            end = match.end()
            yield start, end


def _is_name(matched: str) -> bool:
    """Whether what stands before a separator is a secret's name and not, say, ``secretName``."""
    name = matched.rstrip(":=?+! \t\r\n\"'`")
    return is_secret_name(name)


def _misspelt_keys(text: str, spans: Iterable[Span], *, prose: bool) -> Iterator[tuple[int, int]]:
    """From the start of a line whose key is the misspelt name of a secret to where its value begins.

    Args:
        text: The text.
        spans: The values that are known. Whether the key of one is misspelt does not matter where no other key can
            begin in it, because it ends with its line.
        prose: See `secret_spans`.
    """
    known = {start for start, end in spans if "\n" not in text[start:end]}
    for match in _KEY.finditer(text):
        end = match.end()
        if prose and text[end - 1] not in "=:":
            continue
        if _after_blanks(text, end) not in known and is_secret_name(match[1]):
            yield match.span()


def _values_after(names: Iterable[tuple[int, int]], text: str) -> Iterator[Span]:
    """The value after each name; a name inside the value before is part of that one."""
    end = 0
    for start, name_end in names:
        if start >= end:
            value = _value_at(text, name_end)
            if holds_no_value(text, value.start, value.end):
                continue
            end = value.end
            yield value


def _in_addresses(text: str) -> Iterator[Span]:
    """The passwords of ``user:password@host``, each up to the last ``@`` of its word, as people forget to encode it."""
    for match in _IN_URL.finditer(text):
        yield Span(match.start(1), text.rfind("@", *match.span(1)))


def _value_at(text: str, start: int) -> Span:
    """Where a value is that starts here, after blanks; a lone word below goes with one that is empty or not closed."""
    start = _after_blanks(text, start)
    if _IN_SINGLE_QUOTES.match(text, start) is not None or _is_in_argument(text, start):
        return Span(start, _line_end(text, start))
    end = _logical_line_end(text, start)
    if _quotes(text, start, end) % 2 or not text[start : min(end, start + 4)].strip('" \t'):
        below = _ALONE.match(text, end)
        end = below.end() if below else end
    return Span(start, end)


def _is_in_argument(text: str, start: int) -> bool:
    """Whether a value is in a ``"--name=value"`` that is closed on its line: its quote opens nothing."""
    line = text.rfind("\n", 0, start) + 1
    opened = _OPENS_ARGUMENT.search(text, line, start) if text[start - 1 : start] == "=" else None
    return opened is not None and text[start : start + 1] != '"' and not _quotes(text, line, _line_end(text, start)) % 2


def _after_blanks(text: str, at: int) -> int:
    while text.startswith((" ", "\t"), at):
        at += 1
    return at


def _logical_line_end(text: str, start: int) -> int:
    """End of the line, without its newline, over lines that a backslash or an open quote joins."""
    at, quotes = start, 0
    while True:
        newline = text.find("\n", at)
        stop = len(text) if newline == -1 else newline
        quotes += _quotes(text, at, stop)
        end = stop
        while text[end - 1] == "\r":
            end -= 1
        closing = text.find('"', stop) if quotes % 2 else -1
        if newline == -1 or (closing == -1 and (quotes % 2 or text[end - 1 : end] != "\\")):
            return end
        at = max(closing, newline + 1)


def _line_end(text: str, start: int) -> int:
    """End of the line, without its newline."""
    newline = text.find("\n", start)
    return len(text[: newline if newline >= 0 else len(text)].rstrip("\r"))


def _quotes(text: str, start: int, end: int) -> int:
    """How many double quotes open or close something."""
    return text.count('"', start, end) - text.count('\\"', start, end)


def merged(spans: list[Span]) -> list[Span]:
    """Spans sorted, those that touch joined."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
