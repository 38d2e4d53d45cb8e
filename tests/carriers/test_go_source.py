"""Raw strings in Go, and in variables of Go templates: where they end, and what is unknown in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

from ccmcheck.carriers import find
from ccmcheck.carriers.prefilter import worth_parsing, worth_reading

CONF = "[Global]\nauth-url={{ .AuthURL }}\nusername=%s\npassword=%[2]q\ntenant-id=$TENANT\n[LoadBalancer]\nlb-providr=ovn\n"
SOURCE = f"""\
package cloud

// `[Global]
/* `[Global]
*/
const quote = "`" + '`'
const cloudConf = `{CONF}`
"""
IMAGE = f"""\
package ccm

const cloudConf = `{CONF}`

var container = corev1.Container{{
	Name:  "ccm",
	Image: "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.30.0",
}}
"""
JOINED = """\
package cloud

var data = map[string]string{
	"cloud.conf": `[Global]
auth-url="https://identity.` + region + `.example.com/v3"
password="` + secret.Password + `"

[LoadBalancer]
lb-providr = ovn
`,
}
"""
TEMPLATE = """\
{{- $conf := `[Global]
auth-url="https://identity.{{ .Values.region }}.example.com/v3"
password="{{ .Values.password }}"

[LoadBalancer]
lb-providr = ovn
` -}}
apiVersion: v1
kind: Secret
metadata:
  name: cloud-config
stringData:
  cloud.conf: {{ tpl $conf $ | quote }}
"""
VALUES = """\
package render

const values = `cloudConfig:
  global:
    auth-url: {{ .AuthURL }}
    region: %s
  loadBalancer:
    lb-providr: amphora
    create-monitor: true
    lb-method: ROUND_ROBIN
`

const driver = `secret:
  data:
    cloud.conf: |-
      [Global]
      region = %[2]q
`
"""
FORMS = {"values.go": VALUES, "cloud.go": SOURCE, "joined.go": JOINED, "templates/secret.yaml": TEMPLATE}


def findings(folder: Path, *arguments: str) -> list[tuple[str, int, int, str]]:
    """Path, line, column and rule of every finding but information."""
    done = run(folder, "lint", "--format=json", *arguments)
    return [
        (one["path"], one["line"], one["column"], one["rule"])
        for one in json.loads(done.out)["findings"]
        if one["severity"] != "info"
    ]


@pytest.mark.parametrize("name", FORMS)
def test_the_mistake_alone_is_found_where_it_is(tmp_path: Path, name: str) -> None:
    text = FORMS[name]
    assert worth_reading(name)
    assert worth_parsing(text.encode(), name)
    put(tmp_path, {name: text})
    before = text[: text.index("lb-providr")]
    line, column = before.count("\n") + 1, len(before) - before.rindex("\n")
    assert findings(tmp_path) == findings(tmp_path, name) == [(name, line, column, "unknown-key")]


@pytest.mark.parametrize("name", FORMS)
def test_fix_stays_in_the_text(tmp_path: Path, name: str) -> None:
    put(tmp_path, {name: FORMS[name]})
    assert run(tmp_path, "fix", "--unsafe", "--write").code == 0
    assert (tmp_path / name).read_text() == FORMS[name].replace("lb-providr", "lb-provider")


def test_comments_and_strings_hide_no_string() -> None:
    (carried,) = find("cloud.go", SOURCE).carried
    assert carried.text == CONF
    assert carried.route == "raw string cloudConf"


def test_yaml_that_is_broken_says_nothing(tmp_path: Path) -> None:
    put(tmp_path, {"values.go": VALUES.replace("global:\n", "global: [%s\n").replace("lb-providr", "- lb-providr")})
    done = run(tmp_path, "lint", ".")
    assert (done.code, findings(tmp_path)) == (0, [])


def test_what_is_joined_is_one_text() -> None:
    (carried,) = find("joined.go", JOINED).carried
    assert carried.route == "raw string cloud.conf"
    assert carried.stack.inner.count("\n") == 6


@pytest.mark.parametrize(
    "text",
    [
        'var x = `[Global]\nauth-url="` + url\n',
        "var x = `[DEFAULT]\ntransport_url = x\n[database]\nconnection = y\n`\n",
        "var x = `apiVersion: v1\nkind: Service\nmetadata:\n  annotations:\n    loadbalancer.openstack.org/x: y\n`\n",
        "var x = `[Global]\nauth-url=https://k/v3\n",
        'const prefix = "loadbalancer.openstack.org/nonsense"\n',
    ],
)
def test_what_is_none(text: str) -> None:
    found = find("x.go", f"package x\n\n{text}")
    assert not found.carried
    assert not found.objects


def test_tests_and_copies_of_others_are_not_read_in_folders(tmp_path: Path) -> None:
    names = ("cloud_test.go", "vendor/cloud.go", "third_party/x/cloud.go", "cloud.pb.go")
    put(tmp_path, dict.fromkeys(names, SOURCE))
    assert findings(tmp_path) == []
    assert [found[3] for found in findings(tmp_path, "cloud_test.go")] == ["unknown-key"]


def test_the_image_in_the_same_file_tells_the_release(tmp_path: Path) -> None:
    put(tmp_path, {"ccm/resources.go": IMAGE, "ccm/other.go": IMAGE.replace(CONF, "x"), "cloud.conf": "[Global]\n"})
    listed = json.loads(run(tmp_path, "list", "--format=json", ".").out)["cloud_confs"]
    assert [(one["path"], one["releases"]) for one in listed if one["path"].endswith(".go")] == [
        ("ccm/resources.go", ["v1.30.0"])
    ]
    assert [one["release_source"] for one in listed if one["path"] == "cloud.conf"] == ["assumed: the newest"]


def machine(key: str, style: str, flag: str) -> str:
    conf = "".join(f"        {line}\n" for line in CONF.splitlines())
    files = f"files:\n  - path: /etc/openstack.config\n    contents:\n      {key}: {style}\n{conf}"
    return f"package templates\n\nvar Node = `exec: kubelet {flag}\n{files}`\n"


@pytest.mark.parametrize("key", ["inline", "content"])
@pytest.mark.parametrize("style", ["|", "|-"])
def test_a_file_that_a_machine_writes_and_reads_is_found(tmp_path: Path, key: str, style: str) -> None:
    text = machine(key, style, "--cloud-config=/etc/openstack.config")
    put(tmp_path, {"node.go": text})
    line = text[: text.index("lb-providr")].count("\n") + 1
    assert [one[:2] + one[3:] for one in findings(tmp_path)] == [("node.go", line, "unknown-key")]


@pytest.mark.parametrize(
    "flag",
    [
        "--cloud-config\n  - /etc/openstack.config",
        'cloud-config: "/etc/openstack.config"',
        "-cloud-config=/etc/openstack.config",
    ],
)
def test_the_flag_of_its_reader_has_several_forms(flag: str) -> None:
    text = machine("inline", "|-", "x\nargs:\n  - " + flag)
    assert [carried.text.count("lb-providr") for carried in find("node.go", text).carried] == [1]


def test_a_longer_path_is_another_file(tmp_path: Path) -> None:
    put(tmp_path, {"node.go": machine("inline", "|-", "--cloud-config=/etc/openstack.config.d/x")})
    assert findings(tmp_path) == []


def test_a_file_that_a_machine_writes_and_nobody_reads_is_none(tmp_path: Path) -> None:
    put(tmp_path, {"node.go": machine("inline", "|-", "--cloud-provider=external")})
    assert findings(tmp_path) == []
