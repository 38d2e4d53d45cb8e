"""The files of a run, from what the user named to their bytes; every command goes through its files here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.workspace import discover
from ccmcheck.workspace.discover import DiscoverOptions, Target

STDIN = "-"
"""The path that stands for standard input."""


class SurveyedFile(NamedTuple):
    """One file of a run.

    Attributes:
        target: The file.
        data: Its bytes; None where they were not kept, or it holds nothing of interest.
        code: Of its name and bytes, where what is found of them is kept for the next run.
    """

    target: Target
    data: bytes | None
    code: int = 0


class StandardInput(NamedTuple):
    """Standard input, read for the path ``-``.

    Attributes:
        name: What to call it.
        data: Its bytes, one more than the limit where there are more.
    """

    name: str
    data: bytes


def list_files(
    paths: Sequence[str], options: DiscoverOptions, stdin: StandardInput | None = None
) -> Iterator[SurveyedFile | Target | Failure]:
    """Find the files of a run.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: What narrows them.
        stdin: Standard input, where ``-`` is among the paths; it comes first, and with its bytes.

    Raises:
        WrongUse: A revision that git does not know, and the like.
    """
    if stdin is not None and STDIN in paths:
        entered = discover.within(stdin.name, stdin.data, options.max_size_of(stdin.name))
        yield entered if isinstance(entered, Failure) else SurveyedFile(Target(stdin.name, explicit=True), entered)
    yield from discover.discover([path for path in paths if path != STDIN], options)


def read_files(
    paths: Sequence[str],
    options: DiscoverOptions,
    worth: Callable[[bytes, str], bool],
    stdin: StandardInput | None = None,
) -> Iterator[SurveyedFile | Failure]:
    """Find and read the files of a run, one after another.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: What narrows them.
        worth: Whether a file of a folder is of interest, by its bytes and its path.
        stdin: See `list_files`.

    Raises:
        WrongUse: A revision that git does not know, and the like.
    """
    for file in list_files(paths, options, stdin):
        if isinstance(file, Target):
            data = discover.read(file, options.max_size_of(file.path), worth)
            yield data if isinstance(data, Failure) else SurveyedFile(file, data)
        else:
            yield file
