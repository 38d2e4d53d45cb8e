"""Values written as YAML: the text, what it reads as, and which parts of it are those of the text around."""

from __future__ import annotations

import pytest
import yaml

from ccmcheck.base.errors import TooLarge
from ccmcheck.base.model import Span
from ccmcheck.layers import placed_writer
from ccmcheck.layers.placed_values import Leaf, Line, List, Map, PlacedReader, Tree, made, plain, whole_text
from ccmcheck.layers.placed_writer import write
from ccmcheck.yamlio import YamlDocument, documents

OUTER = "abc: de 'f': gh\n  ij\n"
PLACE = Span(5, 7)
"""Of ``de``."""


def tree_of(value: object) -> Tree:
    """Values that are made, and stand nowhere."""
    if isinstance(value, dict):
        tree = Map(PLACE)
        for name, below in value.items():
            tree.put(name, tree_of(below))
        return tree
    if isinstance(value, list):
        items = List(PLACE)
        items.extend(map(tree_of, value))
        return items
    return value if isinstance(value, Leaf) else Leaf(value, "" if value is None else str(value), PLACE)


def written(value: dict[str, object]) -> str:
    tree = tree_of(value)
    assert isinstance(tree, Map)
    return write(tree, OUTER).layer.text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": {}}, "a: {}\n"),
        ({"a": []}, "a: []\n"),
        ({"a": {"b": {"c": 1}}, "d": 2}, "a:\n  b:\n    c: 1\nd: 2\n"),
        ({"a": [1, {}, [], {"b": 2, "c": {"d": 3}}]}, "a:\n- 1\n- {}\n- []\n- b: 2\n  c:\n    d: 3\n"),
        ({"a": {"b": [[1, [2]], [3]]}}, "a:\n  b:\n  - \n    - 1\n    - \n      - 2\n  - \n    - 3\n"),
        ({"a": None, "b": True, "c": False, "d": 1.5}, "a: null\nb: true\nc: false\nd: 1.5\n"),
        ({"a": "True", "b": "1", "c": "x y", "d": ""}, 'a: "True"\nb: "1"\nc: "x y"\nd: ""\n'),
        ({"a": '"\\\t\r'}, 'a: "\\"\\\\\\t\\r"\n'),
        ({"a": "é\x07\x85\U0001f600"}, 'a: "é\\U00000007\\U00000085😀"\n'),
        ({"a": "x\r\ny"}, 'a: "x\\r\\ny"\n'),
        ({"a": "x\n\x07"}, 'a: "x\\n\\U00000007"\n'),
        ({"é": 1, "a b": 2, "": 3, "x/y.z-1_": 4, "1": 5}, '"é": 1\n"a b": 2\n"": 3\nx/y.z-1_: 4\n"1": 5\n'),
        ({"a": "x\ny"}, "a: |2-\n  x\n  y\n"),
        ({"a": "x\n\n  y\n"}, "a: |2\n  x\n\n    y\n"),
        ({"a": {"b": "x\n\n"}}, "a:\n  b: |2+\n    x\n\n"),
        ({"a": "\n"}, "a: |2+\n\n"),
        ({"a": ["x\n", "y"]}, 'a:\n- |2\n  x\n- "y"\n'),
    ],
)
def test_values_that_stand_nowhere(value: dict[str, object], text: str) -> None:
    assert written(value) == text
    assert yaml.safe_load(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: [x, 'y', \"z\"]\nc:\n- {d: ''}\n- - e\n",
        "'a': 1\n\"b\": 2\n'c d': 3\n? |\n  e\n: 4\n'f''g': 5\n",
        "a: |\n  x\n   y\n\n  z\nb: >\n  x\n  y\nc: |+\n  x\n\n",
        "a: !!str 12\nb: !!str x\nc: &x y\nd: *x\ne: ~\nf: 'x\n  y'\ng: \"a\\nb\"\nh: x\n  y\n",
        "a: 'it''s'\nb: \"a\\tb\"\nc: yes\nd: 0x10\ne: 'x\n\n  y'\n",
    ],
)
def test_what_is_read_is_written_with_its_places(text: str) -> None:
    """It reads as the same, and each verbatim piece is the text at its place."""
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    tree = PlacedReader(text).read(document.root)  # type: ignore[arg-type]  # there is one
    assert isinstance(tree, Map)
    layer = write(tree, text).layer
    (again,) = documents(layer.text)
    assert isinstance(again, YamlDocument)
    assert plain(PlacedReader(layer.text).read(again.root)) == plain(tree)  # type: ignore[arg-type]  # there is one
    for piece in layer.pieces:
        if piece.verbatim:
            assert layer.text[piece.start : piece.end] == text[slice(*piece.outer)]


@pytest.mark.parametrize(
    ("leaf", "text", "pieces"),
    [
        (Leaf(None, "", PLACE), "null", [(0, 4, PLACE, False)]),
        (Leaf(True, "yes", PLACE), "true", [(0, 4, PLACE, False)]),
        (Leaf(12, "12", PLACE), "12", [(0, 2, PLACE, False)]),
        (Leaf(31, "0x1F", PLACE), "0x1F", [(0, 4, PLACE, False)]),
        (Leaf("de", "de", PLACE, raw="de"), "de", [(0, 2, PLACE, True)]),
        (made("x", PLACE), '"x"', [(0, 3, PLACE, False)]),
        (Leaf("de", "de", Span(4, 8), lines=(Line(0, 2, 5),)), '"de"', [(1, 3, PLACE, True)]),
        (Leaf("de", "de", PLACE, lines=(Line(0, 1, 5),)), '"de"', [(0, 4, PLACE, False)]),
        (Leaf("fgh", "fgh", PLACE, lines=(Line(1, 2, 6),)), '"fgh"', [(0, 5, PLACE, False)]),
        (Leaf("de", "de", PLACE, lines=(Line(1, 2, 6),)), '"de"', [(0, 4, PLACE, False)]),
        (Leaf("de", "de", PLACE, lines=(Line(0, 2, 5), Line(2, 2, 7))), '"de"', [(0, 4, PLACE, False)]),
        (Leaf('d"', 'd"', PLACE, lines=(Line(0, 2, 5),)), '"d\\""', [(0, 5, PLACE, False)]),
        (
            Leaf("gh\nx\nij", "gh\nx\nij", PLACE, lines=(Line(0, 2, 13), Line(3, 3, 5), Line(5, 7, 18))),
            "|2-\n  gh\n  x\n  ij",
            [(6, 8, Span(13, 15), True), (11, 12, PLACE, False), (15, 17, Span(18, 20), True)],
        ),
        (Leaf("x", "x", PLACE, unknown=True), "unknown", [(0, 7, PLACE, False)]),
        (Leaf("x", "x", PLACE, raw="${X}", unknown=True), "${X}", [(0, 4, PLACE, False)]),
    ],
)
def test_the_pieces_of_a_value(leaf: Leaf, text: str, pieces: list[tuple[int, int, Span, bool]]) -> None:
    tree = Map(PLACE)
    tree.put("a", leaf)
    found = write(tree, OUTER)
    assert found.layer.text == f"a: {text}\n"
    assert [(start - 3, end - 3, outer, verbatim) for start, end, outer, verbatim in found.layer.pieces] == pieces
    assert [mark.span for mark in found.unknown] == ([Span(3, 3 + len(text))] if leaf.unknown else [])


@pytest.mark.parametrize(
    ("name", "place", "text", "verbatim"),
    [
        ("abc", Span(0, 3), "abc", True),
        ("f", Span(8, 11), "'f'", True),
        ("f", Span(0, 3), "f", False),
        ("f g", Span(0, 3), '"f g"', False),
        ("gh\n  ij", Span(13, 20), '"gh\\n  ij"', False),
        ("x", None, "x", None),
        ("x y", None, '"x y"', None),
    ],
)
def test_the_piece_of_a_name(name: str, place: Span | None, text: str, verbatim: bool | None) -> None:
    tree = Map(PLACE)
    tree.put(name, List(PLACE), place)
    layer = write(tree, OUTER).layer
    assert layer.text == f"{text}: []\n"
    assert layer.pieces == (() if verbatim is None else ((0, len(text), place, verbatim),))


def test_a_whole_text_keeps_its_lines() -> None:
    tree = Map(PLACE)
    tree.put("a", whole_text("x\n\nyz\n", 100))
    layer = write(tree, OUTER).layer
    assert layer.text == "a: |2\n  x\n\n  yz\n"
    assert layer.pieces == ((8, 9, Span(100, 101), True), (13, 15, Span(103, 105), True))


def test_a_text_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placed_writer, "MOST_WRITTEN", len('a: "x"\n'))
    assert written({"a": "x"}) == 'a: "x"\n'
    with pytest.raises(TooLarge, match="an object that a kustomization builds is too large"):
        written({"a": "xy"})
