"""What applying a checkout changes at Octavia: the review of the live state and of the state afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ccmcheck.cluster.access.documents import ObjectFile
from ccmcheck.cluster.core import (
    CloudConf,
    NamedTuple,
    carriers,
    cloud_state,
    cluster_facts,
    cluster_inputs,
    comparing,
    manifest_data,
    sides,
    surveys,
    target_release,
)
from ccmcheck.cluster.drift.settings import rendered
from ccmcheck.cluster.live.ccm import LIVE
from ccmcheck.cluster.live.snapshot import Snapshot

BEFORE, AFTER = "what runs", "after a sync"


class Changes(NamedTuple):
    """What a sync changes.

    Attributes:
        confs: The checkout's cloud.confs, by the live object's path.
        pods: The checkout's workloads of the CCM, by the live object's path.
        services: The Services afterwards, by the live object's path; None where nothing changes.
        new: The objects that the checkout alone has, with their files.
    """

    confs: Mapping[str, carriers.CarriedConf]
    pods: Mapping[str, carriers.CcmPod]
    services: Mapping[str, ObjectFile]
    new: Sequence[tuple[str, carriers.KubernetesObject]]


def other_files(snapshot: Snapshot) -> list[ObjectFile]:
    """The objects of a snapshot that are no Services."""
    services = {file.path for file in snapshot.services}
    return [file for file in snapshot.files if file.path not in services]


def survey_of(files: Iterable[ObjectFile]) -> surveys.Survey:
    """What live objects hold, read like files."""
    survey = surveys.Survey()
    for file in files:
        survey.add(file.path, file.text.encode("utf-8", "surrogateescape"), LIVE._replace(explicit=True))
    return survey


def predict_sync(
    snapshot: Snapshot, changes: Changes, release: target_release.TargetRelease, facts: cluster_facts.ClusterFacts
) -> comparing.Review:
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
    new_release = next(filter(None, (target_release.known_release(pod.release) for pod in changes.pods.values())), None)
    target = target_release.TargetRelease("ccm", new_release, "from git") if new_release is not None else release
    review = comparing.review(
        sides.side_of(BEFORE, before, (release,), around), sides.side_of(AFTER, after, (target,), around)
    )
    return _named(review, {file.path: file.subject for file in snapshot.files})


def _conf(
    git: carriers.CarriedConf | None, live: carriers.CarriedConf, release: target_release.TargetRelease
) -> carriers.CarriedConf:
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


def _pod(git: carriers.CcmPod | None, live: carriers.CcmPod) -> carriers.CcmPod:
    if git is None:
        return live
    name = git.cluster_name if git.image else git.cluster_name or live.cluster_name
    return live._replace(release=git.release or live.release, image=git.image or live.image, cluster_name=name)


def _around(
    facts: cluster_facts.ClusterFacts, owners: Sequence[carriers.PodOwner]
) -> Callable[
    [Sequence[carriers.KubernetesObject], Sequence[carriers.CcmPod]],
    tuple[manifest_data.Manifests, cloud_state.CloudState],
]:
    """Gives the Services and the cloud around a cloud.conf, with the live pods of each Service."""

    def around(
        objects: Sequence[carriers.KubernetesObject], pods: Sequence[carriers.CcmPod]
    ) -> tuple[manifest_data.Manifests, cloud_state.CloudState]:
        manifests, cloud = cluster_inputs.read_cluster(objects, pods, facts)
        selectors = (manifest_data.selector_of(item.object) if owners else None for item in manifests.services)
        services = tuple(
            item._replace(service=manifest_data.with_pods(item.service, selector, owners, cloud.node_count))
            for item, selector in zip(manifests.services, selectors, strict=True)
        )
        return manifests._replace(services=services), cloud

    return around


def _named(found: comparing.Review, subjects: Mapping[str, str]) -> comparing.Review:
    """A review that names live objects as people do."""

    def named(title: str) -> str:
        path, _, route = title.partition(" › ")
        return (route or subjects[path]) if path in subjects else title

    return found._replace(
        points=tuple(point._replace(subjects=tuple(map(named, point.subjects))) for point in found.points),
        configs=tuple(
            config._replace(title=named(config.title), old_title=named(config.old_title)) for config in found.configs
        ),
        services=tuple(
            service._replace(
                path="" if service.path in subjects else service.path,
                line=0 if service.path in subjects else service.line,
                old_path="",
                config=named(service.config),
            )
            for service in found.services
        ),
    )
