"""The protocols of a Service's pools and listeners at Octavia: its UDP and SCTP ports, and what makes all ports HTTP or PROXY.

An annotation about one protocol applies to every port, which is what most of these rules are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.data.octavia import DATAGRAM_POOLS
from ccmcheck.catalog.service_annotations import PREFIX

if TYPE_CHECKING:
    from ccmcheck.base.model import Span
    from ccmcheck.rules.views.drivers import Driver
    from ccmcheck.rules.views.service_view import ServiceView

PROXY = "proxy-protocol"
FORWARDED = "x-forwarded-for"
TLS = "default-tls-container-ref"


class ProtocolOverride(NamedTuple):
    """A setting that changes the protocol of every port.

    Attributes:
        listener: The listeners' protocol; empty for the ports' own.
        pool: The pools' protocol.
        name: The annotation, or the key of cloud.conf, in backquotes.
        span: Its place; the Service's ports where it is in a cloud.conf.
        annotated: Whether it is an annotation.
    """

    listener: str
    pool: str
    name: str
    span: Span
    annotated: bool = True

    def refused_by(self, driver: Driver) -> str:
        """The first protocol that a driver rejects; empty where it supports both.

        Args:
            driver: One whose protocols are known.
        """
        known = driver.protocols or ()
        return next((name for name in (self.listener, self.pool) if name and name not in known), "")


def has_proxy_and_forwarded(service: ServiceView) -> bool:
    """Whether the Service has both PROXY and X-Forwarded-For, for which the CCM fails."""
    return bool(service.proxy) and isinstance(service.proxy, str) and service.switch(FORWARDED) is True


def proxied(service: ServiceView) -> ProtocolOverride | None:
    """The PROXY protocol, where the Service has it and the CCM supports the combination."""
    given = service.annotation(PROXY)
    if given is None or not isinstance(service.proxy, str) or not service.proxy or has_proxy_and_forwarded(service):
        return None
    return ProtocolOverride("", service.proxy, f"`{PREFIX}{PROXY}`", given.span)


def has_tls(service: ServiceView) -> bool:
    """Whether a TLS reference is known to make every listener TERMINATED_HTTPS."""
    return isinstance(service.tls, str) and bool(service.tls)


def made_http(service: ServiceView) -> ProtocolOverride | None:
    """What makes every port HTTP: a TLS reference, else X-Forwarded-For; None where the CCM fails before."""
    if service.wrong_tls_reference is not None or has_proxy_and_forwarded(service):
        return None
    if has_tls(service):
        given = service.annotation(TLS)
        pool = service.proxy if isinstance(service.proxy, str) and service.proxy else "HTTP"
        if given is not None:
            return ProtocolOverride("TERMINATED_HTTPS", pool, f"`{PREFIX}{TLS}`", given.span)
        where = service.conf_name or "cloud.conf"
        span = service.key_span_of("spec", "ports")
        return ProtocolOverride("TERMINATED_HTTPS", pool, f"`{TLS}` in {where}", span, annotated=False)
    forwarded = service.annotation(FORWARDED)
    if forwarded is None or service.switch(FORWARDED) is not True or service.proxy:
        return None
    return ProtocolOverride("HTTP", "HTTP", f"`{PREFIX}{FORWARDED}`", forwarded.span)


def refuses_monitor(service: ServiceView) -> bool:
    """Whether Octavia rejects the monitor of a UDP or SCTP port with an HTTP pool.

    The monitor of a Local Service checks the health check node port over HTTP, which such a pool supports.
    """
    if service.monitor is not True or service.driver.protocols is not None or not datagrams(service):
        return False
    prediction = service.prediction
    if prediction is not None:
        return any(refusal.field.endswith("healthmonitor.type") for refusal in prediction.refusals)
    return service.service.policy == "Cluster" or not service.behaviours["supports-local"]


def datagrams(service: ServiceView) -> list[str]:
    """The UDP and SCTP ports, written as ``53/UDP``."""
    return [f"{port.port}/{port.protocol}" for port in service.service.ports if port.protocol in DATAGRAM_POOLS]


def listed(names: list[str]) -> str:
    """Ports for a message: at most three, and the number of the others."""
    return first_of(names, 3)
