"""Edits of manifests: in the style of the neighbours, nothing else changed, and none where that is not certain."""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck import catalog
from ccmcheck.base.edits import apply
from ccmcheck.base.model import Applicability, Edit
from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.base import RunContext
from ccmcheck.fix.guard import changed
from ccmcheck.fix.guard_yaml import check
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.yaml_fixes import Tree
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, documents, field, text_of

HEAD = "kind: Pod\n"


def manifest(text: str, path: str = "pod.yaml") -> Manifest:
    contents = find(path, text, FindOptions(explicit=True))
    return Manifest(contents.objects[0], catalog.newest(), RunContext(), contents)


def mapping(of: Manifest, *names: str) -> Mapping:
    node = of.at(*names)
    assert isinstance(node, Mapping)
    return node


def done(text: str, *edits: Edit | None) -> str | None:
    found = [edit for edit in edits if edit is not None]
    if len(found) < len(edits):
        return None
    check(changed(text, found))
    return apply(text, found)


def inserted(text: str, name: str, tree: Tree, *way: str, after: str = "") -> str | None:
    of = manifest(text)
    return done(text, yaml_fixes.insert_entry(of, mapping(of, *way), name, tree, after=after))


def deleted(text: str, *way: str, keep: int = 0) -> str | None:
    return done(text, yaml_fixes.delete(manifest(text), *way, keep=keep))


@pytest.mark.parametrize(
    ("text", "tree", "expected"),
    [
        ("spec:\n  a: 1\n", "x", "spec:\n  a: 1\n  new: x\n"),
        ("spec:\n  a: 1", "x", "spec:\n  a: 1\n  new: x"),
        ("spec:\r\n  a: 1\r\nb: 2\r\n", "x", "spec:\r\n  a: 1\r\n  new: x\r\nb: 2\r\n"),
        ("spec:\n    a: 1 # why\n\n# next\nb: 2\n", "true", 'spec:\n    a: 1 # why\n    new: "true"\n\n# next\nb: 2\n'),
        ("spec:\n  a: |\n    text\n\nb: 2\n", 5, "spec:\n  a: |\n    text\n  new: 5\n\nb: 2\n"),
        ("spec:\n  a:\nb: 2\n", "x", "spec:\n  a:\n  new: x\nb: 2\n"),
        (
            "spec:\n  a:\n  - 1\nb: 2\n",
            {"k": [{"name": "p", "v": 0}, "q"]},
            "spec:\n  a:\n  - 1\n  new:\n    k:\n    - name: p\n      v: 0\n    - q\nb: 2\n",
        ),
        (
            "spec:\n  a:\n    - 1\n",
            ["p"],
            "spec:\n  a:\n    - 1\n  new:\n    - p\n",
        ),
        ("spec:\n   a:\n      b: 1\n", {"k": "v"}, "spec:\n   a:\n      b: 1\n   new:\n      k: v\n"),
        ("spec:\n  a: {b: 1}\n", "a: b", 'spec:\n  a: {b: 1}\n  new: "a: b"\n'),
        ("spec: {a: 1}\n", "x", None),
        ("spec: &s\n  a: 1\nb: *s\n", "x", None),
        ("spec:\n  a: &s {b: 1}\n  c: *s\n", "x", None),
    ],
)
def test_insert_entry(text: str, tree: Tree, expected: str | None) -> None:
    assert inserted(HEAD + text, "new", tree, "spec") == (None if expected is None else HEAD + expected)


def test_insert_entry_below_another() -> None:
    text = HEAD + "metadata:\n  name: x\nspec:\n  a: 1\n"
    assert inserted(text, "type", "Opaque", after="metadata") == text.replace("spec:", "type: Opaque\nspec:")


def test_insert_item() -> None:
    text = HEAD + "spec:\n  a:\n    - n: 1\n      v: 2  # two\n  b: 3\n"
    of = manifest(text)
    items = of.at("spec", "a")
    assert isinstance(items, Sequence)
    edit = yaml_fixes.insert_item(of, items, {"name": "5", "v": "x"})
    assert done(text, edit) == text.replace("  b: 3", '    - name: "5"\n      v: x\n  b: 3')


@pytest.mark.parametrize(
    ("text", "way", "expected"),
    [
        ("spec:\n  a: 1\n  b: 2 # why\n  c: 3\n", ("spec", "b"), "spec:\n  a: 1\n  c: 3\n"),
        ("spec:\n  a: 1\n  b:\n    c: 1\n\n# x\nd: 1\n", ("spec", "b", "c"), "spec:\n  a: 1\n\n# x\nd: 1\n"),
        ("spec:\n  b:\n    c: |\n      t\n", ("spec", "b", "c"), ""),
        ("spec:\n  b: 1", ("spec", "b"), ""),
        ("spec: {b: 1, c: 2}\n", ("spec", "b"), None),
        ("spec:\n- b: 1\n", ("spec", "b"), None),
        ("spec:\n  b: &x 1\n  c: *x\n", ("spec", "b"), None),
    ],
)
def test_delete(text: str, way: tuple[str, ...], expected: str | None) -> None:
    assert deleted(HEAD + text, *way) == (None if expected is None else HEAD + expected)


def test_delete_keeps_the_given_mappings() -> None:
    text = HEAD + "spec:\n  b:\n    c: 1\n"
    assert deleted(text, "spec", "b", "c", keep=1) == HEAD + "spec:\n"


def test_delete_item() -> None:
    text = HEAD + "spec:\n  a:\n  - n: 1\n    v: 2\n  - n: 2\n  # last\n  - n: 3\n"
    of = manifest(text)
    items = of.at("spec", "a")
    assert isinstance(items, Sequence)
    assert done(text, yaml_fixes.delete_item(of, items, 0)) == text.replace("  - n: 1\n    v: 2\n", "")
    assert done(text, yaml_fixes.delete_item(of, items, 2)) == text.replace("  - n: 3\n", "")


def test_the_only_item_stays() -> None:
    of = manifest(HEAD + "spec:\n  a:\n  - n: 1\n")
    items = of.at("spec", "a")
    assert isinstance(items, Sequence)
    assert yaml_fixes.delete_item(of, items, 0) is None


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("a: x # c\n", "z", "a: z # c\n"),
        ("a: 'x'\n", "y'z", "a: 'y''z'\n"),
        ('a: "x"\n', 'y"', 'a: "y\\""\n'),
        ("a: x\n", "b: c", 'a: "b: c"\n'),
        ("a: &x x\nb: *x\n", "y", None),
        ("a: >\n  x\n", "y", None),
    ],
)
def test_write(text: str, value: str, expected: str | None) -> None:
    text = HEAD + text
    of = manifest(text)
    node = of.at("a")
    assert isinstance(node, Scalar)
    assert done(text, yaml_fixes.write(of, node, value)) == (None if expected is None else HEAD + expected)


def test_overwrite_a_block() -> None:
    text = HEAD + "a: |\n  x\n  y\n\nb: 1\n"
    node = manifest(text).at("a")
    assert isinstance(node, Scalar)
    assert done(text, yaml_fixes.overwrite(node, "0123")) == HEAD + 'a: "0123"\n\nb: 1\n'


def test_move() -> None:
    text = HEAD + "one:\n  a: |\n    x\n  b: 1\ntwo:\n  c: 2\n"
    of = manifest(text)
    edits = yaml_fixes.move_entry(of, mapping(of, "one"), "a", mapping(of, "two"))
    assert done(text, *edits) == HEAD + "one:\n  b: 1\ntwo:\n  c: 2\n  a: |\n    x\n"


@pytest.mark.parametrize("last", ["  {{ end }}\n", ""])
def test_a_template_that_decides_the_content_is_not_edited(last: str) -> None:
    of = manifest(HEAD + "spec:\n  {{ if .x }}\n  a: 1\n" + last, "templates/pod.yaml")
    assert yaml_fixes.insert_entry(of, mapping(of, "spec"), "b", "x") is None or not last
    assert yaml_fixes.delete(of, "spec", "a", keep=0) is None or not last


def test_a_template_mark_is_never_changed() -> None:
    of = manifest(HEAD + "spec:\n  a: ${A}\n  b: 1\n", "pod.yaml.tmpl")
    taken = yaml_fixes.delete_entry(of, mapping(of, "spec"), "a")
    assert taken is not None
    assert yaml_fixes.safe(of, "delete", taken) is None
    assert yaml_fixes.unsafe(of, "nothing", None) is None
    fix = yaml_fixes.unsafe(of, "delete", yaml_fixes.delete_entry(of, mapping(of, "spec"), "b"))
    assert fix is not None
    assert fix.applicability is Applicability.UNSAFE


plain = st.sampled_from(["1", "x", "'q'", '"d"', "|\nPAD  t\nPAD  u", "{a: 1}", "[1, 2]", "", "x # c", "-1"])
KEYS = ("a", "bb", "c-d")


@st.composite
def blocks(draw: st.DrawFn, column: int = 2, depth: int = 0) -> SequenceOf[str]:
    """The lines of a block mapping at a column, in any style."""
    pad = " " * column
    step = draw(st.sampled_from([1, 2, 4]))
    lines: list[str] = []
    for key in draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True)):
        kind = draw(st.sampled_from(["scalar", "mapping", "list"])) if depth < 2 else "scalar"
        if kind == "scalar":
            value = draw(plain).replace("PAD", pad)
            lines += f"{pad}{key}: {value}".split("\n")
        elif kind == "mapping":
            lines += [f"{pad}{key}:", *draw(blocks(column + step, depth + 1))]
        else:
            dash = column + draw(st.sampled_from([0, 2]))
            lines.append(f"{pad}{key}:")
            for _ in range(draw(st.integers(1, 2))):
                inner = draw(blocks(dash + 2, depth + 1))
                lines += [" " * dash + "- " + inner[0].lstrip(), *inner[1:]]
        if draw(st.booleans()):
            lines.append(draw(st.sampled_from(["", "# a comment", pad + "# another"])))
    return lines


@settings(max_examples=200)
@given(blocks(), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["new: 1", "x"]), st.booleans())
def test_an_added_entry_can_be_deleted(lines: SequenceOf[str], newline: str, value: str, nested: bool) -> None:
    text = newline.join(["kind: Pod", "spec:", *lines, "last: 1", ""])
    tree: Tree = {"n": [{"name": value}]} if nested else value
    added = inserted(text, "new-key", tree, "spec")
    assert added is not None
    root = next(document.root for document in documents(added) if hasattr(document, "root"))
    node = field(root, "spec", "new-key")
    if nested:
        items = field(node, "n")
        assert isinstance(items, Sequence)
        node = field(items.items[0], "name")
    assert text_of(node) == value
    assert deleted(added, "spec", "new-key", keep=1) == text


@settings(max_examples=200)
@given(blocks(), st.sampled_from(KEYS))
def test_delete_removes_nothing_else(lines: SequenceOf[str], key: str) -> None:
    text = "\n".join(["kind: Pod", "spec:", *lines, "last: 1", ""])
    of = manifest(text)
    spec = mapping(of, "spec")
    if spec.key(key) is None:
        return
    after = done(text, yaml_fixes.delete_entry(of, spec, key))
    assert after is not None
    for line in after.splitlines():
        assert line in text.splitlines()
    assert field(next(document.root for document in documents(after) if hasattr(document, "root")), "last") is not None
