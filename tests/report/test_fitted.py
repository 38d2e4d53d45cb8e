"""Long lines of reports are broken between words, and the rest stands below its text."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command_line import RIGHT, put, run
from root import ROOT

from ccmcheck.report.document.layout import fitted, width_of

LINES = {
    "plain": ("one two three four five six", ["one two three", "  four five six"]),
    "mark": ("  ! one two three four five", ["  ! one two", "    three four", "    five"]),
    "label": ("  of   one two three four", ["  of   one two", "       three", "       four"]),
    "branch": ("├─ one two three four five", ["├─ one two three", "│  four five"]),
    "last": ("└─ one two three four five", ["└─ one two three", "   four five"]),
    "picture": ("client ─▶ listener ─▶ pool ─▶ nodes", ["client ─▶ listener ─▶ pool ─▶ nodes"]),
    "word": ("a " + "b" * 30, ["a", "  " + "b" * 30]),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line(name: str) -> None:
    line, expected = LINES[name]
    assert list(fitted(line, 16)) == expected
    assert list(fitted(line, 0)) == [line]
    assert list(fitted(line, 80)) == [line]


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize(
    "command",
    ["list -v", "help review", "help options", "show", "read", "upgrade --from 1.25 --to 1.31", "config show"],
)
def test_a_command_keeps_to_the_terminal(command: str, columns: int, tmp_path: Path) -> None:
    done = run(put(tmp_path, {"cloud.conf": RIGHT + "use-octavia = true\n"}), *command.split(), COLUMNS=str(columns))
    assert done.out
    in_code = False
    for line in done.out.splitlines():
        in_code ^= line.startswith("```")
        is_one_word = len(line.split()) <= 2
        assert in_code or is_one_word or width_of(line) <= columns, line


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_lint_keeps_to_the_terminal_but_for_what_it_quotes(columns: int, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    for options in ((), ("-v",), ("--statistics",), ("--color", "always")):
        done = run(tmp_path, "lint", *options, COLUMNS=str(columns))
        wide = [line for line in done.out.splitlines() if width_of(line) > columns and len(line.split()) > 2]
        assert [line for line in wide if " │ " not in line] == []


def test_a_pipe_gets_the_guide_as_it_is(tmp_path: Path) -> None:
    assert "\n| `text` | all | people; colours, context and advice |\n" in run(tmp_path, "help", "formats").out
    assert "|" not in run(tmp_path, "help", "formats", COLUMNS="80").out.split("```")[2].split("`--max")[0]
