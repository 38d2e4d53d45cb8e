"""PROXY protocol together with X-Forwarded-For."""

from __future__ import annotations

from ccmcheck.base.model import Note, Problem, Problems
from ccmcheck.rules._support.pools import FORWARDED, PROXY, has_proxy_and_forwarded
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at both annotations."""
    if not service.handled or not has_proxy_and_forwarded(service):
        return
    proxy, forwarded = service.annotation(PROXY), service.annotation(FORWARDED)
    if proxy is None or forwarded is None:
        return
    yield Problem(
        proxy.span,
        "the CCM fails: this and x-forwarded-for cannot be used together",
        "The Service gets no load balancer, and an existing one is no longer updated.",
        "Keep the one that the backends read: PROXY for any TCP protocol, X-Forwarded-For for plain HTTP.",
        notes=(Note(forwarded.span, "the other annotation"),),
    )
