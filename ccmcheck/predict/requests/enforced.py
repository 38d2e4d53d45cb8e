"""Which source ranges are enforced, and by what.

Source: cloud-provider-openstack GetLoadBalancerSourceRanges and the code around it.
"""

from __future__ import annotations

import re

from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.annotations import Annotations, CcmError
from ccmcheck.predict.inputs.behaviours import Behaviours
from ccmcheck.predict.inputs.cloud_state import Balancer
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.requests.features import Features
from ccmcheck.predict.requests.notes import Notes

EVERYWHERE = {4: "0.0.0.0/0", 6: "::/0"}


_OPEN = "the ovn provider has no allowed_cidrs, and manage-security-groups does not enforce them: everybody gets in"
_KEPT = (
    "with lb-provider = ovn the CCM no longer sets allowed_cidrs: the listeners of the existing load balancer, which "
    "keeps its provider, keep the ranges that they have"
)


def _keeps_ranges(balancer: Balancer | None) -> bool:
    """Whether an existing load balancer is another provider's, and all its listeners have ranges."""
    if balancer is None or balancer.provider is None or balancer.driver.is_special or not balancer.listeners:
        return False
    return all(listener.allowed_cidrs for listener in balancer.listeners)


def allowed(
    options: Options,
    service: Service,
    annotations: Annotations,
    title: str,
    family: int,
    has: Features,
    behaviours: Behaviours,
    notes: Notes,
    balancer: Balancer | None = None,
) -> tuple[tuple[str, ...], bool]:
    """The source ranges that are enforced, and whether the listener carries them.

    A load balancer that another provider made keeps the ranges of its listeners: the CCM goes by cloud.conf's provider,
    and leaves them alone.

    Raises:
        CcmError: One of them is not a CIDR.
    """
    allowed = source_ranges(service, annotations, title, family, behaviours)
    if has.supports("allowed-cidrs"):
        return allowed, True
    restricted = allowed != (EVERYWHERE[6 if family == 6 else 4],)
    if has.ovn and behaviours["source-ranges-in-ovn-groups"] and options.manage_security_groups:
        return allowed, False
    if restricted:
        notes.ignore(
            "loadBalancerSourceRanges",
            _KEPT
            if has.ovn and _keeps_ranges(balancer)
            else _OPEN
            if has.ovn
            else "Octavia's API is older than 2.12 (Train): everybody gets in",
        )
    if behaviours["writes-events"]:
        notes.warn(
            "LoadBalancerSourceRangesIgnored",
            f"LoadBalancerSourceRanges are ignored for Service {title} because Octavia provider does not support it",
        )
    return (), True


def source_ranges(
    service: Service, annotations: Annotations, title: str, family: int, behaviours: Behaviours
) -> tuple[str, ...]:
    """The source ranges, in a stable order; the CCM sends them in any.

    Raises:
        CcmError: One of them is not a CIDR.
    """
    specs = service.source_ranges
    if specs:
        cidrs = []
        for cidr in specs:
            normal = ranges.normal(cidr.strip())
            if normal is None:
                raise CcmError(
                    f"failed to get source ranges for loadbalancer service {title}: "
                    f"service.Spec.LoadBalancerSourceRanges: [{' '.join(specs)}] is not valid. Expecting a list of IP "
                    f"ranges. For example, 10.0.0.0/24. Error msg: invalid CIDR address: {cidr.strip()}"
                )
            cidrs.append(normal)
        return tuple(sorted(dict.fromkeys(cidrs)))
    value = annotations.source_ranges().strip()
    if not value:
        return (EVERYWHERE[6 if family == 6 else 4],)
    cidrs = []
    parts = re.split(r"[\s,]+", value.strip(" ,")) if behaviours["source-ranges-split-at-spaces"] else value.split(",")
    for cidr in parts:
        normal = ranges.normal(cidr.strip())
        if normal is None:
            raise CcmError(
                f"failed to get source ranges for loadbalancer service {title}: "
                f"service.beta.kubernetes.io/load-balancer-source-ranges: {value} is not valid. Expecting a "
                "comma-separated list of source IP ranges. For example, 10.0.0.0/24,192.168.2.0/24"
            )
        cidrs.append(normal)
    return tuple(sorted(dict.fromkeys(cidrs)))
