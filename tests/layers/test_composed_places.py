"""A composed text in detail: where each place comes from, which changes are carried there, and which are refused.

A composed text is written with its pieces: ``«word»`` stands in the text around as it is, and ``‹WORD≔word›`` is computed
from what stands there. A change is written into it: ``⟦old→new⟧``.
"""

from __future__ import annotations

import re

import pytest

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.composed import Composed, ComposedPiece

SEVERAL = "what it changes is set in several places"
COMPUTED = "the value is computed from what stands there"


def composed(marked: str, outer: str) -> tuple[Composed, Edit]:
    """The layer, and the change that is written into it."""
    written = {"text": "", "source": "", "new": ""}
    pieces: list[ComposedPiece] = []
    into, begin, start, end = "text", 0, 0, 0
    for token in re.split("([«»‹≔›⟦→⟧])", marked):
        length = len(written["text"])
        match token:
            case "«" | "‹":
                begin = length
            case "≔":
                into, written["source"] = "source", ""
            case "»" | "›":
                word = written["text"][begin:] if token == "»" else written["source"]
                (there,) = re.finditer(rf"(?<!\w){word}(?!\w)", outer)
                pieces.append(ComposedPiece(begin, length, Span(*there.span()), token == "»"))
                into = "text"
            case "⟦":
                start = length
            case "→":
                into, end = "new", length
            case "⟧":
                into = "text"
            case _:
                written[into] += token
    return Composed(outer, written["text"], pieces), Edit(start, end, written["new"])


PLACES = "a: one two\nb: three\nc: four\n"
OF_PLACES = "x: «one» y: «two»\nz: ‹THREE≔three›\nc: «four»\n"


OUTER = """\
a: one two
spec:
      kind: k   # why

      list:
        - x: 11
          y: 22
      more: m n
"""
LAYER = "«spec»:\n  «kind»: «k»\n  «list»:\n  - «x»: «11»\n    «y»: «22»\n  «more»: «m n»\n"


@pytest.mark.parametrize(
    ("start", "end", "outer"),
    [
        (0, 1, (3, 3)),  # before the first piece
        (0, 4, (3, 4)),
        (3, 6, (3, 6)),
        (4, 5, (4, 5)),
        (6, 6, (6, 6)),
        (7, 9, (7, 7)),  # before a piece of the same line
        (8, 12, (7, 9)),
        (8, 8, (7, 7)),
        (13, 14, (10, 10)),  # the end of a line
        (14, 15, (14, 19)),
        (17, 19, (14, 19)),  # something computed, as a whole
        (22, 23, (14, 19)),
        (24, 25, (23, 23)),
        (26, 30, (23, 27)),
        (30, 31, (27, 27)),
        (31, 31, (27, 27)),  # the end of the text
        (3, 13, (3, 10)),
        (4, 12, (4, 9)),
        (3, 17, (3, 10)),
        (3, 18, (3, 19)),
        (3, 20, (3, 19)),
        (3, 30, (3, 27)),
        (10, 29, (7, 26)),
    ],
)
def test_where_a_place_comes_from(start: int, end: int, outer: tuple[int, int]) -> None:
    layer, _ = composed(OF_PLACES, PLACES)
    assert layer.outward(Span(start, end)) == outer


def test_the_end_of_a_line_is_behind_its_last_piece() -> None:
    layer, _ = composed(LAYER, OUTER)
    assert layer.text[5:7] == "\n "
    assert layer.outward(Span(5, 6)) == Span(15, 15)


def test_what_an_alias_writes_twice() -> None:
    layer, _ = composed("«one» «one»\n", PLACES)
    assert [layer.outward(Span(2, end)) for end in (5, 6, 7)] == [(5, 6), (5, 5), (5, 6)]


@pytest.mark.parametrize(
    ("marked", "outer"),
    [
        ("«four»\n«one»\n", (23, 27)),  # in another order
        ("«one» «four»\n", (3, 6)),  # on other lines
        ("«one»\n\n«four»\n", (3, 27)),
        ("«one» «two» «four»\n", (3, 6)),
        ("", (0, 0)),
    ],
)
def test_what_stands_apart_is_at_its_first_piece(marked: str, outer: tuple[int, int]) -> None:
    layer, _ = composed(marked, PLACES)
    assert layer.outward(Span(0, len(layer.text))) == outer


def in_layer(old: str, new: str) -> str:
    """The composed text with a change."""
    assert LAYER.count(old) == 1
    return LAYER.replace(old, new)


@pytest.mark.parametrize(
    ("marked", "old", "new"),
    [
        # within a piece
        ("a: «o⟦ne→NE⟧»\n", "one", "oNE"),
        ("a: «⟦one→⟧»\n", "one", ""),
        ("a: «one⟦→s⟧»\n", "one", "ones"),
        ("a: «⟦→x\n⟧one»\n", "one", "x\none"),
        ("a: «⟦one→x\ny⟧»\n", "one", "x\ny"),
        ("b: «two⟦→\nq: 1⟧»\n", "two", "two\nq: 1"),
        # between two pieces
        ("«one»⟦→+⟧«two»\n", "two", "+two"),
        ("«two»⟦→\n+⟧«one»\n", "two", "two\n+"),
        ("«two»⟦→\r+⟧«one»\n", "two", "two\r+"),
        ("«one»⟦  →⟧ «two»\n", None, ""),
        # lines that come
        (in_layer("«k»\n", "«k»\n⟦→  c: 3\n⟧"), "# why\n", "# why\n      c: 3\n"),
        (in_layer("«m n»\n", "«m n»\n⟦→  c: 3\n⟧"), "m n\n", "m n\n      c: 3\n"),
        ("b: «two»\n⟦→c: 3\n⟧d: «spec»\n", "two\n", "two\nc: 3\n"),
        # lines that go, and what is in them
        (in_layer("  «kind»: «k»\n", "⟦  «kind»: «k»\n→⟧"), "      kind: k   # why\n", ""),
        (in_layer("  «more»: «m n»\n", "⟦  «more»: «m n»\n→⟧"), "      more: m n\n", ""),
        (in_layer("  - «x»: «11»\n", "⟦  - «x»: «11»\n→⟧"), "        - x: 11\n", ""),
        (
            in_layer("  «kind»: «k»\n  «list»:\n", "⟦  «kind»: «k»\n  «list→    z⟧»:\n"),
            "      kind: k   # why\n\n      list:",
            "    z:",
        ),
        (in_layer("«kind»: «k»", "«k⟦ind»: «k→e⟧»"), "kind: k ", "ke "),
        (in_layer("«kind»: «k»", "«kind»⟦: «k→: z⟧»"), "kind: k ", "kind: z "),
        (in_layer("«11»\n    «y»", "«1⟦1»\n  →⟧  «y»"), "11\n          y", "1  y"),
        (in_layer("«11»\n    «y»", "«1⟦1»\n    →⟧«y»"), "11\n          y", "1y"),
    ],
)
def test_a_change_is_carried_to_its_place(marked: str, old: str | None, new: str) -> None:
    layer, edit = composed(marked, OUTER)
    if old is not None:
        assert OUTER.count(old) == 1
    assert apply(OUTER, layer.put([edit])) == (OUTER if old is None else OUTER.replace(old, new))


@pytest.mark.parametrize(
    ("outer", "marked", "expected"),
    [
        ("a: one\n", "⟦a: «one→b: 1⟧»", "b: 1\n"),
        ("a: one\n", "⟦a: →b: ⟧«one»\n", "b: one\n"),
        ("a: one\nb:   two\n", "⟦a: «one→c: 1⟧»\nb: «two»\n", "c: 1\nb:   two\n"),
        ("a: one\nspec: s\n", "⟦a: «one»\n→⟧«spec»: «s»\n", "spec: s\n"),
        ("a: one\nb: x\nc: y\n", "«a»: «one»\n⟦«b»: «x»\n→⟧«c»: «y»\n", "a: one\nc: y\n"),
        ("a: one # why\nb: x\nc: y\n", "«a»: «one»\n⟦«b»: «x»\n→⟧", "a: one # why\nc: y\n"),
        ("\na: one\n", "⟦a: «one»\n→⟧", "\n"),
        # the last line has no line end, or the file ends there
        ("a: one", "a: «one»\n⟦→c: 3\n⟧", "a: one\nc: 3"),
        ("a: one\x1f\nb: two\n", "a: «one»\n⟦→c: 3\n⟧", "a: one\nc: 3\x1f\nb: two\n"),
        ("a: one \x1f\nb: two\n", "⟦a: «one»\n→⟧", "\x1f\nb: two\n"),
        ("a: one\r\nb: two\n", "a: «one»\n⟦→c: 3\n⟧", "a: one\r\nc: 3\nb: two\n"),
    ],
)
def test_lines_at_the_ends_of_a_text(outer: str, marked: str, expected: str) -> None:
    layer, edit = composed(marked, outer)
    assert apply(outer, layer.put([edit])) == expected


@pytest.mark.parametrize(
    ("outer", "marked", "reason"),
    [
        (OUTER, "a: ‹K⟦1→2⟧≔k›\n", COMPUTED),
        (OUTER, "‹⟦K→2⟧≔k›\n", COMPUTED),
        (OUTER, "a: «one» ‹⟦K→2⟧≔k›\n", COMPUTED),
        # lines that come where something else follows
        (OUTER, "a: «one⟦→\nq: 1⟧»\n", SEVERAL),
        (OUTER, "⟦→c: 3\n⟧a: «one»\n", SEVERAL),
        (OUTER, "a: ‹TWO≔two›\n⟦→c: 3\n⟧  b: «k»\n", SEVERAL),
        (OUTER, "b: «two»!\n⟦→c: 3\n⟧ d: «k»\n", SEVERAL),
        (OUTER, in_layer("«spec»:\n", "«spec»:\n⟦→  c: 3\n⟧"), SEVERAL),
        # what begins or ends between pieces
        (OUTER, in_layer("«kind»: «k»", "«kind»:⟦ «k→ z⟧»"), SEVERAL),
        (OUTER, "⟦a→b⟧: «one»\n", SEVERAL),
        (OUTER, "«m n»\n⟦# x→⟧", SEVERAL),
        (OUTER, "«m n⟦»\n# x→⟧\n", SEVERAL),
        ("one\n", " ⟦ «one→x⟧»\n", SEVERAL),
        # what stands in another order, in another way, or in one line
        (OUTER, "⟦b: «two»\n→⟧c: «k»\n", SEVERAL),
        (OUTER, "a: «on⟦e»\nb: «t→⟧wo»\n", SEVERAL),
        (OUTER, "«two⟦» →⟧«one»\n", SEVERAL),
        (OUTER, "«one⟦»\n→⟧«kind»\n", SEVERAL),
        # what is computed at one end
        ("k: x\n", "‹k≔k›⟦: «x→: z⟧»\n", SEVERAL),
        ("kind: v\n", "«kin⟦d»: ‹v≔v›→⟧\n", SEVERAL),
        ("x: 11\n    y: 22\n", "«x»: «1⟦1»\n  →⟧  ‹y≔y›: 22\n", SEVERAL),
    ],
)
def test_a_change_is_refused(outer: str, marked: str, reason: str) -> None:
    layer, edit = composed(marked, outer)
    with pytest.raises(CannotEdit) as refused:
        layer.put([edit])
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("outer", "marked", "expected"),
    [
        # as the line itself, as a line above it, deeper than any, and less deep
        ("    a: one\n", "«a»: «one⟦→\nc: 3⟧»\n", "    a: one\n    c: 3\n"),
        ("\n    a: one\n", "«a»: «one⟦→\nc: 3⟧»\n", "\n    a: one\n    c: 3\n"),
        ("    a: one", "«a»: «one⟦→\nc: 3⟧»", "    a: one\n    c: 3"),
        ("    a: one\n", "«a»: «one⟦→\n  c: 3\n\n d⟧»\n", "    a: one\n      c: 3\n\n     d\n"),
        ("   a:\n        b: one\n", "«a»:\n  «b»: «one⟦→\nc: 3⟧»\n", "   a:\n        b: one\n   c: 3\n"),
        ("a:\n     b: x\nc: y\n", "«a»:\n  «b»: «x»\n«c»: «y⟦→\n  d: 3⟧»\n", "a:\n     b: x\nc: y\n  d: 3\n"),
        ("b: one\n", "    «b»: «one⟦→\n  c: 3\n     d: 4⟧»\n", "b: one\nc: 3\n d: 4\n"),
        # the first line stays where it is
        ("    a: one\n", "«a»: «one⟦→   x\n y⟧»\n", "    a: one   x\n     y\n"),
        # a line that begins with something computed says nothing
        ("   k: one\n", "‹K≔k›: «one⟦→\n  c: 3⟧»\n", "   k: one\n  c: 3\n"),
        ("  a: x\n     k: one\n", "«a»: «x»\n‹K≔k›: «one⟦→\nc: 3⟧»\n", "  a: x\n     k: one\n  c: 3\n"),
    ],
)
def test_lines_are_indented_as_those_around_them(outer: str, marked: str, expected: str) -> None:
    layer, edit = composed(marked, outer)
    assert apply(outer, layer.put([edit])) == expected


@pytest.mark.parametrize(("distance", "indent"), [(20, 7), (47, 7), (48, 2), (49, 2)])
@pytest.mark.parametrize("before", [0, 500])
def test_what_is_far_away_is_of_another_file(distance: int, indent: int, before: int) -> None:
    """The composed text has 12 characters; pieces that lie four times as far apart say nothing of each other."""
    outer = f"{'#' * before}\n       a: x\n#{'-' * (distance - 14)}\n    b: y\n"
    layer, edit = composed("«a»: «x»\n  «b»: «y⟦→\nc: 3⟧»\n", outer)
    assert (len(layer.text), outer.index("y") - outer.index("a")) == (12, distance)
    assert apply(outer, layer.put([edit])) == outer + " " * indent + "c: 3\n"


def test_what_a_change_begins_in_is_near() -> None:
    outer = f"       a: x\n#{'-' * 100}\n    b: y\n"
    layer, edit = composed("«a»: «x»\n  «b⟦»: «y→: y\nc: 3⟧»\n", outer)
    assert apply(outer, layer.put([edit])) == outer + "  c: 3\n"
