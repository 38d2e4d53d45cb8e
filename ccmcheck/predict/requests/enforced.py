"""Which source ranges are enforced, and by what.

Source: cloud-provider-openstack GetLoadBalancerSourceRanges and the code around it.

What the CCM finds Octavia to support, by the newest version that its API offers.

Source: cloud-provider-openstack pkg/util/openstack/loadbalancer.go IsOctaviaFeatureSupported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ccmcheck.catalog.octavia import api_has, api_version
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.annotations import CcmError
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState
from ccmcheck.predict.requests.notes import Notes
from ccmcheck.predict.requests.spec_inputs import SpecInputs


class Features:
    """What the CCM finds Octavia to support.

    Args:
        cloud: What is known of it; an unknown version counts as the newest, and is noted.
        ovn: Whether the CCM leaves ovn out.
        notes: Takes the assumption.
    """

    def __init__(self, cloud: CloudState, ovn: bool, notes: Notes) -> None:
        self.api = cloud.api or api_version(cloud.facts.octavia_release)
        self.ovn = ovn
        if self.api is None:
            least = "with every feature that the CCM uses (2.16, Ussuri)"
            notes.assume(
                f"the releases of Octavia and ovn-octavia-provider are not given: ones {least} and without the known "
                "defects are assumed (health monitors of IPv6 members work from 4.0.2, 5.1.0, 6.0.1 and 7.0.0 on)"
                if ovn and not cloud.ovn_release
                else f"Octavia's release is not given: one {least} is assumed"
            )

    def available(self, feature: str) -> bool:
        """Whether its API has a feature; a name in ``ccmcheck.catalog.data.octavia.API_FEATURES``."""
        return api_has(feature, self.api) is not False

    def supports(self, feature: str) -> bool:
        """The same for what ovn never has."""
        return not self.ovn and self.available(feature)


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


def allowed(inputs: SpecInputs, family: int, has: Features) -> tuple[tuple[str, ...], bool]:
    """The source ranges that are enforced, and whether the listener carries them.

    A load balancer that another provider made keeps the ranges of its listeners: the CCM goes by cloud.conf's provider,
    and leaves them alone.

    Raises:
        CcmError: One of them is not a CIDR.
    """
    behaviours, notes = inputs.behaviours, inputs.notes
    allowed = source_ranges(inputs, family)
    if has.supports("allowed-cidrs"):
        return allowed, True
    restricted = allowed != (EVERYWHERE[6 if family == 6 else 4],)
    if has.ovn and behaviours["source-ranges-in-ovn-groups"] and inputs.options.manage_security_groups:
        return allowed, False
    if restricted:
        notes.ignore(
            "loadBalancerSourceRanges",
            _KEPT
            if has.ovn and _keeps_ranges(inputs.cloud.balancer)
            else _OPEN
            if has.ovn
            else "Octavia's API is older than 2.12 (Train): everybody gets in",
        )
    if behaviours["writes-events"]:
        notes.warn(
            "LoadBalancerSourceRangesIgnored",
            f"LoadBalancerSourceRanges are ignored for Service {inputs.service.title} because Octavia provider does "
            "not support it",
        )
    return (), True


def source_ranges(inputs: SpecInputs, family: int) -> tuple[str, ...]:
    """The source ranges, in a stable order; the CCM sends them in any.

    Raises:
        CcmError: One of them is not a CIDR.
    """
    start = f"failed to get source ranges for loadbalancer service {inputs.service.title}: "
    specs = inputs.service.source_ranges
    if specs:
        error = (
            f"{start}service.Spec.LoadBalancerSourceRanges: [{' '.join(specs)}] is not valid. Expecting a list of IP "
            "ranges. For example, 10.0.0.0/24. Error msg: invalid CIDR address: "
        )
        return _normal(specs, error, names_it=True)
    value = inputs.annotations.source_ranges().strip()
    if not value:
        return (EVERYWHERE[6 if family == 6 else 4],)
    error = (
        f"{start}service.beta.kubernetes.io/load-balancer-source-ranges: {value} is not valid. Expecting a "
        "comma-separated list of source IP ranges. For example, 10.0.0.0/24,192.168.2.0/24"
    )
    at_spaces = inputs.behaviours["source-ranges-split-at-spaces"]
    return _normal(re.split(r"[\s,]+", value.strip(" ,")) if at_spaces else value.split(","), error)


def _normal(cidrs: Iterable[str], error: str, *, names_it: bool = False) -> tuple[str, ...]:
    """CIDRs as the CCM writes them, each once; the error is the CCM's, which may end with the one that is none."""
    normal = {cidr.strip(): ranges.normal(cidr.strip()) for cidr in cidrs}
    for cidr, written in normal.items():
        if written is None:
            raise CcmError(error + cidr * names_it)
    return tuple(sorted({written for written in normal.values() if written is not None}))
