"""The plain files of a git tree; links and submodules are left out, as in a work tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.workspace.git import Git

PLAIN_FILES = frozenset({"100644", "100755", "100664"})
"""The modes of plain files in git's trees and its index."""


class PlainFile(NamedTuple):
    """One file of a tree.

    Attributes:
        blob: The hash of its contents.
        size: Its bytes; 0 where sizes were not asked for, and where git lacks the contents.
    """

    blob: str
    size: int


def plain_files(git: Git, folder: str, tree: str, *, with_sizes: bool = True) -> dict[str, PlainFile] | None:
    """List the plain files of a tree.

    Args:
        git: Git for the repository.
        folder: A folder of the work tree: only files below it are listed, by their paths from there.
        tree: The tree, or a commit.
        with_sizes: Whether sizes are needed, which git has to look up one by one.

    Returns:
        The files in git's order, by their paths; None where git cannot list them.
    """
    lines = git.lines(folder, "ls-tree", "-r", "-z", *(("--long",) if with_sizes else ()), tree)
    if lines is None:
        return None
    found: dict[str, PlainFile] = {}
    for line in lines:
        about, _, path = line.partition("\t")
        mode, _, blob, *size = about.split()
        if mode in PLAIN_FILES:
            # git says BAD for the size of contents that it lacks
            found[path] = PlainFile(blob, int(size[0]) if size and size[0].isdigit() else 0)
    return found
