"""What the CCM works out from cloud.conf and the Service before it asks for anything.

Source: cloud-provider-openstack checkService and makeSvcConf in pkg/openstack/loadbalancer.go, since 1.19; the same of
EnsureLoadBalancer before that is in `ccmcheck.predict.requests.requests_v1_14`.

Which floating IP an external Service gets: class over annotation over cloud.conf.

Source: cloud-provider-openstack checkService, ensureFloatingIP (before 1.27 getServiceAddress), since 1.19.
"""

from __future__ import annotations

from collections.abc import Callable

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.service_annotations import INTERNAL
from ccmcheck.gcfg.errors import quote as quoted
from ccmcheck.predict.inputs.annotations import Annotations, CcmError
from ccmcheck.predict.inputs.behaviours import Behaviours, behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.nodes import selectors
from ccmcheck.predict.inputs.options import BalancerClass, Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.inputs.tls_reference import wrong_reference
from ccmcheck.predict.records import EXTERNAL_NETWORK, Floating, Ignored
from ccmcheck.predict.requests import enforced, subnets
from ccmcheck.predict.requests.enforced import Features
from ccmcheck.predict.requests.notes import Notes, cut
from ccmcheck.predict.requests.spec_inputs import SpecInputs

_NETWORK = "loadbalancer.openstack.org/floating-network-id"


def choose(inputs: SpecInputs, chosen: BalancerClass | None, class_name: str) -> Floating:
    """Choose the network and the subnet.

    Args:
        inputs: The Service and what is known around it.
        chosen: Its class; None without one.
        class_name: The class's name.

    Raises:
        CcmError: The subnet is not there, or not in the network.
    """
    cloud, behaviours = inputs.cloud, inputs.behaviours
    network, source = _network(inputs, chosen, class_name)
    subnet, name, tags = _subnet(inputs, chosen, class_name)
    if name and not behaviours["floating-subnet-patterns"]:
        found = named(cloud, name)
        if found is not None:
            subnet, name = (found[0], "") if len(found) == 1 else ("", "")
    if network and subnet and cloud.networks:
        belongs = cloud.networks.get(subnet, "")
        if not belongs:
            raise CcmError(f'failed to find subnet "{subnet}": Resource not found')
        if belongs != network:
            shown = belongs if behaviours["floating-subnet-patterns"] else subnet
            raise CcmError(f'floating IP subnet "{subnet}" doesn\'t belong to the network "{shown}"')
    if not network:
        why = "no floating network is set, and the CCM finds no external one"
        return Floating(False, "", subnet, name, tags, why=why)
    return Floating(True, network, subnet, name, tags, source=source)


def named(cloud: CloudState, name: str) -> tuple[str, ...] | None:
    """The subnets of a name, as the releases up to 1.20 look for them.

    Returns:
        Their IDs; None where too little is known. Where only the floating network's subnets are known, those.
    """
    if cloud.named_subnets is not None:
        return cloud.named_subnets.get(name, ())
    if cloud.floating_subnets is not None:
        return tuple(subnet.id for subnet in cloud.floating_subnets if subnet.name == name)
    return None


def _network(inputs: SpecInputs, chosen: BalancerClass | None, class_name: str) -> tuple[str, str]:
    options, service, annotations, cloud, notes = inputs
    if chosen is not None and chosen.floating_network_id:
        if annotations.has("floating-network-id"):
            notes.ignore(_NETWORK, f'class "{class_name}" sets floating-network-id, which wins')
        return chosen.floating_network_id, f'class "{class_name}"'
    network = annotations.text("floating-network-id", options.floating_network_id)
    if network:
        return network, "the annotation" if annotations.has("floating-network-id") else "cloud.conf"
    found = cloud.external_network
    if found is None:
        if inputs.behaviours["network-of-config-last"] and options.floating_network_id:
            return options.floating_network_id, "cloud.conf"
        if inputs.behaviours["writes-events"]:
            notes.warn(
                "LoadBalancerExternalNetworkSearchFailed",
                f"Failed to find floating-network-id for Service {service.title}: failed to find object",
            )
        return "", ""
    if not found:
        notes.assume(
            "no floating-network-id is set: the CCM takes the first external network that has an IPv4 subnet; "
            f"{EXTERNAL_NETWORK} is assumed"
        )
        found = EXTERNAL_NETWORK
    return found, "the first external network in the listing"


def _subnet(inputs: SpecInputs, chosen: BalancerClass | None, class_name: str) -> tuple[str, str, str]:
    """The subnet's ID, else its name's pattern and its tags."""
    options, _, annotations, _, notes = inputs
    if not inputs.behaviours["floating-subnet-patterns"]:
        if chosen is not None and chosen.floating_subnet_id:
            return chosen.floating_subnet_id, "", ""
        subnet = annotations.text("floating-subnet-id", options.floating_subnet_id)
        return subnet, "" if subnet else annotations.text("floating-subnet"), ""
    if chosen is not None:
        found = _either(chosen.floating_subnet_id, chosen.floating_subnet, chosen.floating_subnet_tags)
        if any(found):
            names = ("floating-subnet-id", "floating-subnet", "floating-subnet-tags")
            for name in filter(annotations.has, names):
                notes.ignore(
                    f"loadbalancer.openstack.org/{name}", f'class "{class_name}" sets a floating subnet, which wins'
                )
            return found
    found = _either(
        annotations.text("floating-subnet-id"),
        annotations.text("floating-subnet"),
        annotations.text("floating-subnet-tags"),
    )
    if any(found):
        return found
    return _either(options.floating_subnet_id, options.floating_subnet, options.floating_subnet_tags)


def _either(subnet: str, name: str, tags: str) -> tuple[str, str, str]:
    return (subnet, "", "") if subnet else ("", name, tags)


class LoadBalancerSpec(NamedTuple):
    """The load balancer that the CCM wants for a Service: its ``serviceConfig``.

    Attributes:
        name: The load balancer's name.
        internal: Whether it gets no floating IP.
        vip_port: The port to use for the VIP.
        vip_subnet: The VIP's subnet.
        vip_network: The VIP's network.
        member_subnet: The members' subnet.
        family: The preferred IP family, 4 or 6; 0 for any.
        proxy: ``PROXY``, ``PROXYV2`` or empty.
        forwarded: Whether X-Forwarded-For is inserted.
        tls: The TLS reference.
        method: The pool's algorithm.
        connection_limit: The listener's limit.
        timeouts: The listener's timeouts by name; None where none are sent.
        allowed: The listener's allowed_cidrs; also the remotes of ovn's security group.
        allowed_cidrs: The same as requests have them: one list for all listeners, because both may be many.
        cidrs_on_listener: Whether ``allowed`` is sent with the listener.
        flavor: The flavour.
        zone: The availability zone.
        monitor: Whether pools get a monitor.
        check_port: The health check node port that monitors ask; 0 for none.
        delay: Seconds.
        timeout: Seconds.
        retries: Successes that bring a member back.
        retries_down: Failures that take a member out; None where it is not sent.
        balancer_id: The annotation load-balancer-id.
        tags: Whether tags are sent.
        selectors: What node labels must be.
        floating: The floating IP.
    """

    name: str
    internal: bool = False
    vip_port: str = ""
    vip_subnet: str = ""
    vip_network: str = ""
    member_subnet: str = ""
    family: int = 0
    proxy: str = ""
    forwarded: bool = False
    tls: str = ""
    method: str = ""
    connection_limit: int = -1
    timeouts: dict[str, int] | None = None
    allowed: tuple[str, ...] = ()
    allowed_cidrs: list[str] | None = None
    cidrs_on_listener: bool = True
    flavor: str = ""
    zone: str = ""
    monitor: bool = False
    check_port: int = 0
    delay: int = 0
    timeout: int = 0
    retries: int = 0
    retries_down: int | None = None
    balancer_id: str = ""
    tags: bool = False
    selectors: tuple[tuple[str, str], ...] = ()
    floating: Floating = Floating(False)


def balancer_name(cluster: str, service: Service) -> str:
    """``kube_service_CLUSTER_NAMESPACE_NAME``, cut at 255 (1.14 and newer)."""
    return cut(f"kube_service_{cluster}_{service.namespace}_{service.name}")


def derive_spec(
    options: Options,
    service: Service,
    cloud: CloudState,
    notes: Notes,
    spec_of_release: Callable[[SpecInputs], LoadBalancerSpec] | None = None,
) -> LoadBalancerSpec:
    """Derive the spec.

    Args:
        options: The configuration.
        service: The Service.
        cloud: What is known around it.
        notes: Takes what has no effect, events and assumptions.
        spec_of_release: Derives it; None for the releases that read a Service's settings in one place.

    Raises:
        CcmError: The CCM ends here.
    """
    annotations = Annotations(service.annotations, behaviours_of(options.release))
    try:
        return (spec_of_release or _spec)(SpecInputs(options, service, annotations, cloud, notes))
    finally:
        notes.ignored += annotations.ignored


def derive_node_update_spec(options: Options, service: Service, cloud: CloudState, notes: Notes) -> LoadBalancerSpec:
    """Derive the spec that a change of nodes is handled by: nothing of the VIP and the floating IP is in it.

    Args:
        options: The configuration.
        service: The Service.
        cloud: What is known around it.
        notes: Takes what has no effect, events and assumptions.

    Raises:
        CcmError: The CCM ends here.
    """
    behaviours = behaviours_of(options.release)
    annotations = Annotations(service.annotations, behaviours)
    if not service.ports:
        raise CcmError("no ports provided to openstack load balancer")
    family = _family(service, behaviours)
    members = subnets.of_node_update(options, annotations, cloud, family, service.title, notes)
    whole = behaviours["node-updates-read-all"]
    spec = _settings(SpecInputs(options, service, annotations, cloud, notes if whole else Notes()))
    tls = annotations.text("default-tls-container-ref", options.default_tls_container_ref)
    spec = spec._replace(family=family, member_subnet=members, tls=tls if behaviours["tls-references"] else "")
    if not whole:
        spec = spec._replace(allowed=(), allowed_cidrs=[])
    if not behaviours["node-updates-select-nodes"]:
        spec = spec._replace(selectors=())
    return spec._replace(check_port=0) if behaviours["monitor-port-lost"] else spec


def spec_or_none(options: Options, service: Service, cloud: CloudState) -> LoadBalancerSpec | None:
    """The spec without what is noted on the way; None where the CCM ends instead.

    Args:
        options: See `derive_spec`.
        service: See `derive_spec`.
        cloud: See `derive_spec`.
    """
    try:
        return derive_spec(options, service, cloud, Notes())
    except CcmError:
        return None


def _spec(inputs: SpecInputs) -> LoadBalancerSpec:
    options, service, annotations, cloud, notes = inputs
    behaviours, title = inputs.behaviours, service.title
    if cloud.nodes is not None and not cloud.nodes:
        raise CcmError(f"there are no available nodes for LoadBalancer service {title}")
    if not service.ports:
        raise CcmError("no service ports provided")
    family = _family(service, behaviours)
    internal = _internal(inputs, family)
    tls = _tls(inputs)
    class_name = annotations.text("class")
    network, subnet = subnets.vip(options, annotations, class_name, title, behaviours)
    members = options.subnet_id or subnet
    if not network and not subnet:
        subnet = members = subnets.first_node_subnet(cloud, family, title, notes, behaviours)
    if behaviours["member-subnets"]:
        members = subnets.member_subnet(options, annotations, class_name) or members
    floating = Floating(False, why="the Service is internal")
    chosen: BalancerClass | None = None
    if not internal:
        if class_name:
            chosen = options.classes.get(class_name)
            if chosen is None:
                raise CcmError(f"invalid loadbalancer class {quoted(class_name)}")
        floating = choose(inputs, chosen, class_name)
    elif class_name and not behaviours["member-subnets"]:
        notes.ignore("loadbalancer.openstack.org/class", "the class of an internal Service is ignored")
    vip_port = annotations.text("port-id")
    vip_subnet, vip_network = subnet, network
    if chosen is not None:
        vip_subnet, vip_network = chosen.subnet_id or subnet, chosen.network_id or network
    return _settings(inputs)._replace(
        internal=internal,
        vip_port=vip_port,
        vip_subnet="" if vip_port else vip_subnet,
        vip_network="" if vip_port else vip_network,
        member_subnet=members,
        family=family,
        tls=tls,
        floating=floating,
    )


def _settings(inputs: SpecInputs) -> LoadBalancerSpec:
    """What a reconcile and a node update read alike: the CCM's makeSvcConf."""
    options, service, annotations, cloud, notes = inputs
    behaviours = inputs.behaviours
    family = _family(service, behaviours)
    forwarded = annotations.switch("x-forwarded-for", False)
    proxy = annotations.proxy()
    if proxy and forwarded:
        raise CcmError(
            "annotation loadbalancer.openstack.org/proxy-protocol and loadbalancer.openstack.org/x-forwarded-for "
            "cannot be used together"
        )
    has = Features(cloud, options.is_special, notes)
    allowed, on_listener = enforced.allowed(inputs, family, has)
    monitor = annotations.switch("enable-health-monitor", options.create_monitor)
    timers = behaviours["monitor-timer-annotations"]
    down = options.monitor_max_retries_down
    return LoadBalancerSpec(
        name=balancer_name(cloud.cluster_name, service),
        proxy=proxy,
        forwarded=forwarded,
        method=(annotations.text("lb-method") if behaviours["reads-method-annotation"] else "") or options.lb_method,
        connection_limit=annotations.number("connection-limit", -1),
        timeouts=_timeouts(annotations, has),
        allowed=allowed,
        allowed_cidrs=list(allowed),
        cidrs_on_listener=on_listener,
        flavor=_if_supported(inputs, has, "flavors", inputs.options.flavor_id) or "",
        zone=_zone(inputs, has),
        monitor=monitor,
        check_port=_check_port(inputs, monitor),
        delay=annotations.number("health-monitor-delay", options.monitor_delay) if timers else options.monitor_delay,
        timeout=annotations.number("health-monitor-timeout", options.monitor_timeout)
        if timers
        else options.monitor_timeout,
        retries=annotations.number("health-monitor-max-retries", options.monitor_max_retries)
        if timers
        else options.monitor_max_retries,
        retries_down=None if down is None else annotations.number("health-monitor-max-retries-down", down),
        balancer_id=annotations.text("load-balancer-id") if behaviours["tags-and-shares"] else "",
        tags=behaviours["tags-and-shares"] and has.available("tags"),
        selectors=selectors(annotations.text("node-selector", options.node_selector))
        if behaviours["node-selectors"]
        else (),
    )


def _family(service: Service, behaviours: Behaviours) -> int:
    if not behaviours["ip-families"] or not service.families:
        return 0
    return 6 if service.families[0] == "IPv6" else 4


def _internal(inputs: SpecInputs, family: int) -> bool:
    if inputs.options.internal_lb:
        if inputs.annotations.given(INTERNAL) == "false":
            inputs.notes.ignore(INTERNAL, "internal-lb = true in cloud.conf cannot be overridden since 1.19")
        return True
    if family == 6 and inputs.behaviours["ipv6-is-internal"]:
        return True
    return inputs.annotations.switch(INTERNAL, False)


def _tls(inputs: SpecInputs) -> str:
    options, service, annotations, cloud, _ = inputs
    behaviours, title = inputs.behaviours, service.title
    if not behaviours["tls-references"]:
        return ""
    ref = annotations.text("default-tls-container-ref", options.default_tls_container_ref)
    if not ref:
        return ""
    if cloud.key_manager is False:
        raise CcmError(
            "failed to create a TLS Terminated loadbalancer because openstack keymanager client is not initialized and "
            f"default-tls-container-ref {quoted(ref)} is set"
        )
    if behaviours["container-stores"] and options.container_store != "barbican":
        return ref
    has_kind = behaviours["tls-reference-has-a-kind"]
    kind = ref.rpartition("/")[0].rpartition("/")[2]
    wrong = wrong_reference(ref, options.release.name, behaviours)
    if wrong is not None and wrong.is_malformed:
        if "/" not in ref:
            raise CcmError(f"invalid tlsContainerRef for service {title}")
        raise CcmError(f"failed to validate tlsContainerRef for service {title}: tlsContainerRef type {kind} unknown")
    if (wrong is not None and wrong.is_certain) if cloud.secrets is None else ref not in cloud.secrets:
        what = "secret" if kind == "secrets" and has_kind else "container"
        raise CcmError(f"failed to get tls {what} {quoted(ref)}: Resource not found")
    return ref


_TIMEOUTS = (
    ("timeout_client_data", "timeout-client-data", 50000),
    ("timeout_member_connect", "timeout-member-connect", 5000),
    ("timeout_member_data", "timeout-member-data", 50000),
    ("timeout_tcp_inspect", "timeout-tcp-inspect", 0),
)


def _timeouts(annotations: Annotations, has: Features) -> dict[str, int] | None:
    if annotations.behaviours["timeouts-by-api"] and not has.supports("timeouts"):
        for _, name, _ in _TIMEOUTS:
            if annotations.has(name):
                why = "the CCM sends the ovn provider no timeouts" if has.ovn else "Octavia's API is older than 2.1"
                annotations.ignored.append(Ignored(f"loadbalancer.openstack.org/{name}", why))
        return None
    return {field: annotations.number(name, default) for field, name, default in _TIMEOUTS}


def _zone(inputs: SpecInputs, has: Features) -> str:
    zone = _if_supported(inputs, has, "availability-zones", inputs.options.availability_zone)
    if zone is None and inputs.behaviours["writes-events"]:
        inputs.notes.warn(
            "LoadBalancerAvailabilityZonesIgnored",
            "LoadBalancer Availability Zones aren't supported. Please, upgrade Octavia API to version 2.14 or "
            f"later (Ussuri release) to use them for Service {inputs.service.title}",
        )
    return zone or ""


_SUPPORTED = {
    "flavors": ("flavor-id", "flavour", "2.6"),
    "availability-zones": ("availability-zone", "zone", "2.14 (Ussuri)"),
}
"""By the feature of Octavia: the key, what it names, and the API version that has it."""


def _if_supported(inputs: SpecInputs, has: Features, feature: str, configured: str) -> str | None:
    """The value of a key; None where there is one that is not sent."""
    key, named, since = _SUPPORTED[feature]
    if not inputs.behaviours[feature]:
        return ""
    value = inputs.annotations.text(key, configured)
    if not value or has.supports(feature):
        return value
    what = f"loadbalancer.openstack.org/{key}" if inputs.annotations.has(key) else key
    why = f"the CCM sends the ovn provider no {named}" if has.ovn else f"Octavia's API is older than {since}"
    inputs.notes.ignore(what, why)
    return None


def _check_port(inputs: SpecInputs, monitor: bool) -> int:
    if not monitor or not inputs.behaviours["supports-local"] or inputs.service.policy != "Local":
        return 0
    return max(inputs.service.check_port, 0) if inputs.options.use_octavia else 0
