"""The monitor of a pool that is there: made, changed, made anew or deleted, by what the release does.

Source: cloud-provider-openstack ensureOctaviaHealthMonitor at every tag since 1.19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.predict.inputs.annotations import CcmError
from ccmcheck.predict.requests import bodies

if TYPE_CHECKING:
    from ccmcheck.predict.inputs.cloud_state import Monitor, Pool
    from ccmcheck.predict.inputs.service import ServicePort
    from ccmcheck.predict.records import Json
    from ccmcheck.predict.requests.calls import Calls


def ensure_monitor(calls: Calls, port: ServicePort, pool: Pool | None, pool_id: str, name: str, *, http: bool) -> None:
    """Bring a pool's monitor to what is wanted.

    Args:
        calls: Takes the requests.
        port: The Service's port.
        pool: The pool that is there; None for a new one.
        pool_id: Its ID, or what stands for it.
        name: The monitor's name; empty to send none.
        http: Whether it asks the health check node port.

    Raises:
        CcmError: The client refuses to send it.
    """
    behaviours, wanted = calls.behaviours, calls.wanted
    there = pool.monitor if pool is not None else None
    if behaviours["renames-monitors"]:
        _ensure(calls, port, there, pool_id, name, http=http)
        return
    current = there.id if there is not None else ""
    if there is not None:
        if _is_other_type(calls, port, there, http=http):
            calls.send("DELETE", f"healthmonitors/{there.id}")
            current = ""
        if behaviours["updates-monitors"] and _timers(calls) != (there.delay, there.timeout, there.max_retries):
            # also after it was deleted: the path then ends with the slash
            calls.send("PUT", f"healthmonitors/{current}", {"healthmonitor": _changes(calls, "")})
    if not current and wanted.monitor:
        _create(calls, port, pool_id, name, http=http)
    elif current and not wanted.monitor:
        calls.send("DELETE", f"healthmonitors/{current}")


def _ensure(calls: Calls, port: ServicePort, there: Monitor | None, pool_id: str, name: str, *, http: bool) -> None:
    wanted = calls.wanted
    if there is None:
        if wanted.monitor:
            _create(calls, port, pool_id, name, http=http)
        return
    if not wanted.monitor:
        calls.send("DELETE", f"healthmonitors/{there.id}")
        return
    if _is_other_type(calls, port, there, http=http):
        calls.send("DELETE", f"healthmonitors/{there.id}")
        _create(calls, port, pool_id, name, http=http)
        return
    if name != there.name or (*_timers(calls), wanted.retries_down or 0) != (
        there.delay,
        there.timeout,
        there.max_retries,
        there.max_retries_down,
    ):
        calls.send("PUT", f"healthmonitors/{there.id}", {"healthmonitor": _changes(calls, name)})


def _is_other_type(calls: Calls, port: ServicePort, there: Monitor, *, http: bool) -> bool:
    if calls.behaviours["recreates-monitors"]:
        wanted = bodies.monitor(port, calls.wanted, "", calls.behaviours, http=http, alone=False)
        return wanted["type"] != there.type
    if calls.behaviours["recreates-monitors-of-local"]:
        return (calls.wanted.check_port > 0) != (there.type == "HTTP")
    return False


def _timers(calls: Calls) -> tuple[int, int, int]:
    wanted = calls.wanted
    return wanted.delay, wanted.timeout, wanted.retries


def _changes(calls: Calls, name: str) -> Json:
    """An update; fields that are 0 are left out, so that such a monitor never comes to what is wanted."""
    wanted = calls.wanted
    body: Json = {}
    if name:
        body["name"] = name
    for field, value in (
        ("delay", wanted.delay),
        ("timeout", wanted.timeout),
        ("max_retries", wanted.retries),
        ("max_retries_down", (wanted.retries_down or 0) if name else 0),
    ):
        if value:
            body[field] = value
    return body


def _create(calls: Calls, port: ServicePort, pool_id: str, name: str, *, http: bool) -> None:
    try:
        body = bodies.monitor(port, calls.wanted, name, calls.behaviours, http=http, alone=True)
    except CcmError as error:
        of_pool = "" if calls.behaviours["tags-and-shares"] else f" for pool {pool_id}"
        raise CcmError(f"failed to create healthmonitor{of_pool}: {error}") from None
    body["pool_id"] = pool_id
    calls.send("POST", "healthmonitors", {"healthmonitor": body})
