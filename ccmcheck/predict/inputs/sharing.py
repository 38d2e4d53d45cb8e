"""What keeps a Service from a load balancer that several name: a port that another has, or the CCM's own refusal."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.inputs.behaviours import Behaviours

Place: TypeAlias = tuple[str, str]
"""The file of a Service, and its kind and name. The first is taken for the load balancer's owner."""
Port: TypeAlias = tuple[int, str]
"""A port with its protocol."""


class Sharer(NamedTuple):
    """A Service among those that name one load balancer.

    Attributes:
        place: Where it is.
        balancer: The load balancer that it names.
        ports: Its ports.
    """

    place: Place
    balancer: str
    ports: tuple[Port, ...]


def taken_ports(sharers: Iterable[Sharer]) -> dict[Place, dict[Port, Place]]:
    """By the Service, its ports that another one before it has at the same load balancer, each with that Service."""
    owners: dict[tuple[str, Port], Place] = {}
    taken: dict[Place, dict[Port, Place]] = {}
    for sharer in sorted(sharers):
        for port in sharer.ports:
            owner = owners.setdefault((sharer.balancer, port), sharer.place)
            if owner != sharer.place:
                taken.setdefault(sharer.place, {})[port] = owner
    return taken


class GuestRefusal(Enum):
    """Why the CCM makes nothing for a guest, in the order in which it looks (ensureOctaviaLoadBalancer)."""

    NO_TAGS = "shared load balancer is only supported with the tag feature in the cloud load balancer service"
    TOO_MANY = "load balancer {id} already shared with {count} Services"
    INTERNAL = "internal Service cannot share a load balancer"


def refusal(before: int, most: int, behaviours: Behaviours, *, internal: bool, tags: bool) -> GuestRefusal | None:
    """Why a Service cannot be a guest; None where it can.

    Args:
        before: How many others have a part of the load balancer already.
        most: ``max-shared-lb``.
        behaviours: Those of the release.
        internal: Whether the Service is internal.
        tags: Whether Octavia has tags.
    """
    if not tags:
        return GuestRefusal.NO_TAGS
    if before + 1 > most:
        return GuestRefusal.TOO_MANY
    return GuestRefusal.INTERNAL if internal and behaviours["internal-services-cannot-share"] else None
