"""The golden cases: one folder each, with a file, the command that changes it, and what every way out makes of it.

``python tests/patch/golden.py`` writes the expected files again; read the difference before it is committed.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

from ccmcheck.cli.main import run
from ccmcheck.cli.options import PATCH_FORMATS as FORMATS

CASES = Path(__file__).parent / "cases"
KEPT = {"command"}
SUFFIX = {
    "json": "json",
    "merge": "json",
    "strategic": "yaml",
    "kustomize": "yaml",
    "clusterclass": "yaml",
    "git": "patch",
}


class Said(NamedTuple):
    """What a command printed."""

    code: int
    out: bytes
    err: str


class Case(NamedTuple):
    """One folder.

    Attributes:
        folder: The folder.
        file: The name of the file in it that is changed.
        command: How.
    """

    folder: Path
    file: str
    command: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def before(self) -> bytes:
        return (self.folder / self.file).read_bytes()

    @property
    def after(self) -> bytes:
        return (self.folder / f"expected.{self.file}").read_bytes()

    def patch(self, format_name: str, *, shown: bool = False) -> bytes | None:
        """What is expected in a format, whole or as it is shown; None where there is no patch."""
        path = self.folder / golden_name(format_name, shown=shown)
        if shown and not path.exists():
            return self.patch(format_name)
        return path.read_bytes() if path.exists() else None

    def run(self, folder: Path, *options: str) -> Said:
        """Run the command on a copy of the file in a folder."""
        target = folder / self.file
        target.write_bytes(self.before)
        verb, *rest = self.command
        return said([verb, *(["--no-config"] if verb == "fix" else []), self.file, *rest, *options], folder)


def golden_name(format_name: str, *, shown: bool = False) -> str:
    return f"{format_name}{'.shown' if shown else ''}.{SUFFIX[format_name]}"


def said(arguments: Sequence[str], folder: Path) -> Said:
    """Run ccmcheck in this process, in a folder."""
    import os

    before = Path.cwd()
    out, err = TextIOWrapper(BytesIO(), encoding="utf-8"), StringIO()
    os.chdir(folder)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run(list(arguments))
        out.flush()
    finally:
        os.chdir(before)
    buffer = out.buffer
    assert isinstance(buffer, BytesIO)
    return Said(code, buffer.getvalue(), err.getvalue())


def cases() -> list[Case]:
    """All of them, by name."""
    found = []
    for folder in sorted(CASES.iterdir()):
        command = tuple((folder / "command").read_text(encoding="utf-8").split())
        made = {golden_name(name, shown=shown) for name in FORMATS for shown in (False, True)}
        (file,) = [
            path.name
            for path in folder.iterdir()
            if path.name not in made | KEPT and not path.name.startswith("expected.")
        ]
        found.append(Case(folder, file, command))
    return found


def write_expected() -> None:
    """Make everything that is expected from what ccmcheck does now."""
    for case in cases():
        for path in case.folder.iterdir():
            if path.name not in {case.file, *KEPT}:
                path.unlink()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            assert case.run(folder, *(["--write"] if case.command[0] == "fix" else [])).code == 0
            shutil.copy(folder / case.file, case.folder / f"expected.{case.file}")
            for format_name in FORMATS:
                whole = case.run(folder, "--patch", format_name, "--with-secrets").out
                shown = case.run(folder, "--patch", format_name).out
                if whole:
                    (case.folder / golden_name(format_name)).write_bytes(whole)
                if shown != whole:
                    (case.folder / golden_name(format_name, shown=True)).write_bytes(shown)


if __name__ == "__main__":
    write_expected()
