"""What a block of a document shows of a terminal: what commands print, and PowerShell's here-strings."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText, lines_of
from ccmcheck.catalog.signs.paths import is_named_cloud_conf
from ccmcheck.layers.slice import Slice

_AT_HOST = r"(?:\[[\w.-]++@[^\]\n]*+\]|[\w.-]++@[\w.-]++[:~\w/.-]*+)[$#]"
_PROMPT = rf"(?:[$%>#][ \t]++|[\w.-]++\$[ \t]++|{_AT_HOST}[ \t]*+)"
_SHOWN = lazy_regex(
    rf"[ \t]*+{_PROMPT}?+(?:sudo[ \t]++)?(?:cat|more|less|bat|vim?|nano|tee)[ \t]++(?P<path>[\w./~-]++)[ \t\r]*+\n?\Z"
)
_COMMAND = lazy_regex(
    rf"[ \t]*+(?:{_PROMPT}(?=[a-z./])"
    r"|(?:sudo|kubectl|helm|oc|openstack|systemctl|cat|export|source|cd|mkdir|vim?|nano|echo)[ \t])"
)
_CERTAIN_PROMPT = lazy_regex(rf"[ \t]*+(?:{_AT_HOST}|[\w.-]*+\$)[ \t]++[a-z./](?P<command>[^\n]*+)")
"""A command behind a prompt that cannot be anything else."""
_HERE_STRING = lazy_regex(r"[^\n]*@[\"'][ \t\r]*+\n?\Z")
_END = lazy_regex(r"[\"']@")
_SIGNS = ("cat ", "more ", "less ", "bat ", "vi ", "vim ", "nano ", "tee ", '@"', "@'", "$ ", "# ")


def find(text: str) -> Iterator[EmbeddedText]:
    """Find what the commands of a block print.

    Args:
        text: The block.

    Yields:
        Each output that is not empty, named where it is a file's: from the line below the command to the next command;
        before them what stands above the first command, unless that is a heredoc.
    """
    if not any(sign in text for sign in _SIGNS):
        return
    start = above = -1
    path = ""
    quoted = False
    for begin, line in lines_of(text):
        if start >= 0:
            if not (_END if quoted else _COMMAND).match(line):
                continue
            if begin > start:
                yield _shown(text, Span(start, begin), path)
            start = -1
            if quoted:
                continue
        if above < 0 and _COMMAND.match(line):
            above = begin
        shown = _SHOWN.match(line)
        quoted = shown is None and _HERE_STRING.match(line) is not None
        if shown is not None or quoted or _prints(line):
            if above > 0 and "<<" not in text[:above]:
                yield _shown(text, Span(0, above), "output")
            above = 0
            start = begin + len(line)
            path = shown["path"] if shown is not None else "here-string" if quoted else "output"
    if 0 <= start < len(text) and not quoted:
        yield _shown(text, Span(start, len(text)), path)


def _prints(line: str) -> bool:
    """Whether a line is a command behind a prompt that goes on with its output, not with more of the command."""
    match = _CERTAIN_PROMPT.match(line)
    return match is not None and "<<" not in match["command"] and not line.rstrip().endswith("\\")


def _shown(text: str, span: Span, path: str) -> EmbeddedText:
    return EmbeddedText(Slice(text, span, "output"), path, named=is_named_cloud_conf(path), variables=True)
