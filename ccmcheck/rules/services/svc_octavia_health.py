"""A load balancer that does not work.

What it does: reports what Octavia says of the load balancers of a running cluster: a provisioning status ERROR, and members that
their health monitor calls down.

Why: the CCM looks at neither, and the Service keeps its address.

What the CCM does: nothing; where the provisioning status is not ACTIVE, every sync ends with an error, and nothing is corrected.

Releases: all

Fix: none; nodes without a pod of a Local Service are down on purpose and not reported

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go ensureOctaviaLoadBalancer; octavia
octavia/controller/healthmanager/health_drivers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveBalancer, LiveCluster
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-octavia-health",
    "A load balancer that does not work",
    Severity.WARNING,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  type: LoadBalancer
"""


def _run(*health: str) -> RunContext:
    balancer = LiveBalancer("Service shop/web", "1c0d8b6e", health=health)
    return RunContext(live=LiveCluster(balancers={balancer.subject: balancer}))


BAD = (Case(_SERVICE, at=(3, 9), run_context=_run("all 3 members of port 80 are down by its health monitor")),)
GOOD = (Case(_SERVICE, run_context=_run()), Case(_SERVICE))


def check(service: ServiceView) -> Iterator[Problem]:
    """Report what Octavia says."""
    live = service.run_context.live
    balancer = live.balancers.get(service.manifest.subject) if live is not None else None
    for words in balancer.health if balancer is not None else ():
        yield Problem(
            service.span_of("metadata", "name"),
            f"load balancer {balancer.id if balancer is not None else ''}: {words}",
            "The CCM does not look at it, and the Service keeps its address.",
            "`openstack loadbalancer status show` has the whole tree.",
        )
