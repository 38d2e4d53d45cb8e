"""What the parts of the measurements share: a folder, files in it, commands, and how often each runs."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filesets import write_carriers
from stopwatch import Command

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
BIN = Path(sys.executable).parent

WITH_FINDINGS = (1,)
ANY_VERDICT = (0, 1)


def _program(name: str) -> tuple[str, ...]:
    """How to start a program: by its script beside the interpreter, or as a module where none was installed."""
    return (str(BIN / name),) if (BIN / name).exists() else (sys.executable, "-m", name)


CCMCHECK = _program("ccmcheck")
YAMLLINT = (*_program("yamllint"), "-d", "relaxed")


class Bench:
    """The files, and how often each command runs.

    Args:
        root: An empty folder.
        quick: True for few runs, which tell no small difference.

    Attributes:
        often: Runs of what takes a tenth of a second.
        seldom: Runs of what takes seconds.
    """

    def __init__(self, root: Path, *, quick: bool) -> None:
        self.root = root
        self.often = 5 if quick else 15
        self.seldom = 1 if quick else 3
        self._written: dict[str, int] = {}

    def folder(self, name: str, files: dict[str, str] | None = None) -> Path:
        """A new folder with files."""
        folder = self.root / name
        folder.mkdir()
        for path, text in (files or {}).items():
            (folder / path).write_text(text)
        return folder

    @contextmanager
    def temporary(self) -> Iterator[Path]:
        """An empty folder for one run."""
        with tempfile.TemporaryDirectory(dir=self.root) as folder:
            yield Path(folder)

    def carriers(self, count: int, *, flawed: bool = False) -> Path:
        """A folder of carriers that grows: a larger number adds to the files that are there already.

        Args:
            count: How many; at least as many as before.
            flawed: True for one mistake in each.
        """
        name = "flawed" if flawed else "right"
        before = self._written.get(name, 0)
        if count < before:
            raise ValueError(f"there are {before:,} files already, and {count:,} are asked for")
        self._written[name] = count
        return write_carriers(self.root / name, count, start=before, flawed=flawed)

    def ccmcheck(self, *args: str, cwd: Path | None = None, codes: tuple[int, ...] = (0,)) -> Command:
        """Our command."""
        return Command("ccmcheck " + " ".join(args), (*CCMCHECK, *args), cwd or self.root, codes)

    @staticmethod
    def yamllint(cwd: Path, *paths: str) -> Command:
        """The linter that ours is compared with."""
        return Command("yamllint", (*YAMLLINT, *paths), cwd)
