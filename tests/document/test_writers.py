"""The writers of the document model: every block in every form, and nothing from a file leaves its place."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from ccmcheck.base.escape import printable
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document import markdown, text

EVIL = "\x1b[31m|<script>alert(1)</script>`]( \u202e\r\n## x @all **b** ![i](u)"

DIAGRAM = b.Diagram("title", (b.DiagramStage(EVIL, EVIL, ((b.Box((EVIL,)), b.Box((EVIL, EVIL))),), (3, 1), EVIL),))


def every(said: str) -> list[b.Block]:
    """Every block, with a text in every place that may come from a file."""
    return [
        b.Heading(said, 2, said, (said,), (said,)),
        b.Paragraph((said, b.Code(said), b.Strong(said), b.Quiet(said), b.Badge(said, "bad")), "quote", said),
        b.Paragraph((b.Link(said, said), b.CitedSource(said), b.Bar(said, 0.1, 0.5))),
        b.Lines((said,)),
        b.Facts((b.LabelledValue(said, said, "good", (said,)), b.LabelledValue(said, said))),
        b.Facts((b.LabelledValue(said, said, details=(said,)),), is_prose=True),
        b.Facts((b.LabelledValue(said, said),), title=said),
        b.PropertyTable(
            said, (b.PropertyRow(said, said, said + "2", better=True), b.PropertyRow(said, said, said)), width=12
        ),
        b.Table(said, ("first", "second"), ((said, b.Code(said)), (said, "")), (0,)),
        b.ItemList((b.ListItem(said, "bad", "error", (said,)), b.ListItem(said))),
        b.Console(said, "text", said),
        DIAGRAM,
        b.DiagramPair(DIAGRAM, DIAGRAM, said),
        b.ReportSection(said, (b.Paragraph(said),), aside=(said, said), folded="open"),
        b.ReportSection(
            said, (b.ReportSection(said, (b.Paragraph(said),), 4),), 3, (said,), anchor="there", contents="There"
        ),
    ]


def test_every_kind_of_block_is_here() -> None:
    assert {type(block) for block in every("x")} == set(get_args(b.Block))


@pytest.mark.parametrize("width", [0, 40, 100])
def test_a_terminal_shows_only_what_is_printable(width: int) -> None:
    lines = list(text.write(every(EVIL), width))
    assert len(lines) > 30
    assert [printable(line) for line in lines] == lines


def test_markdown_of_a_file_stays_text() -> None:
    is_fenced = False
    for line in markdown.write(every(EVIL)):
        assert printable(line) == line
        is_fenced ^= line.startswith("```")
        if is_fenced:
            assert "```" not in line.removeprefix("```")
            continue
        bare = line.replace("\\<", "").replace("\\`", "").replace("&lt;", "")
        if not line.startswith("<details>"):
            bare = "".join(part for at, part in enumerate(bare.split("`")) if at % 2 == 0)
            assert not re.search(r"(?<!\\)@|(?<!\\)!\[", bare)
        assert "<script" not in bare
        assert "](" not in bare.replace("\\]", "")
        assert not line.startswith("## x")


def test_our_own_markdown_is_kept_in_a_cell() -> None:
    lines = list(markdown.write([b.Facts((b.LabelledValue("a", b.Markup("`x|y`\nz")),))]))
    assert lines[2] == "| a | `x\\|y`<br>z |"


def test_blocks_that_do_not_fit_are_left_out_as_a_whole() -> None:
    lines = list(markdown.write([b.Paragraph("x" * 50), b.Paragraph("y" * 50)], limit=80, more="ccmcheck -v"))
    assert lines == ["x" * 50, "", "… the rest does not fit a comment; `ccmcheck -v` shows it.", ""]


def test_a_terminal_wraps_under_the_value_and_breaks_no_name() -> None:
    facts = b.Facts(
        (b.LabelledValue("label", "a-long-name " * 9, "good", ("why",)), b.LabelledValue("longer one", "value"))
    )
    assert list(text.write([facts], 60)) == [
        "✓ label       a-long-name a-long-name a-long-name",
        "              a-long-name a-long-name a-long-name",
        "              a-long-name a-long-name a-long-name",
        "              why",
        "  longer one  value",
    ]


def test_a_short_comparison_is_one_line_and_a_long_one_two() -> None:
    rows = (
        b.PropertyRow("status", "a", "b"),
        b.PropertyRow("same", "c", "c"),
        b.PropertyRow("probes", "x" * 60, "y" * 60),
        b.PropertyRow("new", "", "n"),
    )
    assert list(text.write([b.PropertyTable("", rows, width=8)])) == [
        "status  a → b",
        "same    c",
        f"probes  {'x' * 60}",
        f"        → {'y' * 60}",
        "new     – → n",
    ]


def test_a_table_has_columns_and_dashes_for_nothing() -> None:
    table = b.Table("caption", ("", "value", "where"), (("a", "1", "here"), ("bcd", "", "there")))
    assert list(text.write([table])) == [
        "caption",
        "       value  where",
        "  a    1      here",
        "  bcd  –      there",
    ]
    assert list(markdown.write([table])) == [
        "**caption.**", "", "| | value | where |", "|---|---|---|", "| a | 1 | here |", "| bcd | – | there |", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://example.org/a_(b)", "[t](https://example.org/a_%28b%29)"),
        ("javascript:alert(1)", "t (javascript:alert(1))"),
        ("https://a b", "t (https://a b)"),
    ],
)
def test_only_an_address_of_the_web_is_a_link(url: str, said: str) -> None:
    assert next(markdown.write([b.Paragraph(b.Link("t", url))])) == said
