"""Which release a cloud.conf is judged by, and where that comes from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.path_proximity import nearest
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import IN_TREE, CarriedConf, CcmPod, KubernetesVersion
from ccmcheck.carriers.mounted import mounting
from ccmcheck.catalog import Release
from ccmcheck.catalog.behaviour import kubernetes_has, minor_of
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.data.releases import LAST_PATCH

CCM = "ccm"
ASSUMED = "assumed: "
NEWEST = f"{ASSUMED}the newest"
_MOST_PODS = 64
"""Workloads of which the nearest is looked for; with more they are copies, and none tells which is meant."""


class TargetRelease(NamedTuple):
    """One release of one consumer to judge by, and why.

    Attributes:
        consumer: ``ccm``, or another reader of the same file.
        release: The release.
        source: ``--release``, ``assumed: the newest``, or ``from clusters/dev/ccm.yaml``.
        older: The older releases that may be meant as well, the newest first; none where it is known or assumed.
    """

    consumer: str
    release: Release
    source: str
    older: tuple[Release, ...] = ()

    @property
    def is_assumed(self) -> bool:
        """Whether nothing says the release, so that the newest stands in for it."""
        return self.source.startswith(ASSUMED)

    @property
    def each(self) -> tuple[TargetRelease, ...]:
        """It with each release that may be meant, the newest first."""
        return (self, *(self._replace(release=release) for release in self.older)) if self.older else (self,)


class FoundRelease(NamedTuple):
    """What the files around a cloud.conf say about the release that reads it.

    Attributes:
        release: The release; None where nothing says one, or where what says one contradicts.
        pod: The workload, chart or image tag that says it.
        rivals: The equally near ones that contradict each other.
        unnamed: The nearest ones, where none of them names a release: ``latest``, a digest, a variable.
        kubernetes: The version of the cluster's Kubernetes, as far as it is asked for such ones.
    """

    release: Release | None = None
    pod: CcmPod | None = None
    rivals: tuple[CcmPod, ...] = ()
    unnamed: tuple[CcmPod, ...] = ()
    kubernetes: KubernetesVersion | None = None

    def in_cluster(self, version: str) -> FoundRelease:
        """The same in a cluster whose version of Kubernetes an option, a configuration or a profile gives.

        Args:
            version: The version; empty for none.
        """
        if not version or self.release is not None or self.rivals:
            return self
        return self._replace(kubernetes=KubernetesVersion(version, "", 0))

    @property
    def place(self) -> str:
        """The file and the line that say it; empty where nothing does."""
        return place_of(self.pod) if self.pod is not None else ""

    @property
    def origin(self) -> str:
        """The same, or what stands in where it is not known."""
        target = self.target
        return self.place if self.place and not target.is_assumed else target.source

    @property
    def target(self) -> TargetRelease:
        """What to judge by: the release that is said, the newest of those that are left, else the newest of all."""
        if self.release is not None and self.pod is not None:
            path = self.pod.line_path or self.pod.path
            source = f"{ASSUMED}the default of {self.pod.subject} in {path}" if self.pod.is_default else f"from {path}"
            return TargetRelease(CCM, self.release, source)
        if not any(self):
            return _assumed_newest()
        left = self.left
        if left:
            why = f"by the image in {place_of(self.unnamed[0])}"
            if self.kubernetes is not None and self._is_moving:
                why += f" and Kubernetes {self.kubernetes.name.lstrip('v')}"
            return TargetRelease(CCM, left[0], one_of(left, why), left[1:])
        return TargetRelease(CCM, self._of_kubernetes or catalog.newest(), self.reason)

    @property
    def left(self) -> tuple[Release, ...]:
        """The releases that images without a tag of one may be, the newest first; none where any may be.

        A tag that moves is pulled when a cluster starts its CCM, so that it is none older than the Kubernetes before.
        """
        from ccmcheck.catalog.signs.releases import last_release_of
        from ccmcheck.catalog.upgrade_path import tags

        bounds = [last_release_of(pod.image) for pod in self.unnamed]
        if not bounds or not all(bounds):
            return ()
        last = max(map(catalog.release, bounds))
        left = [tag for tag in reversed(tags()) if tag <= last]
        minor = minor_of(self.kubernetes.name) if self.kubernetes is not None else None
        if minor is None or not self._is_moving:
            return tuple(left)
        first = known_release(f"v1.{minor - 1}.0")
        return tuple([tag for tag in left if first is not None and tag >= first] or left)

    @property
    def _is_moving(self) -> bool:
        from ccmcheck.catalog.signs.releases import is_moving_tag

        return all(is_moving_tag(pod.image) for pod in self.unnamed)

    @property
    def _of_kubernetes(self) -> Release | None:
        """The CCM's release for the version of Kubernetes: a recommendation, so that it is assumed."""
        if self.kubernetes is None or any(pod.release for pod in self.unnamed):  # one that the catalogue does not know
            return None
        minor = minor_of(self.kubernetes.name)
        return known_release(f"1.{minor}") if f"1.{minor}" in LAST_PATCH else None

    @property
    def reason(self) -> str:
        """Why the release that stands in does."""
        if self.kubernetes is not None and self._of_kubernetes is not None:
            version = self.kubernetes
            where = f"{version.path}:{version.line}" if version.line else version.path
            return f"{ASSUMED}that of Kubernetes {version.name.lstrip('v')}{' in ' if where else ''}{where}"
        return f"{NEWEST}, because {self.unknown}" if self.unknown else NEWEST

    @property
    def unknown(self) -> str:
        """Why no release is known although something speaks of one; empty where nothing does."""
        return f"{place_of(self.unnamed[0])} names no known release" if self.unnamed else self.conflict

    @property
    def conflict(self) -> str:
        """The ones that contradict each other; empty where none do."""
        if not self.rivals:
            return ""
        first, second = (f"{place_of(pod)} ({pod.release or f'${pod.variable}'})" for pod in self.rivals[:2])
        others = len(self.rivals) - 2
        both = f"{first}, {second}" if others else f"{first} and {second}"
        more = f" and {others} more" if others else ""
        return f"{both}{more} are equally near"


NOTHING_FOUND = FoundRelease()


@cache
def _assumed_newest() -> TargetRelease:
    """What most files are judged by."""
    return TargetRelease(CCM, catalog.newest(), NEWEST)


def place_of(pod: CcmPod) -> str:
    """``path:line`` of what says a release."""
    path = pod.line_path or pod.path
    return f"{path}:{pod.line}" if pod.line else path


def one_of(left: Sequence[Release], why: str) -> str:
    """Which releases are left, given the newest first, and why."""
    return f"one of {left[-1].name} to {left[0].name}, {why}"


def nearest_mounting(carried: CarriedConf, pods: Sequence[CcmPod]) -> list[CcmPod]:
    """The workloads nearest to a cloud.conf of those that mount its object; none of too many."""
    mounters = [pod for pod in pods if mounting(carried, (pod,)) is not None] if len(pods) <= _MOST_PODS else []
    return nearest(carried.path, mounters)


def own_reader(
    carried: CarriedConf, judged: tuple[TargetRelease, ...], drivers: Sequence[CcmPod] = ()
) -> tuple[TargetRelease, ...]:
    """What to judge a cloud.conf by, where it may be known that another program than the CCM alone reads it.

    Args:
        carried: The cloud.conf.
        judged: What files of the CCM are judged by there.
        drivers: The workloads of the Cinder CSI driver; the nearest that mount it say the release.

    Returns:
        The same, but for a file of the in-tree provider that, and nothing for one of a program that no release is
        known of.
    """
    readers = carried.consumers
    if not readers or any(release.consumer in readers or release.consumer != CCM for release in judged):
        return judged
    if readers[0] == IN_TREE:
        return (_of_in_tree(carried),)
    if CCM in readers:
        return judged
    reader = next((reader for reader in readers if reader in catalog.CONSUMERS), None)
    if reader is None:
        return ()
    near = drivers if reader == CINDER_CSI else ()
    own = [pod for pod in near if (pod.path, pod.made_by) == (carried.path, carried.subject)]
    own = own or nearest_mounting(carried, near)
    told = {release: pod for pod in own if (release := known_release(pod.release, reader)) is not None}
    if len(told) == 1:
        return tuple(TargetRelease(reader, release, f"from {pod.path}") for release, pod in told.items())
    return tuple(_of_driver(one, reader) for one in judged)


def _of_driver(judged: TargetRelease, reader: str) -> TargetRelease:
    """What to judge a CSI driver's file by: its release of the CCM's name, as both are released together."""
    release = known_release(judged.release.name, reader) or catalog.newest(reader)
    older = tuple(one for one in (known_release(old.name, reader) for old in judged.older) if one is not None)
    return judged._replace(consumer=reader, release=release, older=older)


def _of_in_tree(carried: CarriedConf) -> TargetRelease:
    """What to judge a cloud.conf of the in-tree provider by: any release of it, where Kubernetes' is not known."""
    release, version = release_of_cluster(carried), carried.kubernetes
    if version is None:
        newest, *older = [one for one in catalog.minors(IN_TREE) if one.at_least("1.16")]
        why = one_of((newest, *older), "because no single version of Kubernetes is found")
        return TargetRelease(IN_TREE, newest, why, tuple(older))
    if release is None:
        why = f"{NEWEST} with this provider, which Kubernetes {version.name.lstrip('v')} does not have"
        return TargetRelease(IN_TREE, catalog.newest(IN_TREE), why)
    return TargetRelease(IN_TREE, release, f"from {version.path}")


def release_of_cluster(carried: CarriedConf) -> Release | None:
    """The release of the in-tree provider that a cluster's Kubernetes has; None where that is unknown, or has none.

    The oldest one whose facts are known stands in for those before it.
    """
    if carried.kubernetes is None:
        return None
    release = known_release(carried.kubernetes.name, IN_TREE)
    if release is None and not kubernetes_has("no-in-tree-openstack", carried.kubernetes.name):
        return catalog.oldest(IN_TREE)
    return release


@cache
def known_release(tag: str, consumer: str = CCM) -> Release | None:
    """The release of an image's tag or a chart's version; None where it is none, or not one of the consumer's."""
    try:
        return catalog.release(tag, consumer)
    except WrongUse:
        return None


def agreed(pods: Sequence[CcmPod]) -> FoundRelease | None:
    """What equally near workloads, charts and tags say together.

    Args:
        pods: They.

    Returns:
        Their release, or that they contradict each other; None where none of them says a release. A tag does not
        contradict its own minor release, and is the more exact.
    """
    by_release: dict[Release, CcmPod] = {}
    pods = without_overridden(pods)
    if any(pod.is_default for pod in pods) and any(pod.release and not pod.is_default for pod in pods):
        pods = [pod for pod in pods if not pod.is_default]
    for pod in pods:
        release = known_release(pod.release)
        if release is not None:
            by_release.setdefault(release, pod)
    if not by_release:
        return None
    tagged = {release.branch for release in by_release if not release.is_minor}
    by_release = {one: pod for one, pod in by_release.items() if not one.is_minor or one.branch not in tagged}
    told = {pod.subject.lower() for pod in pods}
    untold = {pod.variable: pod for pod in pods if pod.variable and pod.variable.lower() not in told}
    if len(by_release) + len(untold) > 1:
        return FoundRelease(rivals=(*by_release.values(), *untold.values()))
    ((release, pod),) = by_release.items()
    return FoundRelease(release, pod)


def without_overridden(pods: Sequence[CcmPod]) -> Sequence[CcmPod]:
    """The same without charts and manifests, where an image is named in the same file: it goes before theirs."""
    with_image = {pod.path for pod in pods if pod.image and known_release(pod.release) is not None}
    return [pod for pod in pods if pod.image or pod.path not in with_image] if with_image else pods
