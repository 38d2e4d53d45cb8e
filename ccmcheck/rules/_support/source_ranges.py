"""The source ranges of a Service: their place, and the networks that they exclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.service_annotations import SOURCE_RANGES

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    from ccmcheck.base.model import Span
    from ccmcheck.rules.views.service_manifest import WrittenAnnotation
    from ccmcheck.rules.views.service_view import ServiceView

ANY_ADDRESS = frozenset(("0.0.0.0/0", "::/0"))


class SourceRanges(NamedTuple):
    """The source ranges of a Service.

    Attributes:
        ranges: The CIDRs; empty where there are none, or they contain a template mark.
        span: Their place.
        given: The annotation with them; None where they are in the spec.
    """

    ranges: tuple[str, ...]
    span: Span
    given: WrittenAnnotation | None = None

    @property
    def in_spec(self) -> bool:
        """Whether they are in the spec."""
        return self.given is None

    @property
    def restricts(self) -> bool:
        """Whether they exclude any address."""
        return bool(self.ranges) and ANY_ADDRESS.isdisjoint(self.ranges)


def source_ranges(service: ServiceView) -> SourceRanges:
    """Read the field, else the annotation with the same meaning."""
    place = service.key_span_of("spec", "loadBalancerSourceRanges")
    if any(path.startswith("spec.loadBalancerSourceRanges") for path in service.service.open):
        return SourceRanges((), place)
    ranges = tuple(cidr.strip() for cidr in service.service.source_ranges)
    if ranges:
        return SourceRanges(ranges, place)
    annotation = service.annotations.get(SOURCE_RANGES)
    if annotation is None or not annotation.text:
        return SourceRanges((), place)
    return SourceRanges(
        tuple(cidr.strip() for cidr in annotation.text.split(",") if cidr.strip()), annotation.span, annotation
    )


def missing(networks: tuple[str, ...], ranges: tuple[str, ...]) -> tuple[str, ...]:
    """The networks that are not within one of the ranges, of those IP families that the ranges have.

    All are CIDRs; the result is empty where one of them is invalid.
    """
    from ipaddress import ip_network

    try:
        allowed = [ip_network(cidr, strict=False) for cidr in ranges]
        checked = [(cidr, ip_network(cidr, strict=False)) for cidr in networks]
    except ValueError:
        return ()
    versions = {network.version for network in allowed}
    return tuple(
        dict.fromkeys(
            cidr for cidr, network in checked if network.version in versions and not _is_within(network, allowed)
        )
    )


def _is_within(network: IPv4Network | IPv6Network, allowed: list[IPv4Network | IPv6Network]) -> bool:
    first, last = network.network_address, network.broadcast_address
    return any(first in other and last in other for other in allowed)
