"""Secrets that are known from where they were read are hidden in whatever quotes them, whole or in part."""

from __future__ import annotations

from contextvars import copy_context
from pathlib import Path

import pytest

from ccmcheck.cli.main import run
from ccmcheck.redact import MASK
from ccmcheck.redact.masker import Masker, hide, mask_text
from ccmcheck.redact.run_secrets import run_secrets

CANARY = "12canaryOfTheDay"
REST = CANARY[2:]


def test_a_reader_quotes_what_is_left_of_a_secret_behind_its_number() -> None:
    masker = Masker(f"[Global]\npassword = {CANARY}\n")
    said = masker.scrub(f'failed to parse "{CANARY}" as uint: extra characters "{REST}" at "monitor-max-retries"')
    assert said == f'failed to parse "{MASK}" as uint: extra characters "{MASK}" at "monitor-max-retries"'


@pytest.mark.parametrize("quoted", ["octavia", "true", "12"])
def test_a_word_that_everybody_knows_is_no_part_of_a_secret(quoted: str) -> None:
    assert quoted in Masker("[Global]\npassword = 12octaviatrue\n").scrub(f'cannot read "{quoted}"')


def test_the_default_of_a_variable_is_a_secret_as_well() -> None:
    masker = Masker(f"[Global]\npassword = ${{PW:-{CANARY}}}\n")
    assert CANARY not in masker.scrub(f'failed to parse "{CANARY}" as uint')
    assert REST not in masker.scrub(f'extra characters "{REST}"')


def test_what_is_registered_is_hidden_in_sentences_of_this_run_alone() -> None:
    def said() -> str:
        hide((CANARY, "", "short"))
        return mask_text(f"the server says {CANARY}, which is short")

    assert copy_context().run(said) == f"the server says {MASK}, which is short"
    assert CANARY not in run_secrets()


FILES = {
    "pasted.conf": f'[Global "password={CANARY}"]\nauth-url = https://k\n',
    "default.conf": (
        f"[Global]\nauth-url=https://k\nusername=u\npassword=${{PW:-{CANARY}}}\n"
        f"[LoadBalancer]\nmonitor-max-retries={CANARY}\n"
    ),
    "class.conf": (f'[Global]\nauth-url=https://k\npassword={CANARY}\n[LoadBalancerClass "{CANARY}"]\nsubnet-id=s\n'),
    "clouds.yaml": (
        "clouds:\n"
        f"  one:\n    auth: {{auth_url: 'https://k', username: u, password: {CANARY}, project_id: p}}\n"
        f"    region_name: {CANARY}\n"
    ),
}
COMMANDS = (
    "read pasted.conf",
    "read --reader cinder-csi-plugin@release-1.31 pasted.conf",
    "show --consumer cinder-csi-plugin pasted.conf",
    "lint pasted.conf default.conf",
    "read default.conf",
    "read class.conf",
    "show class.conf",
    "lint class.conf",
    "predict class.conf",
    "show default.conf",
    "render cloud.conf --clouds clouds.yaml",
)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_shows_them(
    command: str,
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run([*command.split(), *(("--format", form) if "render" not in command else ())])
    shown = capsys.readouterr()
    assert shown.out
    assert REST not in shown.out + shown.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["predict", "--topology", CANARY, "."],
        ["lint", "--nodes", CANARY, "."],
        ["lint", "--release", CANARY, "."],
        ["lint", f"--{CANARY}"],
        [CANARY],
    ],
)
def test_no_message_quotes_an_argument_that_is_the_secret_of_a_variable(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OS_PASSWORD", CANARY)
    assert run(arguments) in (2, 3)
    shown = capsys.readouterr()
    assert MASK in shown.err
    assert CANARY not in shown.out + shown.err
