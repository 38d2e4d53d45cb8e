"""Exactly these parts of lines are hidden: what stands between ‹ and › and nothing else."""

from __future__ import annotations

import pytest
from marked_texts import unmarked

from ccmcheck.redact.masker import HiddenSpans, hidden_spans, hidden_starts

COMMENTS = [
    "#", "//", "  # ", "# a note of it", "# ‹Zq9x›", "  //  ‹Zq9x›", "# foo = 5s", "# foo = ‹bar-7›", "#; foo: ‹bar-7›", "# foo =",
    "# ‹Fq9X==›", "# ‹Fq9X==›  ", "# PodCIDR:", "# azure_tenant_id:", "# region = RegionOne", "# auth-url = https://‹u:p›@h/x", "# password = ‹Zq9x›",
    "# ‹two words = x9›", "# ‹the password of it›", "# ccmcheck: ignore[duration-bad] since x9", "# ccmcheck: ignore[duration-bad] password",
    "# ccmcheck: ignore[duration-bad] pasword‹=Zq9x›", "region = x # ccmcheck: ignore[a] its token‹ Zq9x›",
    "region = x # ccmcheck: ignore[a] since x9", "# ccmcheck: token", "region = x # a note of it", "region = x # note",
    "region = x #‹ of the password›", "region = x # 5s", "region = x #‹ Zq9x›", "auth-url = https://‹u:p›@h # note",
    "foo = 5s # a note of it", "foo = 5s # ‹Zq9x›", "foo = 5s;‹Zq9x›", "foo = 5s\t; ‹Zq9x›", "foo = ; ‹Zq9x›", "foo = ‹bar-7 # note›",
]  # fmt: skip
HEADERS = [
    "[Global]", "[nowhere]", "[‹Q9]›", '[Global "‹gold›"]', '[Global ""]', '[LoadBalancerClass "gold"]', '[LoadBalancerClass "pasword=‹Zq9x›"]',
    "[Global]region = x", "[Global] foo = ‹bar-7›", "[Global] foo = 5s", "[Global] ‹Zq9x›", "[Global] # a note", "[Global]   ",
    '[loadbalancerclass "https://‹u:p›@h"] foo = ‹bar-7›', "  [Global] password: ‹5s›",
]  # fmt: skip
PAIRS = [
    "foo = 12345", "foo = ‹123456›", "foo = -12345", "foo = 99999s", "foo = ‹999999s›", "foo = 10.0.0.0/8", "foo = /etc/ssl/ca.pem",
    "foo = ‹/data/ssl/ca.pem›", "foo = round_robin", "foo = ${NAME}", "foo = true", "foo = ‹truely›", "foo =", "foo = ''", "foo: ‹bar-7›",
    # three edits from the name of a secret
    "pasrdwo = ‹Zq9x›", "pasowdr = 5s", "aplicationcredentilsecrt = ‹5s›", "aplicationcredentilscrt = 5s", "passwrd = ‹5s›", "psswrd = ‹5s›",
    "pswrd = 5s",
    "use-octavia = anything", "useOctavia: anything", "use_octavia = anything", "cloud-config = /x/y", "export region=x", "--region = x",
    "password = ${PASSWORD}", "password: '{{ .Values.pw }}'", "password = ", "password = ‹5s›", "password ‹5s›", "create-monitor", "create-monitor ‹yes›",
    "region ‹of foo = x›", "password ‹of foo = x›", "Echo  ‹foo=x›", "‹of foo = x›", "  ‹of foo = x›", " ‹= x›", "‹PASSWORD==›", "‹Zq9x=›", "‹password›", "‹Zq9x›", "5s",
    "  ‹two words›", "---", "}", "{{ .Values.x }}", "{{ if .Values.password }}", '{{ x "‹Zq9x›" }}', "  {% set x = '‹Zq9x›' %}", "{% set x = 'abc' %}", "{% x '‹abcd›' %}",
    r'{{ if eq .a "‹sh \" Zq9x \"]›" }}', r"{% if a == '‹b\' Zq9x›' %}", r'{{ default \"‹Zq9x\›" .b }}', r'{{ x "‹\d›" }}',
    "{{ lookup('env', 'OS_PASSWORD') }}", "{{ x 'region' }}", "{{ x 'Global' }}", "‹{{ Zq9x›", "‹{% Zq9x›", "‹{# Zq9x›", "‹{{ Zq+x }}›",
    "region = https://h/?‹a=b›", "region = pasword=‹Zq9x›", "region = x pasword: ‹Zq9x y›", "region = tokn ‹Zq9x›", "region = ‹u:p›@h pasword=‹Zq9x›",
    "region = u:p ‹pasword=›‹Zq9x@h›", "region = pasword=${PASSWORD}", "region = {{ .Values.token | quote }}", 'region = {% if token == "" %}', "region = token",
    "region = ‹a@h›@b", "region =\ttoken\t‹Zq9x›",
]  # fmt: skip
FOLDED = [
    "foo = ‹é›", "‹é9›", "foo\u00a0= ‹bar-7›", "pass\u200bword = ‹5s›", "# é = ‹bar-7›", "foo: [‹Zq9🄁› true, ‹Zq8›, 5s]", "fo\u0301o = 5s", "x: [‹é-9›, ‹b-9›] # ‹x9›",
    "\u200b‹Zq9x›", "foo = ‹ﬁ-9›", "foo: {a: ‹Zq9\u200b›, b: 5s}",
]  # fmt: skip
YAML = [
    "metadata:\n  annotations:\n    loadbalancer.openstack.org/network-id: x9-1\n    example.org/network-id: ‹x9-1›",
    "data:\n  cloud.conf: |\n    region = x9\n    foo = ‹bar-7›\n    foo = 5s\nfoo: 5s", "data:\n  other: |\n    ‹foo = 5s›\n    ‹region = x›\n  cloud.conf: ‹5s›\nkind: x",
    "password: |\n  ‹hunter›\nfoo: 5s", "password: >-  # note\n  ‹hunter›\n\n  ‹two›\nfoo: 5s", "password:\n  foo: ‹5s›\n  ‹hunter›\nfoo: 5s", "region: |\n  5s",
    "data:\n  a:\n    cloud.conf: |\n      ‹5s›\n", "foo:\n  cloud.conf: |\n    5s\n    region = x9", "secret-data:\n  cloud.conf: |\n    ‹5s›",
    "stringData:\n  name: ‹5s›\n  a:\n    b: ‹5s›\n    c:\n      d: ‹5s›\nname: 5s", "secretRef:\n  name: x9\n  foo: 5s", "secret:\n  name: x9\n  foo: ‹5s›\n  create: true\n  other: ‹null›",
    "data:\n  secret:\n    name: ‹x9›", "data:\n  secretRef:\n    name: ‹x9›\n", "- name: OS_PASSWORD\n  value: ‹5s›\n  mode: 5s\n- name: FOO\n  value: 5s",
    "- name: OS_PASSWORD\nvalue: 5s", "- name: 'OS_PASSWORD'\n  default: ‹5s›", "- kind: OS_PASSWORD\n  value: 5s", "name = ‹OS_PASSWORD›\nvalue: 5s",
    "- op: add\n  path: /spec/x0\n  from: '/a1'\n  value: ‹x0›", "- foo: 5s\n  path: ‹/spec/x0›", "op = ‹add›\npath: ‹/spec/x0›", "- op: add\n  path: ‹spec/x0›", "- op: add\npath: ‹/spec/x0›",
    "op: add\npath: /spec/x0", "- op: add\n  path: /spec/containers/0/args/-\n  value: ‹--password=Zq9x›",
    "- op: add\n  path: /spec/containers/0/args/-\n  value: --v=2",
    "data: {a: ‹5s›}\nb: 5s", "data: [‹x5›, ‹5s›]", "stringData: {a: ‹5s›,\n  b: ‹5s›\n  }\nb: 5s", "data: {a: ‹5s›, b: {c: ‹5s›,\n‹5s ›}, ‹5s›\n}} \nb: 5s",
    "password: ‹[›\n‹5s›\n---\nfoo: 5s", "data: {\n  ‹\"}}\"›, ‹'}'›\n  # ‹}›\n  ‹5s#›}\nfoo: 5s", "data: {a: ‹'}'›,\n‹\"'}\"›\n}\nfoo: 5s",
    "labels: {app: web-1, url: https://‹u:p›@h}", "labels:\n  app: web-1\n  password: ‹x›", "selector: {app: web-1}", "foo: {app: ‹web-1›}",
    "allowedCIDRs: [10.0.0.0/8, any-1, https://‹u:p›@h, b tokn ‹Zq9x›, pasword=‹Zq9x›]", 'addresses: [‹u›@h, "b-1", pasword=‹Zq9x›]', "{addresses: [b-1], region: x, foo: [‹b-1›], region: x, ‹b-1›}", "foo: [‹u-1›, ‹'b-1'›, 5s, ‹\"a, b\"›]",
    "spec: {tolerations: [{key: a.b/c}], tls: {key: ‹Zq9x›}, tolerations: {key: x}}", "{tolerations: [{key: a}], key: ‹Zq9x›}", "{a: {b: 5s}}}}, key: ‹Zq9x›}",
    "a: [{name: OS_PASSWORD, value: ‹5s›, mode: 5s}]", "a: [{name: OS_PASSWORD, mode: 5s}, {name: foo, value: 5s}]", "{password: ‹5s›, token: $TOKEN, secret: , foo: 5s}",
    "{name: OS_PASSWORD, default: ‹5s›}", "{region: x, auth-url: https://‹u:p›@h, foo: ‹a @ b›}", "{kind: Secret, data: {a: ‹5s›}, b: ‹5s›}", "foo: {a: 5s} # ‹Zq9x›", "{a: ‹5s # a note›\n", "{a: 5s, # a note\n  foo: ‹bar-7›",
    "{a: ‹b=› }", "data: {a: ‹Zq9x==›}", "{region: x, ‹Zq9x==›}", "foo: {‹Zq9x==›}", "tolerations: {key: x}",
    'command: [sh, -c, "‹echo x1›"]', "args: [--password, ‹5s›, --v, 5s]", "args: ['--region=x', \"--foo=‹bar-7›\", --v=bar-7]",
    "args: ['--password=‹5s›', --auth-url=‹https://u:p@h›, --password, ‹--foo›]", "args: [/bin/occm, ‹/data/x9›, 5s]",
    "args:\n- --token\n- ‹5s›\n- ‹x1›\n- 5s\n- --token=‹x›\n- 5s", "command:\n  - '‹Zq9x y›'\n  - \"sh\"\n  - ''",
    "args:\n- -v\n- --foo=\n- -foo=‹bar-7›\n- --cluster-name=kubernetes-1\n- --x.y=5s",
    "args:\n- \"--cluster-name=prod\"\n- '--cluster-name=prod'\n- \"--foo=‹bar-7\"›\n- \"--os-password=‹hunter2\"›", "args = [‹a-1›]",
    "spec:\n  tags:\n  - capo-1\n  - https://‹u:p›@h\n  - ${X}\n  foo:\n  - ‹capo-1›\n  - 5s", "tags:\n- ‹capo-1›", "stringData:\n- ‹5s›", "password:\n  - ‹5s›", "‹- capo-1›",
    "resources:\n- ../base\nfoo:\n- ‹../base›", "data:\n---\nfoo: 5s\n  a: 5s", "kind:\n  foo: 5s\nfoo: 5s", "a:\n  b:\n    data:\n      c: ‹5s›\n  d: 5s", "data: ‹&x›\n  a: ‹5s›", "data: ‹!!map›\n  a: ‹5s›", "data: # ‹note›\n  a: ‹5s›",
    "name:\n  ‹Zq9x›", "args:\n- --token\n- ''\n- ‹x1›", "labels: {app: web-1, ‹junk-1›}", "password: |\n  ‹5s›\n\n  ‹5s›\n   \n  ‹5s›",
    "  5s\npassword: |\n  ‹5s›\n---\n  5s", "path: ‹/spec/x0›\nop: add\npath: /spec/x0", "data:\n---\n  a: 5s", "stringData:\n  {a: ‹5s›}", "data:\nsecret:\n  name: x9",
    "tolerations: {a: 5s}\n  key: ‹x9›", "secret:\n  foo:\n    name: ‹x9›",
    'data: {"a": {\n  b: ‹5s›}\n  c: ‹5s›}\nd: 5s', "# ccmcheck: ignore[a]pin‹ x9›", "# ccmcheck: ignore[a-token] x9", "# ccmcheck: pin‹ x9›", "region = x]token # ccmcheck: ignore[a] x9",
    "data: {a: ‹5s›,\n‹5s›}\n‹5s}›", "a:\n  tolerations:\n  b:\n    key: ‹x9›", "a:\n  b: 5s\n  matchExpressions:\n  - key: x9", "labels: ‹&x›\n  app: x-1", "foo: 5s\n  app: ‹x-1›",
]  # fmt: skip


@pytest.mark.parametrize("marked", [*COMMENTS, *HEADERS, *PAIRS, *FOLDED, *YAML])
def test_these_parts_are_hidden(marked: str) -> None:
    text, spans = unmarked(marked)
    assert [tuple(span) for span in hidden_spans(text)] == spans


def test_lines_are_looked_at_as_far_as_is_asked() -> None:
    text, spans = unmarked("foo = ‹a-1›\nfoo = ‹b-2›\nfoo = ‹c-3›\n")
    hidden = HiddenSpans(text)
    assert [tuple(span) for span in hidden.until(0)] == spans[:1]
    assert [tuple(span) for span in hidden.until(9)] == spans[:1]
    assert [tuple(span) for span in hidden.until(10)] == spans[:2]
    assert [tuple(span) for span in hidden.until(1_000)] == spans


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("foo = a-1\nhunter2\n  [Zq9]\nhunter2\n\nregion = x\n", {"hunter2", "Zq9]"}),
        ("data:\n  a: b-1\n  hunter2\n", {"hunter2"}),
        ("region = x\n[Global]\n", set()),
        ("hünter2 \n \n", {"hünter2"}),
    ],
)
def test_the_hidden_parts_that_begin_a_line(text: str, starts: set[str]) -> None:
    assert set(hidden_starts(text)) == starts


@pytest.mark.parametrize(
    "line",
    [
        "image: {repository: a, registryCred: p4,hunter2Xy}",
        "auth-url = {foo: p4,hunter2Xy}",
        "env: [{name: [x], value: p4,hunter2Xy}]",
        "name: {x: p4,hunter2Xy}",
        "config: {auth-url: {x: p4,hunter2Xy}}",
        "{name: {region: x}, foo: b, hunter2Xy}",
        "# ccmcheck: ignore[x] to+ken hunter2Xy",
        "# ccmcheck: ignore[x] imagePullSecrets: hunter2Xy",
    ],
)
def test_what_follows_a_hidden_value_is_hidden(line: str) -> None:
    assert any(line[low:high].endswith(("hunter2Xy", "hunter2Xy}", "hunter2Xy}]")) for low, high in hidden_spans(line))
