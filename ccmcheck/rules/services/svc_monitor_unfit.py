"""A health monitor that breaks this Service.

What it does: finds Services with health monitors where the decision matrix advises against them: with `provider-requires-serial-api-calls` and
policy Local, with ovn and policy Local up to 1.25, and with v1.23.0.

Why: the monitor marks all nodes as down, or Octavia rejects the load balancer because of it.

What the CCM does: in serial mode it creates members without a `monitor_port`, so the check of a Local Service goes to the NodePort.
Before 1.26 it requests an HTTP monitor from ovn. v1.23.0 removes the members' `monitor_port` at every change of nodes.

Releases: v1.23.0; 1.23 to 1.25 with ovn; 1.28 and newer in serial mode

Fix: writes the annotation `enable-health-monitor: "false"`.

Fix safety: unsafe because without monitors nodes without a pod get traffic too

Source: ccmcheck's decision matrix, rows M03, M04, M06; kubernetes/cloud-provider-openstack#1749, #2039, #2225
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.policy.create_monitor.records import Advice
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-monitor-unfit",
    "A health monitor that breaks this Service",
    Severity.WARNING,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  ports:
    - port: 80
"""
_OFF = '  annotations:\n    loadbalancer.openstack.org/enable-health-monitor: "false"\n'
_ON = _SERVICE.replace("spec:", _OFF.replace("false", "true") + "spec:")
_FIXED = _SERVICE.replace("spec:", f"{_OFF}spec:")
_SERIAL = "[LoadBalancer]\ncreate-monitor = true\nprovider-requires-serial-api-calls = true\n"
_OVN = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\ncreate-monitor = true\n"

BAD = (
    Case(_SERVICE, at=(6, 26), fixed=_FIXED, unsafe=True, conf=_SERIAL),
    Case(_ON, at=(5, 55), fixed=_FIXED, unsafe=True, conf=_OVN.replace("true", "false"), release="1.25"),
    Case(_SERVICE, at=(6, 26), fixed=_FIXED, unsafe=True, conf=_OVN, release="v1.23.2", shown=False),
    Case(_ON, at=(5, 55), fixed=_FIXED, unsafe=True, conf="[LoadBalancer]\n", release="v1.23.0", shown=False),
)
GOOD = (
    Case(_SERVICE, conf=_OVN),
    Case(_SERVICE.replace("Local", "Cluster"), conf=_SERIAL),
    Case(_SERVICE, conf=_SERIAL.replace("monitor = true", "monitor = false")),
    Case(_FIXED, conf=_SERIAL),
    Case(_SERVICE),
    Case(_SERVICE, conf=_OVN.replace("ovn", "amphora").replace("SOURCE_IP_PORT", "ROUND_ROBIN"), release="v1.23.1"),
    Case(_SERVICE + "      protocol: SCTP\n", conf=_OVN, shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look up the decision matrix."""
    if not service.is_ours or service.monitor is not True:
        return
    row = service.row
    if row is None or row.advice is not Advice.OFF or row.when.protocol is not None:
        return
    given = service.monitor_annotation
    if given is None and row.when.policy is None:
        return  # not specific to this Service: reported by the rules about cloud.conf
    edit = service_fixes.set_annotation(service, "enable-health-monitor", "false")
    actions = "; ".join(row.actions)
    yield Problem(
        given.span if given is not None else service.span_of("spec", "externalTrafficPolicy"),
        f"its health monitor is harmful: {row.why}",
        f"The monitors come from {'this annotation' if given is not None else 'create-monitor in cloud.conf'} ({row.id}).",
        f"{actions[0].upper()}{actions[1:]}; or set the annotation loadbalancer.openstack.org/enable-health-monitor: "
        '"false".',
        yaml_fixes.unsafe(service.manifest, 'write the annotation `enable-health-monitor: "false"`', edit),
    )
