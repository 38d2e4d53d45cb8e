"""Gateway API's Gateways and Envoy Gateway's EnvoyProxies: rare, so that most of it is imported when there is one."""

from __future__ import annotations

from ccmcheck.carriers import generic
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject


def find_gateway(obj: KubernetesObject, carrier: Carrier) -> None:
    """Search a Gateway, and collect the Service that it becomes."""
    from ccmcheck.carriers.gateway_services import collect_gateway

    generic.find(obj, carrier)
    collect_gateway(carrier, obj)


def find_envoy_proxy(obj: KubernetesObject, carrier: Carrier) -> None:
    """Search an EnvoyProxy, and collect the Service that its Gateways become."""
    from ccmcheck.carriers.gateway_services import collect_envoy_proxy

    generic.find(obj, carrier)
    collect_envoy_proxy(carrier, obj)
