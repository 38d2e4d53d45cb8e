"""Which Service of a checkout is which live one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ccmcheck.cluster import core
from ccmcheck.cluster.access.documents import title_of
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.live.ccm import Ccm
from ccmcheck.cluster.live.snapshot import CloudConfObject


class GitService(core.NamedTuple):
    """A Service of a checkout.

    Attributes:
        manifest: The object.
        path: Its file.
        line: Its line.
        data: It as plain data.
        service: It as the CCM reads it.
    """

    manifest: core.carriers.KubernetesObject
    path: str
    line: int
    data: object
    service: core.service_input.Service

    @property
    def place(self) -> str:
        """Its file and line."""
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def is_derived(self) -> bool:
        """Whether it is made of a chart's values."""
        return self.manifest.is_derived


class Pairs(core.NamedTuple):
    """The Services of both sides.

    Attributes:
        both: Those that both sides have.
        only_git: Those of the checkout alone.
        only_live: The live ones alone.
        unnamed: How many of the checkout have a name that is known only after rendering.
        several: Names that the checkout has several different manifests for.
    """

    both: tuple[tuple[GitService, Document], ...]
    only_git: tuple[GitService, ...]
    only_live: tuple[Document, ...]
    unnamed: int
    several: tuple[str, ...]


def git_service(found: core.carriers.KubernetesObject, path: str, line: int) -> GitService:
    """A Service of a checkout.

    Args:
        found: The object.
        path: Its file.
        line: Its line.
    """
    data = core.manifest_data.plain(found.node, found.source)
    return GitService(found, path, line, data, core.service_input.read_service(data))


def pair_up(git: Iterable[GitService], live: Sequence[Document]) -> Pairs:
    """Pair up by namespace and name; by the name alone where a manifest leaves the namespace to what applies it.

    Args:
        git: The checkout's, patches left out.
        live: The cluster's.
    """
    by_title = {title_of(obj): obj for obj in live}
    by_name: dict[str, list[str]] = {}
    for title in by_title:
        by_name.setdefault(title.partition("/")[2], []).append(title)
    meant: dict[str, list[GitService]] = {}
    unnamed = 0
    for service in git:
        if isinstance(service.service.name, core.Opaque) or service.service.name.endswith("…"):
            unnamed += 1
            continue
        title = service.service.title
        alone = by_name.get(service.service.name, [])
        if not service.manifest.namespace or isinstance(service.service.namespace, core.Opaque):
            title = alone[0] if title not in by_title and len(alone) == 1 else title
        meant.setdefault(title, []).append(service)
    several = tuple(title for title, found in meant.items() if any(one.service != found[0].service for one in found))
    only_git = tuple(services[0] for title, services in meant.items() if title not in by_title and title not in several)
    return Pairs(
        tuple((meant[title][0], obj) for title, obj in by_title.items() if title in meant and title not in several),
        only_git,
        tuple(obj for title, obj in by_title.items() if title not in meant),
        unnamed,
        several,
    )


_HASH = core.lazy_regex(r"-[2456789bcdfghkmt]{10}\Z")
"""The hash that kustomize appends to the names of generated objects (sigs.k8s.io/kustomize api/hasher)."""
_MOST_NAMED = 4


def config_of(survey: core.surveys.Survey, live: CloudConfObject) -> core.surveys.SurveyedConf | None:
    """The cloud.conf of a checkout that is meant to be a live one.

    Args:
        survey: What the checkout holds.
        live: The live one.

    Returns:
        It; None where the checkout has none.

    Raises:
        WrongUse: Several may be meant.
    """
    confs = [
        conf for conf in survey.ccm_confs if conf.carried is not None and core.nearby_conf.is_for_ccm(conf.carried)
    ]
    kind, namespace, name = live.place.kind, live.ccm.pod.namespace, live.place.name
    stages: tuple[Callable[[core.carriers.CarriedConf], bool], ...] = (
        lambda one: (*_parts(one.subject), one.key) == (kind, namespace, name, live.place.key),
        lambda one: _parts(one.subject) == (kind, namespace, _HASH.sub("", name)),
        lambda one: _parts(one.subject) in ((kind, "", name), (kind, "", _HASH.sub("", name))),
        lambda one: one.carrier not in ("Secret", "ConfigMap"),
        lambda _: len(confs) == 1,
    )
    for is_meant in stages:
        found_confs = [one for one in confs if one.carried is not None and is_meant(one.carried)]
        if found_confs:
            return _only(_of_cluster(found_confs, survey.workloads, live.ccm.pod), live.file.subject)
    return None


def workload_of(
    workloads: Sequence[core.carriers.CcmPod], live: Ccm, config: core.surveys.SurveyedConf | None
) -> core.carriers.CcmPod | None:
    """The workload or chart of a checkout that is meant to be a live CCM; None where there is none, or several.

    Args:
        workloads: The checkout's.
        live: The live one.
        config: The cloud.conf of the checkout that it reads.
    """
    around = core.nearest(config.path, workloads) if config is not None else list(workloads)
    name = live.pod.subject
    for candidates in (around, list(workloads)):
        for stage in (
            [candidate for candidate in candidates if candidate.subject == name],
            [pod for pod in candidates if _parts(pod.subject)[::2] == _parts(name)[::2] and not pod.namespace],
            candidates,
        ):
            pods = _of_name(stage, live.pod) if len(stage) > 1 else stage
            if len(pods) == 1:
                return pods[0]
    return None


def _parts(subject: str) -> tuple[str, str, str]:
    """Kind, namespace and name of an object."""
    kind, _, title = subject.partition(" ")
    namespace, slash, name = title.partition("/")
    return (kind, namespace, name) if slash else (kind, "", namespace)


def _of_cluster(
    found: Sequence[core.surveys.SurveyedConf], workloads: Sequence[core.carriers.CcmPod], live: core.carriers.CcmPod
) -> Sequence[core.surveys.SurveyedConf]:
    """Those of some cloud.confs beside which a CCM has the cluster's name; all of them where none has."""
    own = [one for one in found if _of_name(core.nearest(one.path, workloads), live)]
    return own or found


def _of_name(workloads: Sequence[core.carriers.CcmPod], live: core.carriers.CcmPod) -> list[core.carriers.CcmPod]:
    wanted = live.cluster_name or core.cluster_names.DEFAULT_CLUSTER_NAME
    return [
        workload
        for workload in workloads
        if (workload.cluster_name or core.cluster_names.DEFAULT_CLUSTER_NAME) == wanted
    ]


def _only(found: Sequence[core.surveys.SurveyedConf], subject: str) -> core.surveys.SurveyedConf:
    texts = {one.carried.text for one in found if one.carried is not None}
    if len(texts) > 1:
        titles = [one.title for one in found]
        more = f" and {len(titles) - _MOST_NAMED} more" if len(titles) > _MOST_NAMED else ""
        raise core.errors.WrongUse(
            f"{subject} may be any of {', '.join(titles[:_MOST_NAMED])}{more}", "Name the folder of this cluster alone."
        )
    return found[0]
