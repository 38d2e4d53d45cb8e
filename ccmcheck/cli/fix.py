"""``ccmcheck fix``: show, check or write the smallest change that corrects what lint reports."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.atomic_write import FileChanged
from ccmcheck.base.errors import CcmcheckError, WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.base.text import decode, encode
from ccmcheck.cli import completion, console
from ccmcheck.cli.command import CHANGE, Command, option, options
from ccmcheck.cli.options import (
    CHECK,
    COLOR,
    CONFIG_FROM,
    CONSUMER,
    DIFF,
    FROM,
    IGNORE,
    KUBERNETES_VERSION,
    NODES,
    OCTAVIA_RELEASE,
    OUTPUT_DIR,
    QUIET,
    RELEASE,
    REQUIRE,
    SELECT,
    STDIN,
    TO,
    WITH_SECRETS,
    InputArguments,
    input_options,
    profile_option,
)
from ccmcheck.cli.patches import PATCH, Patches, check_use
from ccmcheck.cli.required import check_required, nothing_found
from ccmcheck.cli.resolve import (
    ConfiguredOptions,
    base_revision,
    names,
    or_current_folder,
    resolve_inputs,
    run_options,
)
from ccmcheck.fix.diff import differences
from ccmcheck.lint.runner import bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.catalog import Release
    from ccmcheck.fix.output_folder import OutputFolder
    from ccmcheck.fix.passes import FixResult, Outcome
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.runner import Linters
    from ccmcheck.policy.profiles.standards import Standards
    from ccmcheck.review.upgrade.preserved_settings import PreservedSetting
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.discover import Target

WOULD_CHANGE, UNREADABLE = 1, 3


@click.command(
    "fix",
    cls=Command,
    short_help="Show or write the smallest change that corrects what lint reports.",
    examples=(
        ("ccmcheck fix", "See what would change"),
        ("ccmcheck fix --write secret.yaml", "Change a file in place"),
        ("ccmcheck fix --patch kustomize --output-dir patches .", "Patches for kustomize instead"),
        ("ccmcheck fix --from 1.25 --to 1.36 --write .", "Prepare files for an upgrade of the CCM"),
    ),
    retired={
        "--only": "Write --select.",
        "--output": "Write --output-dir DIR.",
        "--for-release": "Write --to R.",
        "--fix": "Write --write.",
    },
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=completion.files)
@options(
    option("--write", section=CHANGE, is_flag=True, help="Change the files in place."),
    DIFF,
    CHECK,
    OUTPUT_DIR,
    PATCH,
    option("--unsafe", section=CHANGE, is_flag=True, help="Also make the fixes that change what the CCM does."),
    SELECT,
    IGNORE,
    RELEASE,
    CONSUMER,
    FROM,
    TO,
    KUBERNETES_VERSION,
    OCTAVIA_RELEASE,
    NODES,
    profile_option("Also set what this profile requires; repeatable."),
    CONFIG_FROM,
    REQUIRE,
)
@input_options
@options(WITH_SECRETS, COLOR, QUIET)
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what FixArguments declares
    """Show or write the smallest change that corrects what lint reports.

    PATH is a file, a folder, a glob, or - for standard input, whose fixed text goes to standard output; without one,
    the current folder. Without --write nothing is changed and a diff is shown, decoded and with secrets masked.

    With --to, the values in effect are kept when the CCM is upgraded to that release, then the fixes for it are made.

    Exit code: with --check 1 if anything would change; 2 wrong use, or fewer cloud.confs than --require; 3 a file
    could not be read or written.
    """
    return fix(FixArguments(**values))


class FixArguments(NamedTuple):
    """The arguments of ``fix``; see the options above."""

    paths: tuple[str, ...]
    inputs: InputArguments
    config_from: str | None
    require: int
    releases: tuple[str, ...]
    consumer: str | None
    old: str | None
    new: str | None
    kubernetes_version: str
    octavia_release: str
    nodes: int | None
    write: bool
    diff: bool
    check: bool
    output_dir: str | None
    unsafe: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    color: str | None
    quiet: bool
    patch_format: str | None
    with_secrets: bool
    profiles: Standards


def fix(arguments: FixArguments) -> int:
    """Fix the files, and return the exit code.

    Raises:
        CcmcheckError: Wrong use or a configuration that cannot be used.
    """
    if sum((arguments.write, arguments.check, arguments.output_dir is not None)) > 1:
        raise WrongUse("--write, --check and --output-dir exclude each other.")
    check_use(
        arguments.patch_format,
        with_secrets=arguments.with_secrets,
        others=arguments.write or arguments.check or arguments.diff,
    )
    arguments, upgrade = for_upgrade(arguments)
    paths = or_current_folder(arguments.paths)
    with base_revision(paths, arguments.config_from) as base:
        return _fix(arguments, upgrade, paths, base)


def _fix(
    arguments: FixArguments,
    upgrade: Callable[[Target, str, Linter], PreservedSetting] | None,
    paths: tuple[str, ...],
    base: BaseRevision | None,
) -> int:
    from ccmcheck.fix.passes import PROFILE, fix_text
    from ccmcheck.fix.profile import left_alone
    from ccmcheck.lint.engine import why_not_taken
    from ccmcheck.lint.runner import survey_for_lint
    from ccmcheck.policy.profiles.contradictions import refuse_contradictions

    inputs = resolve_inputs(arguments.inputs, paths, base)
    options_of = ConfiguredOptions(
        arguments,
        inputs,
        select=names(arguments.select),
        ignore=names(arguments.ignore),
        profiles=arguments.profiles,
        base=base,
        only_fixes=True,
    )
    options = run_options(arguments, inputs, options_of)
    asked = (PROFILE,) if arguments.profiles.names else ()
    arguments = arguments._replace(color=arguments.color or inputs.run.color)
    survey = survey_for_lint(paths, options)
    if asked or arguments.unsafe:
        for linter in survey.linters.of_files(survey.files, options.stdin_name):
            refuse_contradictions(linter.run_context.requirements)
    output = FixOutput(arguments, survey.linters, [file.target.path for file in survey.files])
    for failure in survey.failures:
        output.fail(failure.place, failure.message)

    def fix_file(target: Target, data: bytes | Failure | None) -> None:
        path, explicit = target
        if isinstance(data, Failure):
            output.fail(path, data.message)
        elif data is not None:
            text = decode(data).text
            linter = survey.linters.of(path)
            kept = upgrade(target, text, linter) if upgrade is not None else None
            start = kept.text if kept is not None else text
            wanted = options_of(path).fixes
            result = fix_text(
                path, start, linter, unsafe=arguments.unsafe, wanted=wanted, asked=asked, explicit=explicit
            )
            left = left_alone(result.last, linter.run_context) if asked else []
            is_stdin = STDIN in arguments.paths and path == options.stdin_name
            output.add(result._replace(before=text), left, is_stdin=is_stdin, kept=kept)
            if explicit and not result.last.carried and not arguments.quiet:
                for carried in result.last.not_taken:
                    console.warn(why_not_taken(path, carried))

    for file in survey.files:
        path = file.target.path
        try:
            try:
                fix_file(file.target, bytes_of(file, options.discover))
            except FileChanged:
                fix_file(file.target, bytes_of(file._replace(data=None), options.discover))
        except CcmcheckError as error:
            output.fail(path, error.message)
    if not arguments.quiet and not (output.found or survey.linters.run_context.services or output.failed):
        nothing_found(survey.seen)
    refused = output.close()
    check_required(arguments.require, output.found)
    if output.failed:
        return UNREADABLE
    return refused or (WOULD_CHANGE if arguments.check and output.changed else 0)


def for_upgrade(
    arguments: FixArguments,
) -> tuple[FixArguments, Callable[[Target, str, Linter], PreservedSetting] | None]:
    """What ``--to`` makes of the arguments, and what it does to each file before its fixes; None without it.

    Raises:
        WrongUse: The options contradict each other, or the release is not newer than the one that runs.
    """
    if arguments.new is None:
        if arguments.old is not None:
            raise WrongUse("--from needs --to.", "Write ccmcheck fix --from 1.25 --to 1.36.")
        return arguments, None

    from ccmcheck import catalog
    from ccmcheck.review.upgrade.preserved_settings import PreservedSetting, SettingKeeper

    if arguments.releases or arguments.consumer:
        raise WrongUse("--to names the release; leave out --release and --consumer.")
    new = catalog.release(arguments.new)
    running = catalog.release(arguments.old) if arguments.old is not None else None
    if running is not None and not running < new:
        raise WrongUse(f"{new.name} is not newer than {running.name}.", "Give the older release with --from.")

    def keep(target: Target, text: str, linter: Linter) -> PreservedSetting:
        path, explicit = target
        old = running or _running_release(target, text, linter)
        if not old < new:
            return PreservedSetting(text)
        options = linter.settings.find._replace(explicit=explicit)
        return SettingKeeper(old, new, options, unsafe=arguments.unsafe).keep(path, text)

    return arguments._replace(releases=(arguments.new,)), keep


def _running_release(target: Target, text: str, linter: Linter) -> Release:
    """The release that reads a file's first cloud.conf now."""
    from ccmcheck.carriers import find

    path, explicit = target
    contents = find(path, text, linter.settings.find._replace(explicit=explicit))
    found = linter.releases.of_file(path, (*contents.pods, *contents.run_context.image_tags))
    first = next(iter(contents.carried), None)
    return (found.of(first.document, first.subject) if first is not None else found.of()).target.release


class FixOutput:
    """Shows or writes the changed files, and prints what was fixed and what was not.

    Args:
        arguments: The options.
        linters: Looked through the files.
        paths: The files.
    """

    def __init__(self, arguments: FixArguments, linters: Linters, paths: Sequence[str]) -> None:
        self.changed = self.made = self.kept = self.dropped = self.found = 0
        self.failed = False
        self._given = arguments
        self._linters = linters
        self._color = console.wants_color(arguments.color or "auto")
        self._patches: Patches | None = None
        self._folder: OutputFolder | None = None
        if arguments.patch_format is not None:
            self._patches = Patches(
                arguments.patch_format, arguments.output_dir, with_secrets=arguments.with_secrets, quiet=arguments.quiet
            )
        elif arguments.output_dir is not None:
            from ccmcheck.fix.output_folder import OutputFolder

            self._folder = OutputFolder(arguments.output_dir, paths)

    @property
    def _writes(self) -> bool:
        """Whether files change, or are written changed."""
        arguments = self._given
        return arguments.patch_format is None and (arguments.write or arguments.output_dir is not None)

    def fail(self, path: str, message: str) -> None:
        """Say that a file could not be read or written."""
        self.failed = True
        console.warn(f"{path}: {message}")

    def _keep(self, path: str, kept: PreservedSetting) -> None:
        """Say what keeps in effect what is, and what changes all the same."""
        self.kept += len(kept.done)
        self.dropped += len(kept.left)
        if not self._given.quiet:
            for said in (*(kept.done if self._writes else ()), *kept.left):
                console.warn(f"{path}: {said}")

    def add(
        self, result: FixResult, left: Sequence[str], *, is_stdin: bool, kept: PreservedSetting | None = None
    ) -> None:
        """Show or write one file; nothing is printed or counted where it cannot be written.

        Args:
            result: What became of it.
            left: What of a profile could not be set, in words.
            is_stdin: Whether it is standard input.
            kept: What keeps in effect what is; None without an upgrade.

        Raises:
            FileChanged: It changed after it was read.
            InputError: It cannot be written.
        """
        arguments = self._given
        to_stdout = is_stdin and not (
            arguments.diff or arguments.check or arguments.output_dir or arguments.patch_format
        )
        changed = result.after != result.before
        in_place = arguments.write and not is_stdin
        if changed and in_place:
            console.replace_file(result.path, encode(result.after), before=encode(result.before))
        elif changed and self._folder is not None:
            for note in self._folder.write(result.path, result.after):
                console.warn(note)
        self.found += len(result.last.carried)
        for failure in result.last.failures:
            self.fail(result.path, failure.message)
        if kept is not None:
            self._keep(result.path, kept)
        if changed:
            self.changed += 1
            self.made += len(result.done)
            if self._patches is not None:
                self._patches.add(result.path, result.before, result.after, is_stdin=is_stdin)
            elif not (in_place or self._folder or to_stdout) and not (arguments.check and arguments.quiet):
                find = self._linters.of(result.path).settings.find
                lines = differences(result.path, result.before, result.after, find)
                console.write(console.painted_diff(lines, color=self._color))
        if to_stdout:
            sys.stdout.buffer.write(encode(result.after))
        if not arguments.quiet:
            for said in left:
                console.warn(f"{result.path}: {said}")
            for outcome in result.done if self._writes else ():
                self._print_outcome(outcome, "fixed")
            for outcome in result.dropped:
                self._print_outcome(outcome, "not fixed")
        self.dropped += len(result.dropped) + len(left)

    def close(self) -> int:
        """Show or write the patches, then the summary line.

        Returns:
            The exit code: 2 where a change got no patch.
        """
        arguments = self._given
        code = self._patches.close() if self._patches is not None else 0
        if not arguments.quiet:
            self._sum_up()
        return code

    def _sum_up(self) -> None:
        arguments = self._given
        done = "fixed" if self._writes else "would be fixed"
        files = f"{self.changed} file{'' if self.changed == 1 else 's'}"
        left = f", {self.dropped} left to do by hand" if self.dropped else ""
        hint = "  Write with --write."
        if self._writes or arguments.patch_format or not self.changed:
            hint = ""
        kept = f", {self.kept} value{'' if self.kept == 1 else 's'} kept as before" if self.kept else ""
        console.warn(f"{self.made} finding{'' if self.made == 1 else 's'} {done}{kept} in {files}{left}.{hint}")

    def _print_outcome(self, outcome: Outcome, word: str) -> None:
        place = outcome.finding.place
        inner = "" if place.exact else f" (line {place.inner_line} inside)"
        reason = f": {outcome.reason}. {outcome.finding.help}" if outcome.reason else ""
        console.warn(f"{place.path}:{place.line}{inner} {outcome.finding.rule} {word}: {outcome.title}{reason}")
