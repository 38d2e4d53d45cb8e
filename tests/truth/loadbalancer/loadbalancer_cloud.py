"""The state of the fake OpenStack before the CCM runs: the networks of a small cloud, and the servers of the nodes.

Everything has its own name as its ID, so that a request shows what it is about. ``loadbalancers`` are trees, as in the
body of a fully populated create with an ``id`` added everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Json = dict[str, Any]

NODES_CIDR = "10.0.0.0/24"
NODES_CIDR6 = "2001:db8::/64"


def network(name: str, subnets: Sequence[str], *, external: bool = False) -> Json:
    """A network with the names of its subnets."""
    return {"id": name, "name": name, "router:external": external, "subnets": list(subnets), "tags": []}


def subnet(name: str, within: str, cidr: str, *, called: str = "", tags: Iterable[str] = ()) -> Json:
    """A subnet of a network."""
    version = 6 if ":" in cidr else 4
    return {
        "id": name, "name": called or name, "network_id": within, "cidr": cidr, "ip_version": version, "tags": list(tags),
    }  # fmt: skip


NETWORKS = (
    network("net-nodes", ["subnet-nodes", "subnet-nodes6"]),
    network("net-other", ["subnet-other"]),
    network("net-ext", ["subnet-ext", "subnet-ext-b", "subnet-ext6"], external=True),
    network("net-ext2", ["subnet-ext2"], external=True),
)
SUBNETS = (
    subnet("subnet-nodes", "net-nodes", NODES_CIDR),
    subnet("subnet-nodes6", "net-nodes", NODES_CIDR6),
    subnet("subnet-other", "net-other", "10.9.0.0/24"),
    subnet("subnet-ext", "net-ext", "203.0.113.0/25", called="public-a", tags=["public", "a"]),
    subnet("subnet-ext-b", "net-ext", "203.0.113.128/25", called="public-b", tags=["public", "b"]),
    subnet("subnet-ext6", "net-ext", "2001:db8:ffff::/64", called="public-6"),
    subnet("subnet-ext2", "net-ext2", "198.51.100.0/24", called="dmz"),
)
FLOATING = (
    {"id": "floatingip-free", "floating_ip_address": "203.0.113.50", "floating_network_id": "net-ext", "port_id": None,
     "description": "by hand"},
    {"id": "floatingip-used", "floating_ip_address": "203.0.113.51", "floating_network_id": "net-ext",
     "port_id": "port-elsewhere", "description": "by hand"},
)  # fmt: skip
VIP_PORT = {
    "id": "port-vip-mine", "device_id": "", "network_id": "net-nodes", "security_groups": [], "tags": [],
    "port_security_enabled": True, "fixed_ips": [{"subnet_id": "subnet-nodes", "ip_address": "10.0.0.190"}],
}  # fmt: skip


def cloud(nodes: Iterable[Json], external: Sequence[str] = ("net-ext", "net-ext2")) -> Json:
    """Networks, and for each node a server with a port that has its addresses.

    Args:
        nodes: As Kubernetes has them; a node without a provider ID has a server that only its name finds.
        external: Which of the networks called external are so, in the order in which Neutron lists them; the others
            are ordinary ones.
    """
    ports: list[Json] = [VIP_PORT]
    servers: list[Json] = []
    for node in nodes:
        name = node["metadata"]["name"]
        servers.append({"id": f"server-{name}", "name": name, "status": "ACTIVE"})
        ports.append(
            {
                "id": f"port-{name}", "device_id": f"server-{name}", "network_id": "net-nodes", "tags": [],
                "security_groups": ["group-default"], "port_security_enabled": True,
                "fixed_ips": [
                    {"ip_address": one["address"], "subnet_id": "subnet-nodes6" if ":" in one["address"] else "subnet-nodes"}
                    for one in node["status"]["addresses"] if one["type"] in ("InternalIP", "ExternalIP")
                ],
            }
        )  # fmt: skip
    known = {one["id"]: one for one in NETWORKS}
    others = [{**one, "router:external": False} for one in NETWORKS if one["id"] not in external]
    return {
        "networks": [*others, *(known[name] for name in external)],
        "subnets": list(SUBNETS),
        "ports": ports,
        "servers": servers,
        "floatingips": [dict(one) for one in FLOATING],
        "security_groups": [{"id": "group-default", "name": "default"}],
        "security_group_rules": [],
        "loadbalancers": [],
    }
