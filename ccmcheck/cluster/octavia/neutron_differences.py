"""The floating IP and the security group of a Service beside those that the CCM would make."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.access.documents import mappings, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import cloud_state, predictions, ranges
from ccmcheck.cluster.octavia.balancers import texts
from ccmcheck.cluster.octavia.differences import Difference
from ccmcheck.cluster.octavia.reader import OctaviaInventory
from ccmcheck.cluster.octavia.requests import FLOATING_IPS, GROUPS

_MOST_NAMES = 3


def of_floating_ip(
    cloud: cloud_state.CloudState, made: predictions.Prediction, inventory: OctaviaInventory
) -> Iterator[Difference]:
    """Whether there is a floating IP where the CCM would make one.

    Args:
        cloud: The cloud with the load balancer.
        made: What the CCM would make.
        inventory: What the project has.
    """
    if FLOATING_IPS.key in inventory.unread or cloud.balancer is None:
        return
    live, wanted = cloud.floating_ip, made.floating
    is_known = wanted.network != predictions.EXTERNAL_NETWORK and ranges.family(cloud.balancer.address) == 4
    if live is None and wanted.wanted and is_known:
        yield Difference("floating-ip", "", "none", "one")
    elif live is not None and not wanted.wanted and wanted.why == "the Service is internal":
        yield Difference("floating-ip-extra", "", live.address, "none")


def of_group(
    live: cloud_state.Group | None, made: predictions.Prediction, inventory: OctaviaInventory
) -> Iterator[Difference]:
    """Compare the security group and its rules.

    Args:
        live: The Service's group; None without one.
        made: What the CCM would make.
        inventory: What the project has.
    """
    if GROUPS.key in inventory.unread:
        return
    if made.rules is None or live is None:
        if live is not None:
            yield Difference("security-group-extra", "", "one", "none: manage-security-groups is off")
        elif made.rules is not None:
            yield Difference("security-group", "", "none", f"one with {len(made.rules)} rules")
        return
    if any(rule.remote.startswith(predictions.MEMBER_CIDR) for rule in made.rules):
        return
    wanted = {(rule.protocol.lower(), rule.port, rule.remote, rule.ethertype) for rule in made.rules}
    there = {
        (rule.protocol.lower(), rule.port_min, rule.remote, rule.ethertype)
        for rule in live.rules
        if rule.direction == "ingress"
    }
    if missing := sorted(wanted - there):
        protocol, port, remote, _ = missing[0]
        yield Difference(
            "security-group-rules",
            "",
            f"{len(missing)} missing",
            f"{len(wanted)} rules, as {protocol} {port} from {remote}",
        )


def of_ports(
    cloud: cloud_state.CloudState, made: predictions.Prediction, inventory: OctaviaInventory, doubtful: frozenset[str]
) -> Iterator[Difference]:
    """Whether the security group is on the ports of the nodes that are members.

    Args:
        cloud: The cloud with the load balancer and the group.
        made: What the CCM would make.
        inventory: What the project has.
        doubtful: See `Expected.doubtful`.
    """
    group, balancer = cloud.group, cloud.balancer
    if made.rules is None or group is None or balancer is None:
        return
    pools = (listener.pool for listener in balancer.listeners if listener.pool is not None)
    members = {member.address for pool in pools for member in pool.members} - doubtful
    put = {name for name, *_ in group.ports}  # by a sync that is predicted
    lacking = [
        node.name
        for node in cloud.nodes or ()
        if f"{{port of {node.name}}}" not in put
        and any(
            group.id not in texts(port.get("security_groups"))
            for port in inventory.ports.get((node.provider_id or "").rpartition("/")[2], ())
            if port.get("port_security_enabled", True) and not members.isdisjoint(_addresses(port))
        )
    ]
    if lacking:
        names = ", ".join(lacking[:_MOST_NAMES]) + (" …" if len(lacking) > _MOST_NAMES else "")
        yield Difference("security-group-ports", "", f"not at {names}", "on the port of every member")


def _addresses(port: Document) -> Iterator[str]:
    return (text(one.get("ip_address")) for one in mappings(port.get("fixed_ips")))
