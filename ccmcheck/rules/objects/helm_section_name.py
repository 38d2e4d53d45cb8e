"""A section of the chart's values under a name that the chart does not read.

What it does: finds maps below `cloudConfig` whose name is almost one that the chart's templates read, such as `loadbalancer`,
`LoadBalancer` or `load_balancer` for `loadBalancer`; and maps of that name beside `cloudConfig` instead of inside it, with keys of
the section only; maps of load balancer classes, which the chart has no room for; and `route` where the chart's version is
before 2.30.0. Where the chart lies beside its values, its own templates say which names it reads.

Why: values are looked up by their exact path, upper and lower case included, while cloud.conf's own sections may be in any case.

What the CCM does: it never sees these settings, because Helm leaves them out without an error. Defaults apply.

Releases: all

Fix: by hand: rename the map, or move it into `cloudConfig`. The settings in it take effect then, which may change load balancers.

Source: cloud-provider-openstack charts/openstack-cloud-controller-manager/templates/_helpers.tpl
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "helm-section-name",
    "A section of the chart's values that the chart does not read",
    Severity.ERROR,
    per_release=False,
)

_CHART = "Helm values"
_CONTENTS = "cloudConfigContents"
_VALUES = """\
cloudConfig:
  global:
    auth-url: https://keystone
  {}:
    lb-provider: ovn
"""
_BESIDE = """\
cloudConfig:
  global:
    auth-url: https://keystone
{}:
  {}
"""

BAD = (
    Case(_VALUES.format("loadbalancer"), at=(4, 3), carrier=_CHART),
    Case(_VALUES.format("LoadBalancer"), at=(4, 3), carrier=_CHART),
    Case(_VALUES.format("load_balancer"), at=(4, 3), carrier=_CHART, shown=False),
    Case(_VALUES.format("loadBalncer"), at=(4, 3), carrier=_CHART, shown=False),
    Case(
        "cloudConfig:\n  loadbalancer: {lb-provider: ovn}\n  Global: {region: R}\nsecret: {enabled: true}\n",
        at=(2, 3),
        carrier=_CHART,
        times=2,
        shown=False,
    ),
    Case(_BESIDE.format("loadBalancer", "lb-provider: ovn\n  enabled: true"), at=(4, 1), carrier=_CHART),
    Case(_BESIDE.format("loadbalancer", "subnet-id: x"), at=(4, 1), carrier=_CHART, shown=False),
    Case(_BESIDE.format("networking", "public-network-name: x"), at=(4, 1), carrier=_CHART, shown=False),
    Case(
        "cloudConfig:\n  loadBalancer: {create-monitor: true}\nloadBalancer: {lb-provider: ovn}\nroute: {router-id: x}\n",
        at=(3, 1),
        carrier=_CHART,
        times=2,
        shown=False,
    ),
)
GOOD = (
    Case(_VALUES.format("loadBalancer"), carrier=_CHART),
    Case(_VALUES.format("blockStorage"), carrier=_CHART, shown=False),
    Case("cloudConfig:\n  global: {auth-url: x}\n  loadbalancer: {}\n", carrier=_CHART, shown=False),
    Case("cloudConfig:\n  global: {auth-url: x}\n  extra: {lb-provider: ovn}\n", carrier=_CHART, shown=False),
    Case(_BESIDE.format("loadBalancer", "enabled: true"), carrier=_CHART, shown=False),
    Case(_BESIDE.format("loadBalancer", "subnet-id: x\n  replicas: 2"), carrier=_CHART, shown=False),
    Case(_BESIDE.format("resources", "subnet-id: x"), carrier=_CHART, shown=False),
    Case(_BESIDE.format("global", "auth-url: x"), carrier=_CHART, shown=False),
    Case(
        "cloudConfig:\n  global: {auth-url: x}\nloadBalancer: &balancer\n  lb-provider: ovn\n",
        carrier=_CHART,
        shown=False,
    ),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for maps that the chart leaves out."""
    for span, meant in conf.unread_chart_maps:
        if meant.startswith("chart ") or meant == _CONTENTS:
            is_new = meant != _CONTENTS
            yield Problem(
                span,
                f"the chart {'of this version ' if is_new else ''}silently ignores this map and all settings in it",
                f"The first version that always reads it is {meant}." if is_new else "No value of it becomes a class.",
                f"{f'Install {meant} or newer, or write' if is_new else 'Write'} the whole cloud.conf as `{_CONTENTS}`.",
            )
            continue
        around, _, name = meant.rpartition(".")
        yield Problem(
            span,
            f"the chart reads `{meant}` only; it silently ignores this map and all settings in it",
            f"It stands beside `{around}`." if around else "Helm looks values up by their exact name.",
            f"Move its settings into `{name}` below `{around}`." if around else f"Write `{meant}`.",
        )
