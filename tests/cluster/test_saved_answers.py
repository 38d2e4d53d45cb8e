"""Saved answers of OpenStack: each form gives the same objects, and lint says what is wrong by them, and nothing else."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from cluster_runs import Done, run
from preflight_cloud import CONF, ELSEWHERE, INNER, OTHER, OUTER, PRIVATE, PUBLIC, ROUTER, SERVER, SERVICE

from ccmcheck.carriers.prefilter import may_hold_answers, worth_parsing
from ccmcheck.carriers.saved_answers import read
from ccmcheck.cluster.octavia.requests import RULES
from ccmcheck.cluster.preflight.cloud import SavedCloud

if TYPE_CHECKING:
    from pathlib import Path

GROUP = "0f6b7c8d-1a2b-4c3d-9e4f-5a6b7c8d9e0f"
PORT = "6a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
CANARY = "s3cret-of-the-dump-91c2"
PODS = "10.244.0.0/24"

FORMS: list[tuple[str, str, str, bool, dict[str, Any]]] = [
    ("a.json", json.dumps({"subnets": [{"id": INNER, "allocation_pools": [], "cidr": "10.0.0.0/24"}]}), "subnets", False, {"cidr": "10.0.0.0/24"}),
    ("a.json", json.dumps({"subnet": {"id": INNER, "allocation_pools": [], "cidr": "10.0.0.0/24"}}), "subnets", False, {"cidr": "10.0.0.0/24"}),
    ("a.json", json.dumps([{"ID": INNER, "Name": "n", "Network": PRIVATE, "Subnet": "10.0.0.0/24"}]), "subnets", False,
     {"cidr": "10.0.0.0/24", "network_id": PRIVATE}),
    ("a.json", json.dumps([{"ID": PUBLIC, "Name": "ext", "Subnets": [OUTER]}]), "networks", False, {"subnets": [OUTER]}),
    ("a.json", json.dumps({"id": PUBLIC, "name": "ext", "router:external": True, "subnets": [OUTER]}), "networks", False,
     {"router:external": True}),
    ("a.json", json.dumps({"id": ROUTER, "routes": [{"destination": PODS, "nexthop": "10.0.0.10"}]}), "routers", False,
     {"routes": [{"destination": PODS, "nexthop": "10.0.0.10"}]}),
    ("a.json", json.dumps([{"ID": GROUP, "IP Protocol": "tcp", "IP Range": "10.0.0.0/24", "Port Range": "1:2"}]),
     "security_group_rules", False,
     {"protocol": "tcp", "remote_ip_prefix": "10.0.0.0/24", "port_range_min": "1", "port_range_max": "2"}),
    ("a.json", json.dumps([{"name": "ovn", "description": "Octavia OVN driver."}]), "providers", True, {"name": "ovn"}),
    ("a.txt", f"$ openstack subnet list\n+---+---+\n| ID | Subnet |\n+---+---+\n| {INNER} | 10.0.0.0/24 |\n+---+---+\n",
     "subnets", True, {"id": INNER, "cidr": "10.0.0.0/24"}),
    ("a.txt", f"$ openstack subnet list --network ext\n| {INNER} | v4 | 10.0.0.0/24 |\n", "subnets", False,
     {"id": INNER, "network_id": "ext", "cidr": "10.0.0.0/24"}),
    ("a.txt", f"$ openstack router show {ROUTER} -c routes\n| routes | destination='{PODS}', gateway='10.0.0.10' |\n",
     "routers", False, {"id": ROUTER, "routes": [{"destination": PODS, "nexthop": "10.0.0.10"}]}),
    ("a.txt", f"""+---+---+
| Field | Value |
+---+---+
| id | {ROUTER} |
| routes | destination='{PODS}', gateway='10.0.0.10' |
|  | destination='10.244.1.0/24', |
|  | gateway='10.0.0.11' |
+---+---+
""", "routers", False, {"id": ROUTER, "routes": [
        {"destination": PODS, "nexthop": "10.0.0.10"}, {"destination": "10.244.1.0/24", "nexthop": "10.0.0.11"}]}),
    ("openstack-loadbalancer-provider-list.txt", "| ovn | Octavia OVN driver. |\n", "providers", False, {"name": "ovn"}),
    ("openstack-security-group-rule-list-w.txt", "| ingress | tcp | 22:22 | remote ip: 10.0.0.0/8 |\n",
     "security_group_rules", False, {"direction": "ingress", "remote_ip_prefix": "10.0.0.0/8"}),
    ("openstack-network-list-external.txt", f"+---+---+\n| ID | Name |\n+---+---+\n| {PUBLIC} | e |\n+---+---+\n", "networks",
     False, {"id": PUBLIC, "router:external": True}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "kind", "is_whole", "fields"), FORMS, ids=range(len(FORMS)))
def test_forms(path: str, text: str, kind: str, is_whole: bool, fields: dict[str, Any]) -> None:
    assert may_hold_answers(text.encode(), path)
    assert worth_parsing(text.encode(), path)
    (saved,) = read(path, text)
    assert (saved.kind, saved.is_whole) == (kind, is_whole)
    assert {key: saved.items[0].get(key) for key in fields} == fields


OTHERS = (
    '{"apiVersion": "v1", "kind": "Service", "fixed_ips": 1}', '{"name": "x", "dependencies": {"id": "1"}}',
    "---\nkind: Node\n", "- name: nexthop\n  value: 1\n", "| a | b |\n|---|---|\n", "[Global]\nauth-url = x\n", "",
)  # fmt: skip


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_answer_is_not_one(text: str) -> None:
    assert not may_hold_answers(text.encode(), "a.yaml")


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{" + '"a":{' * 50_000, "| a\n" * 1000, "[1, 2", '{"routes": 5}', "- {"]
)
def test_hostile_texts_give_nothing_and_do_not_stop(text: str) -> None:
    assert not [item for saved in read("openstack-subnet-list.txt", text) for item in saved.items if item.get("cidr")]


def lint(
    folder: Path, files: dict[str, object], conf: str = CONF, service: str = SERVICE, *more: str
) -> dict[str, str]:
    """What lint says by saved answers beside a deployment, by what it is about."""
    for name, what in {"cloud.conf": conf.replace("PORT", "1"), "service.yaml": service, **files}.items():
        (folder / name).write_text(what if isinstance(what, str) else json.dumps(what))
    done: Done = run(folder, "--release", "1.31", "--format", "json", *more, ".", command="lint")
    assert CANARY not in done.said
    assert json.loads(done.out)["failures"] == []
    checks = json.loads(done.out).get("summary", {}).get("checks", [])
    said: dict[str, str] = {}
    for check in checks:
        said[check["name"]] = f"{said.get(check['name'], '')}{check['text']} {check['hint']}\n"
    return said


RIGHT: dict[str, object] = {
    "networks.json": [{"ID": PUBLIC, "Name": "public", "Subnets": [OUTER]}, {"ID": PRIVATE, "Name": "n", "Subnets": [INNER]}],
    "subnets.json": [
        {"ID": OUTER, "Name": "o", "Network": PUBLIC, "Subnet": "192.0.2.0/24"},
        {"ID": INNER, "Name": "i", "Network": PRIVATE, "Subnet": "10.0.0.0/24"},
    ],
    "providers.json": [{"name": "amphora", "description": "The Octavia Amphora driver."}],
    "router.json": {"id": ROUTER, "routes": [{"destination": PODS, "nexthop": "10.0.0.10"}]},
    "port.json": {
        "id": PORT, "device_id": SERVER, "fixed_ips": [{"subnet_id": INNER, "ip_address": "10.0.0.10"}],
        "port_security_enabled": True, "allowed_address_pairs": [{"ip_address": PODS}], "security_group_ids": [GROUP],
        "binding:profile": CANARY, "name": CANARY,
    },
    "rules.json": {"security_group_rules": [
        {"id": GROUP, "security_group_id": GROUP, "direction": "ingress", "remote_ip_prefix": "10.0.0.0/8", "protocol": None}
    ]},
    "server.json": {"server": {"id": SERVER, "adminPass": CANARY, "user_data": CANARY, "addresses": {}}},
}  # fmt: skip
NODES = SERVICE.replace("spec: {providerID", f"spec: {{podCIDR: {PODS}, providerID") + (
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus:\n"
    '  addresses: [{type: InternalIP, address: 10.0.0.11}]\n  conditions: [{type: Ready, status: "True"}]\n'
)


def _changed(name: str, **fields: object) -> dict[str, object]:
    old = RIGHT[name]
    assert isinstance(old, dict)
    return {name: old | fields}


def _rule(**fields: object) -> dict[str, object]:
    rule = {"id": GROUP, "security_group_id": GROUP, "direction": "ingress", **fields}
    return {"rules.json": {"security_group_rules": [rule]}}


WRONG: list[tuple[dict[str, object], str, str]] = [
    ({"providers.json": [{"name": "ovn", "description": "Octavia OVN driver."}]}, "[LoadBalancer] lb-provider",
     "Octavia has no provider `amphora`"),
    (_changed("port.json", allowed_address_pairs=[]), "Node n0", f"--allowed-address ip-address={PODS} {PORT}"),
    (_rule(remote_ip_prefix="10.0.0.0/24"), "security group of the Nodes", f"no rule admits the pods' addresses ({PODS}):"),
    (_rule(remote_group_id=GROUP), "security group of the Nodes", "but by a remote group"),
    (_rule(remote_ip_prefix="10.0.0.0/8", protocol="tcp", port_range_min=22, port_range_max=22),
     "security group of the Nodes", "no rule admits"),
    ({"s.txt": f"$ openstack subnet list\n+--+\n| ID | Subnet |\n+--+\n| {ELSEWHERE} | 10.9.0.0/24 |\n+--+\n", "subnets.json": "[]"},
     "[LoadBalancer] subnet-id", f"there is no subnet `{INNER}` in"),
    ({"subnets.json": [{"ID": INNER, "Name": "i", "Network": OTHER, "Subnet": "10.0.0.0/24"}]}, "[LoadBalancer] subnet-id",
     f"is in network `{OTHER}`"),
    ({"subnets.json": [{"ID": INNER, "Name": "i", "Network": PRIVATE, "Subnet": "10.7.0.0/24"}]},
     "[LoadBalancer] subnet-id", "have an InternalIP outside of 10.7.0.0/24"),
    ({"servers.json": [{"ID": PORT, "Name": "worker-1", "Networks": {"n": ["10.0.0.11"]}}]}, "Node n1",
     "finds none, unless there is one in the project that is not listed"),
    ({"servers.txt": f"$ openstack server list -f json\n{json.dumps([{'ID': PORT, 'Name': 'worker-1', 'Networks': {'n': ['10.0.0.11']}}])}"},
     "Node n1", "finds none Start"),
]  # fmt: skip


def test_what_is_right_is_silent(tmp_path: Path) -> None:
    assert lint(tmp_path, RIGHT, service=NODES) == {}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_not_among_the_files_is_unknown(name: str, tmp_path: Path) -> None:
    said = lint(tmp_path, {key: value for key, value in RIGHT.items() if key != name}, service=NODES)
    assert said == {}


@pytest.mark.parametrize(("files", "about", "says"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong(files: dict[str, object], about: str, says: str, tmp_path: Path) -> None:
    said = lint(tmp_path, RIGHT | files, service=NODES)
    assert says in next(iter([text for name, text in said.items() if name.endswith(about)]), ""), said


def predicted(
    folder: Path, files: dict[str, object], conf: str = CONF, service: str = NODES, release: str = "1.31"
) -> tuple[str, int]:
    """What predict says beside saved answers, and its exit code."""
    for name, what in {"cloud.conf": conf.replace("PORT", "1"), "service.yaml": service, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(what if isinstance(what, str) else json.dumps(what))
    done: Done = run(folder, "--release", release, ".", command="predict")
    assert CANARY not in done.said
    return done.out, done.code


def test_predict_judges_by_what_lint_judges_by(tmp_path: Path) -> None:
    said, _ = predicted(tmp_path, RIGHT)
    assert "✓ Octavia" in said
    assert "✗ [" not in said
    said, code = predicted(tmp_path, {"providers.json": [{"name": "ovn", "description": "Octavia OVN driver."}]})
    assert "✓ Octavia" not in said
    assert "✗ [LoadBalancer] lb-provider: Octavia has no provider `amphora`" in said
    assert code == 1


def _catalog(*types: str) -> dict[str, object]:
    listed = [{"Name": CANARY, "Type": one, "Endpoints": [{"url": f"https://k/{CANARY}"}]} for one in types]
    return {"openstack_catalog_list.json": listed}


def test_a_catalogue_without_octavia(tmp_path: Path) -> None:
    said, code = predicted(tmp_path, _catalog("identity", "network", "compute"))
    assert "the catalogue has no service of type load-balancer" in said
    assert "✓ Octavia" not in said
    assert code == 1
    found = lint(tmp_path, {}, service=NODES)
    assert "MetalLB" in found["service catalogue"]


@pytest.mark.parametrize(
    "types", [("identity", "network", "load-balancer"), ("compute",), ("identity", "network", "octavia")]
)
def test_a_catalogue_that_does_not_show_that_there_is_none(types: tuple[str, ...], tmp_path: Path) -> None:
    said, _ = predicted(tmp_path, _catalog(*types))
    assert "✓ Octavia" in said
    assert "catalogue" not in said
    assert not lint(tmp_path, {}, service=NODES)


_TYPES = ("identity", "network", "load-balancer")


@pytest.mark.parametrize(
    ("release", "urls", "is_found"),
    [
        ("v1.17.0", ["https://k/v2.0"], False),
        ("v1.17.0", ["https://k/load-balancer/v2.0/"], False),
        ("v1.17.0", ["https://k/"], True),
        ("v1.17.0", ["https://k/v2.0", "https://k"], True),
        ("v1.18.0", ["https://k/v2.0"], True),
        ("1.31", ["https://k/v2.0"], True),
    ],
)
@pytest.mark.parametrize("is_table", [False, True])
def test_the_version_in_octavias_endpoint(
    release: str, urls: list[str], is_found: bool, is_table: bool, tmp_path: Path
) -> None:
    points: object = [{"url": url, "interface": "public"} for url in urls]
    if is_table:
        points = "RegionOne\n  public: " + "\nRegionOne\n  internal: ".join(urls) + "\n"
    listed = [{"Name": CANARY, "Type": one, "Endpoints": points if "load" in one else []} for one in _TYPES]
    conf = CONF.replace(
        "[LoadBalancer]",
        "[LoadBalancer]\nuse-octavia = true\nmonitor-delay = 5s\nmonitor-timeout = 3s\nmonitor-max-retries = 1",
    )
    assert conf != CONF
    said, code = predicted(tmp_path, {**RIGHT, "openstack_catalog_list.json": listed}, conf, release=release)
    assert ("✓ Octavia" in said) is is_found
    assert ("`/v2.0/v2.0/`" in said) is not is_found
    assert ("Upgrade to v1.18.0 or newer" in " ".join(said.split())) is not is_found
    assert is_found or code == 1


PROVIDER_ROWS = "| name | description |\n+---+---+\n| ovn | Octavia OVN driver. |\n"


@pytest.mark.parametrize(
    "text",
    [
        f"$ openstack loadbalancer provider list\n+---+---+\n{PROVIDER_ROWS}...\n+---+---+\n",
        f"$ openstack loadbalancer provider list\n+---+---+\n{PROVIDER_ROWS}",
        f"$ openstack --os-cloud other loadbalancer provider list\n+---+---+\n{PROVIDER_ROWS}+---+---+\n",
        f"$ openstack loadbalancer provider list | grep ovn\n+---+---+\n{PROVIDER_ROWS}+---+---+\n",
        "$ openstack loadbalancer provider list -c description\n+---+\n| description |\n+---+\n| Octavia OVN driver. |\n+---+\n",
        "$ openstack loadbalancer provider list -f value -c name\namphora\novn\n",
    ],
)
def test_providers_that_may_not_be_all_of_this_cloud(text: str, tmp_path: Path) -> None:
    assert not lint(tmp_path, {"openstack_loadbalancer_provider_list.txt": text}, service=NODES)


CATALOG_ROWS = "| Name | Type | Endpoints |\n+---+---+---+\n| a | identity | r |\n|   |   | public: https://k/v3 |\n| b | network | r |\n"


@pytest.mark.parametrize(
    ("command", "rows", "is_judged"),
    [
        ("catalog list", CATALOG_ROWS, True),
        ("catalog list", CATALOG_ROWS.replace("://k", "://other.example"), False),
        ("catalog list", f"{CATALOG_ROWS}...\n", False),
        ("catalog list | head", CATALOG_ROWS, False),
    ],
)
def test_a_catalogue_is_judged_where_it_is_the_whole_one_of_this_cloud(
    command: str, rows: str, tmp_path: Path, *, is_judged: bool
) -> None:
    text = f"$ openstack {command}\n+---+---+---+\n{rows}+---+---+---+\n"
    assert bool(lint(tmp_path, {"c.txt": text}, service=NODES)) is is_judged


def _members(*states: str, port: int = 30443) -> dict[str, object]:
    """Saved members with operating states, in a subnet with a twin."""
    listed = [
        {"id": f"{number}a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d", "name": CANARY, "address": f"10.0.0.1{number}",
         "protocol_port": port, "operating_status": state, "subnet_id": OTHER, "weight": 1}
        for number, state in enumerate(states)
    ]  # fmt: skip
    twins = [{"ID": one, "Name": "i", "Network": PRIVATE, "Subnet": "10.0.0.0/24"} for one in (INNER, OTHER)]
    return {"members.json": listed, "subnets.json": twins}


def test_members_in_error(tmp_path: Path) -> None:
    said, code = predicted(tmp_path, _members("ERROR", "ERROR"))
    assert "all 2 members that the file shows are in ERROR" in " ".join(said.split())
    assert f"{INNER} has the same range" in " ".join(said.split())
    assert code == 1


@pytest.mark.parametrize("files", [_members("ERROR", "ONLINE"), _members("NO_MONITOR"), _members("ERROR", port=6443)])
def test_members_that_prove_nothing(files: dict[str, object], tmp_path: Path) -> None:
    assert "in ERROR" not in predicted(tmp_path, files)[0]


def test_an_id_of_another_kind_is_proven_by_a_part_of_a_list(tmp_path: Path) -> None:
    listed = [{"ID": ELSEWHERE, "Name": "i", "Network": INNER, "Subnet": "10.0.0.0/24"}]
    said = lint(tmp_path, {"s.json": listed})
    assert f"It is the ID of a network, not of a subnet; write {ELSEWHERE}" in said["[LoadBalancer] subnet-id"]
    (tmp_path / "cloud.conf").write_text(f"[Global]\nauth-url = https://k/v3\n[LoadBalancer]\nsubnet-id = {INNER}\n")
    in_tree = run(tmp_path, "--release", "1.16", "--consumer", "legacy-in-tree", ".", command="lint").out
    assert f"write {ELSEWHERE}" in " ".join(in_tree.split())


@pytest.mark.parametrize(("second", "is_judged"), [(CONF, True), (CONF.replace("://", "://other."), False)])
def test_of_several_as_near_all_have_to_be_in_one_cloud(second: str, is_judged: bool, tmp_path: Path) -> None:
    for name, conf in (("a", CONF), ("b", second)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cloud.conf").write_text(conf.replace("PORT", "1"))
        (tmp_path / name / "service.yaml").write_text(NODES)
    (tmp_path / "providers.json").write_text(json.dumps([{"name": "ovn", "description": "Octavia OVN driver."}]))
    said = run(tmp_path, "--release", "1.31", ".", command="predict").out
    assert ("no provider `amphora`" in said) is is_judged


def test_a_server_of_the_nodes_name_is_the_one_whatever_else_has_its_address(tmp_path: Path) -> None:
    listed = [{"ID": PORT, "Name": name, "Networks": {"n": ["10.0.0.11"]}} for name in ("other", "n1")]
    assert lint(tmp_path, RIGHT | {"servers.json": listed}, service=NODES) == {}


def test_external_networks(tmp_path: Path) -> None:
    listed = [{"ID": one, "Name": "x", "Subnets": [OUTER]} for one in (PUBLIC, OTHER)]
    conf = CONF.replace(f"floating-network-id = {PUBLIC}\n", "").replace(f"floating-subnet-id = {OUTER}\n", "")
    said = lint(tmp_path, {"openstack-network-list-external.json": listed}, conf)
    assert "there are 2 external networks" in said["[LoadBalancer] floating-network-id"]
    assert not lint(tmp_path, {"openstack-network-list-external.json": listed[:1]}, conf)


def test_several_subnets_of_the_floating_network_are_said_where_none_is_chosen(tmp_path: Path) -> None:
    listed = [
        {"ID": one, "Name": "x", "Network": PUBLIC, "Subnet": cidr}
        for one, cidr in ((OUTER, "192.0.2.0/24"), (ELSEWHERE, "198.51.100.0/24"))
    ]
    conf = CONF.replace(f"floating-subnet-id = {OUTER}\n", "")
    assert "any of 2 subnets" in lint(tmp_path, {"subnets.json": listed}, conf)["[LoadBalancer] floating-subnet-id"]
    assert not lint(tmp_path, {"subnets.json": listed})


def test_values_of_any_type_in_any_field_stop_nothing(tmp_path: Path) -> None:
    odd: list[object] = [
        None,
        0,
        -1.5,
        True,
        "",
        "x" * 999,
        [],
        [[]],
        [None],
        {},
        {"a": []},
        [{"ip_address": []}],
        [{}],
        10**400,
    ]
    names = ("id", "name", "routes", "fixed_ips", "allowed_address_pairs", "security_groups", "subnets", "cidr", "network_id",
             "router:external", "port_range_min", "protocol", "remote_ip_prefix", "remote_group_id", "direction", "addresses",
             "external_gateway_info", "enabled", "device_owner", "security_group_id", "ethertype", "port_security_enabled")  # fmt: skip
    kinds = ("networks", "subnets", "routers", "ports", "security_group_rules", "servers", "providers", "loadbalancers")
    sound: dict[str, object] = {
        "id": ROUTER, "fixed_ips": [{"ip_address": "10.0.0.10"}], "routes": [{"destination": PODS, "nexthop": "10.0.0.10"}]
    }  # fmt: skip
    rows = [
        sound | {name: value, **changed}
        for value in odd
        for name in names
        for changed in ({}, {"id": PUBLIC}, {"id": INNER})
    ]
    cloud = SavedCloud(saved for kind in kinds for saved in read("a.json", json.dumps({kind: [*rows, sound]})))
    assert cloud.list(RULES).documents
    lint(tmp_path, {f"{kind}.json": {kind: [{"allocation_pools": 0}, *rows, sound]} for kind in kinds}, service=NODES)
    assert lint(tmp_path, {"port.json": {"ports": rows}}, service=NODES) is not None


def test_answers_near_another_cloud_conf_say_nothing(tmp_path: Path) -> None:
    for name, wrong in (("a", True), ("b", False)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cloud.conf").write_text(CONF.replace("amphora", "ovn" if wrong else "amphora"))
    only_ovn = [{"name": "ovn", "description": "Octavia OVN driver."}]
    (tmp_path / "a" / "providers.json").write_text(json.dumps(only_ovn))
    assert not lint(tmp_path / "a", {}, CONF.replace("lb-provider = amphora", "lb-provider = ovn"))
    done = run(tmp_path, "--release", "1.31", ".", command="lint")
    assert "no provider" not in done.out
    (tmp_path / "providers.json").write_text(json.dumps(only_ovn))
    assert "no provider" not in run(tmp_path, "--release", "1.31", ".", command="lint").out


@pytest.mark.parametrize(("more", "passed"), [("", None), ("manage-security-groups = true\n", False)])
def test_nodes_behind_a_router_of_the_subnet_are_no_error(more: str, passed: bool | None, tmp_path: Path) -> None:
    """An amphora reaches them by the gateway; the managed groups are put on no port that is not in the subnet."""
    other = [{"ID": INNER, "Name": "i", "Network": PRIVATE, "Subnet": "10.7.0.0/24"}]
    for name, what in {
        "cloud.conf": CONF.replace("PORT", "1").replace("create-monitor", f"{more}create-monitor"),
        "service.yaml": NODES,
    }.items():
        (tmp_path / name).write_text(what)
    (tmp_path / "subnets.json").write_text(json.dumps(other))
    done = run(tmp_path, "--release", "1.31", "--format", "json", ".", command="lint")
    (check,) = [one for one in json.loads(done.out)["summary"]["checks"] if "InternalIP outside" in one["text"]]
    assert check["passed"] is passed


FRAME = "+---+---+\n"
LISTED = f"{FRAME}| ID | Subnet |\n{FRAME}| {ELSEWHERE} | 10.9.0.0/24 |\n"


@pytest.mark.parametrize(
    "text",
    [
        f"$ openstack --os-cloud other subnet list --network public\n{LISTED}{FRAME}",
        f"$ openstack subnet list\n{LISTED}| ... | ... |\n{FRAME}",
        f"$ openstack subnet list\n{LISTED}...\n{FRAME}",
        f"$ openstack subnet list\n{LISTED}",
        f"$ openstack subnet list\n| {ELSEWHERE} | 10.9.0.0/24 |\n",
    ],
)
def test_a_list_of_which_something_may_be_left_out_is_not_whole(text: str, tmp_path: Path) -> None:
    assert [one.is_whole for one in read("a.txt", text)] == [False]
    assert not lint(tmp_path, {"s.txt": text})


def test_one_member_of_several_nodes_proves_nothing(tmp_path: Path) -> None:
    assert not lint(tmp_path, _members("ERROR") | {"subnets.json": []}, service=NODES + NODES.replace("n1", "n2"))


def test_a_long_word_is_read_in_one_pass() -> None:
    began = time.process_time()
    assert not [
        one.items for one in read("a.txt", f"$ openstack router show x\n| routes | {'a' * 200_000} |\n") if not one.kind
    ]
    assert time.process_time() - began < 5


BALANCER, AMPHORA, VOLUME = (f"5e7a3c1d-7e6d-4c5b-9a8f-1e2d3c4b5a6{digit}" for digit in "012")
OURS: dict[str, object] = {"id": BALANCER, "name": "kube_service_kubernetes_shop_web", "vip_address": "10.0.0.5",
    "provisioning_status": "ACTIVE", "operating_status": "ONLINE", "admin_state_up": True}  # fmt: skip
SERVER_IS: dict[str, object] = {"id": SERVER, "name": "n0", "addresses": {}, "status": "ACTIVE"}
DISK: dict[str, object] = {"ID": VOLUME, "Name": "pvc-5e7a", "Status": "in-use", "Size": 1, "Attached to": []}
STATES: list[tuple[dict[str, object], str, str]] = [
    ({"lb.json": OURS | {"provisioning_status": "ERROR"}}, "shop/web", f"failover {BALANCER}"),
    ({"lb.json": [OURS | {"provisioning_status": "PENDING_UPDATE"}]}, "shop/web", "Octavia refuses changes of it (409)"),
    ({"lb.json": OURS | {"provisioning_status": "PENDING_DELETE"}}, "shop/web", "was being deleted"),
    ({"lb.json": OURS | {"admin_state_up": False, "operating_status": "OFFLINE"}}, "shop/web", f"set --enable {BALANCER}"),
    ({"lb.json": OURS | {"operating_status": "OFFLINE", "provider": "amphora"}}, "shop/web", "UDP port 5555"),
    ({"lb.json": OURS | {"operating_status": "ERROR"}}, "shop/web", "no member that passes its health monitor"),
    ({"lb.json": OURS | {"operating_status": "DEGRADED"}}, "shop/web", "some members do not pass"),
    ({"l.json": [{"id": PORT, "default_pool_id": PORT, "name": "listener_0_kube_service_a_b_shop_web", "admin_state_up": False}]},
     "shop/web", "loadbalancer listener set --enable"),
    ({"p.json": [{"id": PORT, "lb_algorithm": "ROUND_ROBIN", "name": "pool_0_kube_service_kubernetes_shop_web",
                  "provisioning_status": "ERROR"}]}, "shop/web", "is in provisioning_status ERROR: Octavia could not"),
    ({"lb.json": OURS, "a.json": [{"id": AMPHORA, "loadbalancer_id": BALANCER, "status": "ERROR", "lb_network_ip": "1.2.3.4"}]},
     "shop/web", f"amphora failover {AMPHORA}"),
    ({"server.json": SERVER_IS | {"status": "SHUTOFF"}}, "Node n0", "node.cloudprovider.kubernetes.io/shutdown"),
    ({"servers.json": [{"ID": SERVER, "Name": "n0", "Networks": {}, "Status": "ERROR"}]}, "Node n0", "it may run or not"),
    ({"v.json": [DISK | {"Status": "error_attaching"}]}, "volume", "Cinder does not attach it"),
    ({"v.json": [DISK | {"Status": "reserved"}]}, "volume", "Cinder refuses to attach it meanwhile"),
    ({"subnet.json": {"id": INNER, "cidr": "10.0.0.0/24", "gateway_ip": None}}, "[LoadBalancer] subnet-id", "have no default route"),
    ({"q.json": {"load_balancer": 0, "listener": -1}}, "quota", "allows no load balancer"),
    ({"q.json": [{"Resource": "floating-ips", "In Use": 5, "Reserved": 0, "Limit": 5}]}, "quota", "used up: 5 of 5"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "about", "says"), STATES, ids=range(len(STATES)))
def test_what_a_state_means(files: dict[str, object], about: str, says: str, tmp_path: Path) -> None:
    said = lint(tmp_path, files, service=NODES)
    assert says in said.get(about, ""), said
    assert len(said) == 1


@pytest.mark.parametrize(
    "files",
    [
        {"lb.json": OURS},
        {"lb.json": OURS | {"operating_status": "OFFLINE", "provider": "ovn"}},
        {"v.json": [DISK | {"Status": "downloading"}]},
        {"lb.json": OURS | {"name": "kube_service_kubernetes_other_web", "provisioning_status": "ERROR"}},
        {"lb.json": OURS | {"name": "kube_service_kubernetes_shop_webs", "provisioning_status": "ERROR"}},
        {"lb.json": OURS | {"name": "api-server", "provisioning_status": "ERROR", "admin_state_up": False}},
        {"a.json": [{"id": AMPHORA, "loadbalancer_id": BALANCER, "status": "ERROR", "lb_network_ip": "1.2.3.4"}]},
        {"server.json": SERVER_IS},
        {"server.json": SERVER_IS | {"id": PORT, "name": "bastion", "status": "SHUTOFF"}},
        {"v.json": [DISK]},
        {"v.json": [DISK | {"Name": CANARY, "Status": "error"}]},
        {"q.json": {"load_balancer": -1, "listener": -1}},
        {"q.json": [{"Resource": "ports", "In Use": 5, "Reserved": 0, "Limit": 50}]},
        {"q.json": [{"Resource": "ports", "In Use": -1, "Reserved": 0, "Limit": -1}]},
        {"subnet.json": {"id": ELSEWHERE, "cidr": "10.9.0.0/24", "gateway_ip": None}},
        {"lb.json": [OURS, OURS | {"id": PORT, "name": "kube_service_dev_shop_web", "provisioning_status": "ERROR"}]},
    ],
    ids=range(16),
)
def test_states_that_are_right_or_of_others_are_not_said(files: dict[str, object], tmp_path: Path) -> None:
    assert lint(tmp_path, files, service=NODES) == {}


NETWORKING = f"{CONF}[Networking]\ninternal-network-name = nodes\n"
UNKNOWN_NODE = "---\napiVersion: v1\nkind: Node\nmetadata: {name: n7}\n"
TWIN: dict[str, object] = {"ID": OTHER, "Name": "n7", "Networks": {"nodes": ["10.0.0.17"]}}
ASKING = SERVICE.replace("  type: LoadBalancer", "  type: LoadBalancer\n  loadBalancerIP: 192.0.2.7")
TAKEN = [{"ID": PORT, "Floating IP Address": "192.0.2.7", "Fixed IP Address": "10.0.0.17"}]


@pytest.mark.parametrize(
    ("files", "conf", "service", "about", "says"),
    [
        ({"s.json": [TWIN, TWIN | {"ID": PORT}]}, CONF, SERVICE + UNKNOWN_NODE, "Node n7", "2 servers of the project"),
        ({"s.json": [TWIN], "t.json": [TWIN]}, CONF, SERVICE + UNKNOWN_NODE, "Node n7", ""),
        ({"s.json": [TWIN | {"Networks": {"new": ["10.0.0.17"]}}]}, NETWORKING, SERVICE + UNKNOWN_NODE,
         "[Networking] internal-network-name", "is called so, but new: the CCM leaves out"),
        ({"s.json": [TWIN]}, NETWORKING, SERVICE + UNKNOWN_NODE, "[Networking] internal-network-name", ""),
        ({"s.json": [TWIN], "f.json": TAKEN}, CONF, ASKING, "shop/web", "leads to an address of server `n7`"),
        ({"s.json": [TWIN | {"Networks": {"nodes": ["10.0.0.18"]}}], "f.json": TAKEN}, CONF, ASKING, "shop/web", ""),
        ({"s.json": [TWIN], "f.json": TAKEN}, CONF, SERVICE, "shop/web", ""),
        (RIGHT | {"subnets.json": [{"ID": INNER, "Name": "i", "Network": PUBLIC, "Subnet": "10.0.0.0/24"}]}, CONF,
         SERVICE, "[LoadBalancer] router", "in the floating network itself"),
    ],
    ids=range(8),
)  # fmt: skip
def test_servers_names_and_addresses(
    files: dict[str, object], conf: str, service: str, about: str, says: str, tmp_path: Path
) -> None:
    said = lint(tmp_path, files, conf, service)
    assert says in said.get(about, "")
    assert bool(says) is (about in said), said


LOCAL = SERVICE.replace(
    "  type: LoadBalancer", "  type: LoadBalancer\n  externalTrafficPolicy: Local\n  healthCheckNodePort: 31234"
)


@pytest.mark.parametrize(
    ("monitor", "high", "is_said"), [("true", 30443, True), ("true", 32767, False), ("false", 30443, False)]
)
def test_the_health_check_node_port_has_to_be_let_in(monitor: str, high: int, is_said: bool, tmp_path: Path) -> None:
    rule = _rule(remote_ip_prefix="0.0.0.0/0", protocol="tcp", port_range_min=30000, port_range_max=high)
    conf = CONF.replace("create-monitor = true", f"create-monitor = {monitor}")
    said = lint(tmp_path, rule, conf, LOCAL)
    assert ("31234/tcp" in said.get("security group of the Nodes", "")) is is_said
