"""The monitor of an existing pool: created, updated, recreated or deleted, depending on the release.

Source: cloud-provider-openstack ensureOctaviaHealthMonitor at every tag since 1.19.
"""

from __future__ import annotations

from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.predict.inputs.annotations import Annotations, CcmError
from ccmcheck.predict.inputs.cloud_state import Monitor, Pool
from ccmcheck.predict.inputs.service import ServicePort
from ccmcheck.predict.records import Json
from ccmcheck.predict.requests import bodies
from ccmcheck.predict.requests.reconcile_state import ReconcileState


def ensure_monitor(
    state: ReconcileState, port: ServicePort, pool: Pool | None, pool_id: str, name: str, *, http: bool
) -> None:
    """Reconcile a pool's monitor with the spec.

    Args:
        state: Takes the requests.
        port: The Service's port.
        pool: The existing pool; None for a new one.
        pool_id: Its ID, or its placeholder.
        name: The monitor's name; empty to send none.
        http: Whether it asks the health check node port.

    Raises:
        CcmError: The client refuses to send it.
    """
    behaviours, spec = state.behaviours, state.spec
    existing = pool.monitor if pool is not None else None
    if behaviours["renames-monitors"]:
        _ensure(state, port, existing, pool_id, name, http=http)
        return
    current = existing.id if existing is not None else ""
    if existing is not None:
        if _is_other_type(state, port, existing, http=http):
            state.send("DELETE", f"healthmonitors/{existing.id}")
            current = ""
        if behaviours["updates-monitors"] and _timers(state) != (
            existing.delay,
            existing.timeout,
            existing.max_retries,
        ):
            # also after it was deleted: the path then ends with the slash
            _note_zeros(state, existing)
            state.send("PUT", f"healthmonitors/{current}", {"healthmonitor": _changes(state, "")})
    if not current and spec.monitor:
        _create(state, port, pool_id, name, http=http)
    elif current and not spec.monitor:
        state.send("DELETE", f"healthmonitors/{current}")


def _ensure(
    state: ReconcileState, port: ServicePort, existing: Monitor | None, pool_id: str, name: str, *, http: bool
) -> None:
    spec = state.spec
    if existing is None:
        if spec.monitor:
            _create(state, port, pool_id, name, http=http)
        return
    if not spec.monitor:
        state.send("DELETE", f"healthmonitors/{existing.id}")
        return
    if _is_other_type(state, port, existing, http=http):
        state.send("DELETE", f"healthmonitors/{existing.id}")
        _create(state, port, pool_id, name, http=http)
        return
    if name != existing.name or (*_timers(state), spec.retries_down or 0) != (
        existing.delay,
        existing.timeout,
        existing.max_retries,
        existing.max_retries_down,
    ):
        _note_zeros(state, existing)
        state.send("PUT", f"healthmonitors/{existing.id}", {"healthmonitor": _changes(state, name)})


def _note_zeros(state: ReconcileState, existing: Monitor) -> None:
    """Say of each 0 that it is not sent."""
    spec, annotations = state.spec, Annotations(state.service.annotations, state.behaviours)
    for key, value, kept in (
        ("monitor-delay", spec.delay, f"{existing.delay} s"),
        ("monitor-timeout", spec.timeout, f"{existing.timeout} s"),
        ("monitor-max-retries", spec.retries, str(existing.max_retries)),
    ):
        if not value:
            annotated = state.behaviours["monitor-timer-annotations"] and annotations.has(f"health-{key}")
            what = f"{PREFIX}health-{key}" if annotated else key
            why = f"0 is not sent: the monitor that is there keeps {kept}, and the CCM updates it at every reconcile"
            if (what, why) not in state.notes.ignored:
                state.notes.ignore(what, why)


def _is_other_type(state: ReconcileState, port: ServicePort, existing: Monitor, *, http: bool) -> bool:
    if state.behaviours["recreates-monitors"]:
        spec = bodies.monitor(port, state.spec, "", state.behaviours, http=http, alone=False)
        return spec["type"] != existing.type
    if state.behaviours["recreates-monitors-of-local"]:
        return (state.spec.check_port > 0) != (existing.type == "HTTP")
    return False


def _timers(state: ReconcileState) -> tuple[int, int, int]:
    spec = state.spec
    return spec.delay, spec.timeout, spec.retries


def _changes(state: ReconcileState, name: str) -> Json:
    """An update; fields that are 0 are left out, so that such a monitor never matches the spec."""
    spec = state.spec
    body: Json = {}
    if name:
        body["name"] = name
    for field, value in (
        ("delay", spec.delay),
        ("timeout", spec.timeout),
        ("max_retries", spec.retries),
        ("max_retries_down", (spec.retries_down or 0) if name else 0),
    ):
        if value:
            body[field] = value
    return body


def _create(state: ReconcileState, port: ServicePort, pool_id: str, name: str, *, http: bool) -> None:
    try:
        body = bodies.monitor(port, state.spec, name, state.behaviours, http=http, alone=True)
    except CcmError as error:
        of_pool = "" if state.behaviours["tags-and-shares"] else f" for pool {pool_id}"
        raise CcmError(f"failed to create healthmonitor{of_pool}: {error}") from None
    body["pool_id"] = pool_id
    state.send("POST", "healthmonitors", {"healthmonitor": body})
