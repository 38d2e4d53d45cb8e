"""Which source ranges a Service names, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog.service_annotations import SOURCE_RANGES
from ccmcheck.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.model import Span
    from ccmcheck.services import ServiceView

EVERYBODY = frozenset(("0.0.0.0/0", "::/0"))


class Named(NamedTuple):
    """The source ranges of a Service.

    Attributes:
        ranges: The CIDRs; empty where there are none, or a template mark is a part of them.
        span: Where they are.
        in_spec: Whether the spec names them.
    """

    ranges: tuple[str, ...]
    span: Span
    in_spec: bool = True

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
    found = tuple(one.strip() for one in service.service.source_ranges)
    if found or any(one.startswith("spec.loadBalancerSourceRanges") for one in service.service.open):
        return Named(found, place)
    given = service.annotations.get(SOURCE_RANGES)
    if given is None or not given.text:
        return Named((), place)
    return Named(tuple(one.strip() for one in given.text.split(",") if one.strip()), given.span, in_spec=False)
