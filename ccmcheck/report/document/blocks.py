"""What a report consists of: blocks, and the inline pieces of their texts.

A report is a function from its records to blocks. It does not know how a block looks: `text`, `markdown` and `html`
each write every block in one way, and escape in one place. JSON is made from the records, not from blocks.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from ccmcheck.base.records import NamedTuple

Tone: TypeAlias = Literal["", "good", "bad", "warn", "info", "unknown", "off", "next"]
"""How good or bad; ``info`` is neither, ``off`` does not apply, ``next`` is what to do, empty has no sign."""


class Code(NamedTuple):
    """A name or value as it stands in a file."""

    text: str


class Strong(NamedTuple):
    """What stands out."""

    text: str


class Quiet(NamedTuple):
    """What is less important than the text beside it."""

    text: str


class Badge(NamedTuple):
    """A word or two that classify what stands beside: ``error``, ``recreated``."""

    text: str
    tone: Tone = ""


class Link(NamedTuple):
    """A link; only an address of the web becomes one."""

    title: str
    url: str


class CitedSource(NamedTuple):
    """Where something can be read or was measured; HTML links issues, bugs and addresses in it."""

    text: str


class Markup(NamedTuple):
    """Text that is Markdown already: from our own rules and catalogue, never from a user's file."""

    text: str


class Bar(NamedTuple):
    """A value of a table's column with a bar: from ``start`` to ``end`` of the column's scale, each 0 to 1."""

    text: str
    start: float
    end: float


Inline: TypeAlias = str | Code | Strong | Quiet | Badge | Link | CitedSource | Markup | Bar
Text: TypeAlias = Inline | tuple[Inline, ...]
"""One piece, or several that follow each other without a space. A tuple of pieces is a plain tuple."""


class Heading(NamedTuple):
    """A heading.

    Attributes:
        text: The heading.
        level: From 1.
        about: One line that says more.
        aside: What else identifies the subject: its file, its number of ports.
        below: Lines directly below.
    """

    text: Text
    level: int = 2
    about: Text = ""
    aside: tuple[Text, ...] = ()
    below: tuple[Text, ...] = ()


class Paragraph(NamedTuple):
    """Prose; ``title`` is what it is about, in a word or two."""

    text: Text
    tone: Literal["", "quiet", "lead", "quote"] = ""
    title: Text = ""


class Lines(NamedTuple):
    """Short lines, one below the other."""

    lines: tuple[Text, ...]


class LabelledValue(NamedTuple):
    """A label and its value.

    Attributes:
        label: The label.
        value: The value.
        tone: Its sign.
        details: What belongs to it: the mechanism, the source, one line each.
    """

    label: Text
    value: Text
    tone: Tone = ""
    details: tuple[Text, ...] = ()


class Facts(NamedTuple):
    """Labels and values.

    Attributes:
        facts: The facts.
        width: Columns of a label in a terminal; 0 for what the longest takes.
        is_prose: Whether the values are sentences, which Markdown writes as a list instead of a table.
        title: What they are, for Markdown's table; may be empty.
    """

    facts: tuple[LabelledValue, ...]
    width: int = 0
    is_prose: bool = False
    title: str = ""


class PropertyRow(NamedTuple):
    """One property before and after; ``better`` is None where it is neither better nor worse."""

    label: str
    before: str
    after: str
    better: bool | None = None


class PropertyTable(NamedTuple):
    """Properties before and after.

    Attributes:
        caption: What is compared.
        rows: The properties.
        columns: The two columns' heads.
        width: Columns of a label in a terminal; 0 where labels are too long for columns.
    """

    caption: str
    rows: tuple[PropertyRow, ...]
    columns: tuple[str, str] = ("before", "after")
    width: int = 0


class Table(NamedTuple):
    """A table; the first column names the row.

    Attributes:
        caption: What it shows.
        columns: The columns' heads; may be empty.
        rows: The rows; the last column may be long.
        marked: The numbers of rows that stand out.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]
    marked: tuple[int, ...] = ()


class ListItem(NamedTuple):
    """One item of a list.

    Attributes:
        text: The item.
        tone: Its sign.
        word: Its badge, where the sign alone does not say enough: ``error``; needs a tone.
        details: What belongs to it, one line each.
    """

    text: Text
    tone: Tone = ""
    word: str = ""
    details: tuple[Text, ...] = ()


class ItemList(NamedTuple):
    """A list; ``is_plain`` leaves out bullets."""

    items: tuple[ListItem, ...]
    is_plain: bool = False


class Console(NamedTuple):
    """Lines of a file or a screen, kept as they are.

    Attributes:
        text: The lines.
        language: Of what kind they are: ``ini``, ``json``, ``text``.
        label: What they are, for screen readers.
        inset: Columns by which a terminal indents them.
    """

    text: str
    language: str = "text"
    label: str = ""
    inset: int = 2


class Box(NamedTuple):
    """One box of a diagram; several texts stand below each other."""

    lines: tuple[Text, ...]
    is_missing: bool = False
    is_changed: bool = False


class DiagramStage(NamedTuple):
    """One stage of a diagram: its title, and rows of boxes of which each leads to the next.

    Attributes:
        title: What it is; empty where the boxes say so.
        aside: What stands beside the title.
        rows: Its boxes.
        dots: How many of something it has, and how many of these are hollow; None for no dots.
        note: What stands below.
        is_changed: Whether it differs.
    """

    title: str
    aside: Text = ""
    rows: tuple[tuple[Box, ...], ...] = ()
    dots: tuple[int, int] | None = None
    note: str = ""
    is_changed: bool = False


class Diagram(NamedTuple):
    """Stages from top to bottom; the last one is not reached where it ``is_broken``."""

    title: str
    stages: tuple[DiagramStage, ...]
    is_broken: bool = False
    absent: str = ""


class DiagramPair(NamedTuple):
    """Two diagrams side by side."""

    first: Diagram
    second: Diagram
    note: str = ""


class ReportSection(NamedTuple):
    """A part with a heading.

    Attributes:
        title: The heading; empty for none.
        blocks: What it holds.
        level: The heading's level.
        aside: As for `Heading`.
        folded: ``open`` or ``closed`` where Markdown and HTML can fold it.
        anchor: Its name for links; empty for none.
        contents: What the table of contents calls it; empty leaves it out.
        tone: How good or bad it is.
    """

    title: Text
    blocks: tuple[Block, ...]
    level: int = 3
    aside: tuple[Text, ...] = ()
    folded: Literal["", "open", "closed"] = ""
    anchor: str = ""
    contents: str = ""
    tone: Tone = ""


_Prose: TypeAlias = Heading | Paragraph | Lines | ItemList
_Tables: TypeAlias = Facts | PropertyTable | Table
Block: TypeAlias = _Prose | _Tables | Console | Diagram | DiagramPair | ReportSection


def parts(text: Text) -> tuple[Inline, ...]:
    """The pieces of a text."""
    return text if type(text) is tuple else (text,)  # type: ignore[return-value] # a record is a tuple, too
