"""Reads what the linter needs of a cluster; what cannot be read is a failure, and the rest is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ccmcheck.cluster.access import documents, requests
from ccmcheck.cluster.access.errors import FORBIDDEN, NOT_FOUND, UNAUTHORIZED, ApiError, Refused
from ccmcheck.cluster.access.messages import Messages
from ccmcheck.cluster.access.requests import RequestKind
from ccmcheck.cluster.access.transport import Document, Transport, items
from ccmcheck.cluster.core import (
    CloudConf,
    NamedTuple,
    behaviour,
    carriers,
    catalog,
    cluster_facts,
    lint_results,
    live_records,
    printable,
    target_release,
)
from ccmcheck.cluster.live import ccm as finding
from ccmcheck.cluster.live.alike import likenesses
from ccmcheck.cluster.live.health import Looker
from ccmcheck.cluster.live.nodes import MOST_REPORTED, common, is_odd, live_node
from ccmcheck.cluster.live.ownership import written_by_ccm
from ccmcheck.cluster.live.roles import bound, together
from ccmcheck.cluster.live.services import Chains, is_local, live_services, pod_owners, selectors, with_endpoints

_LONGEST_UID = 64
_LONGEST_VERSION = 20
"""Characters; Python converts no number of 5,000 digits."""
_MOST_NAMED = 20
"""Keys of a Secret that a message names."""
WHERE_ELSE = (
    "Where the control plane is hosted, the CCM runs in the management cluster: with Gardener in the seed's namespace "
    "of the shoot, with Kubermatic in the seed's namespace cluster-ID. Name that cluster with --context, and the "
    "namespace with --namespace."
)


class ClusterIdentity(NamedTuple):
    """Which cluster was read.

    Attributes:
        context: The kubeconfig's context; empty inside of the cluster.
        server: The API server's URL without userinfo.
        uid: The UID of namespace kube-system; empty where it could not be read.
    """

    context: str
    server: str
    uid: str

    @property
    def line(self) -> str:
        """The first line of every run, safe for a terminal: an API server may call itself what it likes."""
        context = f"context {self.context}" if self.context else "in cluster"
        return printable(f"Cluster: {context}, {self.server}, kube-system {self.uid or 'of unknown UID'}")


class CloudConfObject(NamedTuple):
    """The object with the cloud.conf of a CCM.

    Attributes:
        ccm: The CCM.
        place: Where it reads.
        object: The Secret or ConfigMap as the API server sent it.
        file: The same as a file.
    """

    ccm: finding.Ccm
    place: finding.ConfigPlace
    object: Document
    file: documents.ObjectFile


class Snapshot(NamedTuple):
    """What was read of a cluster.

    Attributes:
        identity: Which cluster.
        ccms: The workloads that run the CCM.
        configs: Their cloud.confs.
        services: The Services that the CCM may make load balancers for, as files.
        clusters: Cluster API's OpenStackClusters, as files.
        pod_owners: On how many nodes Local Services have ready pods.
        facts: The Kubernetes version and the number of nodes.
        failures: What could not be read.
        objects: The same Services as the API server sent them, where they are kept.
        live: What only a running cluster says of Services, by ``namespace/name``.
        nodes: What it says of nodes, by name.
        odd_nodes: The nodes of which there is something to say, as files.
        unread: What was not needed and could not be read, with the reason.
        other_services: The types of the Services that the CCM leaves alone, by ``namespace/name``, where kept.
        ccm_health: Whether the CCMs run, in the order of `ccms`.
        beside: Other controllers of load balancers that run, where other namespaces were searched.
        roles: What the accounts of the CCMs may do, a role for each, where it may be read.
        alike: What each Service has in common with others, which are judged once; see `ccmcheck.cluster.live.alike`.
    """

    identity: ClusterIdentity
    ccms: tuple[finding.Ccm, ...]
    configs: tuple[CloudConfObject, ...]
    services: tuple[documents.ObjectFile, ...]
    clusters: tuple[documents.ObjectFile, ...]
    pod_owners: tuple[carriers.PodOwner, ...]
    facts: cluster_facts.ClusterFacts
    failures: tuple[lint_results.Failure, ...]
    objects: tuple[Document, ...] = ()
    live: Mapping[str, live_records.LiveService] = {}
    nodes: Mapping[str, live_records.LiveNode] = {}
    odd_nodes: tuple[documents.ObjectFile, ...] = ()
    unread: Mapping[str, str] = {}
    other_services: Mapping[str, str] = {}
    ccm_health: tuple[live_records.LiveCcm, ...] = ()
    beside: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    roles: tuple[documents.ObjectFile, ...] = ()

    @property
    def conf_texts(self) -> list[str]:
        """The cloud.confs that could be read, as the CCMs read them."""
        return [found for config in self.configs if (found := _text_of(config))]

    @property
    def judged(self) -> tuple[target_release.TargetRelease, ...]:
        """The releases of the CCMs, by their images' tags; where none names one, what else tells of them."""
        found: dict[catalog.Release, str] = {}
        for ccm in self.ccms:
            release = target_release.known_release(ccm.pod.release) if ccm.pod.release else None
            if release is not None:
                found.setdefault(release, f"from {ccm.file.subject}")
        if found or not self.ccms:
            return tuple(target_release.TargetRelease("ccm", release, source) for release, source in found.items())
        version = carriers.KubernetesVersion(self.facts.kubernetes_version, "the cluster", 0)
        target = target_release.FoundRelease(unnamed=tuple(ccm.pod for ccm in self.ccms), kubernetes=version).target
        return () if target.source.startswith(target_release.NEWEST) else (target,)

    def service(self, number: int) -> documents.ObjectFile:
        """A Service as a file, by its place."""
        return self.services[number] if self.services else service_file(self.objects[number])

    @property
    def files(self) -> list[documents.ObjectFile]:
        """Every object, each once."""
        confs = (config.file for config in self.configs)
        others = (*self.roles, *self.services, *self.clusters, *self.odd_nodes)
        return list({file.path: file for file in (*(ccm.file for ccm in self.ccms), *confs, *others)}.values())


class ClusterReader:
    """Reads one cluster.

    Args:
        transport: Asks its API server.
        context: The kubeconfig's context.
        namespaces: Where the CCM is looked for, one after another until it is found.
        keep: Whether the Services are kept as the API server sent them. Why they have no address is not asked then.

    Attributes:
        context: The kubeconfig's context; empty inside of the cluster.
        server: The API server's URL without userinfo.
    """

    def __init__(
        self,
        transport: Transport,
        context: str,
        namespaces: Sequence[str] = requests.CCM_NAMESPACES,
        *,
        keep: bool = False,
    ) -> None:
        self._transport = transport
        self.context = context
        self.server = transport.server
        self._namespaces = namespaces
        self._keep = keep
        self._other_services: dict[str, str] = {}
        self._failures: list[lint_results.Failure] = []
        self._unread: dict[str, str] = {}
        self._beside: dict[str, None] = {}

    def identity(self) -> ClusterIdentity:
        """Which cluster it is; the first request, so that wrong credentials end the run here.

        Raises:
            ApiError: The API server does not answer, or not with an API.
        """
        try:
            namespace = self._transport.get(requests.IDENTITY.path)
        except Refused as error:
            if error.status == UNAUTHORIZED or error.status not in (FORBIDDEN, NOT_FOUND):
                raise
            self._fail(requests.IDENTITY, error)
            namespace = {}
        uid = documents.text(documents.mapping(namespace.get("metadata")).get("uid"))
        is_one = len(uid) <= _LONGEST_UID and uid.replace("-", "").isascii() and uid.replace("-", "").isalnum()
        return ClusterIdentity(self.context, self.server, uid if is_one else "")

    def read(self, identity: ClusterIdentity, *, with_files: bool = True) -> Snapshot:
        """Read everything else.

        Args:
            identity: Which cluster it is.
            with_files: Whether to write the Services as files; `service_file` does that for single ones.
        """
        version = self._version()
        ccms = self._ccms(widely=not self._keep)
        configs = tuple(self._configs(ccms))
        roles = () if self._keep else tuple(self._roles(ccms))
        services = list(self._balanced())
        nodes, odd = self._nodes(region_in(configs))
        clusters = tuple(self._clusters())
        count = None if nodes is None else sum(not node.left_out for node in nodes.values())
        facts = cluster_facts.ClusterFacts(kubernetes_version=version, nodes=count)
        live = live_services(services)
        messages = Messages(filter(None, map(_text_of, configs)))
        health = self._health(ccms, messages)
        chains = Chains(self._transport, messages)
        slices = self._slices(services)
        owners = tuple(pod_owners(services, slices)) if slices is not None else ()
        if not self._keep:
            live = chains.explained(live, ccms)
            others = [service for service in services if not is_local(service)]
            live = with_endpoints(live, list(filter(is_local, services)), slices)
            live = with_endpoints(live, others, self._optional_slices(others))
        live = _with_families(live, services, nodes or {})
        files = tuple(map(service_file, services)) if with_files else ()
        kept = tuple(services) if self._keep else ()
        return Snapshot(
            identity,
            tuple(ccms),
            configs,
            files,
            clusters,
            owners,
            facts,
            (*self._failures, *chains.failures),
            kept,
            live,
            nodes or {},
            odd,
            {**self._unread, **chains.unread},
            self._other_services,
            health,
            tuple(self._beside),
            likenesses(
                services,
                owners,
                {ccm.pod.namespace for ccm in ccms},
                {title for title, service in live.items() if service.is_odd},
            ),
            roles,
        )

    def objects(self, request: RequestKind, query: Mapping[str, str] | None = None) -> Iterator[Document]:
        """The objects of a list as far as they can be read; what follows is a failure. Everything is read through this.

        Args:
            request: The list.
            query: Which of its objects.
        """
        try:
            yield from items(self._transport, request.path, query)
        except ApiError as error:
            self._fail(request, error)

    def _balanced(self) -> Iterator[Document]:
        """The Services of type LoadBalancer; of the others the type alone is kept."""
        for service in self.objects(requests.SERVICES):
            if documents.is_load_balancer(service):
                yield service
            elif self._keep:
                self._other_services[documents.title_of(service)] = documents.text(
                    documents.mapping(service.get("spec")).get("type")
                )

    def ccms(self) -> list[finding.Ccm]:
        """The workloads that run the CCM; what cannot be read is among the failures."""
        return self._ccms()

    @property
    def failures(self) -> tuple[lint_results.Failure, ...]:
        """What could not be read so far."""
        return tuple(self._failures)

    def read_ccm(self, identity: ClusterIdentity) -> Snapshot:
        """Read the CCM and its cloud.conf alone.

        Args:
            identity: Which cluster it is.
        """
        facts = cluster_facts.ClusterFacts(kubernetes_version=self._version())
        ccms = self._ccms()
        configs = tuple(self._configs(ccms))
        health = self._health(ccms, Messages(filter(None, map(_text_of, configs))))
        snapshot = Snapshot(identity, tuple(ccms), configs, (), (), (), facts, tuple(self._failures))
        return snapshot._replace(ccm_health=health, unread=self._unread)

    def _health(self, ccms: Sequence[finding.Ccm], messages: Messages) -> tuple[live_records.LiveCcm, ...]:
        looker = Looker(self._transport, messages)
        return tuple(looker.look(ccm, closely=not self._keep) for ccm in ccms)

    def _version(self) -> str:
        try:
            version = self._transport.get(requests.VERSION_PATH)
        except ApiError as error:
            self._failures.append(lint_results.Failure("Kubernetes version", error.message, error.hint))
            return ""
        tag = documents.text(version.get("gitVersion")).partition("+")[0].partition("-")[0]
        is_number = tag.isascii() and tag.removeprefix("v").replace(".", "").isdecimal()
        return tag if is_number and len(tag) <= _LONGEST_VERSION and behaviour.minor_of(tag) is not None else ""

    def _ccms(self, *, widely: bool = False) -> list[finding.Ccm]:
        failed = len(self._failures)
        ccms: list[finding.Ccm] = []
        for namespace in self._namespaces or requests.CCM_NAMESPACES:
            *controllers, pods = requests.workloads(namespace)
            workloads = [workload for request in controllers for workload in self.objects(request)]
            ccms += finding.find_ccms(workloads, list(self.objects(pods)))
            if ccms and not self._namespaces:
                break
        if not self._namespaces and (widely or not ccms):
            ccms += self._elsewhere({documents.namespace_of(ccm.object) for ccm in ccms})
        if not ccms and failed == len(self._failures):
            places = _either(self._namespaces or requests.CCM_NAMESPACES) or "any namespace"
            self._failures.append(lint_results.Failure("CCM", f"no CCM runs in {places}", WHERE_ELSE))
        return ccms

    def _elsewhere(self, searched: set[str]) -> list[finding.Ccm]:
        """The CCMs of other namespaces and kinds, where the lists of all namespaces may be read."""
        by_namespace: dict[str, list[Document]] = {}
        for request in requests.controllers():
            for workload in self._optional(request):
                namespace = documents.namespace_of(workload)
                name = finding.other_controller(workload)
                if name:
                    self._beside[f"{name} ({workload.get('kind')} {documents.title_of(workload)})"] = None
                if finding.may_run_ccm(workload) and not (namespace in searched and request.resource != "statefulsets"):
                    by_namespace.setdefault(namespace, []).append(workload)
        ccms: list[finding.Ccm] = []
        for namespace, workloads in by_namespace.items():
            ccms += finding.find_ccms(workloads, list(self._optional(requests.workloads(namespace)[-1])))
        return ccms

    def _optional(self, request: RequestKind, query: Mapping[str, str] | None = None) -> Iterator[Document]:
        """The objects of a list that a user may lack the right to; without it there is no failure."""
        try:
            yield from items(self._transport, request.path, query)
        except ApiError as error:
            self._unread[request.title] = error.message
            if not error.is_absence:
                self._fail(request, error)

    def _roles(self, ccms: Sequence[finding.Ccm]) -> Iterator[documents.ObjectFile]:
        """What the account of each CCM may do, where all of it may be read."""
        unread = len(self._unread)
        bindings = list(self._optional(requests.CLUSTER_ROLE_BINDINGS)) if ccms else []
        for ccm in ccms if unread == len(self._unread) else ():
            try:
                yield from together(ccm, [self._role(name) for name in bound(ccm, bindings)])
            except ApiError as error:
                self._unread[requests.TITLES["clusterroles"]] = error.message

    def _role(self, name: str) -> Document:
        """A ClusterRole; one that is not there allows nothing."""
        try:
            return self._transport.get(requests.CLUSTER_ROLES._replace(name=name).path)
        except Refused as error:
            if error.status != NOT_FOUND:
                raise
            return {"metadata": {"name": name}}

    def _configs(self, ccms: Sequence[finding.Ccm]) -> Iterator[CloudConfObject]:
        read: set[tuple[str, str, str]] = set()
        for ccm in map(self._with_path, ccms):
            *others, last = finding.config_places(ccm)
            for place in (*others, last):
                problem = _unreadable(place)
                if problem is not None:
                    self._failures.append(lint_results.Failure(ccm.file.subject, *problem))
                    break
                if (place.kind, ccm.pod.namespace, place.name) in read:
                    break
                config = self._config(ccm, place, may_lack=place is not last)
                if config is not None:
                    read.add((place.kind, ccm.pod.namespace, place.name))
                    yield config
                    break

    def _with_path(self, ccm: finding.Ccm) -> finding.Ccm:
        """A CCM whose ``--cloud-config`` is in a variable, with the path that the variable holds."""
        source = finding.variable_source(ccm)
        if source is None:
            return ccm
        kind, name, key, variable = source
        try:
            held = documents.mapping(
                self._transport.get(requests.config(kind, ccm.pod.namespace, name).path).get("data")
            )
        except ApiError as error:
            self._unread[f"{kind} {ccm.pod.namespace}/{name}, which holds --cloud-config"] = error.message
            return ccm
        value = documents.decoded(documents.text(held.get(key))) if kind == "Secret" else documents.text(held.get(key))
        path = ccm.pod.cloud_config.replace(variable, value.strip())
        # messages name the path: what else a Secret holds under that key, such as a password, is not shown
        return ccm._replace(pod=ccm.pod._replace(cloud_config=path)) if path.startswith("/") else ccm

    def _config(self, ccm: finding.Ccm, place: finding.ConfigPlace, *, may_lack: bool) -> CloudConfObject | None:
        """The object that holds a cloud.conf; None where it cannot be read, or may lack it and does."""
        request = requests.config(place.kind, ccm.pod.namespace, place.name)
        try:
            found = self._transport.get(request.path)
        except ApiError as error:
            if not may_lack:
                self._fail(request, error)
            return None
        held, binary = documents.mapping(found.get("data")), documents.mapping(found.get("binaryData"))
        if place.key in binary:  # of a ConfigMap: the same file in another notation
            held = {**held, place.key: documents.decoded(documents.text(binary[place.key]))}
            rest = {key: value for key, value in binary.items() if key != place.key}
            found = {**found, "data": held, "binaryData": rest}
        if place.key not in held:
            if may_lack:
                return None
            names = sorted(map(str, (*held, *binary)))
            more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
            keys = (", ".join(names[:_MOST_NAMED]) or "none") + more
            why = f"has no key {place.key}, which {ccm.file.subject} reads as {place.path}; its keys: {keys}"
            self._failures.append(lint_results.Failure(request.title, why, "The CCM does not start without its file."))
        elif not documents.text(held[place.key]).strip():
            why = f"has an empty key {place.key}, which {ccm.file.subject} reads as {place.path}"
            self._failures.append(lint_results.Failure(request.title, why, "The CCM knows neither cloud nor login."))
        return CloudConfObject(ccm, place, found, documents.object_file(found))

    def _slices(self, services: Sequence[Document]) -> list[Document] | None:
        """The endpoints of Local Services, whose traffic depends on them; None where not all could be read."""
        failed = len(self._failures)
        slices: list[Document] = []
        for selector in selectors(list(filter(is_local, services))):
            slices += self.objects(requests.ENDPOINT_SLICES, {"labelSelector": selector})
            if len(self._failures) > failed:
                return None  # a part of them would say that nodes have no pod that have one
        return slices

    def _optional_slices(self, services: Sequence[Document]) -> list[Document] | None:
        """The endpoints of other Services."""
        unread = len(self._unread)
        slices: list[Document] = []
        for selector in selectors(services):
            slices += self._optional(requests.ENDPOINT_SLICES, {"labelSelector": selector})
        return slices if unread == len(self._unread) else None

    def _nodes(self, region: str) -> tuple[dict[str, live_records.LiveNode] | None, tuple[documents.ObjectFile, ...]]:
        """The nodes; None where not all could be read. And those of which there is something to say."""
        failed = len(self._failures)
        nodes: dict[str, live_records.LiveNode] = {}
        kept: dict[str, Document] = {}
        for node in self.objects(requests.NODES):
            name = documents.text(documents.mapping(node.get("metadata")).get("name"))
            nodes[name] = live = live_node(node)
            if len(kept) < MOST_REPORTED or is_odd(live, common((live,)), region):
                kept[name] = node
        if failed < len(self._failures):
            return None, ()
        of_all = common(nodes.values())
        odd = [node for name, node in kept.items() if is_odd(nodes[name], of_all, region)]
        return nodes, tuple(map(documents.object_file, odd[:MOST_REPORTED]))

    def _clusters(self) -> Iterator[documents.ObjectFile]:
        try:
            group = self._transport.get(f"/apis/{requests.CAPI}")
        except ApiError as error:
            if not error.is_absence:
                self._failures.append(lint_results.Failure(f"API group {requests.CAPI}", error.message, error.hint))
            return
        version = documents.text(documents.mapping(group.get("preferredVersion")).get("version"))
        if version.isalnum():
            for cluster in self.objects(requests.openstack_clusters(version)):
                yield documents.object_file(cluster)

    def _fail(self, request: RequestKind, error: ApiError) -> None:
        self._failures.append(lint_results.Failure(request.title, error.message, error.hint))


def _with_families(
    live: dict[str, live_records.LiveService], services: Sequence[Document], nodes: Mapping[str, live_records.LiveNode]
) -> dict[str, live_records.LiveService]:
    """The Services with their IP families that no node has, where all nodes have addresses."""
    there = {f"IPv{family}" for node in nodes.values() for family in node.families}
    if not nodes or not all(node.families for node in nodes.values()):
        return live
    for service in services:
        families = documents.mapping(service.get("spec")).get("ipFamilies")
        lacking = tuple(one for one in families or () if isinstance(one, str) and one not in there)
        if lacking and isinstance(families, list):
            title = documents.title_of(service)
            live[title] = live[title]._replace(families=lacking)
    return live


def service_file(service: Document) -> documents.ObjectFile:
    """A Service as a file, without what the CCM wrote."""
    return documents.object_file(service, without_annotations=written_by_ccm(service))


def region_in(configs: Iterable[CloudConfObject]) -> str:
    """The region that the cloud.confs name; empty where none does, or several do."""
    found = set()
    for config in configs:
        view = CloudConf.read(carriers.lone_conf(_text_of(config), config.file.path), catalog.newest())
        item = view.last("Global", "region")
        found.add((item.entry.value or "") if item is not None else "")
    return found.pop() if len(found) == 1 else ""


def _text_of(config: CloudConfObject) -> str:
    """The text of a cloud.conf; empty where it is none."""
    value = documents.text(documents.mapping(config.object.get("data")).get(config.place.key))
    return documents.decoded(value) if config.place.kind == "Secret" else value


def _unreadable(place: finding.ConfigPlace) -> tuple[str, str] | None:
    """Why the cloud.conf of a CCM cannot be read through the API, and what to do; None where it can be."""
    if "$(" in place.path:
        return (
            f"reads {place.path}, whose variable is not known",
            "Its value comes from an object that could not be read, or from none.",
        )
    if not place.path:
        return "runs without --cloud-config, so there is no cloud.conf to judge", "Is it another program of that name?"
    if place.kind == "hostPath":
        return (
            f"reads {place.name}, a file of its node that the API server does not have",
            f"Copy it from the node, and lint it: ccmcheck lint {place.name.rpartition('/')[2]}",
        )
    if place.kind not in requests.CONFIG_RESOURCES or not place.name:
        source = f"a volume of type {place.kind}" if place.kind else "no volume"
        return f"reads {place.path}, which is in {source}", "Only Secrets and ConfigMaps can be read."
    if not place.key:
        return f"reads {place.path}, which its volume of {place.kind} {place.name} does not hold", ""
    return None


def _either(names: Sequence[str]) -> str:
    return " or ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)
