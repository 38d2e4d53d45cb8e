"""What the CCM sends to OpenStack, and what its keys and annotations name there.

Sources: cloud-provider-openstack v1.36.0 pkg/openstack/loadbalancer.go, loadbalancer_sg.go, loadbalancer_subnet_match.go,
instances.go, pkg/util/openstack/loadbalancer.go, network.go; keystonemiddleware auth_token/_opts.py and
keystone/common/rbac_enforcer (access rules: ``*`` is one part of a path, ``**`` any number, ``{name}`` one part).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ccmcheck.base.data_files import read_table

_MOST_WILDCARDS, _LONGEST = 3, 255
SENT = tuple((service, method, path) for service, method, path in read_table(__file__, "openstack_requests.tsv"))
"""Service, method and path of what the CCM sends for Services and nodes; an ID is ``0``."""
NEEDED_ROLES = (
    "Give the CCM's user load-balancer_member and member in the project; an application credential has its user's."
)
WRITING_ROLES = frozenset(
    {"admin", "member", "load-balancer_member", "load-balancer_admin", "load-balancer_global_member"}
)
READING_ROLES = frozenset(
    {"reader", "load-balancer_observer", "load-balancer_global_observer", "load-balancer_quota_admin"}
)
"""Roles of Octavia's default policies, and of those for Keystone's default roles (octavia/policies/base.py, 19.0.0)."""
ROUTER_PORTS = (
    "network:router_interface",
    "network:ha_router_replicated_interface",
    "network:router_interface_distributed",
)
"""Device owners of a router's ports in a network (neutron-lib constants ROUTER_INTERFACE_OWNERS)."""
LOGIN_KEYS: dict[str, list[str]] = {name: keys for name, *keys in read_table(__file__, "login_keys.tsv")}
"""From keystoneauth's names to the keys of [Global], the first that is set (pkg/client/client.go ToAuth3Options)."""
OLD_QUOTAS = {"loadbalancer": "load_balancer", "healthmonitor": "health_monitor"}
"""Quotas under the names that Octavia keeps for older clients (octavia/api/v2/types/quotas.py)."""

NAMED_THINGS: dict[str, str] = dict(read_table(__file__, "named_things.tsv"))
"""What the value of a key of [LoadBalancer], of a class or of an annotation names."""


def is_allowed(rules: Iterable[Mapping[str, object]], service: str, method: str, path: str) -> bool:
    """Whether access rules of an application credential let a request through.

    Args:
        rules: The rules.
        service: The type of the service.
        method: ``GET``.
        path: The path below the endpoint; rules may have the endpoint's own path before it.
    """
    return any(
        rule.get("service") == service and rule.get("method") == method and _matches(str(rule.get("path") or ""), path)
        for rule in rules
    )


def _matches(pattern: str, path: str) -> bool:
    if pattern.count("**") > _MOST_WILDCARDS or len(pattern) > _LONGEST:
        return True  # nobody writes such a rule; it is not compared
    parts = re.split(r"(\*\*|\*|\{[^}/]*\})", pattern)
    expression = "".join(
        ".*" if part == "**" else "[^/]+" if part == "*" or part.startswith("{") else re.escape(part) for part in parts
    )
    return re.search(f"(?:^|/[^/]+){expression}$" if pattern.startswith("/") else f"^{expression}$", path) is not None
