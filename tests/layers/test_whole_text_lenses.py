"""Lenses on a whole text, and several lenses on one another."""

from __future__ import annotations

import base64

import pytest

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import ReadOnly
from ccmcheck.layers.encoded import base64_layer
from ccmcheck.layers.masked import Masked
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.stack import Stack
from ccmcheck.layers.variables import Variables
from ccmcheck.yamlio import Scalar, YamlDocument, documents, field, marks


def test_slice() -> None:
    layer = Slice("ab[c]de", Span(2, 5), "heredoc")
    assert (layer.kind, layer.text, layer.exact) == ("heredoc", "[c]", True)
    assert layer.outward(Span(1, 2)) == (3, 4)
    assert layer.put([Edit(3, 3, "!"), Edit(0, 1, "<")]) == [Edit(2, 3, "<"), Edit(5, 5, "!")]
    with pytest.raises(CannotEdit, match="outside"):
        layer.put([Edit(3, 4, "")])


def test_read_only() -> None:
    layer = ReadOnly("folded block", "x", Span(3, 9), "because of folding")
    assert layer.outward(Span(0, 1)) == (3, 9)
    assert layer.put([]) == []
    with pytest.raises(CannotEdit, match="because of folding"):
        layer.put([Edit(0, 1, "")])


VALUES = {"X": "", "Y": "long\nvalue"}
TEMPLATE = "a=${X}\nb=${Y:=two}\nc={{ z }}\n"


def test_variables() -> None:
    layer = Variables(
        TEMPLATE, [(mark, VALUES[mark.name]) for mark in marks.find(TEMPLATE) if mark.name in VALUES and mark.prints]
    )
    assert layer.text == "a=\nb=long\nvalue\nc={{ z }}\n"
    assert layer.outward(Span(0, 2)) == (0, 2)
    assert layer.outward(Span(6, 7)) == (9, 18)
    assert layer.outward(Span(4, 9)) == (8, 18)
    assert layer.outward(Span(16, 17)) == (19, 20)
    assert layer.outward(Span(7, 7)) == (9, 18)
    assert layer.put([Edit(3, 4, "B"), Edit(16, 16, "# ")]) == [Edit(7, 8, "B"), Edit(19, 19, "# ")]
    for inside in (Edit(6, 7, ""), Edit(7, 7, "x"), Edit(3, 16, ""), Edit(14, 16, "")):
        with pytest.raises(CannotEdit, match="variable"):
            layer.put([inside])


def test_masked() -> None:
    layer = Masked(TEMPLATE, marks.find(TEMPLATE))
    assert (layer.kind, layer.exact, len(layer.marks)) == ("template", True, 3)
    assert layer.text == "a=xxxx\nb=xxxxxxxxx\nc=xxxxxxx\n"
    assert layer.outward(Span(2, 6)) == (2, 6)
    edits = [Edit(0, 1, "A"), Edit(2, 2, " "), Edit(6, 6, " "), Edit(7, 7, "# ")]
    assert layer.put(edits) == edits
    for inside in (Edit(0, 3, ""), Edit(3, 3, "x"), Edit(5, 7, ""), Edit(0, 30, "")):
        with pytest.raises(CannotEdit, match="template mark"):
            layer.put([inside])


def inner_most(stack: Stack, *names: str) -> Stack:
    (document,) = documents(stack.inner)
    assert isinstance(document, YamlDocument)
    node = field(document.root, *names)
    assert isinstance(node, Scalar)
    return stack.push(scalar_layer(node, stack.inner))


def decoded(stack: Stack) -> Stack:
    layer = base64_layer(stack.inner)
    assert layer is not None
    return stack.push(layer)


def test_a_secret_in_a_cluster_resource_set() -> None:
    conf = "[Global]\nauth_url=x\n"
    secret = f"kind: Secret\ndata:\n  cloud.conf: {base64.b64encode(conf.encode()).decode()} # kept\n"
    wrapped = base64.encodebytes(secret.encode()).decode()
    file = (
        "# é\nkind: Secret\ndata:\n  x.yaml: |\n"
        + "".join(f"    {line}\n" for line in wrapped.splitlines())
        + "type: y\n"
    )

    def open_up(text: str) -> Stack:
        return decoded(inner_most(decoded(inner_most(Stack(text), "data", "x.yaml")), "data", "cloud.conf"))

    stack = open_up(file)
    assert stack.inner == conf
    assert [layer.kind for layer in stack.layers] == ["literal block", "base64", "plain", "base64"]
    assert not stack.exact
    assert repr(stack) == "Stack(literal block, base64, plain, base64)"
    assert stack.put([]) == []
    edits = stack.put([Edit(13, 14, "-")])
    after = apply(file, edits)
    assert open_up(after).inner == conf.replace("_", "-")
    assert " # kept\n" in open_up(after).layers[1].text
    place = stack.outward(Span(13, 14))
    assert file[: place.start] == after[: place.start]
    assert file[: place.start].endswith("x.yaml: |\n    ")
    assert after.endswith("\ntype: y\n")


def test_yaml_in_yaml_is_exact() -> None:
    file = "files:\n- content: |\n    cloud.conf: |\n      [Global]\n      a = 1\n"
    (document,) = documents(file)
    assert isinstance(document, YamlDocument)
    stack = Stack(file)
    assert (stack.inner, stack.exact, stack.outward(Span(1, 2)), stack.put([])) == (file, True, (1, 2), [])
    node = field(document.root, "files")
    assert node is not None
    content = node.items[0].get("content")  # type: ignore[attr-defined]  # the sequence of one mapping above
    stack = inner_most(stack.push(scalar_layer(content, file)), "cloud.conf")
    assert stack.inner == "[Global]\na = 1\n"
    assert stack.exact
    assert stack.outward(Span(13, 14)) == (file.index("1"), file.index("1") + 1)
    assert stack.put([Edit(13, 14, "22")]) == [Edit(file.index("1"), file.index("1") + 1, "22")]


def test_a_change_of_a_template_in_a_block_is_refused_inside_the_mark() -> None:
    file = "key: |\n  a = {{ b }}\n  c = 3\n"
    stack = Stack(file).push(Masked(file, marks.find(file)))
    stack = inner_most(stack, "key")
    assert stack.inner == "a = xxxxxxx\nc = 3\n"
    assert stack.put([Edit(16, 17, "3s")]) == [Edit(27, 28, "3s")]
    with pytest.raises(CannotEdit, match="template mark"):
        stack.put([Edit(4, 11, "x")])
