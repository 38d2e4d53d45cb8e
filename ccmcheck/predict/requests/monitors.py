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
    from ccmcheck.predict.requests.reconcile_state import ReconcileState


def ensure_monitor(
    state: ReconcileState, port: ServicePort, pool: Pool | None, pool_id: str, name: str, *, http: bool
) -> None:
    """Bring a pool's monitor to what is wanted.

    Args:
        state: Takes the requests.
        port: The Service's port.
        pool: The pool that is there; None for a new one.
        pool_id: Its ID, or what stands for it.
        name: The monitor's name; empty to send none.
        http: Whether it asks the health check node port.

    Raises:
        CcmError: The client refuses to send it.
    """
    behaviours, wanted = state.behaviours, state.wanted
    there = pool.monitor if pool is not None else None
    if behaviours["renames-monitors"]:
        _ensure(state, port, there, pool_id, name, http=http)
        return
    current = there.id if there is not None else ""
    if there is not None:
        if _is_other_type(state, port, there, http=http):
            state.send("DELETE", f"healthmonitors/{there.id}")
            current = ""
        if behaviours["updates-monitors"] and _timers(state) != (there.delay, there.timeout, there.max_retries):
            # also after it was deleted: the path then ends with the slash
            state.send("PUT", f"healthmonitors/{current}", {"healthmonitor": _changes(state, "")})
    if not current and wanted.monitor:
        _create(state, port, pool_id, name, http=http)
    elif current and not wanted.monitor:
        state.send("DELETE", f"healthmonitors/{current}")


def _ensure(
    state: ReconcileState, port: ServicePort, there: Monitor | None, pool_id: str, name: str, *, http: bool
) -> None:
    wanted = state.wanted
    if there is None:
        if wanted.monitor:
            _create(state, port, pool_id, name, http=http)
        return
    if not wanted.monitor:
        state.send("DELETE", f"healthmonitors/{there.id}")
        return
    if _is_other_type(state, port, there, http=http):
        state.send("DELETE", f"healthmonitors/{there.id}")
        _create(state, port, pool_id, name, http=http)
        return
    if name != there.name or (*_timers(state), wanted.retries_down or 0) != (
        there.delay,
        there.timeout,
        there.max_retries,
        there.max_retries_down,
    ):
        state.send("PUT", f"healthmonitors/{there.id}", {"healthmonitor": _changes(state, name)})


def _is_other_type(state: ReconcileState, port: ServicePort, there: Monitor, *, http: bool) -> bool:
    if state.behaviours["recreates-monitors"]:
        wanted = bodies.monitor(port, state.wanted, "", state.behaviours, http=http, alone=False)
        return wanted["type"] != there.type
    if state.behaviours["recreates-monitors-of-local"]:
        return (state.wanted.check_port > 0) != (there.type == "HTTP")
    return False


def _timers(state: ReconcileState) -> tuple[int, int, int]:
    wanted = state.wanted
    return wanted.delay, wanted.timeout, wanted.retries


def _changes(state: ReconcileState, name: str) -> Json:
    """An update; fields that are 0 are left out, so that such a monitor never comes to what is wanted."""
    wanted = state.wanted
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


def _create(state: ReconcileState, port: ServicePort, pool_id: str, name: str, *, http: bool) -> None:
    try:
        body = bodies.monitor(port, state.wanted, name, state.behaviours, http=http, alone=True)
    except CcmError as error:
        of_pool = "" if state.behaviours["tags-and-shares"] else f" for pool {pool_id}"
        raise CcmError(f"failed to create healthmonitor{of_pool}: {error}") from None
    body["pool_id"] = pool_id
    state.send("POST", "healthmonitors", {"healthmonitor": body})
