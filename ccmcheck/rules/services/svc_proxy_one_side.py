"""PROXY on one side only."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.rules._support.pools import PROXY, has_proxy_and_forwarded, proxied
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Iterator[Problem]:
    """Compare the annotation with what the values of the ingress controller's chart say."""
    expects = service.manifest.object.expects_proxy
    if not service.handled or expects is None or service.is_partial or has_proxy_and_forwarded(service):
        return
    override = proxied(service)
    if override is not None and not expects:
        yield Problem(
            override.span,
            "the load balancer sends a PROXY header, and these values do not let the controller expect one",
            "It takes the header for the request: clients get 400, or their TLS handshake fails.",
            "Set `controller.config.use-proxy-protocol` of ingress-nginx, or `ports.web.proxyProtocol` and "
            "`ports.websecure.proxyProtocol` of Traefik; or remove the annotation.",
        )
    elif override is None and expects and service.annotation(PROXY) is None:
        yield Problem(
            service.span_of("spec", "type"),
            "the controller expects a PROXY header, and the load balancer sends none",
            'Every connection ends, with `broken header: "" while reading PROXY protocol` in its log.',
            f'Give the Service the annotation `{PREFIX}{PROXY}: "true"`, or switch it off in the controller.',
        )
