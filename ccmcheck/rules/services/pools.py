"""What becomes of a Service's ports at Octavia: which of them are datagrams, and what makes HTTP or PROXY of all of them.

An annotation about one protocol concerns every port: that is what most of these rules are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog.data.octavia import DATAGRAM_POOLS, OVN_POOLS
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.model import Span
    from ccmcheck.services import ServiceView

PROXY = "proxy-protocol"
FORWARDED = "x-forwarded-for"
TLS = "default-tls-container-ref"


class Maker(NamedTuple):
    """What makes something else of every port.

    Attributes:
        listener: The listeners' protocol; empty for the ports' own.
        pool: The pools' protocol.
        name: The annotation, or the key of cloud.conf, in backquotes.
        span: Where that is; the Service's ports where a cloud.conf says it.
        annotated: Whether an annotation says it.
    """

    listener: str
    pool: str
    name: str
    span: Span
    annotated: bool = True

    @property
    def refused_by_ovn(self) -> str:
        """The first protocol that the ovn provider refuses; empty where it takes both."""
        return next((one for one in (self.listener, self.pool) if one and one not in OVN_POOLS), "")


def contradicts_itself(service: ServiceView) -> bool:
    """Whether the CCM gives up on the Service because it asks for PROXY and X-Forwarded-For at once."""
    return bool(service.proxy) and isinstance(service.proxy, str) and service.switch(FORWARDED) is True


def proxied(service: ServiceView) -> Maker | None:
    """The PROXY protocol, where the Service asks for it and nothing is in its way."""
    given = service.annotation(PROXY)
    if given is None or not isinstance(service.proxy, str) or not service.proxy or contradicts_itself(service):
        return None
    return Maker("", service.proxy, f"`{PREFIX}{PROXY}`", given.span)


def made_http(service: ServiceView) -> Maker | None:
    """What makes HTTP of every port: a TLS reference, else X-Forwarded-For."""
    if isinstance(service.tls, str) and service.tls and not service.proxy:
        given = service.annotation(TLS)
        if given is not None:
            return Maker("TERMINATED_HTTPS", "HTTP", f"`{PREFIX}{TLS}`", given.span)
        where = service.conf_name or "cloud.conf"
        span = service.key_span_of("spec", "ports")
        return Maker("TERMINATED_HTTPS", "HTTP", f"`{TLS}` in {where}", span, annotated=False)
    forwarded = service.annotation(FORWARDED)
    if forwarded is None or service.switch(FORWARDED) is not True or service.proxy:
        return None
    return Maker("HTTP", "HTTP", f"`{PREFIX}{FORWARDED}`", forwarded.span)


def datagrams(service: ServiceView) -> list[str]:
    """The ports that are no streams, as people write them: ``53/UDP``."""
    return [f"{port.port}/{port.protocol}" for port in service.service.ports if port.protocol in DATAGRAM_POOLS]


def listed(names: list[str]) -> str:
    """Ports in a message: at most three by name."""
    return ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:3])} and {len(names) - 3} more"
