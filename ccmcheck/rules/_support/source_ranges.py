"""Which source ranges a Service names, where, and whom they leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.service_annotations import SOURCE_RANGES

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    from ccmcheck.base.model import Span
    from ccmcheck.objects.service_manifest import Annotation
    from ccmcheck.objects.service_view import ServiceView

EVERYBODY = frozenset(("0.0.0.0/0", "::/0"))


class Named(NamedTuple):
    """The source ranges of a Service.

    Attributes:
        ranges: The CIDRs; empty where there are none, or a template mark is a part of them.
        span: Where they are.
        given: The annotation that names them; None where the spec does.
    """

    ranges: tuple[str, ...]
    span: Span
    given: Annotation | None = None

    @property
    def in_spec(self) -> bool:
        """Whether the spec names them."""
        return self.given is None

    @property
    def closed(self) -> bool:
        """Whether they are there to keep somebody out."""
        return bool(self.ranges) and EVERYBODY.isdisjoint(self.ranges)


def named(service: ServiceView) -> Named:
    """Read the field, else the annotation that stands for it.

    Args:
        service: The Service.
    """
    place = service.key_span_of("spec", "loadBalancerSourceRanges")
    if any(one.startswith("spec.loadBalancerSourceRanges") for one in service.service.open):
        return Named((), place)
    found = tuple(one.strip() for one in service.service.source_ranges)
    if found:
        return Named(found, place)
    given = service.annotations.get(SOURCE_RANGES)
    if given is None or not given.text:
        return Named((), place)
    return Named(tuple(one.strip() for one in given.text.split(",") if one.strip()), given.span, given)


def missing(networks: tuple[str, ...], ranges: tuple[str, ...]) -> tuple[str, ...]:
    """The networks that are not wholly within one of the ranges, where these have any of the same IP family.

    Args:
        networks: CIDRs.
        ranges: CIDRs; nothing is missing where one of them is none.
    """
    from ipaddress import ip_network

    try:
        allowed = [ip_network(one, strict=False) for one in ranges]
        wanted = [(one, ip_network(one, strict=False)) for one in networks]
    except ValueError:
        return ()
    versions = {one.version for one in allowed}
    return tuple(
        dict.fromkeys(text for text, one in wanted if one.version in versions and not _is_within(one, allowed))
    )


def _is_within(network: IPv4Network | IPv6Network, allowed: list[IPv4Network | IPv6Network]) -> bool:
    first, last = network.network_address, network.broadcast_address
    return any(first in one and last in one for one in allowed)
