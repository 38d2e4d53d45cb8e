"""What becomes of one file under ``fix``, ready to be written and printed.

It is worked out in a worker process where there are many files, so it holds texts alone; only the process that the user
started writes and prints.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ccmcheck.base.errors import CcmcheckError
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.base.text import decode
from ccmcheck.cli import console
from ccmcheck.cli.options import Given
from ccmcheck.cli.patches import FilePatches, patches_of
from ccmcheck.lint.run_survey import bytes_of
from ccmcheck.workspace.discover import DiscoverOptions, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from ccmcheck.base.model import Place
    from ccmcheck.fix.built_files import BuiltFiles
    from ccmcheck.fix.passes import FixOutcome, FixResult
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.file_analysis import LocatedProblem
    from ccmcheck.lint.run_options import FileOptions, Linters
    from ccmcheck.review.upgrade.preserved_settings import PreservedSetting
    from ccmcheck.workspace.read_files import SurveyedFile


def is_json(arguments: Given) -> bool:
    """Whether the report is for programs."""
    return "json" in arguments.formats


def writes(arguments: Given) -> bool:
    """Whether files change, or are written changed."""
    return arguments.patch_format is None and (arguments.write or arguments.output_dir is not None)


def prints_stdin(arguments: Given) -> bool:
    """Whether the fixed text of standard input goes to standard output."""
    return not (
        is_json(arguments) or arguments.diff or arguments.check or arguments.output_dir or arguments.patch_format
    )


def shows_diff(arguments: Given, *, is_stdin: bool) -> bool:
    """Whether the changes of a file, or of standard input, are shown."""
    if arguments.patch_format is not None or arguments.output_dir is not None or is_json(arguments):
        return False
    if arguments.check and arguments.quiet:
        return False
    return not (prints_stdin(arguments) if is_stdin else arguments.write)


class FixOptions(NamedTuple):
    """What the files of a run are fixed with.

    Attributes:
        linters: Look through the files.
        options_of: The options of a file.
        limits: Which files are read.
        given: What the command line says.
        asked: Rules whose fixes were asked for by name.
        upgrade: What happens to a file before its fixes; None without ``--to``.
        stdin: What standard input is called; empty where it is not fixed.
        color: Whether differences have colours.
    """

    linters: Linters
    options_of: Callable[[str], FileOptions]
    limits: DiscoverOptions
    given: Given
    asked: Collection[str]
    upgrade: Callable[[Target, str, Linter], PreservedSetting] | None
    stdin: str
    color: bool


class FixNote(NamedTuple):
    """One fix that was made, or that could not be.

    Attributes:
        path: The file.
        line: The line of its finding.
        inner_line: The line inside of what is encoded there; None where ``line`` says it.
        rule: The rule.
        title: What it does.
        reason: Why it could not be made; empty where it was.
        help: What to do by hand then.
    """

    path: str
    line: int
    inner_line: int | None
    rule: str
    title: str
    reason: str
    help: str

    @property
    def text(self) -> str:
        """As a line."""
        inner = "" if self.inner_line is None else f" (line {self.inner_line} inside)"
        place = f"{self.path}:{self.line}{inner} {self.rule}"
        if not self.reason:
            return f"{place} fixed: {self.title}"
        if self.reason in self.help:  # which says what to do, too
            return f"{place} not fixed: {self.help}"
        return f"{place} not fixed: {self.title}: {self.reason}. {self.help}"


class FixedFile(NamedTuple):
    """What became of one file.

    Attributes:
        path: The file as the user named it.
        error: Why it could not be read; everything else is empty then.
        changed: Whether a fix changes it.
        before: Its text before, where it changes.
        after: Its text after, where it changes, or where it is standard input's.
        is_stdin: Whether it is standard input.
        made: How many fixes are in ``after``.
        failures: The places in it that could not be read, and why.
        kept: What was written or deleted to keep settings in effect, in words.
        not_kept: Which settings change all the same, in words.
        diff: The lines that show what changes.
        patches: The patches of the change.
        left: What of a profile could not be set, in words.
        fixed: Each fix, where they are shown.
        unfixed: Each fix that could not be made, where they are shown.
        dropped: How many could not be made.
        found: How many cloud.confs it holds.
        not_taken: Why texts that look like a cloud.conf are not taken for one, where they are shown.
    """

    path: str
    error: str = ""
    changed: bool = False
    before: str = ""
    after: str = ""
    is_stdin: bool = False
    made: int = 0
    failures: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()
    not_kept: tuple[str, ...] = ()
    diff: tuple[str, ...] = ()
    patches: FilePatches = FilePatches()
    left: tuple[str, ...] = ()
    fixed: tuple[FixNote, ...] = ()
    unfixed: tuple[FixNote, ...] = ()
    dropped: int = 0
    found: int = 0
    not_taken: tuple[str, ...] = ()


def fix_file(options: FixOptions, file: SurveyedFile) -> FixedFile:
    """Fix one file, and leave it on the disk as it is.

    Args:
        options: What it is fixed with.
        file: Where it is, with its bytes where those were kept.

    Returns:
        What became of it; a file that cannot be read is an error in that, never an exception.
    """
    path = file.target.path
    try:
        data = bytes_of(file, options.limits, options.linters.run_context.builds)
        if data is None:
            return FixedFile(path)
        if isinstance(data, Failure):
            return FixedFile(path, data.message)
        return _described(options, *_fix(options, file.target, decode(data).text), explicit=file.target.explicit)
    except CcmcheckError as error:
        return FixedFile(path, error.message)


def fix_build(options: FixOptions, built: BuiltFiles, target: Target) -> list[FixedFile]:
    """Fix the files that a kustomization is built from, and leave them on the disk as they are.

    Args:
        options: What they are fixed with.
        built: The files of all builds, as they are now.
        target: The kustomization.

    Returns:
        What became of each file that has a finding with a fix, and of the kustomization where none has.
    """
    try:
        objection = partial(built.objection, target.path, options.linters)
        result, kept = _fix(options, target, built.as_now(target.path), objection)
        files = built.split(result)
        return [_described(options, one, None if number else kept) for number, one in enumerate(files)]
    except CcmcheckError as error:
        return [FixedFile(target.path, error.message)]


def _fix(
    options: FixOptions, target: Target, text: str, objection: Callable[[LocatedProblem], str] | None = None
) -> tuple[FixResult, PreservedSetting | None]:
    from ccmcheck.fix.passes import fix_text

    path, explicit = target
    linter = options.linters.of(path)
    kept = options.upgrade(target, text, linter) if options.upgrade is not None else None
    start = kept.text if kept is not None else text
    wanted = options.options_of(path).fixes
    result = fix_text(
        path,
        start,
        linter,
        unsafe=options.given.unsafe,
        wanted=wanted,
        asked=options.asked,
        explicit=explicit,
        objection=objection,
    )
    return (result if kept is None else result._replace(before=text, carried=None)), kept


def _described(
    options: FixOptions, result: FixResult, kept: PreservedSetting | None, *, explicit: bool = False
) -> FixedFile:
    from ccmcheck.fix.profile import left_alone
    from ccmcheck.lint.notes import why_not_taken
    from ccmcheck.redact.run_secrets import hiding

    path = result.path
    changed = result.after != result.before
    is_stdin = path == options.stdin
    given = options.given
    names_unfixed = is_json(given) or not given.quiet
    patches = FilePatches()
    linter = options.linters.of(path)
    with hiding(linter.secrets_near(path)):
        diff = _diff(linter, result, color=options.color) if changed and shows_diff(given, is_stdin=is_stdin) else ()
        if changed and given.patch_format is not None:
            patches = patches_of(given.patch_format, path, result.before, result.after, is_stdin=is_stdin)
    return FixedFile(
        path,
        changed=changed,
        before=result.before if changed else "",
        after=result.after if changed or is_stdin else "",
        is_stdin=is_stdin,
        made=len(result.done),
        failures=tuple((failure.place, failure.message) for failure in result.last.failures),
        kept=kept.done if kept is not None else (),
        not_kept=kept.left if kept is not None else (),
        diff=diff,
        patches=patches,
        left=tuple(left_alone(result.last, linter.run_context)) if options.asked else (),
        fixed=fix_notes(result.done) if is_json(given) or (writes(given) and not given.quiet) else (),
        unfixed=fix_notes(result.dropped) if names_unfixed else (),
        dropped=len(result.dropped),
        found=len(result.last.carried),
        not_taken=(
            tuple(why_not_taken(path, carried) for carried in result.last.not_taken)
            if names_unfixed and explicit and not result.last.carried
            else ()
        ),
    )


def _diff(linter: Linter, result: FixResult, *, color: bool) -> tuple[str, ...]:
    from ccmcheck.fix.diff import differences, differences_of

    path, before, after = result.path, result.before, result.after
    if result.carried is None:
        lines = differences(path, before, after, linter.settings.find)
    else:
        lines = differences_of(path, before, after, (result.carried, result.last.carried))
    return tuple(console.painted_diff(lines, color=color))


def fix_notes(
    outcomes: Iterable[FixOutcome], place_of: Callable[[Place], Place] = lambda place: place
) -> tuple[FixNote, ...]:
    """What is told of fixes.

    Args:
        outcomes: The fixes, made or not.
        place_of: What people call a place.
    """
    return tuple(
        FixNote(
            (place := place_of(outcome.place)).path,
            place.line,
            None if place.exact else place.inner_line,
            outcome.rule,
            outcome.title,
            outcome.reason,
            outcome.finding.help if outcome.reason else "",
        )
        for outcome in outcomes
    )
