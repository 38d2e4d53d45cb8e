"""The words a key accepts, by release, and what stands where a cloud.conf should."""

from __future__ import annotations

from base64 import b64encode
from gzip import compress

import pytest

from ccmcheck import catalog
from ccmcheck.catalog import foreign_format
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.catalog.data.allowed_values import FATAL_SINCE, MOST_ELEMENTS, WORDS
from ccmcheck.gcfg import parse


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ("1.19", None),
        ("1.20", ("amphora", "octavia")),
        ("v1.22.0", ("amphora", "octavia", "ovn")),
        ("1.31", ("amphora", "octavia", "ovn")),
        ("1.32", ("amphora", "octavia", "ovn", "f5")),
        ("master", ("amphora", "amphorav2", "octavia", "ovn", "f5")),
    ],
)
def test_providers_by_release(release: str, words: tuple[str, ...] | None) -> None:
    found = allowed_values("LoadBalancer", "lb-provider", catalog.release(release))
    assert (found.words if found is not None else None) == words


def test_later_words_are_those_this_release_lacks() -> None:
    found = allowed_values("LoadBalancer", "lb-provider", catalog.release("1.21"))
    assert found is not None
    assert found.later == ("ovn", "f5", "amphorav2")
    assert not found.fatal


def test_when_another_word_ends_the_process() -> None:
    for release, fatal in (("1.31", False), ("v1.32.0", True)):
        found = allowed_values("LoadBalancer", "lb-version", catalog.release(release))
        assert found is not None
        assert found.fatal is fatal


def test_every_key_is_one_of_the_catalogue() -> None:
    for section, key in (*WORDS, *FATAL_SINCE, *MOST_ELEMENTS):
        assert catalog.history(section, key) is not None, (section, key)


def test_nothing_is_known_of_other_keys() -> None:
    assert allowed_values("LoadBalancer", "subnet-id", catalog.newest()) is None


@pytest.mark.parametrize(
    ("text", "name", "whole", "start"),
    [
        ("---\na: b\n", "YAML", True, 0),
        ("# x\n\n---\n[Global]\n", "YAML", False, 5),
        ('{"a": 1}', "JSON", True, 0),
        ("clouds:\n  x:\n", "a clouds.yaml", True, 0),
        ("apiVersion: v1\n", "a Kubernetes manifest", True, 0),
        ("-----BEGIN CERTIFICATE-----\n", "PEM", True, 0),
        ("export OS_AUTH_URL=x\n", "an openrc file", True, 0),
        ("loadBalancer:\n  enabled: true\n", "the chart's values", True, 0),
        (b64encode(b"[Global]\nregion = RegionOne\n").decode(), "base64", True, 0),
        ("\n" + b64encode(compress(b"[Global]\nregion = RegionOne\n", mtime=0)).decode(), "gzip and base64", True, 1),
    ],
)
def test_what_stands_where_a_cloud_conf_should(text: str, name: str, *, whole: bool, start: int) -> None:
    found = foreign_format.detect(parse(text))
    assert found is not None
    assert (found.name, found.whole, found.span.start) == (name, whole, start)
    assert found.advice.endswith((".", "…"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "# ---\n",
        "[Global]\n",
        "region = R\n",
        "{{ x }}\n",
        "{% if x %}\n[Global]\n",
        "QUJD",
        "=" * 40,
        "A" * 25,
    ],
)
def test_a_broken_cloud_conf_is_one_all_the_same(text: str) -> None:
    assert foreign_format.detect(parse(text)) is None
