"""An inventory's load balancers, floating IPs and security groups as the prediction's records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ccmcheck.cluster.access.documents import mapping, mappings, number, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import cloud_state
from ccmcheck.cluster.octavia.names import group_uid
from ccmcheck.cluster.octavia.reader import OctaviaInventory

_Record = TypeVar("_Record")

_BALANCER = {
    "address": "vip_address",
    "port": "vip_port_id",
    "subnet": "vip_subnet_id",
    "status": "provisioning_status",
}
_MEMBER = {"port": "protocol_port", "subnet": "subnet_id"}
_FLOATING_IP = {"address": "floating_ip_address", "port": "port_id"}
_RULE = {"port_min": "port_range_min", "port_max": "port_range_max", "remote": "remote_ip_prefix"}
"""From fields of the records to those of the APIs, where their names differ."""


def balancer_record(inventory: OctaviaInventory, balancer: Document) -> cloud_state.Balancer:
    """A load balancer with all its parts."""
    pools = {text(pool.get("id")): _pool(inventory, pool) for pool in inventory.pools_of(balancer)}
    listeners = tuple(
        _listener(listener, pools.get(text(listener.get("default_pool_id"))))
        for listener in inventory.listeners_of(balancer)
    )
    provider = text(balancer.get("provider"))
    tags = texts(balancer.get("tags"))
    return _record(cloud_state.Balancer, balancer, _BALANCER, listeners=listeners, tags=tags, provider=provider)


def floating_ips_by_port(inventory: OctaviaInventory) -> dict[str, cloud_state.FloatingIP]:
    """The floating IPs in use, by the port that they are on."""
    return {
        text(address.get("port_id")): _record(cloud_state.FloatingIP, address, _FLOATING_IP)
        for address in inventory.floating_ips
        if address.get("port_id")
    }


def groups_by_uid(inventory: OctaviaInventory) -> dict[str, cloud_state.Group]:
    """The security groups that the CCM made, by the UID of the Service."""
    return {
        group_uid(text(group.get("name"))): cloud_state.Group(
            text(group.get("id")),
            tuple(_record(cloud_state.GroupRule, rule, _RULE) for rule in mappings(group.get("security_group_rules"))),
        )
        for group in inventory.groups
    }


def texts(value: object) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _listener(listener: Document, pool: cloud_state.Pool | None) -> cloud_state.Listener:
    return _record(
        cloud_state.Listener,
        listener,
        {"port": "protocol_port"},
        pool=pool,
        tags=texts(listener.get("tags")),
        insert_headers={str(key): str(value) for key, value in mapping(listener.get("insert_headers")).items()},
        allowed_cidrs=texts(listener.get("allowed_cidrs")),
    )


def _pool(inventory: OctaviaInventory, pool: Document) -> cloud_state.Pool:
    monitor = inventory.monitors.get(text(pool.get("healthmonitor_id")))
    members = inventory.members.get(text(pool.get("id")), ())
    return _record(
        cloud_state.Pool,
        pool,
        {"method": "lb_algorithm"},
        members=tuple(_record(cloud_state.Member, member, _MEMBER) for member in members),
        monitor=_record(cloud_state.Monitor, monitor, {}) if monitor is not None else None,
        persistence=text(mapping(pool.get("session_persistence")).get("type")),
    )


def _record(kind: type[_Record], document: Document, names: Mapping[str, str], **others: Any) -> _Record:  # noqa: ANN401
    """An object of an API as a record; a number that it lacks is the record's default.

    Args:
        kind: The kind of record, whose texts and numbers are read.
        document: The object.
        names: The API's names of the fields that have another there.
        others: The fields that are read otherwise.
    """
    defaults: Mapping[str, Any] = kind._field_defaults  # type: ignore[attr-defined]  # it is a NamedTuple
    for field, of in kind.__annotations__.items():
        value = document.get(names.get(field, field))
        if field not in others and of == "str":
            others[field] = text(value)
        elif field not in others and of == "int":
            others[field] = number(defaults.get(field) if value is None else value)
    return kind(**others)
