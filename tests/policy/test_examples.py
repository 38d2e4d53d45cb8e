"""Examples: what is a placeholder there is no error."""

from __future__ import annotations

import pytest

from ccmcheck.carriers.base import RunContext
from ccmcheck.lint.engine import Linter, Settings
from ccmcheck.policy.examples import is_example

EXAMPLES = [
    "cloud.conf.example",
    "etc/cloud.conf.sample",
    "cloud.conf.dist",
    "cloud.conf.example.j2",
    "cloud.example.conf",
    "testdata/cloud.conf",
    "x/golden/secret.yaml",
    "out/secret.golden.yaml",
    "sample.yaml",
    "a\\testdata\\cloud.conf",
]
OTHERS = [
    "cloud.conf",
    "examples/cloud.conf",
    "samples.yaml",
    "distribution/cloud.conf",
    "my-testdata.yaml",
    "dist/a.yaml",
]
CONF = "[Global]\nauth-url = https://keystone.example.com\napplication-credential-id = <your-id>\napplication-credential-secret = changeme\n[LoadBalancer]\ncreate-monitor = <true or false>\n"


@pytest.mark.parametrize("path", EXAMPLES)
def test_examples(path: str) -> None:
    assert is_example(path)


@pytest.mark.parametrize("path", OTHERS)
def test_other_files(path: str) -> None:
    assert not is_example(path)


def severities(path: str) -> set[tuple[str, str, bool]]:
    result = Linter(Settings(), RunContext()).lint(path, CONF.encode(), explicit=True)
    return {(one.rule, one.severity.word, one.fatal) for one in result.findings}


def test_placeholders_of_an_example_are_information() -> None:
    assert severities("cloud.conf.example") == {("placeholder-left", "info", False), ("bool-bad", "info", False)}
    assert severities("cloud.conf") == {("placeholder-left", "error", False), ("bool-bad", "error", True)}


def test_other_mistakes_of_an_example_are_what_they_are() -> None:
    text = CONF.replace("<true or false>", "maybe")
    findings = Linter(Settings(), RunContext()).lint("cloud.conf.example", text.encode()).findings
    assert ("bool-bad", "error") in {(one.rule, one.severity.word) for one in findings}
