"""The INI dialect that cloud.conf is written in, as the Go library gcfg reads it; it knows nothing of the CCM.

`parse` gives sections, entries and every error with gcfg's own words; `tokenize` cuts a text into pieces that join to
it again, `comments` finds the comments among them; `ccmcheck.gcfg.values` makes values of texts.
"""

from collections.abc import Iterator

from ccmcheck.base.model import Span
from ccmcheck.gcfg.errors import STOP_KINDS
from ccmcheck.gcfg.parser import parse
from ccmcheck.gcfg.sections import Document, Section
from ccmcheck.gcfg.syntax import Entry, Token

__all__ = ["STOP_KINDS", "Document", "Entry", "Section", "Token", "comments", "parse", "tokenize"]


def tokenize(text: str) -> list[Token]:
    """Cut a text into tokens that join to it again; see `ccmcheck.gcfg.tokens.tokenize`."""
    from ccmcheck.gcfg.tokens import tokenize as cut

    return cut(text)


def comments(document: Document) -> Iterator[Span]:
    """Find the comments of a parsed text; see `ccmcheck.gcfg.tokens.comments`."""
    from ccmcheck.gcfg.tokens import comments as found

    return found(document)
