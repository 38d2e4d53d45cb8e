"""Another program's file: one information where it is named, silence in a folder, and no command changes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import RIGHT, put, run

OCTAVIA = """\
[DEFAULT]
transport_url = rabbit://canary-secret@192.0.2.1
[networking]
lb_network_name = lb-mgmt-net
[service_auth]
auth_url = https://keystone.example.com
password = canary-secret
[house_keeping]
load_balancer_expiry_age = 3600
"""
WHY = "its sections and keys are those of Octavia's own octavia.conf"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(
        tmp_path, {"octavia.conf": OCTAVIA, "x/cloud.conf": OCTAVIA, "bot/cloud.conf": "[bot]\ntoken = canary-secret\n"}
    )
    return tmp_path


@pytest.mark.parametrize("name", ["octavia.conf", "x/cloud.conf", "bot/cloud.conf"])
def test_one_information_where_it_is_named(folder: Path, name: str) -> None:
    done = run(folder, "lint", "--format=json", name)
    assert done.code == 0
    document = json.loads(done.out)
    assert [(one["rule"], one["severity"]) for one in document["findings"]] == [("not-a-cloud-conf", "info")]
    assert document["failures"] == []
    assert "canary" not in done.out + done.err


def test_silence_in_a_folder_but_a_reason_with_v(folder: Path) -> None:
    done = run(folder, "lint", ".")
    assert done.code == 0
    assert "not-a-cloud-conf" not in done.out
    done = run(folder, "lint", "-v", ".")
    lines = [line for line in done.out.splitlines() if "not taken" in line]
    assert lines == [
        "bot/cloud.conf is not taken for a cloud.conf: none of its sections and keys are the CCM's.",
        f"octavia.conf is not taken for a cloud.conf: {WHY}.",
        f"x/cloud.conf is not taken for a cloud.conf: {WHY}.",
    ]
    assert "canary" not in done.out + done.err


@pytest.mark.parametrize("unsafe", [False, True])
def test_fix_leaves_it_alone_and_says_why(folder: Path, *, unsafe: bool) -> None:
    done = run(folder, "fix", "--write", *(["--unsafe"] if unsafe else []), "octavia.conf")
    assert done.code == 0
    assert f"octavia.conf is not taken for a cloud.conf: {WHY}." in done.err
    done = run(folder, "fix", "--write", "--unsafe", ".")
    assert done.code == 0
    for name in ("octavia.conf", "x/cloud.conf"):
        assert (folder / name).read_text() == OCTAVIA


def test_fix_of_a_folder_looks_at_what_lint_looks_at(tmp_path: Path) -> None:
    mine = "[global]\nregion = R\nuser = x\n"
    put(tmp_path, {"cloud.conf": RIGHT, "site.ini": mine})
    run(tmp_path, "fix", "--write", "--unsafe", "--to=1.36", "--from=1.25", ".")
    assert (tmp_path / "site.ini").read_text() == mine


@pytest.mark.parametrize(
    "command", [("set", "octavia.conf", "create-monitor=true"), ("show", "octavia.conf"), ("read", "octavia.conf")]
)
def test_other_commands_say_why(folder: Path, command: tuple[str, ...]) -> None:
    done = run(folder, *command)
    assert done.code in {2, 3}
    assert f"there is no cloud.conf in octavia.conf: {WHY}" in done.err
    assert (folder / "octavia.conf").read_text() == OCTAVIA


def test_set_in_a_folder_changes_the_real_one_only(folder: Path) -> None:
    put(folder, {"cloud.conf": RIGHT})
    assert run(folder, "set", ".", "create-monitor=false").code == 0
    assert (folder / "octavia.conf").read_text() == OCTAVIA
    assert "create-monitor = false" in (folder / "cloud.conf").read_text()


def test_the_rule_can_be_switched_off(folder: Path) -> None:
    document = json.loads(run(folder, "lint", "--format=json", "--ignore=not-a-cloud-conf", "octavia.conf").out)
    assert document["findings"] == []
