"""`cluster lint --octavia`: each difference is found, with what corrects it, and nothing where there is none."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import status
from api_server import BALANCER
from cluster_runs import run
from octavia_project import CONF, differences, kubernetes, lint_octavia, node, openstack

if TYPE_CHECKING:
    from pathlib import Path

NEXT_SYNC = "The next sync corrects it; a change of the nodes does not."
NODES = "The next sync corrects it, and the next change of the nodes."
NOTHING = "No sync corrects it"
SET_BACK = "No sync corrects it. When a node comes or goes, the CCM sends all members again"
RESYNC = "ccmcheck cluster resync shop/web"


@pytest.mark.parametrize("release", ["v1.26.0", "v1.28.3", "v1.31.2", "v1.36.0"])
def test_what_the_ccm_made_has_no_difference(tmp_path: Path, release: str) -> None:
    done = lint_octavia(tmp_path, kubernetes(release=release), openstack(), "--format", "json")
    assert not differences(done), done.said
    assert not done.report["failures"]


def test_the_first_line_names_both_sides(tmp_path: Path) -> None:
    done = lint_octavia(tmp_path, kubernetes(), openstack())
    first = done.out.splitlines()[0]
    assert first.startswith("Cluster: context test, ")
    assert "; OpenStack: cloud test, http://127.0.0.1:" in first
    assert first.endswith("project 8f7d1e0c1c0b4c0f9d7c3d7b3d2f6a11")


def test_a_cloud_is_not_named_in_vain(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "--os-cloud", "test")
    assert done.code == 2
    assert "--os-cloud needs --octavia." in done.err


CHANGES: dict[str, tuple[str, Any, str, str]] = {
    "monitor deleted": ("pools", {"healthmonitor_id": None}, "health monitor: none", NODES),
    "monitor delay": (
        "healthmonitors",
        {"delay": 60},
        "monitor's delay: 60 s in Octavia; the CCM would make 10 s",
        NODES,
    ),
    "monitor timeout": ("healthmonitors", {"timeout": 9}, "monitor's timeout: 9 s", NODES),
    "monitor successes": ("healthmonitors", {"max_retries": 9}, "monitor's successes: 9", NODES),
    "monitor failures": ("healthmonitors", {"max_retries_down": 9}, "monitor's failures: 9", NODES),
    "monitor type": ("healthmonitors", {"type": "PING"}, "monitor's type: PING", NODES),
    "monitor disabled": ("healthmonitors", {"admin_state_up": False}, "admin state: disabled", NOTHING),
    "pool protocol": ("pools", {"protocol": "PROXY"}, "pool's protocol: PROXY", NODES),
    "algorithm": ("pools", {"lb_algorithm": "SOURCE_IP"}, "algorithm: SOURCE_IP", NOTHING),
    "persistence": ("pools", {"session_persistence": {"type": "SOURCE_IP"}}, "session persistence: SOURCE_IP", NOTHING),
    "connection limit": ("listeners", {"connection_limit": 5}, "connection limit: 5", NEXT_SYNC),
    "timeout": ("listeners", {"timeout_client_data": 1}, "timeout: timeout_client_data 1 ms", NEXT_SYNC),
    "cidrs": ("listeners", {"allowed_cidrs": ["10.0.0.0/8"]}, "allowed CIDRs: 10.0.0.0/8", NEXT_SYNC),
    "header": ("listeners", {"insert_headers": {"X-Forwarded-For": "true"}}, "X-Forwarded-For: on", NEXT_SYNC),
    "tls": ("listeners", {"default_tls_container_ref": "https://b/x"}, "TLS reference: https://b/x", NEXT_SYNC),
    "listener's pool": ("listeners", {"default_pool_id": None}, "pool: none", NODES),
    "listener": ("listeners", {"protocol_port": 81}, "listener: none", NEXT_SYNC),
    "tag": ("loadbalancers", {"tags": []}, "tag of the Service: none", NEXT_SYNC),
    "provider": ("loadbalancers", {"provider": "ovn"}, "provider: ovn", NOTHING),
    "vip": ("loadbalancers", {"vip_subnet_id": "another"}, "VIP subnet: another", NOTHING),
    "disabled": ("loadbalancers", {"admin_state_up": False}, "admin state: disabled", NOTHING),
    "floating IP": ("floatingips", {"port_id": None}, "floating IP: none", NEXT_SYNC),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_difference_is_in_its_class(tmp_path: Path, name: str) -> None:
    kind, change, words, repair = CHANGES[name]
    cloud = openstack()
    cloud.stored[kind][0].update(change)
    found = differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))
    matching = {label: text for label, text in found.items() if words in label}
    assert len(matching) == 1, found
    text = next(iter(matching.values()))
    assert repair in text, found
    assert (RESYNC in text) == (repair != NOTHING)


MEMBERS: dict[str, tuple[int | None, dict[str, Any] | None, str, str]] = {
    "missing": (None, None, "members: 10.0.0.11:30080 missing", NODES),
    "besides": (None, {"address": "10.0.0.99"}, "10.0.0.99:30080 besides", NODES),
    "weight": (0, {"weight": 0}, "members' weight: 0", SET_BACK),
    "backup": (0, {"backup": True}, "members' backup flag: on", SET_BACK),
    "disabled": (0, {"admin_state_up": False}, "1 of 2 members disabled", SET_BACK),
    "monitor port": (0, {"monitor_port": 1}, "members' monitor port: 1", NODES),
    "subnet": (0, {"subnet_id": "another"}, "members' subnet: another", NOTHING),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_members_are_compared(tmp_path: Path, name: str) -> None:
    place, change, words, repair = MEMBERS[name]
    cloud = openstack()
    (members,) = cloud.members.values()
    if place is not None:
        members[place].update(change or {})
    elif change is None:
        members.pop()
    else:
        members.append({**members[0], **change, "id": "more"})
    found = differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))
    matching = [text for label, text in found.items() if words in label]
    assert len(matching) == 1, found
    assert repair in matching[0]


@pytest.mark.parametrize(
    ("release", "repair"),
    [("v1.26.0", NEXT_SYNC), ("v1.26.4", NODES), ("v1.27.0", NEXT_SYNC), ("v1.28.1", NODES), ("v1.36.0", NODES)],
)
def test_a_node_change_corrects_monitors_by_release(tmp_path: Path, release: str, repair: str) -> None:
    cloud = openstack()
    cloud.stored["pools"][0]["healthmonitor_id"] = None
    found = differences(lint_octavia(tmp_path, kubernetes(release=release), cloud, "--format", "json"))
    assert [repair in text for text in found.values()] == [True], found


def test_the_algorithm_is_corrected_since_1_32(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.stored["pools"][0]["lb_algorithm"] = "SOURCE_IP"
    found = differences(lint_octavia(tmp_path, kubernetes(release="v1.36.0"), cloud, "--format", "json"))
    assert [NODES in text for text in found.values()] == [True], found


def test_a_load_balancer_in_error_corrects_nothing(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.stored["loadbalancers"][0]["provisioning_status"] = "ERROR"
    cloud.stored["listeners"][0]["connection_limit"] = 5
    found = differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))
    assert any("provisioning status is ERROR" in label for label in found)
    text = next(text for label, text in found.items() if "connection limit" in label)
    assert "The next sync cannot correct this: load balancer" in text
    assert RESYNC not in text


def test_the_load_balancer_that_an_annotation_names_is_gone(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.stored["loadbalancers"].clear()
    found = differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))
    assert len(found) == 1
    assert f"load balancer: none with ID {BALANCER}" in next(iter(found))
    assert "Remove the annotation load-balancer-id" in next(iter(found.values()))


def test_a_load_balancer_of_another_project_is_not_judged(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.stored["loadbalancers"][0]["project_id"] = "another"
    done = lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json")
    assert not differences(done)
    assert done.code == 3
    assert "is not in project" in done.report["failures"][0]["message"]


def test_doubtful_nodes_may_or_may_not_be_members(tmp_path: Path) -> None:
    kube = kubernetes(node(0), node(1), node(2, ready="False"))
    assert not differences(lint_octavia(tmp_path, kube, openstack(2), "--format", "json"))
    assert not differences(lint_octavia(tmp_path, kube, openstack(3), "--format", "json"))


def test_local_services_ask_the_check_port(tmp_path: Path) -> None:
    kube = kubernetes(externalTrafficPolicy="Local", healthCheckNodePort=31000)
    found = differences(lint_octavia(tmp_path, kube, openstack(), "--format", "json"))
    assert any("monitor's type: TCP in Octavia; the CCM would make HTTP" in label for label in found)
    assert any("members' monitor port: the NodePort in Octavia; the CCM would make 31000" in label for label in found)


FOREIGN: dict[str, tuple[str | None, dict[str, Any], str]] = {
    "by ID": ("kube_service_dev_shop_web", {}, "belongs to cluster dev: the next sync renames it"),
    "tag": (None, {"tags": ["kube_service_prod_shop_web", "kube_service_dev_a_b"]}, "belongs to cluster dev, too"),
    "description": (None, {"description": "Kubernetes external service shop/web from cluster dev"}, "renamed since"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_load_balancer_of_another_cluster_is_found(tmp_path: Path, name: str) -> None:
    new_name, change, words = FOREIGN[name]
    cloud = openstack()
    cloud.stored["loadbalancers"][0].update({**change, **({"name": new_name} if new_name else {})})
    found = differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))
    assert any(words in label for label in found), found


def test_two_clusters_of_one_name_are_found_by_the_members(tmp_path: Path) -> None:
    cloud = openstack()
    for member in next(iter(cloud.members.values())):
        member["address"] = member["address"].replace("10.0.0", "10.9.9")
    found = differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))
    assert any("another cluster has the same name" in label for label in found), found


def test_members_that_are_down_are_reported(tmp_path: Path) -> None:
    cloud = openstack()
    members = next(iter(cloud.members.values()))
    members[0]["operating_status"] = "ERROR"
    found = differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))
    assert [label for label in found if "1 of 2 members of port 80 are down" in label]


def test_monitors_that_the_file_asks_for_are_counted(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.stored["pools"][0]["healthmonitor_id"] = None
    done = lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json")
    labels = {finding["rule"]: finding["label"] for finding in done.report["findings"]}
    assert labels["create-monitor-not-applied"] == (
        "create-monitor is true, and 1 of 1 load balancers has no health monitor on a port"
    )


def test_managed_security_groups_are_compared(tmp_path: Path) -> None:
    conf = CONF + "manage-security-groups = true\n"
    found = differences(lint_octavia(tmp_path, kubernetes(conf=conf), openstack(), "--format", "json"))
    assert [NODES in text for label, text in found.items() if "security group: none" in label] == [True], found
    cloud = openstack()
    group = {
        "id": "g1",
        "name": "lb-sg-11111111-2222-4333-8444-555555555555-shop-web",
        "security_group_rules": [
            {
                "id": "r1",
                "direction": "ingress",
                "protocol": "tcp",
                "port_range_min": 30080,
                "port_range_max": 30080,
                "remote_ip_prefix": "10.0.0.0/24",
                "ethertype": "IPv4",
            }
        ],
    }
    cloud.put("security_groups", group)
    assert not differences(lint_octavia(tmp_path, kubernetes(conf=conf), cloud, "--format", "json"))
    port: dict[str, Any] = {
        "id": "p1",
        "device_id": "1",
        "fixed_ips": [{"ip_address": "10.0.0.11"}],
        "security_groups": ["a", "g1"],
    }
    cloud.put("ports", port)
    assert not differences(lint_octavia(tmp_path, kubernetes(conf=conf), cloud, "--format", "json"))
    port["security_groups"] = ["a"]
    found = differences(lint_octavia(tmp_path, kubernetes(conf=conf), cloud, "--format", "json"))
    assert [NODES in text for label, text in found.items() if "security group: not at" in label] == [True], found
    port["port_security_enabled"] = False
    assert not differences(lint_octavia(tmp_path, kubernetes(conf=conf), cloud, "--format", "json"))
    port.update(port_security_enabled=True, fixed_ips=[{"ip_address": "192.0.2.9"}])
    assert not differences(lint_octavia(tmp_path, kubernetes(conf=conf), cloud, "--format", "json"))
    group["security_group_rules"] = []
    found = differences(lint_octavia(tmp_path, kubernetes(conf=conf), cloud, "--format", "json"))
    assert any("security group's rules: 1 missing" in label for label in found), found
    found = differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))
    assert any("manage-security-groups is off" in label for label in found), found


def test_requests_grow_with_the_pools_alone(tmp_path: Path) -> None:
    cloud = openstack()
    lint_octavia(tmp_path, kubernetes(), cloud)
    asked = [asked.path for asked in cloud.asked]
    assert len(asked) == len(set(asked)) == 10, asked


def test_a_load_balancer_that_changes_now_is_not_judged(tmp_path: Path) -> None:
    cloud = openstack()
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    cloud.stored["loadbalancers"][0].update(provisioning_status="PENDING_UPDATE", updated_at=now)
    cloud.stored["pools"][0]["healthmonitor_id"] = None
    assert not differences(lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json"))


def test_a_service_that_waits_for_its_load_balancer_lacks_none(tmp_path: Path) -> None:
    kube, cloud = kubernetes(), openstack()
    web = kube.lists["/api/v1/services"][0]
    web["metadata"]["annotations"] = {}
    cloud.stored["loadbalancers"].clear()
    found = differences(lint_octavia(tmp_path, kube, cloud, "--format", "json"))
    assert [NEXT_SYNC in text for label, text in found.items() if "load balancer: none" in label] == [True]
    web["status"] = {}
    assert not differences(lint_octavia(tmp_path, kube, cloud, "--format", "json"))


def test_a_service_that_is_being_deleted_is_not_judged(tmp_path: Path) -> None:
    kube, cloud = kubernetes(), openstack()
    kube.lists["/api/v1/services"][0]["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z"
    cloud.stored["listeners"].clear()
    assert not differences(lint_octavia(tmp_path, kube, cloud, "--format", "json"))


def test_without_all_nodes_nothing_is_judged(tmp_path: Path) -> None:
    kube = kubernetes()
    kube.fail("/api/v1/nodes", status(403))
    done = lint_octavia(tmp_path, kube, openstack(), "--format", "json")
    assert done.code == 3
    assert not differences(done)
    assert "not all Nodes were read" in done.said
