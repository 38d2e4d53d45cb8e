"""Reads the files of a run and parses them, kustomizations as they are built, into a `Survey` of them.

Predict, review and upgrade parse all of them here. Lint looks for what the rules about a file need of the others
(`ccmcheck.workspace.related_files`) and parses the rest later, in parallel.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from ccmcheck.base.budget import worked_off
from ccmcheck.base.errors import InputError
from ccmcheck.base.garbage_collection import LongLived
from ccmcheck.base.result import Failure
from ccmcheck.carriers import FileContents, FindOptions, find
from ccmcheck.carriers.collector import options_with_builds
from ccmcheck.carriers.prefilter import names_values, worth_parsing
from ccmcheck.kustomize.builds import WHOLE, Builds, is_kustomization
from ccmcheck.workspace import discover
from ccmcheck.workspace.discover import DiscoverOptions, DiscoverReport, Target
from ccmcheck.workspace.read_files import StandardInput, read_files
from ccmcheck.workspace.survey import Survey

_WORTH = (
    b"LoadBalancer", b"loadbalancer", b"Node", b"kind: Deployment", b"kind: StatefulSet", b"kind: DaemonSet",
    b"serviceSubnet", b"clusterNetwork", b"service-cluster-ip-range",
)  # fmt: skip
"""What a file of a folder must say to be parsed for Services."""


class Gathering:
    """The files of a survey, parsed when all are known, because kustomizations change what is in others.

    Args:
        limits: Which files are read.
        name_of: What to call a file in a folder.
        with_documents: See `Survey`.

    Attributes:
        survey: Gets their contents.
        limits: Which files are read.
        left_out: The examples and test data, which are judged only where a CCM mounts what they hold.
    """

    def __init__(
        self, limits: DiscoverOptions, name_of: Callable[[str], str] = str, *, with_documents: bool = False
    ) -> None:
        self.survey = Survey(with_documents=with_documents)
        report = DiscoverReport()
        self.limits = limits._replace(report=report)
        self.left_out = report.left_out
        self._name_of = name_of
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

    def read(self, target: Target) -> None:
        """Read one file and add it.

        Args:
            target: The file.

        Raises:
            InputError: The user named it, and it cannot be read.
        """
        data = discover.read(target, self.limits.max_size_of(target.path), is_worth_surveying)
        if isinstance(data, Failure):
            if target.explicit:
                raise InputError(f"{data.path}: {data.message}", data.hint)
            self.survey.failures.append(data._replace(path=self._name_of(target.path)))
        else:
            self.add(self._name_of(target.path), target.path, data, explicit=target.explicit)

    def parsed(
        self, options: FindOptions | Callable[[str], FindOptions], read: Callable[[str, str], str | None] | None = None
    ) -> Survey:
        """Parse all files, kustomizations as they are built.

        Args:
            options: How they are searched; a function where that depends on the file.
            read: The text of a file for a kustomization, where files are not on the disk.
        """
        from ccmcheck.workspace.kustomizations import builds_of, find_builds, with_value_chains

        with LongLived():
            if self.left_out:
                self._add_mounted(options, read)
            naming = [path for _, path, data, _ in self._files if names_values(path, data)]
            if read is None:
                builds = find_builds(self._paths, [path for _, path, _, _ in self._files], self.limits, naming)
            else:
                own = [path for path in self._paths if is_kustomization(path)]
                asked = frozenset(map(os.path.normpath, self._paths))
                builds = with_value_chains(builds_of(own, (), read, asked), naming, read, asked)
            self._search(options, builds)
            self.survey.leave_filled(self._texts(read))
        return self.survey

    def _texts(self, read: Callable[[str, str], str | None] | None) -> Iterator[bytes]:
        """All files, those without anything of interest too."""
        known = {path: data for _, path, data, _ in self._files}
        for path in self._paths:
            if path in known:
                yield known[path]
            elif read is not None:
                yield (read("", path) or "").encode("utf-8", "surrogateescape")
            else:
                data = discover.read(Target(path, explicit=True), self.limits.max_size_of(path))
                yield data if isinstance(data, bytes) else b""

    def _add_mounted(
        self, options: FindOptions | Callable[[str], FindOptions], read: Callable[[str, str], str | None] | None
    ) -> None:
        """Add the files that were left out and that a CCM mounts."""
        from ccmcheck.base import text
        from ccmcheck.workspace.left_out import mounted

        def contents(name: str, data: bytes) -> FileContents:
            return find(name, text.decode(data).text, options(name) if callable(options) else options)

        left_out: dict[str, bytes] = {}
        for path in self.left_out:
            if read is None:
                data = discover.read(Target(path), self.limits.max_size_of(path), is_worth_surveying)
            else:
                data = (read("", path) or "").encode()
            if isinstance(data, bytes) and is_worth_surveying(data, path):
                left_out[path] = data
        judged = [(path, data) for _, path, data, _ in self._files]
        found, pods = mounted(left_out, lambda: judged, contents)
        self.survey.image_tags += pods
        for path in sorted(found):
            self.add(self._name_of(path), path, left_out[path], explicit=False)
        self.survey.left_out = len(left_out) - len(found)

    def _search(self, options: FindOptions | Callable[[str], FindOptions], builds: Builds) -> None:
        """Add what the files and the builds hold to the survey."""
        self.survey.failures.extend(builds.failures)
        worked_off(self._searched(options, builds), f"not all of {len(self._files):,} files were searched")
        self.survey.settle_mounted()

    def _searched(self, options: FindOptions | Callable[[str], FindOptions], builds: Builds) -> Iterator[None]:
        for name, path, data, explicit in self._files:
            own_options = (options(path) if callable(options) else options)._replace(explicit=explicit)
            if os.path.normpath(path) not in builds.bundles and WHOLE not in builds.documents_of(path):
                self.survey.add(name, data, options_with_builds(own_options, path, builds))
                yield
        for path, bundle in builds.bundles.items():
            own_options = (options(path) if callable(options) else options)._replace(
                is_bundle=True, bundles=builds.bundles
            )
            self.survey.add(self._names.get(path, path), bundle.encode("utf-8", "surrogateescape"), own_options)
            yield


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
    for file in worked_off(read_files(paths, gathering.limits, is_worth_surveying, stdin), "not all files were read"):
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

    is_folder = os.path.isdir(path)
    gathering = Gathering(limits, lambda found: os.path.relpath(found, path) if is_folder else os.path.basename(found))
    root = path if is_folder else os.path.dirname(path)
    options = options._replace(chart_templates=ChartTemplates(root=root))
    search = search_around([path], limits, lambda _: options)
    gathering.survey.search = search._replace(root=os.path.abspath(root))
    for target in discover.discover([path], gathering.limits):
        if isinstance(target, Failure):
            raise InputError(f"{target.path}: {target.message}", target.hint)
        gathering.read(target)
    survey = gathering.parsed(options)
    if not is_folder:
        _refuse_empty(survey, path)
    return survey


def survey_texts(texts: Mapping[str, str], options: FindOptions | Callable[[str], FindOptions]) -> Survey:
    """Parse texts as if they were the files of a checkout; nothing is read from the disk under their names.

    Args:
        texts: By what to call them.
        options: How they are searched; a function where that depends on the file.
    """
    gathering = Gathering(DiscoverOptions())
    gathering.survey.files = len(texts)
    for name, text in texts.items():
        gathering.add(name, name, text.encode("utf-8", "surrogateescape"), explicit=True)
    by_path = {os.path.normpath(name): text for name, text in texts.items()}
    return gathering.parsed(options, lambda _, path: by_path.get(os.path.normpath(path)))


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
    survey.leave_filled([data])
    _refuse_empty(survey, name)
    return survey


def _refuse_empty(survey: Survey, path: str) -> None:
    if survey.is_empty:
        raise InputError(
            f"there is neither a cloud.conf nor a Service in {path}",
            "A cloud.conf has a section such as [Global] or [LoadBalancer], plain or in a manifest.",
        )
