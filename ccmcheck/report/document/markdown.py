"""Blocks as Markdown of GitHub and GitLab. What comes from files cannot begin a tag, a link, a mention or a style."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ccmcheck.base.escape import printable
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.text import SIGNS

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\|<>[]*_`#~!&@"})
"""What begins a tag, a link, a mention or a style, or ends a cell."""

_IN_HTML = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"} | {sign: f"&#{ord(sign)};" for sign in "@[]`*_\\"}
)
_TONES = {"": "", "good": "🟢", "bad": "🔴", "warn": "🟡", "info": "⚪", "unknown": "⚪", "off": "⚪", "next": "➡️"}
_FOLLOWING = "… the rest does not fit a comment; {more} shows it."


def write(blocks: Iterable[b.Block], *, limit: int = 0, more: str = "") -> Iterator[str]:
    """Write blocks.

    Args:
        blocks: The blocks.
        limit: Characters that there is room for; blocks are left out as a whole. 0 for no limit.
        more: The command that shows everything.

    Yields:
        Lines without their ends.
    """
    left = limit
    for block in blocks:
        lines = list(_WRITERS[type(block)](block))
        left -= sum(len(line) + 1 for line in lines)
        if limit and left < 0:
            yield _FOLLOWING.format(more=f"`{more}`")
            yield ""
            return
        yield from lines


def escape(text: str) -> str:
    """A text that cannot end a cell, nor begin a tag, a link, a mention or a style."""
    return printable(text).translate(_SPECIAL)


def code(text: str) -> str:
    """A text as code, which no backtick and no cell ends."""
    return "`" + printable(text).replace("`", "'").replace("|", "\\|") + "`"


def inline(text: b.Text) -> str:
    """A text in a line of prose."""
    return "".join(map(_piece, b.parts(text)))


def _piece(piece: b.Inline) -> str:
    if isinstance(piece, str):
        return escape(piece)
    if isinstance(piece, b.Code):
        return code(piece.text)
    if isinstance(piece, b.Strong):
        return f"**{escape(piece.text)}**" if piece.text else ""
    if isinstance(piece, b.Badge):
        return f"{_TONES[piece.tone]} {escape(piece.text)}".strip()
    if isinstance(piece, b.CitedSource):
        return f"\\[{escape(piece.text)}\\]"
    if isinstance(piece, b.Link):
        from ccmcheck.report.document.links import is_web

        if not is_web(piece.url):
            return escape(f"{piece.title} ({piece.url})")
        return f"[{escape(piece.title)}]({piece.url.replace('(', '%28').replace(')', '%29')})"
    return piece.text if isinstance(piece, b.Markup) else escape(piece.text)


def _cell(text: b.Text) -> str:
    """A text in a table; Markdown of ours may have pipes and lines."""
    pieces = b.parts(text)
    if not any(isinstance(piece, b.Markup) for piece in pieces):
        return inline(text)
    return inline(text).replace("|", "\\|").replace("\n", "<br>")


def _in_html(text: b.Text) -> str:
    """A text inside HTML, where Markdown does not hold."""
    return "".join(
        f"<code>{printable(piece.text).translate(_IN_HTML)}</code>"
        if isinstance(piece, b.Code)
        else printable(piece if isinstance(piece, str) else piece[0]).translate(_IN_HTML)
        for piece in b.parts(text)
    )


def _heading(block: b.Heading) -> Iterator[str]:
    yield f"{'#' * block.level} " + " · ".join([inline(block.text), *(inline(text) for text in block.aside if text)])
    yield ""
    if block.about:
        yield f"{inline(block.about)}."
        yield ""
    if block.below:
        yield from _lines(b.Lines(block.below))


def _section(block: b.ReportSection) -> Iterator[str]:
    if block.folded:
        title = ": ".join(_in_html(text) for text in (block.title, *block.aside[:1]) if text)
        aside = [inline(text) for text in block.aside[1:] if text]
        yield f"<details><summary>{title}</summary>"
        yield ""
        if aside:
            yield " · ".join(aside)
            yield ""
    elif block.title:
        yield from _heading(b.Heading(block.title, block.level, aside=block.aside))
    for inner in block.blocks:
        yield from _WRITERS[type(inner)](inner)
    if block.folded:
        yield "</details>"
        yield ""


def _paragraph(block: b.Paragraph) -> Iterator[str]:
    text = inline(block.text)
    title = f"**{inline(block.title)}.** " if block.title else ""
    yield f"> {text}" if block.tone == "quote" else title + text
    yield ""


def _lines(block: b.Lines) -> Iterator[str]:
    yield from (f"{inline(line)}  " for line in block.lines)
    yield ""


def _facts(block: b.Facts) -> Iterator[str]:
    signed = any(fact.tone for fact in block.facts)
    if block.is_prose and not signed:
        for fact in block.facts:
            yield f"- **{inline(fact.label)}**: {inline(fact.value)}{_details(fact)}"
        yield ""
        return
    yield f"| {escape(block.title)} |".replace("|  |", "| |") + (" | |" if signed else " |")
    yield "|---|---|---|" if signed else "|---|---|"
    for fact in block.facts:
        sign = f" {SIGNS[fact.tone]} |" if signed else ""
        yield f"| {_cell(fact.label)} |{sign} {_cell(fact.value)}{_details(fact)} |"
    yield ""


def _details(fact: b.LabelledValue) -> str:
    return "".join(f"<br>{_cell(detail)}" for detail in fact.details)


def _comparison(block: b.PropertyTable) -> Iterator[str]:
    rows = tuple((row.label, row.before, row.after) for row in block.rows)
    return _table(b.Table("", ("", *block.columns), rows))


def _table(block: b.Table) -> Iterator[str]:
    if block.caption:
        yield f"**{inline(block.caption)}.**"
        yield ""
    yield "|" + "|".join(f" {escape(head)} " if head else " " for head in block.columns) + "|"
    yield "|" + "---|" * len(block.columns)
    for first, *others in block.rows:
        yield "| " + " | ".join((_cell(first), *(_cell(cell) or "–" for cell in others))) + " |"
    yield ""


def _items(block: b.ItemList) -> Iterator[str]:
    for item in block.items:
        badge = f"{_TONES[item.tone]} {item.word}: " if item.word else ""
        sign = f"{SIGNS[item.tone]} " if item.tone and not item.word else ""
        yield f"- {sign}{badge}" + "<br>".join(map(inline, (item.text, *item.details)))
    if block.items:
        yield ""


def _console(block: b.Console) -> Iterator[str]:
    yield f"```{block.language}"
    yield from (printable(line).replace("```", "'''") for line in block.text.rstrip("\n").split("\n"))
    yield "```"
    yield ""


def _diagram(block: b.Diagram) -> Iterator[str]:
    from ccmcheck.report.document.text import write as as_text

    return _console(b.Console("\n".join(as_text((block,)))))


def _pair(block: b.DiagramPair) -> Iterator[str]:
    for diagram in (block.first, block.second):
        yield from _diagram(diagram)


_WRITERS: dict[type, Callable[[Any], Iterator[str]]] = {
    b.Heading: _heading, b.ReportSection: _section, b.Paragraph: _paragraph, b.Lines: _lines, b.Facts: _facts,
    b.PropertyTable: _comparison, b.Table: _table, b.ItemList: _items, b.Console: _console, b.Diagram: _diagram,
    b.DiagramPair: _pair,
}  # fmt: skip
