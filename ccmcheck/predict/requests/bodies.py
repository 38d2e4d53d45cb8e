"""The JSON that goes over the wire: listeners, pools, members and monitors as the CCM of one release writes them.

Sources: cloud-provider-openstack pkg/openstack/loadbalancer.go (buildListenerCreateOpt, buildPoolCreateOpt,
buildBatchUpdateMemberOpts, buildMonitorCreateOpts); gophercloud's CreateOpts, which leave empty fields out.
"""

from __future__ import annotations

from ccmcheck.predict.inputs.annotations import CcmError
from ccmcheck.predict.inputs.behaviours import Behaviours
from ccmcheck.predict.inputs.cloud_state import Node
from ccmcheck.predict.inputs.nodes import address_of
from ccmcheck.predict.inputs.service import Service, ServicePort
from ccmcheck.predict.records import Json
from ccmcheck.predict.requests.enforced import Features
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec
from ccmcheck.predict.requests.notes import cut

HEALTHZ = "/healthz"


def listener_protocol(port: ServicePort, spec: LoadBalancerSpec) -> str:
    """A listener's protocol: a TLS reference and X-Forwarded-For make HTTP of every port."""
    if spec.tls:
        return "TERMINATED_HTTPS"
    return "HTTP" if spec.forwarded else port.protocol


def pool_protocol(listener: str, spec: LoadBalancerSpec) -> str:
    """A pool's protocol behind a listener."""
    if spec.proxy:
        return spec.proxy
    return "HTTP" if spec.forwarded or spec.tls else listener


def asks_http(port: ServicePort, spec: LoadBalancerSpec, has: Features, behaviours: Behaviours) -> bool:
    """Whether the port's monitor asks the health check node port over HTTP."""
    if spec.check_port <= 0:
        return False
    if behaviours["asks-for-http-on-udp"]:
        if has.ovn:
            return False
        if port.protocol == "UDP":
            return has.supports("http-monitors-on-udp")
    return True


def listener(port: ServicePort, spec: LoadBalancerSpec, name: str) -> Json:
    """A listener.

    Args:
        port: The Service's port.
        spec: The load balancer spec.
        name: Its name; empty to send none.
    """
    body: Json = {"protocol": listener_protocol(port, spec), "protocol_port": port.port}
    if name:
        body["name"] = name
    body["connection_limit"] = spec.connection_limit
    if spec.tags:
        body["tags"] = [spec.name]
    if spec.timeouts is not None:
        body.update(spec.timeouts)
    if spec.forwarded:
        body["insert_headers"] = {"X-Forwarded-For": "true"}
    if spec.tls:
        body["default_tls_container_ref"] = spec.tls
    if spec.allowed and spec.cidrs_on_listener:
        body["allowed_cidrs"] = spec.allowed_cidrs
    return body


def pool(port: ServicePort, service: Service, spec: LoadBalancerSpec, name: str) -> Json:
    """A pool without members and monitor.

    Args:
        port: The Service's port.
        service: The Service.
        spec: The load balancer spec.
        name: Its name; empty to send none.

    Raises:
        CcmError: The algorithm is empty, which gophercloud refuses.
    """
    if not spec.method:
        raise CcmError("Missing input for argument [LBMethod]")
    body: Json = {"protocol": pool_protocol(listener_protocol(port, spec), spec), "lb_algorithm": spec.method}
    if name:
        body["name"] = name
    if service.affinity == "ClientIP":
        body["session_persistence"] = {"type": "SOURCE_IP"}
    return body


def members(
    port: ServicePort,
    nodes: tuple[Node, ...],
    spec: LoadBalancerSpec,
    monitor_port: int,
    behaviours: Behaviours,
    *,
    alone: bool,
) -> list[Json]:
    """The members of a pool, one for each node that has an address.

    Args:
        port: The Service's port.
        nodes: The nodes.
        spec: The load balancer spec.
        monitor_port: The port that the monitor asks; 0 for the member's own.
        behaviours: The release's behaviours.
        alone: Whether they go in a request of their own, which turns an empty subnet into null.

    Raises:
        CcmError: The port has no NodePort, and the release does not expect that.
    """
    if not port.node_port and behaviours["skips-port-zero"]:
        return []
    common: Json = {"protocol_port": port.node_port}
    if spec.member_subnet:
        common["subnet_id"] = spec.member_subnet
    elif behaviours["sends-empty-member-subnet"]:
        common["subnet_id"] = None if alone else ""
    if monitor_port:
        common["monitor_port"] = monitor_port
    members: list[Json] = []
    for node in nodes:
        address = address_of(node, spec.family)
        if address:
            if not port.node_port:
                raise CcmError("Missing input for argument [ProtocolPort]")
            members.append({"address": address, "name": node.name, **common})
    return members


def monitor(
    port: ServicePort, spec: LoadBalancerSpec, name: str, behaviours: Behaviours, *, http: bool, alone: bool
) -> Json:
    """A health monitor.

    Args:
        port: The Service's port.
        spec: The load balancer spec.
        name: Its name; empty to send none.
        behaviours: The release's behaviours.
        http: Whether it asks the health check node port.
        alone: Whether gophercloud looks for required fields that are 0, as it does in a request of its own.

    Raises:
        CcmError: A required field is 0.
    """
    kind = "HTTP" if http else "UDP-CONNECT" if port.protocol == "UDP" else port.protocol
    if alone:
        for argument, value in (("Delay", spec.delay), ("Timeout", spec.timeout), ("MaxRetries", spec.retries)):
            if not value:
                raise CcmError(f"Missing input for argument [{argument}]")
    body: Json = {"type": kind, "delay": spec.delay, "timeout": spec.timeout, "max_retries": spec.retries}
    if name:
        body["name"] = name
    if spec.retries_down:
        body["max_retries_down"] = spec.retries_down
    if http and behaviours["monitor-has-path"]:
        body["url_path"] = HEALTHZ
        body["http_method"] = "GET"
        body["expected_codes"] = "200"
    return body


class PartNames:
    """What the parts are called."""

    def __init__(self, balancer: str, behaviours: Behaviours, *, whole: bool) -> None:
        self._balancer = balancer
        self._named = behaviours["names-parts-of-one-call"] if whole else behaviours["names-single-parts"]
        self._whole = whole
        self._by_port = whole and behaviours["names-monitors-by-port"]
        self._tail = ")" if not whole and behaviours["monitor-name-has-parenthesis"] else ""

    def listener(self, index: int) -> str:
        """A listener's name; empty where it gets none."""
        return cut(f"listener_{index}_{self._balancer}") if self._named else ""

    def pool(self, index: int, protocol: str, port: int) -> str:
        """A pool's name; empty where it gets none."""
        if self._named:
            return cut(f"pool_{index}_{self._balancer}")
        return f"{protocol}_{port}_pool" if self._whole else ""

    def monitor(self, index: int, port: int) -> str:
        """A monitor's name; empty where it gets none."""
        if not self._named:
            return ""
        return cut(f"monitor_{port if self._by_port else index}_{self._balancer}{self._tail}")
