"""The two laws of every layer, on random texts, random ways of writing them and random changes."""

from __future__ import annotations

import base64
import gzip

import pytest
import yaml
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from ccmcheck import yamlio
from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.text import decode, encode
from ccmcheck.layers.base import Layer
from ccmcheck.layers.encoded import base64_layer, gzip_base64_layer
from ccmcheck.layers.masked import Masked
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.stack import Stack
from ccmcheck.layers.unescaped import Unescaped
from ccmcheck.layers.unindented import common_blanks, leading_tabs, unindented
from ccmcheck.layers.variables import Variables

LAW = settings(max_examples=100)
EVERYDAY = "ab=[]\"'#;:\\ -é€😀${}\t"


def edits_on(text: str, replacement: st.SearchStrategy[str]) -> st.SearchStrategy[list[Edit]]:
    """Up to three changes that do not overlap."""
    offsets = st.lists(st.integers(0, len(text)), min_size=2, max_size=6).map(sorted)
    return st.builds(
        lambda places, texts: [
            Edit(start, end, new) for start, end, new in zip(places[::2], places[1::2], texts, strict=False)
        ],
        offsets,
        st.lists(replacement, min_size=3, max_size=3),
    )


def replacements(alphabet: str = EVERYDAY + "\n") -> st.SearchStrategy[str]:
    return st.one_of(st.text(alphabet, max_size=6), st.sampled_from(["key = value\n", "\nkey = value", "", "3s"]))


def scalar_of(text: str) -> yamlio.Scalar:
    (document,) = yamlio.documents(text)
    assert isinstance(document, yamlio.YamlDocument), document
    node = yamlio.field(document.root, "key")
    assert isinstance(node, yamlio.Scalar)
    return node


def check_laws(layer: Layer, outer: str, edits: list[Edit]) -> bool:
    """Hold both laws on a scalar that stands under ``key``; False where the layer refuses the change."""
    assert layer.put([]) == []
    place = layer.outward(Span(0, len(layer.text)))
    try:
        carried = layer.put(edits)
    except CannotEdit:
        return False
    assert all(0 <= edit.start <= edit.end <= len(outer) for edit in carried)
    assert not carried or carried[0].start >= min(place.start, scalar_of(outer).span.start)
    after = apply(outer, carried)
    assert scalar_of(after).value == apply(layer.text, edits)
    assert yaml.load(after, yaml.BaseLoader)["after"] == yaml.load(outer, yaml.BaseLoader)["after"]  # noqa: S506 - makes texts only
    return True


@st.composite
def literal_blocks(draw: st.DrawFn) -> str:
    """A mapping with a literal block in any way of writing it that YAML allows."""
    parent = draw(st.sampled_from([0, 2]))
    more = draw(st.integers(1, 5))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    content = st.text(EVERYDAY, max_size=8)
    lines = draw(st.lists(st.one_of(content, st.just("")), max_size=6))
    explicit = draw(st.booleans())
    chomp = draw(st.sampled_from(["", "-", "+"]))
    signs = (str(more) if explicit else "") + chomp if draw(st.booleans()) else chomp + (str(more) if explicit else "")
    comment = draw(st.sampled_from(["", " # why", "  "]))
    body = []
    for line in lines:
        blank = draw(st.integers(0, parent + more)) if not line else 0
        body.append((" " * (parent + more) + line) if line else " " * blank)
    text = newline.join([f"key: |{signs}{comment}", *body])
    ending = draw(st.sampled_from(["end", "no newline", "key", "blank and key", "comment and key"]))
    if parent:
        text = newline.join(["outer:", *("  " + text).split(newline)[:1], *text.split(newline)[1:]])
    if ending != "no newline":
        text += newline
    if ending == "comment and key":
        text += f"# a comment{newline}"
    if ending == "blank and key":
        text += newline * 2
    if "key" in ending:
        text += " " * parent + f"after: é{newline}"
    else:
        text = (
            " " * parent + f"after: é{newline}" + text
            if not parent
            else text.replace("outer:", f"outer:{newline}  after: é")
        )
    return text


def block_of(text: str) -> tuple[yamlio.Scalar, Layer]:
    (document,) = yamlio.documents(text)
    assume(isinstance(document, yamlio.YamlDocument))
    assert isinstance(document, yamlio.YamlDocument)
    node = yamlio.field(document.root, "key") or yamlio.field(document.root, "outer", "key")
    assert isinstance(node, yamlio.Scalar)
    return node, scalar_layer(node, text)


@LAW
@given(literal_blocks(), st.data())
def test_literal_block(text: str, data: st.DataObject) -> None:
    node, layer = block_of(text)
    loaded = yaml.safe_load(text)
    assert layer.text == loaded.get("outer", loaded)["key"]
    assert layer.exact
    edits = data.draw(edits_on(layer.text, replacements()))
    assert layer.put([]) == []
    try:
        carried = layer.put(edits)
    except CannotEdit:
        event("refused")
        return
    event("carried")
    start, end = node.span
    assert all(start < edit.start and not text[end : edit.end].strip() for edit in carried)
    after = apply(text, carried)
    changed, _ = block_of(after)
    assert changed.value == apply(layer.text, edits)
    loaded_after = yaml.safe_load(after)
    assert loaded_after.get("outer", loaded_after)["after"] == "é"


@LAW
@given(literal_blocks(), st.data())
def test_places_in_a_literal_block(text: str, data: st.DataObject) -> None:
    _, layer = block_of(text)
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(layer.text))] * 2)))
    outside = layer.outward(Span(start, end))
    inside = [line.lstrip(" ") for line in layer.text[start:end].split("\n")]
    assert [line.lstrip(" ") for line in text[slice(*outside)].replace("\r\n", "\n").split("\n")] == inside


CONF_LINE = st.sampled_from(["[Global]", "auth-url = https://k:5000/v3", "# comment é", "x=1", ""])


@LAW
@given(st.lists(CONF_LINE, min_size=1, max_size=8), st.integers(1, 6), st.sampled_from(["\n", "\r\n"]), st.data())
def test_ordinary_changes_of_a_literal_block_are_never_refused(
    lines: list[str], indent: int, newline: str, data: st.DataObject
) -> None:
    inner = "".join(f"{line}\n" for line in ["[Global]", *lines, "z=1"])
    text = newline.join(
        ["key: |", *(" " * indent + line if line else "" for line in inner.split("\n")[:-1]), "after: 1", ""]
    )
    layer = scalar_layer(scalar_of(text), text)
    assert layer.text == inner
    number = data.draw(st.integers(0, len(lines)))
    starts = [0]
    for line in inner.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    start, end = starts[number], starts[number + 1]
    edit = data.draw(
        st.sampled_from(
            [
                Edit(start, end, ""),
                Edit(start, end - 1, "new = value"),
                Edit(start, start, "new = value\n"),
                Edit(end - 1, end - 1, "\nnew = value\n\n[Section]"),
                Edit(end, end, "[Section]\nx = 1\n"),
                Edit(len(inner), len(inner), "\n[Section]\nx = 1\n"),
            ]
        )
    )
    assert check_laws(layer, text, [edit])
    assert apply(text, layer.put([edit])).count("\n") == text.count("\n") + edit.text.count("\n") - inner[
        edit.start : edit.end
    ].count("\n")


QUOTED_ALPHABET = "ab'\"\\ :#é\t\n\r\b\0\x85\u2028\ufeff😀/"


def single_quoted(value: str) -> str:
    """Write by hand: doubled quotes, and a line end as two with the next line indented."""
    return "'" + value.replace("'", "''").replace("\n", "\n\n  ") + "'"


@LAW
@given(st.text(QUOTED_ALPHABET, max_size=14), st.sampled_from([10, 1000]), st.booleans(), st.data())
def test_double_quoted(value: str, width: int, ascii_only: bool, data: st.DataObject) -> None:
    written = yaml.dump(
        {"key": value, "after": 1}, default_style='"', width=width, allow_unicode=not ascii_only, sort_keys=False
    )
    written = written.replace('"key"', "key", 1)
    layer = scalar_layer(scalar_of(written), written)
    assert (layer.kind, layer.text, layer.exact) == ("double-quoted", value, True)
    assert check_laws(layer, written, data.draw(edits_on(value, replacements(QUOTED_ALPHABET))))


@LAW
@given(st.lists(st.text("ab'\"\\:#é,", min_size=1, max_size=4), min_size=1, max_size=4), st.data())
def test_single_quoted(words: list[str], data: st.DataObject) -> None:
    between = data.draw(st.lists(st.sampled_from([" ", "  ", "\n  ", " \n\n   \n  ", "\t"]), min_size=4, max_size=4))
    raw = "".join(word.replace("'", "''") + blank for word, blank in zip(words, between, strict=False))
    text = f"key: '{raw}'\nafter: 1\n"
    layer = scalar_layer(scalar_of(text), text)
    assert layer.kind == "single-quoted"
    assert layer.text == yaml.safe_load(text)["key"]
    assert layer.exact
    assert check_laws(layer, text, data.draw(edits_on(layer.text, replacements(QUOTED_ALPHABET))))


@LAW
@given(st.text("ab1-:#,[]{}&*!|>'\"%@`~ =+.yesonNfé\\", max_size=8), st.booleans(), st.data())
def test_plain(value: str, flow: bool, data: st.DataObject) -> None:
    text = f"{{key: {value} , after: 1}}\n" if flow else f"key: {value}\nafter: 1\n"
    parsed = next(yamlio.documents(text), None)
    assume(isinstance(parsed, yamlio.YamlDocument))
    assert isinstance(parsed, yamlio.YamlDocument)
    assume(isinstance(parsed.root, yamlio.Mapping) and len(parsed.root.items) == 2)
    node = yamlio.field(parsed.root, "key")
    assume(isinstance(node, yamlio.Scalar) and node.style == "plain" and not node.tag and node.anchor is None)
    assume(not value.lstrip().startswith("!"))
    assert isinstance(node, yamlio.Scalar)
    layer = scalar_layer(node, text)
    assert layer.text == node.value
    assert text[slice(*layer.outward(Span(0, len(layer.text))))] == layer.text
    edits = data.draw(edits_on(layer.text, replacements("ab1-:#,[]{}\"' \ntrueé")))
    assert check_laws(layer, text, edits)
    after = apply(text, layer.put(edits))
    if isinstance(yamlio.kubernetes_scalar(node), str):
        assert yamlio.kubernetes_scalar(scalar_of(after)) == apply(layer.text, edits)


@LAW
@given(st.binary(max_size=40), st.sampled_from([4, 7, 76]), st.sampled_from(["", "\n"]), st.booleans(), st.data())
def test_base64_of_anything(content: bytes, width: int, ending: str, gzipped: bool, data: st.DataObject) -> None:
    packed = gzip.compress(content) if gzipped else content
    encoded = base64.b64encode(packed).decode()
    outer = "\n".join(encoded[at : at + width] for at in range(0, len(encoded), width)) + ending
    look = gzip_base64_layer if gzipped else base64_layer
    layer = look(outer)
    assert layer is not None
    assert encode(layer.text) == content
    assert layer.put([]) == []
    edits = data.draw(edits_on(layer.text, replacements()))
    expected = apply(layer.text, edits)
    if decode(encode(expected)).text != expected:  # single bytes are adjacent now and form a character
        with pytest.raises(CannotEdit):
            layer.put(edits)
        return
    after = apply(outer, layer.put(edits))
    changed = look(after)
    assert changed is not None
    assert changed.text == expected
    assert after.endswith("\n") == outer.endswith("\n")
    if "\n" in outer.strip("\n"):
        assert all(len(line) <= width for line in after.split("\n"))
    else:
        assert "\n" not in after.strip("\n")


@LAW
@given(
    st.text("ab =\n", max_size=6),
    st.lists(st.tuples(st.sampled_from("XY"), st.text("ab =\n", max_size=6)), max_size=4),
    st.data(),
)
def test_variables(first: str, rest: list[tuple[str, str]], data: st.DataObject) -> None:
    outer = first + "".join(f"${{{name}}}{text}" for name, text in rest)
    values = {"X": "", "Y": "longer than before\n"}
    found = yamlio.marks.find(outer)
    layer = Variables(outer, [(mark, values[mark.name]) for mark in found if mark.name in values and mark.prints])
    assert layer.text == first + "".join(values[name] + text for name, text in rest)
    assert layer.put([]) == []
    edits = data.draw(edits_on(layer.text, replacements("ab\n")))
    try:
        after = apply(outer, layer.put(edits))
    except CannotEdit:
        event("refused")
        return
    assert Variables(
        after, [(mark, values[mark.name]) for mark in yamlio.marks.find(after) if mark.name in values and mark.prints]
    ).text == apply(layer.text, edits)


@LAW
@given(
    st.text("ab =\n", max_size=6),
    st.lists(st.tuples(st.sampled_from(["{{ x }}", "${X}"]), st.text("ab =\n", max_size=6)), max_size=4),
    st.data(),
)
def test_masked(first: str, rest: list[tuple[str, str]], data: st.DataObject) -> None:
    outer = "=" + first + "".join(f"={mark}{text}" for mark, text in rest)
    layer = Masked(outer, yamlio.marks.find(outer))
    edits = data.draw(edits_on(layer.text, replacements("ab\n")))
    assert layer.put([]) == []
    try:
        after = apply(outer, layer.put(edits))
    except CannotEdit:
        event("refused")
        return
    changed = apply(layer.text, edits)
    marks = yamlio.marks.find(after)
    assert len(marks) == len(rest)
    again = Masked(after, marks).text
    if not any(line.lstrip().startswith("#") for line in again.split("\n")):
        assert again == changed


@LAW
@given(st.text("[]ab =\n#é", max_size=20), st.sampled_from(["literal", "double", "slice"]), st.data())
def test_a_stack_keeps_the_laws(conf: str, outermost: str, data: st.DataObject) -> None:
    secret = f"kind: Secret\ndata:\n  key: {base64.b64encode(conf.encode()).decode()}\n"

    def stack_on(file: str) -> Stack:
        stack = Stack(file)
        if outermost == "slice":
            stack = stack.push(Slice(file, Span(8, len(file)), "fenced text"))
        else:
            (document,) = yamlio.documents(file)
            assert isinstance(document, yamlio.YamlDocument)
            node = yamlio.field(document.root, "files")
            assert isinstance(node, yamlio.Scalar)
            stack = stack.push(scalar_layer(node, file))
        (document,) = yamlio.documents(stack.inner)
        assert isinstance(document, yamlio.YamlDocument)
        node = yamlio.field(document.root, "data", "key")
        assert isinstance(node, yamlio.Scalar)
        stack = stack.push(scalar_layer(node, stack.inner))
        encoded = base64_layer(stack.inner)
        assert encoded is not None
        return stack.push(encoded)

    if outermost == "literal":
        file = "files: |\n" + "".join(f"    {line}\n" for line in secret.splitlines())
    elif outermost == "double":
        file = yaml.dump({"files": secret}, default_style='"', width=30).replace('"files"', "files")
    else:
        file = "# text\n\n" + secret
    stack = stack_on(file)
    assert stack.inner == conf
    assert not stack.exact
    assert stack.put([]) == []
    edits = data.draw(edits_on(conf, replacements("ab\n")))
    carried = stack.put(edits)
    after = apply(file, carried)
    assert stack_on(after).inner == apply(conf, edits)
    place = stack.outward(Span(0, len(conf)))
    assert all(place.start <= edit.start <= edit.end <= place.end for edit in carried)


@LAW
@given(
    st.lists(st.tuples(st.sampled_from(["", "\t", "\t\t"]), st.text("ab =#é", max_size=6)), max_size=6),
    st.sampled_from(["", "\n"]),
    st.data(),
)
def test_lines_without_their_tabs(rows: list[tuple[str, str]], ending: str, data: st.DataObject) -> None:
    body = "\n".join(tabs + line for tabs, line in rows) + ending
    outer = f"cat <<-EOF\n{body}EOF\n"
    layer = unindented(outer, Span(11, 11 + len(body)), "heredoc", leading_tabs)
    assert layer.text == "\n".join(line for _, line in rows) + ending
    assert layer.put([]) == []
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(layer.text))] * 2)))
    outside = outer[slice(*layer.outward(Span(start, end)))]
    assert outside.replace("\t", "") == layer.text[start:end]
    edits = data.draw(edits_on(layer.text, replacements("ab\n")))
    try:
        after = apply(outer, layer.put(edits))
    except CannotEdit:
        event("refused")
        return
    assert after.startswith("cat <<-EOF\n")
    assert after.endswith("EOF\n")
    inside = "\n".join(line.lstrip("\t") for line in after[11:-4].split("\n"))
    assert inside == apply(layer.text, edits)


@LAW
@given(st.lists(CONF_LINE, min_size=1, max_size=8), st.sampled_from(["\t", "  ", "      "]), st.data())
def test_ordinary_changes_of_indented_lines_are_never_refused(
    lines: list[str], margin: str, data: st.DataObject
) -> None:
    inner = "".join(f"{line}\n" for line in ["[Global]", *lines, "z=1"])
    body = "".join(f"{margin}{line}\n" if line else "\n" for line in inner.split("\n")[:-1])
    outer = f"x = <<-EOT\n{body}EOT\n"
    layer = unindented(outer, Span(11, 11 + len(body)), "heredoc", common_blanks)
    assert layer.text == inner
    number = data.draw(st.integers(0, len(lines)))
    starts = [0]
    for line in inner.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    start, end = starts[number], starts[number + 1]
    edit = data.draw(
        st.sampled_from(
            [
                Edit(start, end, ""),
                Edit(start, end - 1, "new = value"),
                Edit(start, start, "new = value\n"),
                Edit(end - 1, end - 1, "\nnew = value\n\n[Section]"),
                Edit(end, end, "[Section]\nx = 1\n"),
                Edit(len(inner), len(inner), "\n[Section]\nx = 1\n"),
            ]
        )
    )
    after = apply(outer, layer.put([edit]))
    assert "".join(line.removeprefix(margin) for line in after[11:-4].splitlines(keepends=True)) == apply(inner, [edit])
    new = after[11:-4].split("\n")[:-1]
    assert all(line.startswith(margin) for line in new if line.strip())


@LAW
@given(st.text('ab\\$`" =\n', max_size=20), st.sampled_from(["$`", '$`"']), st.data())
def test_shell_text(outer: str, special: str, data: st.DataObject) -> None:
    layer = Unescaped(outer, special)
    for sign in "$`" if special == "$`" else '$`"':
        assert Unescaped(f"a\\{sign}b", special).text == f"a{sign}b"
    assert Unescaped("a\\\\b\\\nc\\d", special).text == "a\\bc\\d"
    assert layer.put([]) == []
    edits = data.draw(edits_on(layer.text, replacements('ab$`"\\\n')))
    try:
        after = apply(outer, layer.put(edits))
    except CannotEdit:
        event("refused")
        return
    assert Unescaped(after, special).text == apply(layer.text, edits)
