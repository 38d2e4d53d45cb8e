"""Masks one text: its lines as they may be shown, and what is said about it.

What must not be shown of a text, line by line; see `ccmcheck.redact.line_scan` for what a line hides.
"""

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from io import StringIO

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.catalog.schemas import SECRET_KEYS
from ccmcheck.redact import MASK, names
from ccmcheck.redact.line_scan import LineScan
from ccmcheck.redact.matcher import LONG_ENOUGH, SHORTEST, Matcher
from ccmcheck.redact.names import is_secret_name
from ccmcheck.redact.run_secrets import hide, hide_variables, joined, run_secrets
from ccmcheck.redact.secrets import defaults, merged, secret_spans
from ccmcheck.redact.values import enum_words, hidden_in_prose, hidden_parts, is_harmless, named_secret

_ASSIGNMENT = lazy_regex(r"[ \t]*([A-Za-z][A-Za-z0-9_-]{0,127})[ \t]*=[ \t]*([A-Za-z0-9_./+-]{1,39})[ \t\r]*")
"""The usual line of a cloud.conf: no quotes, no comment, and no room for a mark, an address or an encoded text."""
_TEXTS_REMEMBERED = 1_000
"""Different lines of one text that are remembered."""


def hidden_spans(text: str) -> list[Span]:
    """Find what must not be shown of a text, line by line.

    Args:
        text: A cloud.conf, a manifest or any other file.

    Returns:
        Sorted spans without overlaps, none over more than one line.
    """
    return HiddenSpans(text).until(len(text))


class HiddenSpans:
    """What must not be shown of a text, found as far as it is asked for: few lines of a long text are shown.

    Args:
        text: As for `hidden_spans`.
    """

    def __init__(self, text: str) -> None:
        self._lines = _lines(text)
        self._found: list[Span] = []
        self._end = -1

    def until(self, end: int) -> list[Span]:
        """The spans of all lines that begin before an offset, and of some behind it: sorted, without overlaps."""
        while self._end < end:
            line = next(self._lines, None)
            if line is None:
                break
            self._end, spans = line
            self._found += spans
        return self._found


def hidden_starts(text: str) -> Iterator[str]:
    """The hidden parts that begin a line, in no order: as a rule once for all lines that are the same.

    Args:
        text: As for `hidden_spans`.
    """
    starts = _starts_of_lines_alone(text)
    if starts is not None:
        yield from starts
        return
    for start, end in hidden_spans(text):
        if _begins_line(text[text.rfind("\n", 0, start) + 1 : start]):
            yield text[start:end]


def _begins_line(before: str) -> bool:
    return not before.strip(" \t[")


def _lines(text: str) -> Iterator[tuple[int, list[Span]]]:
    """Where each line ends, and what it hides."""
    plain = names.is_plain(text)
    scan = LineScan(plain=plain)
    start = 0
    known: dict[str, tuple[tuple[int, int], ...]] = {}
    depends = False
    for line in text.split("\n"):
        # nothing around a line counts where no YAML was seen, and the same line hides the same
        parts = known.get(line) if not depends else None
        if parts is None and not depends and plain:
            parts = _of_assignment(line)
        if parts is None:
            before = depends
            parts = tuple(scan.of_line(line)) if line and not line.isspace() else ()
            depends = scan.depends
            if not (before or depends) and len(known) < _TEXTS_REMEMBERED:
                known[line] = parts
        yield start + len(line), [Span(start + low, start + high) for low, high in parts]
        start += len(line) + 1


def _starts_of_lines_alone(text: str) -> list[str] | None:
    """The hidden parts that begin a line; None where what a line hides depends on those before it."""
    plain = names.is_plain(text)
    scan = LineScan(plain=plain)
    found: list[str] = []
    for ended in dict.fromkeys(StringIO(text, newline="\n")):
        line = ended.removesuffix("\n")
        if plain and _ASSIGNMENT.fullmatch(line):
            continue  # it begins with its key
        parts = tuple(scan.of_line(line))
        if scan.depends:
            return None
        found += [line[start:end] for start, end in parts if _begins_line(line[:start])]
    return found


def _of_assignment(line: str) -> tuple[tuple[int, int], ...] | None:
    """The hidden parts of a plain line with ``key = value`` where nothing around it counts; None for any other line.

    It is what `LineScan` finds, at a fraction of the time: a cloud.conf has hardly any other lines.
    """
    match = _ASSIGNMENT.fullmatch(line)
    if match is None:
        return None
    key, value = match.groups()
    if is_secret_name(key) or not (
        names.is_conf_key(key) or key in names.CCM_FLAGS or names.is_public_variable(key) or is_harmless(value)
    ):
        return (match.span(2),)
    return ()


_TRIM = " \t\r\"'`,}])"
_QUOTED = lazy_regex(r"`([^`\n]+)`|\"((?:[^\"\\\n]|\\.)+)\"|“([^”\n]+)”")
_ESCAPED = lazy_regex(r"\\([\"\\])")
_FIRST_QUOTED = lazy_regex(r"""["']([^"'\n]+)["']""")
_FILE = lazy_regex(r"([^\s:=]{1,4096}\.(?:ya?ml|json|conf|ini|toml|j2|tmpl|tpl|tf|sh|env|key|md))((?::[0-9]{1,9})*+: )")
_SPELT_ONE_WAY = lazy_regex(r"""[^\s"'`,})\]\\#;=]*+""")
"""A secret that is quoted as it is written: nothing in it is cut off, left out or resolved."""
_SWITCHES = frozenset({"true", "false", "null", "none", "password", "secret", "token"})
_PART = 6
"""Code points of a quoted part of a secret that is hidden; fewer may stand in one by chance."""
_FEW_SEARCHES = 20
"""Quoted values that a text is searched for, and places of one; looking through all lines pays for more of them."""
_ROUNDS = 2
"""How often a message is scrubbed: a secret may hold the quotation marks of another, or end where a short one does."""
_REMEMBERED = 8
"""Texts whose secrets are remembered: a command makes several maskers of the same few."""
_VALUES = 1_000
"""Values of which it is remembered what they hide: most configurations have the same few."""
_SEARCHED = 200_000
"""Code points of a text that is searched for its secrets again; no cloud.conf has as many."""


def quotes_no_secret(words: str) -> bool:
    """Whether what a rule quotes, between backticks in words of its own, is too short to be a secret."""
    return all(len(quoted) < SHORTEST for quoted in words.split("`")[1::2])


class _Scrubber(ABC):
    """Masks what is said about texts.

    Args:
        text: What is searched for what messages quote.
        others: Secrets of other texts.
    """

    def __init__(self, text: str, others: frozenset[str]) -> None:
        self.text = text
        self.others = others

    @property
    @abstractmethod
    def secret_words(self) -> Iterable[str]:
        """The secrets of the texts in the spellings by which a message may quote them."""

    @property
    @abstractmethod
    def unknown_values(self) -> frozenset[str]:
        """The values that no line shows, in lower case; a message may quote them whole."""

    @property
    @abstractmethod
    def first_words(self) -> frozenset[str]:
        """The first words of lines that are not shown, in lower case; a reader may take them for names."""

    def is_unknown(self, value: str) -> bool:
        """Whether it is one of them."""
        return value in self.unknown_values

    @cached_property
    def _matchers(self) -> list[Matcher]:
        own = Matcher(word for word in self.secret_words if not _is_known(word))
        return [matcher for matcher in (own, _unknown_of(self.others)) if matcher]

    def _known_secrets(self, text: str, shortest: int = SHORTEST) -> list[Span]:
        """Where a text has secrets, those of other texts among them: one may be a part of another."""
        return [Span(*place) for matcher in self._matchers for place in matcher.finditer(text, shortest)]

    def scrub(self, message: str) -> str:
        """Mask every secret of the text that a message quotes, also one that a reader cut short or lower-cased."""
        if not message:  # what would be looked for is worked out for the first message that has a word
            return message
        for _ in range(_ROUNDS):
            spans = [*self._known_secrets(message), *self._hidden_quotes(message)]
            if not spans:
                break
            message = _without(message, merged(spans))
        return message

    def name(self, name: str) -> str:
        """The name of a section or key as it may be said: a line without ``=`` that nobody knows may be a value."""
        words = name.lower().split()
        return MASK if words and words[0] in self.first_words else self.scrub(name)

    def _hidden_quotes(self, message: str) -> Iterator[Span]:
        """What a message quotes that no line of the text shows."""
        for match in _QUOTED.finditer(message):
            start, end = match.span(match.lastindex or 0)
            inner = message[start:end]
            key, separator, rest = inner.partition("=")
            value = rest.strip(_TRIM)
            if self._hides(inner) or hidden_in_prose(inner):
                yield Span(start, end)
            elif separator and self._hides(value):
                start += len(key) + 1 + rest.index(value)
                yield Span(start, start + len(value))
            elif (named := named_secret(inner)) is not None and inner.lower() in self._lowered:
                yield Span(start + named[0], end)

    def _hides(self, quoted: str) -> bool:
        """Whether no line shows a value; the lines are looked through only where the text has it at all."""
        folded = quoted.lower()
        if len(folded) < SHORTEST:
            return False
        answers = self._answers
        if len(folded) >= _PART and folded in self._all_secrets and not _is_known(folded):
            return True
        if folded not in answers:
            if len(answers) >= _FEW_SEARCHES:  # a search costs as much as the text is long
                return folded in self.unknown_values
            answers[folded] = folded in self._lowered and self.is_unknown(folded)
        return answers[folded]

    @cached_property
    def _answers(self) -> dict[str, bool]:
        """Whether no line shows a value, for the first few that messages quoted."""
        return {}

    @cached_property
    def _all_secrets(self) -> str:
        """The secrets, to look for parts of them: a reader quotes what is left of a value behind its number."""
        return "\n".join((*self.secret_words, *self.others)).lower()

    @cached_property
    def _lowered(self) -> str:
        return self.text.lower()


class Masker(_Scrubber):
    """Masks the secrets of one text, in its lines and in what is said about it.

    Args:
        text: The text of one layer.
        others: Secrets of other texts, which this one may have a copy of.
    """

    def __init__(self, text: str, others: frozenset[str] = frozenset()) -> None:
        super().__init__(text, joined(run_secrets(), others))

    @cached_property
    def secrets(self) -> tuple[Span, ...]:
        """Where the values of secret keys are, see `ccmcheck.redact.secrets`."""
        return _secrets_of(self.text)

    @property
    def has_secrets(self) -> bool:
        """Whether `scrub` may have to hide anything but what a message quotes whole."""
        return bool(self.secrets or self.others)

    @property
    def spans(self) -> list[Span]:
        """What no shown line may contain: all that is not known to be harmless, and secrets wherever they are."""
        return self._spans(0, len(self.text))

    def _spans(self, start: int, end: int) -> list[Span]:
        """Those of a part of the text."""
        found = (self.secrets, self._hidden.until(end), self._again)
        return merged([span for spans in found for span in _over(spans, start, end)])

    @cached_property
    def _again(self) -> list[Span]:
        """Where the secrets stand once more."""
        return merged(self._known_secrets(self.text, LONG_ENOUGH)) if len(self.text) <= _SEARCHED else []

    @cached_property
    def _hidden(self) -> HiddenSpans:
        """What no line shows, see `ccmcheck.redact.masker`."""
        return HiddenSpans(self.text)

    @cached_property
    def secret_words(self) -> frozenset[str]:
        """See `_Scrubber`."""
        return _words_of(self.text)

    @cached_property
    def unknown_values(self) -> frozenset[str]:
        """The values that no line shows; a message may quote them whole."""
        spans = self._hidden.until(len(self.text))
        return frozenset(value for span in spans if (value := self._unknown(span)))

    def _unknown(self, span: Span) -> str:
        """The value that a line hides in lower case; empty where a message may quote it all the same."""
        value = self.text[span.start : span.end].strip(_TRIM)
        return value.lower() if len(value) >= SHORTEST and not _is_known(value) else ""

    def is_unknown(self, value: str) -> bool:
        """See `_Scrubber`; the lines up to where the text has the value are looked through."""
        lowered = self._lowered
        if len(lowered) != len(self.text) or lowered.count(value) > _FEW_SEARCHES:
            return value in self.unknown_values
        at = lowered.find(value)
        while at >= 0:
            if any(self._unknown(span) == value for span in _over(self._hidden.until(at), at, at + 1)):
                return True
            at = lowered.find(value, at + 1)
        return False

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The first words of hidden lines, without brackets: a reader takes them for names of keys and sections."""
        found: set[str] = set()
        for hidden in hidden_starts(self.text):
            if words := hidden.lower().replace("]", " ").split():
                word = words[0].strip('["\\')
                found.update((word, word.partition("=")[0].rstrip(":")))
        return frozenset(word for word in found if not _is_known(word))

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
        for low, high, text in (*self.pieces(start, end), (end, end, "")):
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

    def pieces(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """A part of the text in pieces: start, end, and what to show of each."""
        at = start
        for span in self._spans(start, end):
            low, high = max(span.start, start), min(span.end, end)
            if low > at:
                yield at, low, self.text[at:low]
            yield low, high, MASK
            at = high
        if at < end:
            yield at, end, self.text[at:end]


class JointMasker(_Scrubber):
    """Masks the secrets of several texts in what is said about them, in the time that one text takes.

    Args:
        maskers: Those of the texts.
    """

    def __init__(self, maskers: Sequence[Masker]) -> None:
        text = "\n".join(masker.text for masker in maskers)
        super().__init__(text, frozenset().union(*{masker.others for masker in maskers}))
        self._maskers = maskers

    @cached_property
    def secret_words(self) -> frozenset[str]:
        """See `_Scrubber`."""
        return frozenset().union(*(masker.secret_words for masker in self._maskers))

    @cached_property
    def unknown_values(self) -> frozenset[str]:
        """See `_Scrubber`."""
        return frozenset().union(*(masker.unknown_values for masker in self._maskers))

    @cached_property
    def first_words(self) -> frozenset[str]:
        """See `_Scrubber`."""
        return frozenset().union(*(masker.first_words for masker in self._maskers))


def _over(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Those of sorted spans that have a character in a range."""
    if start >= end:
        return ()
    first = bisect_right(spans, (start, sys.maxsize))
    if first and spans[first - 1].end > start:
        first -= 1
    return spans[first : bisect_left(spans, (end,))]


@lru_cache(maxsize=_REMEMBERED)
def _secrets_of(text: str) -> tuple[Span, ...]:
    return tuple(secret_spans(text))


@lru_cache(maxsize=_REMEMBERED)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(word for span in _secrets_of(text) for word in _spellings(text[span.start : span.end]))


def mask_file_text(text: str) -> str:
    """The text of a file with everything hidden that is not known to be harmless, for differences and patches."""
    masker = Masker(text)
    return "".join(piece for _, _, piece in masker.pieces(0, len(text)))


def mask_text(text: str) -> str:
    """A sentence without the secrets in it: credentials of URLs, values of secret names, encoded texts."""
    prose = "\n" not in text
    spans = [*secret_spans(text, prose=prose), *(Span(*place) for place in hidden_in_prose(text))]
    return _mask(text, merged(spans))


def mask_message(message: str) -> str:
    """The same of one of our messages: a file that it begins with, such as ``secret.yaml:``, is no name of a secret."""
    file = _FILE.match(message)
    if file is None:
        return mask_text(message)
    return f"{mask_text(file[1])}{file[2]}{mask_text(message[file.end() :])}"


def mask_value(value: str) -> str:
    """The value of a public key without userinfo and query of a URL, and without secrets of the run."""
    return _mask(value, _places_in_value(value))


@lru_cache(maxsize=_VALUES)
def _places_in_value(value: str) -> list[Span]:
    return merged([*secret_spans(value), *(Span(*place) for place in hidden_parts(value))])


def _mask(text: str, places: list[Span]) -> str:
    shown = _without(text, places)
    run = run_secrets()
    return _without(shown, _matcher_of(run).finditer(shown)) if run else shown


@lru_cache(maxsize=_REMEMBERED)
def _matcher_of(words: frozenset[str]) -> Matcher:
    return Matcher(words)


@lru_cache(maxsize=_REMEMBERED)
def _unknown_of(words: frozenset[str]) -> Matcher:
    return Matcher(word for word in words if not _is_known(word))


def _without(text: str, places: Iterable[tuple[int, int]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in places:
        pieces += (text[at:start], MASK)
        at = end
    return "".join([*pieces, text[at:]])


def _spellings(raw: str) -> Iterator[str]:
    """The texts by which a message may quote a secret: as written, unquoted, or cut at a comment sign."""
    if _SPELT_ONE_WAY.fullmatch(raw):
        return iter((raw,) if len(raw) >= SHORTEST else ())
    trimmed = raw.strip(_TRIM)
    unquoted = raw.replace('"', "").strip(_TRIM)
    parts = {trimmed, unquoted, unquoted.replace("\\", ""), _ESCAPED.sub(r"\1", trimmed), *defaults(raw)}
    first = _FIRST_QUOTED.search(raw)
    if first is not None and ("{{" not in first[1] or "}}" in first[1]):  # quotes in a template mark are its own
        parts.add(first[1])
    for text in (trimmed, unquoted):
        parts.update(part.strip(_TRIM) for part in re.split(r"[#;\n]", text))
    # a reader takes all before the first `=` of a line for a key, also of a base64 text
    parts |= {part.rstrip("=") for part in parts}
    parts |= {line.partition("=")[0].strip(_TRIM) for line in unquoted.split("\n")[1:]}
    return (part for part in parts if len(part) >= SHORTEST)


def _is_known(word: str) -> bool:
    """Whether a secret is a word that everybody knows, and that messages need: a key, a section, a switch."""
    folded = word.lower()
    return (
        folded in _SWITCHES
        or folded in enum_words()
        or folded.replace("_", "-") in SECRET_KEYS
        or names.is_known_name(word)
        or folded in names.known_sections()
    )


__all__ = [
    "MASK", "JointMasker", "Masker", "hide", "hide_variables", "is_secret_name", "mask_file_text",
    "mask_message", "mask_text", "quotes_no_secret", "secret_spans",
]  # fmt: skip
