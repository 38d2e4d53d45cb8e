"""Writes the files that ``fix`` changed or shows the changes, and prints what was fixed and what was not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ccmcheck.base.text import encode
from ccmcheck.cli import console
from ccmcheck.cli.patches import Patches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.cli.fix_file import FixedFile
    from ccmcheck.cli.options import Given
    from ccmcheck.fix.output_folder import OutputFolder


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
            self._patches = Patches(
                arguments.patch_format, arguments.output_dir, with_secrets=arguments.with_secrets, quiet=arguments.quiet
            )
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
