"""Values that know their places: what is read, where each stands, and what parts and copies keep of that."""

from __future__ import annotations

import pytest

from ccmcheck.base.errors import TooLarge
from ccmcheck.base.model import Span
from ccmcheck.layers import placed_values
from ccmcheck.layers.placed_values import (
    Leaf,
    Line,
    List,
    Map,
    PlacedReader,
    Tree,
    at,
    copied,
    line_at,
    made,
    part,
    plain,
    size_of,
    text_at,
    whole_text,
)
from ccmcheck.yamlio import YamlDocument, YamlNode, documents

NOWHERE = Span(0, 0)


def root_of(text: str) -> YamlNode:
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    assert document.root is not None
    return document.root


def read(text: str, base: int = 0) -> Tree:
    return PlacedReader(text, base).read(root_of(text))


def leaf_of(text: str, *names: str, base: int = 0) -> Leaf:
    leaf = at(read(text, base), *(names or ("key",)))
    assert isinstance(leaf, Leaf)
    return leaf


def map_of(text: str) -> Map:
    tree = read(text)
    assert isinstance(tree, Map)
    return tree


TEXT = """\
a: 1
b: [x, {c: true}, []]
d:
  e: "f"
g:
"""
DATA = {"a": 1, "b": ["x", {"c": True}, []], "d": {"e": "f"}, "g": None}


def test_the_data() -> None:
    assert plain(read(TEXT)) == DATA


@pytest.mark.parametrize("base", [0, 100])
def test_places_count_in_the_text_around(base: int) -> None:
    tree = read(TEXT, base)
    assert isinstance(tree, Map)
    assert isinstance(tree["b"], List)
    assert isinstance(tree["d"], Map)
    places = {
        "a": tree.names["a"],
        "[x, {c: true}, []]": tree["b"].place,
        "e": tree["d"].names["e"],
        '"f"': leaf_of(TEXT, "d", "e", base=base).place,
        "1": leaf_of(TEXT, "a", base=base).place,
    }
    assert {TEXT[place.start - base : place.end - base] for place in places.values()} == set(places)
    assert tree.names["d"] == Span(base + TEXT.index("d:"), base + TEXT.index("d:") + 1)


@pytest.mark.parametrize(
    ("text", "value", "raw", "lines"),
    [
        ("key: 12\n", 12, "12", [(0, 2, 5)]),
        ("key: a b\n", "a b", "a b", [(0, 3, 5)]),
        ("key:\n", None, "", [(0, 0, 4)]),
        ("key: ab\n  c\n", "ab c", "", []),
        ("key: 'a b'\n", "a b", "'a b'", [(0, 3, 6)]),
        ('key: "a\\tb"\n', "a\tb", '"a\\tb"', []),
        ('key: "a\n  b"\n', "a b", "", []),
        ('key: "a\\n\\\n  b"\n', "a\nb", "", [(0, 1, 6), (2, 3, 13)]),
        ("key: |\n  a\n  bc\n", "a\nbc\n", "", [(0, 1, 9), (2, 4, 13), (5, 5, 16)]),
        ("key: >\n  a\n  b\n", "a b\n", "", []),
        ("key: &x 12\n", 12, "", [(0, 2, 8)]),
        ("key: !!str 12\n", "12", "", [(0, 2, 11)]),
        ("key: !!str '12'\n", "12", "", [(0, 2, 12)]),
        ("key: !!str ab\n", "ab", "", [(0, 2, 11)]),
        ("key: ! 12\n", "12", "", [(0, 2, 7)]),
    ],
)
@pytest.mark.parametrize("base", [0, 50])
def test_a_scalar(text: str, value: object, raw: str, lines: list[tuple[int, int, int]], base: int) -> None:
    leaf = leaf_of(text, base=base)
    assert (leaf.value, leaf.raw, leaf.unknown) == (value, raw, False)
    assert leaf.lines == tuple(Line(start, end, outer + base) for start, end, outer in lines)


def test_a_value_may_be_unknown() -> None:
    tree = PlacedReader("a: 1\nb: 2\n", unknown=lambda node: node.value == "2").read(root_of("a: 1\nb: 2\n"))
    assert isinstance(tree, Map)
    known, unknown = tree["a"], tree["b"]
    assert isinstance(known, Leaf)
    assert isinstance(unknown, Leaf)
    assert (known.unknown, unknown.unknown) == (False, True)
    assert unknown.lines == ()


@pytest.mark.parametrize(
    ("text", "data", "names"),
    [
        ("x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\n", {"a": 1, "b": 3}, {"a": 7, "b": 31}),
        ("x: &x {a: 1, b: 2}\ny: {b: 3, <<: *x}\n", {"a": 1, "b": 3}, {"a": 7, "b": 23}),
        ("x: &x {a: 1}\nz: &z {a: 2, b: 4}\ny: {<<: [*x, *z, no]}\n", {"a": 1, "b": 4}, {"a": 7, "b": 26}),
        ("y: {<<: no, c: 3}\n", {"c": 3}, {"c": 12}),
        ("x: &x [1]\ny: {<<: [*x], c: *x}\n", {"c": [1]}, {"c": 24}),
    ],
)
def test_merge_keys_and_aliases_are_expanded(text: str, data: object, names: dict[str, int]) -> None:
    """What is inherited keeps the places where it is written."""
    tree = at(read(text), "y")
    assert isinstance(tree, Map)
    assert plain(tree) == data
    assert tree.names == {name: Span(start, start + 1) for name, start in names.items()}


def test_the_name_of_a_field_is_where_it_stands_first() -> None:
    assert map_of("a: 1\na: 2\n").names == {"a": Span(0, 1)}
    tree = map_of("a: 1\n")
    tree.put("a", made("2", NOWHERE), Span(7, 8))
    tree.put("b", made("3", NOWHERE), Span(8, 9))
    tree.put("c", made("4", NOWHERE))
    assert tree.names == {"a": Span(0, 1), "b": Span(8, 9)}
    assert plain(tree) == {"a": "2", "b": "3", "c": "4"}


def nested(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


@pytest.mark.parametrize(
    ("fits", "too_large"),
    [
        (nested(64), nested(65)),
        ("{a: " * 64 + "1" + "}" * 64, "{a: " * 65 + "1" + "}" * 65),
        ("x: &x 1\ny: {<<: " + "{a: " * 62 + "1" + "}" * 63, "y: {<<: " + "{a: " * 63 + "1" + "}" * 64),
    ],
    ids=["sequences", "mappings", "merged"],
)
def test_what_lies_too_deep_is_not_read(fits: str, too_large: str) -> None:
    assert PlacedReader(fits).try_read(root_of(fits)) is not None
    assert PlacedReader(too_large).try_read(root_of(too_large)) is None
    with pytest.raises(TooLarge, match="an object has too many values, or too deep ones"):
        read(too_large)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[1, 2, 3]", 4),
        ("{a: 1, b: [2]}", 4),
        (f"[{'x' * 99}, 1]", 3),
        (f"[{'x' * 100}, 1]", 4),
        (f"[{'x' * 299}, 1]", 5),
    ],
)
def test_values_are_counted(text: str, values: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long text counts as several values; the characters around an object allow it no more of them."""
    written = f"# {'comment ' * 100}\n{text}\n"
    lengths: list[int] = []
    for most, fits in ((values, True), (values - 1, False)):

        def values_of(length: int, most: int = most) -> int:
            lengths.append(length)
            return most

        monkeypatch.setattr(placed_values, "values_of", values_of)
        assert (PlacedReader(written).try_read(root_of(written)) is not None) is fits
    assert lengths == [len(text)] * 2


def test_a_reader_counts_all_that_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placed_values, "MOST_VALUES", 7)
    reader, root = PlacedReader("[1, 2]"), root_of("[1, 2]")
    assert [reader.try_read(root) is not None for _ in range(3)] == [True, True, False]


def test_equal_scalars() -> None:
    one, two = Leaf(1, "1", NOWHERE), Leaf(1, "1", Span(3, 4))
    assert one == two
    assert hash(one) == hash(two)
    assert one != Leaf("1", "1", NOWHERE)
    assert (one == 1) is False
    assert repr(one) == "Leaf('1')"
    unknown = Leaf(1, "1", NOWHERE, unknown=True)
    for other in (one, unknown, unknown.clone()):
        assert unknown != other
        assert other != unknown


def test_copies() -> None:
    tree = map_of("a: [1, {b: '2'}]\nc: {d: 3}\n")
    for anew in (False, True):
        copy = copied(tree, anew=anew)
        assert isinstance(copy, Map)
        assert copy == tree
        assert copy.names == tree.names
        assert (copy.place, at(copy, "c").place) == (tree.place, at(tree, "c").place)  # type: ignore[union-attr]
        for kind, path in ((Map, ("c",)), (List, ("a",))):
            mine, theirs = at(copy, *path), at(tree, *path)
            assert isinstance(mine, kind)
            assert mine is not theirs
        leaf, old = at(copy, "c", "d"), at(tree, "c", "d")
        assert (leaf is old) is not anew
        assert isinstance(leaf, Leaf)
        assert isinstance(old, Leaf)
        assert [getattr(leaf, name) for name in Leaf.__slots__] == [getattr(old, name) for name in Leaf.__slots__]
        list_ = copy["a"]
        assert isinstance(list_, List)
        list_.clear()
        copy["c"] = leaf
    assert plain(tree) == {"a": [1, {"b": "2"}], "c": {"d": 3}}


@pytest.mark.parametrize(
    ("text", "size"),
    [("1", (1, 0)), ("[]", (1, 0)), ("{a: 1}", (2, 1)), ("[1, [2, 3], {b: {c: 4}}]", (8, 3)), ("[[[]], 1]", (4, 2))],
)
def test_the_size_of_a_tree(text: str, size: tuple[int, int]) -> None:
    assert size_of(read(text)) == size


def test_paths_of_fields() -> None:
    tree = read("a: {b: x, c: , d: [1]}\n")
    assert (text_at(tree, "a", "b"), text_at(tree, "a", "c"), text_at(tree, "a"), text_at(tree, "z")) == (
        "x",
        "",
        "",
        "",
    )
    assert text_at(Map(NOWHERE), "a") == text_at(None) == ""
    assert text_at(Leaf("x", "x", NOWHERE, unknown=True)) == ""
    assert at(tree, "a", "b", "c") is None
    assert at(tree, "a", "d", "1") is None
    assert at(tree) is tree


BLOCK = Leaf("ab\ncde\n\nf", "ab\ncde\n\nf", Span(9, 30), lines=(Line(0, 2, 10), Line(3, 6, 20), Line(8, 9, 40)))
"""Four lines, of which the empty one stands nowhere."""


@pytest.mark.parametrize(
    ("place", "line"), [(0, 0), (2, 0), (3, 1), (6, 1), (7, None), (8, 2), (9, 2), (10, None), (-1, None)]
)
def test_the_line_at_a_place(place: int, line: int | None) -> None:
    assert line_at(BLOCK, place) == (None if line is None else BLOCK.lines[line])


def test_no_line_is_before_the_first() -> None:
    assert line_at(Leaf("ab", "ab", NOWHERE, lines=(Line(1, 2, 5),)), 0) is None


@pytest.mark.parametrize(
    ("start", "end", "text", "lines"),
    [
        (0, 9, "ab\ncde\n\nf", [(0, 2, 10), (3, 6, 20), (8, 9, 40)]),
        (1, 5, "b\ncd", [(0, 1, 11), (2, 4, 20)]),
        (4, 6, "de", [(0, 2, 21)]),
        (6, 9, "\n\nf", [(0, 0, 23), (2, 3, 40)]),
        (7, 9, "\nf", [(1, 2, 40)]),
        (3, 8, "cde\n\n", [(0, 3, 20), (5, 5, 40)]),
        (2, 3, "\n", [(0, 0, 12), (1, 1, 20)]),
        (7, 7, "", []),
    ],
)
def test_a_part_of_a_text(start: int, end: int, text: str, lines: list[tuple[int, int, int]]) -> None:
    found = part(BLOCK, start, end)
    assert (found.value, found.text, found.place, found.unknown) == (text, text, BLOCK.place, False)
    assert found.lines == tuple(Line(*line) for line in lines)
    assert part(Leaf("ab", "ab", NOWHERE, unknown=True), 0, 1).unknown


def test_a_part_before_the_first_line() -> None:
    leaf = Leaf("ab\ncd", "ab\ncd", NOWHERE, lines=(Line(3, 5, 20),))
    assert part(leaf, 1, 4).lines == (Line(2, 3, 20),)
    assert part(leaf, 0, 2).lines == ()


def test_a_text_that_is_made() -> None:
    leaf = made("x", Span(3, 4))
    assert (leaf.value, leaf.text, leaf.place, leaf.raw, leaf.lines, leaf.unknown) == ("x", "x", (3, 4), "", (), False)


@pytest.mark.parametrize(
    ("text", "place", "lines"),
    [
        ("ab\nc\n", (7, 9), [(0, 2, 7), (3, 4, 10), (5, 5, 12)]),
        ("ab", (7, 9), [(0, 2, 7)]),
        ("\nab", (7, 7), [(0, 0, 7), (1, 3, 8)]),
        ("", (7, 7), [(0, 0, 7)]),
    ],
)
def test_a_whole_text(text: str, place: tuple[int, int], lines: list[tuple[int, int, int]]) -> None:
    """Its place is its first line."""
    leaf = whole_text(text, 7)
    assert (leaf.value, leaf.text, leaf.place) == (text, text, place)
    assert leaf.lines == tuple(Line(*line) for line in lines)


def within(text: str, *lines: Line) -> Leaf:
    return Leaf(text, text, Span(100, 130), lines=lines)


def test_values_within_a_text_stand_in_the_text_around() -> None:
    text = "a: 1\nb: [x, 'y z']\nc: 2\n"
    tree = placed_values.read_within(within(text, Line(0, 4, 200), Line(5, 18, 300)))
    assert isinstance(tree, Map)
    assert plain(tree) == {"a": 1, "b": ["x", "y z"], "c": 2}
    assert tree.place.start == 200
    assert tree.names == {"a": Span(200, 201), "b": Span(300, 301), "c": Span(100, 130)}
    items = tree["b"]
    assert isinstance(items, List)
    assert items.place == Span(303, 313)
    one, word, quoted, nowhere = tree["a"], items[0], items[1], tree["c"]
    for leaf, place, raw, lines in (
        (one, Span(203, 204), "1", [(0, 1, 203)]),
        (word, Span(304, 305), "x", [(0, 1, 304)]),
        (quoted, Span(307, 312), "'y z'", [(0, 3, 308)]),
        (nowhere, Span(100, 130), "", []),
    ):
        assert isinstance(leaf, Leaf)
        assert (leaf.place, leaf.raw, leaf.lines) == (place, raw, tuple(Line(*line) for line in lines))
        assert not leaf.unknown


def test_a_value_that_leaves_its_line_ends_with_it() -> None:
    tree = placed_values.read_within(within("a: x\n  y\n", Line(0, 4, 200)))
    assert isinstance(tree, Map)
    leaf = tree["a"]
    assert isinstance(leaf, Leaf)
    assert (leaf.text, leaf.place, leaf.raw, leaf.lines) == ("x y", Span(203, 204), "", ())


@pytest.mark.parametrize("text", ["a: [", "a: 1\n---\nb: 2\n", "", "# nothing\n", "[" * 66 + "]" * 66])
def test_a_text_that_is_not_one_document_stays_a_text(text: str) -> None:
    source = within(text, Line(0, len(text), 200))
    assert placed_values.read_within(source) is source


def test_an_unknown_value_stays_unknown_where_it_is_moved() -> None:
    leaf = placed_values.moved(Leaf("x", "x", Span(1, 2), "x", unknown=True), within("a: x", Line(0, 4, 200)))
    assert isinstance(leaf, Leaf)
    assert (leaf.unknown, leaf.place, leaf.raw) == (True, Span(201, 202), "x")
