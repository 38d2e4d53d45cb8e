"""A text cut into tokens that join to the text again."""

from __future__ import annotations

from ccmcheck.gcfg.parser import parse
from ccmcheck.gcfg.sections import Section
from ccmcheck.gcfg.syntax import Entry, Token
from ccmcheck.patterns import lazily

_GAP = lazily(
    "(?P<newline>\\r?\\n)|(?P<blank>[ \\t]++|\\r)|(?P<comment>[#;][^\\n]*+)|(?P<equals>=)|(?P<other>[^ \\t\\r\\n#;=]++)"
)


def tokenize(text: str) -> list[Token]:
    """Cut a text into tokens.

    Args:
        text: Any text.

    Returns:
        Tokens in file order, without a gap and without an overlap: joined they give the text.
    """
    tokens: list[Token] = []
    position = 0
    for section in parse(text).sections:
        for token in _header(section):
            _gap(text, position, token.start, tokens)
            tokens.append(token)
            position = token.end
        for entry in section.entries:
            for token in _variable(entry):
                _gap(text, position, token.start, tokens)
                tokens.append(token)
                position = token.end
    _gap(text, position, len(text), tokens)
    return tokens


def _header(section: Section) -> list[Token]:
    start, end = section.span
    if not section.sound:
        return [Token("other", start, end)]
    tokens = [Token("bracket", start, start + 1), Token("section", *section.name_span)]
    if section.subsection_span is not None:
        tokens.append(Token("subsection", *section.subsection_span))
    tokens.append(Token("bracket", end - 1, end))
    return tokens


def _variable(entry: Entry) -> list[Token]:
    tokens = [Token("key", *entry.key_span)]
    if entry.value_start < entry.value_end:
        tokens.append(Token("value", entry.value_start, entry.value_end))
    if entry.comment_start >= 0:
        tokens.append(Token("comment", entry.comment_start, entry.end))
    return tokens


def _gap(text: str, start: int, end: int, tokens: list[Token]) -> None:
    for match in _GAP.finditer(text, start, end):
        kind = match.lastgroup or "other"
        first, last = match.span()
        if kind == "comment" and text.startswith("\r\n", last - 1):
            tokens.append(Token(kind, first, last - 1))
            tokens.append(Token("newline", last - 1, last + 1))
        elif kind == "newline" and tokens and tokens[-1].end > first:
            continue
        else:
            tokens.append(Token(kind, first, last))
