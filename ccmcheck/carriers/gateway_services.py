"""Services that gateways become: Gateway API's ``infrastructure.annotations``, and Envoy Gateway's EnvoyProxy."""

from __future__ import annotations

from ccmcheck.base.model import Span
from ccmcheck.carriers import written_service
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.written_service import field, service_tree
from ccmcheck.catalog.data.ingress_charts import ENVOY_POLICY, SPEC_FIELDS
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.layers.placed_values import Leaf, List, Map, PlacedReader, Tree, at, made, text_at

_LOAD_BALANCER = "LoadBalancer"
_GATEWAY_API = "gateway.networking.k8s.io/"
_ENVOY = "gateway.envoyproxy.io/"


def collect_gateway(carrier: Carrier, obj: KubernetesObject) -> None:
    """Collect the Service of a Gateway with annotations of the CCM; what it does not say is up to its controller."""
    tree = _tree(obj, _GATEWAY_API)
    annotations = field(tree, "spec", "infrastructure", "annotations")
    if not isinstance(tree, Map) or not any(name.startswith(PREFIX) for name in annotations):
        return
    place = field(tree, "spec", "infrastructure").names["annotations"]
    spec = Map(place)
    spec.put("type", made(_LOAD_BALANCER, place))
    spec.put("externalTrafficPolicy", Leaf(None, "", place, unknown=True))
    spec.put("ports", _ports(at(tree, "spec", "listeners"), place))
    name = at(tree, "metadata", "name")
    leaf = name if isinstance(name, Leaf) else made("gateway", place)
    where = "spec.infrastructure"
    written_service.collect(carrier, service_tree(leaf, annotations, spec, place, obj.namespace), where)


def collect_envoy_proxy(carrier: Carrier, obj: KubernetesObject) -> None:
    """Collect the Service of an EnvoyProxy; its ports are those of the Gateways that use it."""
    tree = _tree(obj, _ENVOY)
    path = ("spec", "provider", "kubernetes", "envoyService")
    service = at(tree, *path)
    if not isinstance(service, Map) or "patch" in service:
        return
    place = field(tree, *path[:-1]).names[path[-1]]
    kind = service.get("type")
    if isinstance(kind, Leaf) and not kind.unknown and kind.text != _LOAD_BALANCER:
        return
    spec = Map(place)
    for name in ("type", *SPEC_FIELDS):
        value = service.get(name)
        if value is not None:
            spec.put(name, value, service.names.get(name))
    if kind is None:
        spec.put("type", made(_LOAD_BALANCER, place))
    if "externalTrafficPolicy" not in spec:
        spec.put("externalTrafficPolicy", made(ENVOY_POLICY, place))
    spec.put("ports", Leaf(None, "", place, unknown=True))
    name_leaf = at(service, "name") or at(tree, "metadata", "name")
    leaf = name_leaf if isinstance(name_leaf, Leaf) else made("envoy", place)
    annotations = field(service, "annotations")
    where = ".".join(path)
    written_service.collect(carrier, service_tree(leaf, annotations, spec, place, obj.namespace), where)


def _tree(obj: KubernetesObject, group: str) -> Tree | None:
    """The values of an object of an API group; None for one of another group."""
    if not obj.text_at("apiVersion").startswith(group):
        return None
    return PlacedReader(obj.source.text, 0, obj.source.has_mark).try_read(obj.node)


def _ports(listeners: Tree | None, place: Span) -> Tree:
    """The ports of a Gateway's listeners, each once."""
    found = List(place)
    seen: set[tuple[str, str]] = set()
    for listener in listeners if isinstance(listeners, List) else ():
        number = at(listener, "port")
        protocol = "UDP" if text_at(listener, "protocol") == "UDP" else "TCP"
        if not isinstance(number, Leaf) or number.unknown:
            return Leaf(None, "", place, unknown=True)
        if (number.text, protocol) not in seen:
            seen.add((number.text, protocol))
            found.append(written_service.port(f"{protocol.lower()}-{number.text}", number, protocol, place))
    return found or Leaf(None, "", place, unknown=True)
