"""An inventory's load balancers, floating IPs and security groups as the prediction's records."""

from __future__ import annotations

from ccmcheck.cluster.access.documents import mapping, mappings, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import cloud_state
from ccmcheck.cluster.octavia.names import group_uid
from ccmcheck.cluster.octavia.reader import OctaviaInventory


def balancer_record(inventory: OctaviaInventory, balancer: Document) -> cloud_state.Balancer:
    """A load balancer with all its parts."""
    pools = {text(pool.get("id")): _pool(inventory, pool) for pool in inventory.pools_of(balancer)}
    listeners = tuple(
        _listener(listener, pools.get(text(listener.get("default_pool_id"))))
        for listener in inventory.listeners_of(balancer)
    )
    return cloud_state.Balancer(
        text(balancer.get("id")),
        text(balancer.get("name")),
        listeners,
        texts(balancer.get("tags")),
        text(balancer.get("vip_address")),
        text(balancer.get("vip_port_id")),
        text(balancer.get("vip_subnet_id")),
        text(balancer.get("provisioning_status")),
        text(balancer.get("provider")),
    )


def floating_ip_record(address: Document) -> cloud_state.FloatingIP:
    """A floating IP."""
    return cloud_state.FloatingIP(
        text(address.get("id")),
        text(address.get("floating_ip_address")),
        text(address.get("port_id")),
        text(address.get("description")),
    )


def floating_ips_by_port(inventory: OctaviaInventory) -> dict[str, cloud_state.FloatingIP]:
    """The floating IPs in use, by the port that they are on."""
    return {
        text(address.get("port_id")): floating_ip_record(address)
        for address in inventory.floating_ips
        if address.get("port_id")
    }


def groups_by_uid(inventory: OctaviaInventory) -> dict[str, cloud_state.Group]:
    """The security groups that the CCM made, by the UID of the Service."""
    return {
        group_uid(text(group.get("name"))): cloud_state.Group(
            text(group.get("id")), tuple(map(_rule, mappings(group.get("security_group_rules"))))
        )
        for group in inventory.groups
    }


def texts(value: object) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def number(value: object) -> int:
    """A number; 0 for none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _listener(listener: Document, pool: cloud_state.Pool | None) -> cloud_state.Listener:
    found_listener = cloud_state.Listener(
        text(listener.get("id")), text(listener.get("protocol")), number(listener.get("protocol_port")), pool
    )
    timeouts = {
        field: number(listener.get(field))
        for field in ("timeout_client_data", "timeout_member_connect", "timeout_member_data", "timeout_tcp_inspect")
        if listener.get(field) is not None
    }
    return found_listener._replace(
        tags=texts(listener.get("tags")),
        connection_limit=number(listener.get("connection_limit", -1)),
        insert_headers={str(key): str(value) for key, value in mapping(listener.get("insert_headers")).items()},
        default_tls_container_ref=text(listener.get("default_tls_container_ref")),
        allowed_cidrs=texts(listener.get("allowed_cidrs")),
        name=text(listener.get("name")),
        **timeouts,  # type: ignore[arg-type]  # of the timeouts, which are numbers
    )


def _pool(inventory: OctaviaInventory, pool: Document) -> cloud_state.Pool:
    identifier = text(pool.get("id"))
    monitor = inventory.monitors.get(text(pool.get("healthmonitor_id")))
    return cloud_state.Pool(
        identifier,
        text(pool.get("protocol")),
        text(pool.get("lb_algorithm")),
        tuple(map(_member, inventory.members.get(identifier, ()))),
        _monitor(monitor) if monitor is not None else None,
        text(pool.get("name")),
        text(mapping(pool.get("session_persistence")).get("type")),
    )


def _member(member: Document) -> cloud_state.Member:
    return cloud_state.Member(
        text(member.get("id")),
        text(member.get("address")),
        number(member.get("protocol_port")),
        text(member.get("name")),
        number(member.get("monitor_port")),
        text(member.get("subnet_id")),
    )


def _monitor(monitor: Document) -> cloud_state.Monitor:
    return cloud_state.Monitor(
        text(monitor.get("id")),
        text(monitor.get("type")),
        number(monitor.get("delay")),
        number(monitor.get("timeout")),
        number(monitor.get("max_retries")),
        number(monitor.get("max_retries_down")),
        text(monitor.get("name")),
    )


def _rule(rule: Document) -> cloud_state.GroupRule:
    return cloud_state.GroupRule(
        text(rule.get("id")),
        text(rule.get("protocol")),
        number(rule.get("port_range_min")),
        number(rule.get("port_range_max")),
        text(rule.get("remote_ip_prefix")),
        text(rule.get("ethertype")),
        text(rule.get("direction")),
    )
