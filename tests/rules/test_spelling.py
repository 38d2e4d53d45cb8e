"""Values that are wrong whatever their key."""

from __future__ import annotations

import pytest

from ccmcheck.rules._support import spelling


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("${OS_AUTH_URL}", "${OS_AUTH_URL}"),
        ("https://${HOST:-k}:5000", "${HOST:-k}"),
        ("x{{ .Values.x | quote }}y", "{{ .Values.x | quote }}"),
        ("{% if x %}", "{% if x %}"),
        ("<%= x %>", "<%= x %>"),
        ("$(REGION)", "$(REGION)"),
        ("a__MY_REGION__b", "__MY_REGION__"),
        ("https://<keystone host>/v3", "<keystone host>"),
        ("https://YOUR-KEYSTONE/v3", "YOUR-KEYSTONE"),
        ("@REGION@", "@REGION@"),
        ("%REGION%", "%REGION%"),
        ("$OS_REGION_NAME", "$OS_REGION_NAME"),
        ("$region", "$region"),
        ("changeme", "changeme"),
        ("CHANGE_ME!", "CHANGE_ME!"),
        ("please-replace-me", "please-replace-me"),
        ("xxxx", "xxxx"),
        ("...", "..."),
        ("your-project", "your-project"),
        ("insert-region-here", "insert-region-here"),
        ("TODO", "TODO"),
        ("", ""),
        ("RegionOne", ""),
        ("change", ""),
        ("100%", ""),
        ("a$b", ""),
        ("~^pub-.{1,3}$", ""),
        ("user@example.com", ""),
        ("a_b__c", ""),
        ("2 < 3 > 1", ""),
        ("${", ""),
    ],
)
def test_placeholder(value: str, left: str) -> None:
    assert spelling.placeholder(value) == left
    if left:
        assert spelling.may_hold_placeholder(value) or spelling.may_be_sample(value)
        assert spelling.is_reported_as_misspelt(value)


@pytest.mark.parametrize("value", ["a<b>c", "$ecret", "p@x@", "xYOUR-K", "x$(y", "{x}"])
def test_a_password_may_contain_anything(value: str) -> None:
    assert spelling.placeholder(value, secret=True) == ""


def test_a_placeholder_in_a_password_is_found() -> None:
    assert spelling.placeholder("<password>", secret=True) == "<password>"
    assert spelling.placeholder("${OS_PASSWORD}", secret=True) == "${OS_PASSWORD}"


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ("x", "x"),
        (" x ", "x"),
        ("'x'", "x"),
        ("“x”", "x"),
        ("\u00a0'x'\ufeff", "x"),
        ("a\u200bb", "a b"),
        ("'", "'"),
        ("it's", "it's"),
        ("«x»", "x"),
    ],
)
def test_plain(value: str, plain: str) -> None:
    assert spelling.plain(value) == plain


def test_only_what_another_rule_reports_is_reported_as_misspelt() -> None:
    assert spelling.is_reported_as_misspelt("'x'")
    assert spelling.is_reported_as_misspelt("x\u00a0")
    assert not spelling.is_reported_as_misspelt("x")
    assert not spelling.is_reported_as_misspelt("")
    assert not spelling.is_reported_as_misspelt("Übung")
