"""The options of the commands about a cluster are alike: how to write, to look only, to be quiet."""

from __future__ import annotations

import click
import pytest

from ccmcheck.cli.cluster import COMMANDS, ClusterCommands

WRITING = ("fix", "resync", "report", "conformance")


def options(name: str) -> dict[str, click.Option]:
    """The options of a command, by each of their spellings."""
    command = ClusterCommands("cluster").get_command(click.Context(click.Command("ccmcheck")), name)
    assert command is not None
    return {spelling: one for one in command.params if isinstance(one, click.Option) for spelling in one.opts}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_can_write_has_an_audit_log(name: str) -> None:
    assert ("--audit-log" in options(name)) == (name in WRITING)
    if name in WRITING and name != "conformance":
        assert options(name)["--write"].is_flag


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"rbac"}))
def test_each_command_can_be_quiet(name: str) -> None:
    assert options(name)["--quiet"].is_flag


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"rbac", "fix"}))
def test_each_report_has_formats(name: str) -> None:
    """`rbac` prints manifests and `fix` a difference, as it does for files."""
    assert {"--format", "--output-file", "--color"} <= set(options(name))


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"diff", "merge", "preflight"}))
def test_what_reads_no_files_speaks_of_none(name: str) -> None:
    assert not [one for one in options(name).values() if "among the files" in (one.help or "")]
