"""The results of a search: each cloud.conf with its route, and the objects that other files' rules need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts
from ccmcheck.base.model import HiddenWords, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.kustomize.builds import NO_BUILDS, Builds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ccmcheck.base.profile import Requirement
    from ccmcheck.carriers.live import LiveCluster
    from ccmcheck.catalog.signs.scorer import Recognition
    from ccmcheck.layers.stack import Stack


FILE = "file"
"""The kind of a cloud.conf that is a file of its own: no object is around it."""

IN_TREE = "legacy-in-tree"
"""The provider that was a part of Kubernetes up to 1.25, as a consumer of a cloud.conf."""

OWN_ACCOUNTS = "use-service-account-credentials"
"""The flag with which each of the CCM's controllers has an account of its own."""
ACCOUNT, ROLE = "serviceAccountName", "Role/"
"""Under which a pod's account is kept, and what the name of a role begins with that holds in one namespace."""

CLUSTER_CIDR = "cluster-cidr"
NODE_CIDRS, ROUTES = "allocate-node-cidrs", "configure-cloud-routes"
REGIONAL = "OS_CCM_REGIONAL"
"""The flag for the pods' addresses, one CIDR or one of each family."""

SERVICE_ANNOTATIONS = "Service annotations"
"""The kind of annotations without their Service, as objects are collected."""


class KubernetesVersion(NamedTuple):
    """A version of Kubernetes and the place that says it.

    Attributes:
        name: As written, ``v1.24.3``.
        path: The file.
        line: From 1.
    """

    name: str
    path: str
    line: int


class CarriedConf(NamedTuple):
    """One cloud.conf and how it was reached.

    Attributes:
        carrier: What holds it: ``file``, ``Secret``, ``ConfigMap``, ``KubeadmControlPlane``, ``Helm values`` …
        subject: The object with its name, ``Secret kube-system/cloud-config``; empty for a plain file.
        route: ``subject`` and the path inside, ``Secret kube-system/cloud-config › data["cloud.conf"] (base64)``; empty
            for a plain file.
        stack: The file's text and the layers that were entered; ``stack.inner`` is the text the reader gets, template
            marks masked by letters of the same length.
        text: The same text with its marks as written; offsets are the same.
        marks: The masked places in ``text``: their values are unknown (contract 7 of the design).
        final: True where nothing renders the text any further, so that a remaining mark is a literal value.
        siblings: The other keys of the same Secret or ConfigMap, or the paths of the other files of the same object;
            ``clouds.yaml#NAME`` for each cloud of a clouds.yaml among them, as far as they are known.
        consumers: The programs known to read it: ``ccm``, ``cinder-csi-plugin`` …; empty where that is unknown.
        ignores: Rules that the object's ``ccmcheck.dev/ignore`` annotation suppresses, with the reason.
        dialect: ``openshift`` where an operator rewrites the text before the CCM sees it; else empty.
        key: The name under which the object holds it: a key of a Secret or ConfigMap, a file's path.
        path: The file that it is in.
        recognition: Why it is taken for a cloud.conf, or is not; None where nothing had to be decided.
        document: Which YAML document of the file it is in, from 0.
        named: Whether the user named the file; False for one that was found in a folder.
        kubernetes: The version of the cluster, where the object that holds it says one.
        is_elsewhere: Whether it is rendered into other clusters than those of the files around it.
        has_all_values: For the values of a chart, whether no other values are laid over them.
        folders: The folders of the files that set its lines, where several files do.
    """

    carrier: str
    subject: str
    route: str
    stack: Stack
    text: str
    marks: tuple[Span, ...] = ()
    final: bool = True
    siblings: tuple[str, ...] = ()
    consumers: tuple[str, ...] = ()
    ignores: tuple[tuple[str, str], ...] = ()
    dialect: str = ""
    key: str = ""
    path: str = ""
    recognition: Recognition | None = None
    document: int = 0
    named: bool = True
    kubernetes: KubernetesVersion | None = None
    is_elsewhere: bool = False
    has_all_values: bool = False
    folders: tuple[str, ...] = ()

    @property
    def is_object(self) -> bool:
        """Whether it stands for a Kubernetes object itself, not for a cloud.conf."""
        return bool(self.subject) and self.route.endswith(self.subject)

    @property
    def place(self) -> ConfPlace:
        """What says its release."""
        return ConfPlace(
            self.path, self.document, self.subject, self.carrier, self.kubernetes, is_elsewhere=self.is_elsewhere
        )


def lone_conf(text: str, path: str = "") -> CarriedConf:
    """A cloud.conf that is a file of its own.

    Args:
        text: It.
        path: Its file; empty where it is none.
    """
    from ccmcheck.layers.stack import Stack

    return CarriedConf("file", "", "", Stack(text), text, path=path)


class Mount(NamedTuple):
    """One volume mount of the CCM's container, with what the volume holds.

    Attributes:
        path: Where it is mounted; empty where that is not known, which may be anywhere.
        source: ``Secret``, ``ConfigMap``, ``hostPath`` or another volume kind as Kubernetes names it.
        name: The Secret's or ConfigMap's name, or the path on the host.
        sub_path: The one file that is mounted; empty for the whole volume.
        items: The keys that the volume projects, each with its path; empty for all keys, by their names.
    """

    path: str
    source: str
    name: str
    sub_path: str = ""
    items: tuple[tuple[str, str], ...] = ()

    def key_at(self, path: str) -> str:
        """The key of the Secret or ConfigMap that the volume has at a path; empty where it has none."""
        inside = self.sub_path or path[len(self.path.rstrip("/")) + 1 :]
        if self.items:
            return next((key for key, shown in self.items if shown == inside), "")
        return "" if "/" in inside else inside


class Toleration(NamedTuple):
    """A taint that a pod tolerates, as far as it is written."""

    key: str
    operator: str
    value: str
    effect: str


class Placement(NamedTuple):
    """Which nodes a workload may run on, where no line of a template can change that.

    Attributes:
        selector: Its node selector; None where a template decides it.
        roles: The labels that the selector and the required affinity name.
        tolerations: They; None where a template decides them.
        kubeconfig: The value of ``--kubeconfig``; empty without it.
        gets_volumes: Whether an admission webhook, or a template, may add volumes.
        is_scheduled: Whether Kubernetes chooses its node; a Pod is mostly a static one.
        names_tolerations: Whether it has a list of tolerations; a part of a manifest has none.
    """

    selector: tuple[tuple[str, str], ...] | None = ()
    roles: frozenset[str] = frozenset()
    tolerations: tuple[Toleration, ...] | None = ()
    kubeconfig: str = ""
    gets_volumes: bool = False
    is_scheduled: bool = True
    names_tolerations: bool = False


class CcmPod(NamedTuple):
    """A workload that runs the CCM, or the Cinder CSI driver, as far as cloud.conf rules need it.

    Attributes:
        path: The file that it is in.
        subject: ``DaemonSet kube-system/openstack-cloud-controller-manager``.
        namespace: Its namespace; empty where the manifest names none.
        image: The CCM's image as written; empty for a chart.
        release: The release of the image's tag or the chart's appVersion, ``v1.31.2``; empty where they give none.
        cloud_config: The value of ``--cloud-config``; empty without it.
        mounts: The container's mounts.
        cluster_name: The value of ``--cluster-name``; empty without it.
        flags: The names of all its flags, without the leading hyphens, words separated by hyphens.
        document: Which YAML document of the file it is in, from 0.
        line: The line of the image or the chart's version, from 1; 0 where that is unknown.
        choices: Its feature gates, each as ``feature-gates`` and ``NAME=true``, its ``leader-elect-resource-lock``, its
            `CLUSTER_CIDR`, its `ACCOUNT`, whether it has `OWN_ACCOUNTS`, `NODE_CIDRS` and `ROUTES`, each ``true``,
            ``false`` or empty if unknown, its ``dnsPolicy`` in the node's network, and its variable `REGIONAL`.
        is_example: Whether a document shows it, so that it says nothing about other files.
        variable: The shell variable that says which release of the CCM's own manifests a script applies, where the
            script itself does not tell its value.
        line_path: The file that ``line`` is in, where that is one of those that a kustomization is built from.
        is_default: Whether it is the default of a parameter that whoever uses the file may set.
        made_by: What installs the chart that makes it, as its values' cloud.conf names it; empty for a manifest.
        is_script: Whether a command, or Terraform, installs it.
        placement: Where it may run; None where that is not known.
        destination: The cluster that Argo CD installs it in; empty where nothing names it.
        started: When its container was started, as the status of a Pod says; empty for what is no running Pod.
    """

    path: str
    subject: str
    namespace: str = ""
    image: str = ""
    release: str = ""
    cloud_config: str = ""
    mounts: tuple[Mount, ...] = ()
    cluster_name: str = ""
    flags: tuple[str, ...] = ()
    document: int = 0
    line: int = 0
    choices: tuple[tuple[str, str], ...] = ()
    is_example: bool = False
    variable: str = ""
    line_path: str = ""
    is_default: bool = False
    made_by: str = ""
    is_script: bool = False
    placement: Placement | None = None
    destination: str = ""
    started: str = ""

    def mount_at(self, path: str) -> Mount | None:
        """The mount that covers a path in the container; the innermost of several."""
        best: Mount | None = None
        for mount in self.mounts:
            root = mount.path.rstrip("/")
            covers = path == root if mount.sub_path else path == root or path.startswith(root + "/")
            if covers and (best is None or len(root) > len(best.path.rstrip("/"))):
                best = mount
        return best

    def starts_routes(self, *needed: str) -> bool:
        """Whether its flags start the route controller, as far as they are known.

        Args:
            needed: The switches that must be on; --configure-cloud-routes must be on, too.
        """
        switches = {**dict.fromkeys((ROUTES, *self.flags), "true"), **dict(self.choices)}
        return CLUSTER_CIDR in self.flags and all(switches.get(name) == "true" for name in (ROUTES, *needed))

    @property
    def makes_routes(self) -> bool:
        """Whether its flags make routes in every release, as far as they are known."""
        return self.starts_routes(NODE_CIDRS)

    @property
    def object(self) -> str:
        """The object that runs it, or installs its chart; empty for what is no object."""
        found = self.made_by or self.subject.partition(" (chart ")[0]
        return found if found[:1].isupper() else ""


class CapiCluster(NamedTuple):
    """An OpenStackCluster of Cluster API, as far as other files' rules need it.

    Attributes:
        path: The file that it is in.
        subject: ``OpenStackCluster clusters/prod``.
        name: Its name; empty for a template, and where it has a template mark.
        node_ports: Whether its managed security groups open the NodePorts to everybody; None where that is unknown, or
            it manages no groups.
    """

    path: str
    subject: str
    name: str = ""
    node_ports: bool | None = None


class ResourceSet(NamedTuple):
    """A ClusterResourceSet of Cluster API.

    Attributes:
        path: The file that it is in.
        subject: ``ClusterResourceSet clusters/ccm``.
        namespace: Its namespace; empty where it names none.
        secrets: The Secrets that it applies to clusters, which are in its own namespace.
    """

    path: str
    subject: str
    namespace: str
    secrets: tuple[str, ...] = ()


class ScsSwitches(NamedTuple):
    """The load balancer settings in a ``clusterctl.yaml`` of the Sovereign Cloud Stack's k8s-cluster-api-provider.

    Attributes:
        path: The file.
        ovn: ``USE_OVN_LB_PROVIDER``, ``true``, ``false`` or ``auto``; empty where it has a template mark.
        proxy: ``NGINX_INGRESS_PROXY``, likewise.
    """

    path: str
    ovn: str = ""
    proxy: str = ""


class ConfPlace(NamedTuple):
    """What of a `CarriedConf` says which release reads it; the fields are as there."""

    path: str
    document: int
    subject: str
    carrier: str
    kubernetes: KubernetesVersion | None
    is_elsewhere: bool


class NearbyConf(NamedTuple):
    """A cloud.conf of the run for the rules about Services; its secrets are masked by letters of the same length.

    Attributes:
        path: The file that it is in.
        title: The file and the path inside, for people.
        text: The text that the reader gets, template marks masked as well.
        marks: The places of the template marks.
        broken: Whether masking the secrets changed how the reader parses it, so that it is not used.
        project: What tells its project from others; empty where it does not name one.
        credential: Its application credential, which belongs to one project, with the cloud; empty without one. Two
            of them may be of one project.
        secrets: Its secrets, which the file with the Services may have copies of: what they are masked by.
        is_read: Whether the CCM is known to read it.
        router: Its router-id, where that is an ID.
        folders: See `CarriedConf`.
        place: What says its release; None where it is no file's.
        has_gaps: Whether a value in its file is still to be filled in, so that the others may be a sample's, too.
    """

    path: str
    title: str
    text: str
    marks: tuple[Span, ...] = ()
    broken: bool = False
    project: tuple[str, ...] = ()
    secrets: HiddenWords = HiddenWords()
    credential: tuple[str, ...] = ()
    is_read: bool = False
    router: str = ""
    folders: tuple[str, ...] = ()
    place: ConfPlace | None = None
    has_gaps: bool = False


class SharingService(NamedTuple):
    """A Service of type LoadBalancer that names what other Services may name too, or a patch of one.

    Attributes:
        path: The file that it is in.
        subject: ``Service shop/web``.
        balancer: Its annotation load-balancer-id; empty without one.
        address: Its spec.loadBalancerIP; empty without one.
        ports: Its ports, each with its protocol.
        patches: For a patch, which has no ports of its own, the annotations that it sets.
    """

    path: str
    subject: str
    balancer: str = ""
    address: str = ""
    ports: tuple[tuple[str, str], ...] = ()
    patches: tuple[str, ...] = ()


class Listening(NamedTuple):
    """What lets a program behind a Service expect a PROXY header: its own settings, or those in a ConfigMap.

    Attributes:
        program: Its name in `ccmcheck.catalog.data.proxy_listeners`; empty for a ConfigMap.
        on: The programs that expect a header by these settings.
        off: Those that expect none, as far as these settings tell, which is all or nothing.
        reads: The ConfigMaps of its namespace that the program reads, too.
        is_open: Whether what is not known may let it expect one.
    """

    program: str
    on: tuple[str, ...]
    off: tuple[str, ...]
    reads: tuple[str, ...] = ()
    is_open: bool = False


class PodOwner(NamedTuple):
    """A workload that creates pods, or a ConfigMap for one, whose only label is its name under an empty key.

    Attributes:
        path: The file that it is in.
        namespace: Its namespace.
        labels: Its pods' labels.
        replicas: How many pods; None where that depends on the nodes.
        everywhere: Whether every node runs one, as with a DaemonSet without a node selector.
        ready_nodes: On how many nodes one is ready, as a running cluster says; None for files.
        node_selector: Its pods' ``nodeSelector``, as far as it is known.
        listening: What lets the program in its pods expect a PROXY header; None where that is not known.
    """

    path: str
    namespace: str
    labels: Mapping[str, str]
    replicas: int | None
    everywhere: bool = False
    ready_nodes: int | None = None
    node_selector: Mapping[str, str] = {}
    listening: Listening | None = None


class OtherController(NamedTuple):
    """A controller of load balancers beside the CCM, or a part of its configuration.

    Attributes:
        path: The file that it is in.
        row: Its row in `ccmcheck.catalog.data.load_balancer_controllers.CONTROLLERS`.
        subject: ``Deployment metallb-system/controller``.
        is_workload: False for a part of its configuration.
        is_open: Whether it handles, or lets the controller handle, Services without a class.
        is_template: Whether a template makes it, so that nothing here says that it runs.
    """

    path: str
    row: int
    subject: str
    is_workload: bool = True
    is_open: bool = True
    is_template: bool = False


class NodeLabels(NamedTuple):
    """What decides whether pods run on a Node.

    Attributes:
        path: The file that it is in.
        labels: Its labels.
        taints: Its taints, each with key, value and effect.
        provider_id: Its ``spec.providerID``.
        made_by: What makes such nodes, where the file has its configuration and no Node; empty for a Node.
        kubelet: The version that its kubelet tells; empty where it tells none.
        system: Its operating system; empty where it tells none.
    """

    path: str
    labels: tuple[tuple[str, str], ...]
    taints: tuple[tuple[str, ...], ...] = ()
    provider_id: str = ""
    made_by: str = ""
    kubelet: str = ""
    system: str = ""


class RunContext(NamedTuple):
    """What the other files of a run, its options and its profiles tell the rules of one file.

    Attributes:
        pods: The CCM's workloads.
        image_tags: The tags that kustomizations set for the CCM's image.
        clusters: Cluster API's OpenStackClusters.
        resource_sets: Cluster API's ClusterResourceSets.
        switches: Settings of the Sovereign Cloud Stack's scripts.
        confs: By the path of a file with Services, or with a CCM whose cluster name others have, the cloud.confs
            nearest to it, equally near; none where there are too many to tell which is meant. Those under the empty
            path are for every file that is not named.
        in_tree: The files with Services whose own or whose folder's cloud.confs only the in-tree provider reads, and
            that have none in ``confs``; the empty path is for every file.
        nodes: How many Nodes files define in the cluster of a file, by its path.
        sharing_services: The Services that share a load balancer or an address, by name; patches by ``Service NAME``.
        owners: The workloads of each folder.
        services: How many files may hold Services of type LoadBalancer.
        unconfigured: How many of them have no usable cloud.conf near them.
        requirements: The requirements of the profiles of the run.
        facts: What is known of the cluster and the cloud.
        builds: What kustomizations build.
        live: What a running cluster says; None for files.
        controllers: Other controllers of load balancers, and their configuration.
        drivers: The Cinder CSI driver's workloads.
        node_labels: The labels of Nodes.
        storage_classes: The names of StorageClasses with their provisioners.
        namespaces: The names of Namespaces with the Pod Security Standard that they enforce.
        bindings: The names of roles, those of one namespace after `ROLE`, each with an account that has it,
            ``NAMESPACE/NAME``; ``/NAME`` where kustomize may set the namespace, empty for other subjects.
        filled: The names of Secrets whose cloud.conf is left empty, and which something fills.
    """

    pods: tuple[CcmPod, ...] = ()
    clusters: tuple[CapiCluster, ...] = ()
    resource_sets: tuple[ResourceSet, ...] = ()
    switches: tuple[ScsSwitches, ...] = ()
    confs: Mapping[str, tuple[NearbyConf, ...]] = {}
    nodes: Mapping[str, int] = {}
    sharing_services: Mapping[str, tuple[SharingService, ...]] = {}
    owners: Mapping[str, tuple[PodOwner, ...]] = {}
    services: int = 0
    unconfigured: int = 0
    requirements: tuple[Requirement, ...] = ()
    facts: ClusterFacts = NO_FACTS
    image_tags: tuple[CcmPod, ...] = ()
    builds: Builds = NO_BUILDS
    live: LiveCluster | None = None
    controllers: tuple[OtherController, ...] = ()
    drivers: tuple[CcmPod, ...] = ()
    in_tree: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset()
    node_labels: tuple[NodeLabels, ...] = ()
    storage_classes: tuple[NodeLabels, ...] = ()
    namespaces: tuple[NodeLabels, ...] = ()
    bindings: tuple[NodeLabels, ...] = ()

    def joined(self, files: Sequence[RunContext]) -> RunContext:
        """The same with the contributions of some files."""
        runs = (self, *files)
        return self.with_records({name: [one for run in runs for one in getattr(run, name)] for name in BY_FILE})

    def by_file(self) -> dict[str, RunContext]:
        """What each file contributed, by its path."""
        found: dict[str, dict[str, Any]] = {}
        for name in BY_FILE:
            for one in getattr(self, name):
                found.setdefault(one.path, {}).setdefault(name, []).append(one)
        return {path: EMPTY_RUN.with_records(fields) for path, fields in found.items()}

    def with_records(self, records: Mapping[str, Sequence[Any]]) -> RunContext:
        """The same with other records of files, by their fields in `BY_FILE`."""
        fields: dict[str, Any] = {name: tuple(records[name]) for name in records}
        return self._replace(**fields)

    def with_file(self, path: str, own: RunContext) -> RunContext:
        """The same with what one file contributes now; itself where that is what it contributed before."""
        before = {name: tuple(one for one in getattr(self, name) if one.path == path) for name in BY_FILE}
        if all(before[name] == getattr(own, name) for name in BY_FILE):
            return self
        return self.without(path).joined((own,))

    def without(self, path: str) -> RunContext:
        """The same without the contribution of one file."""
        return self.with_records({name: [one for one in getattr(self, name) if one.path != path] for name in BY_FILE})


BY_FILE = (
    "pods", "clusters", "resource_sets", "switches", "image_tags", "controllers", "drivers", "node_labels",
    "storage_classes", "namespaces", "bindings",
)  # fmt: skip
"""The fields with records of files, which are joined, and replaced where a file changes."""

EMPTY_RUN = RunContext()
"""The contribution of a file that no other file's rules need."""
