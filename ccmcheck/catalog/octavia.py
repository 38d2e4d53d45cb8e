"""What the CCM sends to OpenStack, what its keys and annotations name there, and what Octavia makes of it.

Sources: cloud-provider-openstack v1.36.0 pkg/openstack/loadbalancer.go, loadbalancer_sg.go,
loadbalancer_subnet_match.go, instances.go, pkg/util/openstack/loadbalancer.go, network.go; keystonemiddleware
auth_token/_opts.py and keystone/common/rbac_enforcer (access rules: ``*`` is one part of a path, ``**`` any
number, ``{name}`` one part).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from ccmcheck.base.data_files import read_table
from ccmcheck.catalog.data.octavia import API_FEATURES, API_VERSIONS, DEFAULT_PROVIDER, FIRST_MAJOR, PROVIDERS, SERIES

_MOST_WILDCARDS, _LONGEST = 3, 255
SENT = tuple((service, method, path) for service, method, path in read_table(__file__, "data/openstack_requests.tsv"))
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
LOGIN_KEYS: dict[str, list[str]] = {name: keys for name, *keys in read_table(__file__, "data/login_keys.tsv")}
"""From keystoneauth's names to the keys of [Global], the first that is set (pkg/client/client.go ToAuth3Options)."""
OLD_QUOTAS = {"loadbalancer": "load_balancer", "healthmonitor": "health_monitor"}
"""Quotas under the names that Octavia keeps for older clients (octavia/api/v2/types/quotas.py)."""

NAMED_THINGS: dict[str, str] = dict(read_table(__file__, "data/named_things.tsv"))
"""What the value of a key of [LoadBalancer], of a class or of an annotation names."""


def family(provider: str) -> str:
    """What the create-monitor matrix names a provider's driver by: ``amphora``, ``ovn`` or ``other``.

    Args:
        provider: The value of lb-provider; empty for Octavia's default.
    """
    name = PROVIDERS.get(provider or DEFAULT_PROVIDER, "")
    return name if name in ("amphora", "ovn") else "other"


@cache
def at_least(release: str, series: str) -> bool | None:
    """Compare an Octavia release with a series.

    Args:
        release: As a user gives it: a series (``yoga``, ``2024.1``) or a version of Octavia (``14.0.0``).
        series: A name in ``SERIES``.

    Returns:
        Whether it is that series or newer; None where the release is not given or not known.
    """
    known = series_of(release)
    return SERIES.index(known) >= SERIES.index(series) if known else None


@cache
def series_of(release: str) -> str:
    """The series of an Octavia release; the newest known one for what is newer, empty for what is not known."""
    word = release.strip().lower()
    if word in SERIES:
        return word
    major = word.removeprefix("v").split(".")[0]
    if not major.isascii() or not major.isdigit() or len(major) > 6:
        return ""
    number = int(major)
    if number > 2000:
        return SERIES[-1] if word > SERIES[-1] else ""
    return SERIES[min(number - FIRST_MAJOR, len(SERIES) - 1)] if number >= FIRST_MAJOR else ""


def api_version(release: str) -> tuple[int, int] | None:
    """The newest API version that an Octavia release has; None where the release is not given or not known."""
    return API_VERSIONS.get(series_of(release))


def api_has(feature: str, version: tuple[int, int] | None) -> bool | None:
    """Whether an API version has what the CCM asks for.

    Args:
        feature: A name in ``API_FEATURES``, such as ``tags``.
        version: Major and minor number; None when unknown, as is the answer then.
    """
    return None if version is None else version >= API_FEATURES[feature]


def first_with(feature: str) -> str:
    """The first series whose API has a feature; a name in ``API_FEATURES``."""
    return next(series for series in SERIES if API_VERSIONS[series] >= API_FEATURES[feature])


def is_ovn_release(release: str) -> bool:
    """Whether it is a version of ovn-octavia-provider, or a series that has one."""
    word = release.strip().lower()
    return word in SERIES[SERIES.index("wallaby") :] or bool(version_of(word.removeprefix("v"))[0])


def ovn_release(stated: str, octavia_release: str) -> str:
    """The release of ovn-octavia-provider as stated, else the series of Octavia, which it comes with as a rule."""
    return stated or series_of(octavia_release)


def version_of(text: str) -> tuple[int, int, int]:
    """A version's three numbers; 0 for what is none.

    Args:
        text: The version, without a leading v.
    """
    parts = [int(part) if part.isascii() and part.isdigit() and len(part) < 6 else 0 for part in text.split(".")[:3]]
    major, minor, patch = (*parts, 0, 0, 0)[:3]
    return major, minor, patch


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
