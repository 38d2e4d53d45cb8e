"""Scalars as goyaml.v2 of sigs.k8s.io/yaml resolves them (its resolve.go and decode_test.go are the source)."""

from __future__ import annotations

import math

import pytest

from ccmcheck.yamlio import Scalar, YamlDocument, documents, kubernetes_scalar


def read(written: str) -> str | int | float | bool | None:
    (document,) = documents(written)
    assert isinstance(document, YamlDocument)
    node = document.root
    assert isinstance(node, Scalar)
    return kubernetes_scalar(node)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        *((word, True) for word in ("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON")),
        *((word, False) for word in ("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF")),
        *((word, word) for word in ("yEs", "tRUE", "oN", "nULL", "t", "None", "nil")),
        *((word, None) for word in ("~", "null", "Null", "NULL")),
        ("0", 0),
        ("-0", 0),
        ("10", 10),
        ("+10", 10),
        ("-685_230", -685230),
        ("1_000", 1000),
        ("010", 8),
        ("0o10", 8),
        ("08", 8.0),
        ("0x_0A_74_AE", 685230),
        ("-0x2a", -42),
        ("0b1010_0111", 167),
        ("-0b101010", -42),
        ("9223372036854775807", 9223372036854775807),
        ("18446744073709551615", 18446744073709551615),
        ("18446744073709551616", 18446744073709551616.0),
        ("-9223372036854775809", -9223372036854775808.0),
        ("0.1", 0.1),
        (".1", 0.1),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("685_230.15", 685230.15),
        ("12345678e4", 123456780000.0),
        ("12345678e5f", "12345678e5f"),
        ("1e999", "1e999"),
        ("._1", "._1"),
        (".inf", math.inf),
        ("+.INF", math.inf),
        ("-.Inf", -math.inf),
        ("1:30", "1:30"),
        ("190:20:30.15", "190:20:30.15"),
        ("2001-12-14", "2001-12-14"),
        ("5s", "5s"),
        ("1m", "1m"),
        ("+", "+"),
        ("0x", "0x"),
        ("0b2", "0b2"),
        ("_1", "_1"),
        ("é", "é"),
        ("'5'", "5"),
        ('"true"', "true"),
        ("!!str 5", "5"),
        ("! 5", "5"),
        ("!!int '5'", 5),
        ("!!bool 'yes'", True),
        ("!vault 5", "5"),
        ("!!binary NQ==", "NQ=="),
        ("|\n 5\n", "5\n"),
    ],
)
def test_values_as_kubernetes_parses_them(written: str, expected: str | float | bool | None) -> None:
    found = read(written)
    assert found == expected
    assert type(found) is type(expected)


def test_not_a_number() -> None:
    found = read(".nan")
    assert isinstance(found, float)
    assert math.isnan(found)


def test_a_very_long_number_is_read_in_linear_time() -> None:
    assert read("1" * 100_000) == "1" * 100_000
    assert read("0b" + "1" * 100_000) == "0b" + "1" * 100_000
    assert read("0x" + "_" * 100_000 + "1") == 1
