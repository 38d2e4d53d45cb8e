"""Every odd spelling with every command and every carrier, in pairs: none lets the secret out, as written or encoded."""

from __future__ import annotations

import base64
import html
import json
from pathlib import Path
from urllib.parse import quote

import pytest
from test_canary import carriers
from test_canary_fix import said

VALUE = "Zq9xWvQ1aB"
SPECIAL = "Zq9<xWv&Q1aB"
"""The same with characters that JSON, HTML and URLs escape."""

SPELLINGS = [
    # the key
    "password\u00a0= {}", "pass\u2003word= {}", "password\x0b= {}", "password\x1b= {}", "pass\u200bword = {}", "pass\u00adword = {}",
    "pass\u0301word = {}", "ｐａｓｓｗｏｒｄ = {}", "pаssword = {}", "𝐩assword = {}", "pass\u2060word = {}", "\ufeffpassword = {}",
    "password\u2028= {}", "password\u0085= {}", "password\r= {}", "region = x\rpassword = {}", "p@ssw0rd = {}", "pswd: {}",
    # the separator
    "password： {}", "password＝{}", "password ?= {}", "password += {}", "password[] = {}", "password[0] = {}", "password := {}",
    "password => {}", "password {}", "password;{}", "password\t{}", "my password = {}", "password\n= {}", "password\n{}",
    # the value
    "password = abc #{}", "password = \\\n  {}", 'password = "a\n{}"', "password = '''\n{}\n'''", "password = a\\\nb\\\n{}",
    "password = ${}", "password = <{}>", 'password = {{{{ default "{}" .Values.x }}}}', "password = ${{PW:-{}}}",
    "{{% set pw = '{}' %}}", '{{{{- $pw := "{}" }}}}', "{{{{/* {} */}}}}", "<{}>", "{{{{ {} }}}}",
    # addresses
    "auth-url = https://{}:x@h", "auth-url = https:/u:{}@h/x", "auth-url = https://h/?a=b&c={}", "auth-url = https://h/?{}",
    "auth-url = https://h/#{}", "auth-url = https://u:{}%40h", "auth-url = //u:{}@h", "auth-url = {}@h", "auth-url=https://h:{}",
    # lines that are no entries, comments
    "{}", "- {}", "[{}]", "[{} x]", '[Global "{}"]', "[Global] {}", "# password = {}", "; {}", "# the password is {}", "region = x ; {}",
    "[Global\n{}", "region {}", "xyz = {}", "api-key = {}", "trust-id = {}",
    # YAML and JSON
    "password: |\n  {}", "password: >-\n  a\n  {}", "password: &a {}", "password: !!str {}", "? password\n: {}", "password:\n- {}",
    '"pass\\u0077ord": {}', "{{password: {}}}", '{{"password": "{}", "region": "x"}}', "- name: OS_PASSWORD\n  value: {}",
    "- {{name: OS_PASSWORD, value: {}}}", "stringData: {{region: {}}}", "stringData:\n  notes: {}", "data:\n  x.sh: |\n    a = {}",
    "args: [--password, {}]", "args:\n- --os-password\n- {}", 'command: [sh, -c, "echo {}"]', "keystone-ca.key: {}",
    # what has a role: items of lists, quotes, templates, blocks of HCL, heredocs, variables
    "- {{name: web, password: {}}}", "- {{token: {}, port: 80}}", "password: 'a\"{}'", "password: '{}\"a'", 'password = "a\\"{}"',
    "%{{ if {} ~}}", "spec {} {{", 'resource "a" "{}" {{', "x = <<{}\n{}", "x = <<EOT\n{}\nEOT", "- name: CLUSTER_NAME\n  token: {}",
    "export TRUST_ID={}", "KUBECONFIG={}", "- {{name: CLUSTER_NAME, value: 'https://u:{}@h'}}", "- name: REGION\nvalue: {}",
]  # fmt: skip
COMMANDS = [
    ["lint", "--no-config", "-v", "."], *(["lint", "--no-config", "--format", name, "."] for name in ("json", "sarif", "gitlab", "markdown")),
    ["lint", "--no-config", "--profile", "scs", "--release=1.20", "--release=1.36", "."],
    ["fix", "--no-config", "--unsafe", "--diff", "."], ["fix", "--no-config", "--profile", "scs-ovn", "--check", "."],
    *(["fix", "--no-config", "--unsafe", "--patch", name, "."] for name in ("git", "json", "kustomize", "strategic")),
    ["set", "FILE", "create-monitor=false", "--diff"], ["set", "FILE", "--unset=Global.password", "--patch", "git"],
    ["list", "-v", "."], ["list", "--format=json", "."],
    ["read", "FILE"], ["read", "--format=json", "FILE"], ["show", "FILE"], ["show", "--profile", "scs", "--format=markdown", "FILE"],
    ["predict", ".", "-vv"], ["predict", ".", "--format=json"], ["upgrade", ".", "--from", "1.25"],
    ["explain", "create-monitor", "-v", "."], ["render", "helm-values", "--cloud-config", "FILE"],
    *(["review", "base", "FILE", "-vv", "--format", name] for name in ("text", "markdown", "html", "json")),
]  # fmt: skip
CARRIERS = ("cloud.conf", "secret.yaml", "string.yaml", "configmap.yaml", "kcp.yaml", "beside.yaml")
LEAKS = frozenset(
    spelling.lower()
    for value in (VALUE, SPECIAL)
    for spelling in (
        value,
        json.dumps(value)[1:-1],
        html.escape(value),
        quote(value),
        *(base64.b64encode(b"x" * shift + value.encode()).decode()[4:14] for shift in range(3)),
    )
)


def document(spelling: str, value: str) -> str:
    """A cloud.conf with a flaw that has a fix, and a secret in an odd spelling."""
    odd = spelling.format(*[value] * spelling.count("{}"))
    return f"[Global]\nauth-url = https://k/v3\n{odd}\n[LoadBalancer]\nmonitor-delay = 3\ncreate-montior = true\n"


def files(spelling: str, value: str) -> dict[str, str]:
    """The document in every carrier, and the odd line in YAML beside one."""
    conf = document(spelling, value)
    odd = spelling.format(*[value] * spelling.count("{}"))
    beside = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  cloud.conf: |\n    [LoadBalancer]\n    monitor-delay = 3\n"
    return {**carriers(conf), "beside.yaml": f"{beside}---\n{odd}\n"}


@pytest.mark.part(of=30)
@pytest.mark.parametrize(
    "number", range(len(SPELLINGS)), ids=lambda number: ascii(SPELLINGS[number].replace("\n", " "))
)
def test_no_command_lets_an_odd_spelling_out(number: int, tmp_path: Path) -> None:
    both = [files(SPELLINGS[number], value) for value in (VALUE, SPECIAL)]
    for turn, command in enumerate(COMMANDS):
        name = CARRIERS[(number + turn) % len(CARRIERS)]
        text = both[(number + turn // len(CARRIERS)) % 2][name]
        folder = tmp_path / str(turn)
        (folder / "base").mkdir(parents=True)
        (folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        (folder / "base" / name).write_text("[LoadBalancer]\n" if name == "cloud.conf" else "a: b\n", encoding="utf-8")
        words = [f"base/{name}" if word == "base" else name if word == "FILE" else word for word in command]
        printed = said(folder, words).lower().replace("\\x00", "")
        assert not [leak for leak in LEAKS if leak in printed], (command, name, printed)


def test_a_leak_would_be_seen(tmp_path: Path) -> None:
    """A value of a public key is shown: the search would find it."""
    (tmp_path / "cloud.conf").write_text(document("region = {}", VALUE), encoding="utf-8")
    assert VALUE.lower() in LEAKS
    assert VALUE in said(tmp_path, ["show", "cloud.conf"])
    assert len(SPELLINGS) * len(COMMANDS) > 2_000
