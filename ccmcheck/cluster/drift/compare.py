"""The whole comparison: what a checkout holds and what runs in, the drift out.

What applying a checkout changes at Octavia: the review of the live state and of the state afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import ObjectFile, mapping, object_file, object_path, text, title_of
from ccmcheck.cluster.core import (
    CloudConf,
    NamedTuple,
    carriers,
    catalog,
    cloud_state,
    cluster_facts,
    cluster_inputs,
    comparing,
    errors,
    manifest_data,
    redact_report,
    sides,
    surveys,
    target_release,
)
from ccmcheck.cluster.drift import settings, workloads
from ccmcheck.cluster.drift.pairs import GitService, Pairs, config_of, git_service, pair_up, workload_of
from ccmcheck.cluster.drift.records import (
    CCM,
    CONF,
    REMOVED,
    SERVICE,
    WRITTEN,
    Compared,
    Drift,
    DriftedValue,
    Lone,
    last_change,
)
from ccmcheck.cluster.drift.services import Judging, ServicePair, synced
from ccmcheck.cluster.drift.services import compare as compare_services
from ccmcheck.cluster.drift.settings import rendered
from ccmcheck.cluster.live.ccm import LIVE, Ccm
from ccmcheck.cluster.live.restart import OLD, UNKNOWN, known
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


_MOST_NAMED = 5


def compare(paths: Sequence[str], git: surveys.Survey, snapshot: Snapshot, facts: cluster_facts.ClusterFacts) -> Drift:
    """Compare a checkout with a running cluster.

    Args:
        paths: What was read.
        git: What it holds.
        snapshot: What runs.
        facts: What options and profiles say of the cluster.

    Raises:
        WrongUse: Several cloud.confs of the checkout may be meant.
    """
    return _Comparison(git, snapshot, facts).drift(tuple(paths))


def refuse_empty(paths: Sequence[str], git: surveys.Survey) -> None:
    """Refuse a checkout that holds nothing to compare.

    Raises:
        InputError: It does not.
    """
    if not (git.ccm_confs or git.workloads or any(found.kind == SERVICE for _, found in git.objects) or git.failures):
        raise errors.InputError(
            f"there is neither a cloud.conf, a CCM nor a Service in {', '.join(paths)}",
            "Name the folder that the cluster is applied from.",
        )


class _Comparison:
    """One comparison.

    Args:
        git: What the checkout holds.
        snapshot: What runs.
        facts: What options and profiles say of the cluster.
    """

    def __init__(self, git: surveys.Survey, snapshot: Snapshot, facts: cluster_facts.ClusterFacts) -> None:
        self._git = git
        self._snapshot = snapshot
        self._facts = cluster_facts.merge(facts, snapshot.facts)
        self._live = survey_of(other_files(snapshot))
        self._release = next(
            iter(snapshot.judged), target_release.TargetRelease("ccm", catalog.newest(), target_release.NEWEST)
        )
        self._configs = [(live, config_of(git, live)) for live in snapshot.configs]
        self._notes: list[str] = []
        self._stops_at: list[str] = []
        self._confs: dict[str, carriers.CarriedConf] = {}
        self._pods: dict[str, carriers.CcmPod] = {}

    def drift(self, paths: tuple[str, ...]) -> Drift:
        """The drift."""
        compared = [*self._compared_configs(), *self._compared_ccms()]
        git_services = self._git_services()
        pairs = pair_up(git_services, self._snapshot.objects)
        judging = self._judging()
        both = []
        services = {}
        for one, live in pairs.both:
            pair = ServicePair(one.data, live, one.is_derived)
            differences, unknown = compare_services(pair, judging)
            subject = f"{SERVICE} {title_of(live)}"
            both.append(Compared(SERVICE, subject, one.place, differences, unknown))
            if any(difference.sync in (WRITTEN, REMOVED) for difference in differences):
                metadata = mapping(live.get("metadata"))
                path = object_path(SERVICE, text(metadata.get("namespace")), text(metadata.get("name")))
                services[path] = object_file(synced(pair, differences))
        only_git, retyped = self._only_git(pairs.only_git)
        covered = self._covered(git_services, pairs)
        lone = [
            Lone(SERVICE, f"{SERVICE} {title_of(one)}", "", last_change(one, "spec", "type"))
            for one in pairs.only_live
            if not mapping(one.get("spec")).get("loadBalancerClass")
        ]
        only_live = tuple(one for one in lone if _namespace(one) in covered)
        self._note(pairs, git_services)
        new = [(one.path, one.manifest) for one in only_git]
        changes = Changes(self._confs, self._pods, services, new)
        is_predicted = self._is_predicted(changes)
        drift = Drift(
            self._snapshot.identity,
            paths,
            self._release.release.name,
            (*compared, *both, *retyped),
            tuple(Lone(SERVICE, f"{SERVICE} {one.service.title}", one.place) for one in only_git),
            only_live,
            tuple(one for one in lone if _namespace(one) not in covered),
            predict_sync(self._snapshot, changes, self._release, self._facts) if is_predicted else None,
            tuple(self._notes),
            (*self._snapshot.failures, *self._git.failures),
        )
        return redact_report(drift, (*self._git.texts(), *self._live.texts()))

    def _compared_configs(self) -> Iterator[Compared]:
        for live, config in self._configs:
            carried = next(
                (conf for path, conf in self._live.confs if path == live.file.path and conf.key == live.place.key), None
            )
            subject = live.file.subject
            if carried is None:
                continue  # the key is missing, which is a failure already
            if config is None or config.carried is None:
                self._notes.append(f"no cloud.conf that is meant to be {subject} is in git: it is not compared")
                continue
            differences, unknown = settings.compare(config.carried, carried, self._release.release)
            differences = (*self._starts(config, surveys.SurveyedConf(live.file.path, subject, carried)), *differences)
            if differences:
                self._confs[live.file.path] = config.carried
            state = known(live)
            uses = {OLD: "older", UNKNOWN: "unknown"}.get(state.use, "live") if state.started else ""
            changed = last_change(live.object, "data", live.place.key)
            yield Compared(CONF, carried.route, config.title, differences, unknown, uses, state.started, changed)

    def _starts(self, git: surveys.SurveyedConf, live: surveys.SurveyedConf) -> Iterator[DriftedValue]:
        """Whether the CCM stops at one text and not at the other; what is wrong there has no value to be compared."""
        ours, theirs = (
            surveys.options_at(one, self._release, carriers.RunContext(facts=self._facts)).stop for one in (git, live)
        )
        if theirs:
            self._stops_at.append(live.title)
        if ours != theirs:
            yield DriftedValue("start of the CCM", ours or "the CCM starts", theirs or "the CCM starts")

    def _is_predicted(self, changes: Changes) -> bool:
        """Whether it is known by which text the load balancers were made that a sync would change."""
        if not any(changes):
            return False
        for subject in self._stops_at:
            self._notes.append(
                f"the CCM stops at the present text of {subject}, and an older one made its load balancers: "
                "what a sync changes is not predicted"
            )
        return not self._stops_at

    def _compared_ccms(self) -> Iterator[Compared]:
        for ccm in self._snapshot.ccms:
            config = next((config for live, config in self._configs if live.ccm is ccm), None)
            pod = workload_of(self._git.workloads, ccm, config)
            if pod is None:
                self._notes.append(f"no workload or chart that is meant to be {ccm.file.subject} is in git")
                continue
            differences, unknown = self._compared_ccm(pod, ccm)
            if differences:
                self._pods[ccm.file.path] = pod
            place = f"{pod.path} › {pod.subject}" if pod.subject else pod.path
            yield Compared(CCM, ccm.file.subject, place, differences, unknown)

    def _compared_ccm(self, pod: carriers.CcmPod, ccm: Ccm) -> tuple[tuple[DriftedValue, ...], tuple[str, ...]]:
        found = next((one for path, one in self._git.objects if path == pod.path and one.subject == pod.subject), None)
        if found is None:
            return workloads.compare_chart(pod, ccm.object), ("flags",)
        return workloads.compare(manifest_data.plain(found.node, found.source), ccm.object)

    def _git_services(self) -> list[GitService]:
        """The Services of the checkout that belong to this cluster, patches left out."""
        around = partial(cluster_inputs.read_cluster, facts=self._facts)
        side = sides.side_of("git", self._git, (self._release,), around)
        own = {id(config.carried) for _, config in self._configs if config is not None and config.carried is not None}
        found = []
        seen: set[int] = set()  # one of several cloud.confs is there for each
        for one in sides.surveyed_services(side):
            service = one.service_object.service
            if (own and id(one.deployment.config.carried) not in own) or id(one.service_object.object) in seen:
                continue
            seen.add(id(one.service_object.object))
            if service.owner or (not service.ports and "spec.ports" not in service.open):
                continue
            found.append(git_service(one.service_object.object, one.path, one.line))
        return found

    def _judging(self) -> Judging:
        """By what Services are judged: the live cloud.conf, as the CCM that runs reads it."""
        config: surveys.SurveyedConf = next(iter(self._live.ccm_confs), surveys.SurveyedConf("", "", None))
        cloud = cluster_inputs.read_cluster((), self._live.workloads, self._facts)[1]
        return Judging(
            surveys.options_at(config, self._release, carriers.RunContext(facts=cloud.facts)),
            cloud,
            self._release.release,
        )

    def _only_git(self, found: Sequence[GitService]) -> tuple[list[GitService], list[Compared]]:
        """The Services that the cluster lacks, and those that are of another type there."""
        if any(failure.path == requests.SERVICES.title for failure in self._snapshot.failures):
            return [], []
        lacking, retyped = [], []
        for one in found:
            kind = self._snapshot.other_services.get(one.service.title)
            if one.manifest.namespace and kind:
                difference = DriftedValue("spec.type", one.service.type, kind)
                retyped.append(Compared(SERVICE, f"{SERVICE} {one.service.title}", one.place, (difference,)))
            elif one.service.type == "LoadBalancer":
                lacking.append(one)
        return lacking, retyped

    def _covered(self, git_services: Sequence[GitService], pairs: Pairs) -> frozenset[str]:
        """The namespaces whose Services the checkout is meant to hold; none where it has some without a name."""
        if pairs.unnamed or self._git.failures:
            return frozenset()
        known_titles = [title_of(live) for _, live in pairs.both]
        known_titles += [one.service.title for one in git_services if one.manifest.namespace]
        return frozenset(title.partition("/")[0] for title in known_titles)

    def _note(self, pairs: Pairs, git_services: Sequence[GitService]) -> None:
        if not git_services:
            self._notes.append("no Service of type LoadBalancer is in git: Services are not compared")
        if pairs.unnamed:
            self._notes.append(f"{pairs.unnamed} Services in git have names that only rendering gives")
        if pairs.several:
            named = ", ".join(pairs.several[:_MOST_NAMED])
            self._notes.append(f"git has several different manifests of {named}: these are not compared")


def _namespace(lone: Lone) -> str:
    return lone.subject.partition(" ")[2].partition("/")[0]
