"""A load balancer that was made under another cluster name gets the new one, its parts first.

Source: cloud-provider-openstack pkg/openstack/loadbalancer_rename.go, since 1.29.1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.predict.notes import cut
from ccmcheck.predict.records import Event

if TYPE_CHECKING:
    from ccmcheck.predict.calls import Calls
    from ccmcheck.predict.cloud import Balancer, Listener, Monitor, Pool

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


def rename(calls: Calls, before: Balancer) -> Balancer:
    """Rename a load balancer and its parts.

    Args:
        calls: Takes the requests.
        before: The load balancer.

    Returns:
        It, as it is afterwards.
    """
    name, cluster = calls.wanted.name, calls.cloud.cluster
    calls.notes.events.append(
        Event(
            "Warning",
            "LoadBalancerRename",
            f"Loadbalancer {before.id} has a name of {before.name} with incorrect cluster-name component. "
            f"Renaming it to {name}.",
        )
    )
    listeners = tuple(_rename_listener(calls, one, cluster) for one in before.listeners)
    tags = tuple(_renamed_tag(tag, cluster) for tag in before.tags)
    calls.send("PUT", f"loadbalancers/{before.id}", {"loadbalancer": {"name": name, "tags": list(tags)}})
    return before._replace(name=name, tags=tags, listeners=listeners)


def _rename_listener(calls: Calls, listener: Listener, cluster: str) -> Listener:
    if not listener.name.startswith("listener_"):
        return listener
    old = cluster_of(listener.name, "listener_")
    if old == cluster:
        return listener
    pool = listener.pool
    if pool is not None:
        old = cluster_of(pool.name, "pool_")
        if old != cluster:
            pool = _rename_pool(calls, pool, old, cluster)
    tags = tuple(_renamed_tag(tag, cluster) for tag in listener.tags)
    name = _replaced(old, cluster, listener.name)
    calls.send("PUT", f"listeners/{listener.id}", {"listener": {"name": name, "tags": list(tags)}})
    return listener._replace(name=name, tags=tags, pool=pool)


def _rename_pool(calls: Calls, pool: Pool, old: str, cluster: str) -> Pool:
    monitor: Monitor | None = pool.monitor
    if monitor is not None:
        theirs = cluster_of(monitor.name, "monitor_")
        if theirs != cluster:
            monitor = monitor._replace(name=_replaced(theirs, cluster, monitor.name))
            calls.send("PUT", f"healthmonitors/{monitor.id}", {"healthmonitor": {"name": monitor.name}})
    name = _replaced(old, cluster, pool.name)
    calls.send("PUT", f"pools/{pool.id}", {"pool": {"name": name}})
    return pool._replace(name=name, monitor=monitor)


def _renamed_tag(tag: str, cluster: str) -> str:
    old = cluster_of(tag)
    return _replaced(old, cluster, tag) if old and old != cluster else tag


def _replaced(old: str, new: str, name: str) -> str:
    """The first occurrence after the prefix; an empty old name puts the new one first, as Go's strings.Replace does."""
    rest = name.removeprefix(_FIRST)
    return cut((_FIRST if rest != name else "") + rest.replace(old, new, 1))
