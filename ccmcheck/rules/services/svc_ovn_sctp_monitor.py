"""An SCTP health monitor, which ovn does not support.

What it does: finds Services with an SCTP port, provider ovn and health monitors.

Why: ovn rejects the whole load balancer, including the other ports.

What the CCM does: it requests a monitor of type SCTP; the ovn provider supports TCP and UDP-CONNECT only and returns
501 for every attempt.

Releases: 1.18 and newer

Fix: writes the annotation `enable-health-monitor: "false"`.

Fix safety: safe because there is no load balancer with this monitor

Source: openstack/ovn-octavia-provider 11.0.0, run; ccmcheck's decision matrix, row M05
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-ovn-sctp-monitor",
    "An SCTP health monitor, which ovn does not support",
    Severity.ERROR,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_SERVICE = """\
kind: Service
metadata:
  name: sig
spec:
  type: LoadBalancer
  ports:
    - port: 3868
      protocol: SCTP
"""
_OFF = '  annotations:\n    loadbalancer.openstack.org/enable-health-monitor: "false"\n'
_ON = _OFF.replace("false", "true")
_CONF = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\ncreate-monitor = true\n"

BAD = (
    Case(_SERVICE, at=(8, 17), fixed=_SERVICE.replace("spec:", f"{_OFF}spec:"), conf=_CONF),
    Case(
        _SERVICE.replace("spec:", f"{_ON}spec:"),
        at=(10, 17),
        fixed=_SERVICE.replace("spec:", f"{_OFF}spec:"),
        conf=_CONF.replace("true", "false"),
    ),
)
GOOD = (
    Case(_SERVICE.replace("spec:", f"{_OFF}spec:"), conf=_CONF),
    Case(_SERVICE.replace("SCTP", "TCP"), conf=_CONF),
    Case(_SERVICE, conf=_CONF.replace("ovn", "amphora")),
    Case(_SERVICE, conf=_CONF.replace("true", "false")),
    Case(_SERVICE),
    Case(_SERVICE.replace("spec:", f"{_ON}spec:"), shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look for SCTP ports with ovn."""
    if (
        not service.is_ours
        or "SCTP" not in service.protocols
        or "SCTP" in (service.driver.monitors or ("SCTP",))
        or service.monitor is not True
    ):
        return
    if not service.behaviours["monitor-annotation"]:
        return
    index = next(number for number, port in enumerate(service.service.ports) if port.protocol == "SCTP")
    edit = service_fixes.set_annotation(service, "enable-health-monitor", "false")
    yield Problem(
        service.span_of("spec", "ports", index, "protocol"),
        "the ovn provider does not support SCTP monitors: it rejects the whole load balancer",
        "It supports TCP and UDP-CONNECT monitors only, and returns 501 for every attempt.",
        'Set the annotation loadbalancer.openstack.org/enable-health-monitor: "false".',
        yaml_fixes.safe(service.manifest, 'write the annotation `enable-health-monitor: "false"`', edit),
    )
