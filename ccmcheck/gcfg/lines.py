"""The fast path: plain lines, which nearly all lines are, parsed with one regular expression.

A plain line is blank, a comment, a key, or a key with a value; quoted parts, escapes and continuations included. What
the expressions do not match goes to `ccmcheck.gcfg.error_recovery`, which finds the error, if there is one.

Every repetition of one character is possessive and every repeated group is bounded, so no text makes them slow, and
none relies on possessive groups, which Python 3.11 got wrong before 3.11.5.

The tokens and entries of a parsed text, with their offsets, so that an edit can be exact.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple

NEWEST = "v1.2.3"
"""The release of gcfg that cloud-provider-openstack has used since 1.12."""


ESCAPED_QUOTE_SINCE = "v1.2.2"
"""The release of gcfg that accepts ``\\"`` outside quotes."""


class Token(NamedTuple):
    """A piece of the text.

    Attributes:
        kind: ``blank``, ``newline``, ``comment``, ``bracket``, ``section``, ``subsection``, ``key``, ``equals``,
            ``value``, or ``other`` for what gcfg cannot read.
        start: Offset of its first code point.
        end: Offset after its last.
    """

    kind: str
    start: int
    end: int


class Variable(NamedTuple):
    r"""One variable: ``key = value``, or a bare ``key``.

    Attributes:
        key: As written.
        value: What gcfg makes of the text after ``=``: quotes removed, escapes and continuations resolved; None for a
            bare key.
        quoted: Whether the raw value holds a double quote.
        sound: False where its line has an error; then key and value are recovered from it.
        key_start: Offset of the key.
        key_end: Offset after the key.
        value_start: Offset of the raw value, -1 for a bare key.
        value_end: Offset after the raw value, -1 for a bare key.
        comment_start: Offset of ``#`` or ``;``, -1 without a comment.
        end: Offset of the end of its logical line, before the line's end (``\n`` or ``\r\n``).
    """

    key: str
    value: str | None
    quoted: bool
    sound: bool
    key_start: int
    key_end: int
    value_start: int
    value_end: int
    comment_start: int
    end: int

    @property
    def key_span(self) -> Span:
        """Where the key is."""
        return Span(self.key_start, self.key_end)

    @property
    def value_span(self) -> Span | None:
        """Where the raw value is, quotes included and trimmed; empty and right after ``=`` if there is none.

        None for a bare key.
        """
        return Span(self.value_start, self.value_end) if self.value is not None else None


UNREADABLE = "\\x00\\ud800-\\udfff"
"""Characters that are an error anywhere: NUL, and what was not UTF-8 (as lone surrogates)."""


BLANKS = "[ \\t\\r]*+"
"""gcfg knows no other white space."""


_ASCII_NAME = "[A-Za-z][A-Za-z0-9-]*+"


# \w knows more numerals than gcfg; only for texts that have none of those
_ANY_NAME = "[^\\W\\d_][^\\W_]*+(?:-++[^\\W_]*+){0,50}"


MOST_LINES = 500
"""How many lines one match takes at most."""


# below this size a line with a name in another script may take the slow path
_MANY_LINES = 1 << 16


class PlainExpressions(NamedTuple):
    """The expressions for one kind of text.

    Attributes:
        lines: Up to `MOST_LINES` plain lines, and the blank lines after them.
        preamble: The same without keys: what may stand before the first header.
        header: A header without errors: 1 the brackets, 2 the name, 3 the subsection in quotes, 4 the end of the line.
    """

    lines: re.Pattern[str]
    preamble: re.Pattern[str]
    header: re.Pattern[str]


@lru_cache(maxsize=4)
def _plain(name: str, unreadable: str) -> PlainExpressions:
    text = f'[^\\n#;"\\\\{unreadable}]'
    comment = f"[#;][^\\n{unreadable}]*+"
    key = f"{name}{BLANKS}(?:={BLANKS}{text}*+(?:{_more(text, unreadable)})?)?(?:{comment})?"
    subsection = f'"[^"\\\\\\n{unreadable}]++"'
    return PlainExpressions(
        lazy_regex(f"(?:[ \\t\\r\\n]*+(?:{key}|{comment})(?:\\n|\\Z)){{0,{MOST_LINES}}}[ \\t\\r\\n]*+"),
        lazy_regex(f"(?:[ \\t\\r\\n]*+{comment}(?:\\n|\\Z)){{0,{MOST_LINES}}}[ \\t\\r\\n]*+"),
        lazy_regex(
            f"{BLANKS}(\\[{BLANKS}({name}){BLANKS}(?:({subsection}){BLANKS})?\\]){BLANKS}(?:{comment})?()(?:\\n|\\Z)"
        ),
    )


def _more(text: str, unreadable: str) -> str:
    """A value from its first quote or backslash on."""
    quoted = f'"[^"\\\\\\n{unreadable}]*+(?:\\\\[\\\\"nt][^"\\\\\\n{unreadable}]*+){{0,50}}"'
    return f'(?:{quoted}|\\\\\\r?[\\n"]|{text}++){{1,50}}'


_USUAL = _plain(_ASCII_NAME, "")


# for lines that are known to be plain, so it need not check them again
_TEXT = '[^\\n#;"\\\\]'


_SKIPPED = "(?:[ \\t\\r\\n]*+[#;][^\\n]*+\\n){0,500}[ \\t\\r\\n]*+"


_REST = f"(?:{_more(_TEXT, '')})?"


_LINE = lazy_regex(
    f"{_SKIPPED}(?:([^ \\t\\r\\n=#;]++){BLANKS}(?:(=){BLANKS}({_TEXT}*+)({_REST}))?)?([#;][^\\n]*+)?()(?:\\n|\\Z)"
)


def plain(text: str) -> PlainExpressions:
    """The expressions that find the plain lines of a text.

    The usual ones see neither unreadable characters nor names in other scripts. Few texts have the first, and few lines
    the second, so the others are compiled when they are needed.
    """
    if text.isascii():
        return _USUAL if "\0" not in text else _plain(_ASCII_NAME, UNREADABLE)
    if len(text) < _MANY_LINES:
        return _plain(_ASCII_NAME, UNREADABLE) if unreadable().search(text) else _USUAL
    from ccmcheck.gcfg.letters import is_unlike_python

    return _plain(_ASCII_NAME if any(map(is_unlike_python, set(text))) else _ANY_NAME, UNREADABLE)


@lru_cache(maxsize=1)
def unreadable() -> re.Pattern[str]:
    """One character that is an error anywhere."""
    return re.compile(f"[{UNREADABLE}]")


def unquote(raw: str) -> str:
    r"""The value of a raw text: carriage returns and quotes removed, escapes and continuations resolved.

    Valid escapes mean the same inside quotes and outside, so no state is needed: a backslash before a line end can only
    be outside, one before ``n``, ``t`` or a backslash only inside.

    Args:
        raw: Text that gcfg's scanner accepts.

    Returns:
        The value.
    """
    if "\r" in raw:
        raw = raw.replace("\r", "")
    if "\\" not in raw:
        return raw.replace('"', "")
    # the scanner accepts no NUL, so one can mark what must not be replaced again
    return (
        raw.replace("\\\\", "\0b")
        .replace('\\"', "\0q")
        .replace("\\\n", "")
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace('"', "")
        .replace("\0b", "\\")
        .replace("\0q", '"')
    )


@lru_cache(maxsize=1)
def _names() -> re.Pattern[str]:
    return re.compile(
        f"{_SKIPPED}(?:([^ \\t\\r\\n=#;]++){BLANKS}(?:={BLANKS}{_TEXT}*+{_REST})?)?(?:[#;][^\\n]*+)?(?:\\n|\\Z)"
    )


def plain_names(text: str, start: int, end: int) -> dict[str, None]:
    """The names of the keys in a range of plain lines, each once, in the order of their first appearance."""
    names = dict.fromkeys(_names().findall(text, start, end))
    names.pop("", None)  # of blank lines and comments
    return names


def plain_entries(text: str, start: int, end: int, names: Collection[str] | None = None) -> list[Variable]:
    """The entries of a range of plain lines.

    Args:
        text: The whole text.
        start: Where the range starts.
        end: Where it ends; every line in it is plain.
        names: Only keys of these names, as they are written; all if None.

    Returns:
        One entry per key.
    """
    entries: list[Variable] = []
    add = entries.append
    returns = text.find("\r", start, end) >= 0
    for match in _LINE.finditer(text, start, end):
        key, equals, raw, more, _, _ = match.groups()
        if key is None or (names is not None and key not in names):
            continue
        key_start, key_end = match.span(1)
        value = None
        quoted = False
        value_start = value_end = -1
        stop = match.start(6)
        if returns and text.startswith("\r\n", stop - 1):
            stop -= 1
        if equals is not None:
            value_start = match.start(3)
            if more:
                raw = (raw + more).rstrip(" \t\r")
                value = unquote(raw)
                quoted = '"' in raw
                value_end = value_start + len(raw)
            else:
                value = raw.rstrip(" \t\r")
                value_end = value_start + len(value)
                value = value.replace("\r", "") if returns else value
                value_start, value_end = (value_start, value_end) if value_end > value_start else (match.end(2),) * 2
        add(Variable(key, value, quoted, True, key_start, key_end, value_start, value_end, match.start(5), stop))
    return entries
