"""What a node says of itself: values, spans, styles, anchors, what aliases share."""

from __future__ import annotations

import pytest

from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlDocument, YamlNode, documents, field, scalars, text_of


def root(text: str) -> YamlNode:
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    assert document.root is not None
    return document.root


def mapping(text: str) -> Mapping:
    node = root(text)
    assert isinstance(node, Mapping)
    return node


@pytest.mark.parametrize(
    ("written", "value", "style", "tag", "anchor", "content"),
    [
        ("plain", "plain", "plain", "", None, "plain"),
        ("'it''s'", "it's", "single", "", None, "'it''s'"),
        ('"é\\n"', "é\n", "double", "", None, '"é\\n"'),
        ("|\n  x\n", "x\n", "literal", "", None, "|\n  x\n"),
        (">-\n  x\n  y\n", "x y", "folded", "", None, ">-\n  x\n  y\n"),
        ("", "", "plain", "", None, ""),
        ("&a b", "b", "plain", "", "a", "b"),
        ("!!str &a-1 5", "5", "plain", "tag:yaml.org,2002:str", "a-1", "5"),
        ("&a !x # why\n  'b'", "b", "single", "!x", "a", "'b'"),
        ("&a", "", "plain", "", "a", ""),
        ("! 5", "5", "plain", "", None, "5"),
        ("!<tag:x,1:y> &b |\n  b\n", "b\n", "literal", "tag:x,1:y", "b", "|\n  b\n"),
    ],
)
def test_scalar(written: str, value: str, style: str, tag: str, anchor: str | None, content: str) -> None:
    text = f"# é\nkey: {written}"
    node = mapping(text).get("key")
    assert isinstance(node, Scalar)
    assert (node.value, node.style, node.tag, node.anchor) == (value, style, tag, anchor)
    assert text[slice(*node.span)] == written
    assert text[slice(*node.content)] == content
    assert not node.shared


def test_a_secrets_fields() -> None:
    text = "kind: Secret\nmetadata: {name: x, namespace: y}\nstringData:\n  cloud.conf: |\n    a\n"
    node = root(text)
    assert text_of(field(node, "metadata", "name")) == "x"
    assert text_of(field(node, "metadata")) is None
    assert field(node, "metadata", "name", "deeper") is None
    assert field(None, "x") is None
    assert field(node) == node
    conf = field(node, "stringData", "cloud.conf")
    assert conf is not None
    assert conf.span == (text.index("|"), len(text))
    assert [scalar.value for scalar in scalars(node)] == ["Secret", "x", "y", "a\n"]
    assert list(scalars(None)) == []


def test_keys_and_items() -> None:
    text = "a: 1\n? [x, y]\n: 2\n'b': 3\na: 4\n"
    node = mapping(text)
    assert [(key.value, key.span, text_of(value)) for key, value in node.items] == [
        ("a", (0, 1), "1"),
        ("b", (18, 21), "3"),
        ("a", (25, 26), "4"),
    ]
    assert text_of(node.get("a")) == "1"
    assert [key.span.start for key in node.duplicates] == [25]
    key = node.key("b")
    assert key is not None
    assert key.span == (18, 21)
    assert node.key("c") is None
    assert node.get("c") is None


def test_sequence() -> None:
    node = root("- a\n- [b]\n- {c: d}\n")
    assert isinstance(node, Sequence)
    assert [type(item) for item in node.items] == [Scalar, Sequence, Mapping]
    assert [item.span for item in node.items] == [(2, 3), (6, 9), (12, 18)]


def test_equality_is_by_place() -> None:
    node = mapping("a: 1\nb: 1\n")
    assert node.get("a") == node.get("a")
    assert node.get("a") != node.get("b")
    assert len({node.get("a"), node.get("a"), node.get("b")}) == 2


def test_targets_of_aliases_are_shared() -> None:
    node = mapping("a: &x {b: [c]}\nd: *x\ne: &unused f\ng: h\n")
    first, again = node.get("a"), node.get("d")
    assert first == again
    assert first is not None
    assert first.shared
    inner = field(node, "a", "b")
    assert isinstance(inner, Sequence)
    assert inner.shared
    assert inner.items[0].shared
    assert [(scalar.value, scalar.shared) for scalar in scalars(node)] == [("c", True), ("f", False), ("h", False)]
    assert [scalar.shared for scalar in scalars(inner)] == [True]


def test_merge_keys() -> None:
    node = mapping(
        "base: &base {a: 1, b: 2, n: &n {x: 9}}\nmore: &more {<<: *base, b: 3}\n"
        "one: {<<: *more, c: 4}\nlist: {<<: [*base, *more], a: 5}\nodd: {<<: text}\n"
    )
    assert [text_of(field(node, "one", name)) for name in "abcd"] == ["1", "3", "4", None]
    assert [text_of(field(node, "list", name)) for name in "abc"] == ["5", "2", None]
    assert field(node, "odd", "a") is None
    merged = field(node, "one", "b")
    assert merged is not None
    assert merged.shared
    own = field(node, "one", "c")
    assert own is not None
    assert not own.shared


def test_repr_prints_no_tree() -> None:
    node = mapping("password: hunter2\n")
    assert repr(node) == "Mapping(0, 18)"
    assert repr(node.get("password")) == "Scalar(10, 17)"
    assert repr(node.document) == "YamlDocument(0, 18)"
