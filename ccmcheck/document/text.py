"""Blocks for a terminal. Everything that a screen would not show as itself is written as an escape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.base.escape import printable, printable_lines
from ccmcheck.document import blocks as b

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SIGNS = {"": "", "good": "✓", "bad": "✗", "warn": "!", "info": "·", "unknown": "?", "off": "–", "next": "→"}
_NARROW = 30
"""Columns that wrapped text has at least."""

_ONE_LINE = 90
"""Characters of a value before and after that fit one line."""

_INDENT = "  "


def write(blocks: Iterable[b.Block], width: int = 0) -> Iterator[str]:
    """Write blocks, with an empty line between them.

    Args:
        blocks: The blocks.
        width: Columns that prose is wrapped to; 0 leaves it in one line.

    Yields:
        Lines without their ends.
    """
    is_first = True
    for block in blocks:
        if not is_first:
            yield ""
        yield from _block(block, "", width)
        is_first = False


def plain(text: b.Text) -> str:
    """A text on one line."""
    return "".join(map(_piece, b.parts(text)))


def _piece(piece: b.Inline) -> str:
    if isinstance(piece, str):
        return printable(piece)
    if isinstance(piece, b.Source):
        return f"[{printable(piece.text)}]"
    if isinstance(piece, b.Link):
        return f"{printable(piece.url)}  {printable(piece.title)}"
    if isinstance(piece, b.Markup):
        return printable_lines(piece.text)
    return printable(piece.text)


def _block(block: b.Block, indent: str, width: int) -> Iterator[str]:
    return _WRITERS[type(block)](block, indent, width)


def _heading(block: b.Heading, indent: str, width: int) -> Iterator[str]:
    del width
    text = plain(block.text) + (f": {plain(block.about)}" if block.about else "")
    yield indent + "   ".join(filter(None, (text, *map(plain, block.aside))))
    yield from (indent + plain(line) for line in block.below)


def _section(block: b.Section, indent: str, width: int) -> Iterator[str]:
    if block.title:
        yield from _heading(b.Heading(block.title, aside=block.aside), indent, width)
    for inner in block.blocks:
        yield from _block(inner, indent + _INDENT, width)


def _paragraph(block: b.Paragraph, indent: str, width: int) -> Iterator[str]:
    if block.title:
        yield indent + plain(block.title)
        indent += _INDENT
    yield from _prose(plain(block.text), width, indent, indent)


def _lines(block: b.Lines, indent: str, width: int) -> Iterator[str]:
    del width
    return (indent + plain(line) for line in block.lines)


def _facts(block: b.Facts, indent: str, width: int) -> Iterator[str]:
    labels = [plain(fact.label) for fact in block.facts]
    wide = block.width or max(map(len, labels), default=0) + 2
    signed = any(fact.tone for fact in block.facts)
    for fact, label in zip(block.facts, labels, strict=True):
        start = f"{indent}{SIGNS[fact.tone]:<2}" if signed else indent
        following = " " * (len(start) + wide)
        yield from _prose(plain(fact.value), width, f"{start}{label:<{wide}}", following)
        for detail in fact.details:
            yield from _prose(plain(detail), width, following, following)


def _comparison(block: b.Comparison, indent: str, width: int) -> Iterator[str]:
    for row in block.rows:
        label, old, new = printable(row.label), printable(row.before), printable(row.after)
        start = f"{label:<{block.width}}" if block.width else f"{label}: "
        following = indent + (" " * block.width if block.width else _INDENT)
        if old == new:
            yield from _prose(new, width, indent + start, following)
        elif len(old) + len(new) <= _ONE_LINE or not block.width:
            yield from _prose(f"{old or '–'} → {new or '–'}", width, indent + start, following)
        else:
            yield from _prose(old or "–", width, indent + start, following)
            yield from _prose(new or "–", width, f"{following}→ ", following)


def _table(block: b.Table, indent: str, width: int) -> Iterator[str]:
    rows = [block.columns, *(tuple(map(plain, row)) for row in block.rows)]
    rows = [(row[0], *(cell or "–" for cell in row[1:])) if number else row for number, row in enumerate(rows)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(block.columns) - 1)]
    if block.caption:
        yield indent + printable(block.caption)
        indent += _INDENT * (not indent)
    left = indent + " " * (sum(widths) + 2 * len(widths))
    for row in rows:
        start = "".join(f"{cell:<{wide}}  " for cell, wide in zip(row, widths, strict=False))
        yield from (line.rstrip() for line in _prose(row[-1], width, indent + start, left))


def _items(block: b.Items, indent: str, width: int) -> Iterator[str]:
    for item in block.items:
        sign = SIGNS[item.tone] or ("" if block.is_plain else "·")
        following = indent + " " * 2
        yield from _prose(plain(item.text), width, f"{indent}{sign} " if sign else indent, following)
        for detail in item.details:
            yield from _prose(plain(detail), width, following, following)


def _console(block: b.Console, indent: str, width: int) -> Iterator[str]:
    del width
    inset = indent + " " * block.inset
    return (f"{inset}{printable(line)}".rstrip() for line in block.text.rstrip("\n").split("\n"))


def _diagram(block: b.Diagram, indent: str, width: int) -> Iterator[str]:
    del width
    yield f"{indent}{printable(block.title)}"
    for stage in block.stages:
        yield f"{indent}{_INDENT}{printable(stage.title)} {plain(stage.aside)}".rstrip()
        for row in stage.rows:
            yield f"{indent}{_INDENT * 2}" + " ─▶ ".join(", ".join(map(plain, box.lines)) for box in row)
        if stage.note:
            yield f"{indent}{_INDENT * 2}{printable(stage.note)}"


def _pair(block: b.Pair, indent: str, width: int) -> Iterator[str]:
    for diagram in (block.first, block.second):
        yield from _diagram(diagram, indent, width)


def _prose(text: str, width: int, first: str, following: str) -> Iterator[str]:
    """Text in lines, broken between words where there is a width; line ends in it stay."""
    from textwrap import wrap

    for line in text.split("\n"):
        if width <= 0:
            yield f"{first}{line}".rstrip() if not line else first + line
        else:
            room = max(width, len(following) + _NARROW)
            wrapped = wrap(
                line,
                room,
                initial_indent=first,
                subsequent_indent=following,
                break_long_words=False,
                break_on_hyphens=False,
            )
            yield from wrapped or [first.rstrip()]
        first = following


_WRITERS: dict[type, Callable[[Any, str, int], Iterator[str]]] = {
    b.Heading: _heading,
    b.Section: _section,
    b.Paragraph: _paragraph,
    b.Lines: _lines,
    b.Facts: _facts,
    b.Comparison: _comparison,
    b.Table: _table,
    b.Items: _items,
    b.Console: _console,
    b.Diagram: _diagram,
    b.Pair: _pair,
}
