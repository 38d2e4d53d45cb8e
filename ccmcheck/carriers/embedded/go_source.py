"""Go: raw strings, which are between backquotes, with a cloud.conf or a template of one, also within YAML."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.carriers.kubernetes_object import consumers_of
from ccmcheck.catalog.signs.forms import is_ini
from ccmcheck.layers.slice import Slice

_TOKEN = lazy_regex(
    r"[^\"'`/]++|(?P<raw>`[^`]*+`)|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|[`/]"
)
"""A string that is not closed ends with its line, and such a comment with the file."""
_FUNCTION = lazy_regex(r"\bfunc[ \t]++(?:\([^()\n]*+\)[ \t]*+)?(?P<name>\w++)")
_JOIN = lazy_regex(r"\s*+\+\s*+(?:(?:[\w.()\[\], ]|\"[^\"\n]*+\"){1,200}\s*+\+\s*+)?+\Z")
_ADDED = lazy_regex(r"\s*+\+")
_NAME = lazy_regex(r"(?P<name>[\w.-]{1,100})\"?[ \t]*+(?::=|[=:])[ \t]*+(?:[\w.\[\]]{1,100}[({])*+\Z")
_VERB = lazy_regex(r"%(?:\[\d++\])?[-+# 0]*+\d*+[a-zA-Z]")
"""What ``fmt.Sprintf`` replaces."""
_LOOK_BACK = 300
_WITHIN = ("cloudConfig:", "cloud.conf:")
"""What values of the chart, or a manifest, hold a cloud.conf in; other manifests are often a program's own tests."""
_WRITTEN = lazy_regex(
    r"path: [\"']?(?P<path>/[\w./-]{1,200})[\"']?[ \t]*+\r?\n(?:(?!.*\bpath: ).*\n){0,12}?"
    r".*\b(?:inline|content): [|>][0-9+-]{0,2}[ \t]*+\r?\n(?:[ \t]*+[#;].*\n)*+[ \t]*+\[Global\]"
)
"""A file that Ignition or cloud-init writes."""
_READ = lazy_regex(r"cloud-config(?:=|[\"']?(?:,|:(?=[ \t]))?\s++(?:-[ \t]++)?)[\"']?(?P<path>/[\w./-]{1,200})")
"""The flag of who reads one."""


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the raw strings that begin as INI files do or hold a cloud.conf in YAML, with those that are joined to them.

    What a template, ``fmt.Sprintf`` or a ``+`` puts into them is unknown, and so is what is added to them elsewhere.
    The name of the function that they are in may say who reads them: ``CinderCSIConfiguration``.

    Args:
        text: A file in Go.

    Yields:
        Each of them.
    """
    pieces: list[Span] = []
    readers: tuple[str, ...] = ()
    function = ""
    for token in _TOKEN.finditer(text):
        if token["raw"] is None:
            for match in _FUNCTION.finditer(text, token.start(), token.end()):
                function = match["name"]
            continue
        span = Span(token.start() + 1, token.end() - 1)
        if pieces and not _JOIN.match(text, pieces[-1].end + 1, token.start()):
            yield from _joined(text, pieces, readers)
            pieces = []
        if not pieces:
            readers = consumers_of(function)
        pieces.append(span)
    if pieces:
        yield from _joined(text, pieces, readers)


def _joined(text: str, pieces: list[Span], readers: tuple[str, ...]) -> Iterator[EmbeddedText]:
    """Raw strings that are one text; none where that ends within a line that goes on elsewhere."""
    start, end = pieces[0].start, pieces[-1].end
    whole = text[start:end]
    may_be_conf = "[" in whole and "=" in whole and is_ini(text[slice(*pieces[0])])
    if not may_be_conf and not any(name in whole for name in _WITHIN) and not _is_written_and_read(whole):
        return
    if _ADDED.match(text, end + 1) and not whole.endswith("\n"):
        return
    joins = [Span(span.end - start, other.start - start) for span, other in itertools.pairwise(pieces)]
    verbs = [Span(*match.span()) for match in _VERB.finditer(whole)] if "%" in whole else []
    before = text[max(start - 1 - _LOOK_BACK, 0) : start - 1].rpartition("\n")[2]
    name = _NAME.search(before)
    where = f"raw string {name['name']}" if name else "raw string"
    layer = Slice(text, Span(start, end), "raw string")
    yield EmbeddedText(layer, where, variables=True, partial=True, inserted=(*joins, *verbs), readers=readers)


def _is_written_and_read(text: str) -> bool:
    """Whether a machine's configuration writes a cloud.conf, and says who reads it there."""
    if "[Global]" not in text or "cloud-config" not in text:
        return False
    read = {match["path"].rstrip(".") for match in _READ.finditer(text)}
    return any(match["path"] in read for match in _WRITTEN.finditer(text))
