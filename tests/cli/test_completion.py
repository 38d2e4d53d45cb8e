"""Completion: the scripts, and what Tab offers for the keys and values of ``ccmcheck set``, by release."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import ROOT, environment, put, run

from ccmcheck import catalog


def offered(folder: Path, shell: str, *words: str) -> list[str]:
    """What a shell is offered for the last of some words."""
    done = run(
        folder,
        _CCMCHECK_COMPLETE=f"{shell}_complete",
        COMP_WORDS=" ".join(("ccmcheck", *words)),
        COMP_CWORD=words[-1] if shell == "fish" else str(len(words)),
    )
    assert done.err == ""
    lines = done.out.strip().splitlines()
    return lines[1::3] if shell == "zsh" else [line.partition(",")[2].partition("\t")[0] for line in lines]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts(shell: str, tmp_path: Path) -> None:
    done = run(tmp_path, "completion", shell)
    assert (done.code, done.err) == (0, "")
    assert f"_CCMCHECK_COMPLETE={shell}_complete" in done.out
    assert ("without a space" in done.out) == (shell != "fish")  # whose own completion adds none after a sign
    if shutil.which(shell) is not None:
        script = tmp_path / f"script.{shell}"
        script.write_text(done.out, encoding="utf-8")
        subprocess.run([shell, "-n", str(script)], check=True, capture_output=True)


def test_an_unsupported_shell(tmp_path: Path) -> None:
    done = run(tmp_path, "completion", "tcsh")
    assert done.code == 2
    assert "'bash', 'zsh', 'fish'" in done.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_keys(shell: str, tmp_path: Path) -> None:
    assert offered(tmp_path, shell, "set", "x", "LoadBalancer.cre") == ["LoadBalancer.create-monitor="]
    assert offered(tmp_path, shell, "set", "x", "create-m") == ["create-monitor="]
    assert offered(tmp_path, shell, "set", "x", "--unset", "create-m") == ["create-monitor"]
    assert offered(tmp_path, shell, "set", "x", "create-monitor=true", "monitor-t") == ["monitor-timeout="]


@pytest.mark.parametrize("release", ["1.20", "1.25", "1.36"])
def test_keys_are_those_of_the_release(release: str, tmp_path: Path) -> None:
    schema = catalog.schema(catalog.release(release), "ccm")
    section = schema.section("LoadBalancer")
    assert section is not None
    listed = offered(tmp_path, "bash", "set", "--release", release, "x", "LoadBalancer.")
    assert listed == [f"LoadBalancer.{key.name}=" for key in section.keys]
    assert ("LoadBalancer.use-octavia=" in listed) == (release != "1.36")


def test_a_key_of_several_sections_is_offered_with_them(tmp_path: Path) -> None:
    listed = offered(tmp_path, "bash", "set", "x", "")
    alone = [name for name in listed if "." not in name]
    assert len(set(alone)) == len(alone) > 40
    for name in alone:
        assert run(tmp_path, "explain", name.removesuffix("=")).code == 0


@pytest.mark.parametrize(
    ("options", "key", "begun", "values"),
    [
        ((), "create-monitor", "", ["true", "false"]),
        ((), "LoadBalancer.create-monitor", "t", ["true"]),
        ((), "lb-provider", "o", ["octavia", "ovn"]),
        (("--release", "1.20"), "lb-provider", "", ["amphora", "octavia"]),
        ((), "monitor-delay", "", ["5s"]),
        ((), "password", "", []),
        ((), "no-such-key", "", []),
    ],
)
def test_values(options: tuple[str, ...], key: str, begun: str, values: list[str], tmp_path: Path) -> None:
    assert offered(tmp_path, "zsh", "set", *options, "x", f"{key}={begun}") == [f"{key}={value}" for value in values]
    # bash cuts the word at the sign
    assert offered(tmp_path, "bash", "set", *options, "x", key, "=", begun or "''") == values
    if not begun:
        assert offered(tmp_path, "bash", "set", *options, "x", key, "=") == values


def test_half_a_release_does_no_harm(tmp_path: Path) -> None:
    words = ("set", "--release", "9.9", "x", "create-m")
    assert offered(tmp_path, "bash", *words) == ["create-monitor="]


RC = {
    "bash": 'PS1="> "\nbind "set enable-bracketed-paste off"\neval "$(ccmcheck completion bash)"\n',
    "zsh": 'PS1="> "\nunset zle_bracketed_paste\nautoload -U compinit\ncompinit -u -D\neval "$(ccmcheck completion zsh)"\n',
}
COMMANDS = {"bash": ("bash", "--noprofile", "--rcfile", ".zshrc", "-i"), "zsh": ("zsh", "-i", "-o", "nopromptsp")}


def typed(folder: Path, shell: str, keys: str, awaited: str) -> str:
    """What an interactive shell shows when somebody types, until it shows what is awaited."""
    put(
        folder,
        {"bin/ccmcheck": f'#!/bin/sh\nexec {sys.executable} -m ccmcheck "$@"\n', "cloud.conf": "", ".zshrc": RC[shell]},
    )
    (folder / "bin" / "ccmcheck").chmod(0o755)
    variables = environment(
        folder, PATH=f"{folder / 'bin'}:{os.environ['PATH']}", PYTHONPATH=str(ROOT), TERM="dumb", COLUMNS="200"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        COMMANDS[shell], cwd=folder, env=variables, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as process:
        os.close(theirs)
        try:
            shown = _until(ours, "> ")
            os.write(ours, keys.encode())
            shown += _until(ours, awaited)
        finally:
            process.kill()
            os.close(ours)
    return shown


def _until(terminal: int, awaited: str) -> str:
    shown = ""
    end = time.monotonic() + 20
    while awaited not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 4096).decode().replace("\a", "")
    return shown


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_tab_completes_a_key_and_then_its_value(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    awaited = "ccmcheck set cloud.conf LoadBalancer.create-monitor=true"
    shown = typed(tmp_path, shell, "ccmcheck set cloud.conf LoadBalancer.cre\tt\t", awaited)
    assert awaited in shown
