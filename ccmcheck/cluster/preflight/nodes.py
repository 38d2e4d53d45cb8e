"""Whether what Nodes send and get passes Neutron: routes, allowed address pairs, and rules of security groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ccmcheck.cluster.access.documents import mappings
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, behaviour, cloud_state, lazy_regex, predict_options, ranges, service_input
from ccmcheck.cluster.octavia import requests
from ccmcheck.cluster.preflight.cloud import PreflightCheck, SavedCloud
from ccmcheck.cluster.preflight.networks import AMPHORA

_FLOATING_NAMES = ("ext", "float", "public", "internet", "provider")
_ADDRESS = lazy_regex(r"[0-9a-fA-F.:]{3,}")
_NEARLY_ALL = 60_000
_NUMBERS = {"tcp": ("tcp", "6"), "udp": ("udp", "17"), "": ("tcp", "6", "udp", "17")}
"""How rules write a protocol; without one, those that programs mostly use."""
_LET_IN = "Let the load balancers' subnet in to the NodePorts; a pod has to answer there, with Local on each Node."
_ABOUT = "security group of the Nodes"


def several_subnets(cloud: SavedCloud, options: predict_options.Options) -> Iterator[PreflightCheck]:
    """Say that a floating network has several subnets of IPv4, and nothing chooses one."""
    floating = options.floating_network_id
    if options.internal_lb or options.floating_subnet_id or options.floating_subnet or options.floating_subnet_tags:
        return
    listed = cloud.list(requests.SUBNETS)
    ranges_of: dict[str, list[str]] = {}
    for subnet in listed.documents:
        if ranges.family(str(subnet.get("cidr"))) == 4:
            ranges_of.setdefault(str(subnet.get("network_id") or ""), []).append(str(subnet["cidr"]))
    for network, cidrs in ranges_of.items():
        is_named = "-" in network and any(word in network.lower() for word in _FLOATING_NAMES)
        if len(cidrs) > 1 and (network == floating or is_named):
            where = "" if network == floating else f", where `{network[:64]}` is the floating network"
            several = f"{len(cidrs)} subnets ({', '.join(cidrs[:5])}){where}"
            hint = "Write floating-subnet-id, or loadbalancer.openstack.org/floating-subnet-id at a Service."
            text = f"is not set: Neutron takes the floating IP from any of {several}"
            yield PreflightCheck("[LoadBalancer] floating-subnet-id", None, text, hint, listed.asked)
            return


def names(cloud: SavedCloud, nodes: Sequence[cloud_state.Node]) -> Iterator[PreflightCheck]:
    """Whether Nodes without an ID have the names of their servers, by which the CCM looks for them."""
    servers = cloud.list(requests.SERVERS)
    listed = {
        str(server.get("name") or ""): _ADDRESS.findall(str(server.get("addresses"))) for server in servers.documents
    }
    called = Counter(name for _, name in {(str(one.get("id")), str(one.get("name"))) for one in servers.documents})
    for node in nodes:
        own = {address for _, address in node.addresses}
        if called[node.name] > 1 and not node.provider_id:
            text = f"has no providerID, and {called[node.name]} servers of the project have its name: the CCM takes "
            text += "none of them, and does not initialize the Node"
            hint = "Rename the others (openstack server set --name), or start the kubelet with "
            hint += "--provider-id=openstack:///ID."
            yield PreflightCheck(f"Node {node.name}", False, text, hint, servers.asked)
        other = next((name for name, known in listed.items() if name and not own.isdisjoint(known)), "")
        if other and node.name not in listed and not node.provider_id:
            text = f"has no providerID, and the server with its address is called `{other[:64]}`: the CCM looks for a "
            text += "server with the Node's name, and finds none"
            text += ", unless there is one in the project that is not listed" if servers.error else ""
            hint = "Start the kubelet with --hostname-override=SERVER_NAME, or with --provider-id=openstack:///ID."
            yield PreflightCheck(f"Node {node.name}", None if servers.error else False, text, hint, servers.asked)


def internal_addresses(
    cloud: SavedCloud, nodes: Sequence[cloud_state.Node], wanted: Sequence[str]
) -> Iterator[PreflightCheck]:
    """Whether the servers of the Nodes have an address in a network of internal-network-name.

    Args:
        cloud: The project.
        nodes: The Nodes.
        wanted: The networks' names.
    """
    listed = cloud.list(requests.SERVERS)
    by_key = {str(one.get(key)): one for key in ("name", "id") for one in listed.documents}
    for node in nodes if wanted else ():
        server = by_key.get((node.provider_id or "").rpartition("/")[2] or node.name, {})
        there = server.get("addresses")
        if isinstance(there, dict) and there and set(wanted).isdisjoint(there):
            said = f"no network of server `{node.name}` is called so, but {', '.join(map(str, list(there)[:3]))}: "
            said += "the CCM leaves out every other address, and the Node gets no InternalIP of it"
            hint = "Write the network's name of today, or give the network its old name back."
            yield PreflightCheck("[Networking] internal-network-name", False, said, hint, listed.asked)
            return


def addresses_taken(cloud: SavedCloud, services: Sequence[service_input.Service]) -> Iterator[PreflightCheck]:
    """Whether a floating IP that a Service asks for is a server's.

    Args:
        cloud: The project.
        services: The Services.
    """
    listed, servers = cloud.list(requests.FLOATING_IPS), cloud.list(requests.SERVERS).documents
    inside = {one.get("floating_ip_address"): one.get("fixed_ip_address") for one in listed.documents}
    owners = {
        address: str(one.get("name"))[:64] for one in servers for address in _ADDRESS.findall(str(one.get("addresses")))
    }
    for service in services:
        owner = owners.get(str(inside.get(service.address)))
        if owner is not None:
            text = (
                f"asks for {service.address}, which leads to an address of server `{owner}`: if it is attached there "
            )
            text += "the CCM does not take it away, and ends with `floating IP … is not available`"
            hint = f"openstack floating ip unset --port {service.address}, or ask for another address."
            yield PreflightCheck(service.title, None, text, hint, listed.asked)


def members_down(
    cloud: SavedCloud, nodes: Sequence[cloud_state.Node], services: Sequence[service_input.Service]
) -> Iterator[PreflightCheck]:
    """Whether all members of a port of a Service are in ERROR, and what speaks for their subnet being another one.

    Args:
        cloud: The project.
        nodes: The Nodes.
        services: The Services.
    """
    listed, subnets = cloud.list(requests.MEMBERS), cloud.list(requests.SUBNETS).documents
    own = {address for node in nodes for _, address in node.addresses}
    for service in services:
        places = {(str(port.node_port), address) for port in service.ports for address in own}
        there = [one for one in listed.documents if (str(one.get("protocol_port")), one.get("address")) in places]
        if len(there) <= (len(nodes) > 1) or any(one.get("operating_status") != "ERROR" for one in there):
            continue
        text, hint = f"all {len(there)} members that the file shows are in ERROR: no health check passes", _LET_IN
        ids = {str(one.get("subnet_id")) for one in there}
        cidrs = {str(one.get("cidr")) for one in subnets if one.get("id") in ids}
        twins = [str(one.get("id")) for one in subnets if str(one.get("cidr")) in cidrs and one.get("id") not in ids]
        if twins:
            text += f"; they are in subnet {min(ids)}, and {twins[0]} has the same range, {min(cidrs)}"
            hint = f"Where {twins[0]} is the Nodes' subnet write it as subnet-id, or as member-subnet-id where the VIP "
            hint += "is in another one, from CCM 1.25 on; without either the CCM takes the subnet that it finds."
        yield PreflightCheck(service.title, False, text, hint, listed.asked)


def pods(
    cloud: SavedCloud, nodes: Sequence[cloud_state.Node], router: str, *, makes_routes: bool
) -> Iterator[PreflightCheck]:
    """Whether packets of pods pass from Node to Node where the CCM makes routes for them.

    Args:
        cloud: The project.
        nodes: The Nodes.
        router: ``router-id``.
        makes_routes: Whether the CCM is known to make routes.
    """
    seen = cloud.show(requests.ROUTER, router) if router else None
    found = (seen.document or {}).get("routes") if seen is not None else None
    routes = [(one.get("destination"), one.get("nexthop")) for one in mappings(found)]
    if seen is None or not (makes_routes or routes):
        return
    ports, wanted = _ports(cloud, nodes), []
    for node in nodes:
        hops = [address for _, address in node.addresses]
        for cidr in node.pods:
            if all(ranges.family(hop) != ranges.family(cidr) for hop in hops):
                continue
            wanted.append(cidr)
            if any((cidr, hop) in routes for hop in hops):
                yield from _pair(node, cidr, [port for port in ports if _is_of(port, node)])
            elif makes_routes and isinstance(found, list):
                text = f"router `{router}` has no route to its pods ({cidr}): other Nodes do not reach them"
                hint = "The CCM's route controller makes it; its log says why it could not."
                yield PreflightCheck(f"Node {node.name}", False, text, hint, seen.asked)
    if len(nodes) > 1:
        yield from _pods_admitted(cloud, nodes, wanted)


def _ports(cloud: SavedCloud, nodes: Sequence[cloud_state.Node]) -> list[Document]:
    """The Nodes' ports, as far as they are known."""
    return [port for port in cloud.list(requests.PORTS).documents if any(_is_of(port, node) for node in nodes)]


def _is_of(port: Document, node: cloud_state.Node) -> bool:
    addresses = {address for _, address in node.addresses}
    return any(one.get("ip_address") in addresses for one in mappings(port.get("fixed_ips")))


def _pair(node: cloud_state.Node, cidr: str, ports: Sequence[Document]) -> Iterator[PreflightCheck]:
    """Whether the port with the route's next hop may send what the Node's pods send."""
    for port in ports:
        pairs = port.get("allowed_address_pairs")
        if not isinstance(pairs, list) or port.get("port_security_enabled") is False:
            continue
        if not any(ranges.holds(str(pair.get("ip_address")), cidr.partition("/")[0]) for pair in mappings(pairs)):
            identifier = port.get("id") or "PORT"
            text = f"its port `{identifier}` has no allowed address pair for its pods ({cidr}): Neutron drops "
            hint = (
                "The CCM writes the pair only when it makes the route, and never restores it: openstack port set "
                f"--allowed-address ip-address={cidr} {identifier}; or delete the route, and it makes both again."
            )
            yield PreflightCheck(f"Node {node.name}", False, f"{text}what they send", hint)


class _Rules(NamedTuple):
    """Rules for what comes in to the Nodes.

    Attributes:
        asked: Where they are from.
        found: They.
        are_all: Whether they are those of all groups of the Nodes' ports.
    """

    asked: str
    found: tuple[Document, ...]
    are_all: bool

    def admit(self, cidr: str, port: int = 0, protocol: str = "", *, by_group: bool = False) -> bool:
        """Whether one lets in something of a range; without a range, or with none in the rule, from anywhere."""
        return any(
            bool(rule.get("remote_group_id")) == by_group
            and _is_for(rule, port, protocol)
            and (by_group or _overlap(rule, cidr))
            for rule in self.found
        )

    def missing(self, what: str, effect: str, hint: str) -> PreflightCheck:
        """The check where none lets something in: it depends where other groups may."""
        if self.are_all:
            return PreflightCheck(_ABOUT, False, f"no rule admits {what}: {effect}", hint, self.asked)
        where = f" in {self.asked}" if self.asked else ""
        text = f"no rule{where} admits {what}: {effect}, unless another group of the Nodes' ports does"
        return PreflightCheck(_ABOUT, None, text, hint, self.asked)


def _is_for(rule: Document, port: int, protocol: str) -> bool:
    """Whether a rule is for a port of a protocol; for 0, whether it is for all that programs mostly use."""
    low, high = (str(rule.get(key) or "") for key in ("port_range_min", "port_range_max"))
    is_all = not (low.isdecimal() and high.isdecimal() and len(low) < 6 and len(high) < 6)
    fits = is_all or (int(low) <= port <= int(high) if port else int(high) - int(low) > _NEARLY_ALL)
    return fits and str(rule.get("protocol") or "").lower() in ("", "0", *_NUMBERS.get(protocol, (protocol,)))


def _overlap(rule: Document, cidr: str) -> bool:
    remote = str(rule.get("remote_ip_prefix") or "")
    if not cidr or rule.get("ethertype") == f"IPv{10 - ranges.family(cidr)}":
        return not cidr
    return not remote or any(
        ranges.holds(one, other.partition("/")[0]) for one, other in ((remote, cidr), (cidr, remote))
    )


def _rules(cloud: SavedCloud, nodes: Sequence[cloud_state.Node]) -> _Rules | None:
    """The rules for what comes in; None where none are known, or Neutron does not ask them."""
    own = _ports(cloud, nodes)
    groups = {str(group) for port in own for group in port.get("security_groups") or ()}
    listed = cloud.list(requests.RULES)
    rules = listed.documents
    are_all = bool(groups) and groups <= {str(rule.get("security_group_id")) for rule in rules}
    coming = tuple(
        rule
        for rule in rules
        if rule.get("direction") != "egress" and not (are_all and str(rule.get("security_group_id")) not in groups)
    )
    if not coming or any(port.get("port_security_enabled") is False for port in own):
        return None
    return _Rules(listed.asked, coming, are_all)


def _pods_admitted(
    cloud: SavedCloud, nodes: Sequence[cloud_state.Node], cidrs: Sequence[str]
) -> Iterator[PreflightCheck]:
    rules = _rules(cloud, nodes)
    shut = [cidr for cidr in cidrs if rules is not None and not rules.admit(cidr)]
    if rules is None or not shut:
        return
    what = f"the pods' addresses ({', '.join(shut[:3])})"
    effect = "where the CCM makes routes packets keep them, and do not reach pods on other Nodes"
    if rules.admit("", by_group=True):
        what += " but by a remote group"
        effect += ": with ML2/OVN a group is the fixed addresses of its ports (with ML2/OVS their address pairs, too)"
        rules = rules._replace(are_all=False)
    hint = "The CCM opens nothing for pods: openstack security group rule create --remote-ip CLUSTER_CIDR GROUP."
    yield rules.missing(what, effect, hint)


def node_ports(
    cloud: SavedCloud,
    nodes: Sequence[cloud_state.Node],
    options: predict_options.Options,
    services: Sequence[service_input.Service],
) -> Iterator[PreflightCheck]:
    """Whether load balancers reach the NodePorts, where the CCM does not open them.

    Args:
        cloud: The project.
        nodes: The Nodes.
        options: The cloud.conf.
        services: The Services.
    """
    is_set, release = options.manage_security_groups, options.release
    opens_none = options.use_octavia and behaviour.behaves("managed-groups-let-the-address-in", release)
    are_managed = is_set and behaviour.behaves("sync-manages-groups", release) and not opens_none
    if are_managed or (rules := _rules(cloud, nodes)) is None:
        return
    cidrs = [""]
    if options.lb_provider in AMPHORA:
        subnets = sorted({options.subnet_id, options.member_subnet_id} - {""})
        cidrs = [str((cloud.show(requests.SUBNET, one).document or {}).get("cidr") or "") for one in subnets] or cidrs
    elif any(rule.get("remote_group_id") for rule in rules.found):
        return
    asked = [(port.node_port, port.protocol.lower()) for service in services for port in service.ports]
    if options.create_monitor and options.lb_provider in AMPHORA and behaviour.behaves("supports-local", release):
        asked += [(service.check_port, "tcp") for service in services]
    shut = [
        f"{port}/{protocol}"
        for port, protocol in asked
        if port and not any(rules.admit(cidr, port, protocol) for cidr in cidrs)
    ]
    if shut:
        known = ", ".join(filter(None, cidrs))
        what = f"NodePort {', '.join(shut[:3])} from the load balancers' subnet{f' ({known})' if known else ''}"
        effect = "connections do not reach the Nodes, and health monitors, where there are any, take all members out"
        hint = (
            "openstack security group rule create --protocol tcp --dst-port 30000:32767 --remote-ip SUBNET_CIDR GROUP"
        )
        hint += f"; CCM {release.name} opens none." if is_set else "; or write manage-security-groups = true."
        yield rules.missing(what, effect, hint)
