"""How Helm prints values; the right column is what ``helm template`` v3.18.4 printed with ``quote``."""

from __future__ import annotations

import pytest

from ccmcheck.carriers.chart_rendering import printed, quoted
from ccmcheck.yamlio import Mapping, YamlDocument, documents

RECORDED = (
    ("5", '"5"'),
    ("-5", '"-5"'),
    ("0", '"0"'),
    ("-0", '"0"'),
    ("010", '"8"'),
    ("0o17", '"15"'),
    ("0x1F", '"31"'),
    ("0b101", '"5"'),
    ("1_000", '"1000"'),
    ("1:30", '"1:30"'),
    ("100000", '"100000"'),
    ("999999", '"999999"'),
    ("1000000", '"1e+06"'),
    ("123456789", '"1.23456789e+08"'),
    ("123456789012345678901234567890", '"1.2345678901234568e+29"'),
    ("1e3", '"1000"'),
    ("1.5e3", '"1500"'),
    ("1e21", '"1e+21"'),
    ("12345678e9", '"1.2345678e+16"'),
    ("0.0001", '"0.0001"'),
    ("0.00001", '"1e-05"'),
    ("0.00012345", '"0.00012345"'),
    ("1234567.5", '"1.2345675e+06"'),
    ("100000.5", '"100000.5"'),
    ("1.7976931348623157e308", '"1.7976931348623157e+308"'),
    ("5e-324", '"5e-324"'),
    ("1.0", '"1"'),
    (".5", '"0.5"'),
    ("5.", '"5"'),
    ("+5.5", '"5.5"'),
    ("true", '"true"'),
    ("Yes", '"true"'),
    ("on", '"true"'),
    ("y", '"true"'),
    ("N", '"false"'),
    ("OFF", '"false"'),
    ("null", ""),
    ("~", ""),
    ("", ""),
    ('""', '""'),
    ('"007"', '"007"'),
    ("0x", '"0x"'),
    ("2020-01-01", '"2020-01-01"'),
    ("!!str 5", '"5"'),
    ('"a\\\\b\\"c#d;e"', '"a\\\\b\\"c#d;e"'),
    ('"a\\tb\\nc\\x01\\a\\b\\f\\v\\r"', '"a\\tb\\nc\\x01\\a\\b\\f\\v\\r"'),
    (
        '"ä 日本 \\u00a0 \\u200b \\U0001F600 \\x7f \\u0085 \\u2028 \\ufeff"',
        '"ä 日本 \\u00a0 \\u200b 😀 \\x7f \\u0085 \\u2028 \\ufeff"',
    ),
    ("[a, b, 5, true, null, 'x y']", '"[a b 5 true <nil> x y]"'),
    ("[]", '"[]"'),
    ("{b: 1, a: x}", '"map[a:x b:1]"'),
    ("{}", '"map[]"'),
    ("[[1, 2], {a: b}]", '"[[1 2] map[a:b]]"'),
)


@pytest.mark.parametrize(("written", "shown"), RECORDED)
def test_values_as_helm_prints_them(written: str, shown: str) -> None:
    (document,) = documents(f"key: {written}\n")
    assert isinstance(document, YamlDocument)
    assert isinstance(document.root, Mapping)
    text = printed(document.root.items[0][1])
    assert ("" if text is None else quoted(text)) == shown
