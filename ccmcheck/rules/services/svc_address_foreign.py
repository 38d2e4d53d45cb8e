"""An address that is not that of the CCM's load balancer.

What it does: finds Services of a running cluster whose status another controller than the CCM wrote last, and those that
publish the address of another Service although each has a load balancer of its own.

Why: clients and DNS follow the status. With two writers it changes with every sync of either; with an address that another
load balancer has, requests come to the other Service.

What the CCM does: it writes the address into the status when a sync has changed something, whoever wrote there before.

Releases: all

Fix: none; give the Service to one of the two controllers by `loadBalancerClass`, or correct the address.

Source: k8s.io/cloud-provider controllers/service/controller.go (patchStatus); Kubernetes managedFields (subresource status)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveCluster, LiveService
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-address-foreign",
    "An address that is not that of the CCM's load balancer",
    Severity.WARNING,
    per_release=False,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  namespace: shop
  uid: 5e1f
spec:
  type: LoadBalancer
  selector:
    app: web
  ports:
    - port: 80
"""


def _run(service: LiveService) -> RunContext:
    return RunContext(live=LiveCluster(services={"shop/web": service}))


_FINE = LiveService((("192.0.2.7", "", "VIP"),), ready=2, endpoints=2)

BAD = (
    Case(_SERVICE, at=(3, 9), run_context=_run(_FINE._replace(writer="controller"))),
    Case(_SERVICE, at=(3, 9), run_context=_run(_FINE._replace(twins=("shop/api",)))),
)
GOOD = (
    Case(_SERVICE, run_context=_run(_FINE)),
    Case(_SERVICE),
    Case(_SERVICE, run_context=_run(_FINE._replace(is_pending=True)), shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at who wrote the address, and who has it, too."""
    live = service.live
    if live is None or not service.is_ours:
        return
    name = service.span_of("metadata", "name")
    if live.writer:
        yield Problem(
            name,
            f"its address was written by field manager `{live.writer}`, not by the CCM",
            "Both handle Services without a class, and write over each other.",
            "Set a `loadBalancerClass` on the Services of the other controller, or start it for one class alone.",
        )
    if live.twins:
        yield Problem(
            name,
            f"publishes an address that Service {' and '.join(live.twins)} publishes, too, from another load balancer",
            "One address belongs to one load balancer: at one of them the status is wrong or old.",
            "`ccmcheck cluster lint --octavia` shows whose it is; `ccmcheck cluster resync` writes the status again.",
        )
