"""What a block of a document shows of a terminal: the files that commands print, and PowerShell's here-strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText, lines_of
from ccmcheck.carriers.prefilter import is_named_cloud_conf
from ccmcheck.layers import Slice

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROMPT = r"(?:[$%>#][ \t]++|\[[\w.-]++@[^\]\n]*+\][$#][ \t]*+|[\w.-]++@[\w.-]++[:~\w/.-]*+[$#][ \t]*+)"
_SHOWN = lazy_regex(
    rf"[ \t]*+{_PROMPT}?+(?:sudo[ \t]++)?(?:cat|more|less|bat|vim?|nano|tee)[ \t]++(?P<path>[\w./~-]++)[ \t\r]*+\n?\Z"
)
_COMMAND = lazy_regex(
    rf"[ \t]*+(?:{_PROMPT}(?=[a-z./])|(?:sudo|kubectl|helm|oc|openstack|systemctl|cat|export|source|cd|mkdir|vim?|nano|echo)[ \t])"
)
_HERE_STRING = lazy_regex(r"[^\n]*@[\"'][ \t\r]*+\n?\Z")
_END = lazy_regex(r"[\"']@")
_SIGNS = ("cat ", "more ", "less ", "bat ", "vi ", "vim ", "nano ", "tee ", '@"', "@'")


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the files that a block shows.

    Args:
        text: The block.

    Yields:
        Each of them: from the line below the command that prints it to the next command.
    """
    if not any(sign in text for sign in _SIGNS):
        return
    start = -1
    path = ""
    quoted = False
    for begin, line in lines_of(text):
        if start >= 0:
            if not (_END if quoted else _COMMAND).match(line):
                continue
            yield _shown(text, Span(start, begin), path)
            start = -1
            if quoted:
                continue
        shown = _SHOWN.match(line)
        quoted = shown is None and _HERE_STRING.match(line) is not None
        if shown is not None or quoted:
            start, path = begin + len(line), shown["path"] if shown is not None else ""
    if start >= 0 and not quoted:
        yield _shown(text, Span(start, len(text)), path)


def _shown(text: str, span: Span, path: str) -> EmbeddedText:
    return EmbeddedText(Slice(text, span, "output"), path or "here-string", named=is_named_cloud_conf(path), variables=True)
