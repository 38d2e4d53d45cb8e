"""A page, and its three forms: text for a terminal, Markdown, and plain data for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


_NARROW = 30
"""Columns that the last column of a table has at least."""


class Example(NamedTuple):
    """A piece of cloud.conf, or a manifest.

    Attributes:
        caption: What it shows.
        text: The cloud.conf, or the manifest.
        fixed: The same after the fix; empty where there is none.
        beside: The cloud.conf that goes with a manifest; empty where none does.
    """

    caption: str
    text: str
    fixed: str = ""
    beside: str = ""


class Table(NamedTuple):
    """A table.

    Attributes:
        caption: What it shows.
        columns: The columns' heads.
        rows: The rows; the last column may be long.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Page(NamedTuple):
    """What there is to say about one name.

    Attributes:
        kind: ``rule``, ``key``, ``section``, ``annotation``, ``profile`` or ``row``.
        name: The name.
        title: One line about it.
        facts: Short ones: a label and a value.
        paragraphs: A heading, and text in Markdown.
        examples: Pieces of cloud.conf.
        see: Names of further pages.
        tables: Tables.
    """

    kind: str
    name: str
    title: str
    facts: tuple[tuple[str, str], ...] = ()
    paragraphs: tuple[tuple[str, str], ...] = ()
    examples: tuple[Example, ...] = ()
    see: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()


def as_text(page: Page, width: int = 0) -> str:
    """The page for a terminal; prose is wrapped to ``width`` columns where that is above 0."""
    lines = [f"{page.name}: {page.title}", ""]
    label_width = max((len(label) for label, _ in page.facts), default=0)
    lines += [f"  {label:<{label_width}}  {value}" for label, value in page.facts]
    for heading, text in page.paragraphs:
        lines += ["", heading, *(f"  {line}".rstrip() for line in _wrapped(text, width - 2 if width else 0))]
    for table in page.tables:
        lines += ["", table.caption, *_drawn(table, width)]
    for example in page.examples:
        lines += ["", example.caption, *_indented(example.text)]
        if example.fixed:
            lines += ["  after the fix:", *_indented(example.fixed)]
        if example.beside:
            lines += ["  with this cloud.conf:", *_indented(example.beside)]
    if page.see:
        lines += ["", f"See also: {', '.join(page.see)}"]
    return "\n".join(lines) + "\n"


def as_markdown(page: Page, level: int = 1) -> str:
    """The page as Markdown.

    Args:
        page: The page.
        level: How deep its own heading is.
    """
    hashes = "#" * level
    lines = [f"{hashes} {page.name}", "", f"{page.title}.", ""]
    if page.facts:
        lines += ["| | |", "|---|---|", *(f"| {label} | {_cell(value)} |" for label, value in page.facts), ""]
    for heading, text in page.paragraphs:
        lines += [f"**{heading}.** {text}", ""]
    for table in page.tables:
        lines += [f"**{table.caption}.**", "", f"| {' | '.join(table.columns)} |", "|---" * len(table.columns) + "|"]
        lines += [f"| {' | '.join(map(_cell, row))} |" for row in table.rows]
        lines.append("")
    for example in page.examples:
        lines += [f"{example.caption}:", "", "```ini", example.text.rstrip("\n"), "```", ""]
        if example.fixed:
            lines += ["After the fix:", "", "```ini", example.fixed.rstrip("\n"), "```", ""]
        if example.beside:
            lines += ["With this cloud.conf:", "", "```ini", example.beside.rstrip("\n"), "```", ""]
    if page.see:
        lines += [f"See also: {', '.join(page.see)}", ""]
    return "\n".join(lines)


def as_data(page: Page) -> dict[str, object]:
    """The page as plain data, for JSON."""
    return {
        "kind": page.kind,
        "name": page.name,
        "title": page.title,
        "facts": dict(page.facts),
        "paragraphs": dict(page.paragraphs),
        "examples": [example._asdict() for example in page.examples],
        "see": list(page.see),
        "tables": [
            {"caption": one.caption, "rows": [dict(zip(one.columns, row, strict=True)) for row in one.rows]}
            for one in page.tables
        ],
    }


def _drawn(table: Table, width: int) -> Iterator[str]:
    """The table in columns; the last one is wrapped."""
    widths = [max(len(row[at]) for row in (table.columns, *table.rows)) for at in range(len(table.columns) - 1)]
    left = sum(widths) + 2 * len(widths) + 2
    for row in (table.columns, *table.rows):
        start = "".join(f"{cell:<{wide}}  " for cell, wide in zip(row, widths, strict=False))
        first, *rest = _wrapped(row[-1], max(width - left, _NARROW) if width else 0)
        yield f"  {start}{first}"
        yield from (" " * left + line for line in rest)


def _cell(value: str) -> str:
    return value.replace("|", "\\|").replace("\n", "<br>")


def _indented(text: str) -> Iterator[str]:
    return (f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _wrapped(text: str, width: int) -> list[str]:
    if width <= 0:
        return text.split("\n")
    from textwrap import wrap

    return [part for line in text.split("\n") for part in (wrap(line, width) or [""])]
