"""A timeout in seconds instead of milliseconds.

What it does: finds `timeout-client-data`, `timeout-member-connect`, `timeout-member-data` and `timeout-tcp-inspect` below a second
(for the last: a tenth of one), or out of Octavia's range.

Why: `timeout-client-data: "60"` closes every connection that is idle for 60 milliseconds. Above 24 days Octavia rejects the whole
load balancer.

What the CCM does: it sends the number unchanged. Octavia expects milliseconds, from 0 to 2073600000.

Releases: 1.15 and newer

Fix: by hand: multiply by 1000, if seconds are intended.

Source: octavia/common/constants.py MIN_TIMEOUT, MAX_TIMEOUT; the CCM's and Octavia's default for idle connections is 50000
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.data.annotation_values import RANGES, SHORTEST
from ccmcheck.catalog.service_annotations import integer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta("svc-timeout-unit", "A timeout in seconds instead of milliseconds", Severity.WARNING, kinds=("Service",))

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    loadbalancer.openstack.org/{}
spec:
  type: LoadBalancer
  ports:
  - port: 80
"""
_SHORT = _SERVICE.format('timeout-client-data: "60"')

BAD = (
    Case(_SHORT, at=(5, 53)),
    Case(_SERVICE.format("timeout-member-data: '3600000000'"), at=(5, 53), severity=Severity.ERROR),
    Case(_SERVICE.format('timeout-tcp-inspect: "-1"'), at=(5, 53), severity=Severity.ERROR, shown=False),
    Case(_SERVICE.format('timeout-member-connect: "999"'), at=(5, 56), release="1.15", shown=False),
)
GOOD = (
    Case(_SERVICE.format('timeout-client-data: "60000"')),
    Case(_SERVICE.format('timeout-member-data: "2073600000"')),
    Case(_SERVICE.format('timeout-tcp-inspect: "0"')),
    Case(_SERVICE.format('timeout-tcp-inspect: "500"'), shown=False),
    Case(_SHORT, conf="[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n", shown=False),
    Case(_SERVICE.format("timeout-client-data: ${TIMEOUT}"), template=True, shown=False),
    Case(_SERVICE.format('timeout-client-data: "60s"'), shown=False),
    Case(_SERVICE.format("timeout-client-data: 60"), shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the four timeouts."""
    if not service.handled or (service.driver.is_special and service.behaviours["knows-ovn"]):
        return
    for name, shortest in SHORTEST.items():
        given = service.annotation(name)
        value = integer(given.text) if given is not None and given.text is not None else None
        if given is None or value is None:
            continue
        least, most = RANGES[name]
        if value < least or (most is not None and value > most):
            detail = "Octavia rejects the whole load balancer."
            yield Problem(
                given.span, f"out of range: Octavia accepts {least} to {most} ms", detail, severity=Severity.ERROR
            )
        elif 0 < value < shortest:
            yield Problem(
                given.span,
                f"the unit is milliseconds: {value} ms",
                "Connections that are idle for that long are closed." if name.endswith("-data") else "",
                f'For {value} seconds write `"{value * 1000}"`.',
            )
