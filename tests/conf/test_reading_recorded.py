"""Texts of our own with what the real reader makes of them, so that a clone alone can tell."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ccmcheck.api import read_config

Values = dict[str, dict[str, object]]
Ignored = list[dict[str, str]]


class Good(NamedTuple):
    text: str
    values: Values
    ignored: Ignored = []  # noqa: RUF012 - never changed
    reader: str = "ccm@master"


class Bad(NamedTuple):
    text: str
    error: str
    reader: str = "ccm@master"


def seconds(count: int, text: str) -> dict[str, object]:
    return {"int_seconds": count, "ns": count * 1_000_000_000, "text": text}


GOOD = [
    Good("", {}),
    Good("# nothing\n\n", {}),
    Good("[Global]\n", {}),
    Good(
        "[Global]\r\nauth-url = https://keystone:5000/v3\r\nusername=\r\n",
        {"Global": {"auth-url": "https://keystone:5000/v3", "username": ""}},
    ),
    Good("[Global]\npassword = pa#ss\n", {"Global": {"password": "pa"}}),
    Good('[Global]\npassword = "pa#ss;\\"\\\\"\n', {"Global": {"password": 'pa#ss;"\\'}}),
    Good("[Global]\npassword = 'pa ss'\n", {"Global": {"password": "'pa ss'"}}),
    Good("[Global]\nusername = a\\\n  b\n", {"Global": {"username": "a  b"}}),
    Good("[Global]\ntls-insecure = yes\n", {"Global": {"tls-insecure": "yes"}}),
    Good('[Global]\nos-endpoint-type = " internal "\n', {"Global": {"os-endpoint-type": "internal"}}),
    Good("[Global]\nUserName = a\n[GLOBAL]\nusername = b\n", {"Global": {"username": "b"}}),
    Good("[Global]\npaſsword = p\n[NetworKing]\n", {"Global": {"password": "p"}}),
    Good(
        "[Global]\nauthurl = x\nuser-name = y\nnope\nAUTHURL = z\n",
        {},
        [
            {"section": "Global", "key": "authurl"},
            {"section": "Global", "key": "user-name"},
            {"section": "Global", "key": "nope"},
            {"section": "Global", "key": "AUTHURL"},
        ],
    ),
    Good(
        "[LoadBalancer]\ncreate-monitor\nmonitor-delay = 1m30s\nmonitor-max-retries = 0x3\nmax-shared-lb = -1\n",
        {
            "LoadBalancer": {
                "create-monitor": True,
                "max-shared-lb": -1,
                "monitor-delay": seconds(90, "1m30s"),
                "monitor-max-retries": 3,
            }
        },
    ),
    Good(
        "[LoadBalancer]\nmonitor-delay = 500ms\nmonitor-timeout = 0\nenabled = OFF\n",
        {
            "LoadBalancer": {
                "enabled": False,
                "monitor-delay": {"int_seconds": 0, "ns": 500_000_000, "text": "500ms"},
                "monitor-timeout": seconds(0, "0s"),
            }
        },
    ),
    Good(
        "[Networking]\npublic-network-name = a,b\npublic-network-name =\ninternal-network-name\n",
        {"Networking": {"internal-network-name": [], "public-network-name": ["a,b", ""]}},
    ),
    Good(
        "[Networking]\npublic-network-name = a\npublic-network-name\npublic-network-name = b\n",
        {"Networking": {"public-network-name": ["b"]}},
    ),
    Good(
        "[Networking]\npublic-network-name = a\npublic-network-name = b\n",
        {"Networking": {"public-network-name": "b"}},
        reader="ccm@1.18",
    ),
    Good(
        '[LoadBalancerClass "x"]\nsubnet-id = s\nlb-provider = ovn\n[loadbalancerclass "x"]\nsubnet-id = t\n'
        "[LoadBalancerClass]\n",
        {'LoadBalancerClass ""': {}, 'LoadBalancerClass "x"': {"subnet-id": "t"}},
        [{"section": "LoadBalancerClass", "subsection": "x", "key": "lb-provider"}],
    ),
    Good('[LoadBalancerClass "ä\t\\""]\n', {'LoadBalancerClass "ä\\t\\""': {}}),
    Good(
        '[Global "r"]\nuse-clouds = maybe\n[Router]\nrouter-id = r\n[router]\n',
        {},
        [{"section": "Global"}, {"section": "Router"}, {"section": "router"}],
    ),
    Good("[LoadBalancer]\nenabled =\n", {}, [{"section": "LoadBalancer", "key": "enabled"}], "ccm@release-1.23"),
    Good(
        "[LoadBalancer]\nmonitor-max-retries-down = x\n",
        {},
        [{"section": "LoadBalancer", "key": "monitor-max-retries-down"}],
        "ccm@v1.27.2",
    ),
    Good("[BlockStorage]\nbs-version = v2\n", {"BlockStorage": {"bs-version": "v2"}}, reader="ccm@v1.23.0"),
    Good("[BlockStorage]\nignore-volume-az = x\n", {}, [{"section": "BlockStorage"}], "ccm@v1.24.0"),
    Good("[LoadBalancer]\nmonitor-delay = 3\n", {}, [{"section": "LoadBalancer"}], "cinder-csi-plugin@1.21"),
    Good(
        '[Global]\nregion = a\n[Global "b"]\nregion = b\n',
        {'Global ""': {"region": "a"}, 'Global "b"': {"region": "b"}},
        reader="cinder-csi-plugin@1.31",
    ),
    Good(
        "[BlockStorage]\nnode-volume-attach-limit = -0x10\n",
        {"BlockStorage": {"node-volume-attach-limit": -16}},
        reader="cinder-csi-plugin",
    ),
    Good("[KeyManager]\nkey-id = k\n", {"KeyManager": {"key-id": "k"}}, reader="barbican-kms-plugin@1.36"),
    Good("[Global]\nca-file = /x\n", {"Global": {"ca-file": "/x"}}, reader="legacy-in-tree@1.25"),
]

LB = 'at section "LoadBalancer", variable'
BAD = [
    Bad("\ufeff[Global]\n", "1:1: illegal character U+FEFF"),
    Bad("[Global]\nauth_url = x\n", "2:5: illegal character U+005F '_'"),
    Bad("auth-url = x\n", "1:1: expected section header"),
    Bad("[Load Balancer]\n", "1:7: expected subsection name or right bracket"),
    Bad("[Global]\npassword = a\\b\n", "2:12: unquoted '\\' must be followed by new line or double quote"),
    Bad('[Nobody]\nx = "\n', "2:5: string not terminated"),
    Bad("[LoadBalancer]\nmonitor-delay = 3\n", f'time: missing unit in duration "3" {LB} "monitor-delay"'),
    Bad(
        "[loadbalancer]\nMonitor-Delay = 5S\n",
        'time: unknown unit "S" in duration "5S" at section "loadbalancer", variable "Monitor-Delay"',
    ),
    Bad("[LoadBalancer]\nmonitor-timeout =\n", f'time: invalid duration "" {LB} "monitor-timeout"'),
    Bad("[LoadBalancer]\nmonitor-timeout\n", f'blank value not supported for type {LB} "monitor-timeout"'),
    Bad("[LoadBalancer]\ncreate-monitor = 'True'\n", f"failed to parse bool `'true'` {LB} \"create-monitor\""),
    Bad("[LoadBalancer]\ncreate-monitor =\n", f'failed to parse bool `` {LB} "create-monitor"'),
    Bad(
        "[LoadBalancer]\nmonitor-max-retries = -1\n",
        f'failed to parse "-1" as uint: expected integer {LB} "monitor-max-retries"',
    ),
    Bad(
        "[LoadBalancer]\nmax-shared-lb = 1.5\n",
        f'failed to parse "1.5" as int: extra characters ".5" {LB} "max-shared-lb"',
    ),
    Bad("[LoadBalancer]\nlbclasses\n", f'blank value not supported for type {LB} "lbclasses"'),
    Bad(
        "[LoadBalancer]\nlbclasses = x\n",
        f'failed to parse "x" as map[string]*openstack.LBClass: can\'t scan type: *map[string]*openstack.LBClass {LB} "lbclasses"',
    ),
    Bad(
        "[Global]\nos-endpoint-type = a b\n",
        'failed to parse "a b" as gophercloud.Availability: extra characters "b" at section "Global", '
        'variable "os-endpoint-type"',
    ),
    Bad(
        '[LoadBalancerClass "x"]\nsubnet-id\n',
        'blank value not supported for type at section "LoadBalancerClass", subsection "x", variable "subnet-id"',
    ),
    Bad("[LoadBalancer]\nmonitor-delay = 3\n", 'time: missing unit in duration "3"', "legacy-in-tree@1.20"),
    Bad(
        '[Global]\npassword = a\\"b\n',
        "2:12: unquoted '\\' must be followed by new line",
        "legacy-in-tree@release-1.20",
    ),
    Bad(
        "[BlockStorage]\nnode-volume-attach-limit = x\n",
        'failed to parse "x" as int64: expected integer at section "BlockStorage", variable "node-volume-attach-limit"',
        "cinder-csi-plugin@master",
    ),
    Bad(
        "[LoadBalancer]\nmonitor-delay = 3\n",
        f'time: missing unit in duration "3" {LB} "monitor-delay"',
        "cinder-csi-plugin@1.20",
    ),
]


@pytest.mark.parametrize("case", GOOD, ids=[f"{case.reader} {case.text!r}"[:60] for case in GOOD])
def test_read(case: Good) -> None:
    result = read_config(case.text.encode(), case.reader)
    assert tuple(result) == ("ok", None, case.values, case.ignored)


@pytest.mark.parametrize("case", BAD, ids=[f"{case.reader} {case.text!r}"[:60] for case in BAD])
def test_fatal(case: Bad) -> None:
    result = read_config(case.text.encode(), case.reader)
    assert tuple(result) == ("fatal", case.error, {}, [])


def test_bytes_that_are_no_text() -> None:
    result = read_config(b"[Global]\nregion = \xff\xfe\n")
    assert result.error == "2:10: illegal UTF-8 encoding (and 1 more errors)"
    assert read_config(b"\xff\xfe[\0G\0", "ccm").error == "1:1: illegal UTF-8 encoding (and 2 more errors)"
