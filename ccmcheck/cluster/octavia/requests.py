"""Everything that is asked of OpenStack, as data: the requests and the access rules are made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import quote, urlsplit

from ccmcheck.cluster.core import NamedTuple

LOAD_BALANCER, NETWORK, COMPUTE = "load-balancer", "network", "compute"
KEY_MANAGER, IDENTITY = "key-manager", "identity"
TITLES = {LOAD_BALANCER: "Octavia", NETWORK: "Neutron", COMPUTE: "Nova", KEY_MANAGER: "Barbican", IDENTITY: "Keystone"}


_LONGEST_VERSION = 8


def newest_version(versions: Sequence[object]) -> tuple[int, int] | None:
    """The newest of the API versions that a service lists; None where none can be read.

    Args:
        versions: Objects with an ``id`` such as ``v2.27``.
    """
    found = []
    for version in versions:
        name = version.get("id") if isinstance(version, dict) else ""
        major, _, minor = str(name or "").removeprefix("v").partition(".")
        if major.isdecimal() and minor.isdecimal() and len(major) + len(minor) < _LONGEST_VERSION:
            found.append((int(major), int(minor)))
    return max(found, default=None)


class CloudRequest(NamedTuple):
    """One kind of request.

    Attributes:
        service: Its type in the service catalogue.
        path: Its path below the endpoint, with ``{id}`` for an ID.
        key: The key of the answer.
        title: What it asks for, for people.
    """

    service: str
    path: str
    key: str
    title: str

    def of(self, identifier: str) -> CloudRequest:
        """The same for one ID."""
        return self._replace(path=self.path.replace("{id}", quote(identifier, safe="", errors="replace")))


VERSIONS = CloudRequest(LOAD_BALANCER, "/", "versions", "Octavia's API versions")
BALANCERS = CloudRequest(LOAD_BALANCER, "/v2/lbaas/loadbalancers", "loadbalancers", "load balancers")
BALANCER = CloudRequest(LOAD_BALANCER, "/v2/lbaas/loadbalancers/{id}", "loadbalancer", "load balancer")
LISTENERS = CloudRequest(LOAD_BALANCER, "/v2/lbaas/listeners", "listeners", "listeners")
POOLS = CloudRequest(LOAD_BALANCER, "/v2/lbaas/pools", "pools", "pools")
MEMBERS = CloudRequest(LOAD_BALANCER, "/v2/lbaas/pools/{id}/members", "members", "members of pool")
MONITORS = CloudRequest(LOAD_BALANCER, "/v2/lbaas/healthmonitors", "healthmonitors", "health monitors")
FLOATING_IPS = CloudRequest(NETWORK, "/v2.0/floatingips", "floatingips", "floating IPs")
GROUPS = CloudRequest(NETWORK, "/v2.0/security-groups", "security_groups", "security groups")
PORTS = CloudRequest(NETWORK, "/v2.0/ports", "ports", "ports")
SUBNETS = CloudRequest(NETWORK, "/v2.0/subnets", "subnets", "subnets")

RULES = CloudRequest(NETWORK, "/v2.0/security-group-rules", "security_group_rules", "rules of security groups")
NETWORKS = CloudRequest(NETWORK, "/v2.0/networks", "networks", "networks")
ROUTER = CloudRequest(NETWORK, "/v2.0/routers/{id}", "router", "router")
PORT = CloudRequest(NETWORK, "/v2.0/ports/{id}", "port", "port")
NETWORK_OF_ID = CloudRequest(NETWORK, "/v2.0/networks/{id}", "network", "network")
SUBNET = CloudRequest(NETWORK, "/v2.0/subnets/{id}", "subnet", "subnet")
NETWORK_QUOTA = CloudRequest(NETWORK, "/v2.0/quotas/{id}/details.json", "quota", "Neutron's quota")
PROVIDERS = CloudRequest(LOAD_BALANCER, "/v2/lbaas/providers", "providers", "providers")
FLAVOR = CloudRequest(LOAD_BALANCER, "/v2/lbaas/flavors/{id}", "flavor", "flavor")
ZONE = CloudRequest(LOAD_BALANCER, "/v2/lbaas/availabilityzones/{id}", "availability_zone", "availability zone")
QUOTA = CloudRequest(LOAD_BALANCER, "/v2/lbaas/quotas/{id}", "quota", "Octavia's quota")
CONTAINER = CloudRequest(KEY_MANAGER, "/v1/containers/{id}", "", "TLS container")
SECRET = CloudRequest(KEY_MANAGER, "/v1/secrets/{id}", "", "TLS secret")
ACL = CloudRequest(KEY_MANAGER, "/v1/containers/{id}/acl", "read", "rights to a TLS container")
SERVER = CloudRequest(COMPUTE, "/v2.1/servers/{id}", "server", "server")
SERVERS = CloudRequest(COMPUTE, "/v2.1/servers/detail", "servers", "servers")
PROJECTS = CloudRequest(IDENTITY, "/auth/projects", "projects", "projects")

ALL = (
    VERSIONS, BALANCERS, BALANCER, LISTENERS, POOLS, MEMBERS, MONITORS, FLOATING_IPS, GROUPS, PORTS, SUBNETS,
)  # fmt: skip


def access_rules(server: Callable[[str], str] | None = None) -> list[dict[str, str]]:
    """The rules, as ``openstack application credential create --access-rules`` takes them.

    keystonemiddleware compares the whole path of a request, so where the catalogue's endpoint has a path, such as
    ``/load-balancer``, it is a part of the rule.

    Args:
        server: The URL of a service; None where no cloud is known.
    """
    rules = []
    for request in ALL:
        prefix = urlsplit(server(request.service)).path.rstrip("/") if server is not None else ""
        rules.append({"service": request.service, "method": "GET", "path": f"{prefix}{request.path}"})
    return rules
