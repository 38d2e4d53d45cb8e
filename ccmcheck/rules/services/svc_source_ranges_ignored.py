"""Source ranges that are not enforced.

What it does: finds `loadBalancerSourceRanges`, or the annotation with the same meaning, where neither the load balancer nor a
security group enforces them: with ovn and without `manage-security-groups`, and with an Octavia before Train.

Why: the Service looks restricted but is open to every address.

What the CCM does: it configures them on Octavia's listeners, which ovn does not support. Since 1.28 it adds them to the security
group of an ovn load balancer, if it manages groups; otherwise it reports that they are ignored in an event, before 1.28 in the log.

Releases: 1.19 and newer

Fix: by hand: `manage-security-groups = true`, your own security group, or the provider amphora.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go makeSvcConf, pkg/openstack/loadbalancer_sg.go;
kubernetes/cloud-provider-openstack#770, #1424
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog import octavia
from ccmcheck.rules._support.source_ranges import source_ranges
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-source-ranges-ignored",
    "Source ranges that are not enforced",
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
    Case(
        _RANGES,
        at=(6, 3),
        conf="[LoadBalancer]\nlb-provider = amphora\n",
        run_context=RunContext(facts=ClusterFacts(octavia_release="stein")),
    ),
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
    """Look at the provider, the managed security groups and the Octavia release."""
    if not service.is_ours or service.behaviours["source-ranges-or-error"]:
        return
    ranges = source_ranges(service)
    if not ranges.restricts:
        return
    if service.driver.is_special and service.behaviours["knows-ovn"]:
        managed = service.config("manage-security-groups")
        in_groups = service.behaviours["source-ranges-in-ovn-groups"]
        if (in_groups and managed is not False) or not isinstance(managed, bool):
            return
        label = "not enforced: ovn has no access lists, and the CCM manages no security groups"
        help_text = (
            "Write `manage-security-groups = true` in cloud.conf."
            if in_groups
            else "Use amphora, a newer CCM with `manage-security-groups = true`, or your own security group."
        )
    elif (
        service.driver.has_amphorae
        and octavia.at_least(service.run_context.facts.octavia_release, _ENFORCED_SINCE) is False
    ):
        label = "not enforced: this Octavia has no access lists"
        help_text = "Upgrade Octavia, or restrict access to the nodes with your own security group."
    else:
        return
    where = "an event" if service.behaviours["writes-events"] else "the log"
    yield Problem(ranges.span, label, f"Every address has access; the CCM only reports it in {where}.", help_text)


_ENFORCED_SINCE = octavia.first_with("allowed-cidrs")
