"""One text as a YAML scalar: every reader that is at hand gets exactly that text, whatever it looks like."""

from __future__ import annotations

import re
import time

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.yaml_string import yaml_string
from ccmcheck.yamlio import Scalar, YamlDocument, documents, field, kubernetes_scalar

# fmt: off
TRAPS = (
    "", "~", "null", "Null", "yes", "No", "ON", "y", "N", "true", "False", "0x10", "010", "0o7", "0b1", "1e3", "1_000", "-1", "+1",
    ".5", ".inf", "-.INF", ".nan", "12:30", "2001-01-01", "2001-01-01T00:00:00Z", "=", "<<", "-", "- a", "?", "? a", ":", "a: b",
    "a:", ":a", "#", "a #b", "a#b", "!tag", "&a", "*a", "%a", "@a", "`a`", "'", '"', "''", '"a"', "[a]", "{a}", ",", "|", ">", "---",
    "...", "\\", "\\n", "a\\", "\t", "a\tb", " ", " a", "a ", "\n", "a\n", "a\n\n", "\na", " a\nb\n", "a\n b\n", "a\n\tb\n", "a \nb\n",
    "a\n  \nb\n", "a\n\n\nb", "\r", "a\r\nb", "\x00", "\x07", "\x1b[0m", "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\ufeff", "\ufffe",
    "ü", "日本", "\U0001f600", "a\u2028b\n", "# a\nb\n", "---\na\n", "a\n---\nb\n", "- a\n- b\n", "a: b\nc: d\n", "{{ x }}", "${X}", "%{ x }",
)
# fmt: on

texts = st.one_of(
    st.sampled_from(TRAPS),
    st.text(st.sampled_from(" \t\n\r#:-'\"\\|>{}[],&*!%@`~0x1eaü\x85\u2028\x00"), max_size=12),
    st.text(st.characters(codec="utf-8"), max_size=30),
)


def reads(written: str, indent: int) -> str:
    return f"a:\n  key: {written}\n  next: z\n" if indent else f"a: {{key: {written}, next: z}}\n"


def ours(whole: str) -> object:
    (document,) = documents(whole)
    assert isinstance(document, YamlDocument)
    node = field(document.root, "a", "key")
    assert isinstance(node, Scalar)
    assert field(document.root, "a", "next") is not None
    return kubernetes_scalar(node)


@settings(max_examples=600)
@given(texts, st.sampled_from([0, 4, 7]))
def test_every_reader_gets_the_text(text: str, indent: int) -> None:
    whole = reads(yaml_string(text, indent), indent)
    assert ours(whole) == text
    for loader in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        assert yaml.load(whole, Loader=loader) == {"a": {"key": text, "next": "z"}}  # noqa: S506 - both are safe ones


@pytest.mark.parametrize("version", ["1.1", "1.2"])
def test_readers_of_both_versions_get_every_trap(version: str) -> None:
    ruamel = pytest.importorskip("ruamel.yaml")
    reader = ruamel.YAML(typ="safe", pure=True)
    for text in TRAPS:
        for indent in (0, 4):
            reader.version = version
            assert reader.load(reads(yaml_string(text, indent), indent))["a"]["key"] == text, repr(text)


@given(texts)
@example("a\nb\n")
def test_a_scalar_is_one_line_unless_it_may_be_a_block(text: str) -> None:
    assert "\n" not in yaml_string(text)
    written = yaml_string(text, 4)
    assert "\n" not in written or re.match(r"\|-?\n    \S", written)
    assert not re.search(r"[ \t]$", written, re.MULTILINE), "editors take blanks at the end of a line away"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("cloud-config", "cloud-config"),
        ("/etc/ssl/ca.pem", "/etc/ssl/ca.pem"),
        ("https://k:5000/v3", '"https://k:5000/v3"'),
        ("yes", '"yes"'),
        ("0x10", '"0x10"'),
        ("", '""'),
        ('a"\\\t\x07\x85\u2028', '"a\\"\\\\\\t\\x07\\x85\\u2028"'),
        ("[Global]\na=b\n", "|\n    [Global]\n    a=b"),
        ("[Global]\n\na=b", "|-\n    [Global]\n\n    a=b"),
        ("a\n  b: c\n", "|\n    a\n      b: c"),
        ("a\n\n", '"a\\n\\n"'),
        ("a \nb\n", '"a \\nb\\n"'),
    ],
)
def test_its_style(text: str, written: str) -> None:
    assert yaml_string(text, 4) == written


def test_what_is_not_utf8_is_refused() -> None:
    with pytest.raises(WrongUse, match="not UTF-8"):
        yaml_string("a\udcffb")


@pytest.mark.parametrize(
    "text", ["a " * 200_000 + "\n", "x" + "\n" * 400_000 + " ", "a\n" * 200_000 + "\t", "\\" * 400_000]
)
def test_long_texts_take_no_long_time(text: str) -> None:
    start = time.process_time()
    yaml_string(text, 4)
    assert time.process_time() - start < 2
