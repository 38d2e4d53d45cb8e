"""What becomes of a Service's ports at Octavia: which of them are datagrams, and what makes HTTP or PROXY of all of them.

An annotation about one protocol concerns every port: that is what most of these rules are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.octavia import DATAGRAM_POOLS, OVN_POOLS
from ccmcheck.catalog.service_annotations import PREFIX

if TYPE_CHECKING:
    from ccmcheck.base.model import Span
    from ccmcheck.objects.service_view import ServiceView

PROXY = "proxy-protocol"
FORWARDED = "x-forwarded-for"
TLS = "default-tls-container-ref"

_KINDS = ("containers", "secrets")
_REFERENCE = lazy_regex(r"(?:.*/)?(containers|secrets)/[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z")


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


def has_tls(service: ServiceView) -> bool:
    """Whether a TLS reference is known to make every listener TERMINATED_HTTPS."""
    return isinstance(service.tls, str) and bool(service.tls)


def made_http(service: ServiceView) -> Maker | None:
    """What makes HTTP of every port: a TLS reference, else X-Forwarded-For; nothing where the CCM gives up before."""
    if wrong_reference(service) or contradicts_itself(service):
        return None
    if has_tls(service):
        given = service.annotation(TLS)
        pool = service.proxy if isinstance(service.proxy, str) and service.proxy else "HTTP"
        if given is not None:
            return Maker("TERMINATED_HTTPS", pool, f"`{PREFIX}{TLS}`", given.span)
        where = service.conf_name or "cloud.conf"
        span = service.key_span_of("spec", "ports")
        return Maker("TERMINATED_HTTPS", pool, f"`{TLS}` in {where}", span, annotated=False)
    forwarded = service.annotation(FORWARDED)
    if forwarded is None or service.switch(FORWARDED) is not True or service.proxy:
        return None
    return Maker("HTTP", "HTTP", f"`{PREFIX}{FORWARDED}`", forwarded.span)


def refuses_monitor(service: ServiceView) -> bool:
    """Whether Octavia refuses the monitor of a datagram port that was made HTTP.

    The monitor of a Local Service asks the health check node port over HTTP, which such a pool takes.
    """
    if service.monitor is not True or service.driver == "ovn" or not datagrams(service):
        return False
    told = service.prediction
    if told is not None:
        return any(one.field.endswith("healthmonitor.type") for one in told.refusals)
    return service.service.policy == "Cluster" or not service.behaviours["supports-local"]


def wrong_reference(service: ServiceView) -> str:
    """What is wrong with an annotated TLS reference; empty where nothing is, or where it is not Barbican's."""
    ref = service.tls if service.annotation(TLS) is not None else ""
    if not isinstance(ref, str) or not ref:
        return ""
    options = service.options
    if service.behaviours["container-stores"] and (
        options.container_store != "barbican" if options else "/v1/" not in ref
    ):
        return ""
    match = _REFERENCE.match(ref)
    if match is None:
        return "is no reference to a container or secret of Barbican"
    if match[1] == "secrets" and not service.behaviours["tls-reference-has-a-kind"]:
        return f"CCM {service.release.name} looks for containers only, and takes this for the ID of one"
    return ""


def is_refused_unread(service: ServiceView) -> bool:
    """Whether the CCM refuses the TLS reference by its form alone, before it looks it up."""
    parts = service.tls.split("/") if isinstance(service.tls, str) else []
    return service.behaviours["tls-reference-has-a-kind"] and (len(parts) < 2 or parts[-2] not in _KINDS)


def datagrams(service: ServiceView) -> list[str]:
    """The ports that are no streams, as people write them: ``53/UDP``."""
    return [f"{port.port}/{port.protocol}" for port in service.service.ports if port.protocol in DATAGRAM_POOLS]


def listed(names: list[str]) -> str:
    """Ports in a message: at most three by name."""
    return ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:3])} and {len(names) - 3} more"
