"""The survey of the files of a run: which there are, and the objects, cloud.confs and CCM workloads in them.

Predict, review and upgrade parse all of them here. Lint looks for what the rules about a file need of the others
(`ccmcheck.workspace.related_files`) and parses the rest later, in parallel.
"""

# pathlib takes longer to import than most files take to be read:
# ruff: noqa: PTH100, PTH112, PTH119, PTH120

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.base.errors import InputError
from ccmcheck.base.long_lived import LongLived
from ccmcheck.base.path_proximity import UpwardIndex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.carriers.prefilter import worth_parsing
from ccmcheck.catalog.readers import reader_name
from ccmcheck.conf.target_release import NOTHING_FOUND
from ccmcheck.kustomize.builds import WHOLE, is_kustomization
from ccmcheck.workspace import discover
from ccmcheck.workspace.discover import DiscoverOptions, Target
from ccmcheck.workspace.read_files import read_files

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import CarriedConf, CcmPod, RunContext
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.conf.target_release import FoundRelease, TargetRelease
    from ccmcheck.kustomize.builds import Builds
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.workspace.read_files import StandardInput
    from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch

_WORTH = (b"LoadBalancer", b"loadbalancer", b"Node", b"kind: Deployment", b"kind: StatefulSet", b"kind: DaemonSet")
"""What a file of a folder must say to be parsed for Services."""


class SurveyedConf(NamedTuple):
    """One cloud.conf of a run, or the defaults.

    Attributes:
        path: The file; empty for the defaults.
        title: The file and the route in it.
        carried: The cloud.conf; None for the defaults.
    """

    path: str
    title: str
    carried: CarriedConf | None


class Survey:
    """The contents of the files of a run.

    Attributes:
        objects: The objects, with the file of each.
        confs: The cloud.confs, with the file of each.
        not_taken: The texts that look like a cloud.conf and are none.
        workloads: The CCM's workloads.
        image_tags: The tags that kustomizations set for the CCM's image.
        files: How many files were looked at.
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
        self.image_tags: list[CcmPod] = []
        self.files = 0
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
        path, found = next(iter(self.objects), ("", None))
        return self.releases.of(path, found.document, found.subject) if found is not None else NOTHING_FOUND

    def release_of_text(self, path: str, carried: CarriedConf) -> FoundRelease:
        """The release that reads a cloud.conf of a file."""
        return self.releases.of_file(path).of_text(carried)

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

    def no_config(self, instead: str = "") -> str:
        """What a note says where the CCM reads none of the cloud.confs, so that the defaults are judged.

        Args:
            instead: What else stands in, before the defaults.
        """
        why = "there is no cloud.conf"
        if self.confs:
            path, carried = self.confs[0]
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

    @cached_property
    def _governing(self) -> UpwardIndex[SurveyedConf]:
        from ccmcheck.conf.nearby_conf import is_for_ccm
        from ccmcheck.policy.examples import is_test

        found = (conf for conf in self.ccm_confs if conf.carried is not None and is_for_ccm(conf.carried))
        return UpwardIndex(found, is_test)

    def governing(self, path: str) -> list[SurveyedConf]:
        """The cloud.confs that a Service of a file may be made by, as `lint` judges it; empty where it is ambiguous.

        Asked for once all files are known.
        """
        from ccmcheck.conf.nearby_conf import MOST_CONFS

        nearest = list(self._governing.nearest(path))
        return nearest if len(nearest) <= MOST_CONFS else []

    def add(self, path: str, data: bytes, options: FindOptions) -> None:
        """Parse one file and add what it holds.

        Args:
            path: What to call it.
            data: Its bytes.
            options: How it is searched.
        """
        from ccmcheck.base import text
        from ccmcheck.carriers import find
        from ccmcheck.carriers.embedded.languages import is_document

        if is_document(path) and not (options.explicit or self.with_documents):
            return
        contents = find(path, text.decode(data).text, options)
        self.objects.extend((path, item) for item in contents.objects)
        self.confs.extend((path, conf) for conf in contents.carried)
        self.not_taken.extend(contents.not_taken)
        self.workloads.extend(contents.pods)
        self.image_tags.extend(contents.run_context.image_tags)
        self.failures.extend(contents.broken)


class Gathering:
    """The files of a survey, parsed when all are known, because kustomizations change what is in others.

    Args:
        limits: Which files are read.
        with_documents: See `Survey`.

    Attributes:
        survey: Gets their contents.
    """

    def __init__(self, limits: DiscoverOptions, *, with_documents: bool = False) -> None:
        self.survey = Survey(with_documents=with_documents)
        self._limits = limits
        self._paths: list[str] = []
        self._files: list[tuple[str, str, bytes, bool]] = []
        self._names: dict[str, str] = {}

    def add(self, name: str, path: str, data: bytes | None, *, explicit: bool) -> None:
        """Add one file.

        Args:
            name: What to call it.
            path: Where it is.
            data: Its bytes; None where it holds nothing of interest.
            explicit: Whether the user named it.
        """
        self._paths.append(path)
        self._names[os.path.normpath(path)] = name
        if data is not None:
            self._files.append((name, path, data, explicit))

    def read(self, name: str, target: Target) -> None:
        """Read one file and add it.

        Args:
            name: What to call it.
            target: The file.

        Raises:
            InputError: The user named it, and it cannot be read.
        """
        data = discover.read(target, self._limits.max_size_of(target.path), is_worth_surveying)
        if isinstance(data, Failure):
            if target.explicit:
                raise InputError(f"{data.path}: {data.message}", data.hint)
            self.survey.failures.append(data._replace(path=name))
        else:
            self.add(name, target.path, data, explicit=target.explicit)

    def parsed(
        self,
        options: FindOptions | Callable[[str], FindOptions],
        read: Callable[[str, str], str | None] | None = None,
    ) -> Survey:
        """Parse all files, kustomizations as they are built.

        Args:
            options: How they are searched; a function where that depends on the file.
            read: The text of a file for a kustomization, where files are not on the disk.
        """
        from ccmcheck.workspace.kustomizations import builds_of, find_builds

        with LongLived():
            if read is None:
                builds = find_builds(self._paths, [path for _, path, _, _ in self._files], self._limits)
            else:
                own = [path for path in self._paths if is_kustomization(path)]
                builds = builds_of(own, (), read, frozenset(map(os.path.normpath, self._paths)))
            self._search(options, builds)
        return self.survey

    def _search(self, options: FindOptions | Callable[[str], FindOptions], builds: Builds) -> None:
        """Add what the files and the builds hold to the survey."""
        for name, path, data, explicit in self._files:
            own_options = (options(path) if callable(options) else options)._replace(explicit=explicit)
            if os.path.normpath(path) not in builds.bundles and WHOLE not in builds.documents_of(path):
                self.survey.add(name, data, own_options._replace(built=builds.documents_of(path)))
        self.survey.failures.extend(builds.failures)
        for path, bundle in builds.bundles.items():
            own_options = (options(path) if callable(options) else options)._replace(
                is_bundle=True, bundles=builds.bundles
            )
            self.survey.add(self._names.get(path, path), bundle.encode("utf-8", "surrogateescape"), own_options)


def is_worth_surveying(data: bytes, path: str) -> bool:
    """Whether a file of a folder may hold anything that a prediction needs.

    Args:
        data: Its bytes.
        path: Its path.
    """
    return worth_parsing(data, path) or any(word in data for word in _WORTH)


def survey_files(
    paths: Sequence[str],
    options: FindOptions | Callable[[str], FindOptions],
    limits: DiscoverOptions,
    stdin: StandardInput | None = None,
    *,
    with_documents: bool = False,
) -> Survey:
    """Read and parse all files.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: How they are searched; a function where that depends on the file.
        limits: Which files are read.
        stdin: Standard input, where ``-`` is among the paths.
        with_documents: See `Survey`.
    """
    from ccmcheck.workspace.release_finder import search_around

    gathering = Gathering(limits, with_documents=with_documents)
    survey = gathering.survey
    survey.search = search_around(paths, limits, options if callable(options) else lambda _: options)
    for file in read_files(paths, limits, is_worth_surveying, stdin):
        survey.files += 1
        if isinstance(file, Failure):
            gathering.survey.failures.append(file)
        else:
            path, explicit = file.target
            gathering.add(path, path, file.data, explicit=explicit)
    return gathering.parsed(options)


def survey_path(path: str, options: FindOptions, limits: DiscoverOptions) -> Survey:
    """Read a file, or the files of a folder; paths of the latter are relative to the folder.

    Args:
        path: The file or folder.
        options: How files are searched.
        limits: Which files are read.

    Raises:
        InputError: There is no such file or folder, or the file cannot be read or holds nothing of interest.
    """
    from ccmcheck.workspace.chart_templates import ChartTemplates
    from ccmcheck.workspace.release_finder import search_around

    gathering = Gathering(limits)
    is_folder = os.path.isdir(path)
    root = path if is_folder else os.path.dirname(path)
    options = options._replace(chart_templates=ChartTemplates(root=root))
    search = search_around([path], limits, lambda _: options)
    gathering.survey.search = search._replace(root=os.path.abspath(root))
    for target in discover.discover([path], limits):
        if isinstance(target, Failure):
            raise InputError(f"{target.path}: {target.message}", target.hint)
        name = os.path.relpath(target.path, path) if is_folder else os.path.basename(target.path)
        gathering.read(name, target)
    survey = gathering.parsed(options)
    if not is_folder:
        _refuse_empty(survey, path)
    return survey


def survey_text(name: str, data: bytes, options: FindOptions) -> Survey:
    """Parse one file that was read already, such as standard input.

    Args:
        name: What to call it.
        data: Its bytes.
        options: How it is searched.

    Raises:
        InputError: It holds nothing of interest.
    """
    survey = Survey()
    survey.add(name, data, options._replace(explicit=True))
    _refuse_empty(survey, name)
    return survey


def _refuse_empty(survey: Survey, path: str) -> None:
    if survey.is_empty:
        raise InputError(
            f"there is neither a cloud.conf nor a Service in {path}",
            "A cloud.conf has a section such as [Global] or [LoadBalancer], plain or in a manifest.",
        )


def options_at(config: SurveyedConf, judged: TargetRelease, run_context: RunContext) -> Options:
    """The configuration as one release reads it.

    Args:
        config: The cloud.conf.
        judged: The release.
        run_context: What is known around it.
    """
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.predict.inputs.options import options_of, read_options
    from ccmcheck.redact.masker import Masker

    carried = config.carried
    if carried is None:
        from ccmcheck.policy.profiles.stand_in import stand_in

        implied = stand_in(run_context.requirements, judged.release) if run_context.requirements else ""
        return read_options(f"[LoadBalancer]\nlb-version =\n{implied}", judged.release)
    found = options_of(CloudConf.read(carried, judged.release, run_context=run_context))
    scrub = Masker(carried.text).scrub
    return found._replace(stop=scrub(found.stop), unsupported=scrub(found.unsupported))
