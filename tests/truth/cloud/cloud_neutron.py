"""A small Neutron: networks, subnets, ports, floating IPs, security groups and their rules, with the refusals that matter here."""

from __future__ import annotations

import copy
import ipaddress
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Json = dict[str, Any]
Query = Mapping[str, Sequence[str]]

EXTENSIONS = ("allowed-address-pairs", "security-group", "project-id", "standard-attr-tag")
COLLECTIONS = ("networks", "subnets", "ports", "floatingips", "security_groups", "security_group_rules", "servers")
_TAG_FILTERS = ("tags", "tags-any", "not-tags", "not-tags-any")
_PAGING = frozenset({"limit", "marker", "sort_key", "sort_dir", "fields"})
_FIRST_FREE = 100


class Reply(NamedTuple):
    """What a service answers."""

    status: int
    body: Json | None = None


def refused(status: int, kind: str, message: str) -> Reply:
    """An error as Neutron words it."""
    return Reply(status, {"NeutronError": {"type": kind, "message": message, "detail": ""}})


class Neutron:
    """The state of a case."""

    def __init__(self, cloud: Json) -> None:
        self.collections: dict[str, list[Json]] = {name: copy.deepcopy(cloud.get(name, [])) for name in COLLECTIONS}
        for network in self.collections["networks"]:
            network.setdefault("port_security_enabled", True)
        for port in self.collections["ports"]:
            port.setdefault("status", "ACTIVE")
            port.setdefault("name", "")

    def dump(self) -> Json:
        """Everything, as it is now."""
        return copy.deepcopy(self.collections)

    def find(self, collection: str, known: str) -> Json | None:
        """One object by its ID."""
        return next((one for one in self.collections[collection] if one["id"] == known), None)

    def balancer_is_gone(self, balancer: str) -> None:
        """The worker's part of a deletion: the VIP's port goes, and its floating IP is free."""
        gone = {one["id"] for one in self.collections["ports"] if one.get("device_id") == f"lb-{balancer}"}
        self.collections["ports"] = [one for one in self.collections["ports"] if one["id"] not in gone]
        for floating_ip in self.collections["floatingips"]:
            if floating_ip["port_id"] in gone:
                floating_ip["port_id"] = None

    def answer(self, method: str, parts: Sequence[str], query: Query, body: Json | None) -> Reply:
        """One request; ``parts`` follow the version in the path."""
        if parts[0] == "extensions":
            known = [{"alias": one, "name": one} for one in EXTENSIONS]
            if len(parts) == 1:
                return Reply(200, {"extensions": known})
            found = next((one for one in known if one["alias"] == parts[1]), None)
            return Reply(200, {"extension": found}) if found else refused(404, "NotFound", parts[1])
        if parts[0] == "network-ip-availabilities":
            return self._availability(parts[1])
        collection = parts[0].replace("-", "_")
        if collection not in self.collections:
            return refused(404, "HTTPNotFound", "The resource could not be found.")
        one = collection.removesuffix("s")
        if len(parts) == 1:
            if method == "POST":
                return self._create(collection, one, dict((body or {}).get(one, {})))
            selected = [each for each in self.collections[collection] if _selected(each, query)]
            return Reply(200, {collection: [self._shown(collection, each) for each in selected]})
        known_one = self.find(collection, parts[1])
        if known_one is None:
            name = {"security_group_rule": "SecurityGroupRule", "floatingip": "FloatingIP"}.get(one, one.title())
            return refused(404, f"{name}NotFound", f"{name} {parts[1]} could not be found.")
        if len(parts) > 3:
            return self._tag(method, known_one, parts[3])
        if method == "PUT":
            return self._update(collection, one, known_one, dict((body or {}).get(one, {})))
        if method == "DELETE":
            return self._delete(collection, known_one)
        return Reply(200, {one: known_one})

    def _shown(self, collection: str, each: Json) -> Json:
        """An object as a list has it: Neutron puts a group's rules into it."""
        if collection != "security_groups":
            return each
        rules = [one for one in self.collections["security_group_rules"] if one["security_group_id"] == each["id"]]
        return {**each, "security_group_rules": rules}

    def _availability(self, network: str) -> Reply:
        subnets = [
            {"subnet_id": one["id"], "subnet_name": one["name"], "cidr": one["cidr"], "ip_version": one["ip_version"],
             "total_ips": 253, "used_ips": 1}
            for one in self.collections["subnets"] if one["network_id"] == network
        ]  # fmt: skip
        found = {"network_id": network, "network_name": network, "total_ips": 253, "used_ips": 1}
        return Reply(200, {"network_ip_availability": {**found, "subnet_ip_availability": subnets}})

    def _create(self, collection: str, one: str, wanted: Json) -> Reply:
        made: Json = {"id": str(uuid.uuid4()), "tags": [], "description": "", "project_id": "project", **wanted}
        wrong: Reply | None = getattr(self, f"_new_{one}", lambda _: None)(made)
        if wrong is not None:
            return wrong
        self.collections[collection].append(made)
        return Reply(201, {one: made})

    def _new_port(self, made: Json) -> Reply | None:
        fixed = [dict(each) for each in made.get("fixed_ips") or [{}]]
        for each in fixed:
            wrong = self._give_address(made["network_id"], each)
            if wrong is not None:
                return wrong
        made.update(fixed_ips=fixed, status="DOWN", security_groups=made.get("security_groups", []))
        made.setdefault("device_id", "")
        made.setdefault("port_security_enabled", True)
        return None

    def _give_address(self, network: str, fixed: Json) -> Reply | None:
        subnets = [one for one in self.collections["subnets"] if one["network_id"] == network]
        if "subnet_id" in fixed:
            subnets = [one for one in subnets if one["id"] == fixed["subnet_id"]]
        address = fixed.get("ip_address")
        if address:
            subnets = [one for one in subnets if ipaddress.ip_address(address) in ipaddress.ip_network(one["cidr"])]
        if not subnets:
            return refused(400, "InvalidIpForNetwork", "IP address is not a valid IP for any of the subnets")
        subnet = next((one for one in subnets if one["ip_version"] == 4), subnets[0])
        taken = {each["ip_address"] for port in self.collections["ports"] for each in port["fixed_ips"]}
        if address in taken:
            return refused(409, "IpAddressInUse", f"Unable to complete operation. The IP address {address} is in use.")
        fixed["subnet_id"] = subnet["id"]
        fixed.setdefault("ip_address", _free(subnet["cidr"], taken))
        return None

    def _new_floatingip(self, made: Json) -> Reply | None:
        network = made["floating_network_id"]
        subnets = [
            one for one in self.collections["subnets"] if one["network_id"] == network and one["ip_version"] == 4
        ]
        if not subnets:
            return refused(400, "BadRequest", f"Network {network} is not a valid external network")
        if made.get("subnet_id"):
            subnets = [one for one in subnets if one["id"] == made["subnet_id"]]
        if not subnets:
            return refused(400, "InvalidIpForSubnet", "the subnet is not in the network")
        taken = {one["floating_ip_address"] for one in self.collections["floatingips"]}
        address = made.get("floating_ip_address")
        if address in taken:
            return refused(409, "IpAddressInUse", f"The IP address {address} is in use.")
        if address and not any(ipaddress.ip_address(address) in ipaddress.ip_network(one["cidr"]) for one in subnets):
            return refused(400, "InvalidIpForNetwork", f"IP address {address} is not a valid IP for any of the subnets")
        made.update(floating_ip_address=address or _free(subnets[0]["cidr"], taken), status="ACTIVE")
        made.setdefault("port_id", None)
        return None

    def _new_security_group(self, made: Json) -> Reply | None:
        for kind in ("IPv4", "IPv6"):
            self.collections["security_group_rules"].append(
                {"id": str(uuid.uuid4()), "direction": "egress", "ethertype": kind, "security_group_id": made["id"],
                 "protocol": None, "remote_ip_prefix": None, "port_range_min": None, "port_range_max": None}
            )  # fmt: skip
        return None

    def _new_security_group_rule(self, made: Json) -> Reply | None:
        remote, kind = made.get("remote_ip_prefix"), made.get("ethertype", "IPv4")
        # neutron/db/securitygroups_db.py _validate_ethertype / _validate_ip_prefix
        if remote and ipaddress.ip_network(remote, strict=False).version != int(kind[-1]):
            return refused(
                400, "SecurityGroupRuleParameterConflict", f"Conflicting value ethertype {kind} for CIDR {remote}"
            )
        made["protocol"] = (made.get("protocol") or "").lower() or None
        made.setdefault("port_range_min", None)
        made.setdefault("port_range_max", None)
        same = (
            "security_group_id",
            "direction",
            "ethertype",
            "protocol",
            "remote_ip_prefix",
            "port_range_min",
            "port_range_max",
        )
        for rule in self.collections["security_group_rules"]:
            if all(rule.get(field) == made.get(field) for field in same):
                return refused(
                    409, "SecurityGroupRuleExists", f"Security group rule already exists. Rule id is {rule['id']}."
                )
        return None

    def _update(self, collection: str, one: str, known: Json, wanted: Json) -> Reply:
        if collection == "floatingips":
            known["port_id"] = None  # a port that is left out is let go
        groups = {each["id"] for each in self.collections["security_groups"]}
        missing = [each for each in wanted.get("security_groups") or [] if each not in groups]
        if collection == "ports" and missing:
            return refused(404, "SecurityGroupNotFound", f"Security group {missing[0]} does not exist")
        known.update(wanted)
        return Reply(200, {one: known})

    def _delete(self, collection: str, known: Json) -> Reply:
        if collection == "security_groups":
            if any(known["id"] in port["security_groups"] for port in self.collections["ports"]):
                return refused(409, "SecurityGroupInUse", f"Security Group {known['id']} in use.")
            self.collections["security_group_rules"] = [
                one for one in self.collections["security_group_rules"] if one["security_group_id"] != known["id"]
            ]
        self.collections[collection].remove(known)
        return Reply(204)

    @staticmethod
    def _tag(method: str, known: Json, tag: str) -> Reply:
        known["tags"] = [one for one in known["tags"] if one != tag]
        if method == "PUT":
            known["tags"].append(tag)
            return Reply(201)
        return Reply(204)


def _free(cidr: str, taken: set[str]) -> str:
    network = ipaddress.ip_network(cidr)
    at = _FIRST_FREE if network.num_addresses > _FIRST_FREE + 20 else 10
    while str(network[at]) in taken:
        at += 1
    return str(network[at])


def _selected(known: Json, query: Query) -> bool:
    return all(_has(known, field, value) for field, values in query.items() for value in values)


def _has(known: Json, field: str, value: str) -> bool:
    if field in _PAGING or field == "project_id":  # there is one project
        return True
    if field in _TAG_FILTERS:
        wanted = value.split(",")
        count = sum(tag in known["tags"] for tag in wanted)
        every = {"tags": count == len(wanted), "tags-any": count > 0, "not-tags": count < len(wanted)}
        return every.get(field, count == 0)
    if field == "security_groups":
        return value in known["security_groups"]
    return str(known.get(field)).lower() == value.lower()
