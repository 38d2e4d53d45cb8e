"""A health monitor delay below the minimum for UDP.

What it does: finds a Service with a UDP port and health monitors of type UDP-CONNECT whose delay is below Octavia's minimum.

Why: Octavia rejects the whole load balancer, including the TCP ports of the Service.

What the CCM does: it requests the same delay for every port, from the annotation `health-monitor-delay` (1.24 and newer) or
`monitor-delay` in cloud.conf, in whole seconds. UDP ports get monitors of type UDP-CONNECT, those of policy Local an HTTP
monitor since 1.26.

Releases: 1.17 and newer

Fix: by hand: a longer delay.

Source: openstack/octavia octavia/common/config.py udp_connect_min_interval_health_monitor; octavia 19.0.0, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-udp-delay",
    "A health monitor delay below the minimum for UDP",
    Severity.ERROR,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_PORTS = """\
spec:
  type: LoadBalancer
  ports:
  - name: http
    port: 80
  - name: dns
    port: 53
    protocol: UDP
"""
_SERVICE = f"kind: Service\nmetadata:\n  name: web\n{_PORTS}"
_ANNOTATED = (
    "kind: Service\nmetadata:\n  name: web\n  annotations:\n"
    f'    loadbalancer.openstack.org/health-monitor-delay: "2"\n{_PORTS}'
)
_CONF = "[LoadBalancer]\ncreate-monitor = true\n"

BAD = (
    Case(_ANNOTATED, at=(5, 54), conf=_CONF),
    Case(_SERVICE, at=(11, 15), conf=f"{_CONF}monitor-delay = 2s\n"),
    Case(_SERVICE, at=(11, 15), conf=f"{_CONF}monitor-delay = 2900ms\n", release="1.18", shown=False),
)
GOOD = (
    Case(_ANNOTATED.replace('"2"', '"3"'), conf=_CONF),
    Case(_SERVICE, conf=f"{_CONF}monitor-delay = 3s\n"),
    Case(_SERVICE, conf="[LoadBalancer]\nmonitor-delay = 2s\n"),
    Case(_ANNOTATED, conf=_CONF, release="1.23"),
    Case(_SERVICE.replace("UDP", "TCP"), conf=f"{_CONF}monitor-delay = 2s\n", shown=False),
    Case(_SERVICE.replace("UDP", "SCTP"), conf=f"{_CONF}monitor-delay = 2s\n", shown=False),
    Case(
        _SERVICE.replace("  ports", "  externalTrafficPolicy: Local\n  ports"),
        conf=f"{_CONF}monitor-delay = 2s\n",
        shown=False,
    ),
)

_KIND = "UDP-CONNECT"
_ANNOTATION = "health-monitor-delay"


def check(service: ServiceView) -> Iterator[Problem]:
    """Report the delay that Octavia rejects, by the prediction."""
    if not service.is_ours or "UDP" not in service.protocols or service.monitor is not True:
        return
    prediction = service.prediction
    refused = [
        refusal
        for refusal in (prediction.refusals if prediction is not None else ())
        if refusal.field.endswith("healthmonitor.delay")
    ]
    if not refused or _KIND not in refused[0].why:
        return
    delay = service.annotation(_ANNOTATION)
    index = next(number for number, port in enumerate(service.service.ports) if port.protocol == "UDP")
    yield Problem(
        delay.span if delay is not None else service.span_of("spec", "ports", index, "protocol"),
        refused[0].why,
        "Octavia rejects the whole load balancer, including TCP ports.",
        f"Write a longer `{_ANNOTATION if delay is not None else 'monitor-delay'}`.",
    )
