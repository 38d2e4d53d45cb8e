"""The state of the OpenStack cloud around a Service: nodes, and load balancers, subnets and floating IPs that exist."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.octavia import UDP_CONNECT_SECONDS
from ccmcheck.catalog.octavia import ovn_release
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.drivers.record import Driver


class NodePort(NamedTuple):
    """A Neutron port of a node.

    Attributes:
        id: Its ID.
        addresses: Its addresses, each with its subnet.
        groups: The security groups on it.
        secured: Whether port security is on.
    """

    id: str
    addresses: tuple[tuple[str, str], ...] = ()
    groups: tuple[str, ...] = ()
    secured: bool = True


class Node(NamedTuple):
    """A node as the service controller hands it to the CCM.

    Attributes:
        name: Its name.
        addresses: ``status.addresses`` as type and address, in order.
        labels: Its labels.
        provider_id: ``spec.providerID``; None when unknown.
        ports: Its Neutron ports; None when unknown.
        made_up: Whether only its number is known: its name and addresses stand for others.
        pods: The ranges of its pods, ``spec.podCIDRs``.
    """

    name: str
    addresses: tuple[tuple[str, str], ...] = ()
    labels: Mapping[str, str] = {}
    provider_id: str | None = None
    ports: tuple[NodePort, ...] | None = None
    made_up: bool = False
    pods: tuple[str, ...] = ()


class Member(NamedTuple):
    """A member of an existing pool; ``subnet`` is empty when unknown."""

    id: str
    address: str
    port: int
    name: str = ""
    monitor_port: int = 0
    subnet: str = ""


class Monitor(NamedTuple):
    """An existing health monitor."""

    id: str
    type: str
    delay: int
    timeout: int
    max_retries: int
    max_retries_down: int = 3
    name: str = ""


class Pool(NamedTuple):
    """An existing pool; ``persistence`` is the type of its session persistence, empty for none."""

    id: str
    protocol: str
    method: str
    members: tuple[Member, ...] = ()
    monitor: Monitor | None = None
    name: str = ""
    persistence: str = ""


class Listener(NamedTuple):
    """An existing listener; fields as Octavia returns them."""

    id: str
    protocol: str
    port: int
    pool: Pool | None = None
    tags: tuple[str, ...] = ()
    connection_limit: int = -1
    timeout_client_data: int = 50000
    timeout_member_connect: int = 5000
    timeout_member_data: int = 50000
    timeout_tcp_inspect: int = 0
    insert_headers: Mapping[str, str] = {}
    default_tls_container_ref: str = ""
    allowed_cidrs: tuple[str, ...] = ()
    name: str = ""


class Balancer(NamedTuple):
    """An existing load balancer.

    Attributes:
        id: Its ID.
        name: Its name.
        listeners: Its listeners, in the order in which Octavia lists them.
        tags: Its tags.
        address: The VIP.
        port: The VIP's Neutron port.
        subnet: The VIP's subnet.
        status: Its provisioning status.
        provider: Its provider, which it keeps; None for that of the configuration, empty for the cloud's choice.
    """

    id: str
    name: str
    listeners: tuple[Listener, ...] = ()
    tags: tuple[str, ...] = ()
    address: str = "192.0.2.250"
    port: str = "{vip port}"
    subnet: str = ""
    status: str = "ACTIVE"
    provider: str | None = None

    @property
    def driver(self) -> Driver:
        """The driver behind its provider."""
        return driver_of(self.provider)


class FloatingIP(NamedTuple):
    """An existing floating IP."""

    id: str
    address: str
    port: str = ""
    description: str = ""


class GroupRule(NamedTuple):
    """A rule of an existing security group."""

    id: str
    protocol: str
    port_min: int
    port_max: int
    remote: str
    ethertype: str = "IPv4"
    direction: str = "ingress"


class Group(NamedTuple):
    """The existing security group of the Service.

    Attributes:
        id: Its ID.
        rules: Its rules.
        ports: The Neutron ports that have it, each with its groups and tags.
    """

    id: str
    rules: tuple[GroupRule, ...] = ()
    ports: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()


class Subnet(NamedTuple):
    """A subnet of the floating network."""

    id: str
    name: str = ""
    tags: tuple[str, ...] = ()


class CloudState(NamedTuple):
    """The state of the OpenStack cloud and the nodes of the cluster; what is None or empty is unknown.

    Attributes:
        facts: What is known of the cluster and the cloud in general.
        nodes: The nodes; None where at most their number is known.
        api: Octavia's newest API version, major and minor; None to go by its release.
        node_subnet: The subnet of the first node's address; empty when unknown.
        vip_subnet: The subnet that Octavia picks where none is asked for; empty when unknown.
        subnets: CIDRs by subnet ID.
        external_network: The network that the CCM finds where none is given; empty when unknown, None where it finds
            none.
        floating_subnets: The subnets of the floating network; None when unknown.
        named_subnets: All subnets' IDs by name, which the releases up to 1.20 look through; None when unknown.
        networks: Networks by subnet ID; a subnet that is not there is unknown.
        floating_ips: The floating IPs by address; an address that is not there does not exist, None when unknown.
        key_manager: Whether there is a key manager endpoint; None when unknown.
        secrets: Which TLS references exist; None when unknown.
        balancer: The Service's load balancer, where there is one already.
        balancers_known: Whether there is no load balancer where ``balancer`` is None; otherwise that is unknown.
        floating_ip: The floating IP on its VIP.
        group: The Service's security group, where there is one already.
        vip: The VIP that Octavia gives; empty when unknown.
        new_address: The floating IP that Neutron gives; empty when unknown.
        open_ports: What lets probes in where the CCM makes no rules: True, False, or None when unknown.
    """

    facts: ClusterFacts = NO_FACTS
    nodes: tuple[Node, ...] | None = None
    api: tuple[int, int] | None = None
    node_subnet: str = ""
    vip_subnet: str = ""
    subnets: Mapping[str, str] = {}
    external_network: str | None = ""
    floating_subnets: tuple[Subnet, ...] | None = None
    named_subnets: Mapping[str, tuple[str, ...]] | None = None
    networks: Mapping[str, str] = {}
    floating_ips: Mapping[str, FloatingIP] | None = None
    key_manager: bool | None = None
    secrets: frozenset[str] | None = None
    balancer: Balancer | None = None
    balancers_known: bool = False
    floating_ip: FloatingIP | None = None
    group: Group | None = None
    vip: str = ""
    new_address: str = ""
    open_ports: bool | None = None

    @property
    def node_count(self) -> int | None:
        """The number of nodes; None when unknown."""
        return self.facts.nodes if self.nodes is None else len(self.nodes)

    @property
    def cluster_name(self) -> str:
        """The CCM's ``--cluster-name``, or its default."""
        return "kubernetes" if self.facts.cluster_name is None else self.facts.cluster_name

    @property
    def monitors_used(self) -> int:
        """How many health monitors the project has already; 0 when unknown."""
        return self.facts.monitors_used or 0

    @property
    def udp_interval(self) -> int:
        """Octavia's ``udp_connect_min_interval_health_monitor``, or its default."""
        return UDP_CONNECT_SECONDS if self.facts.udp_interval is None else self.facts.udp_interval

    @property
    def member_cidrs(self) -> tuple[str, ...]:
        """The networks of the members, for subnets whose CIDR is not known by ID: the nodes' where nothing else is."""
        return self.facts.member_cidrs or self.facts.node_cidrs

    def with_facts(self, **changes: Any) -> CloudState:  # noqa: ANN401 - the fields of `ClusterFacts`
        """The same with other facts."""
        return self._replace(facts=self.facts._replace(**changes))

    @property
    def ovn_release(self) -> str:
        """The release of ovn-octavia-provider, or the series that Octavia's release implies; empty when unknown."""
        return ovn_release(self.facts.ovn_octavia_release, self.facts.octavia_release)

    def provider(self, asked: str) -> str:
        """The provider of the load balancer: an existing one keeps its own.

        Args:
            asked: The provider that the configuration asks for.
        """
        balancer = self.balancer
        return asked if balancer is None or balancer.provider is None else balancer.provider
