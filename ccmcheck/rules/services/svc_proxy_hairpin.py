"""Connections from inside the cluster without a PROXY header."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.rules._support.pools import proxied
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Report what the prediction says about connections from inside the cluster."""
    if not service.handled:
        return
    override = proxied(service)
    answer = service.answer("hairpin") if override is not None else None
    if override is None or answer is None or answer.good is not False:
        return
    remedies = ["upgrade the CCM and Kubernetes to 1.30 or newer"]
    if behaves("ingress-hostname", service.release):
        remedies.insert(0, "write `enable-ingress-hostname = true` in cloud.conf")
    if behaves("hostname-annotation", service.release):
        remedies.insert(1, "give the Service a hostname with the annotation loadbalancer.openstack.org/hostname")
    yield Problem(
        override.span,
        answer.text,
        "The backend rejects connections without the header: checks from inside the cluster fail.",
        f"{remedies[0][0].upper()}{remedies[0][1:]}{''.join(f', or {remedy}' for remedy in remedies[1:])}.",
    )
