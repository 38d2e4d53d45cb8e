"""The same answers where PyYAML was built without libyaml, and from events where nodes would come from C."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
import yaml

from ccmcheck.base.errors import BadYaml
from ccmcheck.yamlio import YamlDocument, compose, documents, kubernetes_scalar, parse, scalars

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
    compose.library.cache_clear()
    yield
    monkeypatch.undo()
    compose.library.cache_clear()


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
    assert not compose.library().in_c
    assert read(text) == EXPECTED[text]


@pytest.mark.parametrize("text", [*TEXTS, *BROKEN])
def test_from_events(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(parse, "_is_shallow", lambda _: False)
    assert read(text) == EXPECTED[text]


@pytest.mark.usefixtures("pure")
def test_offsets_without_libyaml() -> None:
    assert [cast("BadYaml", found).offset for text in BROKEN[1:4] for found in documents(text)] == [3, 5, 3]
    assert all(isinstance(found, YamlDocument) for text in TEXTS for found in documents(text))
