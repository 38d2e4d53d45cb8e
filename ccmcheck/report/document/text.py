"""Blocks for a terminal. Everything that a screen would not show as itself is written as an escape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ccmcheck.base.escape import printable, printable_lines
from ccmcheck.base.records import NamedTuple
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.layout import ESCAPE, table, width_of, wrap
from ccmcheck.report.document.style import Style

SIGNS = {"": "", "good": "✓", "bad": "✗", "warn": "!", "info": "·", "unknown": "?", "off": "–", "next": "→"}
_NARROW = 30
"""Columns that wrapped text has at least."""

_ONE_LINE = 90
"""Characters of a value before and after that fit one line."""

_INDENT = "  "


class Screen(NamedTuple):
    """What is written for.

    Attributes:
        width: Columns that prose is wrapped to and tables fit; 0 for any.
        style: Its colours.
    """

    width: int = 0
    style: Style = Style(color=False)


def write(blocks: Iterable[b.Block], width: int = 0, *, color: bool = False) -> Iterator[str]:
    """Write blocks, with an empty line between them.

    Args:
        blocks: The blocks.
        width: Columns that prose is wrapped to and tables fit; 0 for any.
        color: Whether to use ANSI colours.

    Yields:
        Lines without their ends.
    """
    screen = Screen(width, Style(color))
    is_first = True
    for block in blocks:
        if not is_first:
            yield ""
        yield from _block(block, "", screen)
        is_first = False


def plain(text: b.Text, style: Style | None = None) -> str:
    """A text on one line.

    Args:
        text: The text.
        style: Its colours; None for none.
    """
    return "".join([_piece(piece, style) for piece in b.parts(text)])


def _piece(piece: b.Inline, style: Style | None) -> str:
    if isinstance(piece, str):
        return printable(piece)
    if isinstance(piece, b.CitedSource):
        return f"[{printable(piece.text)}]"
    if isinstance(piece, b.Link):
        return f"{printable(piece.url)}  {printable(piece.title)}"
    if isinstance(piece, b.Markup):
        return printable_lines(piece.text)
    said = printable(piece.text)
    if style is None:
        return said
    # each word for itself: a line may end behind any
    return " ".join(_dressed(word, piece, style) for word in said.split(" "))


def _dressed(word: str, piece: b.Inline, style: Style) -> str:
    if isinstance(piece, b.Strong):
        return style.bold(word)
    if isinstance(piece, b.Quiet):
        return style.dim(word)
    return style.tone(word, piece.tone) if isinstance(piece, b.Badge) else word


def _block(block: b.Block, indent: str, screen: Screen) -> Iterator[str]:
    return _WRITERS[type(block)](block, indent, screen)


def _heading(block: b.Heading, indent: str, screen: Screen) -> Iterator[str]:
    text = plain(block.text) + (f": {plain(block.about)}" if block.about else "")
    aside = (plain(text, screen.style) for text in block.aside)
    yield from _prose("   ".join(filter(None, (text, *aside))), screen, indent, indent + _INDENT)
    for line in block.below:
        yield from _prose(plain(line, screen.style), screen, indent, indent + _INDENT)


def _section(block: b.ReportSection, indent: str, screen: Screen) -> Iterator[str]:
    if block.title:
        yield from _heading(b.Heading(block.title, aside=block.aside), indent, screen)
    for inner in block.blocks:
        yield from _block(inner, indent + _INDENT, screen)


def _paragraph(block: b.Paragraph, indent: str, screen: Screen) -> Iterator[str]:
    if block.title:
        yield indent + plain(block.title, screen.style)
        indent += _INDENT
    yield from _prose(plain(block.text, screen.style), screen, indent, indent)


def _lines(block: b.Lines, indent: str, screen: Screen) -> Iterator[str]:
    for line in block.lines:
        yield from _prose(plain(line, screen.style), screen, indent, indent + _INDENT)


def _facts(block: b.Facts, indent: str, screen: Screen) -> Iterator[str]:
    labels = [plain(fact.label) for fact in block.facts]
    wide = block.width or max(map(len, labels), default=0) + 2
    signed = any(fact.tone for fact in block.facts)
    for fact, label in zip(block.facts, labels, strict=True):
        sign = SIGNS[fact.tone]
        start = f"{indent}{screen.style.tone(sign, fact.tone)}{' ' * (2 - len(sign))}" if signed else indent
        following = indent + " " * (2 * signed + wide)
        yield from _prose(plain(fact.value, screen.style), screen, f"{start}{label:<{wide}}", following)
        for detail in fact.details:
            yield from _prose(plain(detail, screen.style), screen, following, following)


def _comparison(block: b.PropertyTable, indent: str, screen: Screen) -> Iterator[str]:
    for row in block.rows:
        label, old, new = printable(row.label), printable(row.before), printable(row.after)
        start = f"{label:<{block.width}}" if block.width else f"{label}: "
        following = indent + (" " * block.width if block.width else _INDENT)
        if old == new:
            yield from _prose(new, screen, indent + start, following)
        elif len(old) + len(new) <= _ONE_LINE or not block.width:
            yield from _prose(f"{old or '–'} → {new or '–'}", screen, indent + start, following)
        else:
            yield from _prose(old or "–", screen, indent + start, following)
            yield from _prose(new or "–", screen, f"{following}→ ", following)


def _table(block: b.Table, indent: str, screen: Screen) -> Iterator[str]:
    rows = [tuple(plain(cell, screen.style) for cell in row) for row in block.rows]
    rows = [(row[0], *(cell or "–" for cell in row[1:])) for row in rows]
    if block.caption:
        yield indent + printable(block.caption)
        indent += _INDENT * (not indent)
    yield from table([block.columns, *rows] if any(block.columns) else rows, screen.width, indent)


def _items(block: b.ItemList, indent: str, screen: Screen) -> Iterator[str]:
    for item in block.items:
        sign = screen.style.tone(SIGNS[item.tone], item.tone) or ("" if block.is_plain else "·")
        following = indent + " " * 2
        first = f"{indent}{sign} " if sign else indent
        yield from _prose(plain(item.text, screen.style), screen, first, following)
        for detail in item.details:
            yield from _prose(plain(detail, screen.style), screen, following, following)


def _console(block: b.Console, indent: str, _screen: Screen) -> Iterator[str]:
    inset = indent + " " * block.inset
    return (f"{inset}{printable(line)}".rstrip() for line in block.text.rstrip("\n").split("\n"))


def _diagram(block: b.Diagram, indent: str, _screen: Screen) -> Iterator[str]:
    yield f"{indent}{printable(block.title)}"
    for stage in block.stages:
        yield f"{indent}{_INDENT}{printable(stage.title)} {plain(stage.aside)}".rstrip()
        for row in stage.rows:
            yield f"{indent}{_INDENT * 2}" + " ─▶ ".join(", ".join(map(plain, box.lines)) for box in row)
        if stage.note:
            yield f"{indent}{_INDENT * 2}{printable(stage.note)}"


def _pair(block: b.DiagramPair, indent: str, screen: Screen) -> Iterator[str]:
    for diagram in (block.first, block.second):
        yield from _diagram(diagram, indent, screen)


def _prose(text: str, screen: Screen, first: str, following: str) -> Iterator[str]:
    """Text in lines, broken between words where there is a width; line ends in it stay."""
    room = max(screen.width - len(following), _NARROW) if screen.width else 0
    if room and width_of(first) > len(following) and ESCAPE not in first:
        first, text = first[: len(following)], first[len(following) :] + text
    for line in text.split("\n"):
        for part in wrap(line, room):
            yield f"{first}{part}".rstrip() if room or not part else first + part
            first = following


_WRITERS: dict[type, Callable[[Any, str, Screen], Iterator[str]]] = {
    b.Heading: _heading, b.ReportSection: _section, b.Paragraph: _paragraph, b.Lines: _lines, b.Facts: _facts,
    b.PropertyTable: _comparison, b.Table: _table, b.ItemList: _items, b.Console: _console, b.Diagram: _diagram,
    b.DiagramPair: _pair,
}  # fmt: skip
