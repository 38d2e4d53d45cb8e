"""``ccmcheck fix``: show, check or write the smallest change that does what was meant."""

# pathlib is slow to import:
# ruff: noqa: PTH103, PTH117, PTH118, PTH119, PTH120

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.atomic_write import replace
from ccmcheck.base.errors import CcmcheckError, InputError, WrongUse
from ccmcheck.base.escape import printable
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.base.text import decode, encode
from ccmcheck.cli import completion, console
from ccmcheck.cli.options import (
    STDIN,
    base_revision,
    cluster_options,
    config_options,
    load_config,
    names,
    profile_options,
    release_options,
    run_options,
    variable_options,
)
from ccmcheck.cli.patching import Patches, check_use, patch_options
from ccmcheck.fix.diff import differences
from ccmcheck.lint.runner import bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ccmcheck.fix.passes import FixResult, Outcome
    from ccmcheck.lint.engine import Linter
    from ccmcheck.policy.profiles.standards import Standards
    from ccmcheck.review.upgrade.preserved_settings import PreservedSetting
    from ccmcheck.workspace.base_revision import BaseRevision

COLORS = {"-": "red", "+": "green", "@": "cyan"}
WOULD_CHANGE, UNREADABLE = 1, 3


@click.command("fix", short_help="Write, or show, the smallest change that does what was meant.")
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=completion.files)
@release_options
@variable_options
@config_options
@cluster_options
@profile_options("Also set what this profile wants; several may be given.")
@click.option("--write", is_flag=True, help="Change the files in place.")
@click.option("--diff", is_flag=True, help="Show what would change (this is what happens without --write).")
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if anything would change.")
@click.option("--output", metavar="DIR", help="Write the changed files, or the patches, below this folder instead.")
@patch_options
@click.option(
    "--for-release",
    metavar="R",
    help="Upgrade the CCM to R: keep in effect what is, then make the fixes for R.",
)
@click.option(
    "--from", "old", metavar="R", help="With --for-release: what runs now. Default: the CCM's image among the files."
)
@click.option("--unsafe", is_flag=True, help="Also make the fixes that change what the CCM does.")
@click.option(
    "--only",
    multiple=True,
    metavar="RULE",
    shell_complete=completion.rules,
    help="Only the fixes of these rules or groups.",
)
@click.option("--exclude", "without", multiple=True, metavar="RULE", help="Not the fixes of these rules or groups.")
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input (`-`).")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), help="Default: auto, which heeds NO_COLOR.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say what was done.")
def command(**options: Any) -> int:  # noqa: ANN401 - click hands over what FixArguments declares
    """Write, or show, the smallest change that does what was meant.

    PATH is a file, a folder, a glob, or - for standard input, whose fixed text goes to standard output. Without --write
    nothing is changed and a difference is shown, decoded and with secrets masked. Exit code: with --check 1 if anything
    would change; 3 where a file could not be read or written.
    """
    return fix(FixArguments(**options))


class FixArguments(NamedTuple):
    """What was typed; see the options above."""

    paths: tuple[str, ...]
    releases: tuple[str, ...]
    consumer: str | None
    variables: tuple[str, ...]
    env_files: tuple[str, ...]
    config_file: str | None
    no_config: bool
    config_from: str | None
    trust_config: bool
    kubernetes_version: str | None
    octavia_release: str | None
    nodes: int | None
    template: bool | None
    max_size: int | None
    write: bool
    diff: bool
    check: bool
    output: str | None
    unsafe: bool
    only: tuple[str, ...]
    without: tuple[str, ...]
    stdin_filename: str | None
    color: str | None
    quiet: bool
    patch_format: str | None
    with_secrets: bool
    profiles: Standards
    for_release: str | None
    old: str | None


def fix(given: FixArguments) -> int:
    """Fix what the arguments name, and tell the exit code.

    Raises:
        CcmcheckError: Wrong use or a configuration that cannot be used.
    """
    if sum((given.write, given.check, given.output is not None)) > 1:
        raise WrongUse("--write, --check and --output exclude each other.")
    check_use(given.patch_format, with_secrets=given.with_secrets, others=given.write or given.check or given.diff)
    given, upgrade = for_release(given)
    paths = given.paths or (os.curdir,)
    with base_revision(paths, given.config_from) as base:
        return _fix(given, upgrade, paths, base)


def _fix(
    given: FixArguments,
    upgrade: Callable[[str, str, Linter], PreservedSetting] | None,
    paths: Sequence[str],
    base: BaseRevision | None,
) -> int:
    from ccmcheck.fix.passes import PROFILE, fix_text
    from ccmcheck.fix.profile import left_alone
    from ccmcheck.lint.runner import survey_for_lint
    from ccmcheck.policy.profiles.contradictions import refuse_contradictions

    config = load_config(paths, given.config_file, given.no_config, trusted=given.trust_config, base=base)
    options = run_options(given, config, profiles=given.profiles, base=base)
    asked = (PROFILE,) if given.profiles.names else ()
    if asked or given.unsafe:
        refuse_contradictions(options.bundle.requirements)
    wanted = wanted_rules(given.only, given.without)
    survey = survey_for_lint(paths, options)
    teller = Teller(given, survey.linter)
    for failure in survey.failures:
        teller.fail(failure.place, failure.message)
    for file in survey.files:
        path = file.target.path
        try:
            data = bytes_of(file, options.discover.max_size)
            if isinstance(data, Failure):
                teller.fail(path, data.message)
            elif data is not None:
                text = decode(data).text
                kept = upgrade(path, text, survey.linter) if upgrade is not None else None
                start = kept.text if kept is not None else text
                result = fix_text(path, start, survey.linter, unsafe=given.unsafe, wanted=wanted, asked=asked)
                left = left_alone(result.last, survey.linter.bundle) if asked else []
                is_stdin = STDIN in given.paths and path == options.stdin_name
                if kept is not None:
                    teller.keep(path, kept)
                teller.take(result._replace(before=text), left, is_stdin=is_stdin)
        except CcmcheckError as error:
            teller.fail(path, error.message)
    refused = teller.close()
    if teller.failed:
        return UNREADABLE
    return refused or (WOULD_CHANGE if given.check and teller.changed else 0)


def for_release(given: FixArguments) -> tuple[FixArguments, Callable[[str, str, Linter], PreservedSetting] | None]:
    """What ``--for-release`` makes of the arguments, and what it does to each file before its fixes; None without it.

    Raises:
        WrongUse: The options contradict each other, or the release is not newer than the one that runs.
    """
    if given.for_release is None:
        if given.old is not None:
            raise WrongUse("--from is for --for-release.")
        return given, None

    from ccmcheck import catalog
    from ccmcheck.conf.target_release import target_releases
    from ccmcheck.review.upgrade.preserved_settings import PreservedSetting, SettingKeeper

    if given.releases or given.consumer:
        raise WrongUse("--for-release names the release already; leave out --release and --consumer.")
    new = catalog.release(given.for_release)
    running = catalog.release(given.old) if given.old is not None else None
    if running is not None and not running < new:
        raise WrongUse(f"{new.name} is not newer than {running.name}.", "Give the older release with --from.")

    def keep(path: str, text: str, linter: Linter) -> PreservedSetting:
        old = running or target_releases(path, (), linter.bundle.pods)[0].release
        if not old < new:
            return PreservedSetting(text)
        return SettingKeeper(old, new, linter.settings.find, unsafe=given.unsafe).keep(path, text)

    return given._replace(releases=(given.for_release,)), keep


def wanted_rules(only: tuple[str, ...], without: tuple[str, ...]) -> Callable[[str], bool]:
    """Which rules' fixes to make.

    Raises:
        WrongUse: There is no rule or group of a name.
    """
    from ccmcheck.lint.selection import severities

    off = severities(names(only), names(without), {})
    return lambda rule: rule not in off


class Teller:
    """Shows or writes what became of each file, and says in words what was done and what was not.

    Args:
        given: What was typed.
        linter: Looked through the files.
    """

    def __init__(self, given: FixArguments, linter: Linter) -> None:
        self.changed = self.made = self.kept = self.dropped = 0
        self.failed = False
        self._given = given
        self._linter = linter
        self._color = console.wants_color(given.color or "auto")
        self._patches: Patches | None = None
        if given.patch_format is not None:
            self._patches = Patches(
                given.patch_format, given.output, with_secrets=given.with_secrets, quiet=given.quiet
            )

    @property
    def _writes(self) -> bool:
        """Whether files change, or are written changed."""
        given = self._given
        return given.patch_format is None and (given.write or given.output is not None)

    def fail(self, path: str, message: str) -> None:
        """Say that a file could not be read or written."""
        self.failed = True
        console.warn(f"{path}: {message}")

    def keep(self, path: str, kept: PreservedSetting) -> None:
        """Say what keeps in effect what is, and what changes all the same."""
        self.kept += len(kept.done)
        self.dropped += len(kept.left)
        if not self._given.quiet:
            for said in (*(kept.done if self._writes else ()), *kept.left):
                console.warn(f"{path}: {said}")

    def take(self, result: FixResult, left: Sequence[str], *, is_stdin: bool) -> None:
        """Show or write one file.

        Args:
            result: What became of it.
            left: What of a profile could not be set, in words.
            is_stdin: Whether it is standard input.

        Raises:
            InputError: It cannot be written.
        """
        given = self._given
        to_stdout = is_stdin and not (given.diff or given.check or given.output or given.patch_format)
        for failure in result.last.failures:
            self.fail(result.path, failure.message)
        if result.after != result.before:
            self.changed += 1
            self.made += len(result.done)
            if self._patches is not None:
                self._patches.take(result.path, result.before, result.after, is_stdin=is_stdin)
            elif given.write and not is_stdin:
                replace(result.path, encode(result.after))
            elif given.output is not None:
                self._put_aside(given.output, result)
            elif not to_stdout and not (given.check and given.quiet):
                find = self._linter.settings.find
                console.write(self._painted(differences(result.path, result.before, result.after, find)))
        if to_stdout:
            sys.stdout.buffer.write(encode(result.after))
        if not given.quiet:
            for said in left:
                console.warn(f"{result.path}: {said}")
            for outcome in result.done if self._writes else ():
                self._say(outcome, "fixed")
            for outcome in result.dropped:
                self._say(outcome, "not fixed")
        self.dropped += len(result.dropped) + len(left)

    def close(self) -> int:
        """Show or write the patches, then the summary line.

        Returns:
            The exit code: 2 where a change got no patch.
        """
        given = self._given
        code = self._patches.close() if self._patches is not None else 0
        if not given.quiet:
            self._sum_up()
        return code

    def _sum_up(self) -> None:
        given = self._given
        done = "fixed" if self._writes else "would be fixed"
        files = f"{self.changed} file{'' if self.changed == 1 else 's'}"
        left = f", {self.dropped} left to do by hand" if self.dropped else ""
        hint = "  Write with --write."
        if self._writes or given.patch_format or not self.changed:
            hint = ""
        kept = f", {self.kept} value{'' if self.kept == 1 else 's'} kept as before" if self.kept else ""
        console.warn(f"{self.made} finding{'' if self.made == 1 else 's'} {done}{kept} in {files}{left}.{hint}")

    def _put_aside(self, folder: str, result: FixResult) -> None:
        relative = os.path.normpath(os.path.relpath(result.path))
        if relative.startswith(os.pardir) or os.path.isabs(relative):
            relative = os.path.basename(result.path)
        target = os.path.join(folder, relative)
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
        except OSError as error:
            raise InputError(f"{target} cannot be written: {error.strerror}") from None
        replace(target, encode(result.after))

    def _painted(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            shown = printable(line)
            color = COLORS.get(line[:1]) if self._color else None
            yield f"{click.style(shown, fg=color) if color else shown}\n"

    def _say(self, outcome: Outcome, word: str) -> None:
        place = outcome.finding.place
        inner = "" if place.exact else f" (line {place.inner_line} inside)"
        reason = f": {outcome.reason}. {outcome.finding.help}" if outcome.reason else ""
        console.warn(f"{place.path}:{place.line}{inner} {outcome.finding.rule} {word}: {outcome.title}{reason}")
