"""``ccmcheck fix``: show, check or write the smallest change that corrects what lint reports.

Writes the files that ``fix`` changed or shows the changes, and prints what was fixed and what was not.
"""

from __future__ import annotations

import sys
from contextlib import closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ccmcheck.base.atomic_write import FileChanged
from ccmcheck.base.budget import worked_off
from ccmcheck.base.errors import CcmcheckError, WrongUse
from ccmcheck.base.text import encode
from ccmcheck.cli import console
from ccmcheck.cli.fix_file import FixedFile, FixOptions, fix_build, fix_file, is_json, prints_stdin, writes
from ccmcheck.cli.options import STDIN, Given
from ccmcheck.cli.patches import Patches, check_use
from ccmcheck.cli.required import check_required, nothing_found
from ccmcheck.cli.run_options import ConfiguredOptions, run_options
from ccmcheck.cli.running import FOUND, UNREADABLE, CommandRun, declared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ccmcheck.catalog import Release
    from ccmcheck.fix.built_files import BuiltFiles
    from ccmcheck.fix.output_folder import OutputFolder
    from ccmcheck.lint.engine import Linter
    from ccmcheck.review.upgrade.preserved_settings import PreservedSetting
    from ccmcheck.workspace.discover import Target
    from ccmcheck.workspace.read_files import SurveyedFile


class FixOutput:
    """Writes and prints what became of the files, in their order.

    Args:
        arguments: The options.
        paths: The files.
    """

    def __init__(self, arguments: Given, paths: Sequence[str]) -> None:
        self.changed = self.made = self.kept = self.dropped = self.found = 0
        self.failed = False
        self._given = arguments
        self._patches: Patches | None = None
        self._folder: OutputFolder | None = None
        self._unsynced: set[str] = set()
        self._files: list[dict[str, object]] = []
        self._failures: list[dict[str, object]] = []
        if arguments.patch_format is not None:
            self._patches = Patches(arguments)
        elif arguments.output_dir is not None:
            from ccmcheck.fix.output_folder import OutputFolder

            self._folder = OutputFolder(arguments.output_dir, paths)

    def fail(self, path: str, message: str) -> None:
        """Say that a file could not be read or written."""
        self.failed = True
        self._failures.append({"path": path, "message": message})
        console.warn(f"{path}: {message}")

    def add(self, file: FixedFile) -> None:
        """Show or write one file; nothing is printed or counted where it cannot be written.

        Args:
            file: What became of it.

        Raises:
            FileChanged: It changed after it was read.
            InputError: It cannot be written.
        """
        arguments = self._given
        if file.error:
            self.fail(file.path, file.error)
            return
        if file.changed and arguments.write and not file.is_stdin:
            console.replace_file(file.path, encode(file.after), before=encode(file.before), unsynced=self._unsynced)
        elif file.changed and self._folder is not None:
            for note in self._folder.write(file.path, file.after):
                console.warn(note)
        self.found += file.found
        self.changed += file.changed
        self.made += file.made if file.changed else 0
        for place, message in file.failures:
            self.fail(place, message)
        self.kept += len(file.kept)
        self.dropped += len(file.not_kept) + len(file.left) + file.dropped
        if is_json(arguments):
            self._note(file)
            return
        if not arguments.quiet:
            for said in (*(file.kept if writes(arguments) else ()), *file.not_kept):
                console.warn(f"{file.path}: {said}")
        if self._patches is not None:
            self._patches.add(file.patches)
        if file.diff:
            console.write(file.diff)
        if file.is_stdin and prints_stdin(arguments):
            sys.stdout.buffer.write(encode(file.after))
        if not arguments.quiet:
            for said in file.left:
                console.warn(f"{file.path}: {said}")
            for line in (*(fix.text for fix in (*file.fixed, *file.unfixed)), *file.not_taken):
                console.warn(line)

    def _note(self, file: FixedFile) -> None:
        """Keep what JSON says of a file; nothing of one that has nothing to fix."""
        by_hand = (*file.not_kept, *file.left)
        if file.changed or file.unfixed or by_hand:
            fixes = {"fixed": file.fixed, "not_fixed": file.unfixed}
            data = {name: [fix._asdict() for fix in several] for name, several in fixes.items()}
            self._files.append(
                {"path": file.path, "changed": file.changed, **data, "kept": [*file.kept], "by_hand": [*by_hand]}
            )

    def close(self) -> int:
        """Show or write the patches, then the summary line.

        Returns:
            The exit code: 2 where a change got no patch.
        """
        if self._unsynced:
            from ccmcheck.base.atomic_write import sync_folders

            sync_folders(self._unsynced)
        code = self._patches.close() if self._patches is not None else 0
        if is_json(self._given):
            from ccmcheck.report.records import dumped_lines

            summary = {"fixed": self.made, "kept": self.kept, "by_hand": self.dropped, "written": writes(self._given)}
            document = {"version": 1, "files": self._files, "failures": self._failures, "summary": summary}
            console.write([dumped_lines(document)])
        elif not self._given.quiet:
            self._sum_up()
        return code

    def _sum_up(self) -> None:
        arguments = self._given
        done = "fixed" if writes(arguments) else "would be fixed"
        files = f"{self.changed} file{'' if self.changed == 1 else 's'}"
        left = f", {self.dropped} left to do by hand" if self.dropped else ""
        hint = "  Write with --write."
        if writes(arguments) or arguments.patch_format or not self.changed:
            hint = ""
        kept = f", {self.kept} value{'' if self.kept == 1 else 's'} kept as before" if self.kept else ""
        console.warn(f"{self.made} finding{'' if self.made == 1 else 's'} {done}{kept} in {files}{left}.{hint}")


@declared(
    "fix",
    "paths write diff check output_dir patch_format unsafe select ignore releases consumer old new kubernetes_version "
    "octavia_release nodes profiles config_from deployments require INPUTS with_secrets jobs formats color quiet",
    formats=("text", "json"),
    says={"profiles": "Also set what this profile requires; repeatable."},
)
def command(run: CommandRun) -> int:
    """Show or write the smallest change that corrects what lint reports.

    PATH is a file, a folder, a glob, or - for standard input, whose fixed text goes to standard output; without one,
    the current folder. Without --write nothing is changed and a diff is shown, decoded and with secrets masked.

    With --to, the values in effect are kept when the CCM is upgraded to that release, then the fixes for it are made.

    Exit code: with --check 1 if anything would change; 2 wrong use, or fewer cloud.confs than --require; 3 a file
    could not be read or written.
    """
    given = run.given
    if sum((given.write, given.check, given.output_dir is not None)) > 1:
        raise WrongUse("--write, --check and --output-dir exclude each other.")
    check_use(given)
    if is_json(given) and (given.patch_format is not None or given.diff):
        raise WrongUse("--format json excludes --diff and --patch.", "Leave one out.")
    return _fix(run, *for_upgrade(given))


def _fix(run: CommandRun, given: Given, upgrade: Callable[[Target, str, Linter], PreservedSetting] | None) -> int:
    from ccmcheck.fix.built_files import BuiltFiles
    from ccmcheck.fix.step import PROFILE
    from ccmcheck.lint import parallel
    from ccmcheck.lint.run_survey import survey_for_lint
    from ccmcheck.policy.profiles.contradictions import refuse_contradictions

    paths, inputs = run.paths, run.inputs
    given = given.but(paths=paths)
    options_of = ConfiguredOptions(given, inputs, base=run.base, only_fixes=True)
    options = run_options(given, inputs, options_of)
    if STDIN in paths:
        options = options._replace(stdin=inputs.filled_stdin)
    asked = (PROFILE,) if given.profiles else ()
    survey = survey_for_lint(paths, options)
    built = BuiltFiles(survey.linters.run_context.builds)
    files = [file for file in survey.files if not built.is_build(file.target.path)]
    linters = survey.linters.of_files(survey.files, options.stdin_name)  # before any fork, for all processes
    if asked or given.unsafe:
        for linter in linters:
            refuse_contradictions(linter.run_context.requirements)
    with_what = FixOptions(
        survey.linters,
        options_of,
        options.discover,
        given,
        asked,
        upgrade,
        options.stdin_name if STDIN in given.paths else "",
        console.wants_color(given.color or inputs.run.color or "auto"),
    )
    work = partial(fix_file, with_what)
    output = FixOutput(given, built.paths_of(file.target.path for file in survey.files))
    for failure in survey.failures:
        output.fail(failure.place, failure.message)
    count = parallel.processes(len(files), given.jobs)
    with closing(parallel.spread(work, files, count)) as results:
        # one after another: builds may have files in common
        builds = (
            (None, result)
            for file in survey.files
            if built.is_build(file.target.path)
            for result in fix_build(with_what, built, file.target)
        )
        each = chain(zip(files, results, strict=True), builds)
        worked_off(_added(each, output, built, work), "not all files were fixed")
    if not given.quiet and not (output.found or output.made or survey.linters.run_context.services or output.failed):
        nothing_found(survey.seen, survey.left_out)
    refused = output.close()
    check_required(given.require, output.found)
    if output.failed:
        return UNREADABLE
    return refused or (FOUND if given.check and output.changed else 0)


def _add(result: FixedFile, output: FixOutput, again: Callable[[], FixedFile] | None) -> None:
    try:
        output.add(result)
    except FileChanged:
        if again is None:
            raise
        output.add(again())


def _added(
    each: Iterable[tuple[SurveyedFile | None, FixedFile]],
    output: FixOutput,
    built: BuiltFiles,
    work: Callable[[SurveyedFile], FixedFile],
) -> Iterator[None]:
    """Show or write one file after another; what changed after it was read is fixed again."""
    for file, result in each:
        try:
            _add(result, output, None if file is None else partial(work, file._replace(data=None)))
        except CcmcheckError as error:
            output.fail(result.path, error.message)
        built.note(result.path, result.after, changed=result.changed)
        yield


def for_upgrade(given: Given) -> tuple[Given, Callable[[Target, str, Linter], PreservedSetting] | None]:
    """What ``--to`` makes of the arguments, and what it does to each file before its fixes; None without it.

    Raises:
        WrongUse: The options contradict each other, or the release is not newer than the one that runs.
    """
    if given.new is None:
        if given.old is not None:
            raise WrongUse("--from needs --to.", "Write ccmcheck fix --from 1.25 --to 1.36.")
        return given, None

    from ccmcheck import catalog
    from ccmcheck.review.upgrade.preserved_settings import PreservedSetting, SettingKeeper

    if given.releases or given.consumer:
        raise WrongUse("--to names the release; leave out --release and --consumer.")
    new = catalog.release(given.new)
    running = catalog.release(given.old) if given.old is not None else None
    if running is not None and not running < new:
        raise WrongUse(f"{new.name} is not newer than {running.name}.", "Give the older release with --from.")

    def keep(target: Target, text: str, linter: Linter) -> PreservedSetting:
        path, explicit = target
        old = running or _running_release(target, text, linter)
        if not old < new:
            return PreservedSetting(text)
        options = linter.find_options(path, explicit=explicit)
        return SettingKeeper(old, new, options, unsafe=given.unsafe).keep(path, text)

    return given.but(releases=(given.new,)), keep


def _running_release(target: Target, text: str, linter: Linter) -> Release:
    """The release that reads a file's first cloud.conf now."""
    from ccmcheck.carriers import find

    path, explicit = target
    contents = find(path, text, linter.settings.find._replace(explicit=explicit))
    found = linter.releases.of_file(path, (*contents.pods, *contents.run_context.image_tags))
    first = next(iter(contents.carried), None)
    return (found.of_text(first) if first is not None else found.of()).target.release
