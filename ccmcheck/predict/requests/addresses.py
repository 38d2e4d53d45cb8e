"""The floating IP's requests, and what the Service's status says afterwards.

Source: cloud-provider-openstack ensureFloatingIP (getServiceAddress before 1.27), createLoadBalancerStatus.
"""

from __future__ import annotations

import re

from ccmcheck.gcfg.errors import quote as quoted
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.annotations import Annotations, CcmCrash, CcmError
from ccmcheck.predict.inputs.cloud_state import Balancer, FloatingIP, Subnet
from ccmcheck.predict.records import Json, Published, Request
from ccmcheck.predict.requests.load_balancer_spec import named
from ccmcheck.predict.requests.reconcile_state import ReconcileState
from ccmcheck.predict.requests.subnet_pattern import NamePattern

FLOATING_SUBNET = "00000000-0000-4000-8000-00000000f001"
"""Stands for the first subnet that matches, where the floating network's subnets are unknown."""

VIP = "the VIP"
FLOATING_IP = "the floating IP"
SKIPPED = "LoadBalancerFloatingIPSkipped"
_OURS = "Floating IP for Kubernetes external service"


def is_made_by_ccm(floating_ip: FloatingIP) -> bool:
    """Whether the CCM takes a floating IP for its own, by its description."""
    return _OURS in floating_ip.description


def ensure_address(state: ReconcileState, before: Balancer | None) -> str:
    """Work out the floating IP's requests.

    Args:
        state: Takes the requests.
        before: The load balancer that was there; None for a new one.

    Returns:
        The address that is published, or a description of it.

    Raises:
        CcmError: The CCM ends here.
    """
    spec, behaviours, cloud, service = state.spec, state.behaviours, state.cloud, state.service
    vip = (before.address if before is not None else cloud.vip) or VIP
    is_v6 = ranges.family(vip) == 6 or (vip == VIP and spec.family == 6)
    if is_v6 and behaviours["ipv6-skips-floating-ip"]:
        state.notes.warn(
            SKIPPED,
            f"Floating IP not supported for IPv6 Service {service.title}. Using IPv6 address instead {vip}.",
        )
        return vip
    port = before.port if before is not None else spec.vip_port or "{vip port}"
    attached = cloud.floating_ip or next(
        (floating_ip for floating_ip in (cloud.floating_ips or {}).values() if floating_ip.port == port), None
    )
    if spec.internal and (state.owner or not behaviours["internal-services-cannot-share"]):
        if attached is not None and behaviours["internal-services-cannot-share"]:
            annotations = Annotations(service.annotations, behaviours)
            ours = is_made_by_ccm(attached) and not annotations.switch("keep-floatingip", False)
            if ours:
                _send(state, "DELETE", f"floatingips/{attached.id}")
            else:
                _send(state, "PUT", f"floatingips/{attached.id}", {"floatingip": {}})
        # up to 1.18 a floating IP is published, whoever put it there
        return vip if attached is None or behaviours["service-config"] else attached.address
    if attached is not None:
        return attached.address
    if not state.owner and behaviours["internal-services-cannot-share"]:
        raise CcmError(
            f"cannot attach a floating IP to a load balancer for a shared Service {service.title}, only owner Service "
            "can do that"
        )
    if service.address:
        existing = _existing(state, port)
        if existing:
            return existing
    return _create(state, port) or vip


def _existing(state: ReconcileState, port: str) -> str:
    """Attach the floating IP that the Service asks for; empty where there is none yet."""
    address = state.service.address
    floating_ips = state.cloud.floating_ips
    if not ranges.family(address):
        return ""  # Neutron lists none of that address, and refuses to make one
    if floating_ips is None:
        state.notes.assume(f"whether floating IP {address} exists and is free is not known: that is assumed")
        _send(state, "PUT", f"floatingips/{{floating ip {address}}}", {"floatingip": {"port_id": port}})
        return address
    floating_ip = floating_ips.get(address)
    if floating_ip is None:
        return ""
    if floating_ip.port:
        raise CcmError(f"floating IP {address} is not available")
    _send(state, "PUT", f"floatingips/{floating_ip.id}", {"floatingip": {"port_id": port}})
    return address


def _create(state: ReconcileState, port: str) -> str:
    """Ask for a new floating IP; empty where no network is known."""
    spec, behaviours, service = state.spec, state.behaviours, state.service
    floating = spec.floating
    if not floating.network:
        if behaviours["writes-events"]:
            state.notes.warn(
                "LoadBalancerForcedInternal",
                f"Floating network configuration not provided for Service {service.title}, forcing to ensure an "
                "internal load balancer service",
            )
        return ""
    body: Json = {
        "floating_network_id": floating.network,
        "port_id": port,
        "description": f"{_OURS} {service.title} from cluster {state.cloud.cluster_name}",
    }
    subnet = floating.subnet
    if (floating.subnet_name or floating.subnet_tags) and not (
        service.address and behaviours["floating-subnet-patterns"]
    ):
        subnet = _first_matching(state) or subnet
    if subnet:
        body["subnet_id"] = subnet
    if service.address:
        body["floating_ip_address"] = service.address
    _send(state, "POST", "floatingips", {"floatingip": body})
    return service.address or state.cloud.new_address or FLOATING_IP


def _first_matching(state: ReconcileState) -> str:
    """The first subnet of the floating network that matches; empty for none, where the release goes on then."""
    floating = state.spec.floating
    name, tags = floating.subnet_name, floating.subnet_tags
    if not state.behaviours["floating-subnet-patterns"]:
        return _named(state, name)
    subnets = state.cloud.floating_subnets
    pattern = NamePattern(name)
    tagged = [subnet for subnet in subnets or () if _has_tags(subnet, tags)]
    found = pattern.first_of(tagged)
    if subnets is None or (tagged and found is False):
        how = " and ".join(part for part in (f"name {name}" if name else "", f"tags {tags}" if tags else "") if part)
        state.notes.assume(f"the floating IP's subnet is looked for by its {how}; {FLOATING_SUBNET} is assumed")
        return FLOATING_SUBNET
    if not tagged:
        raise CcmError(f"could not find subnets for network {floating.network}")
    if found:
        return found.id
    criteria = (f", pattern: {quoted(name)}" if name else "") + (
        f"{'' if name else ', '}tags: {quoted(tags)}" if tags else ""
    )
    raise CcmError(f"no subnet matching {criteria} found for network {floating.network}")


def _named(state: ReconcileState, name: str) -> str:
    """The one subnet of a name, up to 1.20."""
    ids = named(state.cloud, name)
    if ids is None:
        state.notes.assume(f"the floating IP's subnet is looked for by its name {name}; {FLOATING_SUBNET} is assumed")
        return FLOATING_SUBNET
    if len(ids) == 1:
        return ids[0]
    if state.behaviours["service-config"]:
        return ""
    why = "find multiple subnets with name" if ids else "could not find subnet"
    raise CcmError(f"failed to find floatingip subnet: {why} {name}")


def _has_tags(subnet: Subnet, tag_filter: str) -> bool:
    """Whether Neutron lists a subnet: ``&`` asks for tags or not-tags-any, without it for tags-any or not-tags."""
    if not tag_filter:
        return True
    negated = tag_filter.startswith("!")
    tag_filter = tag_filter.removeprefix("!")
    every = tag_filter.startswith("&")
    tags = [tag for tag in re.split(r"[\s,]+", tag_filter.removeprefix("&")) if tag]
    matches = [tag in subnet.tags for tag in tags]
    if not matches:
        return True
    if negated:
        return not any(matches) if every else not all(matches)
    return all(matches) if every else any(matches)


def publish(state: ReconcileState, address: str) -> tuple[Published, ...]:
    """What the Service's status says.

    Raises:
        CcmError: The CCM crashes here.
    """
    behaviours, options = state.behaviours, state.options
    annotations = Annotations(state.service.annotations, behaviours)
    if behaviours["hostname-annotation"] and annotations.text("hostname"):
        return (Published(hostname=annotations.text("hostname")),)
    if state.spec.proxy and options.enable_ingress_hostname:
        if behaviours["ingress-hostname-panics"]:
            raise CcmCrash("runtime error: index out of range [0] with length 0")
        return (Published(hostname=f"{address}.{options.ingress_hostname_suffix}"),)
    mode = ""
    if behaviours["sets-ip-mode"]:
        mode = "Proxy" if state.spec.proxy else "VIP"
    return (Published(ip=address, ip_mode=mode),)


def _send(state: ReconcileState, method: str, path: str, body: Json | None = None) -> None:
    state.requests.append(Request(method, f"/v2.0/{path}", body, "neutron"))
