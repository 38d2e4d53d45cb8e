"""What is a secret, and how it is masked: the one place for every output (contract 5 of the design).

Masking works on the text itself, not on what a parser made of it, so that it holds for broken files too: whatever
stands after a name that holds a secret, to the end of its line, is one. A trailing comment is masked with it, because
the rest of ``pa#ss`` is a comment to the reader and half a password to everybody else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.suggest import distance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MASK = "****"

_NAME = (
    r"(?:pass(?:word|wd|phrase|code)|(?<![a-z])pass(?![a-z])|(?-i:(?<=[a-z])Pass(?![a-z]))|pwd|(?<![a-z])pw(?![a-z])"
    r"|token|private[-_]?key|credentials?(?=[\"'`]?[ \t]*+[=:])|secret(?![-_ ]?(?:name|ref|type|key\b)))"
)
# A name that holds a secret, then `=`, `:` or a blank; the value may start on the next line, because gcfg lets the key
# stand alone and people break lines there.
_AFTER_NAME = lazy_regex(
    rf"""{_NAME}[\w.()-]*+["'`]?(?:[ \t\r]*+(?:\n[ \t]*+)?(?:=+|:)|(?<=[a-z"'])[ \t]++(?![\s%}}]))""",
    re.IGNORECASE,
)
# A line's key, whatever it is, to see whether it is such a name misspelt
_KEY = lazy_regex(r"""^[ \t]*+["'`]?([A-Za-z][\w.-]{2,63}+)["'`]?[ \t]*+(?:[=:]|(?<=[ \t])(?=\S))""", re.MULTILINE)
_PART = lazy_regex(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_MISSPELT = (
    ("password", 2),
    ("passphrase", 2),
    ("passwd", 1),
    ("token", 1),
    ("secret", 1),
    ("trusteepassword", 2),
    ("applicationcredentialsecret", 3),
)
"""Names of secrets, and how many edits away a word still means one: `server` is two from `secret`."""
_OTHER_WORDS = frozenset({"taken", "broken", "secret", "secrets", "tokens"})
"""What is near such a name and is none; `secret` itself is one or not by the word after it."""
# user:password@host, encoded blobs that may hold a whole file, and the body of a PEM key
_IN_URL = lazy_regex(r"://[^/\s:@]*+:")
_WORD_END = lazy_regex(r"\s|\Z")
_BLOB = lazy_regex(r"[A-Za-z0-9+/_-]{40,}+={0,2}")
# what is that long without being one: names and paths of ordinary words
_WORDS = lazy_regex(
    r"[/_-]*+(?:(?:(?:[A-Z][a-z]{3,20}){2,4}|k8s|(?:k8s)?+[A-Z]?[a-z]{1,20}|[A-Z]{1,20})[0-9]{0,4}(?:[/_-]++|\Z))*+"
)
_PEM = lazy_regex(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*+")
_BLANKS = lazy_regex(r"[ \t]*+")
_ALONE = re.compile(r"[ \t\r]*+(?:\n[ \t\r]*+)++[^\s\[#;=:][^\n=:]*+(?=\n|\Z)")
_TRIM = " \t\r\"'`,}"
_SHORTEST = 4
"""Code points of a secret that is looked for in messages; a shorter one would mask half of every sentence."""
_LONG_ENOUGH = 8
"""Code points of a secret that no ordinary word of a message holds."""
_CUT = 200
"""Code points of a secret that are looked for; what quotes a longer one is masked from there to its end."""
_MOST_WORDS = 1_000
_SEARCHED = 200_000
"""Code points of a text that is searched for its secrets again; no cloud.conf has as many."""
_QUOTED = lazy_regex(r"([\s`\"'<>]+)")
_MOST_NAMES = 2_000
_NUL = "\0"
_SWITCHES = frozenset({"true", "false", "null", "none"})
"""What stands after a name such as `automountServiceAccountToken`, and in every other sentence."""


def is_secret_name(name: str) -> bool:
    """Whether a key, option or variable of this name holds a secret, in any spelling of its separators."""
    return _AFTER_NAME.search(name + "=") is not None or _is_misspelt(name)


def secret_spans(text: str) -> list[Span]:
    """Find every place of a text that may hold a secret.

    Args:
        text: Any text, broken or not.

    Returns:
        Sorted spans without overlaps.
    """
    if _NUL in text:  # UTF-16 read as UTF-8, or one inside a name: people see the letters all the same
        kept = [index for index, sign in enumerate(text) if sign != _NUL]
        return _merged(
            [Span(kept[start], kept[end - 1] + 1) for start, end in _spans_without_nul(text.replace(_NUL, ""))]
        )
    return _spans_without_nul(text)


def _spans_without_nul(text: str) -> list[Span]:
    found = list(_values_after(_AFTER_NAME.finditer(text), text))
    seen: set[str] = set()
    found.extend(_values_after((match for match in _KEY.finditer(text) if _may_be_misspelt(match[1], seen)), text))
    found.extend(_in_addresses(text))
    found.extend(Span(*match.span()) for match in _BLOB.finditer(text) if not _WORDS.fullmatch(match[0]))
    found.extend(Span(*match.span()) for match in _PEM.finditer(text))
    return _merged([span for span in found if span.end > span.start])


def quotes_no_secret(words: str) -> bool:
    """Whether what a rule quotes, between backticks in words of its own, is too short to be a secret."""
    return all(len(quoted) < _SHORTEST for quoted in words.split("`")[1::2])


class Masker:
    """Masks the secrets of one text, in its lines and in what is said about it.

    Args:
        text: The text of one layer.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _named(self) -> list[Span]:
        return secret_spans(self.text)

    @cached_property
    def spans(self) -> list[Span]:
        """Where the secrets are (see `secret_spans`), and where they stand again, under another name."""
        if not self._words or len(self._words) > _MOST_WORDS or len(self.text) > _SEARCHED:
            return self._named
        again = (Span(*match.span()) for match in self._pattern.finditer(self.text) if len(match[0]) >= _LONG_ENOUGH)
        return _merged([*self._named, *again])

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for span in self._named for word in _spellings(self.text[span.start : span.end]))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        ordered = sorted(self._words, key=len, reverse=True)
        return re.compile("|".join(map(_as_pattern, ordered)), re.IGNORECASE | re.DOTALL)

    def scrub(self, message: str) -> str:
        """Mask every secret of the text that a message quotes, also one that a reader cut short or lower-cased."""
        if not message or not self._words:
            return message
        if len(self._words) <= _MOST_WORDS:
            return self._pattern.sub(MASK, message) if self._may_be_in(message) else message
        # no cloud.conf has so many; word by word is coarser, and no pattern as long as the file is made
        folded = frozenset(word.lower() for word in self._words)
        parts = _QUOTED.split(message)
        return "".join(MASK if part.lower() in folded else part for part in parts)

    def _may_be_in(self, message: str) -> bool:
        """Whether any secret may stand in a message; the pattern, which takes long to make, tells for sure."""
        if not message.isascii():
            return True
        lowered = message.lower()
        return any(not word.isascii() or word[:_CUT].lower() in lowered for word in self._words)

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


@lru_cache(maxsize=1024)
def _is_misspelt(name: str) -> bool:
    """Whether a name is meant to be that of a secret: people also misspell the keys whose values must not be seen."""
    parts = [part.lower() for part in _PART.findall(name)]
    words = {*parts, "".join(parts)} - _OTHER_WORDS
    return any(
        len(letters - letters_of) <= limit and distance(word, meant, limit) <= limit
        for word in words
        for letters_of in (frozenset(word),)
        for meant, limit, letters in _MISSPELT_LETTERS
        if abs(len(word) - len(meant)) <= limit
    )


_MISSPELT_LETTERS = tuple((meant, limit, frozenset(meant)) for meant, limit in _MISSPELT)


def _may_be_misspelt(name: str, seen: set[str]) -> bool:
    """See `_is_misspelt`; a text with more names than any cloud.conf has is not worth the time, so all count."""
    seen.add(name)
    return len(seen) > _MOST_NAMES or _is_misspelt(name)


def _values_after(names: Iterable[re.Match[str]], text: str) -> Iterator[Span]:
    """The value after each name; what is a word of the value before, whose quotes are not this one's, is none."""
    end = 0
    for match in names:
        if match.start() >= end:
            value = _value_at(text, match.end())
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


def _spellings(raw: str) -> Iterator[str]:
    """The texts by which a message may quote a secret: as written, unquoted, or cut at a comment sign.

    Shorter than four characters they would mask half of every sentence; rules do not quote values of secret keys.
    """
    trimmed = raw.strip(_TRIM)
    unquoted = raw.replace('"', "").strip(_TRIM)
    parts = {trimmed, unquoted, unquoted.replace("\\", "")}
    for text in (trimmed, unquoted):
        parts.update(part.strip(_TRIM) for part in re.split(r"[#;\n]", text))
    return (part for part in parts if len(part) >= _SHORTEST and part.lower() not in _SWITCHES)


def _as_pattern(word: str) -> str:
    """A secret in a message: anywhere, but a short one only as a word, since `pass` is in `password`, too."""
    if len(word) > _CUT:
        return re.escape(word[:_CUT]) + ".*"  # with all that follows, so that no pattern is as long as a file
    found = re.escape(word)
    return found if len(word) >= _LONG_ENOUGH else rf"(?<![A-Za-z0-9]){found}(?![A-Za-z0-9])"


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
