"""The source ranges of a Service: their place, and the networks that they exclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.service_annotations import SOURCE_RANGES

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    from ccmcheck.base.model import Span
    from ccmcheck.objects.service_manifest import Annotation
    from ccmcheck.objects.service_view import ServiceView

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
    given: Annotation | None = None

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
    if any(one.startswith("spec.loadBalancerSourceRanges") for one in service.service.open):
        return SourceRanges((), place)
    ranges = tuple(one.strip() for one in service.service.source_ranges)
    if ranges:
        return SourceRanges(ranges, place)
    given = service.annotations.get(SOURCE_RANGES)
    if given is None or not given.text:
        return SourceRanges((), place)
    return SourceRanges(tuple(one.strip() for one in given.text.split(",") if one.strip()), given.span, given)


def missing(networks: tuple[str, ...], ranges: tuple[str, ...]) -> tuple[str, ...]:
    """The networks that are not within one of the ranges, of those IP families that the ranges have.

    All are CIDRs; the result is empty where one of them is invalid.
    """
    from ipaddress import ip_network

    try:
        allowed = [ip_network(one, strict=False) for one in ranges]
        checked = [(one, ip_network(one, strict=False)) for one in networks]
    except ValueError:
        return ()
    versions = {one.version for one in allowed}
    return tuple(
        dict.fromkeys(text for text, one in checked if one.version in versions and not _is_within(one, allowed))
    )


def _is_within(network: IPv4Network | IPv6Network, allowed: list[IPv4Network | IPv6Network]) -> bool:
    first, last = network.network_address, network.broadcast_address
    return any(first in one and last in one for one in allowed)
