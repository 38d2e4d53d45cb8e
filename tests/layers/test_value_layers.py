"""Values over values, as Helm merges them, and values that are put at a path: what is there, and where it stands."""

from __future__ import annotations

import pytest

from ccmcheck.base.model import Span
from ccmcheck.layers.placed_values import Leaf, Map, PlacedReader, at, made, plain
from ccmcheck.layers.value_layers import laid_over, put_at
from ccmcheck.yamlio import YamlDocument, documents

PLACE = Span(90, 99)


def values(text: str, base: int = 0) -> Map:
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    assert document.root is not None
    tree = PlacedReader(text, base).read(document.root)
    assert isinstance(tree, Map)
    return tree


@pytest.mark.parametrize(
    ("below", "above", "deep", "shallow"),
    [
        ("{a: 1, b: 2}", "{b: 3}", {"a": 1, "b": 3}, {"a": 1, "b": 3}),
        ("{a: {b: 1, c: 2}}", "{a: {c: 3}}", {"a": {"b": 1, "c": 3}}, {"a": {"c": 3}}),
        ("{a: {b: 1}}", "{a: {b: null}, c: 2}", {"a": {}, "c": 2}, {"a": {"b": None}, "c": 2}),
        ("{a: 1}", "{a: null, b: 2}", {"b": 2}, {"b": 2}),
        ("{a: 1}", "{b: null, c: 2}", {"a": 1, "b": None, "c": 2}, {"a": 1, "b": None, "c": 2}),
        ("{a: {b: 1}}", "{a: 2}", {"a": 2}, {"a": 2}),
        ("{a: 1}", "{a: {b: 2}}", {"a": {"b": 2}}, {"a": {"b": 2}}),
        ("{a: [1, 2]}", "{a: [3]}", {"a": [3]}, {"a": [3]}),
    ],
)
def test_later_values_win(below: str, above: str, deep: object, shallow: object) -> None:
    layers = [values(below), values(above)]
    assert plain(laid_over(layers, PLACE)) == deep
    assert plain(laid_over(layers, PLACE, deep=False)) == shallow
    assert [plain(layer) for layer in layers] == [plain(values(text)) for text in (below, above)]


def test_what_is_no_mapping_sets_nothing() -> None:
    merged = laid_over([values("{a: 1}"), made("text", PLACE)], PLACE)
    assert (plain(merged), merged.place) == ({"a": 1}, PLACE)


def test_a_value_that_nobody_knows_takes_nothing_away() -> None:
    above = Map(PLACE)
    above["a"] = Leaf(None, "", PLACE, unknown=True)
    merged = laid_over([values("{a: 1}"), above], PLACE)
    unknown = merged["a"]
    assert isinstance(unknown, Leaf)
    assert unknown.unknown


def test_names_are_where_they_were_set_last() -> None:
    above = values("{b: 3, c: 4}", base=50)
    del above.names["c"]
    merged = laid_over([values("{a: 1, b: 2, c: 3}"), above], PLACE)
    assert merged.names == {"a": Span(1, 2), "b": Span(51, 52), "c": Span(13, 14)}


def test_a_value_is_put_at_a_path() -> None:
    tree = values("{a: {b: 1}, c: 2}")
    for path in ("a.d", "c.e.f", "c.e.g", "a.b"):
        put_at(tree, path, made(path, PLACE))
    assert plain(tree) == {"a": {"b": "a.b", "d": "a.d"}, "c": {"e": {"f": "c.e.f", "g": "c.e.g"}}}
    inner, around, other = at(tree, "c", "e"), at(tree, "c"), at(tree, "a")
    assert isinstance(inner, Map)
    assert isinstance(around, Map)
    assert isinstance(other, Map)
    assert inner.names == {"f": PLACE, "g": PLACE}
    assert around.names == {"e": PLACE}
    assert tree.names == {"a": Span(1, 2), "c": Span(12, 13)}
    assert other.names == {"b": PLACE, "d": PLACE}
    assert list(other.names) == ["d", "b"]
