"""Every command assumes the release of the CCM that the given version of Kubernetes allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command_line import NOTED, run

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = (
    ("lint", "cloud.conf"),
    ("predict", "cloud.conf"),
    ("list", "cloud.conf"),
    ("read", "cloud.conf"),
    ("show", "cloud.conf"),
    ("set", "cloud.conf", "monitor-max-retries-down=2"),
    ("render", "cloud.conf", "--cloud-config", "cloud.conf"),
)
of_commands = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])


@of_commands
def test_it_is_given_or_configured(tmp_path: Path, command: tuple[str, ...]) -> None:
    """1.22 does not know the key that is set."""
    tmp_path.joinpath("cloud.conf").write_text(NOTED)
    by_option = run(tmp_path, *command, "--kubernetes-version", "1.22")
    tmp_path.joinpath("ccmcheck.toml").write_text('kubernetes-version = "1.22"\n')
    for ended in (by_option, run(tmp_path, *command)):
        assert "1.22" in ended.out + ended.err
        assert ended.code == (2 if command[0] == "set" else 0)


@of_commands
def test_a_wrong_one_is_said(tmp_path: Path, command: tuple[str, ...]) -> None:
    tmp_path.joinpath("cloud.conf").write_text(NOTED)
    ended = run(tmp_path, *command, "--kubernetes-version", "new")
    assert (ended.code, "`new` is not a Kubernetes version" in ended.err) == (2, True)
