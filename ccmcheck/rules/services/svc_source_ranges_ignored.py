"""Source ranges that nobody enforces.

What it does: finds `loadBalancerSourceRanges`, or the annotation that stands for them, where neither the load balancer nor a
security group keeps anybody out: with ovn and without `manage-security-groups`, and with an Octavia before Train.

Why: the Service looks closed and is open to the world.

What the CCM does: it asks Octavia's listeners to enforce them, which ovn cannot. Since 1.28 it puts them into the security
group of an ovn load balancer, if it manages groups; otherwise an event, before 1.28 a line in the log, says that they are ignored.

Releases: 1.19 and newer

Fix: by hand: `manage-security-groups = true`, a security group of your own, or the provider amphora.

Fix safety: (none)

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go makeSvcConf, getRulesForServicePort;
kubernetes/cloud-provider-openstack#770, #1424
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import Bundle
from ccmcheck.catalog import octavia
from ccmcheck.rules._support.source_ranges import named
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-source-ranges-ignored",
    "Source ranges that nobody enforces",
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
  loadBalancerSourceRanges:
  - {}
  ports:
  - port: 80
"""
_RANGES = _SERVICE.format("192.0.2.0/24")
_ANNOTATED = """\
kind: Service
metadata:
  name: web
  annotations:
    service.beta.kubernetes.io/load-balancer-source-ranges: 192.0.2.0/24
spec:
  type: LoadBalancer
  ports:
  - port: 80
"""
_OVN = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
_MANAGED = f"{_OVN}manage-security-groups = true\n"

BAD = (
    Case(_RANGES, at=(6, 3), conf=_OVN),
    Case(_ANNOTATED, at=(5, 61), conf=_OVN),
    Case(_RANGES, at=(6, 3), conf=_MANAGED, release="1.27"),
    Case(_RANGES, at=(6, 3), conf="[LoadBalancer]\nlb-provider = amphora\n", bundle=Bundle(octavia_release="stein")),
)
GOOD = (
    Case(_RANGES, conf=_MANAGED),
    Case(_RANGES, conf="[LoadBalancer]\nlb-provider = amphora\n"),
    Case(_RANGES),
    Case(_SERVICE.format("0.0.0.0/0"), conf=_OVN),
    Case(_RANGES, conf=_OVN, release="1.18", shown=False),
    Case(_RANGES, conf=f"{_OVN}manage-security-groups = ${{MANAGE}}\n", shown=False),
    Case(_RANGES.replace("192.0.2.0/24", "${RANGE}"), conf=_OVN, template=True, shown=False),
    Case(_ANNOTATED.replace("192.0.2.0/24", '""'), conf=_OVN, shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at who would enforce them."""
    if not service.is_ours or service.behaviours["source-ranges-or-error"]:
        return
    ranges = named(service)
    if not ranges.closed:
        return
    if service.driver == "ovn" and service.behaviours["knows-ovn"]:
        managed = service.config("manage-security-groups")
        in_groups = service.behaviours["source-ranges-in-ovn-groups"]
        if (in_groups and managed is not False) or not isinstance(managed, bool):
            return
        label = "ovn has no access lists, and no security group enforces these ranges"
        help_text = (
            "Write `manage-security-groups = true` in cloud.conf."
            if in_groups
            else "Use amphora, a newer CCM with `manage-security-groups = true`, or a security group of your own."
        )
    elif service.driver == "amphora" and octavia.at_least(service.bundle.octavia_release, _ENFORCED_SINCE) is False:
        label = "this Octavia has no access lists"
        help_text = "Upgrade Octavia, or close the nodes by a security group of your own."
    else:
        return
    said = "an event" if service.behaviours["writes-events"] else "a line in the log"
    yield Problem(ranges.span, label, f"Everybody gets in; {said} says so, and nothing else.", help_text)


_ENFORCED_SINCE = octavia.first_with("allowed-cidrs")
