"""A Service without an address in the API server of the tests, with its events and the CCM's log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api_faults import Fault
from api_server import daemonset, service

if TYPE_CHECKING:
    from api_server import ApiServer

PODS = "/api/v1/namespaces/kube-system/pods"
LOG = f"{PODS}/ccm-x/log"
EVENTS = "/api/v1/events"
OLD = "2026-01-02T08:00:00Z"
TOKEN_OF_OCTAVIA = "gAAAAABm-token-of-octavia-0123456789abcdefghijklmnopqrstuvwxyz"
"""A canary: in a body that Octavia answered."""
MESSAGE = (
    "Error syncing load balancer: failed to ensure load balancer: error creating loadbalancer kube_service_prod_shop_new: "
    "Expected HTTP response code [200 201 202] when accessing [POST https://ccm:hunter2-is-the-secret@octavia.example.org"
    "/v2.0/lbaas/loadbalancers?x=hunter2-is-the-secret], but got 403 instead: "
    '{"faultcode": "Client", "faultstring": "Quota has been met for resources: Load Balancer, password=hunter2-is-the'
    f'-secret", "debuginfo": "{TOKEN_OF_OCTAVIA}"}}'
)
"""What the service controller writes, with canaries where a body, a URL and its query have them."""


def event(message: str = MESSAGE, *, reason: str = "SyncLoadBalancerFailed", **changes: Any) -> dict[str, Any]:
    """An event of the Service."""
    return {
        "metadata": {"name": "e1", "namespace": "shop"},
        "involvedObject": {"kind": "Service", "namespace": "shop", "name": "new"},
        "type": "Warning",
        "reason": reason,
        "message": message,
        "count": 12,
        "lastTimestamp": "2026-11-02T09:30:00Z",
        **changes,
    }


def pod(name: str = "ccm-x", started: str = "2026-11-02T08:00:00Z") -> dict[str, Any]:
    """A pod of the CCM."""
    return {
        "metadata": {
            "name": name,
            "namespace": "kube-system",
            "labels": {"app": "ccm"},
            "ownerReferences": [{"kind": "DaemonSet", "name": "x"}],
        },
        "spec": {**daemonset()["spec"]["template"]["spec"], "nodeName": "n0"},
        "status": {"containerStatuses": [{"name": "ccm", "state": {"running": {"startedAt": started}}}]},
    }


def waiting(server: ApiServer, *events: dict[str, Any], log: str | None = None) -> ApiServer:
    """The same cluster with the Service `new`, which waits for an address."""
    new = service("new")
    new["metadata"]["creationTimestamp"] = OLD
    new["status"] = {"loadBalancer": {}}
    server.add("/api/v1/services", new, kind="Service")
    server.lists[PODS] = [pod()]
    server.lists[EVENTS] = list(events or (event(),))
    text = log if log is not None else f'I1102 x\nE1102 09:30:00 controller.go:298] "shop/new" err="{MESSAGE}"\n'
    server.fail(LOG, Fault(body=text.encode(), content_type="text/plain"))
    return server
