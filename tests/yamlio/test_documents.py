"""Streams of documents: where they start, what is broken, and where."""

from __future__ import annotations

import pytest

from ccmcheck.base.errors import BadYaml
from ccmcheck.yamlio import Scalar, YamlDocument, documents, scalars, text_of


def summary(text: str) -> list[object]:
    """For each document its extent and the source of its scalar values, or the offset of what is wrong."""
    return [
        found.offset
        if isinstance(found, BadYaml)
        else (found.start, found.end, [text[slice(*node.span)] for node in scalars(found.root)])
        for found in documents(text)
    ]


def values(text: str) -> list[str]:
    (document,) = documents(text)
    assert isinstance(document, YamlDocument), document
    return [node.value for node in scalars(document.root)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# only a comment\n", []),
        ("a: 1", [(0, 4, ["1"])]),
        ("---\na: 1\n---\nb: é\n", [(0, 9, ["1"]), (9, 18, ["é"])]),
        ("a: 1\n--- {b: 2}\n---\n---\nc: 3", [(0, 5, ["1"]), (5, 16, ["2"]), (16, 20, []), (20, 28, ["3"])]),
        ("a: 1\n...\nb: 2\n", [(0, 8, ["1"]), (8, 14, ["2"])]),
        ("a: 1\r\n---\r\nb: 2\r\n", [(0, 6, ["1"]), (6, 17, ["2"])]),
        ("a: 1\n---- not a marker\n", [5 + 18]),
        ("%YAML 1.1\n---\na: 1\n", [(0, 19, ["1"])]),
        ("# c\n\n%TAG ! tag:x,2000:\n---\na: 1\n...\n%YAML 1.1\n---\nb: 2\n", [(0, 36, ["1"]), (36, 56, ["2"])]),
        ("a: |\n  x\n---\nb: '\n---\nc: 2\n", [(0, 9, ["|\n  x\n"]), 18, (18, 27, ["2"])]),
        ("\ufeffa: b\n", [(0, 6, ["b"])]),
        ("x: 1\n...\n\ufeffa: b\n", [(0, 8, ["1"]), (8, 15, ["b"])]),
        ("a: b\x85c: d\u2028e: f\n", [(0, 15, ["b", "d", "f"])]),
        ("a: 1\r---\rb: 2\r", [(0, 14, ["1"]), (0, 14, ["2"])]),
        ("😀: 1\n---\na: 😀\n", [(0, 5, ["1"]), (5, 14, ["😀"])]),
    ],
)
def test_extents_and_spans(text: str, expected: list[object]) -> None:
    assert summary(text) == expected


@pytest.mark.parametrize(
    ("broken", "at"),
    [
        ("a: [1", 6),
        ("a: 'é", 6),
        ("{{ x\n", 6),
        ("a: b: c", 4),
        ("a: *nowhere", 3),
        ("é: \udcff\udcfe", 3),
        ("a: x\0y", 4),
        ("é: \x01", 3),
        ("a: \x1b[0m", 3),
        ("é: \ufffe", 3),
        ("a:\n\tb: c", 3),
        ("\ta: b", 0),
        ("a: 1\na b\nc: d", 9),
    ],
)
def test_one_broken_document_leaves_the_others_readable(broken: str, at: int) -> None:
    before, after = "x: 1\n---\n", "\n---\ny: 2\n"
    found = list(documents(before + broken + after))
    assert len(found) == 3
    first, bad, last = found
    assert isinstance(first, YamlDocument)
    assert isinstance(bad, BadYaml)
    assert isinstance(last, YamlDocument)
    assert (bad.offset, last.start) == (len(before) + at, len(before + broken) + 1)
    assert [node.value for node in scalars(last.root)] == ["2"]


def test_error_messages_never_quote_the_text() -> None:
    for text in (
        "a: *hunter2",
        "password: 'hunter2",
        "a: hunter2\0",
        "a: hunter2\udcff",
        "!hunter2!x a",
        "{a: hunter2",
    ):
        (bad,) = documents(text)
        assert isinstance(bad, BadYaml)
        assert bad.message
        assert "hunter2" not in bad.message + repr(bad)


def test_an_anchor_may_be_redefined() -> None:
    text = "a: &x 1\nb: *x\nc: &x 2\nd: *x\n"
    assert values(text) == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": "b"}', ["b"]),
        ('{\n\t"a":\t"b/\\/"\n}', ["b//"]),
        ('\t{"a": 1}', ["1"]),
        ('\r\n\t[{"a": "\\u00e9\\ud83d\\ude00x\\ud83d\\ude01", "\\ud83d\\ude02": "z"}]', ["é😀x😁", "z"]),
        ('{"a":1,"b":[true,null]}', ["1", "true", "null"]),
    ],
)
def test_json(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    "text", ['{"a": "\\ud83d\\ude00"', '{"a": "\ue000\\ud83d\\ude00"}', '"\\ud83d\\ude00"', '{"a": "\\ud83d"}']
)
def test_json_that_stays_broken(text: str) -> None:
    (bad,) = documents(text)
    assert isinstance(bad, BadYaml)


def test_a_value_after_json_escapes_keeps_its_span() -> None:
    text = '\t{"a": "\\ud83d\\ude00", "b": "c"}'
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    _, node = scalars(document.root)
    assert (text[slice(*node.span)], text_of(node)) == ('"c"', "c")
    assert isinstance(node, Scalar)
