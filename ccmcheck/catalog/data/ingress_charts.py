"""Charts of ingress controllers and gateways: where their values say what their Service of type LoadBalancer is like.

Each row names the template that was read. Charts that write other Services are not here: a key of the same name in
their values may mean anything.
"""

from __future__ import annotations

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


SPEC_FIELDS = (
    "allocateLoadBalancerNodePorts",
    "clusterIP",
    "externalIPs",
    "externalTrafficPolicy",
    "healthCheckNodePort",
    "internalTrafficPolicy",
    "ipFamilies",
    "ipFamilyPolicy",
    "loadBalancerClass",
    "loadBalancerIP",
    "loadBalancerSourceRanges",
    "sessionAffinity",
)
"""Values that become the field of the Service's spec of the same name, where they are not empty."""

_NGINX = ("controller", "service")
_HAPROXY = ("controller", "service")

CHARTS: tuple[IngressChart, ...] = (
    IngressChart(
        "ingress-nginx",
        _NGINX,
        "https://github.com/kubernetes/ingress-nginx charts/ingress-nginx/templates/controller-service.yaml",
        suffix="-controller",
        writes_texts=True,
        ports=(
            ChartPort("http", 80, (*_NGINX, "ports", "http"), (*_NGINX, "enableHttp")),
            ChartPort("https", 443, (*_NGINX, "ports", "https"), (*_NGINX, "enableHttps")),
        ),
        hints=("enableHttp", "enableHttps", "internal", "external"),
    ),
    IngressChart(
        "traefik",
        ("service",),
        "https://github.com/traefik/traefik-helm-chart traefik/templates/service.yaml, _service.tpl",
        spec=("spec",),
        ports=(
            ChartPort("web", 80, ("ports", "web", "exposedPort"), ("ports", "web", "expose", "default")),
            ChartPort(
                "websecure", 443, ("ports", "websecure", "exposedPort"), ("ports", "websecure", "expose", "default")
            ),
        ),
        hints=("ingressRoute", "additionalArguments", "globalArguments", "annotationsTCP", "annotationsUDP"),
        more_annotations=("annotationsTCP",),
    ),
    IngressChart(
        "kubernetes-ingress",
        _HAPROXY,
        "https://github.com/haproxytech/helm-charts kubernetes-ingress/templates/controller-service.yaml",
        type="NodePort",
        writes_texts=True,
        ports=(
            ChartPort("http", 80, (*_HAPROXY, "ports", "http"), (*_HAPROXY, "enablePorts", "http")),
            ChartPort("https", 443, (*_HAPROXY, "ports", "https"), (*_HAPROXY, "enablePorts", "https")),
            ChartPort("quic", 443, (*_HAPROXY, "ports", "https"), (*_HAPROXY, "enablePorts", "quic"), "UDP"),
            ChartPort("stat", 1024, (*_HAPROXY, "ports", "stat"), (*_HAPROXY, "enablePorts", "stat")),
            ChartPort("admin", 6060, (*_HAPROXY, "ports", "admin"), (*_HAPROXY, "enablePorts", "admin")),
        ),
        lists=("tcpPorts",),
        hints=("enablePorts",),
    ),
    IngressChart(
        "haproxy-ingress",
        _HAPROXY,
        "https://github.com/haproxy-ingress/charts haproxy-ingress/templates/controller-service.yaml",
        policy="Local",
        ports=(ChartPort("http", 80, ()), ChartPort("https", 443, ())),
        lists=("httpPorts", "httpsPorts", "extraPorts"),
        hints=("httpPorts", "httpsPorts"),
    ),
    IngressChart(
        "gateway",
        ("service",),
        "https://github.com/istio/istio manifests/charts/gateway/templates/service.yaml",
        ports=(ChartPort("status-port", 15021, ()), ChartPort("http2", 80, ()), ChartPort("https", 443, ())),
        lists=("ports",),
        hints=("networkGateway",),
        name_at="name",
        is_named_alone=True,
    ),
    IngressChart(
        "cilium",
        ("ingressController", "service"),
        "https://github.com/cilium/cilium install/kubernetes/cilium/templates/cilium-ingress-service.yaml",
        ports=(ChartPort("http", 80, ()), ChartPort("https", 443, ())),
        switch=("ingressController", "enabled"),
        policy="Cluster",
        fixed_name="cilium-ingress",
    ),
)
"""The charts; of several with values at the same place, the first is the one that is meant where nothing tells."""

BY_NAME = {chart.name: chart for chart in CHARTS}
_RKE2 = {
    "ingress-nginx": (*_NGINX, "enabled"),
    "traefik": ("service", "enabled"),
    "cilium": ("ingressController", "enabled"),
}
BY_NAME |= {f"rke2-{name}": BY_NAME[name]._replace(switch=switch) for name, switch in _RKE2.items()}
"""By the name of a chart; those that RKE2 packages make no Service unless the values say so.

Source: https://github.com/rancher/rke2-charts packages/rke2-ingress-nginx, rke2-traefik, rke2-cilium.
"""

ENVOY_POLICY = "Local"
"""What Envoy Gateway writes into its Services where an EnvoyProxy names no ``externalTrafficPolicy``.

Source: https://github.com/envoyproxy/gateway api/v1alpha1/kubernetes_helpers.go (DefaultKubernetesServiceExternalTrafficPolicy).
"""
