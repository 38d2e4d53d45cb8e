"""Something that ovn does not do.

What it does: finds what a Service asks of a load balancer with provider ovn and does not get: an algorithm, timeouts, a flavor,
an availability zone, and session affinity with an old ovn provider.

Why: an algorithm or an affinity that ovn does not know is refused, and there is no load balancer. The rest is left out
silently, and somebody believes that it holds.

What the CCM does: since 1.22 it sends ovn no timeouts, flavors and availability zones. The algorithm is the configuration's up
to 1.31, since then the annotation's.

Releases: 1.22 and newer; session affinity: all, ovn-octavia-provider before 5.0.0

Fix: removes the annotation; writes the algorithm that ovn takes.

Fix safety: unsafe because another provider may have been meant

Source: cloud-provider-openstack pkg/util/openstack/loadbalancer.go IsOctaviaFeatureSupported; ovn-octavia-provider driver.py and
its release notes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import Bundle
from ccmcheck.catalog import octavia
from ccmcheck.catalog.service_annotations import annotation, is_valid
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-ovn-unsupported",
    "Something that ovn does not do",
    Severity.WARNING,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_CONF = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
_SERVICE = """\
kind: Service
metadata:
  name: web
{}spec:
  type: LoadBalancer
  ports:
  - port: 80
"""


def _with(text: str) -> str:
    return _SERVICE.format(f"  annotations:\n    loadbalancer.openstack.org/{text}\n")


_STICKY = _SERVICE.format("") + "  sessionAffinity: ClientIP\n"

BAD = (
    Case(
        _with("flavor-id: 0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e"),
        at=(5, 5),
        fixed=_SERVICE.format(""),
        unsafe=True,
        conf=_CONF,
    ),
    Case(
        _with("lb-method: ROUND_ROBIN"),
        at=(5, 43),
        fixed=_with("lb-method: SOURCE_IP_PORT"),
        unsafe=True,
        conf=_CONF,
        severity=Severity.ERROR,
    ),
    Case(_STICKY, at=(8, 20), conf=_CONF, bundle=Bundle(octavia_release="2023.1"), severity=Severity.ERROR),
    Case(
        _with('timeout-client-data: "60000"'),
        at=(5, 5),
        fixed=_SERVICE.format(""),
        unsafe=True,
        conf=_CONF,
        shown=False,
    ),
    Case(_with("availability-zone: az1"), at=(5, 5), fixed=_SERVICE.format(""), unsafe=True, conf=_CONF, shown=False),
    Case(
        _with("lb-method: SOURCE_IP"),
        at=(5, 43),
        fixed=_with("lb-method: SOURCE_IP_PORT"),
        unsafe=True,
        conf=_CONF,
        bundle=Bundle(octavia_release="2024.1"),
        severity=Severity.ERROR,
        shown=False,
    ),
)
GOOD = (
    Case(_with("flavor-id: 0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e"), conf="[LoadBalancer]\nlb-provider = amphora\n"),
    Case(_with("flavor-id: 0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e")),
    Case(_with("lb-method: SOURCE_IP_PORT"), conf=_CONF),
    Case(_with("lb-method: ROUND_ROBIN"), conf=_CONF, release="1.31"),
    Case(_STICKY, conf=_CONF),
    Case(_with('flavor-id: ""'), conf=_CONF, shown=False),
    Case(_with("availability-zone: az1"), conf=_CONF, release="1.21", shown=False),
    Case(_with("lb-method: SOURCE_IP"), conf=_CONF, shown=False),
    Case(_with("lb-method: round_robin"), conf=_CONF, shown=False),
    Case(_STICKY, conf=_CONF, bundle=Bundle(octavia_release="2023.2"), shown=False),
)

_LEFT_OUT = {
    "flavor-id": "no flavor",
    "availability-zone": "no availability zone",
    "timeout-client-data": "no timeouts",
    "timeout-member-connect": "no timeouts",
    "timeout-member-data": "no timeouts",
    "timeout-tcp-inspect": "no timeouts",
}
_AFFINITY = "sessionAffinity"


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at what ovn refuses, then at what it is not even asked for."""
    if not service.handled or service.driver != "ovn":
        return
    yield from _method(service)
    told = service.bundle
    release = told.facts.ovn_octavia_release or octavia.series_of(told.octavia_release)
    if service.service.affinity == "ClientIP" and octavia.ovn_has("persistence", release) is False:
        yield Problem(
            service.span_of("spec", _AFFINITY),
            "this release of ovn knows no session persistence",
            "Octavia refuses the whole load balancer.",
            "Take it out, or upgrade ovn-octavia-provider.",
            severity=Severity.ERROR,
        )
    if not service.behaviours["knows-ovn"]:
        return
    for name, what in _LEFT_OUT.items():
        given = service.annotation(name)
        found = annotation(given.name) if given is not None else None
        if given is not None and found is not None and given.text and is_valid(found, given.text, service.release):
            edits = service_fixes.remove_annotations(service, name)
            yield Problem(
                given.key.span,
                f"the CCM sends ovn {what}",
                "The annotation is left out without an event." if name != "availability-zone" else "It has no effect.",
                "Take it out.",
                yaml_fixes.unsafe(service.manifest, "remove it", *edits),
            )


def _method(service: ServiceView) -> Iterator[Problem]:
    """An algorithm of Octavia's that ovn does not know; any other word is told as a bad value."""
    given = service.annotation("lb-method")
    if given is None or not given.text or not service.behaviours["reads-method-annotation"]:
        return
    known = {method for driver in ("amphora", "ovn") for method in octavia.methods(driver)}
    if given.text not in known or octavia.method_taken("ovn", given.text, service.bundle.octavia_release) is not False:
        return
    best = octavia.methods("ovn")[0]
    edit = service_fixes.replace(service.manifest, given.node, best) if isinstance(given.node, Scalar) else None
    yield Problem(
        given.span,
        "ovn does not know this algorithm",
        "Octavia refuses the whole load balancer.",
        f"Write `{best}`.",
        yaml_fixes.unsafe(service.manifest, f"write `{best}`", edit),
        severity=Severity.ERROR,
    )
