"""What is set over defaults, and what templates make of it."""

from __future__ import annotations

import pytest
from test_value_layers import values

from ccmcheck.base.model import Span
from ccmcheck.layers.placed_settings import PlacedItems, PlacedSettings, PlacedValue
from ccmcheck.layers.placed_values import Leaf, List, Map, plain

PLACE = Span(900, 909)
"""Of the defaults."""
SET = "{a: {b: x, c: null}, on: true, off: false, n: 2, l: [1, 2], e: '', t: text}"
DEFAULTS: dict[str, object] = {
    "a": {"b": 1, "c": 2, "d": {"e": True}},
    "l": [3],
    "more": {"x": "y"},
    "no": False,
    "empty": "",
    "zero": 0,
}


def settings(*, is_complete: bool = True, text: str = SET) -> PlacedSettings:
    return PlacedSettings(values(text), DEFAULTS, PLACE, is_complete=is_complete)


def with_unknown(name: str = "u") -> PlacedSettings:
    tree = values(SET)
    tree[name] = Leaf(None, "", Span(5, 6), unknown=True)
    return PlacedSettings(tree, DEFAULTS, PLACE, is_complete=True)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("t", "text"),
        ("a.b", "x"),
        ("a.c", None),
        ("a.d.e", True),
        ("a", {"b": "x", "d": {"e": True}}),
        ("more", {"x": "y"}),
        ("more.x", "y"),
        ("no", None),
        ("empty", None),
        ("zero", 0),
        ("nowhere", None),
        ("t.u", None),
        ("more.x.z", None),
        ("l", [1, 2]),
    ],
)
def test_what_is_set_at_a_path(path: str, value: object) -> None:
    tree = settings().at(path)
    assert (plain(tree) if tree is not None else None) == value


def test_null_takes_defaults_away() -> None:
    assert settings(text="{a: null}").at("a.b") is None
    assert settings(text="{a: null}").at("a") is None


def test_below_what_nobody_knows_nobody_knows() -> None:
    inner = with_unknown("a").at("a.b")
    assert isinstance(inner, Leaf)
    assert inner.unknown
    merged = settings(is_complete=False).at("a")
    assert isinstance(merged, Map)
    assert plain(merged) == {"b": "x"}
    default = settings(is_complete=False).at("nowhere")
    assert isinstance(default, Leaf)
    assert default.unknown


def test_a_mapping_keeps_what_nobody_knows() -> None:
    tree = values("{a: {}}")
    inner = tree["a"]
    assert isinstance(inner, Map)
    inner["c"] = Leaf(None, "", Span(5, 6), unknown=True)
    inner["d"] = Leaf("s", "s", Span(5, 6))
    merged = PlacedSettings(tree, DEFAULTS, PLACE, is_complete=True).at("a")
    assert isinstance(merged, Map)
    assert set(merged) == {"b", "c", "d"}
    assert plain(merged["d"]) == "s"


def test_a_text_is_empty_where_there_is_none() -> None:
    found = settings()
    for path, text, unknown in (("t", "text", False), ("nowhere", "", False), ("a", "", True)):
        leaf = found.text(path)
        assert (leaf.text, leaf.unknown) == (text, unknown)


@pytest.mark.parametrize(
    ("path", "is_on"),
    [
        ("on", True),
        ("off", False),
        ("n", True),
        ("e", False),
        ("nowhere", False),
        ("l", True),
        ("a", True),
        ("zero", False),
    ],
)
def test_a_switch(path: str, *, is_on: bool) -> None:
    assert settings().is_on(path) is is_on


def test_a_switch_that_nobody_knows() -> None:
    assert with_unknown().is_on("u") is None
    assert settings(text="{l: []}").is_on("l") is False


def test_what_a_template_makes() -> None:
    own = Leaf("own", "own", Span(1, 2))
    made = settings().made(
        {
            "value": PlacedValue("t"),
            "gone": PlacedValue("nowhere"),
            "text": "{t}-{n}",
            "only": "{t}",
            "number": "{n}",
            "list": ["first", PlacedItems("l"), PlacedValue("nowhere"), PlacedItems("t")],
            "own": own,
            "plain": {"x": [True, 3]},
        }
    )
    assert isinstance(made, Map)
    assert plain(made) == {
        "value": "text",
        "text": "text-2",
        "only": "text",
        "number": "2",
        "list": ["first", 1, 2, "text"],
        "own": "own",
        "plain": {"x": [True, 3]},
    }
    assert made["own"] is own
    inner = made["plain"]
    assert isinstance(inner, Map)
    flags = inner["x"]
    assert isinstance(flags, List)
    assert [one.text for one in flags if isinstance(one, Leaf)] == ["true", "3"]


def test_a_text_stands_where_the_last_value_that_is_set_does() -> None:
    found = settings()
    places = {
        template: found.made(template) for template in ("{t}{n}", "{n}{zero}", "{zero}", "x", "{t}", "{n}", "{t}s")
    }
    texts = {template: leaf.place for template, leaf in places.items() if isinstance(leaf, Leaf)}
    number, text = Span(SET.index("2,"), SET.index("2,") + 1), Span(SET.index("text"), SET.index("text") + 4)
    assert texts == {
        "{t}{n}": number, "{n}{zero}": number, "{zero}": PLACE, "x": PLACE, "{t}": text, "{n}": number, "{t}s": text,
    }  # fmt: skip
    assert places["{t}"] is found.at("t")
    unknown = with_unknown()
    for template in ("{u}", "{u}{t}"):
        leaf = unknown.made(template)
        assert isinstance(leaf, Leaf)
        assert leaf.unknown
