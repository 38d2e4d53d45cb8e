"""Settings of the API server's load balancer that are rejected or have no effect."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.base.uuids import UUID
from ccmcheck.catalog.data.cluster import API_MONITOR_DEFAULTS, API_MONITOR_LIMITS
from ccmcheck.catalog.data.octavia import PROVIDERS
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.machines import api_balancers
from ccmcheck.rules.views.drivers import driver_of
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, kubernetes_scalar, text_of


def check(manifest: Manifest) -> Problems:
    """Look at the API server's load balancer."""
    for balancer in api_balancers(manifest):
        if text_of(balancer.get("enabled")) == "false":
            continue
        monitor = balancer.get("monitor")
        if isinstance(monitor, Mapping):
            yield from _monitor_problems(manifest, monitor)
        yield from _addresses(manifest, balancer)
        yield from _provider(manifest, balancer)


def _monitor_problems(manifest: Manifest, monitor: Mapping) -> Problems:
    numbers: dict[str, int] = {}
    known = True
    for name, default in API_MONITOR_DEFAULTS.items():
        node = monitor.get(name)
        numbers[name] = default
        if node is None:
            continue
        if not isinstance(node, Scalar) or manifest.has_mark(node):
            known = False
            continue
        value = kubernetes_scalar(node)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            known = False
            yield Problem(
                node.content,
                "not an integer: Cluster API rejects the manifest",
                "The field takes whole numbers, for delay and timeout in seconds.",
                "Write a number without quotes and unit.",
            )
            continue
        low, high = API_MONITOR_LIMITS[name]
        if value < low or (high is not None and value > high):
            known = False
            nearest = str(min(max(value, 1), high) if high is not None else default)
            yield Problem(
                node.content,
                f"out of range: {name} is {low} to {high}"
                if high is not None
                else f"out of range: {name} is {low} or more",
                "Cluster API rejects the manifest; where its definition has no limit yet, Octavia rejects the monitor.",
                f"Write `{nearest}`.",
                yaml_fixes.unsafe(manifest, f"write `{nearest}`", yaml_fixes.write(manifest, node, nearest)),
            )
            continue
        numbers[name] = value or default  # 0 is replaced by the default
    if known:
        yield from _timers(manifest, monitor, numbers["delay"], numbers["timeout"])


def _timers(manifest: Manifest, monitor: Mapping, delay: int, timeout: int) -> Problems:
    if timeout < delay:
        return
    has_timeout = monitor.get("timeout") is not None
    node = monitor.get("timeout" if has_timeout else "delay")
    if not isinstance(node, Scalar):
        return
    below = str(delay - 1)
    edit = yaml_fixes.write(manifest, node, below) if has_timeout and delay > 1 else None
    yield Problem(
        node.content,
        f"the timeout of {timeout} s is not below the delay of {delay} s",
        "Octavia's API reference requires a timeout below the delay; a longer one only delays that a hung control plane "
        "node is found.",
        f"Write a timeout of `{below}` or less."
        if delay > 1
        else "Write a delay of 2 or more, and a timeout below it.",
        None if edit is None else yaml_fixes.unsafe(manifest, f"write `{below}`", edit),
    )


def _addresses(manifest: Manifest, balancer: Mapping) -> Problems:
    import ipaddress

    allowed = balancer.get("allowedCIDRs")
    for node in allowed.items if isinstance(allowed, Sequence) else ():
        if not isinstance(node, Scalar) or manifest.has_mark(node):
            continue
        try:
            ipaddress.IPv4Network(node.value, strict=False)
        except ValueError:
            yield Problem(
                node.content,
                "neither an IPv4 address nor an IPv4 range: Cluster API leaves it out",
                "It warns by an event, and the other addresses alone are allowed.",
                "Write an IPv4 range such as `192.0.2.0/24`.",
            )


def _provider(manifest: Manifest, balancer: Mapping) -> Problems:
    provider, flavor = balancer.get("provider"), balancer.get("flavor")
    name = text_of(provider) or ""
    if isinstance(provider, Scalar) and not manifest.has_mark(provider):
        lower = name.lower()
        if name not in PROVIDERS and lower in PROVIDERS:
            yield Problem(
                provider.content,
                f"not a provider of Octavia: names are case-sensitive, and it is `{lower}`",
                "Octavia rejects the load balancer, and the control plane has no endpoint.",
                f"Write `{lower}`.",
            )
    if not isinstance(flavor, Scalar) or manifest.has_mark(flavor):
        return
    if driver_of(name or None).flavors is False:
        yield Problem(
            flavor.content,
            f"{name} has no flavors: Octavia rejects the load balancer",
            "A flavor belongs to a provider, and Octavia returns an error where it is another one's.",
            "Delete `flavor`, or use `amphora`.",
        )
    elif UUID.fullmatch(flavor.value):
        yield Problem(
            flavor.content,
            "Cluster API looks for a flavor of this name, not of this ID, and uses the default flavor",
            "It warns by an event, and the load balancer is made without the flavor.",
            "Write the flavor's name.",
        )
