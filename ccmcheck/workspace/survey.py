"""What is surveyed of the files of a run: the objects, cloud.confs and CCM workloads in them, and who reads them.

See `ccmcheck.workspace.gathering` for how they are read.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.carriers.mounted import Mounted
from ccmcheck.catalog.readers import reader_name
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.conf.nearby_conf import alone, installed, read_by_drivers
from ccmcheck.conf.target_release import NOTHING_FOUND, FoundRelease, TargetRelease
from ccmcheck.workspace.left_empty import filled, names_of_empty, without_filled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ccmcheck.base.path_proximity import HasPath
    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import CarriedConf, CcmPod, NodeLabels, RunContext
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch

_OF_WORKLOAD = ("namespace", "cloud_config", "mounts", "cluster_name", "flags", "choices")
"""What the sign of a chart's release does not tell, and the workload that the chart makes does."""


class SurveyedConf(NamedTuple):
    """One cloud.conf of a run, or what stands in its place.

    Attributes:
        path: The file; empty for the defaults.
        title: The file and the route in it.
        carried: The cloud.conf; None where it is not among the files, for whose values the defaults stand in.
        installed: What installs a CCM whose cloud.conf is not among the files.
    """

    path: str
    title: str
    carried: CarriedConf | None
    installed: CcmPod | None = None

    @property
    def subject(self) -> str:
        """The object that holds the cloud.conf, or installs the CCM; empty where none does."""
        if self.carried is not None:
            return self.carried.subject
        return self.installed.object if self.installed is not None else ""

    @property
    def folders(self) -> tuple[str, ...]:
        """See `CarriedConf`."""
        return self.carried.folders if self.carried is not None else ()

    @property
    def name(self) -> str:
        """What its deployment is called: the file, or the kustomization, and the object in it."""
        return f"{self.path} › {self.subject}" if self.subject else self.path


class Survey:
    """The contents of the files of a run.

    Attributes:
        objects: The objects, with the file of each.
        confs: The cloud.confs, with the file of each.
        not_taken: The texts that look like a cloud.conf and are none.
        workloads: The CCM's workloads.
        drivers: Those of the Cinder CSI driver.
        image_tags: The tags that kustomizations set for the CCM's image.
        node_labels: The labels of Nodes.
        answers: The paths and texts of files with what OpenStack answered.
        logs: Those of logs and events.
        files: How many files were looked at.
        left_out: How many more may hold what is judged, and are left out as examples or test data.
        failures: What could not be read.
        search: How the releases of its files are searched.
        with_documents: Whether examples in documents count; nothing installs them.
        told_around: The files whose cloud.confs have a reader that only the files around them tell of.
    """

    def __init__(self, *, with_documents: bool = False) -> None:
        self.with_documents = with_documents
        self.objects: list[tuple[str, KubernetesObject]] = []
        self.confs: list[tuple[str, CarriedConf]] = []
        self.not_taken: list[CarriedConf] = []
        self.workloads: list[CcmPod] = []
        self.drivers: list[CcmPod] = []
        self.image_tags: list[CcmPod] = []
        self.node_labels: list[NodeLabels] = []
        self.answers: list[tuple[str, str]] = []
        self.logs: list[tuple[str, str]] = []
        self.files = self.left_out = 0
        self.failures: list[Failure] = []
        self.search: ReleaseSearch | None = None
        self.told_around: frozenset[str] = frozenset()

    @cached_property
    def releases(self) -> ReleaseFinder:
        """Finds the releases of its files; asked for once all of them are known."""
        from ccmcheck.workspace.release_finder import NO_SEARCH, ReleaseFinder

        return ReleaseFinder(self.search or NO_SEARCH, (*self.workloads, *self.image_tags))

    def release_of(self, config: SurveyedConf) -> FoundRelease:
        """The release that reads a cloud.conf; for the defaults, the one that is near to the first object."""
        if config.carried is not None:
            return self.release_of_text(config.path, config.carried)
        if config.installed is not None:
            return self.releases.of(config.path, config.installed.document, config.installed.object)
        path, found = next(iter(self.objects), ("", None))
        return self.releases.of(path, found.document, found.subject) if found is not None else NOTHING_FOUND

    def release_of_text(self, path: str, carried: CarriedConf) -> FoundRelease:
        """The release that reads a cloud.conf of a file."""
        return self.releases.of_file(path).of_text(carried)

    def settle_mounted(self) -> None:
        """Judge what workloads mount, whatever it looks like; asked for once all files are known."""
        ccms = Mounted(self.workloads)
        if self.not_taken and self.workloads:
            self.confs.extend((conf.path, conf) for conf in ccms.take(self.not_taken))
        if self.drivers:
            confs, alone = [conf for _, conf in self.confs], not (self.workloads or self.image_tags)
            read = read_by_drivers(confs, ccms, Mounted(self.drivers), alone=alone)
            self.confs = [(path, conf) for (path, _), conf in zip(self.confs, read, strict=True)]

    def leave_filled(self, texts: Iterable[bytes]) -> None:
        """Leave out the Secrets with an empty cloud.conf that something fills.

        Args:
            texts: All files of the run.
        """
        names = names_of_empty(conf for _, conf in self.confs)
        if names:
            kept = set(map(id, without_filled((conf for _, conf in self.confs), filled(names, texts))))
            self.confs = [(path, conf) for path, conf in self.confs if id(conf) in kept]

    def settle_readers(self, is_open: Callable[[str, CarriedConf], bool]) -> None:
        """Add the readers that only the files around a cloud.conf tell of; asked for once all files are known.

        Args:
            is_open: Whether nothing names the release of a cloud.conf of a file.
        """
        before = self.confs
        self.confs = [
            (path, self.releases.of_file(path).with_reader(carried) if is_open(path, carried) else carried)
            for path, carried in before
        ]
        self.told_around = frozenset(
            path for (path, now), (_, was) in zip(self.confs, before, strict=True) if now.consumers != was.consumers
        )

    def no_config(self, instead: str = "", config: SurveyedConf | None = None) -> str:
        """What a note says where the CCM reads none of the cloud.confs, so that the defaults are judged.

        Args:
            instead: What else stands in, before the defaults.
            config: What is in the place of the cloud.conf.
        """
        why = "there is no cloud.conf"
        if config is not None and config.installed is not None and self.confs:
            why = f"the cloud.conf of {config.name} is not among the files"
        elif read := [(path, carried) for path, carried in self.confs if carried.consumers]:
            path, carried = read[0]
            why = f"{path} is read by {reader_name(carried.consumers[0])}, and there is no cloud.conf of the CCM"
        return f"{why}: {instead}the release's defaults stand in"

    def find_releases(self) -> None:
        """Find the releases of all cloud.confs now, as long as the files around them can be read."""
        for config in self.ccm_confs or [SurveyedConf("", "", None)]:
            self.release_of(config)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found, and nothing failed."""
        return not (self.objects or self.confs or self.workloads or self.failures)

    def installed_alone(self, confs: Sequence[HasPath], near: Callable[[str], Sequence[HasPath]]) -> list[SurveyedConf]:
        """What installs a CCM that reads none of the cloud.confs: `ccmcheck.conf.nearby_conf.alone`, each once.

        Args:
            confs: The cloud.confs.
            near: Gives those nearest to a file.
        """
        pods = installed(self.workloads, self.image_tags)
        found: dict[str, SurveyedConf] = {}
        # first what names the release; the workload that a chart makes of its values has the rest
        for pod in sorted(alone(pods, near) if confs else pods, key=lambda pod: bool(pod.made_by)):
            config = SurveyedConf(pod.path, "", None, pod)
            first = found.setdefault(config.name, config._replace(title=config.name))
            if pod.made_by and first.installed is not None and not first.installed.made_by:
                of_chart = {name: getattr(pod, name) for name in _OF_WORKLOAD}
                found[config.name] = first._replace(installed=first.installed._replace(**of_chart))
        return list(found.values())

    def texts(self, *named: SurveyedConf) -> list[str]:
        """Every text that something was found in, for `ccmcheck.redact.report.redact_report`; some several times.

        Args:
            named: Configurations that may lie elsewhere.
        """
        others = [conf.carried.text for conf in named if conf.carried is not None]
        return [*(item.source.written for _, item in self.objects), *(conf.text for _, conf in self.confs), *others]

    @property
    def ccm_confs(self) -> list[SurveyedConf]:
        """The cloud.confs that the CCM may be the reader of."""
        return [
            SurveyedConf(path, f"{path} › {conf.route}" if conf.route else path, conf)
            for path, conf in self.confs
            if not conf.consumers or "ccm" in conf.consumers
        ]

    @property
    def is_in_tree(self) -> bool:
        """Whether the provider inside Kubernetes is known to read each cloud.conf that is no example of a document."""
        from ccmcheck.carriers.base import IN_TREE

        readers = {conf.consumers for path, conf in self.confs if not is_document(path)}
        return readers == {(IN_TREE,)}

    def add(self, path: str, data: bytes, options: FindOptions) -> None:
        """Parse one file and add what it holds.

        Args:
            path: What to call it.
            data: Its bytes.
            options: How it is searched.
        """
        from ccmcheck.base import text
        from ccmcheck.carriers import find
        from ccmcheck.carriers.prefilter import may_be_log, may_hold_answers

        if (is_log := may_be_log(data, path)) or may_hold_answers(data, path):
            (self.logs if is_log else self.answers).append((path, text.decode(data).text))
        if is_document(path) and not (options.explicit or self.with_documents):
            return
        contents = find(path, text.decode(data).text, options)
        self.objects.extend((path, item) for item in contents.objects)
        self.confs.extend((path, conf) for conf in contents.carried)
        self.not_taken.extend(contents.not_taken)
        self.workloads.extend(contents.pods)
        self.drivers.extend(contents.run_context.drivers)
        self.image_tags.extend(contents.run_context.image_tags)
        self.node_labels.extend(contents.run_context.node_labels)
        self.failures.extend(contents.broken)


def options_of_each(config: SurveyedConf, judged: TargetRelease, run_context: RunContext) -> list[Options]:
    """The same for each text that the conditions of a template make, see `ccmcheck.conf.alternatives`; each once.

    Args:
        config: The cloud.conf.
        judged: The release.
        run_context: What is known around it.
    """
    from ccmcheck.conf.alternatives import MOST_ARMS, alternatives, branches_of

    carried = config.carried
    conditions = branches_of(carried) if carried is not None and carried.marks else None
    if carried is None or conditions is None or len(conditions.arms) > MOST_ARMS:
        return [options_at(config, judged, run_context)]
    each: list[tuple[Options, str]] = []
    for one in alternatives(carried, conditions):
        options = options_at(config._replace(carried=one.conf), judged, run_context)
        if all(options != other for other, _ in each):
            each.append((options, one.where))
    return [options._replace(where=where if len(each) > 1 else "") for options, where in each]


def options_at(config: SurveyedConf, judged: TargetRelease, run_context: RunContext) -> Options:
    """The configuration as one release reads it.

    Args:
        config: The cloud.conf.
        judged: The release.
        run_context: What is known around it.
    """
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.predict.inputs.options import options_of, read_options

    carried = config.carried
    if carried is None:
        from ccmcheck.policy.profiles.stand_in import stand_in

        implied = stand_in(run_context.requirements, judged.release) if run_context.requirements else ""
        return read_options(f"[LoadBalancer]\nlb-version =\n{implied}", judged.release)
    conf = CloudConf.read(carried, judged.release, run_context=run_context)
    options = options_of(conf)
    stop, unsupported = conf.masked(options.stop, options.unsupported)
    return options._replace(stop=stop, unsupported=unsupported)
