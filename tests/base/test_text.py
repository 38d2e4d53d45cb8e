from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck.base.model import Span
from ccmcheck.base.text import BOM, LineIndex, decode, encode


@settings(max_examples=200)
@given(st.one_of(st.binary(max_size=40), st.text(max_size=40).map(str.encode)))
def test_encode_inverts_decode(data: bytes) -> None:
    assert encode(decode(data).text) == data


@pytest.mark.parametrize(
    ("data", "text", "is_binary", "is_utf8"),
    [
        (b"", "", False, True),
        ("é=1\r\n".encode(), "é=1\r\n", False, True),
        (b"\xef\xbb\xbfa", BOM + "a", False, True),
        (b"a\xff\xfeb", "a\udcff\udcfeb", False, False),
        (b"a\0b", "a\0b", True, True),
        ("a".encode("utf-16"), "\udcff\udcfea\0", True, False),
    ],
)
def test_properties_of_the_bytes(data: bytes, text: str, is_binary: bool, is_utf8: bool) -> None:
    assert decode(data) == (text, is_binary, is_utf8)


TEXT = "ab\r\n\né\x85c\u2028d\re\nlast"


@pytest.mark.parametrize(
    ("offset", "position"),
    [
        (0, (1, 1)),
        (2, (1, 3)),
        (3, (1, 4)),
        (4, (2, 1)),
        (5, (3, 1)),
        (7, (3, 3)),
        (12, (3, 8)),
        (13, (4, 1)),
        (17, (4, 5)),
    ],
)
def test_position(offset: int, position: tuple[int, int]) -> None:
    index = LineIndex(TEXT)
    for _ in range(8):  # counted in place at first, by the index later
        assert index.position(offset) == position
    assert index.offset(*position) == (offset if offset != 3 else 2)  # the line shown ends before its CR


def test_lines_are_shown_without_their_ends() -> None:
    index = LineIndex(TEXT)
    assert [TEXT[slice(*index.line_span(number))] for number in range(1, 5)] == ["ab", "", "é\x85c\u2028d\re", "last"]
    assert index.line_span(3) == Span(5, 12)
    assert index.line_span(4) == Span(13, 17)
    assert index.offset(1, 99) == 2
    for number in (0, 5):
        with pytest.raises(IndexError):
            index.line_span(number)


def test_the_end_of_a_text_with_a_final_newline_is_a_line_of_its_own() -> None:
    index = LineIndex("a\n")
    assert index.position(2) == (2, 1)
    assert index.line_span(2) == Span(2, 2)
    assert LineIndex("a\r").line_span(1) == Span(0, 2)


@settings(max_examples=200)
@given(st.text("a\r\né", max_size=12))
def test_positions_and_offsets_are_inverse(text: str) -> None:
    counted, indexed = LineIndex(text), LineIndex(text)
    for _ in range(5):
        indexed.position(0)
    for offset in range(len(text) + 1):
        line, column = LineIndex(text).position(offset)
        assert indexed.position(offset) == (line, column)
        assert text.split("\n")[line - 1][: column - 1] == text[offset - column + 1 : offset]
        assert counted.offset(line, column) <= offset
        for end in range(offset, len(text) + 1):
            assert indexed.positions(Span(offset, end)) == (line, column, *LineIndex(text).position(end))
