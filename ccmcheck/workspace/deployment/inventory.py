"""What a run found: each cloud.conf with its place, release, reader and Services, and what only looks like one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ccmcheck import gcfg
from ccmcheck.base.facts import Fact, FactPlace
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers.base import IN_TREE, SERVICE_ANNOTATIONS, CarriedConf, CcmPod
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.mounted import mounting
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.conf.item import are_of_others
from ccmcheck.conf.target_release import own_reader, release_of_cluster
from ccmcheck.kustomize.bundle import Bundle, is_bundle
from ccmcheck.workspace.deployment.build import Governing, for_ccm, no_deployment, with_installed
from ccmcheck.workspace.deployment.record import is_named
from ccmcheck.workspace.reader_evidence import reader_evidence
from ccmcheck.workspace.release_evidence import Evidence, Rejected, sign_of
from ccmcheck.workspace.survey import Survey, SurveyedConf

CCM = "ccm"
_OTHERS = "not the CCM"
"""The reader of a file whose sections are all of other programs."""

_MOST_SIGNS = 20
"""Signs of a text that are listed: the rest would change nothing."""


class FoundService(NamedTuple):
    """A Service of type LoadBalancer.

    Attributes:
        path: Its file.
        line: Its line, from 1.
        name: ``shop/web``.
        whole: Whether it is the Service itself, not only annotations of one that stands elsewhere.
    """

    path: str
    line: int
    name: str
    whole: bool


class FoundConf(NamedTuple):
    """A cloud.conf.

    Attributes:
        deployment: The name of its deployment, as ``--deployment`` takes it.
        path: Its file; of a kustomization's, the one that sets it.
        line: Where it begins, from 1.
        carrier: What holds it: ``file``, ``Secret``, ``Helm values`` …
        object: The object with its name; empty for a file.
        route: The object and the path inside it; empty for a file.
        reader: Who reads it: ``ccm``, ``cinder-csi-plugin`` …
        read_by: The same, by what says so.
        workload: The workload that mounts it; empty where none is known.
        release: The release that it is judged by; unknown where another program than the CCM reads it.
        rejected: What speaks of another release and does not decide.
        cluster_name: The name of the cluster in the names of its load balancers; None for another program than the CCM.
        services: The Services that it governs.
        reason: Why it is taken for a cloud.conf; empty where nothing had to be decided.
        signs: What in it shows that, and what speaks against it, the heaviest first.
    """

    deployment: str
    path: str
    line: int
    carrier: str
    object: str
    route: str
    reader: str
    read_by: Evidence
    workload: str
    release: Fact[str]
    rejected: tuple[Rejected, ...]
    cluster_name: Fact[str] | None
    services: tuple[FoundService, ...]
    reason: str
    signs: tuple[FactPlace, ...]


class FoundInstall(NamedTuple):
    """What installs a CCM whose cloud.conf is not among the files: an object, a chart, a command.

    Attributes:
        deployment: See `FoundConf`.
        path: Its file.
        line: The line of its release, from 1; 0 where it names none.
        object: The object with its name; empty for a command.
        cloud_conf: Which cloud.conf it reads; unknown, with what would tell.
        release: See `FoundConf`.
        rejected: Likewise.
        cluster_name: Likewise.
        services: Likewise.
    """

    deployment: str
    path: str
    line: int
    object: str
    cloud_conf: Fact[str]
    release: Fact[str]
    rejected: tuple[Rejected, ...]
    cluster_name: Fact[str]
    services: tuple[FoundService, ...]


class LookAlike(NamedTuple):
    """A text that looks like a cloud.conf by its name or its sections, and is none.

    Attributes:
        path: Its file.
        line: Where it begins, from 1.
        object: The object with its name; empty for a file.
        reason: Why it is none.
        program: Who reads it instead; empty where that is unknown.
        signs: See `FoundConf`.
    """

    path: str
    line: int
    object: str
    reason: str
    program: str
    signs: tuple[FactPlace, ...]


class Inventory(NamedTuple):
    """All that a run found.

    Attributes:
        confs: The cloud.confs.
        installs: What installs a CCM that reads none of them.
        services: The Services of type LoadBalancer that no cloud.conf governs, as far as the files tell.
        look_alikes: What only looks like a cloud.conf.
        files: How many files were looked at.
    """

    confs: tuple[FoundConf, ...]
    installs: tuple[FoundInstall, ...]
    services: tuple[FoundService, ...]
    look_alikes: tuple[LookAlike, ...]
    files: int

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that any rule is about."""
        return not (self.confs or self.installs or self.services)


def inventory(survey: Survey, release_of: Callable[[SurveyedConf], Evidence]) -> Inventory:
    """List what a survey found.

    Args:
        survey: The survey.
        release_of: Gives the releases that a file's cloud.conf is judged by.
    """
    lines = _Lines()
    every = with_installed(survey, for_ccm(survey))
    configs = {id(config.carried): config for config in every if config.carried is not None}
    governing = Governing(every)
    governed: dict[str, list[FoundService]] = {}
    alone = []
    for path, item in survey.objects:
        if not _has_balancer(item):
            continue
        service = _service(path, item, lines)
        confs = governing.of(path)
        for conf in confs:
            governed.setdefault(conf.title, []).append(service)
        if not confs:
            alone.append(service)
    found = []
    for path, carried in survey.confs:
        reader = _reader(carried)
        config = configs.get(id(carried))
        known = config or SurveyedConf(path, "", carried)
        pods = governing.workloads_of(config, survey.workloads) if config is not None else ()
        found.append(
            FoundConf(
                known.name,
                *lines.of(path, carried),
                carried.carrier,
                carried.subject,
                carried.route,
                reader,
                reader_evidence(survey, path, carried),
                pod.subject if (pod := mounting(carried, survey.workloads)) is not None and reader == CCM else "",
                *(release_of(known) if reader == CCM else Evidence(_own_release(carried))),
                cluster_name_of(pods) if reader == CCM else None,
                tuple(governed.get(known.title, ())),
                carried.recognition.reason if carried.recognition is not None else "",
                _signs(path, carried, lines),
            )
        )
    encrypted = {one.subject.rpartition("/")[2]: one.path for one in survey.not_taken if _is_encrypted(one)}
    installs = tuple(
        FoundInstall(
            config.name,
            pod.line_path or pod.path,
            pod.line,
            pod.object,
            _unknown_conf(pod, encrypted),
            *release_of(config),
            cluster_name_of((pod,)),
            tuple(governed.get(config.title, ())),
        )
        for config in every
        if (pod := config.installed) is not None
    )
    return Inventory(tuple(found), installs, tuple(alone), tuple(_look_alikes(survey.not_taken, lines)), survey.files)


def _is_encrypted(text: CarriedConf) -> bool:
    return text.recognition is not None and text.recognition.is_encrypted


def _unknown_conf(pod: CcmPod, encrypted: Mapping[str, str]) -> Fact[str]:
    """What would tell which cloud.conf a workload reads; by names, the files of those that are encrypted."""
    mounted = next((mount for mount in pod.mounts if mount.name and mount.source != "hostPath"), None)
    what = f"{mounted.source} {pod.namespace}/{mounted.name}".replace(" /", " ") if mounted is not None else "it"
    file = encrypted.get(mounted.name) if mounted is not None else None
    why = f"{what} is encrypted in {file}" if file else f"{what} is not among the files"
    return Fact.unknown(why, FactPlace(pod.line_path or pod.path, pod.line, sign_of(pod)))


def selected(found: Inventory, names: Sequence[str]) -> Inventory:
    """The deployments that ``--deployment`` names, without look-alikes.

    Raises:
        WrongUse: A name means none of them.
    """
    every: tuple[FoundConf | FoundInstall, ...] = (*found.confs, *found.installs)
    for name in names:
        if not any(_is_one(one, name) for one in every):
            raise no_deployment(name, [one.deployment for one in every])
    confs = tuple(one for one in found.confs if any(_is_one(one, name) for name in names))
    installs = tuple(one for one in found.installs if any(_is_one(one, name) for name in names))
    return Inventory(confs, installs, (), (), found.files)


def _is_one(one: FoundConf | FoundInstall, name: str) -> bool:
    root, _, subject = one.deployment.partition(" › ")
    return is_named(root, subject, name) or is_named(one.path, subject, name)


_CLUSTER_NAME = "cluster-name"
_MOST_LOOKED = 10
"""Workloads that are named as those that say nothing; each of many deployments would name all."""


def cluster_name_of(pods: Sequence[CcmPod]) -> Fact[str]:
    """The CCM's ``--cluster-name``, by its workloads.

    Args:
        pods: The workloads that may read the cloud.conf.
    """
    named = {pod.cluster_name: FactPlace(pod.path, sign="--cluster-name") for pod in reversed(pods) if pod.cluster_name}
    if named:
        why = "workloads that are equally near differ"
        return Fact.one_of(tuple(named), *named.values(), why=why if len(named) > 1 else "")
    decided = [pod for pod in pods if _CLUSTER_NAME in pod.flags]
    if decided:
        return Fact.unknown("a template decides it", FactPlace(decided[0].path, sign=f"--{_CLUSTER_NAME}"))
    looked = tuple(dict.fromkeys(FactPlace(pod.path, sign=f"{pod.subject} without --cluster-name") for pod in pods))
    why = "the CCM's default"
    if len(looked) > _MOST_LOOKED:
        why += f", as none of {len(looked)} workloads sets it"
    return Fact.assumed(DEFAULT_CLUSTER_NAME, why, *looked[:_MOST_LOOKED])


def _own_release(carried: CarriedConf) -> Fact[str]:
    """The release of another reader than the CCM: the in-tree provider's is that of its cluster's Kubernetes."""
    version = carried.kubernetes
    if _reader(carried) != IN_TREE:
        return Fact.unknown("")
    if version is None:
        target = own_reader(carried, ())[0]
        return Fact.one_of([one.release.name for one in target.each], why=target.source)
    if release_of_cluster(carried) is None:
        return Fact.unknown(own_reader(carried, ())[0].source, FactPlace(version.path, version.line))
    return Fact.known(version.name, FactPlace(version.path, version.line, "version of Kubernetes"))


class _Lines:
    """Lines of places in files; the lines of a file are counted once."""

    def __init__(self) -> None:
        self._text = ""
        self._index = LineIndex("")
        self._bundle: Bundle | None = None

    def of(self, path: str, carried: CarriedConf, offset: int = 0) -> tuple[str, int]:
        """The file and the line of a place in a cloud.conf."""
        stack = carried.stack
        return self.at(path, stack.text, stack.outward(Span(offset, offset)).start)

    def at(self, path: str, text: str, offset: int) -> tuple[str, int]:
        """The file and the line of a place in a file's text, or in that of a build."""
        if text is not self._text:
            self._text, self._index = text, LineIndex(text)
            self._bundle = Bundle(text) if is_bundle(text) else None
        line = self._index.position(offset)[0]
        return self._bundle.in_file(line) if self._bundle is not None else (path, line)


def _look_alikes(found: Sequence[CarriedConf], lines: _Lines) -> Iterator[LookAlike]:
    for text in found:
        recognition = text.recognition
        if recognition is not None:
            yield LookAlike(
                *lines.of(text.path, text, recognition.span.start),
                text.subject,
                recognition.reason,
                recognition.program,
                _signs(text.path, text, lines),
            )


def _signs(path: str, carried: CarriedConf, lines: _Lines) -> tuple[FactPlace, ...]:
    """What was weighed to say whether a text is a cloud.conf, the heaviest signs first."""
    signs = carried.recognition.signs if carried.recognition is not None else ()
    heaviest = sorted(signs, key=lambda sign: -abs(sign[1]))[:_MOST_SIGNS]
    return tuple(
        FactPlace(
            *lines.of(path, carried, start), f"{says or 'its form'} {weight:+}" + (f", {program}" if program else "")
        )
        for says, weight, program, start, _ in heaviest
    )


def _has_balancer(found: KubernetesObject) -> bool:
    return found.kind in ("Service", SERVICE_ANNOTATIONS) and found.text_at("spec", "type") == "LoadBalancer"


def _service(path: str, found: KubernetesObject, lines: _Lines) -> FoundService:
    start = found.node.span.start
    stack = found.source.stack
    is_whole = found.kind != SERVICE_ANNOTATIONS
    return FoundService(
        *lines.at(path, stack.text, stack.outward(Span(start, start)).start),
        found.subject.removeprefix("Service").lstrip() if is_whole else found.name,
        is_whole,
    )


def _reader(carried: CarriedConf) -> str:
    """Who reads a cloud.conf, by the object's name or by its sections."""
    if carried.consumers:
        return CCM if CCM in carried.consumers else carried.consumers[0]
    return _OTHERS if are_of_others(section.name for section in gcfg.parse(carried.stack.inner).sections) else CCM
