"""What the in-tree provider does where nothing of a load balancer is set."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import SECTION
from ccmcheck.rules._support.ignored import is_foreign


def check(conf: CloudConf) -> Problems:
    """Where there are Services, look for the section, and in it for what chooses the external network."""
    if conf.consumer != IN_TREE and conf.carried.consumers != (IN_TREE,):
        return
    if not conf.run_context.services or not conf.sections or conf.may_hide_keys() or is_foreign(conf):
        return
    sections = conf.sections_named(SECTION)
    place = (sections or conf.sections)[0].span
    if not any(section.entries for section in sections) and behaves("in-tree-off-without-keys", conf.release):
        yield Problem(
            Span(place.start, place.end),
            f"no key in [{SECTION}], so the in-tree provider makes no load balancers",
            "Services of type LoadBalancer stay pending, without an event.",
            f"In a cloud with Octavia write `use-octavia = true` into [{SECTION}]; in one with neither Octavia nor Neutron "
            "LBaaS there are no load balancers.",
        )
        return
    if conf.last(SECTION, "floating-network-id") is None and behaves("in-tree-finds-external-network", conf.release):
        yield Problem(
            Span(place.start, place.end),
            "no `floating-network-id`: the in-tree provider takes the external network that it finds",
            "Each Service that is not internal by its annotation wants a floating IP of it, also where its subnet has no router "
            "to that network; with several external networks such Services fail.",
            "Write `floating-network-id`, or give internal Services the annotation "
            '`service.beta.kubernetes.io/openstack-internal-load-balancer: "true"`.',
            severity=Severity.INFO,
        )
