"""The files of a build in one text, so that whatever reads one file's text reads those of a build.

The text begins with the kustomization that is built. Each file follows as it is, between two separators that no YAML
holds; places in the text are places in one of the files.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from ccmcheck.base.records import NamedTuple
from ccmcheck.layers.stack import FILE_BEGINS as BEGINS

ENDS = "\x1f"
_TAIL = f"{ENDS}\n"
"""What is behind a file."""


class BundleFile(NamedTuple):
    """One file of a bundle.

    Attributes:
        path: The file.
        start: Where its text starts in the bundle.
        end: Where it ends.
        line: How many lines are before it.
    """

    path: str
    start: int
    end: int
    line: int


class Bundle:
    """The files of a build, by their places in one text.

    Args:
        text: As `bundled` makes it.

    Attributes:
        text: The text.
        root: The kustomization to build.
        parts: The files, in order.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        head, _, _ = text.partition("\n")
        self.root = head.removeprefix(BEGINS)
        self.parts: list[BundleFile] = []
        position, line = len(head) + 1, 1
        while text.startswith(BEGINS, position):
            start = text.index("\n", position) + 1
            end = text.index(ENDS, start)
            self.parts.append(BundleFile(text[position + 1 : start - 1], start, end, line + 1))
            line += 2 + text.count("\n", start, end)
            position = end + 2
        self._by_path = {part.path: part for part in self.parts}
        self._lines = [part.line for part in self.parts]

    def part(self, path: str) -> BundleFile | None:
        """One file; None where the bundle has none of that name."""
        return self._by_path.get(path)

    def text_of(self, part: BundleFile) -> str:
        """The text of a file."""
        return self.text[part.start : part.end]

    def in_file(self, line: int) -> tuple[str, int]:
        """The file and the line in it for a line of the bundle, from 1."""
        at = max(bisect_right(self._lines, line - 1) - 1, 0)
        if not self.parts:
            return self.root, 1
        part = self.parts[at]
        return part.path, max(line - part.line, 1)

    def line_of(self, path: str, line: int) -> int:
        """The line of the bundle for a line of one of its files."""
        part = self._by_path.get(path)
        return part.line + line if part is not None else 0

    def files(self) -> dict[str, str]:
        """All files with their texts."""
        return {part.path: self.text_of(part) for part in self.parts}


class Offsets:
    """Where the texts of files lie in a bundle while it is put together.

    Args:
        root: The kustomization to build.
    """

    def __init__(self, root: str) -> None:
        self._starts: dict[str, int] = {}
        self._end = len(_head(root))

    def add(self, path: str, length: int) -> None:
        """Put the text of a file behind those so far."""
        start = self._starts[path] = self._end + len(_head(path))
        self._end = start + length + len(_TAIL)

    def __call__(self, path: str) -> int:
        """Where the text of a file starts."""
        return self._starts[path]


def fits(path: str, text: str) -> bool:
    """Whether a file can be a part of a bundle."""
    return BEGINS not in text and ENDS not in text and not {"\n", BEGINS}.intersection(path)


def bundled(root: str, files: Mapping[str, str]) -> str:
    """The text of a bundle.

    Args:
        root: The kustomization to build.
        files: The files that it is built from, by their paths.
    """
    parts = [f"{_head(path)}{text}{_TAIL}" for path, text in files.items()]
    return _head(root) + "".join(parts)


def _head(path: str) -> str:
    """What is before a file, and before all of them."""
    return f"{BEGINS}{path}\n"


def is_bundle(text: str) -> bool:
    """Whether a text is what kustomize builds, as `Bundle` reads it."""
    return text.startswith(BEGINS)
