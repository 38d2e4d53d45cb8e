"""The record of what there is to say about one name, its blocks, and its data for JSON."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.records import NamedTuple
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document import markdown, text

_FROM_FILES = frozenset({"profile"})
"""Kinds of pages whose texts come from a user's file, so that no Markdown in them counts."""


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
    tables: tuple[b.Table, ...] = ()


def blocks(page: Page, level: int = 1) -> Iterator[b.Block]:
    """The page as blocks; its own heading is of that level."""

    def ours(said: str) -> b.Inline:
        return said if page.kind in _FROM_FILES else b.Markup(said)

    yield b.Heading(ours(page.name), level, ours(page.title))
    if page.facts:
        facts = tuple(b.LabelledValue(ours(label), ours(value)) for label, value in page.facts)
        yield b.ReportSection("", (b.Facts(facts),))
    for heading, prose in page.paragraphs:
        yield b.Paragraph(ours(prose), title=ours(heading))
    yield from page.tables
    for example in page.examples:
        yield b.ReportSection(example.caption, tuple(_example(example)), level + 1)
    if page.see:
        yield b.Paragraph(ours(f"See also: {', '.join(page.see)}"))


def _example(example: Example) -> Iterator[b.Block]:
    yield b.Console(example.text, "ini")
    for piece, caption in ((example.fixed, "After the fix:"), (example.beside, "With this cloud.conf:")):
        if piece:
            yield b.Paragraph(caption)
            yield b.Console(piece, "ini")


def as_text(page: Page, width: int = 0) -> str:
    """The page for a terminal; prose is wrapped to ``width`` columns where that is above 0."""
    return "".join(f"{line}\n" for line in text.write(blocks(page), width))


def as_markdown(page: Page, level: int = 1) -> str:
    """The page as Markdown; its own heading is of that level."""
    return "\n".join(markdown.write(blocks(page, level)))


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
            {"caption": table.caption, "rows": [dict(zip(table.columns, row, strict=True)) for row in table.rows]}
            for table in page.tables
        ],
    }
