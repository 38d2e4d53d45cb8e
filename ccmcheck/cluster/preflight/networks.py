"""Whether networks, subnets and routers of a deployment fit together."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

from ccmcheck.cluster.core import NamedTuple, octavia_api, predict_options, ranges
from ccmcheck.cluster.octavia import requests
from ccmcheck.cluster.preflight.cloud import AskedCloud, ListedAnswer, PreflightCheck

_SEVERAL = 2
AMPHORA = ("amphora", "octavia")


class Nets(NamedTuple):
    """The networks that one class, or the section without a class, uses.

    Attributes:
        about: Whose they are.
        floating: The floating network; empty for the one that the CCM finds.
        floating_subnet: The floating subnet.
        network: The VIP's network.
        subnet: The VIP's subnet.
        members: The members' subnet.
    """

    about: str
    floating: str
    floating_subnet: str
    network: str
    subnet: str
    members: str


def nets_of(options: predict_options.Options) -> Iterator[Nets]:
    """The networks of a cloud.conf: of the section, then of each class, which falls back on the section.

    Args:
        options: The cloud.conf.
    """
    plain = Nets(
        "[LoadBalancer]",
        options.floating_network_id,
        options.floating_subnet_id,
        options.network_id,
        options.subnet_id,
        options.member_subnet_id or options.subnet_id,
    )
    yield plain
    for name, own in options.classes.items():
        yield Nets(
            f'[LoadBalancerClass "{name}"]',
            own.floating_network_id or plain.floating,
            own.floating_subnet_id or plain.floating_subnet,
            own.network_id or plain.network,
            own.subnet_id or plain.subnet,
            own.member_subnet_id or own.subnet_id or plain.members,
        )


def fit(cloud: AskedCloud, options: predict_options.Options) -> Iterator[PreflightCheck]:
    """Whether subnets are in their networks, and floating IPs reach the VIPs.

    Args:
        cloud: The project.
        options: The cloud.conf.
    """
    seen: set[tuple[str, ...]] = set()
    for nets in nets_of(options):
        if nets[1:] in seen:
            continue
        seen.add(nets[1:])
        yield from _belongs(cloud, nets.about, ("subnet-id", nets.subnet), ("network-id", nets.network))
        floating = nets.floating
        yield from _belongs(
            cloud, nets.about, ("floating-subnet-id", nets.floating_subnet), ("floating-network-id", floating)
        )
        if not options.internal_lb:
            if not floating:
                floating = yield from _found(cloud, nets.about)
            yield from _reachable(cloud, nets, floating)


def _belongs(
    cloud: AskedCloud, about: str, subnet: tuple[str, str], network: tuple[str, str]
) -> Iterator[PreflightCheck]:
    """Whether a subnet is in the network named beside it."""
    if not (subnet[1] and network[1]):
        return
    seen = cloud.show(requests.SUBNET, subnet[1])
    if seen.document is None:
        return
    if cloud.show(requests.NETWORK_OF_ID, network[1]).document is None:
        return
    its = str(seen.document.get("network_id") or "")
    if not its:
        return
    if its == network[1]:
        yield PreflightCheck(f"{about} {subnet[0]}", True, f"is in the network of {network[0]}", "", seen.asked)
    else:
        text = f"subnet `{subnet[1]}` is in network `{its}`, not in that of {network[0]}: the two are refused"
        hint = f"Write {network[0]} = {its}, or another {subnet[0]}."
        yield PreflightCheck(f"{about} {subnet[0]}", False, text, hint, seen.asked)


def external_networks(cloud: AskedCloud) -> ListedAnswer:
    """The external networks of which the project sees an IPv4 subnet, in Neutron's order; the CCM takes the first."""
    listed = cloud.list(requests.NETWORKS, {"router:external": "true"})
    return listed._replace(documents=tuple(one for one in listed.documents if _shows_subnet(cloud, one)))


def _shows_subnet(cloud: AskedCloud, network: Mapping[str, object]) -> bool:
    """Whether a network has a subnet that the project may see (GetFloatingNetworkID); unknown counts as yes."""
    if not network.get("subnets"):
        return False
    listed = cloud.list(requests.SUBNETS, {"network_id": str(network.get("id"))})
    return listed.error is not None or any(one.get("ip_version", 4) == 4 for one in listed.documents)


def _found(cloud: AskedCloud, about: str) -> Generator[PreflightCheck, None, str]:
    """PreflightCheck for the external network that the CCM finds where none is named, and return its ID."""
    listed = external_networks(cloud)
    about = f"{about} floating-network-id"
    if listed.error is not None and len(listed.documents) < _SEVERAL:
        yield PreflightCheck(about, None, listed.error.message, listed.error.hint, listed.asked)
        return ""
    if not listed.documents:
        text = "is not set, and there is no external network with a subnet that this project sees: no floating IPs"
        hint = "Write floating-network-id; or set internal-lb = true."
        yield PreflightCheck(about, False, text, hint, listed.asked)
        return ""
    first = listed.documents[0]
    identifier = str(first.get("id"))
    count = len(listed.documents)
    if count == 1:
        yield PreflightCheck(
            about, True, f"is not set; the CCM finds the only external network, {identifier}", "", listed.asked
        )
        return identifier
    text = f"is not set, and there are {count} external networks: the CCM takes the one that Neutron lists first"
    passed = False if cloud.project else None  # a saved list shows no more than that it may be the wrong one
    yield PreflightCheck(about, passed, text, f"Write floating-network-id, such as {identifier}.", listed.asked)
    return ""


def _reachable(cloud: AskedCloud, nets: Nets, floating: str) -> Iterator[PreflightCheck]:
    """Whether a router joins the VIP's subnet and the floating network; without one Neutron refuses the floating IP."""
    subnet = nets.subnet or nets.members
    about = f"{nets.about} router"
    if not (subnet and floating):
        return
    inner, outer = cloud.show(requests.SUBNET, subnet), cloud.show(requests.NETWORK_OF_ID, floating)
    if inner.document is None or outer.document is None:
        return
    network = str(inner.document.get("network_id") or "")
    if network == floating:
        text = f"subnet `{subnet}` is in the floating network itself: Neutron attaches no floating IP to the VIP of a "
        text += "Service there, unless the Service is internal"
        hint = "Write internal-lb = true, as the VIP is reached from outside already, or name a subnet behind a router."
        yield PreflightCheck(about, None, text, hint, inner.asked)
        return
    listed = cloud.list(requests.PORTS, {"network_id": network})
    if listed.error is not None:
        yield PreflightCheck(about, None, listed.error.message, listed.error.hint, listed.asked)
        return
    routers = _routers(listed.documents, subnet)
    gateways: dict[str, str] = {}
    for router in routers:
        seen = cloud.show(requests.ROUTER, router)
        gateway = (seen.document or {}).get("external_gateway_info")
        gateways[router] = str(gateway.get("network_id") or "") if isinstance(gateway, dict) else ""
        if seen.document is None:
            yield PreflightCheck(
                about, None, f"router `{router}` of subnet `{subnet}` is of another project", "", seen.asked
            )
            return
    if floating in gateways.values():
        yield PreflightCheck(about, True, f"joins subnet `{subnet}` with the floating network", "", listed.asked)
        return
    owner = cloud.show(requests.NETWORK_OF_ID, network).document or {}
    if not routers and owner.get("project_id") != cloud.project:
        text = f"the ports of network `{network}` are of another project, so its router is not seen"
        yield PreflightCheck(about, None, text, "", listed.asked)
    else:
        yield PreflightCheck(about, False, *_unreachable(subnet, floating, gateways), listed.asked)


def _unreachable(subnet: str, floating: str, gateways: Mapping[str, str]) -> tuple[str, str]:
    """Why no router joins a subnet with the floating network, and what does it."""
    if not gateways:
        what = f"subnet `{subnet}` is at no router"
        hint = f"openstack router add subnet ROUTER {subnet}, with a router whose gateway is in {floating}."
    else:
        what = f"the router of subnet `{subnet}` has "
        what += f"its gateway in another network than `{floating}`" if any(gateways.values()) else "no external gateway"
        hint = f"openstack router set --external-gateway {floating} {next(iter(gateways))}"
        hint += ", or name the floating network of its gateway."
    return f"{what}: Neutron refuses the floating IP", hint


def _routers(ports: Sequence[Mapping[str, object]], subnet: str) -> dict[str, None]:
    """The routers that have a port in a subnet."""
    found: dict[str, None] = {}
    for port in ports:
        addresses = port.get("fixed_ips")
        own = addresses if isinstance(addresses, list) else []
        is_here = any(isinstance(one, dict) and one.get("subnet_id") == subnet for one in own)
        if is_here and port.get("device_owner") in octavia_api.ROUTER_PORTS and port.get("device_id"):
            found[str(port["device_id"])] = None
    return found


def routes(cloud: AskedCloud, router: str, nodes: Sequence[str] | None) -> Iterator[PreflightCheck]:
    """Whether the router of [Route] exists, and has no routes of another cluster.

    Args:
        cloud: The project.
        router: ``router-id``; empty without one.
        nodes: The addresses of the cluster's nodes; None where they are not known.
    """
    if not router:
        return
    about = "[Route] router-id"
    seen = cloud.show(requests.ROUTER, router)
    if seen.error is not None:
        yield seen.unanswered(about)
        return
    if seen.document is None:
        text = f"there is no router `{router}` in this project"
        yield PreflightCheck(about, False, text, "`openstack router list` shows those of the project.", seen.asked)
        return
    found = seen.document.get("routes")
    hops = [str(one.get("nexthop")) for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    foreign = [hop for hop in hops if hop not in (nodes or ())]
    if not foreign:
        yield PreflightCheck(
            about, True, f"router `{router}`: {len(hops)} routes, none of another cluster", "", seen.asked
        )
    elif nodes is None:
        text = f"router `{router}` has {len(hops)} routes; whether they are of this cluster's nodes is not known"
        yield PreflightCheck(about, None, text, "Name the files with the Nodes, too.", seen.asked)
    else:
        text = (
            f"router `{router}` has {len(foreign)} routes to addresses of no node here, such as {foreign[0]}: the CCM "
            "deletes routes in its cluster-cidr that are not its own"
        )
        yield PreflightCheck(about, False, text, "Use a router of its own for each cluster.", seen.asked)


def members(
    cloud: AskedCloud, options: predict_options.Options, addresses: Mapping[str, str]
) -> Iterator[PreflightCheck]:
    """Whether the nodes' addresses are in the subnet that members are made in.

    Args:
        cloud: The project.
        options: The cloud.conf.
        addresses: The first InternalIP of each Node, by its name.
    """
    key = "member-subnet-id" if options.member_subnet_id else "subnet-id"
    subnet = options.member_subnet_id or options.subnet_id
    seen = cloud.show(requests.SUBNET, subnet) if subnet and addresses else None
    cidr = str((seen.document or {}).get("cidr") or "") if seen is not None else ""
    if not cidr or seen is None:
        return
    outside = sorted(name for name, address in addresses.items() if address and not ranges.holds(cidr, address))
    about = f"[LoadBalancer] {key}"
    if not outside:
        yield PreflightCheck(about, True, f"the addresses of {len(addresses)} Nodes are in it", "", seen.asked)
        return
    text = (
        f"{len(outside)} of {len(addresses)} Nodes have an InternalIP outside of {cidr}, such as {outside[0]} with "
        f"{addresses[outside[0]]}: the CCM makes members of the first InternalIP, whatever subnet is named here"
    )
    text += "; right only where a router leads from this subnet to them" if may_be_routed(options) else ""
    there, known = addresses[outside[0]], cloud.list(requests.SUBNETS).documents
    others = [str(one.get("id")) for one in known if ranges.holds(str(one.get("cidr")), there)]
    hint = f"Write member-subnet-id = {others[0]}, from CCM 1.25 on. " if len(others) == 1 else ""
    hint += "Name the nodes' subnet; with several networks, order them by [Networking] internal-network-name."
    yield PreflightCheck(about, False, text, hint, seen.asked)


def may_be_routed(options: predict_options.Options) -> bool:
    """Whether members may be in another subnet than the one named: an amphora sends by its gateway."""
    return options.lb_provider in AMPHORA and not options.manage_security_groups
