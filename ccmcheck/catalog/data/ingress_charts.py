"""Charts of ingress controllers and gateways: where their values say what their Service of type LoadBalancer is like.

Each row names the template that was read. Charts that write other Services are not here: a key of the same name in
their values may mean anything.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.records import NamedTuple


class ChartPort(NamedTuple):
    """One port of the Service.

    Attributes:
        name: Its name.
        number: Its number where the values name none.
        number_at: Where the values name it.
        enabled_at: The switch in the values; empty without one.
        protocol: Its protocol.
        is_on: Whether it is there where the values say nothing.
    """

    name: str
    number: int
    number_at: tuple[str, ...]
    enabled_at: tuple[str, ...] = ()
    protocol: str = "TCP"
    is_on: bool = True


class IngressChart(NamedTuple):
    """One chart.

    Attributes:
        name: The chart's name.
        service: Where its values describe the Service.
        source: The template that was read.
        type: The Service's type where the values name none.
        policy: Its ``externalTrafficPolicy`` where the values name none; empty for Kubernetes' default.
        spec: Where fields of the Service's spec are, below ``service``.
        suffix: What the Service's name has after the release's.
        writes_texts: Whether annotations are written as texts, whatever the values are.
        ports: Its ports.
        lists: Values with further ports as a list; those of a list in the values replace the ports of its name.
        switch: A value that must be true for the Service; empty without one.
        hints: Keys that only this chart's values have, at their top or in the Service's.
        more_annotations: Further values with annotations of the same Service, which win.
        name_at: The value with the Service's name, before the suffix.
        is_named_alone: Whether the Service is called like the release, without the chart's name.
        fixed_name: What the Service is called whatever the release is.
        proxy_at: Values that make the controller expect a PROXY header, where they are not empty; ``*`` is any key.
    """

    name: str
    service: tuple[str, ...]
    source: str
    type: str = "LoadBalancer"
    policy: str = ""
    spec: tuple[str, ...] = ()
    suffix: str = ""
    writes_texts: bool = False
    ports: tuple[ChartPort, ...] = ()
    lists: tuple[str, ...] = ()
    switch: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    more_annotations: tuple[str, ...] = ()
    name_at: str = "fullnameOverride"
    is_named_alone: bool = False
    fixed_name: str = ""
    proxy_at: tuple[tuple[str, ...], ...] = ()


SPEC_FIELDS = (
    "allocateLoadBalancerNodePorts", "clusterIP", "externalIPs", "externalTrafficPolicy", "healthCheckNodePort",
    "internalTrafficPolicy", "ipFamilies", "ipFamilyPolicy", "loadBalancerClass", "loadBalancerIP",
    "loadBalancerSourceRanges", "sessionAffinity",
)  # fmt: skip
"""Values that become the field of the Service's spec of the same name, where they are not empty."""

BESIDE_SPEC = frozenset(
    ("type", "externalIPs", "ipFamilies", "ipFamilyPolicy", "loadBalancerClass", "loadBalancerSourceRanges")
)
"""Those that stand beside the mapping of a chart that has one for the spec; what the mapping sets wins.

Source: https://github.com/traefik/traefik-helm-chart traefik/templates/_service.tpl.
"""


def _port(text: str) -> ChartPort:
    """Such as ``http 80 TCP number=service.ports.http switch=service.enableHttp off``."""
    name, number, protocol, *rest = text.split(" ")
    places = {what: _path([path]) for what, _, path in (word.partition("=") for word in rest)}
    return ChartPort(
        name, int(number), places.get("number", ()), places.get("switch", ()), protocol, is_on="off" not in places
    )


def _path(values: list[str]) -> tuple[str, ...]:
    return tuple(values[-1].split("."))


CHARTS: tuple[IngressChart, ...] = records(
    read_paragraphs(__file__, "ingress_charts.txt"),
    IngressChart,
    service=_path,
    spec=_path,
    switch=_path,
    proxy_at=lambda values: tuple(_path([value]) for value in values),
    ports=lambda values: tuple(map(_port, values)),
)
"""The charts; of several with values at the same place, the first is the one that is meant where nothing tells."""

BY_NAME = {chart.name: chart for chart in CHARTS}
BY_NAME |= {
    "rke2-ingress-nginx": BY_NAME["ingress-nginx"]._replace(switch=("controller", "service", "enabled")),
    "rke2-traefik": BY_NAME["traefik"]._replace(type="ClusterIP"),
    "rke2-cilium": BY_NAME["cilium"],
}
"""By the name of a chart; those that RKE2 packages make no load balancer unless the values say so.

Source: https://github.com/rancher/rke2-charts packages/rke2-ingress-nginx, rke2-traefik, rke2-cilium
(generated-changes/patch/values.yaml.patch: ``controller.service.enabled`` is false, ``service.type`` is ClusterIP, and nothing is
changed of cilium's ``ingressController``).
"""

ENVOY_POLICY = "Local"
"""What Envoy Gateway writes into its Services where an EnvoyProxy names no ``externalTrafficPolicy``.

Source: https://github.com/envoyproxy/gateway api/v1alpha1/kubernetes_helpers.go (DefaultKubernetesServiceExternalTrafficPolicy).
"""
