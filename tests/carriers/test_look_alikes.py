"""Files that have the name or the form of a cloud.conf and are other programs'; and cloud.confs with a broken beginning."""

from __future__ import annotations

from base64 import b64encode

import pytest
from carrying import CONF

from ccmcheck.carriers import FindOptions, find
from ccmcheck.catalog.signs.scorer import recognise

NAMED = FindOptions(explicit=True)

OCTAVIA = """\
[DEFAULT]
transport_url = rabbit://stackrabbit:x@192.0.2.1:5672/
[api_settings]
bind_host = 192.0.2.1
[database]
connection = mysql+pymysql://root:x@127.0.0.1/octavia
[keystone_authtoken]
auth_url = https://keystone.example.com
username = octavia
user_domain_name = Default
[networking]
lb_network_name = lb-mgmt-net
[controller_worker]
amp_flavor_id = 1
network_driver = allowed_address_pairs_driver
[service_auth]
auth_url = https://keystone.example.com
username = octavia
[oslo_messaging]
topic = octavia_prov
"""

LOOK_ALIKES = {
    "Octavia": OCTAVIA,
    "Octavia with a section of ours": OCTAVIA + "[LoadBalancer]\ncreate-monitor = true\n",
    "an OpenStack service": "[DEFAULT]\nlog_dir = /var/log\n[oslo_concurrency]\nlock_path = /tmp\n[neutron]\nauth_url = x\nregion_name = R\n",
    "FlexVolume": "[Global]\nauth-url=https://k/v3\nusername=u\npassword=p\ntenant-name=t\nregion=r\n[RBD]\nkeyring=k\n",
    "Huawei": "[Global]\nregion=ap-1\naccess-key=a\nsecret-key=b\nproject-id=c\ncloud=x.com\nauth-url=https://iam\n\n[Vpc]\nid=d\n",
    "Huawei's driver": "[Global]\nregion=\naccess-key=\nsecret-key=\n\n# Only needed elsewhere\ncloud=\nauth-url=\n",
    "KubeStack": "[Global]\nauth-url = http://k:5000/v2.0\nusername = u\ntenant-name = t\next-net-id = n\n[Plugin]\nplugin-name = ovs\n",
    "vSphere": '[Global]\nuser = "a"\npassword = "b"\nport = "443"\ninsecure-flag = "1"\n[VirtualCenter "192.0.2.1"]\ndatacenters = "d"\n',
    "vSphere with NSX-T": '[Global]\nport = "443"\n[LoadBalancer]\nipPoolName = p\nsize = SMALL\ntier1GatewayPath = /x\n[LoadBalancerClass "dmz"]\nipPoolName = q\n',
    "AWS": "[Global]\nElbSecurityGroup = sg-1\nZone = eu-central-1a\n",
    "GCE": '[global]\nproject-id = "p"\nnetwork-name = "default"\nnode-tags = "t"\nlocal-zone = "z"\n',
    "GCE's driver": '[Global]\nproject-id="p"\nzone="z"\n',
    "CloudStack": "[Global]\napi-url = https://c\napi-key = k\nsecret-key = s\nproject-id = p\nzone = z\n",
    "Rackspace": "[Global]\nauth-url=https://identity.api.rackspacecloud.com/v2.0/\nusername=u\npassword=p\nregion=DFW\ntenant-id=1\n[LoadBalancer]\n[BlockStorage]\nbs-version=v2\n[Networking]\ninternal-network-name=private\n",
    "Rackspace in London": '[Global]\nauth-url = "https://lon.identity.api.rackspacecloud.com/v2.0"\nusername = u\n[LoadBalancer]\ncreate-monitor = true\n',
    "Rackspace with a key of its own": "[Global]\nauth-url=https://identity.example.com/v2.0/\nusername=u\napi-key=k\ntenant-id=1\nregion=DFW\n[LoadBalancer]\ncreate-monitor=true\n",
    "Azure": '{\n  "cloud": "AzurePublicCloud",\n  "tenantId": "t",\n  "aadClientId": ""\n}\n',
    "Azure in YAML": "tenantId: t\nsubscriptionId: s\nresourceGroup: g\n",
    "Exoscale": "global:\n  zone: x\napiKey: k\n",
    "KubeVirt": "kubeconfig: /etc/kubeconfig\nloadBalancer:\n  enabled: true\n",
    "IBM": "[global]\nversion = 1.1.0\n[kubernetes]\nconfig-file = /x\n[provider]\ncluster-default-provider = g2\n",
    "shell settings": "#!/bin/bash\nPROJECT_ID=x\nREGION=GRA7\nexport USERNAME=y\nPASSWORD=\n",
    "shell code": 'if [[ -z "$X" ]]; then\n  Y="a"\nfi\nLOG=`date`\n',
    "a chat bot": "[bot]\ntoken = 123:abc\nname = cloud\n[admins]\nusers = 1,2\n",
    "nginx": "upstream php {\n  server unix:/run/php.sock;\n}\nserver {\n  listen 80;\n}\n",
    "cloud-init": "#cloud-config\nusers:\n  - name: x\nruncmd:\n  - [echo, x]\n",
    "a pool of machines": "[alpha]\nhost: a.example.com\ntype: Nimbus\nnetworks: private\n[beta]\nhost: b.example.com\n",
    "a proxy": "#!MANAGED-CONFIG https://x\n[General]\nloglevel = warning\nipv6 = true\n[Proxy Group]\nproxy = select\n",
    "Samba": "[global]\nworkgroup = X\nnetbios name = y\nsecurity = user\n",
    "Ceph": "[global]\nfsid = x\nmon_host = 192.0.2.1\n[osd]\njournal = y\n",
    "another [Global]": "[Global]\ncolour = red\nvolume = 11\n",
    "Zabbix": 'UserParameter=cloud.info[*],/root/x.sh "$1"\n',
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
@pytest.mark.parametrize("path", ["cloud.conf", "cloud.conf.j2", "x/cloud.conf.example", "cloud.conf.tmpl"])
def test_a_name_proves_nothing(name: str, path: str) -> None:
    contents = find(path, LOOK_ALIKES[name])
    assert contents.carried == []
    assert contents.broken == []
    contents = find(path, LOOK_ALIKES[name], NAMED)
    assert contents.carried == []
    for one in contents.not_taken:
        assert one.recognition is not None
        assert not one.recognition.taken
        assert one.recognition.reason


@pytest.mark.parametrize("name", LOOK_ALIKES)
@pytest.mark.parametrize("path", ["octavia.conf", "cloud-config", "settings.ini", "x.cfg"])
def test_a_file_of_another_name(name: str, path: str) -> None:
    for options in (NAMED, FindOptions()):
        contents = find(path, LOOK_ALIKES[name], options)
        assert contents.carried == []
        assert contents.broken == []


@pytest.mark.parametrize("name", LOOK_ALIKES)
@pytest.mark.parametrize("field", ["stringData", "data"])
def test_in_an_object_under_our_key(name: str, field: str) -> None:
    kind = "Secret" if field == "stringData" else "ConfigMap"
    body = "".join(f"    {line}\n" for line in LOOK_ALIKES[name].splitlines())
    contents = find("x.yaml", f"kind: {kind}\nmetadata: {{name: web}}\n{field}:\n  cloud.conf: |\n{body}")
    assert [one.route for one in contents.carried] == []


def test_the_reason_names_the_program_and_its_place() -> None:
    (one,) = find("cloud.conf", OCTAVIA).not_taken
    assert one.recognition is not None
    assert one.recognition.program == "Octavia's own octavia.conf"
    assert one.recognition.reason == "its sections and keys are those of Octavia's own octavia.conf"
    assert OCTAVIA[slice(*one.recognition.span)] == "api_settings"
    (one,) = find("cloud.conf", CONF).carried
    assert one.recognition is not None
    assert one.recognition.taken
    assert one.recognition.reason.startswith("it has `[Global]`, `[LoadBalancer]` and ")


def test_a_reason_quotes_nothing_but_known_names() -> None:
    for text in (*LOOK_ALIKES.values(), CONF, "[Global]\nauth-url = canary\ncanary = x\n[canary]\nregion = canary\n"):
        contents = find("cloud.conf", text.replace("= ", "= canary"), NAMED)
        for one in (*contents.carried, *contents.not_taken):
            assert one.recognition is not None
            assert "canary" not in one.recognition.reason


@pytest.mark.parametrize(
    "beginning",
    [
        "Global]",
        "[Global",
        "[[Global]]",
        "(Global)",
        "{Global}",
        "[Globl]",
        "[GLOBALS]",
        "<<<<<<< HEAD\n[Global]",
        "garbage\n[Global]",
        "\x00\x01\x02",
        "= = =\n[Global]",
        "[",
        "",
        "---\n[Global]",
        "%%% [Global]",
        "[Glo bal]",
        "﻿[Global]",
        '"[Global]"',
        "```ini\n[Global]",
    ],
)
@pytest.mark.parametrize("explicit", [False, True])
def test_a_mistake_in_the_first_line_does_not_hide_a_cloud_conf(beginning: str, *, explicit: bool) -> None:
    text = CONF.replace("[Global]", beginning)
    (one,) = find("cloud.conf", text, FindOptions(explicit=explicit)).carried
    assert one.text == text


@pytest.mark.parametrize(
    "text",
    [
        "Global]\nauth-url=https://x\nregion=R\n",
        "[Globl]\nauth_url = https://x\nregion=R\n",
        "[LoadBalancer\nlb-provider=ovn\n",
        "[Load_Balancer]\nsubnet-id=x\n",
        "[Global]\nauth-ulr = https://x\nusernam = y\n",
        "auth-url=https://x\ntenant-id=y\n",
        "[LoadBalancerClass.dmz]\nsubnet-id=x\n",
        "[Global]\nsecret-name = a\nsecret-namespace = b\n",
        "[Route]\nrouter-id=x\n",
        "[Metadata]\nsearch-order = configDrive\n",
    ],
)
@pytest.mark.parametrize("explicit", [False, True])
def test_a_small_one_with_mistakes(text: str, *, explicit: bool) -> None:
    (one,) = find("cloud.conf", text, FindOptions(explicit=explicit)).carried
    assert one.text == text


def test_garbage_above_one_of_another_name_in_a_folder() -> None:
    assert len(find("etc/openstack.conf", f"garbage!\n{CONF}").carried) == 1


def test_a_key_counts_in_its_section() -> None:
    found = recognise("[connection]\nsubnet-id=x\n[LoadBalancer]\nsubnet-id=y\nlb-provider=z\n")
    assert [sign[:3] for sign in found.signs] == [
        ("[connection]", 2, "the configuration of oVirt's cloud provider"),
        ("[LoadBalancer]", 1, ""),
        ("subnet-id", 1, ""),
        ("lb-provider", 2, ""),
    ]
    assert found.taken


def test_a_key_that_openshift_writes_for_openstack_alone_shows_its_file() -> None:
    text = "[Global]\nsecret-name = openstack-credentials\nsecret-namespace = kube-system\n"
    assert find("a.md", f"```\n{text}```\n").carried == []  # vSphere's file has these, too
    for own in ("kubeconfig-path = /var/lib/kubelet/kubeconfig", "region = RegionOne"):
        assert len(find("a.md", f"```\n{text}{own}\n```\n").carried) == 1
    for other in ("[Labels]\nregion = r", "region = r\nzone = z", "region = r\n[Labels]\nzone = z"):  # vSphere's
        assert find("a.md", f"```\n{text}{other}\n```\n").carried == []


@pytest.mark.parametrize("version", ["swagger: '2.0'", "openapi: 3.1.0"])
def test_examples_in_the_description_of_an_api_are_none(version: str) -> None:
    example = f"definitions:\n  Cloud:\n    example: {b64encode(CONF.encode()).decode()}\n"
    assert find("api.yaml", f"{version}\ninfo: {{title: a, version: '1'}}\n{example}").carried == []
    assert len(find("api.yaml", f"{version}\n{example}").carried) == 1


def test_a_section_that_only_one_program_has_decides() -> None:
    text = "[Global]\nauth-url=https://k/v3\nusername=u\npassword=p\ntenant-id=t\ndomain-name=d\nregion=r\n"
    assert not recognise(text).program
    found = recognise(f"{text}[Vpc]\nid=v\n")
    assert found.program == "the configuration of Huawei Cloud's cloud provider"
    assert found.span.start == len(text) + 1


RAW_STRING = """\
{{- $conf := `[Global]
auth-url="https://{{ .Values.region }}.example/v3"
username="{{ .Values.user }}"
` -}}
apiVersion: v1
kind: Secret
metadata: {name: cloud-config}
data:
  cloudprovider.conf: {{ tpl $conf $ | b64enc }}
---
kind: ConfigMap
metadata: {name: other}
data: {a: b}
"""


def test_a_raw_string_of_a_template_is_one_tag() -> None:
    found = find("templates/csi.yaml", RAW_STRING, FindOptions(explicit=True))
    assert [one.carrier for one in found.carried] == ["Go template"]  # the text in the tag, not the file around it
    assert not found.broken


@pytest.mark.parametrize(
    "line",
    [
        "auth-url=https://keystone.api.sjc3.rackspacecloud.com/v3",
        "auth-url=https://k/v3\n# auth-url=https://identity.api.rackspacecloud.com/v2.0/",
        "auth-url=https://k/v3\nca-file=/identity.api.rackspacecloud.com/v2.0",
        "auth-url=https://identity.api.rackspacecloud.com.example.com/v3",
        "auth-url=https://k/v3\n[Class]\napi-key=x",
    ],
)
def test_an_openstack_of_rackspace_s_is_the_ccm_s(line: str) -> None:
    assert len(find("cloud.conf", f"[Global]\n{line}\n[LoadBalancer]\ncreate-monitor=true\n").carried) == 1
