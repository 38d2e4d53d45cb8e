"""Values that are wrong whatever their key."""

from __future__ import annotations

import time

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
        ("xxx", "xxx"),
        ("yyy", "yyy"),
        ("XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX", "XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX"),
        ("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
        ("yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy", "yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy"),
        ("zzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz", "zzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz"),
        ("aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa", ""),
        ("xx.xx.xx.xx", "xx.xx.xx.xx"),
        ("x.x.x.x", "x.x.x.x"),
        ("10.0.0.X", "10.0.0.X"),
        ("https://xxx.xxx.xxx.xxx:5000/v3", "xxx.xxx.xxx.xxx"),
        ("https://192.168.x.x:5000/v3", "192.168.x.x"),
        ("https://xx.168.10.20:5000/v3", "xx.168.10.20"),
        ("https://X.168.10.20:5000/v3", "X.168.10.20"),
        ("PROEJCT-SUBNET-ID-HERE", "PROEJCT-SUBNET-ID-HERE"),
        ("FLOATING-NETWORK-ID_HERE", "FLOATING-NETWORK-ID_HERE"),
        ("put-the-id-here", "put-the-id-here"),
        ("PASSWORD_HERE", "PASSWORD_HERE"),
        ("REDACTED", "REDACTED"),
        ("redacted", "redacted"),
        ("**REDACTED**", "**REDACTED**"),
        ("[REDACTED]", "[REDACTED]"),
        ("***MASKED***", "***MASKED***"),
        ("[hidden]", "[hidden]"),
        ("{region}", "{region}"),
        ("{vm}-ssh", "{vm}"),
        ("{your region}", "{your region}"),
        ("{0af1d5b2-7b3c-4a56-8d2e-0f1e2d3c4b5a}", ""),
        ("{af1d5b27b3c4a568d2e0f1e2d3c4b5aa}", ""),
        ('{"a": "b"}', ""),
        ("{2,3}", ""),
        (r"~^\p{Greek}\P{Lu}\x{ab}$", ""),
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
        ("0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e", ""),
        ("00000000-0000-0000-0000-000000000000", ""),
        ("203.0.113.10", ""),
        ("2001:db8::10", ""),
        ("10.0.0.0/24", ""),
        ("1.2.3.4.x", ""),
        ("10.0.0.xyz", ""),
        ("https://x.x.example.com/v3", ""),
        ("https://10.x.example.com/v3", ""),
        ("https://k.example.xx:5000/v3", ""),
        ("xx", ""),
        ("x-large", ""),
        ("xx-net", ""),
        ("xxl", ""),
        ("yy-yy", ""),
        ("we-are-here", ""),
        ("DRAGONS-LIVE-HERE", ""),
        ("HERE", ""),
        ("network-HERE-2", ""),
        ("masked", ""),
        ("ZZZ", ""),
        ("hidden", ""),
        ("redacted-net", ""),
        ("SUBNET_ID", ""),
        ("v1-lb-2", ""),
    ],
)
def test_placeholder(value: str, left: str) -> None:
    assert spelling.placeholder(value) == left
    if left:
        assert spelling.may_hold_placeholder(value) or spelling.may_be_sample(value)
        assert spelling.is_reported_as_misspelt(value)


@pytest.mark.parametrize(
    "value",
    [
        "a<b>c",
        "$ecret",
        "p@x@",
        "xYOUR-K",
        "x$(y",
        "{x}",
        "p10.0.0.x",
        "nobody-HERE!",
        "p[REDACTED]",
        "@Passw0rd@",
        "@wXyz@",
    ],
)
def test_a_password_may_contain_anything(value: str) -> None:
    assert spelling.placeholder(value, secret=True) == ""


@pytest.mark.parametrize(
    ("left", "mask"),
    [("***", True), ("**REDACTED**", True), ("[MASKED]", True), ("redacted", True), ("xxx", False), ("<id>", False)],
)
def test_a_mask_stands_for_a_value_that_was_hidden(left: str, mask: bool) -> None:
    assert spelling.is_mask(left) is mask


def test_a_name_in_capitals_stands_for_an_id_of_its_own() -> None:
    assert spelling.stands_for_id("SUBNET_ID")
    assert spelling.stands_for_id("EXISTING-LB-UUID")
    assert spelling.stands_for_id("ID")
    assert not spelling.stands_for_id("GRID")
    assert not spelling.stands_for_id("subnet_id")


def test_a_placeholder_in_a_password_is_found() -> None:
    assert spelling.placeholder("<password>", secret=True) == "<password>"
    assert spelling.placeholder("${OS_PASSWORD}", secret=True) == "${OS_PASSWORD}"
    assert spelling.placeholder("@OS_PASSWORD@", secret=True) == "@OS_PASSWORD@"
    assert spelling.placeholder("@os_password@", secret=True) == "@os_password@"
    assert spelling.placeholder("@Region-1@") == "@Region-1@"


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


@pytest.mark.parametrize("separator", ["_", "-", "a_", "_-", "a b "])
@pytest.mark.parametrize("words", ["insert_{}", "insert-{}here!", "{}here", "{}-id-here!"])
def test_a_value_of_many_words_costs_no_time(words: str, separator: str) -> None:
    value = words.format(separator * 200)
    started = time.process_time()
    assert spelling.placeholder(value) == ""
    assert time.process_time() - started < 0.2
