"""Describes the state of the fake OpenStack to ccmcheck, in ccmcheck's own records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import loadbalancer_words as words
from loadbalancer_ids import identify
from loadbalancer_oracle import Asked, Case

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs import cloud_state as records

Json = dict[str, Any]


def facts(case: Case, release: str, changes: Iterable[Asked], floating_network: str) -> records.CloudState:
    """What is known around a case.

    Args:
        case: The case.
        release: As ccmcheck names it.
        changes: What the CCM asked for, from which follows what Octavia and Neutron gave.
        floating_network: Which network's subnets the floating IP may come from.
    """
    cloud = case.cloud
    known = catalog.release(release)
    balancer = _balancer(case, by_id=known.at_least("1.23"))
    vip_subnet, vip = _given(cloud, changes)
    group = _group(case)
    return records.CloudState(
        facts=ClusterFacts(cluster_name=case.cluster),
        nodes=tuple(_node(one, cloud) for one in case.nodes),
        api=_version(case.octavia),
        vip_subnet=vip_subnet,
        subnets={one["id"]: one["cidr"] for one in cloud["subnets"]},
        external_network=_external(cloud),
        floating_subnets=tuple(
            records.Subnet(one["id"], one["name"], tuple(one["tags"]))
            for one in cloud["subnets"]
            if one["network_id"] == floating_network or not known.at_least("1.21")  # looked for everywhere
        ),
        networks={one["id"]: one["network_id"] for one in cloud["subnets"]},
        floating_ips={one["floating_ip_address"]: _floating(one) for one in cloud["floatingips"]},
        key_manager="key-manager" not in case.absent,
        secrets=frozenset(ref for ref in words.TLS if "missing" not in ref),
        balancer=balancer,
        balancers_known=True,
        floating_ip=next(
            (_floating(one) for one in cloud["floatingips"] if balancer and one["port_id"] == balancer.port), None
        ),
        group=group,
        vip=vip,
        new_address=f"203.0.113.{101 + len(cloud['floatingips'])}",
    )


def _version(octavia: str) -> tuple[int, int]:
    major, minor = octavia.split(".")
    return int(major), int(minor)


def _external(cloud: Json) -> str | None:
    """The first external network that has an IPv4 subnet."""
    for network in cloud["networks"]:
        has = {one["ip_version"] for one in cloud["subnets"] if one["network_id"] == network["id"]}
        if network["router:external"] and 4 in has:
            return str(network["id"])
    return None


def _node(node: Json, cloud: Json) -> records.Node:
    name = node["metadata"]["name"]
    return records.Node(
        name,
        tuple((one["type"], one["address"]) for one in node["status"]["addresses"]),
        node["metadata"]["labels"],
        node["spec"]["providerID"],
        tuple(
            records.NodePort(
                one["id"],
                tuple((fixed["ip_address"], fixed["subnet_id"]) for fixed in one["fixed_ips"]),
                tuple(one["security_groups"]),
                one.get("port_security_enabled", False),
            )
            for one in cloud["ports"]
            if one.get("device_id") == identify(f"server-{name}")
        ),
    )


def _given(cloud: Json, changes: Iterable[Asked]) -> tuple[str, str]:
    """The subnet and the address that Octavia gives a new load balancer, as in ``tree.go``."""
    asked = next((one.body for one in changes if one.path.endswith("/lbaas/loadbalancers") and one.body), None)
    if asked is None:
        return "", ""
    wanted = asked["loadbalancer"]
    port = next((one for one in cloud["ports"] if one["id"] == wanted.get("vip_port_id")), None)
    if port is not None:
        return port["fixed_ips"][0]["subnet_id"], wanted.get("vip_address") or port["fixed_ips"][0]["ip_address"]
    name = wanted.get("vip_subnet_id")
    if not name:
        within = [one for one in cloud["subnets"] if one["network_id"] == wanted.get("vip_network_id")]
        name = next((one["id"] for one in within if one["ip_version"] == 4), within[0]["id"] if within else "")
    prefix = next((one["cidr"].split("/")[0] for one in cloud["subnets"] if one["id"] == name), "")
    if ":" not in prefix:
        prefix = prefix.removesuffix(".0") + "."
    return name, wanted.get("vip_address") or prefix + "200"


def _balancer(case: Case, *, by_id: bool) -> records.Balancer | None:
    """The load balancer that the annotation names, else the one that has the Service's name or its old one."""
    trees = case.cloud["loadbalancers"]
    metadata = case.service["metadata"]
    wanted = metadata.get("annotations", {}).get(words.LOAD_BALANCER_ID)
    for tree in trees:
        if by_id and tree["id"] == wanted:
            return _tree(tree, case)
    name = f"kube_service_{case.cluster}_{metadata['namespace']}_{metadata['name']}"[:255]
    for tree in trees:
        if tree["name"] == name and tree["provisioning_status"] not in ("DELETED", "PENDING_DELETE"):
            return _tree(tree, case)
    return None


def _tree(tree: Json, case: Case) -> records.Balancer:
    tagged = _version(case.octavia) >= (2, 5)  # before, the API does not show tags
    return records.Balancer(
        tree["id"],
        tree["name"],
        tuple(_listener(one, tagged=tagged) for one in tree["listeners"]),
        tuple(tree["tags"]) if tagged else (),
        tree["vip_address"],
        tree["vip_port_id"],
        tree["vip_subnet_id"],
        tree["provisioning_status"],
    )


def _listener(one: Json, *, tagged: bool) -> records.Listener:
    pool = one.get("default_pool")
    return records.Listener(
        one["id"],
        one["protocol"],
        one["protocol_port"],
        _pool(pool) if pool else None,
        tuple(one["tags"]) if tagged else (),
        one["connection_limit"],
        one["timeout_client_data"],
        one["timeout_member_connect"],
        one["timeout_member_data"],
        one["timeout_tcp_inspect"],
        one["insert_headers"],
        one["default_tls_container_ref"] or "",
        tuple(one["allowed_cidrs"] or ()),
        one.get("name", ""),
    )


def _pool(one: Json) -> records.Pool:
    monitor = one.get("healthmonitor")
    return records.Pool(
        one["id"],
        one["protocol"],
        one["lb_algorithm"],
        tuple(
            records.Member(
                each["id"], each["address"], each["protocol_port"], each["name"], each["monitor_port"] or 0,
                each.get("subnet_id") or "",
            )
            for each in one["members"]
        ),
        monitor and _monitor(monitor),
        one.get("name", ""),
        (one.get("session_persistence") or {}).get("type", ""),
    )  # fmt: skip


def _monitor(one: Json) -> records.Monitor:
    return records.Monitor(
        one["id"], one["type"], one.get("delay", 0), one.get("timeout", 0), one["max_retries"], one["max_retries_down"],
        one.get("name", ""),
    )  # fmt: skip


def _floating(one: Json) -> records.FloatingIP:
    return records.FloatingIP(one["id"], one["floating_ip_address"], one["port_id"] or "", one["description"])


def _group(case: Case) -> records.Group | None:
    metadata, cloud = case.service["metadata"], case.cloud
    name = f"lb-sg-{metadata['uid']}-{metadata['namespace']}-{metadata['name']}"[:255]
    found = next((one for one in cloud["security_groups"] if one["name"] == name), None)
    if found is None:
        return None
    return records.Group(
        found["id"],
        tuple(
            records.GroupRule(
                one["id"], one["protocol"] or "", one.get("port_range_min") or 0, one.get("port_range_max") or 0,
                one["remote_ip_prefix"] or "", one["ethertype"], one["direction"],
            )
            for one in cloud["security_group_rules"] if one["security_group_id"] == found["id"]
        ),
        tuple(
            (one["id"], tuple(one["security_groups"]), tuple(one.get("tags", ())))
            for one in cloud["ports"] if found["id"] in one["security_groups"]
        ),
    )  # fmt: skip
