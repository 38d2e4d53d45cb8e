"""Which release a cloud.conf is judged by, and where that comes from."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.catalog.behaviour import kubernetes_has

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import CarriedConf, CcmPod
    from ccmcheck.catalog import Release

CCM = "ccm"
NEWEST = "assumed: the newest"


class TargetRelease(NamedTuple):
    """One release of one consumer to judge by, and why.

    Attributes:
        consumer: ``ccm``, or another reader of the same file.
        release: The release.
        source: ``--release``, ``assumed: the newest``, or ``from clusters/dev/ccm.yaml``.
    """

    consumer: str
    release: Release
    source: str

    @property
    def is_assumed(self) -> bool:
        """Whether nothing says the release, so that the newest stands in for it."""
        return self.source.startswith(NEWEST)


class FoundRelease(NamedTuple):
    """What the files around a cloud.conf say about the release that reads it.

    Attributes:
        release: The release; None where nothing says one, or where what says one contradicts.
        pod: The workload, chart or image tag that says it.
        rivals: The equally near ones that contradict each other.
    """

    release: Release | None = None
    pod: CcmPod | None = None
    rivals: tuple[CcmPod, ...] = ()

    @property
    def place(self) -> str:
        """The file and the line that say it; empty where nothing does."""
        return place_of(self.pod) if self.pod is not None else ""

    @property
    def target(self) -> TargetRelease:
        """What to judge by: the release that is said, else the newest."""
        if self.release is not None and self.pod is not None:
            return TargetRelease("ccm", self.release, f"from {self.pod.line_path or self.pod.path}")
        return TargetRelease("ccm", catalog.newest(), self.reason)

    @property
    def reason(self) -> str:
        """Why the newest release stands in."""
        return f"{NEWEST}, because {self.conflict}" if self.rivals else NEWEST

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


def place_of(pod: CcmPod) -> str:
    """``path:line`` of what says a release."""
    path = pod.line_path or pod.path
    return f"{path}:{pod.line}" if pod.line else path


def own_reader(carried: CarriedConf, judged: tuple[TargetRelease, ...]) -> tuple[TargetRelease, ...]:
    """What to judge a cloud.conf by, where it may be known that another program than the CCM alone reads it.

    Args:
        carried: The cloud.conf.
        judged: What files of the CCM are judged by there.

    Returns:
        The same, but for a file of the in-tree provider that, and nothing for one of a program that no release is
        known of.
    """
    readers = carried.consumers
    if not readers or any(one.consumer in readers or one.consumer != CCM for one in judged):
        return judged
    if readers[0] == IN_TREE:
        release = release_of_cluster(carried)
        if release is None or carried.kubernetes is None:
            return (TargetRelease(IN_TREE, catalog.newest(IN_TREE), NEWEST),)
        return (TargetRelease(IN_TREE, release, f"from {carried.kubernetes.path}"),)
    return judged if any(reader in catalog.CONSUMERS for reader in readers) else ()


def release_of_cluster(carried: CarriedConf) -> Release | None:
    """The release of the in-tree provider that a cluster's Kubernetes has; None where that is unknown, or has none.

    The oldest one whose facts are known stands in for those before it.
    """
    if carried.kubernetes is None:
        return None
    found = known_release(carried.kubernetes.name, IN_TREE)
    if found is None and not kubernetes_has("no-in-tree-openstack", carried.kubernetes.name):
        return catalog.oldest(IN_TREE)
    return found


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


def without_overridden_charts(pods: Sequence[CcmPod]) -> Sequence[CcmPod]:
    """The same without charts, where an image is named beside them: in one object or document it wins over theirs."""
    with_image = [pod for pod in pods if pod.image and known_release(pod.release) is not None]
    return with_image or pods
