"""Every way of writing a scalar: what is inside, where it is outside, what a change becomes."""

from __future__ import annotations

import pytest

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import Layer
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.yamlio import Scalar, YamlDocument, documents, field


def layer_of(text: str, *names: str) -> Layer:
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    node = field(document.root, *(names or ("key",)))
    assert isinstance(node, Scalar)
    return scalar_layer(node, text)


def replaced(text: str, old: str, new: str, *names: str) -> str:
    """Change the first ``old`` inside the scalar, and check that the scalar says so afterwards."""
    layer = layer_of(text, *names)
    start = layer.text.index(old)
    edits = [Edit(start, start + len(old), new)]
    after = apply(text, layer.put(edits))
    assert layer_of(after, *names).text == apply(layer.text, edits)
    return after


@pytest.mark.parametrize(
    ("text", "kind", "inside", "exact"),
    [
        ("key: a b\n", "plain", "a b", True),
        ("key:\n", "plain", "", True),
        ("key: a\n  b\n", "plain", "a b", False),
        ("key: 'it''s'\n", "single-quoted", "it's", True),
        ('key: "a\\tb"\n', "double-quoted", "a\tb", True),
        ('key: "a\\\n  \\ b"\n', "double-quoted", "a b", True),
        ('{"key": "\\ud83d\\ude00"}', "double-quoted", "😀", True),
        ("key: |\n  a\n", "literal block", "a\n", True),
        ("key: |\n  a\x85  b\n", "literal block", "a\nb\n", False),
        ("key: >\n  a\n  b\n", "folded block", "a b\n", False),
    ],
)
def test_kinds(text: str, kind: str, inside: str, exact: bool) -> None:
    layer = layer_of(text)
    assert (layer.kind, layer.text, layer.exact) == (kind, inside, exact)
    assert layer.put([]) == []


@pytest.mark.parametrize(
    ("text", "inner", "outer"),
    [
        ("key: &a b\n", Span(0, 1), Span(8, 9)),
        ("key: 'a''b'\n", Span(1, 2), Span(7, 9)),
        ("key: 'a''b'\n", Span(2, 3), Span(9, 10)),
        ('key: "a\\nb"\n', Span(0, 3), Span(6, 10)),
        ('key: "a\\nb"\n', Span(2, 2), Span(9, 9)),
        ('key: "a\n  b"\n', Span(1, 2), Span(7, 10)),
        ('key: "a\n\n\n  b"\n', Span(1, 2), Span(7, 12)),
        ('key: "a\n\n\n  b"\n', Span(2, 2), Span(7, 12)),
        ("key: |\n  é\n\n   b\n", Span(0, 1), Span(9, 10)),
        ("key: |\n  é\n\n   b\n", Span(2, 2), Span(11, 11)),
        ("key: |\n  é\n\n   b\n", Span(3, 5), Span(14, 16)),
        ("key: |\n  é\n\n   b\n", Span(0, 2), Span(9, 11)),
        ("key: |\n  é\n\n   b\n", Span(0, 5), Span(9, 16)),
        ("key: |\r\n  a\r\n  b\r\n", Span(0, 1), Span(10, 11)),
        ("key: |\r\n  a\r\n  b\r\n", Span(2, 3), Span(15, 16)),
        ("key: >\n  a\n  b\nx: y\n", Span(0, 1), Span(5, 15)),
        ("key: a\n  b\n", Span(0, 1), Span(5, 10)),
    ],
)
def test_places(text: str, inner: Span, outer: Span) -> None:
    assert layer_of(text).outward(inner) == outer


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        # plain: quotes only where they are needed
        ("key: a\n", "a", "b", "key: b\n"),
        ("key: 5\n", "5", "5s", "key: 5s\n"),
        ("key: 5\n", "5", "10", "key: 10\n"),
        ("key: 5s\n", "s", "", 'key: "5"\n'),
        ("key: yess\n", "ss", "s", 'key: "yes"\n'),
        ("key: a\n", "a", "a: b", 'key: "a: b"\n'),
        ("key: a\n", "a", 'say "x"\\\n', 'key: "say \\"x\\"\\\\\\n"\n'),
        ("key: a # c\n", "a", "", 'key: "" # c\n'),
        ("key: a # c\n", "a", "https://k:5000/v3", "key: https://k:5000/v3 # c\n"),
        ("{key: a, b: c}\n", "a", "x,y", '{key: "x,y", b: c}\n'),
        ("key: a,b\n", "b", "[c]", "key: a,[c]\n"),
        ("key:\nb: c\n", "", "5s", "key: 5s\nb: c\n"),
        ("key: # c\n", "", "5s", "key: 5s # c\n"),
        ("{key: }\n", "", "x", "{key: x}\n"),
        # quoted: only what changes
        ("key: 'it''s' # c\n", "'s", " 'was'", "key: 'it ''was''' # c\n"),
        ("key: 'a'\n", "a", "a\nb", 'key: "a\\nb"\n'),
        ('key: "\\u00e9 x\\ty"\n', "x", 'a"\\\u2028', 'key: "\\u00e9 a\\"\\\\\\u2028\\ty"\n'),
        ('key: "[a]\\nb = 1\\n"\n', "b = 1\n", "", 'key: "[a]\\n"\n'),
        ('key: "a\n\n\n  b"\n', "\n", "", 'key: "a\\nb"\n'),
        ('key: "a\n  b"\n', "b", " b", 'key: "a  b"\n'),
        # literal: line by line
        ("key: |\n  a=1\n  b=2\n", "1", "é", "key: |\n  a=é\n  b=2\n"),
        ("key: |\n  a=1\n  b=2\n", "a=1\n", "", "key: |\n  b=2\n"),
        ("key: |\n  a=1\n  b=2\n", "b=2\n", "", "key: |\n  a=1\n"),
        ("key: |\n  a=1\n\n\nb: c\n", "1\n", "1\nb=2\n", "key: |\n  a=1\n  b=2\n\n\nb: c\n"),
        ("key: |\n  a=1\n\n  b=2\n", "\n", "\n\nx=1\n", "key: |\n  a=1\n\n  x=1\n\n  b=2\n"),
        ("key: |-\n    a=1\nb: c\n", "1", "1\nb=2", "key: |-\n    a=1\n    b=2\nb: c\n"),
        ("key: |\r\n  a=1\r\n", "1", "1\n[X]", "key: |\r\n  a=1\r\n  [X]\r\n"),
        ("key: |2\n    a=1\n", "a=1\n", "a=1\n   b\n", "key: |2\n    a=1\n     b\n"),
        ("key: |\n  a=1", "1", "1\nb=2", "key: |\n  a=1\n  b=2"),
        ("key: |\n  a\n   \n  b\n", "a\n \nb", "c", "key: |\n  c\n"),
        ("key: |\nb: c\n", "", "a=1\n", "key: |\n  a=1\nb: c\n"),
    ],
)
def test_changes(text: str, old: str, new: str, expected: str) -> None:
    assert replaced(text, old, new) == expected


def test_an_empty_block_takes_its_indentation_from_the_key() -> None:
    text = "a:\n  b:\n    key: |-\n    c: d\n"
    assert replaced(text, "", "x\ny", "a", "b", "key") == "a:\n  b:\n    key: |-\n      x\n      y\n    c: d\n"


@pytest.mark.parametrize(
    ("text", "edit", "why"),
    [
        ("key: &a b\n", Edit(0, 1, "c"), "anchor"),
        ("key: &a b\nx: *a\n", Edit(0, 1, "c"), "alias"),
        ("key: a\n  b\n", Edit(0, 1, "c"), "several lines"),
        ("key: >\n  a\n", Edit(0, 1, "c"), "folded"),
        ("key: |\n  a\x85  b\n", Edit(0, 1, "c"), "line ends"),
        ("key: |\n  a\n", Edit(0, 1, " c"), "indentation"),
        ("key: |\n  a\nb: c\n", Edit(1, 2, ""), "cannot hold"),
        ("key: |-\n  a\nb: c\n", Edit(1, 1, "\n"), "cannot hold"),
        ("key: |\n  a\n", Edit(0, 1, "\x01"), "cannot hold"),
        ("key: |\n  a\n", Edit(0, 1, "\r"), "cannot hold"),
        ("key: |2\n", Edit(0, 0, "a\n"), "indicator"),
        ("key: a\n", Edit(0, 1, "\udcff"), "UTF-8"),
        ('key: "a"\n', Edit(0, 1, "\udcff"), "UTF-8"),
        ("? key\n", Edit(0, 0, "a"), "no value"),
        ("{key}\n", Edit(0, 0, "a"), "no value"),
    ],
)
def test_refusals_give_the_reason(text: str, edit: Edit, why: str) -> None:
    layer = layer_of(text)
    assert layer.put([]) == []
    with pytest.raises(CannotEdit, match=why):
        layer.put([edit])


def test_the_key_of_a_shared_mapping_is_shared() -> None:
    text = "a: &x\n  key: b\nc: *x\n"
    with pytest.raises(CannotEdit, match="alias"):
        layer_of(text, "c", "key").put([Edit(0, 1, "d")])
    merged = "a: &x\n  key: b\nc:\n  <<: *x\n"
    with pytest.raises(CannotEdit, match="alias"):
        layer_of(merged, "c", "key").put([Edit(0, 1, "d")])


def test_a_literal_at_the_top_of_a_document_cannot_end_it() -> None:
    text = "--- |\n a\n"
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    assert isinstance(document.root, Scalar)
    layer = scalar_layer(document.root, text)
    assert layer.text == "a\n"
    assert apply(text, layer.put([Edit(0, 1, "---")])) == "--- |\n ---\n"


def test_changes_on_one_line_are_carried_as_one() -> None:
    text = "key: |\n  abc\n  def\n"
    layer = layer_of(text)
    assert layer.put([Edit(0, 1, ""), Edit(1, 2, ""), Edit(2, 4, ""), Edit(5, 5, "-")]) == [Edit(9, 16, "d-")]
    assert layer.put([Edit(0, 1, "x"), Edit(5, 6, "y")]) == [Edit(9, 10, "x"), Edit(16, 17, "y")]
