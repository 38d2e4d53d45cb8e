"""The table is printed to its end, whatever a row's command does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from bench import print_table
from bench_files import Bench
from bench_rows import Row, alone
from stopwatch import Command, run, run_apart

REFUSES = (sys.executable, "-c", "import sys; sys.exit('no | file')")


def _refuse(bench: Bench) -> Command:
    return Command("refuse", REFUSES, bench.root)


def wrong(bench: Bench) -> Iterator[Row]:
    """A row that ends wrongly between two that do not."""
    right = Command("right", (sys.executable, "-c", ""), bench.root)
    yield Row("first", partial(alone, right, 1))
    yield Row("second", partial(alone, _refuse(bench), 1))
    yield Row("third", partial(alone, right, 1))


def without_files(bench: Bench) -> Iterator[Row]:
    """A part whose files cannot be made."""
    (bench.root / "missing" / "folder").mkdir()
    yield Row("never", partial(alone, _refuse(bench), 1))


def test_what_ends_wrongly_is_a_missed_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert print_table(Bench(tmp_path, quick=True), [without_files, wrong]) == 2
    lines = capsys.readouterr().out.splitlines()
    parts = [line.split(" | ")[0] for line in lines[2:-4]]
    assert parts == [
        "| without_files",
        "| *without_files: all of it*",
        "| first",
        "| second",
        "| third",
        "| *wrong: all of it*",
    ]
    assert lines[2].startswith("| without_files | FileNotFoundError: ")
    assert lines[5] == "| second | refuse ended with 1: no \\| file |  |  |  | **missed** |"
    assert lines[-1] == "2 goals missed"


@pytest.mark.parametrize("start", [run, run_apart])
def test_a_wrong_exit_names_the_command_and_what_it_said(start: object, tmp_path: Path) -> None:
    command = Command("refuse", REFUSES, tmp_path)
    assert callable(start)
    with pytest.raises(Exception, match=r"^refuse ended with 1: no \| file$"):
        start(command)
