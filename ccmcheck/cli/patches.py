"""How ``fix`` and ``set`` make patches, show and write them, and report what got none."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.options import STDIN, Given

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.fix.patch.formats import Patch, PatchRefusal

REFUSED = 2


class FilePatches(NamedTuple):
    """The patches of one file.

    Attributes:
        made: The patches.
        refused: The changes that get none.
    """

    made: Sequence[Patch] = ()
    refused: Sequence[PatchRefusal] = ()


def patches_of(format_name: str, path: str, before: str, after: str, *, is_stdin: bool = False) -> FilePatches:
    """Make the patches of one file.

    Args:
        format_name: One of `ccmcheck.cli.options.PATCH_FORMATS`.
        path: The file as the user named it.
        before: Its text before.
        after: Its text after.
        is_stdin: Whether it is standard input.
    """
    from ccmcheck.fix.patch.formats import GIT, PatchRefusal, patches

    if is_stdin and format_name == GIT and path in {STDIN, "<stdin>"}:
        hint = "Name the file instead of `-`, or give --stdin-filename."
        return FilePatches(refused=[PatchRefusal("a patch for git needs the file's name", hint)])
    return FilePatches(*patches(format_name, path, before, after))


class Patches:
    """Collects the patches of a run, then shows or writes them.

    Args:
        given: The options, with the format.
    """

    def __init__(self, given: Given) -> None:
        self.refused = False
        self._given = given
        self._format = given.patch_format or ""
        self._made: list[Patch] = []

    def add(self, patches: FilePatches) -> None:
        """Collect the patches of one file, and report what got none."""
        for refusal in patches.refused:
            self._refuse(refusal.message, refusal.hint)
        for patch in patches.made:
            if patch.secret and self._given.output_dir is not None and not self._given.with_secrets:
                self._refuse(f"the patch of {patch.subject} would hold secrets", "Write it with --with-secrets.")
                continue
            self._made.append(patch)
            if not self._given.quiet:
                for note in patch.notes:
                    console.warn(f"{patch.subject}: {note}")

    def close(self) -> int:
        """Show or write what was made.

        Returns:
            The exit code: 2 where a change got no patch.

        Raises:
            InputError: A file cannot be written.
        """
        if self._made and self._given.output_dir is not None:
            self._write(self._given.output_dir)
        elif self._made:
            self._show()
        return REFUSED if self.refused else 0

    def _refuse(self, message: str, hint: str) -> None:
        self.refused = True
        console.warn(f"no patch: {message}. {hint}".rstrip())

    def _show(self) -> None:
        from ccmcheck.base.text import encode
        from ccmcheck.fix.patch.formats import text_of

        text = text_of(self._format, self._made, with_secrets=self._given.with_secrets)
        if console.is_terminal(sys.stdout):
            from ccmcheck.base.escape import printable_lines

            text, whole = printable_lines(text, tabs=True), text
            if text != whole:
                console.warn("control characters are shown escaped; to apply it, write it to a file or a pipe")
        sys.stdout.flush()
        sys.stdout.buffer.write(encode(text))
        if not self._given.with_secrets:
            for patch in self._made:
                if patch.secret:
                    console.warn(
                        f"the patch of {patch.subject} is shown masked and does not apply: it holds secrets. "
                        "--with-secrets shows it whole, with --output-dir DIR it goes into a file."
                    )

    def _write(self, folder: str) -> None:
        from ccmcheck.base.atomic_write import make_folder
        from ccmcheck.base.text import encode
        from ccmcheck.fix.patch.formats import files_of

        make_folder(folder)
        for name, text in files_of(self._format, self._made).items():
            target = os.path.join(folder, name)
            console.replace_file(target, encode(text), private=True)
            if not self._given.quiet:
                console.warn(f"wrote {target}")


def check_use(given: Given) -> None:
    """Refuse options that contradict each other.

    Args:
        given: The options.

    Raises:
        WrongUse: They do.
    """
    if given.patch_format is None and given.with_secrets:
        raise WrongUse("--with-secrets is for --patch.")
    if given.patch_format is not None and (given.write or given.check or given.diff):
        raise WrongUse("--patch excludes --write, --check and --diff.")
