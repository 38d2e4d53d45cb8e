"""What applying a checkout changes at Octavia: the review of the live state and of the state afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.cluster.access.documents import ObjectFile, object_file
from ccmcheck.cluster.drift.settings import rendered
from ccmcheck.cluster.live.ccm import LIVE
from ccmcheck.conf.target_release import TargetRelease, known_release
from ccmcheck.conf.view import CloudConf
from ccmcheck.predict.inputs.cluster import read_cluster
from ccmcheck.predict.inputs.manifests import at as field_at
from ccmcheck.predict.inputs.manifests import plain, with_pods
from ccmcheck.review.change.compare import review
from ccmcheck.review.change.inputs import side_of
from ccmcheck.workspace.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.carriers.base import CarriedConf, CcmPod, PodOwner
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.cluster.live.snapshot import Snapshot
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.review.change.records import Review

BEFORE, AFTER = "what runs", "after a sync"


class Changes(NamedTuple):
    """What a sync changes.

    Attributes:
        confs: The checkout's cloud.confs, by the live object's path.
        pods: The checkout's workloads of the CCM, by the live object's path.
        services: The Services afterwards, by the live object's path; None where nothing changes.
        new: The objects that the checkout alone has, with their files.
    """

    confs: Mapping[str, CarriedConf]
    pods: Mapping[str, CcmPod]
    services: Mapping[str, ObjectFile]
    new: Sequence[tuple[str, KubernetesObject]]


def other_files(snapshot: Snapshot) -> list[ObjectFile]:
    """The objects of a snapshot that are no Services."""
    services = {file.path for file in snapshot.services}
    return [file for file in snapshot.files if file.path not in services]


def survey_of(files: Iterable[ObjectFile]) -> Survey:
    """What live objects hold, read like files."""
    survey = Survey()
    for file in files:
        survey.add(file.path, file.text.encode("utf-8", "surrogateescape"), LIVE._replace(explicit=True))
    return survey


def predict_sync(snapshot: Snapshot, changes: Changes, release: TargetRelease, facts: ClusterFacts) -> Review:
    """Predict what a sync changes.

    Args:
        snapshot: What runs.
        changes: What a sync changes of it.
        release: The release that runs.
        facts: What is known of the cluster.
    """
    concerned = snapshot.services
    if not (changes.confs or changes.pods):  # else every Service may change
        concerned = tuple(file for file in snapshot.services if file.path in changes.services)
    others = other_files(snapshot)
    before, after = survey_of([*others, *concerned]), survey_of(others)
    after.confs = [(path, _conf(changes.confs.get(path), conf, release)) for path, conf in after.confs]
    after.workloads = [_pod(changes.pods.get(pod.path), pod) for pod in after.workloads]
    changed = survey_of(changes.services.get(file.path, file) for file in concerned)
    after.objects += [*changed.objects, *changes.new]
    around = _around(facts, snapshot.pod_owners)
    new_release = next(filter(None, (known_release(pod.release) for pod in changes.pods.values())), None)
    target = TargetRelease("ccm", new_release, "from git") if new_release is not None else release
    found = review(side_of(BEFORE, before, (release,), around), side_of(AFTER, after, (target,), around))
    return _named(found, {file.path: file.subject for file in snapshot.files})


def _conf(git: CarriedConf | None, live: CarriedConf, release: TargetRelease) -> CarriedConf:
    """The cloud.conf after a sync, in the place of the live one."""
    if git is None:
        return live
    text = rendered(git, live, release.release)
    if git.marks and CloudConf.read(text, release.release).reading.stops:
        return live  # the template has more than values, so that this is not its text
    return text._replace(
        carrier=live.carrier,
        subject=live.subject,
        route=live.route,
        key=live.key,
        path=live.path,
        consumers=live.consumers,
    )


def _pod(git: CcmPod | None, live: CcmPod) -> CcmPod:
    if git is None:
        return live
    name = git.cluster_name if git.image else git.cluster_name or live.cluster_name
    return live._replace(release=git.release or live.release, image=git.image or live.image, cluster_name=name)


def _around(
    facts: ClusterFacts, owners: Sequence[PodOwner]
) -> Callable[[Sequence[KubernetesObject], Sequence[CcmPod]], tuple[Manifests, CloudState]]:
    """Gives the Services and the cloud around a cloud.conf, with the live pods of each Service."""

    def around(objects: Sequence[KubernetesObject], pods: Sequence[CcmPod]) -> tuple[Manifests, CloudState]:
        manifests, cloud = read_cluster(objects, pods, facts)
        services = tuple(
            item._replace(
                service=with_pods(
                    item.service,
                    field_at(plain(item.object.node, item.object.source), "spec", "selector"),
                    owners,
                    cloud.node_count,
                )
            )
            if owners
            else item
            for item in manifests.services
        )
        return manifests._replace(services=services), cloud

    return around


def _named(found: Review, subjects: Mapping[str, str]) -> Review:
    """A review that names live objects as people do."""

    def named(title: str) -> str:
        path, _, route = title.partition(" › ")
        return (route or subjects[path]) if path in subjects else title

    return found._replace(
        points=tuple(point._replace(subjects=tuple(map(named, point.subjects))) for point in found.points),
        configs=tuple(one._replace(title=named(one.title), old_title=named(one.old_title)) for one in found.configs),
        services=tuple(
            one._replace(
                path="" if one.path in subjects else one.path,
                line=0 if one.path in subjects else one.line,
                old_path="",
                config=named(one.config),
            )
            for one in found.services
        ),
    )


def service_file(obj: object) -> ObjectFile:
    """A Service after a sync as a file.

    Args:
        obj: The object.
    """
    return object_file(obj if isinstance(obj, dict) else {})
