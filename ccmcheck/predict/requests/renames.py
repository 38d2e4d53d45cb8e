"""A load balancer that was made under another cluster name gets the new one, its parts first.

Source: cloud-provider-openstack pkg/openstack/loadbalancer_rename.go, since 1.29.1.
"""

from __future__ import annotations

import re

from ccmcheck.predict.inputs.annotations import CcmError
from ccmcheck.predict.inputs.cloud_state import Balancer, Listener, Monitor, Pool
from ccmcheck.predict.records import Json
from ccmcheck.predict.requests.notes import cut
from ccmcheck.predict.requests.reconcile_state import ReconcileState

_FIRST = "kube_service_"
_LONGEST = 255


def cluster_of(name: str, prefix: str = "") -> str:
    """The cluster's name in the name of a load balancer or, with its prefix, of a part.

    Args:
        name: The name.
        prefix: ``listener_``, ``pool_`` or ``monitor_``; empty for a load balancer.
    """
    if len(name) > 4 * _LONGEST:
        return ""
    numbered = f"{prefix}[0-9]+_" if prefix else ""
    # the lazy group takes as little as the two optional parts after it allow
    match = re.search(f"{numbered}{_FIRST}(.+?)_[^_]+(?:_[^_]+)?$", name)
    return match[1] if match is not None else ""


def rename(state: ReconcileState, before: Balancer) -> Balancer:
    """Rename a load balancer and its parts.

    Returns:
        It, as it is afterwards.

    Raises:
        CcmError: A part cannot be renamed; what was sent before stays so.
    """
    name, cluster = state.spec.name, state.cloud.cluster_name
    state.notes.warn(
        "LoadBalancerRename",
        f"Loadbalancer {before.id} has a name of {before.name} with incorrect cluster-name component. "
        f"Renaming it to {name}.",
    )
    renamed = _Renamed(state, before, cluster)
    try:
        listeners = tuple(renamed.listener(listener) for listener in before.listeners)
        tags = tuple(_renamed_tag(tag, cluster) for tag in before.tags)
        renamed.put(f"loadbalancers/{before.id}", {"loadbalancer": {"name": name, "tags": list(tags)}})
    except CcmError as error:
        cause = f": {error}" if state.behaviours["renaming-says-why"] else ""
        raise CcmError(f"failed to update load balancer {before.id} with an updated name{cause}") from None
    return before._replace(name=name, tags=tags, listeners=listeners)


class _Renamed:
    """Renames the parts of one load balancer."""

    def __init__(self, state: ReconcileState, before: Balancer, cluster: str) -> None:
        self._calls = state
        self._before = before
        self._cluster = cluster

    def put(self, path: str, body: Json) -> None:
        """Send one change.

        Raises:
            CcmError: Octavia changes nothing now.
        """
        self._calls.send("PUT", path, body)
        if self._before.status != "ACTIVE":
            failed = "failed to update healthmonitor: " if path.startswith("healthmonitors/") else ""
            raise CcmError(f"{failed}Load Balancer {self._before.id} is immutable and cannot be updated.")

    def listener(self, listener: Listener) -> Listener:
        """A listener, as it is afterwards.

        Raises:
            CcmError: It has no pool, or nothing can be changed now.
        """
        cluster = self._cluster
        if not listener.name.startswith("listener_") or cluster_of(listener.name, "listener_") == cluster:
            return listener
        pool = listener.pool
        if pool is None:
            raise CcmError("failed to find object")
        old = cluster_of(pool.name, "pool_")
        if old != cluster:
            pool = self._pool(pool, old)
        tags = tuple(_renamed_tag(tag, cluster) for tag in listener.tags)
        # the pool's old name is looked for, not the listener's own
        name = _replaced(old, cluster, listener.name)
        self.put(f"listeners/{listener.id}", {"listener": {"name": name, "tags": list(tags)}})
        return listener._replace(name=name, tags=tags, pool=pool)

    def _pool(self, pool: Pool, old: str) -> Pool:
        monitor: Monitor | None = pool.monitor
        if monitor is not None:
            theirs = cluster_of(monitor.name, "monitor_")
            if theirs != self._cluster:
                monitor = monitor._replace(name=_replaced(theirs, self._cluster, monitor.name))
                self.put(f"healthmonitors/{monitor.id}", {"healthmonitor": {"name": monitor.name}})
        name = _replaced(old, self._cluster, pool.name)
        self.put(f"pools/{pool.id}", {"pool": {"name": name}})
        return pool._replace(name=name, monitor=monitor)


def _renamed_tag(tag: str, cluster: str) -> str:
    old = cluster_of(tag)
    return _replaced(old, cluster, tag) if old and old != cluster else tag


def _replaced(old: str, new: str, name: str) -> str:
    """The first occurrence after the prefix; an empty old name puts the new one first, as Go's strings.Replace does."""
    rest = name.removeprefix(_FIRST)
    return cut((_FIRST if rest != name else "") + rest.replace(old, new, 1))
