"""Values by type, with the words of Go's own functions."""

from __future__ import annotations

import pytest

from ccmcheck.gcfg import values
from ccmcheck.gcfg.errors import backquote, illegal, quote, quote_duration

SECOND = 1_000_000_000
WIDEST = (1 << 63) - 1


@pytest.mark.parametrize("word", ["true", "YES", "oN", "1"])
def test_true(word: str) -> None:
    assert values.parse_bool(word) == (True, None)


@pytest.mark.parametrize("word", ["false", "No", "OFF", "0"])
def test_false(word: str) -> None:
    assert values.parse_bool(word) == (False, None)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "``"),
        ("T", "`t`"),
        (" true ", "` true `"),
        ("a`b", '"a`b"'),
        ("a\nb", '"a\\nb"'),
        ("a\tb", "`a\tb`"),
        ("ÄİΣ", "`äiσ`"),
        ("\ufeff", '"\\ufeff"'),
        ("\x7f", '"\\x7f"'),
    ],
)
def test_not_a_bool(text: str, shown: str) -> None:
    assert values.parse_bool(text) == (None, f"failed to parse bool {shown}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("010", 10),
        ("08", 8),
        (" 3\n", 3),
        ("\u30003\x85", 3),
        ("0x10", 16),
        ("0xFF", 255),
        ("0x_1", 1),
        ("0x1_0", 16),
        ("0" * 5_000 + "7", 7),
        ("18446744073709551615", (1 << 64) - 1),
    ],
)
def test_uint(text: str, value: int) -> None:
    assert values.parse_uint(text) == (value, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "EOF"),
        ("+1", "expected integer"),
        ("-1", "expected integer"),
        ("-0x1", "expected integer"),
        ("x", "expected integer"),
        ("٣", "expected integer"),
        ("0X10", 'extra characters "X10"'),
        ("3.0", 'extra characters ".0"'),
        ("1 2 3", 'extra characters "2"'),
        ("1_000", 'extra characters "_000"'),
        ("3\n4", "unexpected newline"),
        ("0x", 'strconv.ParseUint: parsing "0x": invalid syntax'),
        ("0xg1", 'strconv.ParseUint: parsing "0x": invalid syntax'),
        ("0x1_", 'strconv.ParseUint: parsing "0x1_": invalid syntax'),
        ("0x1__2", 'strconv.ParseUint: parsing "0x1__2": invalid syntax'),
        (
            "18446744073709551616",
            'strconv.ParseUint: parsing "18446744073709551616": value out of range',
        ),
    ],
)
def test_not_a_uint(text: str, problem: str) -> None:
    assert values.parse_uint(text) == (None, f"failed to parse {quote(text)} as uint: {problem}")


@pytest.mark.parametrize(
    ("text", "value"),
    [("-1", -1), ("+2", 2), ("-0", 0), ("-0x10", -16), (str(WIDEST), WIDEST), (str(-WIDEST - 1), -WIDEST - 1)],
)
def test_int(text: str, value: int) -> None:
    assert values.parse_int(text) == (value, None)


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        ("+", "int", "EOF"),
        ("--1", "int", "expected integer"),
        ("+0x10", "int", 'extra characters "x10"'),
        ("-0x", "int", 'strconv.ParseInt: parsing "-0x": invalid syntax'),
        (str(WIDEST + 1), "int64", f'strconv.ParseInt: parsing "{WIDEST + 1}": value out of range'),
        ("-" + "9" * 5_000, "int", f'strconv.ParseInt: parsing "-{"9" * 5_000}": value out of range'),
    ],
)
def test_not_an_int(text: str, name: str, problem: str) -> None:
    assert values.parse_int(text, name) == (None, f"failed to parse {quote(text)} as {name}: {problem}")


@pytest.mark.parametrize("text", ["public", " public\t", "\u2003public\x0b"])
def test_word(text: str) -> None:
    assert values.parse_word(text, "x.Y") == ("public", None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "EOF"),
        ("  ", "EOF"),
        ("a b", 'extra characters "b"'),
        ("a\nb", "unexpected newline"),
        ("\na", "unexpected newline"),
        ("a\n", "unexpected newline"),
    ],
)
def test_not_a_word(text: str, problem: str) -> None:
    assert values.parse_word(text, "x.Y") == (None, f"failed to parse {quote(text)} as x.Y: {problem}")


@pytest.mark.parametrize("text", ["", "x"])
def test_no_value_can_be_stored_in_a_map(text: str) -> None:
    assert values.refuse_map(text, "m") == (None, f"failed to parse {quote(text)} as m: can't scan type: *m")
    assert values.refuse_map("\n", "m") == (None, 'failed to parse "\\n" as m: unexpected newline')


@pytest.mark.parametrize(
    ("text", "nanoseconds", "shown"),
    [
        ("0", 0, "0s"),
        ("-0", 0, "0s"),
        ("5s", 5 * SECOND, "5s"),
        ("+5s", 5 * SECOND, "5s"),
        ("1h30m", 5_400 * SECOND, "1h30m0s"),
        ("5s1m", 65 * SECOND, "1m5s"),
        ("1m30.9s", 90_900_000_000, "1m30.9s"),
        (".5s", SECOND // 2, "500ms"),
        ("5.s", 5 * SECOND, "5s"),
        ("-0.5s", -SECOND // 2, "-500ms"),
        ("1us", 1_000, "1µs"),
        ("1.5µs", 1_500, "1.5µs"),
        ("1μs", 1_000, "1µs"),
        ("7ns", 7, "7ns"),
        ("1ns", 1, "1ns"),
        ("1m", 60 * SECOND, "1m0s"),
        ("1.05s", 1_050_000_000, "1.05s"),
        ("0.9500000000000000000000001h", 3_420 * SECOND, "57m0s"),
        ("9223372036854775807ns", WIDEST, "2562047h47m16.854775807s"),
        ("-9223372036854775808ns", -WIDEST - 1, "-2562047h47m16.854775808s"),
        ("0.1ns", 0, "0s"),
        ("1.0000000000000000000000000001h", 3_600 * SECOND, "1h0m0s"),
        ("0." + "0" * 2_000 + "1h", 0, "0s"),
        ("0" * 5_000 + "1s", SECOND, "1s"),
        ("2562047h47m16.854775807s", WIDEST, "2562047h47m16.854775807s"),
        ("-2562047h47m16.854775808s", -WIDEST - 1, "-2562047h47m16.854775808s"),
    ],
)
def test_duration(text: str, nanoseconds: int, shown: str) -> None:
    assert values.parse_duration(text) == (nanoseconds, None)
    assert values.format_duration(nanoseconds) == shown


@pytest.mark.parametrize(
    "text",
    ["", "-", "s", ".s", "x5s", "--5s", " 5s", "2562047h48m", "9223372036854775809ns", "9223372036854775808ns", "é"],
)
def test_invalid_duration(text: str) -> None:
    assert values.parse_duration(text) == (None, f"time: invalid duration {quote_duration(text)}")


@pytest.mark.parametrize("text", ["5", "5m3", "1.5", "5..5s", "00"])
def test_duration_without_unit(text: str) -> None:
    assert values.parse_duration(text) == (None, f"time: missing unit in duration {quote_duration(text)}")


@pytest.mark.parametrize(
    ("text", "unit"),
    [("5S", "S"), ("1d", "d"), ("5 s", " s"), ("5s,", "s,"), ("00:05", ":"), ("1e3s", "e"), ("1é", "é")],
)
def test_duration_of_unknown_unit(text: str, unit: str) -> None:
    problem = f"time: unknown unit {quote_duration(unit)} in duration {quote_duration(text)}"
    assert values.parse_duration(text) == (None, problem)


@pytest.mark.parametrize(
    ("nanoseconds", "seconds"),
    [(0, 0), (999_999_999, 0), (-999_999_999, 0), (90_900_000_000, 90), (-1_500_000_000, -1)],
)
def test_whole_seconds(nanoseconds: int, seconds: int) -> None:
    assert values.whole_seconds(nanoseconds) == seconds


@pytest.mark.parametrize(
    ("text", "quoted", "back_quoted"),
    [
        ("x", '"x"', "`x`"),
        ("a\\b", '"a\\\\b"', "`a\\b`"),
        ('a"b', '"a\\"b"', '`a"b`'),
        ("a`b", '"a`b"', '"a`b"'),
        ("\x80", '"\\u0080"', "`\x80`"),
        ("\udc80", '"\\x80"', '"\\x80"'),
        ("\ud800", '"\\ud800"', '"\\ud800"'),
        ("\udcff", '"\\xff"', '"\\xff"'),
        ("\udd00", '"\\udd00"', '"\\udd00"'),
        ("\udfff", '"\\udfff"', '"\\udfff"'),
        ("\uffff", '"\\uffff"', "`\uffff`"),
        ("\U0010ffff", '"\\U0010ffff"', "`\U0010ffff`"),
    ],
)
def test_quoting_as_strconv_and_fmt_do(text: str, quoted: str, back_quoted: str) -> None:
    assert (quote(text), backquote(text)) == (quoted, back_quoted)


def test_quoting() -> None:
    assert quote('a"b\\') == '"a\\"b\\\\"'
    assert quote("\a\x01é\u200b\U000e0001\udcff\x7f") == '"\\a\\x01é\\u200b\\U000e0001\\xff\\x7f"'
    assert quote_duration('é"\t') == '"\\xc3\\xa9\\"\\x09"'
    assert backquote("x") == "`x`"
    assert quote_duration('5 x"\\\x7f') == '"5 x\\"\\\\\x7f"'
    for half in ("\ud800", "\udc80", "\udcff", "\udfff", "\ufffd"):
        assert illegal(half) == "illegal character U+FFFD '\ufffd'"
    assert illegal("\ue000") == "illegal character U+E000"
