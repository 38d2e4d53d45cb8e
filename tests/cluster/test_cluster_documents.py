"""Objects as YAML: what is read back is what the API server sent, and each line knows its field."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.base.errors import BadYaml
from ccmcheck.cluster.access.documents import object_file
from ccmcheck.cluster.core import yaml as written
from ccmcheck.cluster.live.places import field_at
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, documents, kubernetes_scalar

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "true",
        "yes",
        "null",
        "1",
        "1e3",
        "a: b",
        "- x",
        "#",
        "${A}",
        "{{ x }}",
        "a\nb\n",
        "  a\n b",
        "~",
        "0x1f",
        "=",
        "<<",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def plain(node: YamlNode | None) -> Any:
    if isinstance(node, Scalar):
        return kubernetes_scalar(node)
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    if isinstance(node, Mapping):
        return {key.value: plain(value) for key, value in node.items}
    return None


@given(st.dictionaries(TEXTS.filter(lambda key: key != "<<"), VALUES, min_size=1, max_size=4))
def test_what_is_written_is_read_back(value: dict[str, Any]) -> None:
    (document,) = documents(written(value))
    assert not isinstance(document, BadYaml)
    assert plain(document.root) == value


def test_lone_surrogates_do_not_end_the_run() -> None:
    assert yaml.safe_load(written({"a\udc80": "x\ud800y"})) == {"a\ufffd": "x\ufffdy"}


def test_a_deep_object_is_cut_off() -> None:
    value: dict[str, Any] = {"a": 1}
    for _ in range(5000):
        value = {"a": value}
    assert len(written(value)) < 10_000


OBJECT: dict[str, Any] = {
    "spec": {
        "ports": [{"name": "web", "port": 80, "ranges": ["a", "b"]}, {"port": 443}],
        "args": ["d", "e", "f"],
        "empty": [],
    },
    "metadata": {"annotations": {"example.org/a-b": "1", "plain": "2", "long": "first: line\n- second\n"}},
}


@pytest.mark.parametrize(
    ("needle", "field"),
    [
        ("name: web", "spec.ports[0].name"),
        ("port: 80", "spec.ports[0].port"),
        ("    - b", "spec.ports[0].ranges[1]"),
        ("- port: 443", "spec.ports[1].port"),
        ("  - e", "spec.args[1]"),
        ("- f", "spec.args[2]"),
        ("empty", "spec.empty"),
        ("example.org", 'metadata.annotations["example.org/a-b"]'),
        ("plain", "metadata.annotations.plain"),
        ("spec:", "spec"),
    ],
)
def test_a_line_knows_its_field(needle: str, field: str) -> None:
    text = written(OBJECT)
    number = next(number for number, line in enumerate(text.splitlines(), 1) if needle in line)
    assert field_at(text, number) == field


def test_only_what_somebody_wrote_is_kept() -> None:
    file = object_file(
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": "a", "namespace": "b", "uid": "u", "managedFields": [{}], "resourceVersion": "7"},
            "spec": {"type": "LoadBalancer"},
            "status": {"loadBalancer": {}},
        }
    )
    assert file.subject == "Service b/a"
    assert yaml.safe_load(file.text) == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "a", "namespace": "b", "uid": "u"},
        "spec": {"type": "LoadBalancer"},
    }


@pytest.mark.parametrize("broken", [{}, {"metadata": 7, "kind": None}, {"kind": "X", "metadata": {"annotations": []}}])
def test_an_object_that_is_none_does_not_end_the_run(broken: dict[str, Any]) -> None:
    assert object_file(broken).text
