"""Tokens: what they are, and that they join to the text."""

from __future__ import annotations

import pytest

from ccmcheck.gcfg import comments, parse, tokenize

TEXTS = [
    ("", []),
    ("\r\n", [("newline", "\r\n")]),
    (
        '[A "b"] # c\r\n x=1\n',
        [
            ("bracket", "["),
            ("section", "A"),
            ("blank", " "),
            ("subsection", '"b"'),
            ("bracket", "]"),
            ("blank", " "),
            ("comment", "# c"),
            ("newline", "\r\n"),
            ("blank", " "),
            ("key", "x"),
            ("equals", "="),
            ("value", "1"),
            ("newline", "\n"),
        ],
    ),
    (
        '; c\n[A]\nx\ny = "a=b" ;d',
        [
            ("comment", "; c"),
            ("newline", "\n"),
            ("bracket", "["),
            ("section", "A"),
            ("bracket", "]"),
            ("newline", "\n"),
            ("key", "x"),
            ("newline", "\n"),
            ("key", "y"),
            ("blank", " "),
            ("equals", "="),
            ("blank", " "),
            ("value", '"a=b"'),
            ("blank", " "),
            ("comment", ";d"),
        ],
    ),
    (
        '#\n[A "b#c"]\r\nx = "d;e" # f\r\n#\r\r\n',
        [
            ("comment", "#"),
            ("newline", "\n"),
            ("bracket", "["),
            ("section", "A"),
            ("blank", " "),
            ("subsection", '"b#c"'),
            ("bracket", "]"),
            ("newline", "\r\n"),
            ("key", "x"),
            ("blank", " "),
            ("equals", "="),
            ("blank", " "),
            ("value", '"d;e"'),
            ("blank", " "),
            ("comment", "# f"),
            ("newline", "\r\n"),
            ("comment", "#\r"),
            ("newline", "\r\n"),
        ],
    ),
    (
        "a: b\n[A b]\nc_d = 1",
        [
            ("other", "a:"),
            ("blank", " "),
            ("other", "b"),
            ("newline", "\n"),
            ("other", "[A b]"),
            ("newline", "\n"),
            ("key", "c_d"),
            ("blank", " "),
            ("equals", "="),
            ("blank", " "),
            ("value", "1"),
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_tokens(text: str, expected: list[tuple[str, str]]) -> None:
    tokens = tokenize(text)
    assert [(token.kind, text[token.start : token.end]) for token in tokens] == expected
    assert "".join(text[token.start : token.end] for token in tokens) == text
    found = [(token.start, token.end) for token in tokens if token.kind == "comment"]
    assert list(comments(parse(text))) == found
