"""Why a Service has no address, from the events that the real service controller, CCM and Octavia make."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from kube_processes import until

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.client import open_cluster
from ccmcheck.cluster.access.kubeconfig import Access
from ccmcheck.cluster.access.messages import Messages
from ccmcheck.cluster.access.transport import Transport, items
from ccmcheck.cluster.live.services import Chains, live_services

if TYPE_CHECKING:
    from kube_checks import Checks
    from kube_stack import Stack

    from ccmcheck.carriers.live import LiveService

_PREFIX = "loadbalancer.openstack.org/"
_CASES = {
    "by-ccm": ({f"{_PREFIX}class": "gold"}, "gold"),
    "by-octavia": ({f"{_PREFIX}flavor-id": "3f0c1f6e-0000-4000-8000-000000000000"}, "was answered 400: "),
}
"""Services that get no address, by name: their annotations, and what the chain says."""


def check_pending(checks: Checks, cluster: Stack, conf: str) -> None:
    """Run all checks, while a CCM runs.

    Args:
        checks: Counts.
        cluster: The cluster.
        conf: The CCM's cloud.conf.
    """
    for name, (given, _) in _CASES.items():
        spec = {"type": "LoadBalancer", "selector": {"app": name}, "ports": [{"port": 80}]}
        cluster.create_service({"metadata": {"name": name, "annotations": given}, "spec": spec})
    opened = open_cluster(Access(kubeconfig=str(cluster.kubeconfig)))
    transport = Transport(opened.connection)
    later = datetime.now(UTC) + timedelta(hours=1)
    services = [one for one in items(transport, requests.SERVICES.path) if one["spec"].get("type") == "LoadBalancer"]
    chains = Chains(transport, Messages([conf]))

    def explained() -> dict[str, LiveService] | None:
        found = chains.explained(live_services(services, later), ())
        return found if all(found[f"default/{name}"].events for name in _CASES) else None

    found = until(explained, "events about all of them")
    opened.connection.close()
    checks.hold("the events can be read", not chains.unread, chains.unread)
    for name, (_, words) in _CASES.items():
        live = found[f"default/{name}"]
        said = live.events[0].message if live.events else ""
        checks.hold(f"{name}: the event says why", live.is_pending and words in said, live)
        checks.hold(f"{name}: no body and no address of an API", "{" not in said and "://" not in said, said)
        print(f"        {said}")
