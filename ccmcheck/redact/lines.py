"""What must not be shown of a text, line by line; see `ccmcheck.redact.line_scan` for what a line hides."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.redact.folding import is_plain
from ccmcheck.redact.kubernetes_fields import CCM_FLAGS
from ccmcheck.redact.line_scan import LineScan
from ccmcheck.redact.names import is_conf_key, is_public_variable, is_secret_name
from ccmcheck.redact.values import is_harmless

_ASSIGNMENT = lazy_regex(r"[ \t]*([A-Za-z][A-Za-z0-9_-]{0,127})[ \t]*=[ \t]*([A-Za-z0-9_./+-]{1,39})[ \t\r]*")
"""The usual line of a cloud.conf: no quotes, no comment, and no room for a mark, an address or an encoded text."""
_REMEMBERED = 1_000
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
    plain = is_plain(text)
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
            if not (before or depends) and len(known) < _REMEMBERED:
                known[line] = parts
        yield start + len(line), [Span(start + low, start + high) for low, high in parts]
        start += len(line) + 1


def _starts_of_lines_alone(text: str) -> list[str] | None:
    """The hidden parts that begin a line; None where what a line hides depends on those before it."""
    plain = is_plain(text)
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
        is_conf_key(key) or key in CCM_FLAGS or is_public_variable(key) or is_harmless(value)
    ):
        return (match.span(2),)
    return ()
