"""Values that another tool decrypts or looks up."""

from __future__ import annotations

import time

import pytest

from ccmcheck.yamlio import references

REFERENCES = [
    "ENC[AES256_GCM,data:p673w==,iv:YY=,aad:UQ=,tag:A=,type:str]",
    "ENC[PKCS7,MIIBeQYJKoZI]",
    "ENC(Gq2m1)",
    "$ANSIBLE_VAULT;1.1;AES256\\n3639",
    "<path:kv/data/openstack#auth-url>",
    "ref+vault://kv/openstack#/id",
    "ref+awsssm://x/y?region=z",
    "vault:secret/data/openstack#PASSWORD",
    "op://vault/item/field",
    "@@PASSWORD@@",
    "((openstack.password))",
    '(( vault "x" ))'.replace('"', "'"),
    "#{Password}#",
    "{cipher}AQBx",
]
TOKENS = ["__PASSWORD__", "%PASSWORD%", "@PASSWORD@", "$(PASSWORD)"]


def found(text: str, *, tokens: bool = False) -> list[str]:
    return [text[slice(*mark.span)] for mark in references.find(text, tokens=tokens)]


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_reference_within_a_value(reference: str) -> None:
    for text in (f"password = {reference}\n", f'password: "{reference}"\n', reference):
        assert found(text) == [reference]
        assert found(text, tokens=True) == [reference]


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_counts_only_where_it_may_be_one(token: str) -> None:
    assert found(f"password = {token}\n") == []
    assert found(f"auth-url = https://{token}:5000\n", tokens=True) == [token]


@pytest.mark.parametrize(
    "value",
    ["100%", "a@b@c", "user@EXAMPLE.COM", "f(x)", "ENC", "vault:x", "a@@b", "#{", "<path>", "__init__", "50%OFF"],
)
def test_other_values(value: str) -> None:
    assert found(f"password = {value}\n", tokens=True) == []


def test_references_do_not_overlap() -> None:
    assert found("a = @@X@@((y))<path:@@Z@@#k>\n", tokens=True) == ["@@X@@", "((y))", "<path:@@Z@@#k>"]


def test_metadata_of_sops() -> None:
    text = "[Global]\nregion = R\n[sops]\nmac = ENC[AES256_GCM,x]\nversion = 3.8.1\n"
    mark = references.metadata(text)
    assert mark is not None
    assert text[slice(*mark.span)] == text[text.index("[sops]") :]
    assert references.metadata("# [sops]\n[Global]\n") is None


def test_the_time_is_linear() -> None:
    for sign in ("ENC[A,", "((", "@@a", "<path:", "__A", "%A", "$(a", "[sops]", "#{a", "ref+a://", "ENC("):
        started = time.process_time()
        references.find(sign * 100_000, tokens=True)
        references.metadata(f"{sign}\n" * 100_000)
        assert time.process_time() - started < 2, sign
