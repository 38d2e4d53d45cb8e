"""A create request larger than Octavia accepts.

What it does: calculates the size of the request for a new load balancer from the ports and the number of nodes, and
compares it with Octavia's measured limit.

Why: Octavia returns 413, and the Service stays pending. It happens when the cluster has grown and a load balancer is created again.

What the CCM does: since 1.21 it creates a load balancer with all its listeners, pools, monitors and members in one request.

Releases: 1.21 and newer; Octavia 14.0.0 (2024.1) and newer

Fix: by hand: fewer ports, `node-selector`, or `provider-requires-serial-api-calls = true`, which creates members one by one.

Source: openstack/octavia commit a81cf552c, oslo.middleware; octavia 19.0.0, run with 1 to 50 ports and up to 850 members
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog import octavia
from ccmcheck.catalog.data.octavia import BODY_LIMIT, BODY_PARTS
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "create-body-too-large",
    "A create request larger than Octavia accepts",
    Severity.WARNING,
    kinds=("Service",),
    needs=("the cloud.conf", "the node count", "the Octavia release"),
)

_SERVICE = "kind: Service\nmetadata:\n  name: web\nspec:\n  type: LoadBalancer\n  ports:\n"
_PORTS = _SERVICE + "".join(f"  - port: {port}\n    name: p{port}\n" for port in range(80, 90))
_CONF = "[LoadBalancer]\nlb-provider = amphora\n"


def _with(nodes: int, octavia_release: str) -> RunContext:
    return RunContext(facts=ClusterFacts(nodes=nodes, octavia_release=octavia_release))


_LARGE = _with(100, "2024.1")

BAD = (
    Case(_PORTS, at=(6, 3), conf=_CONF, run_context=_LARGE),
    Case(_PORTS, at=(6, 3), conf=_CONF, run_context=_LARGE, release="1.21", shown=False),
    Case(_SERVICE + "  - port: 80\n", at=(6, 3), conf=_CONF, run_context=_with(850, "2024.1"), shown=False),
)
GOOD = (
    Case(_PORTS, conf=_CONF, run_context=_with(50, "2024.1")),
    Case(_PORTS, conf=_CONF, run_context=_with(100, "2023.2")),
    Case(_PORTS, conf=_CONF + "provider-requires-serial-api-calls = true\n", run_context=_LARGE),
    Case(_PORTS, conf=_CONF, run_context=_LARGE, release="1.20"),
    Case(_PORTS, conf=_CONF, run_context=RunContext(facts=ClusterFacts(nodes=100))),
    Case(_PORTS, conf=_CONF + "node-selector = role=ingress\n", run_context=_LARGE, shown=False),
    Case(_PORTS, run_context=_LARGE, shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Add up the sizes of the request's parts."""
    nodes, ports = service.nodes, len(service.service.ports)
    limit, since = BODY_LIMIT
    if nodes is None or not ports or not service.is_ours or not service.behaviours["creates-in-one-call"]:
        return
    if octavia.at_least(service.run_context.facts.octavia_release, since) is not True:
        return
    if service.config("provider-requires-serial-api-calls") is not False or service.word(
        "node-selector", "node-selector"
    ):
        return
    whole, listener, member = BODY_PARTS
    size = whole + (ports - 1) * listener + ports * nodes * member
    if size > limit:
        yield Problem(
            service.key_span_of("spec", "ports"),
            f"{ports} port{'s' * (ports > 1)} on {nodes} nodes make a request of about {size} bytes; Octavia accepts {limit}",
            "It returns 413, and the Service gets no load balancer.",
            "Select fewer nodes with `node-selector`, or write `provider-requires-serial-api-calls = true` in cloud.conf.",
        )
