"""The security group that manage-security-groups makes for a Service.

Source: cloud-provider-openstack pkg/openstack/loadbalancer_sg.go, before 1.28 ensureSecurityGroup in loadbalancer.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.annotations import CcmCrash, CcmError
from ccmcheck.predict.inputs.cloud_state import Group, GroupRule, Node, NodePort
from ccmcheck.predict.inputs.nodes import address_of
from ccmcheck.predict.inputs.service import ServicePort
from ccmcheck.predict.records import MEMBER_CIDR, Json, Request, SecurityGroupRule
from ccmcheck.predict.requests.reconcile_state import ReconcileState
from ccmcheck.predict.requests.subnets import provider_id

GROUP = "{security group}"

OWN_RULES = (
    GroupRule("{egress rule IPv4}", "", 0, 0, "", "IPv4", "egress"),
    GroupRule("{egress rule IPv6}", "", 0, 0, "", "IPv6", "egress"),
)
"""The default rules of a new group in Neutron; the CCM deletes it since it compares rules (1.28)."""


def group_name(uid: str, namespace: str, name: str) -> str:
    """``lb-sg-UID-NAMESPACE-NAME``, cut at 255."""
    from ccmcheck.predict.requests.notes import cut

    return cut(f"lb-sg-{uid or '{uid}'}-{namespace}-{name}")


def ensure_group(state: ReconcileState, failed: str = "") -> tuple[SecurityGroupRule, ...] | None:
    """Work out the group's requests.

    Args:
        state: Takes the requests.
        failed: What a failure's message begins with; empty for that of a reconcile.

    Returns:
        The rules that the group will have; None where there is no group.
    """
    behaviours, options = state.behaviours, state.options
    if behaviours["managed-groups-do-nothing"]:
        return None
    before = state.cloud.group
    if not options.manage_security_groups:
        if before is not None and behaviours["groups-deleted-when-off"]:
            state.requests.extend(deletion(before))
        return None
    service = state.service
    if before is None:
        cluster = state.cloud.cluster_name
        body: Json = {
            "name": group_name(service.uid, service.namespace, service.name),
            "description": f"Security Group for {service.title} Service LoadBalancer in cluster {cluster}",
        }
        _send(state, "POST", "security-groups", {"security_group": body})
    group = before.id if before is not None else GROUP
    present = before.rules if before is not None else OWN_RULES
    ports = _Ports(state)
    rules: list[SecurityGroupRule] = []
    try:
        if behaviours["groups-open-check-port"]:
            rules = _wanted(state)
            if behaviours["groups-deleted-when-off"]:
                _reconcile(state, rules, present, group)
                ports.apply(group)
            else:
                _one_by_one(state, rules, present, group, ports)
        else:
            rules = _early(state, present, group, ports)
    except CcmCrash:
        raise
    except CcmError as error:
        failed = failed or f"failed when reconciling security groups for LB service {service.title}"
        raise CcmError(f"{failed}: {error}") from None
    return tuple(rules)


def _member_cidr(state: ReconcileState) -> str:
    subnet = state.member_subnet
    if state.cloud.balancer is not None and state.remembers_first_subnet:
        subnet = ""  # it made none since it started
    if not subnet:
        # GET /v2.0/subnets/ lists them all, in which gophercloud finds no subnet
        raise CcmCrash("runtime error: invalid memory address or nil pointer dereference")
    cidr = state.cloud.subnets.get(subnet, "")
    moved = _moved(state, subnet)
    if not cidr and not moved:
        cidrs = [cidr for cidr in state.cloud.member_cidrs if ranges.family(cidr) == (state.spec.family or 4)]
        cidr = cidrs[0] if len(cidrs) == 1 else ""
    if not cidr:
        state.notes.assume("the member subnet's CIDR is not known; the rules of the security group name it in words")
    return cidr or (f"{MEMBER_CIDR} ({subnet})" if moved else MEMBER_CIDR)


def _moved(state: ReconcileState, subnet: str) -> bool:
    """Whether the members of the load balancer that is there are in another subnet, which they keep."""
    there = state.cloud.balancer
    pools = [listener.pool for listener in there.listeners if listener.pool is not None] if there is not None else []
    known = {member.subnet for pool in pools for member in pool.members if member.subnet}
    return bool(known) and subnet not in known


def _wanted(state: ReconcileState) -> list[SecurityGroupRule]:
    """The rules since 1.26: the check port's, then one for each NodePort and remote."""
    service, behaviours = state.service, state.behaviours
    cidr = _member_cidr(state)
    unknown = cidr.startswith(MEMBER_CIDR)
    kind = "IPv6" if ranges.family(cidr) == 6 or (unknown and state.spec.family == 6) else "IPv4"
    ovn = driver_of(state.options.lb_provider).is_special and not behaviours["managed-groups-shut-ovn-clients-out"]
    remotes = state.spec.allowed if ovn else (cidr,)
    rules: list[SecurityGroupRule] = []
    if service.check_port:
        rules.append(SecurityGroupRule("tcp", service.check_port, cidr, kind, "the health check node port"))
    for port in service.ports:
        if not port.node_port:
            continue
        protocol = port.protocol if behaviours["groups-in-capitals"] else port.protocol.lower()
        rules += [SecurityGroupRule(protocol, port.node_port, remote, kind, _why(port, ovn)) for remote in remotes]
    return rules


def _why(port: ServicePort, ovn: bool) -> str:
    return f"clients of port {port.port}" if ovn else f"port {port.port}"


def _early(state: ReconcileState, present: tuple[GroupRule, ...], group: str, ports: _Ports) -> list[SecurityGroupRule]:
    """Up to 1.25: one rule for each NodePort; a port that already has its rule is skipped."""
    cidr = _member_cidr(state)
    kind = "IPv6" if state.behaviours["groups-know-ipv6"] and ranges.family(cidr) == 6 else "IPv4"
    rules = [
        SecurityGroupRule(port.protocol.lower(), port.node_port, cidr, kind, f"port {port.port}")
        for port in state.service.ports
    ]
    known = _Known(present, by_type=False)
    for rule in rules:
        if known.is_new(rule):
            _create(state, rule, group)
            ports.apply(group)
    return rules


def _one_by_one(
    state: ReconcileState, rules: list[SecurityGroupRule], present: tuple[GroupRule, ...], group: str, ports: _Ports
) -> None:
    """1.26 and 1.27: after each port's rule the group is put on the nodes that lack it."""
    checked = 1 if state.service.check_port else 0
    known = _Known(present, by_type=False)
    for number, rule in enumerate(rules):
        if known.is_new(rule):
            _create(state, rule, group)
        if number >= checked:
            ports.apply(group)


def _reconcile(
    state: ReconcileState, rules: list[SecurityGroupRule], present: tuple[GroupRule, ...], group: str
) -> None:
    there = {traffic for old in present if (traffic := _let_in(old, by_type=True)) is not None}
    wanted = {_traffic(rule, by_type=True) for rule in rules}
    for rule in rules:
        if _traffic(rule, by_type=True) not in there:
            _create(state, rule, group)
    for old in present:
        if _let_in(old, by_type=True) not in wanted:
            _send(state, "DELETE", f"security-group-rules/{old.id}")


class _Known:
    """Which rules need not be created: the group has them, or an earlier one lets the same in.

    Args:
        present: The rules of the group.
        by_type: Whether IPv4 and IPv6 are compared.
    """

    def __init__(self, present: tuple[GroupRule, ...], *, by_type: bool) -> None:
        self._by_type = by_type
        self._there = {_let_in(old, by_type=by_type) for old in present}
        self._earlier: set[tuple[object, ...]] = set()

    def is_new(self, rule: SecurityGroupRule) -> bool:
        """Whether a rule is to be created; it is an earlier one for those that follow."""
        is_new = _traffic(rule, by_type=self._by_type) not in self._there and rule[:4] not in self._earlier
        self._earlier.add(rule[:4])
        return is_new


def _traffic(rule: SecurityGroupRule, *, by_type: bool) -> tuple[object, ...]:
    """What a rule lets in, as rules are compared."""
    return (rule.protocol.lower(), rule.remote, rule.port, rule.ethertype if by_type else "")


def _let_in(old: GroupRule, *, by_type: bool) -> tuple[object, ...] | None:
    """What a rule of a group lets in; None where no rule of the CCM is equal to it."""
    if old.direction != "ingress" or old.port_min != old.port_max:
        return None
    return (old.protocol.lower(), old.remote, old.port_min, old.ethertype if by_type else "")


def _create(state: ReconcileState, rule: SecurityGroupRule, group: str) -> None:
    body: Json = {
        "direction": "ingress",
        "ethertype": rule.ethertype,
        "security_group_id": group,
        "protocol": rule.protocol,
        "remote_ip_prefix": rule.remote,
    }
    if rule.port:
        body["port_range_min"] = body["port_range_max"] = rule.port
    _send(state, "POST", "security-group-rules", {"security_group_rule": body})


class _Ports:
    """The nodes' Neutron ports, as they change."""

    def __init__(self, state: ReconcileState) -> None:
        self._calls = state
        self._nodes = [(node, _ports_of(state, node)) for node in state.nodes]

    def apply(self, group: str) -> None:
        """Put the group on every port that lacks it.

        Raises:
            CcmError: A node does not say which server it is.
        """
        state = self._calls
        tags, first = state.behaviours["groups-tag-ports"], state.behaviours["groups-tag-first"]
        skips = state.behaviours["groups-open-check-port"]
        for node, ports in self._nodes:
            if state.behaviours["parses-provider-id"] and node.provider_id is not None:
                provider_id(node.provider_id, "error getting server ID from the node: ")
            for port, groups in ports:
                if skips and group in groups:
                    continue
                if tags and first:
                    _send(state, "PUT", f"ports/{port}/tags/{group}")
                groups.append(group)
                _send(state, "PUT", f"ports/{port}", {"port": {"security_groups": list(groups)}})
                if tags and not first:
                    _send(state, "PUT", f"ports/{port}/tags/{group}")


def _ports_of(state: ReconcileState, node: Node) -> list[tuple[str, list[str]]]:
    """The ports of a node that the group goes on, each with its groups."""
    address = address_of(node, state.spec.family)
    if node.ports is None:
        if state.behaviours["groups-on-member-ports"] and not (address and _may_be_member(state, node, address)):
            return []
        if before := _before(state, f"{{port of {node.name}}}"):
            return [before]
        return [(f"{{port of {node.name}}}", ["{its own groups}"])]
    return [(port.id, list(port.groups)) for port in node.ports if _gets(state, port, address)]


def _may_be_member(state: ReconcileState, node: Node, address: str) -> bool:
    """Whether a node's address can be that of a port in the member subnet."""
    cidr = state.cloud.subnets.get(state.member_subnet, "")
    return node.made_up or not cidr or ranges.holds(cidr, address)


def nodes_without_group(state: ReconcileState) -> tuple[str, ...]:
    """The nodes none of whose ports gets the group: their address is not in the member subnet.

    Args:
        state: The state of the reconcile.
    """
    if not state.behaviours["groups-on-member-ports"]:
        return ()
    return tuple(node.name for node in state.nodes if not _ports_of(state, node))


def _before(state: ReconcileState, port: str) -> tuple[str, list[str]] | None:
    """A port that has the group already."""
    ports = state.cloud.group.ports if state.cloud.group is not None else ()
    return next(((name, list(groups)) for name, groups, _ in ports if name == port), None)


def _gets(state: ReconcileState, port: NodePort, address: str) -> bool:
    if not state.behaviours["groups-on-member-ports"]:
        return True
    subnet = state.member_subnet
    return (
        bool(address)
        and port.secured
        and any(given == address and (not subnet or subnet == where) for given, where in port.addresses)
    )


def deletion(group: Group) -> Iterator[Request]:
    """The requests that take a group off all ports and delete it.

    Args:
        group: The group.
    """
    for port, groups, tags in group.ports:
        left = sorted(set(groups) - {group.id})
        yield _request("PUT", f"ports/{port}", {"port": {"security_groups": left}})
        if group.id in tags:
            yield _request("DELETE", f"ports/{port}/tags/{group.id}")
    yield _request("DELETE", f"security-groups/{group.id}")


def _send(state: ReconcileState, method: str, path: str, body: Json | None = None) -> None:
    state.requests.append(_request(method, path, body))


def _request(method: str, path: str, body: Json | None = None) -> Request:
    return Request(method, f"/v2.0/{path}", body, "neutron")
