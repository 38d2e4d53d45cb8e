"""A load balancer that differs from its Service.

What it does: compares the load balancer of each Service of a running cluster, as Octavia has it, with the one that the CCM
would make: listeners, pools, members, health monitors, floating IP, security group.

Why: the CCM has no periodic sync. What was changed in Octavia, or was changed in cloud.conf since the last sync, stays so for
months; health monitors that the file asks for may not exist.

What the CCM does: a sync follows a change of the Service or a start of the CCM, and corrects most of the load balancer. A change
of the nodes corrects members and, since 1.26.4, 1.27.3 and 1.28.1, monitors. Nothing corrects the provider, the flavor, the VIP,
session persistence, admin states, and a monitor's path; weights are set back when a node comes or goes.

Releases: all; each finding says what corrects it in the release that runs

Fix: none; `ccmcheck cluster resync` triggers a sync where the CCM corrects it

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go ensureOctaviaLoadBalancer, updateOctaviaLoadBalancer;
kubernetes/cloud-provider-openstack#1597, #2370, #2962
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveBalancer, LiveCluster, LiveDifference
from ccmcheck.catalog.data.octavia_repairs import REPAIRS
from ccmcheck.catalog.octavia_repairs import NODE_CHANGE, NOTHING, SYNC
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Span
    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-octavia-differs",
    "A load balancer that differs from its Service",
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
  ports:
    - port: 80
      protocol: TCP
"""


def _run(*differences: LiveDifference) -> RunContext:
    balancer = LiveBalancer("Service shop/web", "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11", "web", differences)
    return RunContext(live=LiveCluster(balancers={balancer.subject: balancer}))


BAD = (
    Case(
        _SERVICE,
        at=(8, 13),
        run_context=_run(LiveDifference("monitor", "pool of port 80", "none", "TCP", 80, NODE_CHANGE)),
    ),
    Case(
        _SERVICE,
        at=(8, 13),
        run_context=_run(LiveDifference("timeout", "listener TCP 80", "1 ms", "50000 ms", 80, SYNC)),
        shown=False,
    ),
    Case(
        _SERVICE,
        at=(8, 13),
        run_context=_run(LiveDifference("weight", "pool of port 80", "0", "1", 80, NOTHING)),
        shown=False,
    ),
    Case(_SERVICE, at=(3, 9), run_context=_run(LiveDifference("flavor", "", "none", "large", 0, NOTHING)), shown=False),
    Case(
        _SERVICE,
        at=(3, 9),
        run_context=_run(LiveDifference("tags", "", "none", "web", 0, NOTHING, "it is not ACTIVE")),
        shown=False,
    ),
)
GOOD = (Case(_SERVICE, run_context=_run()), Case(_SERVICE))

_WHEN = (
    "Octavia was changed by hand, or the setting after the last sync: the CCM has no periodic one, and syncs when the "
    "Service changes or the CCM restarts."
)
_MONITORS = ("monitor", "monitor-extra")


def check(service: ServiceView) -> Iterator[Problem]:
    """Report each difference with what corrects it."""
    live = service.run_context.live
    balancer = live.balancers.get(service.manifest.subject) if live is not None else None
    if balancer is None:
        return
    for difference in balancer.differences:
        where = f"{difference.part}, " if difference.part else ""
        title = REPAIRS[difference.kind].title
        yield Problem(
            _place(service, difference.port),
            f"{where}{title}: {difference.live} in Octavia; the CCM would make {difference.wanted}",
            _detail(difference, balancer.monitor_source if difference.kind in _MONITORS else ""),
            _help(service, difference),
        )


def _place(service: ServiceView, port: int) -> Span:
    for index, one in enumerate(service.service.ports):
        if port and one.port == port:
            return service.span_of("spec", "ports", index, "port")
    return service.span_of("metadata", "name")


def _detail(difference: LiveDifference, source: str) -> str:
    because = f"Health monitors: {source}. " if source else ""
    return f"{because}{_repair(difference)}"


def _repair(difference: LiveDifference) -> str:
    if difference.blocked:
        return f"The next sync ends before it corrects this: {difference.blocked}."
    if difference.repaired_by == NODE_CHANGE:
        return f"The next sync corrects it, and the next change of the nodes. {_WHEN}"
    if difference.repaired_by == SYNC:
        return f"The next sync corrects it; a change of the nodes does not. {_WHEN}"
    return REPAIRS[difference.kind].aside or "The CCM never corrects it: it is sent once, or not at all."


def _help(service: ServiceView, difference: LiveDifference) -> str:
    if difference.repaired_by in (SYNC, NODE_CHANGE):
        return f"Trigger a sync: ccmcheck cluster resync {service.service.title}"
    otherwise = REPAIRS[difference.kind].otherwise
    return f"{otherwise[:1].upper()}{otherwise[1:]}." if otherwise else ""
