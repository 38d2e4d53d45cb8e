"""A feature that ovn does not support.

What it does: finds settings of a Service that have no effect with the provider ovn, or that it rejects: an algorithm, timeouts, a flavor,
an availability zone, and session affinity with an old ovn provider.

Why: ovn rejects an unknown algorithm or affinity, and the Service gets no load balancer. The rest is silently
ignored.

What the CCM does: since 1.22 it does not send timeouts, flavors and availability zones to ovn. The algorithm comes from cloud.conf up
to 1.31, since then from the annotation.

Releases: 1.22 and newer; session affinity: all, ovn-octavia-provider before 5.0.0

Fix: removes the annotation; writes the algorithm that ovn supports.

Fix safety: unsafe because another provider may be intended

Source: cloud-provider-openstack pkg/util/openstack/loadbalancer.go IsOctaviaFeatureSupported; ovn-octavia-provider driver.py and
its release notes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog import octavia
from ccmcheck.catalog.data.octavia import ALGORITHMS
from ccmcheck.catalog.service_annotations import annotation, is_valid
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-ovn-unsupported",
    "A feature that ovn does not support",
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
    Case(
        _STICKY,
        at=(8, 20),
        conf=_CONF,
        run_context=RunContext(facts=ClusterFacts(octavia_release="2023.1")),
        severity=Severity.ERROR,
    ),
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
        run_context=RunContext(facts=ClusterFacts(octavia_release="2024.1")),
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
    Case(_STICKY, conf=_CONF, run_context=RunContext(facts=ClusterFacts(octavia_release="2023.2")), shown=False),
)

_OMITTED = {
    "flavor-id": "the flavor",
    "availability-zone": "the availability zone",
    "timeout-client-data": "timeouts",
    "timeout-member-connect": "timeouts",
    "timeout-member-data": "timeouts",
    "timeout-tcp-inspect": "timeouts",
}
_AFFINITY = "sessionAffinity"


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at what ovn rejects, then at what the CCM does not send to it."""
    if not service.handled or not service.driver.is_special:
        return
    yield from _method(service)
    facts = service.run_context.facts
    release = octavia.ovn_release(facts.ovn_octavia_release, facts.octavia_release)
    if service.service.affinity == "ClientIP" and service.driver.has("persistence", release) is False:
        yield Problem(
            service.span_of("spec", _AFFINITY),
            "this release of ovn-octavia-provider does not support session persistence",
            "Octavia rejects the whole load balancer.",
            "Remove it, or upgrade ovn-octavia-provider.",
            severity=Severity.ERROR,
        )
    if not service.behaviours["knows-ovn"]:
        return
    for name, what in _OMITTED.items():
        given = service.annotation(name)
        known = annotation(given.name) if given is not None else None
        if given is not None and known is not None and given.text and is_valid(known, given.text, service.release):
            edits = service_fixes.remove_annotations(service, name)
            yield Problem(
                given.key.span,
                f"has no effect: the CCM does not send {what} to ovn",
                "The annotation is silently ignored."
                if name != "availability-zone"
                else "The CCM only logs a warning.",
                "Remove it.",
                yaml_fixes.unsafe(service.manifest, "remove it", *edits),
            )


def _method(service: ServiceView) -> Iterator[Problem]:
    """An algorithm of Octavia that ovn does not support; svc-annotation-value reports any other value."""
    given = service.annotation("lb-method")
    if given is None or not given.text or not service.behaviours["reads-method-annotation"]:
        return
    driver, octavia_release = service.driver, service.run_context.facts.octavia_release
    if given.text not in ALGORITHMS or driver.takes(given.text, octavia_release) is not False:
        return
    best = next(iter(driver.methods or ALGORITHMS))
    edit = service_fixes.replace(service.manifest, given.node, best) if isinstance(given.node, Scalar) else None
    yield Problem(
        given.span,
        "not supported by ovn",
        "Octavia rejects the whole load balancer.",
        f"Write `{best}`.",
        yaml_fixes.unsafe(service.manifest, f"write `{best}`", edit),
        severity=Severity.ERROR,
    )
