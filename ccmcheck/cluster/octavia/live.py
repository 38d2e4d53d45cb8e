"""The load balancers of a cluster's Services, read and compared; what cannot be read or judged is a failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ccmcheck.cluster import core
from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import is_load_balancer, is_ready, mapping, mappings, published, text
from ccmcheck.cluster.access.requests import RequestKind
from ccmcheck.cluster.access.transport import Document, Transport
from ccmcheck.cluster.live.ccm import LIVE
from ccmcheck.cluster.live.lint import LiveOctavia
from ccmcheck.cluster.live.snapshot import ClusterReader, Snapshot
from ccmcheck.cluster.octavia import names
from ccmcheck.cluster.octavia.comparison import BalancedService, Comparison, live_services
from ccmcheck.cluster.octavia.reader import CloudReader, OctaviaInventory

UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized"


class KeepingReader(ClusterReader):
    """Reads one cluster, and keeps what the comparison needs.

    Attributes:
        services: The Services of type LoadBalancer with their subjects, annotations of the CCM included.
        nodes: The nodes that the service controller hands to the CCM.
        published: The addresses of those that have one, by their subjects; an empty text for a host's name.
        doubtful: Addresses of nodes that it may or may not hand over: not ready, not initialized, or going.
    """

    def __init__(self, transport: Transport, context: str, namespaces: Sequence[str] = requests.CCM_NAMESPACES) -> None:
        super().__init__(transport, context, namespaces)
        self.services: list[tuple[str, core.service_input.Service]] = []
        self.nodes: list[core.cloud_state.Node] = []
        self.doubtful: set[str] = set()
        self.published: dict[str, tuple[str, ...]] = {}

    def objects(self, request: RequestKind, query: Mapping[str, str] | None = None) -> Iterator[Document]:
        """The objects of a list; see `ClusterReader.objects`."""
        for document in super().objects(request, query):
            if request == requests.SERVICES:
                self._keep_service(document)
            elif request == requests.NODES:
                self._keep_node(document)
            yield document

    def _keep_service(self, document: Document) -> None:
        is_going = "deletionTimestamp" in mapping(document.get("metadata"))
        if is_going or not is_load_balancer(document):
            return
        service = core.service_input.read_service(document, allocate=False)
        subject = f"Service {service.title}"
        self.services.append((subject, service))
        if addresses := published(document):
            self.published[subject] = tuple(text(one.get("ip")) for one in addresses)

    def _keep_node(self, document: Document) -> None:
        node, why = core.manifest_data.read_node(document)
        addresses = {address for _, address in node.addresses}
        if why:
            return
        if _is_doubtful(document, node):
            self.doubtful |= addresses
        self.nodes.append(node)


def _is_doubtful(document: Document, node: core.cloud_state.Node) -> bool:
    taints = {text(one.get("key")) for one in mappings(mapping(document.get("spec")).get("taints"))}
    going = "deletionTimestamp" in mapping(document.get("metadata"))
    return not is_ready(document) or going or not node.provider_id or UNINITIALIZED in taints


def read_octavia(
    snapshot: Snapshot,
    kept: KeepingReader,
    reader: CloudReader,
    judged: core.target_release.TargetRelease,
    facts: core.cluster_facts.ClusterFacts,
) -> LiveOctavia:
    """Read the load balancers, and compare each with its Service.

    Args:
        snapshot: What was read of the cluster.
        kept: Its Services and nodes.
        reader: Reads the project of OpenStack.
        judged: The release of the CCM.
        facts: What options and configuration say of the cluster.
    """
    options = _options(snapshot, judged)
    if options is None:
        why = "no cloud.conf was read that the CCM starts with, so its load balancers are not judged"
        return LiveOctavia(failures=(core.lint_results.Failure("Octavia", why),))
    if snapshot.facts.nodes is None:
        return LiveOctavia(
            failures=(
                core.lint_results.Failure("Octavia", "not all Nodes were read, so its load balancers are not judged"),
            )
        )
    inventory = reader.everything()
    if inventory.unread & {"loadbalancers", "listeners", "pools", "healthmonitors"}:
        # a part of a list would say that parts are missing which are there
        return LiveOctavia(failures=reader.failures)
    facts = core.cluster_facts.merge(core.cluster_inputs.facts_of_files([ccm.pod for ccm in snapshot.ccms]), facts)
    cloud = _cloud(facts, kept, inventory)
    legacy = {service.uid: names.legacy_name(service.uid) for _, service in kept.services if service.uid}
    services = [
        live
        for live in live_services(kept.services, inventory, cloud.cluster_name, legacy)
        if live.balancer is not None or _is_lost(live, kept, reader)
    ]
    inventory = reader.with_members(inventory, _pools(services, inventory))
    comparison = Comparison(options, cloud, inventory, frozenset(kept.doubtful), kept.published)
    compared = [comparison.compare(live) for live in services]
    found = {balancer.subject: balancer for balancer in compared if balancer is not None}
    return LiveOctavia(found, reader.failures)


def _options(snapshot: Snapshot, judged: core.target_release.TargetRelease) -> core.predict_options.Options | None:
    for config in snapshot.configs:
        contents = core.carriers.find(config.file.path, config.file.text, LIVE._replace(explicit=True))
        for carried in contents.carried:
            if carried.key == config.place.key:
                surveyed = core.surveys.SurveyedConf(config.file.path, config.file.subject, carried)
                options = core.surveys.options_at(surveyed, judged, core.carriers.RunContext())
                return None if options.stop or options.unsupported or not options.use_octavia else options
    return None


def _cloud(
    facts: core.cluster_facts.ClusterFacts, kept: KeepingReader, inventory: OctaviaInventory
) -> core.cloud_state.CloudState:
    nodes = tuple(kept.nodes)
    subnets = {identifier: text(subnet.get("cidr")) for identifier, subnet in inventory.subnets.items()}
    return core.cloud_state.CloudState(
        facts=facts._replace(nodes=len(nodes)),
        nodes=nodes,
        api=inventory.api,
        node_subnet=_subnet_of_nodes(kept, subnets),
        subnets=subnets,
        balancers_known=True,
    )


def _subnet_of_nodes(kept: KeepingReader, subnets: Mapping[str, str]) -> str:
    """The subnet of the first node, where its address is in one alone."""
    for node in kept.nodes:
        for kind, address in node.addresses:
            if kind == "InternalIP":
                holding = [
                    identifier for identifier, cidr in subnets.items() if cidr and core.ranges.holds(cidr, address)
                ]
                return holding[0] if len(holding) == 1 else ""
    return ""


def _is_lost(live: BalancedService, kept: KeepingReader, reader: CloudReader) -> bool:
    """Whether a Service should have a load balancer by now, and there is none."""
    return reader.is_gone(live.identifier) if live.identifier else live.subject in kept.published


def _pools(services: Iterable[BalancedService], inventory: OctaviaInventory) -> list[str]:
    return [
        text(pool.get("id"))
        for live in services
        if live.balancer is not None
        for pool in inventory.pools_of(live.balancer)
    ]
