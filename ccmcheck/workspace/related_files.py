"""What the rules about Services need of other files: the nearest cloud.conf, other Services, Nodes, pod owners.

Only files that can matter are parsed for it, and only where there are Services: in a folder of a thousand Secrets with
one Service beside them that is a handful.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress

from ccmcheck import carriers
from ccmcheck.base import text
from ccmcheck.base.budget import refuse_to_go_on
from ccmcheck.base.path_proximity import folder_of
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import has_one
from ccmcheck.carriers import FileContents, FindOptions, RunContext
from ccmcheck.carriers.base import IN_TREE, CarriedConf, CcmPod, NearbyConf, PodOwner, SharingService
from ccmcheck.carriers.prefilter import (
    has_notation,
    may_hold_nodes,
    may_hold_services,
    may_hold_sharing_services,
    may_hold_workloads,
    may_need_workloads,
    mentions_cloud_conf,
)
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.catalog.signs.paths import YAML_NAMES, is_document
from ccmcheck.workspace.left_empty import filled, may_be_left_empty, names_of_empty

MOST_CLUSTERS = 64
"""Workloads with one cluster name; with more they are copies of one file, not clusters."""
MOST_OWNERS = 64
"""Files of one folder that are searched for pod owners; with more the number of pods stays unknown."""


class Hints(NamedTuple):
    """What a file may hold that the rules about Services need, by words in it.

    Attributes:
        services: Services.
        is_local: Services for which it matters what is behind them: of the policy Local, or of an ingress controller.
        sharing: Services that share a load balancer or an address with others.
        nodes: Nodes, or what else is judged by the nearest cloud.conf.
        is_empty: A Secret whose cloud.conf is left empty.
        storage: A StorageClass or volume of the Cinder CSI driver, which reads a cloud.conf, too.
        answers: What OpenStack answered.
        log: A log or events.
        control_plane: What makes the nodes of a control plane, which matters to a CCM of the run.
    """

    services: bool = False
    is_local: bool = False
    sharing: bool = False
    nodes: bool = False
    is_empty: bool = False
    storage: bool = False
    answers: bool = False
    log: bool = False
    control_plane: bool = False


def hints_of(data: bytes) -> Hints:
    """What a file may hold.

    Args:
        data: Its bytes.
    """
    nodes, is_empty = (
        may_hold_nodes(data) or has_one(data, _BESIDE_CONFS) or _has_machine(data),
        may_be_left_empty(data),
    )
    storage = b"cinder.csi.openstack.org" in data
    if may_hold_services(data):
        return Hints(True, may_need_workloads(data), may_hold_sharing_services(data), nodes, is_empty, storage)
    return Hints(nodes=nodes, is_empty=is_empty, storage=storage) if nodes or is_empty or storage else _NOTHING


_NOTHING = Hints()
_BESIDE_CONFS = (
    *(b"clouds:", b"cacert", b"apiServerLoadBalancer", b"managedLoadBalancer"),
    *(b"kubeadm.k8s.io/", b"ClusterFirstWithHostNet", b"openstack_networking_secgroup_rule"),
)


def _has_machine(data: bytes) -> bool:
    """Whether rules may tell of a machine of Cluster API: its networks, of which a cloud.conf chooses, or its ID."""
    return b"kind: OpenStackMachine" in data and has_one(data, (b"ports:", b"networks:", b"providerID"))


class RelatedFiles:
    """Notes, during the survey, which files to parse for the rules about Services, and parses those.

    Args:
        find_options: How a file is searched.

    Attributes:
        not_linted: The files that are not worth linting, which may still define a pod owner.
    """

    def __init__(self, find_options: Callable[[str], FindOptions]) -> None:
        self._find_options = find_options
        self._settle: Callable[[str, FileContents], None] | None = None
        self._hinted: dict[str, list[str]] = {hint: [] for hint in Hints._fields}
        self._linted: list[str] = []
        self.not_linted: list[str] = []

    def add(self, path: str, hints: Hints) -> None:
        """Note a file that is worth linting.

        Args:
            path: The file.
            hints: What it may hold.
        """
        self._linted.append(path)
        for hint in compress(Hints._fields, hints):
            self._hinted[hint].append(path)

    def resolve(
        self,
        run_context: RunContext,
        read: Callable[[str], bytes | None],
        settle: Callable[[str, FileContents], None] | None = None,
    ) -> RunContext:
        """Parse the related files and add what they say to the run context.

        Args:
            run_context: What is known of the run so far.
            read: Gives a file's bytes; None where it cannot be read.
            settle: Adds the readers of a file's cloud.confs that only the files around it tell of.
        """
        self._settle = settle
        run_context = run_context._replace(filled=self._filled(read))
        shared = _of_one_name(run_context.pods)
        if not (self._hinted["services"] or self._hinted["nodes"] or shared or self._hinted["storage"]):
            return run_context
        from ccmcheck.conf.nearby_conf import installed, is_for_ccm, may_be_driver_conf

        pods = installed(run_context.pods, run_context.image_tags)
        search = _ConfsOfFiles(read, self._find, self._linted, pods, is_for_ccm)
        linted = self._linted if self._hinted["storage"] else ()  # else nothing asks
        of_driver = _ConfsOfFiles(read, self._find, linted, (), may_be_driver_conf)
        confs = {path: of_driver.near(path) for path in self._hinted["storage"]}
        confs |= {path: search.near(path) for path in (*self._hinted["services"], *self._hinted["nodes"], *shared)}
        alone_or_in_tree = [path for path in self._hinted["services"] if not confs[path]]
        return run_context._replace(
            confs={path: near for path, near in confs.items() if near},
            in_tree=frozenset(path for path in alone_or_in_tree if folder_of(path) in search.in_tree),
            nodes=self._counted(search, read) if self._hinted["services"] else {},
            sharing_services=self._bound(read),
            services=len(self._hinted["services"]),
            unconfigured=len(alone_or_in_tree),
            owners=self._owners(read),
        )

    def _counted(self, search: _ConfsOfFiles, read: Callable[[str], bytes | None]) -> dict[str, int]:
        """How many Nodes the files define in the cluster of each file with Services, and with a cloud.conf."""
        counts: dict[str, int] = {}
        for path in self._hinted["nodes"]:
            count = self._count(path, read)
            for name in search.names(path):
                counts[name] = counts.get(name, 0) + count
        each = {
            path: {counts.get(name, 0) for name in search.names(path)}
            for path in (*self._hinted["services"], *search.paths)
        }
        return {path: number for path, numbers in each.items() if len(numbers) == 1 for number in numbers if number}

    def _filled(self, read: Callable[[str], bytes | None]) -> frozenset[str]:
        holding = [(path, data) for path in self._hinted["is_empty"] if (data := read(path)) is not None]
        found = [self._find(path, data) for path, data in holding]
        names = names_of_empty(conf for file in found if file is not None for conf in file.carried)
        texts = (data for path in (*self._linted, *self.not_linted) if (data := read(path)) is not None)
        return filled(names, texts)

    def _find(self, path: str, data: bytes) -> FileContents | None:
        """The contents of a file; None where it cannot be parsed: its own lint reports that."""
        try:
            found = carriers.find(path, text.decode(data).text, self._find_options(path))
        except Exception as error:  # noqa: BLE001 - the same happens when the file is linted, and is reported then
            refuse_to_go_on(error)
            return None
        if self._settle is not None:
            self._settle(path, found)
        return found

    def _bound(self, read: Callable[[str], bytes | None]) -> dict[str, tuple[SharingService, ...]]:
        bound: dict[str, list[SharingService]] = {}
        for path in self._hinted["sharing"]:
            data = read(path)
            contents = self._find(path, data) if data is not None else None
            for service in contents.sharing_services if contents is not None else ():
                names = (service.balancer, service.address, service.subject if service.patches else "")
                for name in filter(None, names):
                    bound.setdefault(name, []).append(service)
        return {name: tuple(services) for name, services in bound.items()}

    def _count(self, path: str, read: Callable[[str], bytes | None]) -> int:
        from ccmcheck.predict.inputs.manifests import read_manifests

        data = read(path)
        contents = self._find(path, data) if data is not None else None
        return (
            len(read_manifests(one for one in contents.objects if one.kind == "Node").nodes)
            if contents is not None
            else 0
        )

    def _owners(self, read: Callable[[str], bytes | None]) -> dict[str, tuple[PodOwner, ...]]:
        if not self._hinted["is_local"]:
            return {}
        from ccmcheck.predict.inputs.manifests import owners

        folders: dict[str, list[str]] = {folder_of(path): [] for path in self._hinted["is_local"]}
        for path in (*self._linted, *self.not_linted):
            files = folders.get(folder_of(path)) if path.endswith(YAML_NAMES) else None
            if files is not None:
                files.append(path)
        found: dict[str, tuple[PodOwner, ...]] = {}
        for folder, files in folders.items():
            holding = [(path, data) for path in files if (data := read(path)) is not None and may_hold_workloads(data)]
            if len(holding) <= MOST_OWNERS:
                contents = [self._find(path, data) for path, data in holding]
                found[folder] = tuple(owners(one for file in contents if file is not None for one in file.objects))
        return found


def _of_one_name(pods: Sequence[CcmPod]) -> list[str]:
    """The files with workloads that have one cluster name with those of other files, or make routes as they do."""
    paths: dict[str, set[str]] = {}
    for pod in pods:
        for group in (pod.cluster_name or DEFAULT_CLUSTER_NAME, *(("",) if pod.makes_routes else ())):
            paths.setdefault(group, set()).add(pod.path)
    return sorted(path for of_name in paths.values() if 1 < len(of_name) <= MOST_CLUSTERS for path in of_name)


class _ConfsOfFiles:
    """The cloud.confs that are nearest to files, each file read once.

    Args:
        read: Gives a file's bytes.
        find: Gives what a file holds.
        linted: The files that may hold one.
        pods: What runs or installs a CCM.
        counts: Whether a cloud.conf is one of those that are meant.

    Attributes:
        in_tree: The folders with a cloud.conf that only the in-tree provider reads.
    """

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        find: Callable[[str, bytes], FileContents | None],
        linted: Sequence[str],
        pods: Sequence[CcmPod],
        counts: Callable[[CarriedConf], bool],
    ) -> None:
        from ccmcheck.conf.nearby_conf import alone
        from ccmcheck.workspace.nearest_confs import NearestConfs

        self._read = read
        self._find = find
        self._counts = counts
        self._known: dict[str, tuple[NearbyConf, ...]] = {}
        self._pods: dict[str, CcmPod] = {}
        self.in_tree: set[str] = set()
        self._index = NearestConfs(linted, self, _rank)
        self._pods = {pod.path: pod for pod in alone(pods, self._index.of)} if pods else {}
        if self._pods:
            self._index = NearestConfs((*linted, *self._pods), self, _rank)

    @property
    def paths(self) -> list[str]:
        """The files that were found to hold some."""
        return [path for path, known in self._known.items() if known]

    def near(self, path: str) -> tuple[NearbyConf, ...]:
        """The nearest ones of a file; none where the nearest CCM's own is not among the files."""
        return tuple(one for one in self._index.of(path) if isinstance(one, NearbyConf))

    def names(self, path: str) -> list[str]:
        """The clusters that a file belongs to, by their cloud.confs or what installs their CCMs."""
        near = self._index.of(path)
        return [one.title if isinstance(one, NearbyConf) else one.path for one in near] or [""]

    def __call__(self, path: str) -> Sequence[NearbyConf | CcmPod]:
        """Those of a file, and what stands for those that are not among the files."""
        known = self._known.get(path)
        if known is None:
            data = self._read(path)
            is_read = data is not None and (mentions_cloud_conf(data, path) or has_notation(data))
            contents = self._find(path, data) if data is not None and is_read else None
            carried = contents.carried if contents is not None else []
            if any(one.consumers == (IN_TREE,) and not is_document(path) for one in carried):
                self.in_tree.add(folder_of(path))
            from ccmcheck.conf.nearby_conf import nearby_conf

            known = self._known[path] = tuple(nearby_conf(one) for one in carried if self._counts(one))
        return (*known, self._pods[path]) if path in self._pods else known


def _rank(one: NearbyConf | CcmPod) -> int:
    from ccmcheck.workspace.nearest_confs import ELSEWHERE, POSSIBLE, READ

    return ELSEWHERE if isinstance(one, CcmPod) else READ if one.is_read else POSSIBLE
