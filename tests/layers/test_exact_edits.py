"""What each layer makes of a change, exactly: no more of the text around is replaced than the change needs."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import Layer
from ccmcheck.layers.block import BlockText
from ccmcheck.layers.encoded import base64_layer
from ccmcheck.layers.quoted import Quoted, double_quoted
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.unescaped import Unescaped
from ccmcheck.layers.unindented import common_blanks, leading_tabs, unindented
from ccmcheck.layers.variables import Variables
from ccmcheck.yamlio import Scalar, YamlDocument, documents, field, marks

if TYPE_CHECKING:
    from collections.abc import Callable

Change = tuple[int, int, str]


def scalar_of(text: str) -> Layer:
    """The layer of the first value of a mapping, or of a document that is a scalar."""
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    node = document.root if isinstance(document.root, Scalar) else field(document.root, "key")
    assert isinstance(node, Scalar)
    return scalar_layer(node, text)


def put(layer: Layer, *changes: Change) -> list[Change]:
    return [(edit.start, edit.end, edit.text) for edit in layer.put([Edit(*change) for change in changes])]


BLOCK = "key: |\n  a=1\n\n  b=2\n"


@pytest.mark.parametrize(
    ("change", "carried"),
    [
        ((0, 4, ""), (7, 13, "")),
        ((0, 3, "c"), (9, 12, "c")),
        ((0, 0, "c\n"), (7, 7, "  c\n")),
        ((3, 3, "\nc"), (12, 12, "\n  c")),
        ((4, 4, "c\n"), (13, 13, "  c\n")),
        ((4, 5, ""), (13, 14, "")),
        ((4, 5, "x\n\n"), (13, 14, "  x\n\n")),
        ((5, 9, "x\ny\n"), (16, 20, "x\n  y\n")),
        ((9, 9, "c\n"), (20, 20, "  c\n")),
        ((1, 6, ""), (10, 17, "")),
        ((1, 6, "\n"), (10, 17, "\n  ")),
        ((6, 9, "\n"), (17, 20, "\n")),
        ((3, 5, "\n"), (12, 14, "\n")),
        ((0, 5, "c\n"), (9, 14, "c\n")),
        ((2, 5, "c\n"), (11, 14, "c\n")),
        ((0, 6, "\n"), (7, 17, "\n  ")),
        ((0, 1, "\nx"), (7, 10, "\n  x")),
        ((0, 9, "z\n"), (9, 20, "z\n")),
        ((0, 1, "x\n"), (9, 10, "x\n  ")),
        ((0, 0, "x"), (9, 9, "x")),
        ((1, 2, "\n"), (10, 11, "\n  ")),
        ((1, 3, "\n"), (10, 12, "\n")),
        ((2, 5, ""), (11, 16, "")),
    ],
)
def test_a_literal_block(change: Change, carried: Change) -> None:
    assert put(scalar_of(BLOCK), change) == [carried]


HEREDOC = "x\n\ta\n\n\t\tb\nc\n"
"""From its second line on: ``a``, nothing, ``b`` with another margin, ``c`` without one."""


@pytest.mark.parametrize(
    ("changes", "carried"),
    [
        ([(0, 2, "")], [(2, 5, "")]),
        ([(0, 1, "c")], [(3, 4, "c")]),
        ([(0, 0, "c\n")], [(2, 2, "\tc\n")]),
        ([(1, 1, "\nc")], [(4, 4, "\n\tc")]),
        ([(2, 2, "c\n")], [(5, 5, "\tc\n")]),
        ([(2, 3, "")], [(5, 6, "")]),
        ([(2, 3, "x\n\n")], [(5, 6, "\tx\n\n")]),
        ([(3, 5, "")], [(6, 10, "")]),
        ([(3, 3, "c\nd\n")], [(6, 6, "\t\tc\n\t\td\n")]),
        ([(4, 4, "\n")], [(9, 9, "\n")]),
        ([(3, 4, "x\ny")], [(8, 9, "x\n\t\ty")]),
        ([(3, 4, "x\n")], [(8, 9, "x\n")]),
        ([(5, 6, "d")], [(10, 11, "d")]),
        ([(5, 5, "d\n")], [(10, 10, "d\n")]),
        ([(7, 7, "e\n")], [(12, 12, "e\n")]),
        ([(0, 7, "z\n")], [(3, 12, "z\n")]),
        ([(1, 4, "\n")], [(4, 9, "\n")]),
        ([(1, 3, "")], [(4, 8, "")]),
        ([(0, 0, "p"), (1, 1, "q"), (3, 4, "r")], [(3, 4, "paq"), (8, 9, "r")]),
        ([(0, 1, "p"), (3, 3, "q"), (4, 4, "r"), (6, 6, "s")], [(3, 4, "p"), (8, 9, "qbr"), (11, 11, "s")]),
    ],
)
def test_lines_without_their_margins(changes: list[Change], carried: list[Change]) -> None:
    layer = unindented(HEREDOC, Span(2, len(HEREDOC)), "heredoc", leading_tabs)
    assert layer.text == "a\n\nb\nc\n"
    assert put(layer, *changes) == carried


@pytest.mark.parametrize(
    ("outer", "change", "carried"),
    [
        ("\n  a\n", (0, 0, "b\n"), (0, 0, "  b\n")),  # as the lines below it, where none above has text
        ("\n\n  a\n b\n", (0, 1, "c\n"), (0, 1, " c\n")),
        ("  a\n\n", (2, 2, "b\n"), (4, 4, "  b\n")),
        ("  ab\n", (1, 1, "\n"), (3, 3, "\n  ")),  # the rest of the line gets a margin
        ("  ab\r\n", (2, 2, "\n"), (4, 4, "\n")),
        ("  ab\n", (0, 1, "\n"), (0, 3, "\n  ")),
        ("  a\n  bcd\n", (0, 4, "x\n"), (2, 8, "x\n  ")),
        ("  ab\n  c\n", (1, 3, "x\n"), (3, 5, "x\n")),
    ],
)
def test_the_margin_of_new_lines(outer: str, change: Change, carried: Change) -> None:
    assert put(unindented(outer, Span(0, len(outer)), "fenced text", common_blanks), change) == [carried]


@pytest.mark.parametrize(
    ("lines", "margins"),
    [
        (["  a", " \tb", "", " "], [2, 2, 0, 1]),
        (["   a", " b"], [1, 1]),
        (["", " "], [0, 0]),
        (["a", " b"], [0, 0]),
    ],
)
def test_the_margin_that_lines_share(lines: list[str], margins: list[int]) -> None:
    assert common_blanks(lines) == margins


def test_new_lines_have_the_margin_of_the_nearest_text() -> None:
    layer = unindented("\n\ta\n\t\tb", Span(0, 8), "heredoc", leading_tabs)
    assert put(layer, (0, 0, "x\n")) == [(0, 0, "\tx\n")]
    assert put(layer) == []


def test_what_is_left_of_a_line_that_joins_an_empty_one() -> None:
    layer = unindented("\tab\n\n\tcd\n", Span(0, 9), "heredoc", leading_tabs)
    assert put(layer, (3, 5, "")) == [(4, 7, "\t")]


def test_lines_without_margins_are_a_slice() -> None:
    layer = unindented("x\na\n b\n", Span(2, 7), "heredoc", leading_tabs)
    assert isinstance(layer, Slice)
    assert (layer.text, layer.kind) == ("a\n b\n", "heredoc")


def test_a_change_of_lines_that_cannot_be_carried() -> None:
    layer = unindented("\ta\n", Span(0, 3), "heredoc", leading_tabs)
    with pytest.raises(CannotEdit, match="a change lies outside the text") as refused:
        layer.put([Edit(0, 3, "")])
    assert refused.type is CannotEdit
    with pytest.raises(CannotEdit, match="the indentation of the lines cannot hold the new text"):
        layer.put([Edit(0, 0, "\t")])


@pytest.mark.parametrize(
    ("make", "start", "end", "outer"),
    [
        (lambda: scalar_of("key: |\n  a\n  b\n"), 2, 2, (13, 13)),
        (lambda: scalar_of("key: |\n  a\n  b\n"), 0, 2, (9, 11)),
        (lambda: scalar_of("key: |\n  a\x85  b\nx: 1\n"), 0, 1, (5, 15)),
        (lambda: unindented("\ta\n\tb\n", Span(0, 6), "heredoc", leading_tabs), 2, 2, (4, 4)),
        (lambda: unindented("\ta\n\tb\n", Span(0, 6), "heredoc", leading_tabs), 0, 2, (1, 3)),
        (lambda: unindented("\ta\n\tb\n", Span(0, 6), "heredoc", leading_tabs), 0, 3, (1, 5)),
        (lambda: scalar_of('key: "a\\nb"\n'), 1, 1, (7, 7)),
        (lambda: scalar_of('key: "a\\nb"\n'), 3, 3, (10, 10)),
        (lambda: scalar_of('key: "a\\n"\n'), 2, 2, (9, 9)),
        (lambda: Unescaped("abc\\$", "$"), 1, 2, (1, 2)),
        (lambda: scalar_of("key: 'a\u2028  b'\n"), 0, 1, (5, 12)),
    ],
)
def test_places(make: Callable[[], Layer], start: int, end: int, outer: tuple[int, int]) -> None:
    assert make().outward(Span(start, end)) == outer


def shell() -> Unescaped:
    layer = Unescaped("a\\$b\\\nc\\d", "$`")
    assert layer.text == "a$bc\\d"
    return layer


def variables() -> Variables:
    layer = Variables("${X}b${X}", [(mark, "12") for mark in marks.find("${X}b${X}")])
    assert layer.text == "12b12"
    return layer


@pytest.mark.parametrize(
    ("make", "start", "end", "outer"),
    [
        (shell, 0, 1, (0, 1)),
        (shell, 1, 1, (1, 1)),
        (shell, 1, 2, (1, 3)),
        (shell, 2, 3, (3, 4)),
        (shell, 3, 3, (6, 6)),
        (shell, 3, 4, (6, 7)),
        (shell, 2, 5, (3, 8)),
        (shell, 6, 6, (9, 9)),
        (variables, 0, 1, (0, 4)),
        (variables, 2, 3, (4, 5)),
        (variables, 5, 5, (9, 9)),
    ],
)
def test_places_between_escapes_and_values(
    make: Callable[[], Layer], start: int, end: int, outer: tuple[int, int]
) -> None:
    assert make().outward(Span(start, end)) == outer


@pytest.mark.parametrize(
    ("change", "carried"),
    [
        ((2, 3, "x$\\"), (3, 4, "x\\$\\\\")),
        ((1, 2, ""), (1, 3, "")),
        ((2, 4, "\n"), (3, 7, "\n")),
        ((6, 6, "`"), (9, 9, "\\`")),
    ],
)
def test_shell_text(change: Change, carried: Change) -> None:
    assert put(shell(), change) == [carried]
    assert put(shell()) == []


@pytest.mark.parametrize(("outer", "change"), [("a\\b", (2, 3, "\n")), ("a\\d$", (2, 3, ""))])
def test_what_the_shell_would_read_in_another_way(outer: str, change: Change) -> None:
    with pytest.raises(CannotEdit, match="the shell would read the new text in another way"):
        put(Unescaped(outer, "$"), change)


@pytest.mark.parametrize("change", [(0, 1, ""), (1, 1, "x"), (3, 4, ""), (0, 5, "")])
def test_a_value_of_a_variable_stays(change: Change) -> None:
    with pytest.raises(CannotEdit, match="the text that would change comes from a variable"):
        put(variables(), change)
    assert put(variables(), (0, 0, "a"), (2, 3, "c"), (5, 5, "d")) == [(0, 0, "a"), (4, 5, "c"), (9, 9, "d")]


@pytest.mark.parametrize(
    ("text", "changes", "carried"),
    [
        ('key: "abc"\n', [(1, 2, "x")], [(7, 8, "x")]),
        ("key: 'abc'\n", [(1, 1, "'")], [(7, 7, "''")]),
        ("key: 'abc'\n", [(1, 2, "\t")], [(5, 10, '"a\\tc"')]),
        ("key: 'abc'\n", [(1, 2, "\x07")], [(5, 10, '"a\\u0007c"')]),
        ("key: 'a\u2028  b'\n", [(0, 1, "c")], [(5, 12, '"c\\u2028b"')]),
        # a change within an escape or a fold takes all of it
        ('key: "a\n\n\n  b"\n', [(1, 2, "")], [(7, 12, "\\n")]),
        ('key: "a\n\n\n  b"\n', [(2, 3, "y")], [(7, 12, "\\ny")]),
        ('key: "a\n\n\n  b"\n', [(2, 4, "y")], [(7, 13, "\\ny")]),
        ('key: "a\n\n\n  b"\n', [(0, 2, "y")], [(6, 12, "y\\n")]),
        ('key: "a\n\n\n  b"\n', [(2, 2, "y")], [(7, 12, "\\ny\\n")]),
        ('key: "\n\n\n  b"\n', [(1, 1, "y")], [(6, 11, "\\ny\\n")]),
        ('key: "a\n\n\n  b"\n', [(1, 2, "x"), (2, 3, "y")], [(5, 14, '"axyb"')]),
    ],
)
def test_quoted_scalars(text: str, changes: list[Change], carried: list[Change]) -> None:
    assert put(scalar_of(text), *changes) == carried


def test_strings_of_other_languages() -> None:
    assert double_quoted('x "a\\q"', Span(2, 7)) is None
    layer = double_quoted('x "a\\tb"', Span(2, 8))
    assert layer is not None
    assert (layer.text, put(layer, (2, 3, '"'))) == ("a\tb", [(6, 7, '\\"')])
    unknown = Quoted('"a\\q"', Span(0, 5), "a?")
    assert (unknown.exact, unknown.outward(Span(0, 1)), put(unknown, (0, 1, "b"))) == (False, (0, 5), [(0, 5, '"b?"')])


@pytest.mark.parametrize("text", ["key: &x 'a'\n", "key: &x |\n  a\n", "key: &x a\n"])
def test_a_scalar_with_an_anchor_stays(text: str) -> None:
    with pytest.raises(CannotEdit, match="the scalar has an anchor"):
        put(scalar_of(text), (0, 1, "b"))


def test_a_value_after_a_short_key() -> None:
    (document,) = documents("a:\n")
    assert isinstance(document, YamlDocument)
    node = field(document.root, "a")
    assert isinstance(node, Scalar)
    assert put(scalar_layer(node, "a:\n"), (0, 0, "b")) == [(2, 2, " b")]


def test_a_plain_scalar_over_lines_that_is_as_long_as_its_value() -> None:
    layer = scalar_of("--- a\nb\n")
    assert (layer.text, layer.exact) == ("a b", False)


def test_bytes_that_would_join_to_a_character() -> None:
    layer = base64_layer(base64.b64encode(b"\xc3x\xa9").decode())
    assert layer is not None
    with pytest.raises(CannotEdit, match="the text holds bytes that are not UTF-8, and the change would join them"):
        put(layer, (1, 2, ""))


def test_base64_without_its_padding() -> None:
    layer = base64_layer("W2FdCg")
    assert layer is not None
    assert (layer.text, layer.padded) == ("[a]\n", False)


@pytest.mark.parametrize(
    ("raw", "indent", "value"),
    [
        ("|\n  a\n b\n", 2, None),  # it ends at `b`
        ("|\n  a\n \n   b\n", 2, "a\n\n b\n"),
        ("|\n   a\n", 2, None),  # it is indented by three
        ("|2\n   a\n", 2, " a\n"),
        ("|+\n  a\n\n", 2, "a\n\n"),
        ("|-\n  a\n\n", 2, "a"),
        ("|\n  a\n\n", 2, "a\n"),
        ("|", 2, ""),
    ],
)
def test_the_value_of_a_block(raw: str, indent: int, value: str | None) -> None:
    assert BlockText(raw).value(indent) == value


def test_the_line_end_of_a_block() -> None:
    assert [BlockText(raw).newline for raw in ("|\r\n", "|-\r\n  a\r\n", "|\n  a\r\n", "|")] == [
        "\r\n",
        "\r\n",
        "\n",
        "\n",
    ]


def test_a_block_with_line_ends_that_only_yaml_has() -> None:
    layer = scalar_of("key: |\n  a\u2028\n  b\n")
    assert (layer.text, layer.exact) == ("a\u2028\nb\n", False)


@pytest.mark.parametrize(
    ("text", "change", "carried"),
    [
        ("\n  key: |\n", (0, 0, "x\n"), (10, 10, "    x\n")),
        ("key: |\n  a\n  ", (2, 2, "b\n"), (11, 11, "  b\n")),
        ("key: |+\n  a=1\n", (1, 3, "\n"), (11, 13, "\n")),
        ("key: |\n  ", (0, 0, "x"), (9, 9, "x")),
    ],
)
def test_a_block_at_the_end_of_a_text(text: str, change: Change, carried: Change) -> None:
    assert put(scalar_of(text), change) == [carried]
