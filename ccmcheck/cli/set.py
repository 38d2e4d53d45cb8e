"""``ccmcheck set``: the lossless editor for shell scripts."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ccmcheck.base.budget import whole, worked_off
from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.command import Command
from ccmcheck.cli.options import STDIN, Given
from ccmcheck.cli.patches import Patches, check_use, patches_of
from ccmcheck.cli.resolve import CommandInputs, or_current_folder, readers, resolve_inputs
from ccmcheck.cli.running import FOUND, CommandRun, declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.carriers import FileContents
    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.conf.assignments import Assignment, UnknownKey
    from ccmcheck.conf.target_release import FoundRelease, TargetRelease
    from ccmcheck.fix.output_folder import OutputFolder
    from ccmcheck.policy.profiles.standards import Standards

AFTER_DASHES = "ccmcheck.set.after_dashes"
USAGE = "Write ccmcheck set FILE... -- KEY=VALUE..."


class SetCommand(Command):
    """Keeps apart what stands before and after ``--``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words after ``--`` as assignments, whatever they look like."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[AFTER_DASHES] = tuple(args[at + 1 :])
            args = args[:at]
        rest = super().parse_args(ctx, args)
        ctx.params["after_dashes"] = ctx.meta.get(AFTER_DASHES)
        return rest


class FileChange(NamedTuple):
    """One file with its cloud.confs set.

    Attributes:
        path: The file as the user named it.
        before: Its text before.
        after: Its text after.
        edited: How many of its cloud.confs change.
    """

    path: str
    before: str
    after: str
    edited: int


@declared(
    "set",
    "words files unset diff check output_dir patch_format releases consumer kubernetes_version profiles INPUTS "
    "with_secrets formats color quiet",
    formats=("text", "json"),
    says={"profiles": "Also set what this profile requires; KEY=VALUE wins."},
    cls=SetCommand,
)
def command(run: CommandRun) -> int:
    """Set keys in FILE: a cloud.conf, a file that carries one, or a folder.

    - is from standard input to standard output. With one FILE, -- may be left out. Values are checked by the catalog
    of the release: create-monitor=maybe is refused. Running it twice changes nothing the second time. Every
    cloud.conf of a file or folder gets the change, but for those whose reader does not know the key. Where one file
    cannot be changed, none is.

    Exit code: with --check 1 if anything would change; 2 wrong use; 3 a file could not be read or written.
    """
    given = run.given
    named, words = split(given)
    if not words and not given.unset and not given.standards.names:
        raise WrongUse("Nothing to set.", "Write ccmcheck set FILE create-monitor=true.")
    check_use(given)
    if "json" in given.formats and (given.patch_format is not None or given.diff or STDIN in named):
        raise WrongUse("--format json excludes --diff, --patch and standard input.", "Leave one out.")
    if given.output_dir is not None and (given.check or given.diff):
        raise WrongUse("--check, --diff and --output-dir exclude each other.")
    paths = or_current_folder(named)
    inputs = resolve_inputs(given, paths)
    wanted = _Wanted(given, words, inputs)
    with whole("nothing was written"):  # where one file cannot be changed, none is
        changes = list(_changes(paths, wanted, given.standards, inputs))
        wanted.refuse_unknown()
    if not changes:
        raise WrongUse(f"there is no cloud.conf in {' '.join(paths)}")
    return _write(changes, given, inputs)


def split(given: Given) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files, and the assignments.

    Raises:
        WrongUse: A path stands in an assignment's place.
    """
    words, after = given.words, given.after_dashes
    if after is not None:
        paths, assignments = (*given.files, *words), after
    elif given.files or (words and _is_assignment(words[0])):
        paths, assignments = given.files, words
    else:
        paths, assignments = words[:1], words[1:]
    for word in assignments:
        if not _is_assignment(word) and (os.path.exists(word) or word == STDIN):
            raise WrongUse(f"`{word}` is a path, where KEY=VALUE is expected.", USAGE)
        if word.startswith("-") and after is not None:
            raise WrongUse(f"`{word}` is an option, where KEY=VALUE is expected.", "Write options before `--`.")
    return paths, assignments


def _is_assignment(word: str) -> bool:
    return "=" in word and not os.path.exists(word)


class _Wanted:
    """What is to be set in each cloud.conf: of the assignments, those that its reader knows."""

    def __init__(self, given: Given, words: Sequence[str], inputs: CommandInputs) -> None:
        from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch

        self._given = given
        self._words = [*((word, False) for word in words), *((word, True) for word in given.unset)]
        self._inputs = inputs
        self._releases = ReleaseFinder(ReleaseSearch(inputs.discover, inputs.find_of))
        self._of_reader: dict[TargetRelease, list[Assignment]] = {}
        self._unknown: dict[TargetRelease, dict[str, UnknownKey]] = {}
        self._left: list[str] = []

    def of(self, path: str, contents: FileContents) -> list[tuple[TargetRelease, list[Assignment]]]:
        """The reader of each cloud.conf of a file, and what to set in it."""
        given, inputs = self._given, self._inputs
        file = self._releases.of_file(path, (*contents.pods, *contents.run_context.image_tags))
        configured = inputs.of(path).release
        wanted = []
        for carried in contents.carried:
            conf = carried if given.releases or given.consumer or configured else file.with_reader(carried)

            def found(conf: CarriedConf = conf) -> FoundRelease:
                return file.of_text(conf).in_cluster(inputs.kubernetes_of(path))

            target = readers(None, given.releases, given.consumer, configured, found, conf)[0]
            wanted.append((target, self._known(target)))
            place = f"{path}: {carried.route}" if carried.route else path
            self._left += [f"{place}: left as it is. {error.message}" for error in self._unknown[target].values()]
        return wanted

    def _known(self, target: TargetRelease) -> list[Assignment]:
        from ccmcheck import catalog
        from ccmcheck.conf.assignments import UnknownKey, assignment

        if target not in self._of_reader:
            schema = catalog.schema(target.release, target.consumer)
            self._of_reader[target], self._unknown[target] = [], {}
            for word, is_unset in self._words:
                try:
                    self._of_reader[target].append(assignment(word, schema, unset=is_unset))
                except UnknownKey as error:
                    self._unknown[target][word] = error
        return self._of_reader[target]

    def refuse_unknown(self) -> None:
        """Refuse what no reader knows, and say where a reader does not know what another does.

        Raises:
            UnknownKey: There is a cloud.conf, and none whose reader knows one of the keys.
        """
        for word, _ in self._words:
            errors = [unknown.get(word) for unknown in self._unknown.values()]
            if errors and errors[0] is not None and all(errors):
                raise errors[0]
        for line in self._left:
            console.warn(line)


def _changes(paths: Sequence[str], wanted: _Wanted, profiles: Standards, inputs: CommandInputs) -> Iterator[FileChange]:
    """Each file that carries a cloud.conf, with the keys set; nothing is written yet."""
    from ccmcheck.base.result import Failure
    from ccmcheck.base.text import decode
    from ccmcheck.carriers import find
    from ccmcheck.cli.input_files import standard_input
    from ccmcheck.fix.settings import assign
    from ccmcheck.lint.notes import unused
    from ccmcheck.workspace import discover

    files: list[tuple[str, bool, bytes | Failure | None]] = []
    if STDIN in paths:
        files.append((inputs.stdin_name, True, standard_input(inputs)))
    for listed in discover.discover([path for path in paths if path != STDIN], inputs.discover):
        if isinstance(listed, Failure):
            raise InputError(f"{listed.path}: {listed.message}", listed.hint)
        files.append((listed.path, listed.explicit, discover.read(listed, inputs.discover.max_size_of(listed.path))))
    for path, explicit, data in files:
        if isinstance(data, Failure):
            raise InputError(f"{path}: {data.message}", data.hint)
        before = decode(data or b"").text
        contents = find(path, before, inputs.find_of(path)._replace(explicit=explicit))
        if not explicit and not contents.carried:
            continue
        for note in unused(path, contents.carried):
            console.warn(note)
        asked = wanted.of(path, contents)
        start = _by_profile(path, before, asked[0][0], profiles, inputs) if profiles.names and asked else before
        after, routes = assign(path, start, asked, inputs.find_of(path))
        yield FileChange(path, before, after, len(routes) or int(after != before))


def _by_profile(path: str, text: str, target: TargetRelease, profiles: Standards, inputs: CommandInputs) -> str:
    """The text with the values that the profiles require."""
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.fix.passes import fix_text
    from ccmcheck.fix.profile import left_alone
    from ccmcheck.fix.step import PROFILE
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.settings import Settings
    from ccmcheck.policy.profiles.contradictions import refuse_contradictions

    refuse_contradictions(profiles.requirements)
    run_context = RunContext(requirements=profiles.requirements, facts=profiles.facts)
    linter = Linter(Settings(judged=(target,), find=inputs.find_of(path)), run_context)
    result = fix_text(path, text, linter, unsafe=True, wanted=lambda rule: rule == PROFILE, asked=(PROFILE,))
    for line in left_alone(result.last, run_context):
        console.warn(f"{path}: {line}")
    return result.after


def _write(changes: Sequence[FileChange], arguments: Given, inputs: CommandInputs) -> int:
    if arguments.patch_format is not None:
        patches = Patches(arguments)
        with whole("nothing was written"):
            for path, before, after, *_ in changes:
                is_stdin = _is_stdin(path, arguments, inputs)
                patches.add(patches_of(arguments.patch_format, path, before, after, is_stdin=is_stdin))
        return patches.close()
    done = worked_off(_written(changes, arguments, inputs), "not all files were written")
    if "json" in arguments.formats:
        from ccmcheck.report.records import dumped_lines

        files = [
            {"path": change.path, "changed": change.after != change.before, "cloud_confs": change.edited}
            for change in done
        ]
        console.write([dumped_lines({"version": 1, "files": files, "written": not arguments.check})])
    return FOUND if arguments.check and any(change.after != change.before for change in changes) else 0


def _is_stdin(path: str, given: Given, inputs: CommandInputs) -> bool:
    return path == inputs.stdin_name and path not in given.words


def _written(changes: Sequence[FileChange], given: Given, inputs: CommandInputs) -> Iterator[FileChange]:
    """Each change, once it is written or shown."""
    from ccmcheck.base.text import encode

    folder: OutputFolder | None = None
    for change in changes:
        if given.diff:
            from ccmcheck.fix.diff import differences

            lines = differences(change.path, change.before, change.after, inputs.find_of(change.path))
            console.write(
                console.painted_diff(lines, color=console.wants_color(given.color or inputs.run.color or "auto"))
            )
        elif given.output_dir is not None:
            from ccmcheck.fix.output_folder import OutputFolder

            folder = folder or OutputFolder(given.output_dir, (each.path for each in changes))
            for note in folder.write(change.path, change.after) if change.after != change.before else ():
                console.warn(note)
        elif _is_stdin(change.path, given, inputs) and not given.check:
            sys.stdout.flush()
            sys.stdout.buffer.write(encode(change.after))
        elif change.after != change.before and not given.check:
            console.replace_file(change.path, encode(change.after), before=encode(change.before))
        if not given.quiet and not _is_stdin(change.path, given, inputs) and "json" not in given.formats:
            verb = "would change" if given.diff or given.check else "changed"
            console.warn(f"{change.path}: {verb} {change.edited} cloud.conf{'' if change.edited == 1 else 's'}")
        yield change
