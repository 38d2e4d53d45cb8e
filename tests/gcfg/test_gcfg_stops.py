"""Where gcfg stops: the kind, gcfg's own words, and the place that is shown."""

from __future__ import annotations

import pytest

from ccmcheck.gcfg import STOP_KINDS, parse
from ccmcheck.gcfg.errors import SYNTAX_KINDS, VALUE_KINDS
from ccmcheck.gcfg.parser import STOP_LIMIT

BACKSLASH = "unquoted '\\' must be followed by new line or double quote"
# text, kind, the text under the caret, gcfg's words
STOPS = [
    # bytes
    ("[A]\nx = a\udcffb\n", "illegal-utf8", "\udcff", "2:6: illegal UTF-8 encoding"),
    ("# caf\udce9\n[A]\n", "illegal-utf8", "\udce9", "1:6: illegal UTF-8 encoding"),
    ("# \udce9\udce9 \udce9\n\udce9", "illegal-utf8", "\udce9", "1:3: illegal UTF-8 encoding (and 3 more errors)"),
    ("\udcff\udcfe", "illegal-utf8", "\udcff", "1:1: illegal UTF-8 encoding (and 2 more errors)"),
    ("\n\udcff\udcfe", "illegal-utf8", "\udcff", "2:1: illegal UTF-8 encoding"),
    ("\n \udcff\udcfe", "illegal-utf8", "\udcff", "2:2: illegal UTF-8 encoding (and 2 more errors)"),
    ("[A]\nx_\udcff", "illegal-utf8", "\udcff", "2:3: illegal UTF-8 encoding (and 1 more errors)"),
    ("[A \udcff", "illegal-utf8", "\udcff", "1:4: illegal UTF-8 encoding (and 1 more errors)"),
    ("[A]\nx = v\n\0", "illegal-nul", "\0", "3:1: illegal character NUL"),
    ("\0", "illegal-nul", "\0", "1:1: illegal character NUL (and 1 more errors)"),
    ("[A]\nx = é\0\n", "illegal-nul", "\0", "2:7: illegal character NUL"),
    ("[A]\nx = \ud800\n", "illegal-utf8", "\ud800", "2:5: illegal UTF-8 encoding"),
    ("[A]\nx = a\0b\n", "illegal-nul", "\0", "2:6: illegal character NUL"),
    ('[A]\nx = "a\0b"\n', "illegal-nul", "\0", "2:7: illegal character NUL"),
    ("[A]\nx = 1 # \0\n", "illegal-nul", "\0", "2:9: illegal character NUL"),
    ('[A "\0"]\n', "illegal-nul", "\0", "1:5: illegal character NUL"),
    # the character after the one that is looked at is read already
    ('[A "b\n\udcff"]\n', "illegal-utf8", "\udcff", "2:1: illegal UTF-8 encoding (and 1 more errors)"),
    ('[A "b\nx\udcff\n', "bad-header", '"b', "1:4: string not terminated (and 1 more errors)"),
    ('[A "b\nxy\udcff\n', "bad-header", '"b', "1:4: string not terminated"),
    ('[A "b\\\n\udcff', "illegal-utf8", "\udcff", "2:1: illegal UTF-8 encoding (and 2 more errors)"),
    ('[A "\\x\udcff"]', "illegal-utf8", "\udcff", "1:7: illegal UTF-8 encoding (and 1 more errors)"),
    ('[A "\\x\\y\udcff"]', "bad-header", "\\x", "1:6: unknown escape sequence (and 2 more errors)"),
    ('[A]\nx = "a\n\udcff', "illegal-utf8", "\udcff", "3:1: illegal UTF-8 encoding (and 1 more errors)"),
    ('[A]\nx = "a\ny\udcff', "unterminated-string", '"a', "2:5: string not terminated"),
    ('[A]\nx = "a\\\n\udcff', "illegal-utf8", "\udcff", "3:1: illegal UTF-8 encoding (and 2 more errors)"),
    ('[A]\nx = "a\\d\udcff"', "illegal-utf8", "\udcff", "2:9: illegal UTF-8 encoding (and 1 more errors)"),
    ('[A]\nx = "\\d\n\udcff', "bad-escape", "\\d", "2:7: unknown escape sequence (and 2 more errors)"),
    ('[A]\nx = "\\d\ny\udcff', "bad-escape", "\\d", "2:7: unknown escape sequence (and 1 more errors)"),
    ("[A]\nx = \\\udcff", "illegal-utf8", "\udcff", "2:6: illegal UTF-8 encoding (and 1 more errors)"),
    ("[A]\nx = \\\r\udcff", "illegal-utf8", "\udcff", "2:7: illegal UTF-8 encoding (and 1 more errors)"),
    ("[A]\nx = \\d\udcff", "bad-backslash", "\\d", f"2:5: {BACKSLASH}"),
    ("[A]\nx = \\\rd\udcff", "bad-backslash", "\\\r", f"2:5: {BACKSLASH}"),
    ("\ufeff[A]\n", "illegal-bom", "\ufeff", "1:1: illegal character U+FEFF"),
    ("[A]\nx\ufeff = v\n", "illegal-bom", "\ufeff", "2:2: illegal character U+FEFF"),
    # characters
    ("[A]\nauth_url = x\n", "illegal-character", "_", "2:5: illegal character U+005F '_'"),
    ("[A]\nx: v\n", "illegal-character", ":", "2:2: illegal character U+003A ':'"),
    ("[A]\nx.y = v\n", "illegal-character", ".", "2:2: illegal character U+002E '.'"),
    ("[A]\n-x = v\n", "illegal-character", "-", "2:1: illegal character U+002D '-'"),
    ("[A]\n1x = v\n", "illegal-character", "1", "2:1: illegal character U+0031 '1'"),
    ("[A]\n'x' = v\n", "illegal-character", "'", "2:1: illegal character U+0027 '''"),
    ("[A]\nx += v\n", "illegal-character", "+", "2:3: illegal character U+002B '+'"),
    ("[A]\nx\xa0= v\n", "illegal-character", "\xa0", "2:2: illegal character U+00A0"),
    ("[A]\né² = v\n", "illegal-character", "²", "2:3: illegal character U+00B2 '²'"),
    ("[A]\n\x0b\n", "illegal-character", "\x0b", "2:1: illegal character U+000B"),
    ("[A]\n😀 = v\n", "illegal-character", "😀", "2:1: illegal character U+1F600 '😀'"),
    ("---\n[A]\n", "illegal-character", "-", "1:1: illegal character U+002D '-'"),
    ("{% if x %}\n", "illegal-character", "{", "1:1: illegal character U+007B '{'"),
    # no section
    ("x = v\n", "no-section", "x", "1:1: expected section header"),
    ("\n  word\n", "no-section", "word", "2:3: expected section header"),
    ("= v\n", "no-section", "=", "1:1: expected section header"),
    ("]\n", "no-section", "]", "1:1: expected section header"),
    ('"a"\n', "no-section", '"a"', "1:1: expected section header"),
    # keys
    ("[A]\n= v\n", "expected-key", "=", "2:1: expected section header or variable declaration"),
    ("[A]\n]\n", "expected-key", "]", "2:1: expected section header or variable declaration"),
    ('[A]\n"x" = v\n', "expected-key", '"x"', "2:1: expected section header or variable declaration"),
    ("[A]\nx y = v\n", "expected-equals", "y", "2:3: expected '='"),
    ("[A]\nx [y]\n", "expected-equals", "[", "2:3: expected '='"),
    ('[A]\nx "y"\n', "expected-equals", '"y"', "2:3: expected '='"),
    # headers
    ("[Load Balancer]\n", "bad-header", "Balancer", "1:7: expected subsection name or right bracket"),
    ("[A b]\n", "bad-header", "b", "1:4: expected subsection name or right bracket"),
    ("[A 'b']\n", "bad-header", "'", "1:4: illegal character U+0027 '''"),
    ("[A_b]\n", "bad-header", "_", "1:3: illegal character U+005F '_'"),
    ("[A\n", "bad-header", "\n", "1:3: expected subsection name or right bracket"),
    ("[A", "bad-header", "", "1:3: expected subsection name or right bracket"),
    ("[A # c\n]", "bad-header", "\n", "1:7: expected subsection name or right bracket"),
    ("[]\n", "bad-header", "]", "1:2: expected section name"),
    ("[[A]]\n", "bad-header", "[", "1:2: expected section name"),
    ('["A"]\n', "bad-header", '"A"', "1:2: expected section name"),
    ("[A]]\n", "bad-header", "]", "1:4: expected EOL, EOF, or comment"),
    ("[A] x = v\n", "bad-header", "x", "1:5: expected EOL, EOF, or comment"),
    ("[A] \udcff\n", "bad-header", "\udcff", "1:5: expected EOL, EOF, or comment"),
    ('[A "b" c]\n', "bad-header", "c", "1:8: expected right bracket"),
    ('[A "b" _]\n', "bad-header", "_", "1:8: illegal character U+005F '_'"),
    ('[A "b\nc"]\n', "bad-header", '"b', "1:4: string not terminated"),
    (r'[A "b\n"]', "bad-header", r"\n", "1:7: unknown escape sequence"),
    (r'[A "b\nc\t\"d\x"]', "bad-header", r"\n", "1:7: unknown escape sequence (and 2 more errors)"),
    ("[\n\udcff", "illegal-utf8", "\udcff", "2:1: illegal UTF-8 encoding"),
    ('[A ""]\n', "empty-subsection", '""', "1:4: empty subsection name"),
    # values
    ('[A]\nx = a"b\n', "unterminated-string", '"b', "2:5: string not terminated"),
    ('[A]\nx = "a" "b', "unterminated-string", '"b', "2:5: string not terminated"),
    ('[A]\nx = "a""b\n', "unterminated-string", '"b', "2:5: string not terminated"),
    ('[A]\nx = "a\nb"\n', "unterminated-string", '"a', "2:5: string not terminated"),
    ('[A]\nx = "a\\\nb"\n', "bad-escape", "\\\n", "2:8: unknown escape sequence"),
    ('[A]\nx = "a\\\nb', "bad-escape", "\\\n", "2:8: unknown escape sequence (and 1 more errors)"),
    ('[A]\nx = "C:\\dir"', "bad-escape", r"\d", "2:9: unknown escape sequence"),
    ('[A]\nx = "\\d\\\\\\e\\n"', "bad-escape", r"\d", "2:7: unknown escape sequence (and 1 more errors)"),
    ('[A]\nx = "\\d\\\n\\e"\n', "bad-escape", r"\d", "2:7: unknown escape sequence (and 2 more errors)"),
    ('[A]\nx = "\\d\n\\e"\n', "bad-escape", r"\d", "2:7: unknown escape sequence (and 1 more errors)"),
    ('[A]\nx = "\\d" "\\e\\"', "bad-escape", r"\d", "2:7: unknown escape sequence (and 2 more errors)"),
    ('[A]\nx = "\\d', "bad-escape", r"\d", "2:7: unknown escape sequence (and 1 more errors)"),
    ("[A]\nx = é C:\\dir\n", "bad-backslash", "\\d", "2:5: unquoted '\\' must be followed by new line or double quote"),
    ("[A]\nx = a\\", "bad-backslash", "\\", "2:5: unquoted '\\' must be followed by new line or double quote"),
    ('[A]\nx = "a"\\d\n', "bad-backslash", "\\d", f"2:5: {BACKSLASH}"),
    ("[A]\nx = a\\ \nb", "bad-backslash", "\\ ", "2:5: unquoted '\\' must be followed by new line or double quote"),
    ("[A]\nx = a\\\\\n", "bad-backslash", "\\\\", "2:5: unquoted '\\' must be followed by new line or double quote"),
    ("[A]\nx = a\\\nb\\c\n", "bad-backslash", "\\c", "2:5: unquoted '\\' must be followed by new line or double quote"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "shown", "error"), STOPS, ids=[repr(stop[0])[:40] for stop in STOPS])
def test_first_stop(text: str, kind: str, shown: str, error: str) -> None:
    stop = parse(text).stops[0]
    assert (stop.kind, text[slice(*stop.span)], stop.error) == (kind, shown, error)


def test_every_syntax_kind_is_tested() -> None:
    assert {kind for _, kind, _, _ in STOPS} == set(SYNTAX_KINDS)
    assert STOP_KINDS == SYNTAX_KINDS + VALUE_KINDS


@pytest.mark.parametrize("text", ['[A]\nx = a\\"b\n', '[A]\nx = a\\\r"b\n'])
def test_before_1_2_2_an_escaped_quote_is_an_error(text: str) -> None:
    assert parse(text).stops == ()
    (stop,) = parse(text, "v1.2.1").stops
    assert stop.error == "2:5: unquoted '\\' must be followed by new line"
    assert stop.kind == "bad-backslash"


def test_before_1_2_2_everything_else_is_the_same() -> None:
    text = '[A]\nx = "a\\"b"\ny = c\\\nd\nbare\nz = 1 # c\n; c\nempty = \n'
    assert parse(text, "v1.2.0").sections[0].entries == parse(text).sections[0].entries


def test_1_2_2_reads_an_escaped_quote_beside_errors() -> None:
    document = parse('[A]\nx_y = a\\"b\n', "v1.2.2")
    assert [stop.kind for stop in document.stops] == ["illegal-character"]
    assert document.sections[0].entries[0].value == 'a"b'


def test_columns_count_bytes_and_lines_end_at_newlines_only() -> None:
    (stop,) = parse("# \u2028 \x85 \r x\n[A]\né_ = v\n").stops
    assert stop.error == "3:3: illegal character U+005F '_'"


def test_parsing_stops_after_many_errors() -> None:
    document = parse("[A]\n" + "= v\n" * (STOP_LIMIT + 5) + "[B]\n")
    assert len(document.stops) == STOP_LIMIT
    assert not document.complete
    assert [section.name for section in document.sections] == ["A"]
