"""The INI dialect that cloud.conf is written in, as the Go library gcfg reads it; it knows nothing of the CCM.

`parse` returns sections, entries and every error in gcfg's own words; `tokenize` splits a text into tokens, `comments`
finds the comments among them; `ccmcheck.gcfg.values` parses values by their Go types.
"""

from collections.abc import Iterator

from ccmcheck.base.model import Span
from ccmcheck.gcfg.errors import STOP_KINDS
from ccmcheck.gcfg.lines import Token, Variable
from ccmcheck.gcfg.parser import parse
from ccmcheck.gcfg.sections import Document, Section

__all__ = ["STOP_KINDS", "Document", "Section", "Token", "Variable", "comments", "parse", "tokenize"]


def tokenize(text: str) -> list[Token]:
    """Split a text into tokens; see `ccmcheck.gcfg.tokens.tokenize`."""
    from ccmcheck.gcfg.tokens import tokenize as split_tokens

    return split_tokens(text)


def comments(document: Document) -> Iterator[Span]:
    """Find the comments of a parsed text; see `ccmcheck.gcfg.tokens.comments`."""
    from ccmcheck.gcfg.tokens import comments as find_comments

    return find_comments(document)
