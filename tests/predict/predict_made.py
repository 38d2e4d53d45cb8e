"""The load balancer that a prediction's one request makes, as Octavia would list it."""

from __future__ import annotations

from predict_cases import Json, balancer

from ccmcheck.predict.inputs.cloud_state import Balancer, Listener, Member, Monitor, Pool
from ccmcheck.predict.records import Prediction

_DEFAULTS = {
    "timeout_client_data": 50000,
    "timeout_member_connect": 5000,
    "timeout_member_data": 50000,
    "timeout_tcp_inspect": 0,
}


def made(found: Prediction) -> Balancer:
    """The load balancer after the request."""
    asked = balancer(found)
    return Balancer(
        "lb-1",
        asked["name"],
        tuple(_listener(index, one) for index, one in enumerate(asked["listeners"])),
        tuple(asked.get("tags", ())),
        "10.0.0.200",
        "port-1",
        asked.get("vip_subnet_id", ""),
    )


def _listener(index: int, one: Json) -> Listener:
    timeouts = {field: one.get(field, default) for field, default in _DEFAULTS.items()}
    return Listener(
        f"listener-{index}",
        one["protocol"],
        one["protocol_port"],
        _pool(index, one["default_pool"]),
        tuple(one.get("tags", ())),
        one["connection_limit"],
        insert_headers=one.get("insert_headers", {}),
        default_tls_container_ref=one.get("default_tls_container_ref", ""),
        allowed_cidrs=tuple(one.get("allowed_cidrs", ())),
        name=one.get("name", ""),
        **timeouts,
    )


def _pool(index: int, one: Json) -> Pool:
    members = tuple(
        Member(
            f"member-{index}-{number}",
            each["address"],
            each["protocol_port"],
            each["name"],
            each.get("monitor_port", 0),
        )
        for number, each in enumerate(one.get("members", ()))
    )
    return Pool(
        f"pool-{index}",
        one["protocol"],
        one["lb_algorithm"],
        members,
        _monitor(index, one["healthmonitor"]) if "healthmonitor" in one else None,
        one.get("name", ""),
    )


def _monitor(index: int, one: Json) -> Monitor:
    return Monitor(
        f"monitor-{index}",
        one["type"],
        one["delay"],
        one["timeout"],
        one["max_retries"],
        one.get("max_retries_down", 3),
        one.get("name", ""),
    )
