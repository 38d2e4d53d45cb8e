"""Secrets and ConfigMaps: which values are taken, what they decode to, and what stands beside them."""

from __future__ import annotations

import pytest
from carrying import CONF, b64, gz64, indent, only, place, routes

from ccmcheck.base.edits import apply
from ccmcheck.base.model import Edit
from ccmcheck.carriers import FindOptions, find

SECRET = f"""\
apiVersion: v1
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
type: Opaque
data:
  cacert: LS0tLS1CRUdJTg==
  cloud.conf: {b64(CONF)}
"""


def test_base64() -> None:
    carried = only("secret.yaml", SECRET)
    assert carried.carrier == "Secret"
    assert carried.subject == "Secret kube-system/cloud-config"
    assert carried.route == 'Secret kube-system/cloud-config › data["cloud.conf"] (base64)'
    assert carried.text == carried.stack.inner == CONF
    assert carried.final
    assert carried.marks == ()
    assert carried.siblings == ("cacert",)
    assert place(carried, "monitor-delay = 3") == (9, 15, b64(CONF))


def test_base64_over_several_lines_keeps_their_width() -> None:
    folded = SECRET.replace(f" {b64(CONF)}", f" |\n    {indent(b64(CONF, 76), 4)}")
    carried = only("secret.yaml", folded)
    assert carried.text == CONF
    start = CONF.index("= 3\n") + 2
    edits = carried.stack.put([Edit(start, start + 1, "3s")])
    changed = apply(folded, edits)
    assert only("secret.yaml", changed).text == CONF.replace("= 3\n", "= 3s\n")
    assert max(map(len, changed.splitlines()[8:])) == 80


def test_string_data_is_exact() -> None:
    text = SECRET.replace("\ndata:", "\nstringData:").replace(b64(CONF), f"|\n    {indent(CONF, 4)}")
    carried = only("secret.yaml", text)
    assert carried.route == 'Secret kube-system/cloud-config › stringData["cloud.conf"]'
    assert place(carried, "monitor-delay") == (18, 5, "monitor-delay")
    assert place(carried, "3\n")[:2] == (18, 21)


def test_json() -> None:
    head = '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"cloud-config"},"data":{"cloud.conf":"'
    text = head + b64(CONF) + '"}}'
    carried = only("secret.json", text)
    assert carried.subject == "Secret cloud-config"
    assert place(carried, "[Global]") == (1, text.index('"W0') + 2, b64(CONF))


@pytest.mark.parametrize("kind", ["List", "SecretList"])
def test_lists(kind: str) -> None:
    text = f"apiVersion: v1\nkind: {kind}\nitems:\n- {indent(SECRET, 2)}- {indent(SECRET.replace('kube-system', 'other'), 2)}"
    assert routes("all.yaml", text) == [
        'Secret kube-system/cloud-config › data["cloud.conf"] (base64)',
        'Secret other/cloud-config › data["cloud.conf"] (base64)',
    ]


def test_several_documents_and_a_broken_one() -> None:
    text = f"{SECRET}---\nkind: [broken\n---\n{SECRET.replace('kube-system', 'other')}---\nalso: {{broken\n"
    contents = find("all.yaml", text)
    assert [one.subject for one in contents.carried] == ["Secret kube-system/cloud-config", "Secret other/cloud-config"]
    assert [(one.line, one.message.partition(":")[0]) for one in contents.broken] == [(12, "not YAML")]
    assert place(contents.carried[1], "[Global]")[0] == 21


def test_a_broken_file_without_a_conf_is_not_reported() -> None:
    assert find("web.yaml", "kind: [Deployment\n", FindOptions(explicit=True)).broken == []


@pytest.mark.parametrize("key", ["cloud.conf", "cloudprovider.conf", "config", "anything", "cloud-config"])
def test_any_key_counts_by_its_content(key: str) -> None:
    assert only("secret.yaml", SECRET.replace("cloud.conf:", f"{key}:")).text == CONF


def test_both_keys_of_yawol_and_the_ccm() -> None:
    text = SECRET.replace("  cacert", f"  cloudprovider.conf: {b64(CONF)}\n  cacert")
    assert [one.siblings for one in find("secret.yaml", text).carried] == [
        ("cacert", "cloud.conf"),
        ("cloudprovider.conf", "cacert"),
    ]


def test_a_key_named_cloud_conf_counts_whatever_it_holds() -> None:
    clouds = "clouds:\n  openstack:\n    auth: {}\n"
    assert only("secret.yaml", SECRET.replace(b64(CONF), b64(clouds))).text == clouds
    twice = only("secret.yaml", SECRET.replace(b64(CONF), b64(b64(CONF))))
    assert twice.text == b64(CONF)
    assert twice.final


@pytest.mark.parametrize(
    "value", ["", "${CLOUD_CONF_B64}", "{{ conf | b64encode }}", "not base64 at all", "changeme", "null", "~"]
)
def test_empty_and_missing_values_are_no_confs(value: str) -> None:
    contents = find("secret.yaml", SECRET.replace(b64(CONF), value))
    assert contents.carried == []
    assert contents.broken == []
    assert contents.kinds == ("Secret",)


@pytest.mark.parametrize(
    "foreign",
    [
        '[Global]\nuser = "a"\ninsecure-flag = "1"\n[VirtualCenter "vc"]\ndatacenters = "dc"\n[Network]\npublic-network = "n"\n',
        '[Global]\nsecret-name = "vsphere-creds"\nsecret-namespace = "kube-system"\n[Workspace]\nserver = "vc"\n',
        "[Global]\nKubernetesClusterTag = a\nZone = eu-central-1a\nDisableSecurityGroupIngress = true\n",
        "[global]\nproject-id = p\nnode-tags = a\nmultizone = true\n",
        "[Global]\napi-url = https://cs.example.com/client/api\napi-key = k\nsecret-key = s\n",
        '{"cloud": "AzurePublicCloud", "tenantId": "t", "aadClientId": "a"}\n',
        "global:\n  port: 443\nvcenter:\n  vc:\n    server: vc.example.com\n",
    ],
)
def test_another_clouds_file_is_not_a_conf(foreign: str) -> None:
    assert find("secret.yaml", SECRET.replace(b64(CONF), b64(foreign))).carried == []
    assert find("cloud.conf", foreign).carried == []
    assert find("cloud.conf", foreign, FindOptions(explicit=True)).carried == []


def test_cloud_init_under_the_key_cloud_config() -> None:
    data = f"#cloud-config\nwrite_files:\n- path: /etc/kubernetes/cloud.conf\n  content: |\n    {indent(CONF, 4)}"
    text = SECRET.replace("cloud.conf:", "cloud-config:").replace("name: cloud", "name: openstack-cloud")
    carried = only("secret.yaml", text.replace(b64(CONF), b64(data)))
    assert carried.carrier == "Secret"
    assert carried.route.endswith('data["cloud-config"] (base64) › write_files["/etc/kubernetes/cloud.conf"]')
    assert only("secret.yaml", text.replace(b64(CONF), b64("clouds: {}\n"))).text == "clouds: {}\n"
    assert find("secret.yaml", text.replace("openstack-", "").replace(b64(CONF), b64("clouds: {}\n"))).carried == []


def test_consumers_by_the_objects_name() -> None:
    def readers(name: str) -> tuple[str, ...]:
        return only("secret.yaml", SECRET.replace("name: cloud-config", f"name: {name}")).consumers

    assert readers("cloud-config") == ()
    assert readers("cinder-csi-cloud-config") == ("cinder-csi-plugin",)
    assert readers("ccm-cloud-config") == ("ccm",)
    assert readers("openstack-cloud-controller-manager") == ("ccm",)
    assert readers("barbican-kms-config") == ("barbican-kms-plugin",)


def test_the_annotation() -> None:
    text = SECRET.replace(
        "type:", "  annotations:\n    ccmcheck.dev/ignore: tls-insecure-on=lab only, unknown-key=agreed\ntype:"
    )
    assert only("secret.yaml", text).ignores == (("tls-insecure-on", "lab only"), ("unknown-key", "agreed"))


def test_gzip_in_a_key_of_any_name() -> None:
    carried = only("secret.yaml", SECRET.replace("cloud.conf:", "userdata.gz:").replace(b64(CONF), gz64(CONF)))
    assert carried.text == CONF
    assert carried.route.endswith('data["userdata.gz"] (gzip+base64)')


def test_a_gzip_bomb_is_reported_and_the_rest_is_read() -> None:
    text = SECRET.replace("  cacert", f"  bomb: {gz64('[Global]' * 1_000_000)}\n  cacert")
    contents = find("secret.yaml", text, FindOptions(max_unpacked=100_000))
    assert [one.text for one in contents.carried] == [CONF]
    assert [(one.line, one.column) for one in contents.broken] == [(8, 9)]


class TestConfigMaps:
    def test_data_and_binary_data(self) -> None:
        text = f"""\
apiVersion: v1
kind: ConfigMap
metadata: {{name: cloud-config, namespace: kube-system}}
data:
  cloud.conf: |
    {indent(CONF, 4)}binaryData:
  other: {b64(CONF)}
"""
        contents = find("map.yaml", text)
        assert [one.route for one in contents.carried] == [
            'ConfigMap kube-system/cloud-config › data["cloud.conf"]',
            'ConfigMap kube-system/cloud-config › binaryData["other"] (base64)',
        ]
        assert place(contents.carried[0], "auth-url")[:2] == (7, 5)
        assert [one.dialect for one in contents.carried] == ["", ""]

    def test_openshift(self) -> None:
        conf = "[Global]\nsecret-name = openstack-credentials\nsecret-namespace = kube-system\n\n[LoadBalancer]\nuse-octavia = true\n"
        text = f"""\
apiVersion: v1
kind: ConfigMap
metadata:
  name: cloud-provider-config
  namespace: openshift-config
data:
  config: |
    {indent(conf, 4)}  ca-bundle.pem: x
"""
        carried = only("map.yaml", text)
        assert carried.dialect == "openshift"
        assert carried.text == conf
        assert carried.siblings == ("ca-bundle.pem",)

    def test_openshift_on_another_cloud(self) -> None:
        text = """\
kind: ConfigMap
metadata: {name: cloud-provider-config, namespace: openshift-config}
data:
  config: |
    [Global]
    secret-name = "vsphere-creds"
    secret-namespace = "kube-system"
    insecure-flag = "1"
    [Workspace]
    server = "vc"
"""
        assert find("map.yaml", text).carried == []
        assert (
            find("map.yaml", text.replace("data:\n  config: |\n", "data:\n  config: |\n    [Global]\n")).carried == []
        )

    def test_other_files_with_sections_are_not_ours(self) -> None:
        text = """\
kind: ConfigMap
metadata: {name: my-cnf}
data:
  my.cnf: |
    [mysqld]
    bind-address = 0.0.0.0
    [Global]
    x = y
  smb.conf: |
    [global]
    workgroup = EXAMPLE
  grafana.ini: |
    [metadata]
    name = x
"""
        assert find("map.yaml", text).carried == []


@pytest.mark.parametrize(
    ("name", "consumers"),
    [
        ("cloud-config-csi", ("cinder-csi-plugin",)),
        ("cinder-csi-cloud-config", ("cinder-csi-plugin",)),
        ("cloud-config", ()),
        ("ccm-and-csi", ("ccm",)),
        ("csi-manila-config", ()),
    ],
)
def test_the_name_says_who_reads_it(name: str, consumers: tuple[str, ...]) -> None:
    text = f"kind: Secret\napiVersion: v1\nmetadata: {{name: {name}}}\ndata: {{cloud.conf: {b64(CONF)}}}\n"
    assert only("x.yaml", text).consumers == consumers


@pytest.mark.parametrize("note", ['"see: #@ foo"', "'see: #@ foo'", "#@ data.values.note", "x # y: #@ z"])
def test_what_ytt_computes_is_a_comment_and_no_part_of_a_string(note: str) -> None:
    text = f"kind: Secret\nmetadata:\n  name: a\n  annotations:\n    note: {note}\nstringData:\n  cloud.conf: |\n"
    (found,) = find("secret.yaml", f"{text}    {indent(CONF, 4)}").carried
    assert (found.carrier, found.subject) == ("Secret", "Secret a")
    assert found.stack.inner == CONF
