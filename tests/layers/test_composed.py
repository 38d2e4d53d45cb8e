"""A composed text: places lead to the pieces, and changes that the pieces can carry give the same text again."""

from __future__ import annotations

import pytest

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.composed import Composed
from ccmcheck.layers.placed_values import Map, PlacedReader
from ccmcheck.layers.placed_writer import write
from ccmcheck.yamlio import documents

OUTER = """\
name:   web
spec:
      kind: a   # why
      text: |
            one
              two

            three
      items:
      - x: 1
        y: "two"
      - z
"""


def composed(text: str = OUTER) -> Composed:
    """A text of values that are written anew, with the indentation of the writer."""
    (document,) = documents(text)
    tree = PlacedReader(text).read(document.root)  # type: ignore[union-attr, arg-type]
    assert isinstance(tree, Map)
    return write(tree, text).layer


def test_it_reads_as_what_it_is_made_from() -> None:
    assert composed().text == (
        "name: web\nspec:\n  kind: a\n  text: |2\n    one\n      two\n\n    three\n  items:\n  - x: 1\n"
        '    y: "two"\n  - z\n'
    )


@pytest.mark.parametrize(
    "word", ["name", "web", "kind", "a", "text", "one", "two", "three", "items", "x", '"two"', "z"]
)
def test_a_place_leads_to_the_same_word(word: str) -> None:
    layer = composed()
    start = layer.text.index(word)
    low, high = layer.outward(Span(start, start + len(word)))
    assert OUTER[low:high] == word


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("web", "shop", OUTER.replace("web", "shop")),
        ('"two"', '"three"', OUTER.replace('"two"', '"three"')),
        ("      two\n", "", OUTER.replace("              two\n", "")),
        ("  kind: a\n", "", OUTER.replace("      kind: a   # why\n", "")),
        ("z", "z\n  - more", OUTER.replace("- z", "- z\n      - more")),
        ("one\n", "one\n    half\n", OUTER.replace("one\n", "one\n            half\n")),
    ],
)
def test_a_change_is_made_where_the_text_comes_from(old: str, new: str, expected: str) -> None:
    layer = composed()
    start = layer.text.index(old)
    edits = layer.put([Edit(start, start + len(old), new)])
    assert apply(OUTER, edits) == expected
    assert composed(apply(OUTER, edits)).text == layer.text.replace(old, new, 1)


@pytest.mark.parametrize(("start", "end"), [(0, 12), (3, 8)])
def test_a_change_of_what_stands_apart_is_refused(start: int, end: int) -> None:
    outer = "b: 2\n--\na: 1\n"
    (document,) = documents("a: 1\nb: 2\n")
    assert document is not None
    first, second = Span(8, 12), Span(0, 4)
    from ccmcheck.layers.composed import ComposedPiece

    layer = Composed(outer, "a: 1\nb: 2\n", [ComposedPiece(0, 4, first, True), ComposedPiece(5, 9, second, True)])
    with pytest.raises(CannotEdit):
        layer.put([Edit(start, min(end, 10), "x")])
    assert layer.put([]) == []


def test_a_computed_value_is_not_edited() -> None:
    from ccmcheck.layers.composed import ComposedPiece

    layer = Composed("a", "name: pre-a\n", [ComposedPiece(6, 11, Span(0, 1), False)])
    assert layer.outward(Span(6, 11)) == Span(0, 1)
    with pytest.raises(CannotEdit):
        layer.put([Edit(6, 11, "b")])


@pytest.mark.parametrize("step", [2, 4])
@pytest.mark.parametrize("dash", [0, 2, 4])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("two", "two\n  - x: 3\n    y: 4"),
        ("    y: two\n", "    y: two\n  -\n    x: 3\n"),
        ("    y: two\n", "    y: two\n    more:\n      a: 1\n    z: 2\n"),
        ("    y: two\n", "    y: two\n    more:\n    - a: 1\n      b: 2\n    - c\n    z: 2\n"),
        ("  last: z\n", "  - more\n  last: z\n"),
        ("  last: z\n", "  - a: 1\n    b:\n      c: 2\n  last: z\n"),
        ("last: z\n", "last: z\n  new:\n  - a: 1\n    b: 2\n"),
        ("last: z", "last: z\n  new:\n  - a\n  - b: 1\n    c: 2\n  newer: 1"),
        ("last: z", "last: z\nbeside:\n- a: 1\n  b: 2"),
    ],
)
def test_lines_that_are_added_are_what_they_are_inside(old: str, new: str, step: int, dash: int) -> None:
    """Whatever the columns of keys and of dashes are in the file."""
    of_key, of_dash = " " * step, " " * (step + dash)
    outer = f"spec:\n{of_key}items:\n{of_dash}- x: 1\n{of_dash}  y: two\n{of_key}last: z\n"
    layer = composed(outer)
    assert layer.text == "spec:\n  items:\n  - x: 1\n    y: two\n  last: z\n"
    start = layer.text.index(old)
    edit = Edit(start, start + len(old), new)
    changed = apply(outer, layer.put([edit]))
    assert composed(changed).text == composed(apply(layer.text, [edit])).text
