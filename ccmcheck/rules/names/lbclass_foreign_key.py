"""A key that [LoadBalancerClass] does not support.

What it does: finds keys in `[LoadBalancerClass "name"]` that belong to [LoadBalancer], another section, or to
Service annotations.

Why: people expect a provider, a monitor or a flavor per class. A class only selects networks and subnets.

What the CCM does: it silently ignores the key; [LoadBalancer] applies to every class.

Releases: 1.15 and newer

Fix: none; use an annotation of the Service, where there is one.

Source: cloud-provider-openstack pkg/openstack/openstack.go LBClass; kubernetes/cloud-provider-openstack#2756
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog import fold
from ccmcheck.rules._support.ignored import CLASS, reported_by
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("lbclass-foreign-key", "A key that [LoadBalancerClass] does not support", Severity.ERROR)

BAD = (
    Case('[LoadBalancerClass "ovn"]\nsubnet-id=x\nlb-provider=ovn\n', at=(3, 1)),
    Case('[LoadBalancerClass "a"]\ncreate-monitor=true\nflavor-id=x\n', at=(2, 1), times=2),
    Case('[LoadBalancerClass "a"]\nproxy-protocol=true\n', at=(2, 1)),
    Case('[loadbalancerclass "a"]\nauth-url=x\n', at=(2, 1), shown=False),
)
GOOD = (
    Case('[LoadBalancerClass "a"]\nfloating-network-id=x\nsubnet-id=y\n'),
    Case('[LoadBalancerClass "a"]\nmember-subnet-id=y\n', release="1.20"),
    Case('[LoadBalancerClass "a"]\nfloting-subnet-id=y\n'),
    Case("[LoadBalancer]\nlb-provider=ovn\n"),
    Case('[LoadBalancerClass "a"]\nlb-provider=ovn\n', release="1.14"),
    Case('[LoadBalancerClass "a"]\n${KEY}=ovn\n', template=True, shown=False)._replace(
        text='[LoadBalancerClass "a"]\nlb-${KEY}=ovn\n'
    ),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the ignored keys of classes that are known in other sections."""
    for ignored in reported_by(conf, META.name):
        section = conf.schema.section(CLASS)
        names = ", ".join(f"`{spec.name}`" for spec in section.keys) if section is not None else ""
        annotation = _annotation(fold(ignored.item.entry.key))
        yield Problem(
            ignored.item.entry.key_span,
            "not a key of a load balancer class; the CCM silently ignores it",
            f"A class supports {names}.",
            f"Annotate the Services: `{annotation}`."
            if annotation
            else "Write it in `[LoadBalancer]`, where it applies to all classes.",
        )


def _annotation(key: str) -> str:
    """The Service annotation with the meaning of a key; empty where there is none."""
    from ccmcheck.catalog.service_annotations import all_annotations

    for annotation in all_annotations():
        if key == annotation.name.rpartition("/")[2] or annotation.keys == (key,):
            return annotation.name
    return ""
