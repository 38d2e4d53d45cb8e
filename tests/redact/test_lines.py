"""What a shown line hides, in every odd spelling of a key, and what it shows."""

from __future__ import annotations

import time
from contextvars import copy_context
from itertools import pairwise

import pytest

from ccmcheck.base.model import Span
from ccmcheck.redact.masker import MASK, Masker, hidden_spans, mask_file_text
from ccmcheck.redact.run_secrets import hide_variables

VALUE = "Zq9xWvQ1"

ODD_KEYS = [
    "password\u00a0= {}", "pass\u2003word= {}", "password\x0b= {}", "password\x0c= {}", "password\x1b= {}",
    "pass\u200bword = {}", "pass\u00adword = {}", "pass\u0301word = {}", "ｐａｓｓｗｏｒｄ = {}", "password： {}",
    "password＝{}", "password ?= {}", "password += {}", "password[] = {}", "password[0] = {}", "pаssword = {}",
    "secret-key = {}", "api-key = {}", "access-key={}", "pswd = {}", "p@ssword = {}", "pa$$word = {}", "trust-id = {}",
    "adminPass = {}", "OS_PASSWORD={}", "export OS_PASSWORD={}", "password = abc #{}", "password {}", "password;{}",
    "keystone-ca.key: {}", "api: {}", "foo = {}", "{}", "- {}", "x: [{}, b]", '{{"password": "{}", "region": "x"}}',
    "region = https://{}@host", "auth-url = https:/u:{}@h/x", "auth-url = https://h/?token={}", '[Global "password={}"]',
    '[Global "{}"]', "[Global]password={}", "[{}]", "# password = {}", "; {}", "region = x ; password={}",
    "- name: OS_PASSWORD\n  value: {}", "stringData:\n  region: {}", "data:\n  x.sh: |\n    region = {}",
    "data:\n  cloud.conf: |\n    password = {}", "clouds:\n  x:\n    auth:\n      password: {}",
    "password = \\\n  {}", 'password = "a\n{}"', "c2VjcmV0{}==",
]  # fmt: skip

SHOWN = [
    "[LoadBalancer]", '[LoadBalancerClass "gold"]', "lb-provider = ovn", "monitor-delay = 5s # seconds",
    "monitor-delay = 5s  # wait for the first probe", "create-montior = true", "foo = 12345", "x = 10.0.0.0/8",
    "auth-url = https://keystone.example.org:5000/v3", "region = RegionOne", "password = ${OS_PASSWORD}",
    'password = "{{ .Values.password }}"', "{{- if .Values.secret }}", "{% endif %}", "kind: Secret",
    "secretName: cloud-config-of-a-cluster-with-a-very-long-name-0123456789", "  name: " + "a-long-service-name-" * 3,
    "image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2", "    mountPath: /etc/config",
    "loadBalancerSourceRanges:\n- 10.0.0.0/33", "labels: {app: web, tier: front}", "labels:\n  app: web",
    'annotations:\n  loadbalancer.openstack.org/enable-health-monitor: "yes"', "use-octavia = true",
    "- --cloud-config=/etc/config/cloud.conf", "# ccmcheck: ignore[duration-bad] known", "---", "create-monitor",
]  # fmt: skip


@pytest.mark.parametrize("line", ODD_KEYS)
def test_a_value_that_is_not_known_to_be_harmless_is_hidden(line: str) -> None:
    text = f"[Global]\nregion = x\n{line.format(VALUE)}\n"
    assert VALUE in text
    assert VALUE not in mask_file_text(text)


@pytest.mark.parametrize(
    "text", ["aHVudGVyMi1zZWNyZXQ=", '"aHVudGVyMi1zZWNyZXQ="', "'aHVudGVyMi1zZWNyZXQ=='", "c2VjcmV0PQ=="]
)
@pytest.mark.parametrize(
    "around",
    [
        "data: {{cloud.conf:\n  {}}}",
        "data: {{cloud.conf:\n  {},\n  region: x}}",
        "password: {{a: b,\n {}\n }}",
        "data: {{a: [{}, {}]}}",
        "odd: [{}]",
        "odd: [\n  {},\n  {}\n]",
        "- {}",
    ],
)
def test_base64_is_hidden_in_every_collection(around: str, text: str) -> None:
    assert text.strip("\"'=") not in mask_file_text(around.format(text, text) + "\n")


@pytest.mark.parametrize("text", ["password: {a: b,\n x}}}\n, y: z}", "data: {a: b,\n ]}, {c: d\n  e: hunter2-x}"])
def test_more_brackets_may_be_closed_than_opened(text: str) -> None:
    masked = mask_file_text(text)
    assert "hunter2" not in masked
    assert "z" not in masked


@pytest.mark.parametrize("line", SHOWN)
def test_what_is_harmless_is_shown(line: str) -> None:
    assert mask_file_text(line + "\n") == line + "\n"


@pytest.mark.parametrize("line", ["password = {}", "foo = {}", "pass\u200bword = {}"])
def test_the_key_of_a_hidden_value_is_shown(line: str) -> None:
    assert mask_file_text(line.format(VALUE)) == line.format(MASK)


def test_a_secret_is_hidden_wherever_a_message_quotes_it() -> None:
    masker = Masker(f"[Global]\npassword = {VALUE}\nfoo = bar-baz-1\n")
    assert masker.scrub(f'invalid duration "{VALUE.lower()}"') == f'invalid duration "{MASK}"'
    assert masker.scrub("the key has `bar-baz-1`") == f"the key has `{MASK}`"
    assert masker.scrub("the word password stays, and so does foo") == "the word password stays, and so does foo"


def test_a_secret_that_is_a_known_word_hides_nothing_else() -> None:
    masker = Masker("[Global]\npassword = password\ntoken = region\n")
    assert masker.scrub("password and region are keys") == "password and region are keys"


def test_the_value_of_a_variable_with_a_secret_name_is_hidden_under_any_key() -> None:
    def check() -> None:
        hide_variables({"OS_PASSWORD": VALUE, "REGION": "RegionOne"})
        masker = Masker(f"[Global]\nregion = {VALUE}\nauth-url = RegionOne\n")
        assert masker.line(9, 18 + len(VALUE), Span(9, 15))[0] == f"region = {MASK}"
        assert masker.scrub(f'invalid duration "{VALUE}"') == f'invalid duration "{MASK}"'
        assert masker.scrub("RegionOne") == "RegionOne"

    copy_context().run(check)


def test_spans_are_sorted_and_do_not_overlap() -> None:
    text = "".join(line.format(VALUE) + "\n" for line in ODD_KEYS)
    spans = Masker(text).spans
    assert all(before.end < after.start for before, after in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in hidden_spans(text))


HOSTILE = {
    "short lines": "x\n" * 100_000,
    "keys": "".join(f"password{number} = value{number}\n" for number in range(20_000)),
    "unknown keys": "".join(f"key{number} = value{number}\n" for number in range(20_000)),
    "one word": "password" * 40_000,
    "one line": "a=b " * 60_000,
    "flow": "{" + "a: b, " * 40_000 + "}",
    "deep": "".join(" " * (number % 200) + f"k{number}:\n" for number in range(20_000)),
    "marks": "{{ x " * 40_000,
    "letters": "pаss\n" * 40_000,
}


@pytest.mark.part(of=3)
@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_costs_no_more_than_twice(name: str) -> None:
    text = HOSTILE[name]

    def cost(part: str) -> float:
        started = time.process_time()
        masker = Masker(part)
        masker.scrub("`value17` and value18 in a message")
        assert masker.spans is not None
        return time.process_time() - started

    half, whole = cost(text[: len(text) // 2]), cost(text)
    assert whole < 4 * max(half, 0.05)


PROGRAMS = [
    "args: [--password, {}]", 'args: ["--password", "{}"]', "args:\n- --os-password\n- {}", "args:\n- {}",
    'command: [sh, -c, "echo {}"]', "command: [sh, -c, 'curl -u x:{} http://h']", "stringData: {{region: {}}}",
    '{{"stringData": {{"name": "{}"}}}}', "data: {{version: {}}}", "password = ${}", "password = <{}>",
    "password = {{{{ {} }}}}", "{{{{ {} }}}}", "{{{{- {} -}}}}", "{{% {} %}}", "- <{}>", "x = <{}>", "{{% set pw = '{}' %}}",
    '{{{{- $x := "{}" }}}}', "auth-url = https://h/#{}", "auth-url = https://h/?{}", "auth-url = https://u:{}%40h",
    "auth-url = https://{}%40h", "auth-url = https://u:{} @h", "auth-url=https://h:{}", "password\n{}\n[LoadBalancer]\nlb-method={}",
    "# ccmcheck: ignore[duration-bad] password={}", "[{{name: OS_PASSWORD, value: {}}}]", "secret: {{token: {}}}", "# old value {}", "# it was '{}'", "a: [b] # {}", "secret:\n  foo: {}",
]  # fmt: skip
PROGRAMS_SHOWN = [
    "args:\n- /bin/openstack-cloud-controller-manager\n- --v=2\n- --cluster-name=kubernetes\n- --cloud-config=$(CLOUD_CONFIG)",
    'command: ["/bin/openstack-cloud-controller-manager", "--v=1", "--cloud-config=/etc/config/cloud.conf"]',
    "secret:\n  create: true\n  name: cloud-config\n  enabled: false", "secret:\n  secretName: cloud-config",
    "cloudsSecret:\n  name: ${CLUSTER_NAME}-cloud-config",
    "subnet-id = {{ hostvars['a'] }}", '{% if lb_provider != "ovn" %}', "{{- with .Values.cloudConfig }}",
    "password: ${OS_PASSWORD}", "password = $OS_PASSWORD", "password = <your-password>", "password = <PASSWORD>", "password = {{ pw }}",
    "auth-url = https://keystone.example.org:5000/v3/", "auth-url = https://[::1]:5000/v3", "auth-url = https://${HOST}:${PORT}/v3",
    "auth-url = https://{{ host }}:{{ port }}", "lbProvider: ovn", "floatingNetworkId: 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90",
    'cidrBlocks: ["192.168.0.0/16"] # CIDR block used by Calico.', "# set by k8s v1.29.3 (or 1.30.x), see the docs",
    "# cloud/region of the cluster, e.g. `RegionOne`", "{% if lookup('env', 'OS_REGION_NAME') != '' %}",
    '{% if os_application_credential_secret is defined and os_application_credential_secret != "" %}',
    "image:\n  tag: v1.31.2\n  pullPolicy: IfNotPresent",
]  # fmt: skip


@pytest.mark.parametrize("line", PROGRAMS)
def test_values_in_programs_data_marks_and_addresses_are_hidden(line: str) -> None:
    text = line.format(*[VALUE] * line.count("{}")) + "\n"
    assert VALUE in text
    assert VALUE not in mask_file_text(text)


@pytest.mark.parametrize("lines", PROGRAMS_SHOWN)
def test_programs_references_marks_and_addresses_are_shown(lines: str) -> None:
    assert mask_file_text(lines + "\n") == lines + "\n"


def test_quotes_in_a_template_mark_hide_no_other_mark() -> None:
    text = "[Global]\npassword = \"{{ lookup('env', 'OS_PASSWORD') }}\"\nregion = {{ lookup('env', 'OS_REGION') }}\n"
    assert mask_file_text(text).endswith("region = {{ lookup('env', 'OS_REGION') }}\n")


def test_a_placeholder_named_like_its_key_hides_no_key() -> None:
    text = "trust-id = trust-id\napplication_credential_secret: application_credential_secret\n"
    assert mask_file_text(text) == "trust-id = ****\napplication_credential_secret: ****\n"


def test_a_line_that_is_read_as_a_name_may_be_a_value() -> None:
    masker = Masker(f"[Global]\n{VALUE}\nfoo = 1\n# create-montior is wrong\n[{VALUE}x]\n{VALUE}z==\n")
    assert masker.name(VALUE.lower()) == MASK
    assert masker.name(f"{VALUE}z") == MASK
    assert Masker(f"[Global]\npassword＝{VALUE}==\n").name(f"password＝{VALUE}") == f"password＝{MASK}"
    assert Masker(f'[Global]\npassword = "a\n{VALUE}=="\n').name(VALUE) == MASK
    assert Masker(f'[Global]\npassword = "a\n<{VALUE}==>"\n').name(f"<{VALUE}") == MASK
    assert Masker(f"[Global]\n<{VALUE}==>\n").name(f"<{VALUE}") == MASK
    assert masker.name(f"{VALUE}x") == MASK
    assert [masker.name(name) for name in ("foo", "create-montior", "Global")] == ["foo", "create-montior", "Global"]
