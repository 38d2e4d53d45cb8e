"""Before any file is linted: which files are worth it, how the CCM is run, and what is built of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain

from ccmcheck import carriers
from ccmcheck.base import text
from ccmcheck.base.budget import refuse_to_go_on
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.carriers import FileContents
from ccmcheck.carriers.base import CcmPod, RunContext
from ccmcheck.carriers.prefilter import may_make_control_plane, needed_by_other_files
from ccmcheck.kustomize.builds import NO_BUILDS, WHOLE, Builds
from ccmcheck.lint.first_look import first_looks
from ccmcheck.lint.looks import Look, look_at
from ccmcheck.lint.run_options import Linters, RunOptions
from ccmcheck.workspace import discover
from ccmcheck.workspace.discover import DiscoverOptions, DiscoverReport, Target
from ccmcheck.workspace.kustomizations import find_builds
from ccmcheck.workspace.read_files import STDIN, StandardInput, SurveyedFile
from ccmcheck.workspace.related_files import RelatedFiles, hints_of
from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch, search_around


class LintSurvey(NamedTuple):
    """The files of a run, before they are linted.

    Attributes:
        linters: The linter of each file.
        files: The files worth linting, in order, with their bytes where those were kept.
        failures: The files that could not be read.
        seen: How many files were looked at.
        report: What there is to say of the search for them.
        left_out: How many more may be worth it, and are left out as examples or test data.
        has_answers: Whether one may be what OpenStack answered.
        logs: The paths of logs and events.
    """

    linters: Linters
    files: list[SurveyedFile]
    failures: list[Failure]
    seen: int
    report: DiscoverReport
    left_out: int = 0
    has_answers: bool = False
    logs: Sequence[str] = ()


def survey_for_lint(paths: Sequence[str], options: RunOptions) -> LintSurvey:
    """Read every file once: which are worth linting, how the CCM is run, and what the rules about Services need.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: What was asked for.

    Raises:
        WrongUse: A revision that git does not know, and the like.
    """
    seen = 0
    has_answers = False
    logs: list[str] = []
    files: list[SurveyedFile] = []
    failures: list[Failure] = []
    paths_seen: list[str] = []
    shared: dict[str, Sequence[RunContext]] = {}
    related = RelatedFiles(options.find_options)
    stdin = StandardInput(options.stdin_name, options.stdin)
    report = DiscoverReport()
    limits = options.discover._replace(report=report, diff_base="")
    changed = _changed(paths, options, failures) if options.discover.diff_base else None

    naming_values: list[str] = []
    control_planes: list[str] = []
    shown_pods: list[CcmPod] = []
    left_out: dict[str, bytes] = {}

    def mounted_looks() -> Iterator[Look]:
        """What is left out as an example and mounted by a CCM; asked for once all others are known."""
        read_each = ((path, discover.read(Target(path), limits.max_size_of(path))) for path in report.left_out)
        left_out.update((path, data) for path, data in read_each if isinstance(data, bytes))
        mounted, pods = _mounted(left_out, files, options) if left_out else (set(), [])
        shown_pods.extend(pods)
        for path in sorted(mounted):
            yield look_at(SurveyedFile(Target(path), left_out.pop(path)))

    for look in chain(first_looks(paths, limits, stdin, options.jobs, options.kept), mounted_looks()):
        path = look.file.target.path if isinstance(look, Look) else look.path
        is_meant = changed is None or path in changed
        if isinstance(look, Failure):
            if is_meant:
                failures.append(look)
            continue
        seen += is_meant
        paths_seen.append(path)
        if isinstance(look, Target):
            related.not_linted.append(path)
            continue
        related.add(path, look.hints)
        has_answers |= look.hints.answers
        logs += [path] * look.hints.log
        files.append(look.file)
        if look.is_shared:
            shared[path] = ()
        elif look.hints.control_plane:
            control_planes.append(path)
        if look.names_values:
            naming_values.append(path)
    if shared:
        shared.update(dict.fromkeys(control_planes, ()))
    builds = find_builds(paths_seen, [file.target.path for file in files], limits, naming_values)
    for file in files:
        path = file.target.path
        # what is built is searched as it is built, below
        if path in shared and not builds.documents_of(path):
            data = bytes_of(file, limits, NO_BUILDS)
            shared[path] = () if isinstance(data, Failure | None) else contributions_of(path, data, options)
    if builds is not NO_BUILDS:
        options = options._replace(run_context=options.run_context._replace(builds=builds))
        related, files = _with_builds(related, files, shared, options)
        failures += builds.failures
        report.notes += builds.notes
    contributions = [one for of_file in shared.values() for one in of_file]
    run_context = options.run_context.joined(contributions)
    search = search_around(paths, limits, options.find_options)
    releases = ReleaseFinder(search, (*run_context.pods, *run_context.image_tags, *shown_pods))

    def settle(path: str, contents: FileContents) -> None:
        if not options.settings_of(path).judged:
            contents.carried[:] = releases.with_readers(path, contents)

    run_context = related.resolve(run_context, _Reader(files, options.discover, builds), settle)
    if changed is not None:
        read = _Reader(files, options.discover, builds)
        affected = _affected(files, changed, options, run_context, (search, releases), read)
        affected |= _changed_builds(builds, changed | affected)
        seen += len(affected)
        files = [file for file in files if file.target.path in changed or file.target.path in affected]
    for file in files:
        if not options.settings_of(file.target.path).judged:
            releases.look_around(file.target.path)
    left_alone = sum(changed is None or path in changed for path in left_out)
    linters = Linters(options, run_context, releases)
    return LintSurvey(linters, files, failures, seen, report, left_alone, has_answers, logs)


def _mounted(
    left_out: dict[str, bytes], files: Sequence[SurveyedFile], options: RunOptions
) -> tuple[set[str], list[CcmPod]]:
    """Those of the examples and test data whose cloud.conf a CCM mounts, and the CCMs in them."""
    from ccmcheck.workspace.left_out import mounted

    def judged() -> Iterator[tuple[str, bytes]]:
        for file in files:
            data = bytes_of(file, options.discover, NO_BUILDS)
            if isinstance(data, bytes):
                yield file.target.path, data

    return mounted(left_out, judged, lambda path, data: _parsed(path, data, options))


def _changed(paths: Sequence[str], options: RunOptions, failures: list[Failure]) -> frozenset[str]:
    """The files that differ from the base, and standard input; what is no file is a failure."""
    found = [options.stdin_name]
    report = DiscoverReport()
    for target in discover.discover(
        [path for path in paths if path != STDIN], options.discover._replace(report=report)
    ):
        if isinstance(target, Failure):
            failures.append(target)
        else:
            found.append(target.path)
    return frozenset((*found, *report.left_out))


def _affected(
    files: Sequence[SurveyedFile],
    changed: frozenset[str],
    options: RunOptions,
    run_context: RunContext,
    releases: tuple[ReleaseSearch, ReleaseFinder],
    read: _Reader,
) -> frozenset[str]:
    """The files that did not change themselves, but what they are judged by."""
    from ccmcheck.workspace.affected_files import affected_by_release, affected_services

    def contents_of(path: str) -> FileContents | None:
        data = read(path)
        return _parsed(path, data, options) if data is not None else None

    same = [
        file.target.path
        for file in files
        if file.target.path not in changed and not options.settings_of(file.target.path).judged
    ]
    by_release = affected_by_release(same, changed, options.discover.diff_base, *releases, contents_of)
    return frozenset([*by_release, *affected_services(run_context, changed)])


def _changed_builds(builds: Builds, changed: frozenset[str]) -> frozenset[str]:
    """The kustomizations that are built from a file that changed."""
    if builds is NO_BUILDS:
        return frozenset()
    names = {os.path.normpath(path) for path in changed}
    return frozenset(path for path in builds.bundles if not names.isdisjoint(builds.bundles.files_of(path)))


def _with_builds(
    related: RelatedFiles, files: list[SurveyedFile], shared: dict[str, Sequence[RunContext]], options: RunOptions
) -> tuple[RelatedFiles, list[SurveyedFile]]:
    """The files of a run with the builds in the place of their kustomizations.

    Args:
        related: Knows the files.
        files: The files worth linting.
        shared: What each file says about the others; it is changed.
        options: What the run was asked for, with the builds.
    """
    builds = options.run_context.builds
    again = RelatedFiles(options.find_options)
    again.not_linted = related.not_linted
    read = _Reader(files, options.discover, NO_BUILDS)
    kept: list[SurveyedFile] = []
    is_named = False
    for file in files:
        path = file.target.path
        documents = builds.documents_of(path)
        is_named |= file.target.explicit and bool(documents)
        if os.path.normpath(path) in builds.bundles or WHOLE in documents:
            shared.pop(path, None)
            continue
        data = read(path)
        if data is not None:
            again.add(path, hints_of(data))
            if documents:
                shared[path] = contributions_of(path, data, options)
        kept.append(file)
    for path, bundle in builds.bundles.items():
        data = text.encode(bundle)
        again.add(path, hints_of(data))
        shared[path] = contributions_of(path, data, options)
        # named files hide the others of their builds, so that what is left is about them
        kept.append(SurveyedFile(Target(path, explicit=is_named), None))
    return again, kept


def bytes_of(file: SurveyedFile, limits: DiscoverOptions, builds: Builds) -> bytes | Failure | None:
    """The bytes of a file worth linting, from the survey where they were kept; the text of a build."""
    if file.target.path in builds.bundles:
        return text.encode(builds.bundles[file.target.path])
    if file.data is not None:
        return file.data
    return discover.read(file.target, limits.max_size_of(file.target.path), lambda _data, _path: True)


class _Reader:
    """Reads files of the run once more, from the survey where their bytes were kept.

    Args:
        files: The files worth linting.
        limits: Which files are read.
        builds: What kustomizations build.
    """

    def __init__(self, files: Sequence[SurveyedFile], limits: DiscoverOptions, builds: Builds) -> None:
        self._files = files
        self._limits = limits
        self._builds = builds
        self._by_path: dict[str, SurveyedFile] = {}

    def __call__(self, path: str) -> bytes | None:
        """A file's bytes; None where it cannot be read."""
        if not self._by_path:
            self._by_path = {file.target.path: file for file in self._files}
        file = self._by_path.get(path) or SurveyedFile(Target(path, explicit=True), None)
        data = bytes_of(file, self._limits, self._builds)
        return None if isinstance(data, Failure) else data


def contributions_of(path: str, data: bytes, options: RunOptions) -> Sequence[RunContext]:
    """What the rules about other files need of one file.

    Args:
        path: The file.
        data: Its bytes.
        options: What was asked for.
    """
    if not needed_by_other_files(data) and not may_make_control_plane(data):
        return ()
    contents = _parsed(path, data, options)
    return (contents.run_context,) if contents is not None else ()


def _parsed(path: str, data: bytes, options: RunOptions) -> FileContents | None:
    """What a file holds; None where it cannot be read."""
    try:
        return carriers.find(path, text.decode(data).text, options.find_options(path))
    except Exception as error:  # noqa: BLE001 - reported when the file itself is linted
        refuse_to_go_on(error)
        return None
