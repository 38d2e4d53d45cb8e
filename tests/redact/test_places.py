"""A field with a general name is shown where Kubernetes has it, and hidden where it may hold anything."""

from __future__ import annotations

import json

import pytest

from ccmcheck.fix.patch.objects import Plain
from ccmcheck.fix.patch.secrecy import masked
from ccmcheck.redact.masker import MASK, mask_file_text

VALUE = "Zq9xWvQ1"

HIDDEN = [
    "key: {}", "tls:\n  key: {}", "cloudConfig:\n  encryption: {{key: {}}}", "tolerations: [{{key: a}}]\nkey: {}",
    "tolerations:\n- key: a\nkey: {}", "values: {}", "values:\n- {}", "values: [{}]", "valuesContent:\n  values: {}",
    "options: {}", "options:\n- {}", "from: {}", "mail:\n  from: {}", "owner: {}", "variables: {}", "variables:\n- {}",
    "variables:\n- name: adminPassword\n  value: {}", "variables:\n- {{name: adminPassword, value: {}}}", "variable: {}",
    "path: {}", "vault:\n  path: {}", "tags: [{}]", "tags: {}", "host: {}", "db:\n  host: {}", "template: {}", "filter: {}",
    "filter:\n- {}", "command: {}", "args: {}", "spec: {}", "strategy: {}", "metadata: {}", "files: [{}]", "patches:\n- {}",
    # in a cloud.conf, Kubernetes has no fields
    "[Global]\nname = {}", "[Global]\nargs = [a, {}]", '[Global]\ncommand = "[sh -c echo {}]"', "[Global]\ntype = {}",
    # flow collections over several lines
    '{{\n  "kind": "Secret",\n  "stringData": {{\n    "region": "{}"\n  }}\n}}', "stringData: {{region: a,\n  name: {}}}",
    "stringData: {{\nname: {}}}\nkind: Secret", "data: {{a: [\nx, {}]}}", "password: [\n  {}\n]", "password: {{a:\nregion: {}}}",
    "stringData: {{\n  # }}\n  name: {}\n}}", 'stringData: {{"a": "}}",\n"name": "{}"}}', "kind: Secret\nstringData: [{{\n}}, {{name: {}}}]",
    # comments and marks
    "; {}=", "# {}==", "{{{{ {}%41 }}}}", "x = {{{{ %{} }}}}",
]  # fmt: skip
SHOWN = [
    "tolerations:\n- key: node-role.kubernetes.io/control-plane\n  operator: Exists\n  effect: NoSchedule",
    "tolerations: [{key: a.b/c, operator: Exists}, {key: d.e/f, effect: NoSchedule}]", "taints:\n- key: a\n  effect: NoSchedule",
    "nodeSelectorTerms:\n- matchExpressions:\n  - key: role\n    operator: In\n    values:\n    - control\n    - worker",
    "matchExpressions: [{key: role, operator: In, values: [control, worker]}]",
    "items:\n- key: cloud.conf\n  path: cloud.conf", "secretKeyRef:\n  name: cloud-config\n  key: cloud.conf",
    "valueFrom: {secretKeyRef: {name: cloud-config, key: cloud.conf}}", "configMapKeyRef: {name: a, key: b}",
    "contentFrom:\n  secret:\n    name: machine\n    key: cloud.conf", "valueFrom:\n  variable: cloudName",
    "files:\n- path: /srv/x1/cloud.conf\n  owner: root:root\n  permissions: '0600'",
    "write_files:\n- path: /x/y.sh\n  owner: root:root", "hostPath:\n  path: /x/y", "httpGet: {path: /healthz, host: localhost, port: 10258}",
    "- op: replace\n  path: /spec/template/x0", '- op: "move"\n  path: "/a1x"\n  from: "/b1x"', "jsonPatches:\n- op: add\n  path: /spec/x\n  valueFrom: {variable: x}",
    "controlPlaneEndpoint:\n  host: api.example.org\n  port: 6443", "controlPlaneEndpoint: {host: api.example.org, port: 6443}",
    "spec:\n  tags: [capo, prod]\n  path: ./clusters/prod", "resources:\n- ../base\n- ccm.yaml", "rules:\n- host: a.example.org",
    '{\n  "tolerations": [\n    {\n      "key": "a.b/c",\n      "operator": "Exists"\n    }\n  ]\n}', "metadata: {name: ccm, namespace: kube-system}",
    '{\n  "kind": "Secret",\n  "metadata": {\n    "name": "cloud-config"\n  },\n  "type": "Opaque"\n}', "image:\n  tag: v1.31.2",
    "spec:\n  strategy: ApplyOnce", 'controlPlaneEndpoint: "api.example.org:6443"', "# azure_tenant_id:", "#loadBalancer:\n#  x:",
    "kind: Secret\nstringData: {}\nmetadata: {name: c}", "annotations: {}\nlabels: {\n  app: web\n}",
]  # fmt: skip


@pytest.mark.parametrize("line", HIDDEN)
def test_hidden_where_it_may_hold_anything(line: str) -> None:
    text = line.format(VALUE) + "\n"
    assert VALUE in text
    assert VALUE not in mask_file_text(text)


@pytest.mark.parametrize("lines", SHOWN)
def test_shown_in_its_place(lines: str) -> None:
    assert mask_file_text(lines + "\n") == lines + "\n"


def test_what_follows_a_hidden_collection_is_shown() -> None:
    text = f"stringData: {{a: {VALUE},\n  b: {VALUE}}}\nkind: Secret\n---\npassword: [\n---\nkind: Secret\n"
    assert (
        mask_file_text(text)
        == f"stringData: {{a: {MASK},\n  b: {MASK}}}\nkind: Secret\n---\npassword: {MASK}\n---\nkind: Secret\n"
    )


def test_a_patch_shows_the_same() -> None:
    shown: Plain = {"spec": {"tolerations": [{"key": "a.b/c"}], "files": [{"path": "/x/y", "owner": "root:root"}]}}
    assert masked(shown) == shown
    operation: Plain = {"op": "add", "path": "/spec/template/spec/tolerations/0/key", "value": "a.b/c"}
    assert masked([operation]) == [operation]
    every: list[Plain] = [
        {"values": {"key": VALUE}}, {"spec": {"values": {"encryption": {"key": VALUE, "path": VALUE, "options": [VALUE]}}}},
        {"path": VALUE}, {"spec": {"owner": VALUE, "host": VALUE}}, [{"op": "add", "path": "/spec/values/key", "value": VALUE}],
        [{"op": "add", "path": "/spec/x", "value": {"tls": {"key": VALUE}}}],
    ]  # fmt: skip
    for hidden in every:
        assert VALUE not in json.dumps(masked(hidden))
