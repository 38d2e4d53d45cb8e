"""Examples: what is a placeholder there is no error."""

from __future__ import annotations

import pytest

from ccmcheck.carriers.base import RunContext
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
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
    "cloud-config/template",
    "a\\testdata\\cloud.conf",
    "ops/tests/data/cloud_conf.ini",
    "a/gateway-examples.yaml",
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


TESTS = [
    "testdata/cloud.conf",
    "cloud.conf.golden",
    "tests/playbooks/cloud.conf",
    "test/e2e/data/cloud.conf",
    "a/__snapshot__/cloud.conf",
]


@pytest.mark.parametrize("path", TESTS)
def test_advice_is_not_for_the_data_of_tests(path: str) -> None:
    text = "[Global]\nauth-url=http://k\nuser-id=u\npassword=p\ntenant-id=t\n[LoadBalancer]\nlb-method=ROUND_ROBIN\nmax-shared-lb=x\n"
    linter = Linter(Settings(), RunContext())

    def rules(path: str, *, explicit: bool, linter: Linter = linter) -> set[str]:
        return {one.rule for one in linter.lint(path, text.encode(), explicit=explicit).findings}

    advice = {"auth-url-form", "create-monitor-implicit"}
    assert rules("test/cloud.conf", explicit=False) == {*advice, "uint-bad"}  # may be the cluster for tests
    assert rules(path, explicit=False) == {"uint-bad"}
    assert rules(path, explicit=True) == {*advice, "auth-password", "uint-bad"}
    asked = Linter(Settings(only=frozenset(advice)), RunContext())
    assert rules(path, explicit=False, linter=asked) == advice


def test_an_error_stays_one_in_tests() -> None:
    text = "[Global]\nauth-url=k.example.com\nuser-id=u\npassword=p\ntenant-id=t\n"
    findings = Linter(Settings(), RunContext()).lint("tests/cloud.conf", text.encode()).findings
    assert [(one.rule, one.severity.word) for one in findings] == [("auth-url-form", "error")]
