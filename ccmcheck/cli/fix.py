"""``ccmcheck fix``: show, check or write the smallest change that corrects what lint reports."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.atomic_write import FileChanged
from ccmcheck.base.errors import CcmcheckError, WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.command import CHANGE, Command, option, options
from ccmcheck.cli.fix_arguments import FixArguments
from ccmcheck.cli.fix_file import FixOptions, fix_build, fix_file
from ccmcheck.cli.fix_output import FixOutput, shows_diff, writes
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import (
    CHECK,
    COLOR,
    CONFIG_FROM,
    CONSUMER,
    DIFF,
    FROM,
    IGNORE,
    JOBS,
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
    input_options,
    profile_option,
)
from ccmcheck.cli.patches import PATCH, check_use
from ccmcheck.cli.required import check_required, nothing_found
from ccmcheck.cli.resolve import base_revision, names, or_current_folder, profiles_of_run, resolve_inputs
from ccmcheck.cli.run_options import ConfiguredOptions, run_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.catalog import Release
    from ccmcheck.lint.engine import Linter
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
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_files)
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
    profile_option("Also set what this profile requires; repeatable.", load=False),
    CONFIG_FROM,
    REQUIRE,
)
@input_options
@options(WITH_SECRETS, JOBS, COLOR, QUIET)
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what FixArguments declares
    """Show or write the smallest change that corrects what lint reports.

    PATH is a file, a folder, a glob, or - for standard input, whose fixed text goes to standard output; without one,
    the current folder. Without --write nothing is changed and a diff is shown, decoded and with secrets masked.

    With --to, the values in effect are kept when the CCM is upgraded to that release, then the fixes for it are made.

    Exit code: with --check 1 if anything would change; 2 wrong use, or fewer cloud.confs than --require; 3 a file
    could not be read or written.
    """
    return fix(FixArguments(**values))


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
    from ccmcheck.fix.built_files import BuiltFiles
    from ccmcheck.fix.step import PROFILE
    from ccmcheck.lint import parallel
    from ccmcheck.lint.run_survey import survey_for_lint
    from ccmcheck.policy.profiles.contradictions import refuse_contradictions

    inputs = resolve_inputs(arguments.inputs, paths, base)
    profiles = profiles_of_run(arguments.profiles, base, arguments.inputs, quiet=arguments.quiet)
    options_of = ConfiguredOptions(
        arguments,
        inputs,
        select=names(arguments.select),
        ignore=names(arguments.ignore),
        profiles=profiles,
        base=base,
        only_fixes=True,
    )
    options = run_options(arguments, inputs, options_of)
    asked = (PROFILE,) if profiles.names else ()
    survey = survey_for_lint(paths, options)
    built = BuiltFiles(survey.linters.run_context.builds)
    files = [file for file in survey.files if not built.is_build(file.target.path)]
    linters = survey.linters.of_files(survey.files, options.stdin_name)  # before any fork, for all processes
    if asked or arguments.unsafe:
        for linter in linters:
            refuse_contradictions(linter.run_context.requirements)
    with_what = FixOptions(
        survey.linters,
        options_of,
        options.discover,
        unsafe=arguments.unsafe,
        asked=asked,
        upgrade=upgrade,
        stdin=options.stdin_name if STDIN in arguments.paths else "",
        patch_format=arguments.patch_format,
        shows_fixed=writes(arguments) and not arguments.quiet,
        shows_unfixed=not arguments.quiet,
        shows_diff=shows_diff(arguments, is_stdin=False),
        shows_stdin_diff=shows_diff(arguments, is_stdin=True),
        color=console.wants_color(arguments.color or inputs.run.color or "auto"),
    )
    work = partial(fix_file, with_what)
    output = FixOutput(arguments, built.paths_of(file.target.path for file in survey.files))
    for failure in survey.failures:
        output.fail(failure.place, failure.message)
    count = parallel.processes(len(files), arguments.jobs)
    with closing(parallel.spread(work, files, count)) as results:
        for file, result in zip(files, results, strict=True):
            try:
                try:
                    output.add(result)
                except FileChanged:
                    output.add(work(file._replace(data=None)))
            except CcmcheckError as error:
                output.fail(result.path, error.message)
            built.note(result.path, result.after, changed=result.changed)
    for file in survey.files:  # one after another: builds may have files in common
        if not built.is_build(file.target.path):
            continue
        for result in fix_build(with_what, built, file.target):
            try:
                output.add(result)
            except CcmcheckError as error:
                output.fail(result.path, error.message)
            built.note(result.path, result.after, changed=result.changed)
    if not arguments.quiet and not (output.found or survey.linters.run_context.services or output.failed):
        nothing_found(survey.seen, survey.left_out)
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
        options = linter.find_options(path, explicit=explicit)
        return SettingKeeper(old, new, options, unsafe=arguments.unsafe).keep(path, text)

    return arguments._replace(releases=(arguments.new,)), keep


def _running_release(target: Target, text: str, linter: Linter) -> Release:
    """The release that reads a file's first cloud.conf now."""
    from ccmcheck.carriers import find

    path, explicit = target
    contents = find(path, text, linter.settings.find._replace(explicit=explicit))
    found = linter.releases.of_file(path, (*contents.pods, *contents.run_context.image_tags))
    first = next(iter(contents.carried), None)
    return (found.of_text(first) if first is not None else found.of()).target.release
