"""The words of options are in one table: each row is of an option or argument, and each of these has a row."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.data_files import read_table
from ccmcheck.cli import given
from ccmcheck.cli.command import SECTIONS
from ccmcheck.cli.command_group import all_commands
from ccmcheck.cli.given import Declared, Values
from ccmcheck.cli.main import cli

ROWS = read_table(given.__file__, "options.tsv")
NOT_WRITTEN = {"after_dashes"}
"""What no word of a command line says by itself."""


def classes(of: type[Values] = Values) -> Iterator[type[Values]]:
    for one in of.__subclasses__():
        yield one
        yield from classes(one)


def declared() -> set[str]:
    commands = list(all_commands(cli))  # each loads the module with its class
    assert len(commands) > 20
    return {name for one in classes() for name, value in vars(one).items() if isinstance(value, Declared)}


def test_each_row_is_of_an_option_and_each_option_has_one() -> None:
    names = [row[0] for row in ROWS]
    assert len(names) == len(set(names)), "two rows of one name"
    assert set(names) == declared() - NOT_WRITTEN


def test_rows_have_all_cells_and_a_section_that_is_shown() -> None:
    for row in ROWS:
        assert len(row) == 7, row[0]
        assert row[2] in {"", *SECTIONS}, row[0]
        assert bool(row[1]) == bool(row[6]), f"{row[0]}: an option has a help, an argument none"
