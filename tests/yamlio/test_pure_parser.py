"""The same answers where PyYAML was built without libyaml, and from events where nodes would come from C."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import cast

import pytest
import yaml

from ccmcheck.base.errors import BadYaml
from ccmcheck.yamlio import YamlDocument, documents, kubernetes_scalar, parse, scalars

TEXTS = [
    "kind: Secret\ndata: {a: 'b', c: [1, \"é\\n\"]}\n---\n- |\n  x\n\n- >-\n  y\n  z\n",
    "a: &x !!str 5\nb: *x\n<<: {c: d}\n",
    "\ufeffkey: 😀\r\nnext: |+\r\n  a\r\n\r\n",
    "%YAML 1.1\n---\na:\n- b\n-\n- ? c\n  : d\n",
    '{"a": {"b": [1, 2.5, true, null]}}',
    "a: !vault |\n  x\nb: !<tag:x> [c]\n",
]
BROKEN = ["a: [", "a: *x", "a: 'b", "a: \x01", "[" * 200, "a: b: c", "\ta: b"]


@pytest.fixture
def pure(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    parse.library.cache_clear()
    yield
    monkeypatch.undo()
    parse.library.cache_clear()


def read(text: str) -> list[object]:
    return [
        None
        if isinstance(found, BadYaml)
        else (
            found.start,
            found.end,
            [
                (node.span, node.value, node.style, node.tag, node.anchor, node.shared, kubernetes_scalar(node))
                for node in scalars(found.root)
            ],
        )
        for found in documents(text)
    ]


EXPECTED = {text: read(text) for text in [*TEXTS, *BROKEN]}


@pytest.mark.usefixtures("pure")
@pytest.mark.parametrize("text", [*TEXTS, *BROKEN])
def test_without_libyaml(text: str) -> None:
    assert not parse.library().in_c
    assert read(text) == EXPECTED[text]


@pytest.mark.parametrize("text", [*TEXTS, *BROKEN])
def test_from_events(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(parse, "_is_shallow", lambda _: False)
    assert read(text) == EXPECTED[text]


@pytest.mark.usefixtures("pure")
def test_offsets_without_libyaml() -> None:
    assert [cast("BadYaml", found).offset for text in BROKEN[1:4] for found in documents(text)] == [3, 5, 3]
    assert all(isinstance(found, YamlDocument) for text in TEXTS for found in documents(text))


def test_others_may_use_the_library_that_was_imported_with_late_patterns() -> None:
    code = """
import datetime, re
from ccmcheck.yamlio import parse
parse.library()
import yaml
assert not isinstance(yaml.reader.Reader.NON_PRINTABLE, re.Pattern)
assert re.compile("a") is re.compile("a") and isinstance(re.compile("a"), re.Pattern)
for loader in (yaml.SafeLoader, yaml.CSafeLoader):
    read = yaml.load("a: [1, 0x1f, 2001-02-03, .5, yes, ~, 'b']\\n<<: {c: 1_0}", loader)
    assert read == {"a": [1, 31, datetime.date(2001, 2, 3), 0.5, True, None, "b"], "c": 10}, read
    try:
        yaml.load("a: \\x01", loader)
    except yaml.reader.ReaderError as error:
        assert error.position == 3
    else:
        raise AssertionError
assert yaml.safe_dump({"a": "yes", "b": "1.5", "c": 1.5}) == "a: 'yes'\\nb: '1.5'\\nc: 1.5\\n"
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
