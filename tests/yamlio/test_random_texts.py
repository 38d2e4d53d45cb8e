"""Laws that hold for every text, YAML or not."""

from __future__ import annotations

import re

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.text import decode
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlDocument, YamlNode, documents, parse, scalars

PIECES = st.sampled_from(
    ["a", "b: ", "- ", "? ", ": ", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ",", "'", '"', "|\n", ">-\n", "&x ", "*x", "!t ", "# ",
     "---\n", "\n...\n", "\ufeff", "é", "😀", "\r\n", "\r", "\t", "\x85", "\u2028", "\\", "%", "\0", "\udcff", "<<: ", "{{ x }}"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)
LAW = settings(max_examples=200)


def everything(node: YamlNode) -> list[YamlNode]:
    """All nodes, keys too; a text this short has no bombs, but it may have cycles."""
    found: list[YamlNode] = []
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found.append(node)
        if isinstance(node, Mapping):
            waiting += [side for pair in node.items for side in pair]
        elif isinstance(node, Sequence):
            waiting += node.items
    return found


@LAW
@given(TEXTS)
@example("\ufeff\ufeffa")
@example("--- \n--- x\n...\n...\n")
def test_documents_never_raises_and_spans_are_in_the_text(text: str) -> None:
    position = 0
    for found in documents(text):
        if isinstance(found, BadYaml):
            assert 0 <= found.offset <= len(text)
            assert found.message
            continue
        assert position <= found.start <= found.end <= len(text)
        position = found.start
        if found.root is None:
            continue
        for node in everything(found.root):
            start, end = node.span
            assert found.start <= start <= node.content.start <= node.content.end == end <= found.end
        assert {node.value for node in scalars(found.root)} <= {
            node.value for node in everything(found.root) if isinstance(node, Scalar)
        }


@LAW
@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    for found in documents(decode(data).text):
        assert isinstance(found, YamlDocument | BadYaml)


@LAW
@given(TEXTS)
def test_the_depth_never_exceeds_what_the_guard_bounds(text: str) -> None:
    """Flow brackets open two levels each, and each column that only blanks and indicators stand before opens one."""
    brackets = text.count("[") + text.count("{")
    columns = max(len(run) for run in re.findall(r"(?:\A|[\n\r\x85\u2028\u2029\ufeff])([ \t?:\-]*)", text))
    depth = deepest = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CLoader):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                deepest = max(deepest, depth)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    except (yaml.YAMLError, UnicodeEncodeError):
        pass
    assert deepest <= 2 * brackets + columns + 2


@LAW
@given(TEXTS)
def test_events_give_the_nodes_that_libyaml_composes(text: str) -> None:
    parser = parse.library().parser
    try:
        expected = []
        one = parser(text)
        while one.check_node():
            expected.append(one.get_node())
    except parse.library().failures:
        return
    found = parse.compose(text)
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        assert same(mine, theirs)


def same(mine: object, theirs: object) -> bool:
    waiting = [(mine, theirs)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        left, right = waiting.pop()
        if (id(left), id(right)) in seen:
            continue
        seen.add((id(left), id(right)))
        if isinstance(left, tuple) and isinstance(right, tuple):
            waiting += zip(left, right, strict=True)
            continue
        assert isinstance(left, yaml.Node)
        assert isinstance(right, yaml.Node)
        assert type(left) is type(right)
        assert left.tag == right.tag
        assert left.start_mark is not None
        assert right.start_mark is not None
        assert left.end_mark is not None
        assert right.end_mark is not None
        assert (left.start_mark.index, left.end_mark.index) == (right.start_mark.index, right.end_mark.index)
        if isinstance(left, yaml.ScalarNode) and isinstance(right, yaml.ScalarNode):
            assert (left.value, left.style or None) == (right.value, right.style or None)
        else:
            waiting += zip(left.value, right.value, strict=True)
    return True


@LAW
@given(TEXTS)
def test_a_deep_guard_changes_nothing_else(text: str) -> None:
    def read() -> list[object]:
        return [
            found.offset
            if isinstance(found, BadYaml)
            else [(node.span, node.value, node.shared) for node in scalars(found.root)]
            for found in documents(text)
        ]

    fast = read()
    guard = parse._is_shallow
    parse._is_shallow = lambda chunk: False  # noqa: ARG005 - as the other names it
    try:
        assert read() == fast
    finally:
        parse._is_shallow = guard
