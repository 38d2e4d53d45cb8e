"""One name for each thing: every option means the same in every command, and an old spelling names the new one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command_line import FATAL, NOTED, RIGHT, environment, put, run, start

from ccmcheck.base.data_files import read_table
from ccmcheck.cli import command as command_module
from ccmcheck.cli.cluster import COMMANDS
from ccmcheck.cli.command import SECTIONS
from ccmcheck.cli.main import NAMES, cli

READS_FILES = ("lint", "fix", "set", "render", "predict", "review", "upgrade", "read", "show", "explain")
REPORTS = ("lint", "predict", "review", "upgrade", "read", "show", "explain", "rules", "profiles")
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, ports: [{name: http, port: 80, nodePort: 30080}]}
"""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command, and those of each group under their whole names."""
    with click.Context(cli) as ctx:
        for name in NAMES:
            command = cli.get_command(ctx, name)
            assert command is not None
            yield name, command
            if isinstance(command, click.Group):
                inner = [(f"{name} {one}", command.get_command(ctx, one)) for one in command.list_commands(ctx)]
                yield from ((whole, one) for whole, one in inner if one is not None)


def declared(command: click.Command) -> dict[str, click.Option]:
    return {
        option.opts[0]: option for option in command.params if isinstance(option, click.Option) and not option.hidden
    }


def test_an_option_means_the_same_everywhere() -> None:
    """But for formats, defaults, what profiles are used for, what is written, and whose namespace is meant."""
    first: dict[str, tuple[object, ...]] = {}
    for _, command in commands():
        for name, option in declared(command).items():
            # kubectl names the first three; conformance removes what it created after its limit
            if name in ("--namespace", "--context", "--cluster", "--time-limit"):
                continue
            alike: tuple[object, ...] = (
                option.opts,
                option.multiple,
                option.is_flag,
                option.metavar,
                type(option.type),
            )
            if name not in ("--format", "--profile", "--write"):
                alike += ((option.help or "").partition(" Default: ")[0],)
            assert first.setdefault(name, alike) == alike, name


@pytest.mark.parametrize(
    ("names", "of"),
    [
        (
            ("--config", "--no-config", "--exclude", "--var", "--env-file", "--stdin-filename", "--max-size"),
            READS_FILES,
        ),
        (("--quiet", "-q", "--exit-zero"), (*READS_FILES, "list")),
        (("--format", "--output", "-o", "--output-file", "--color"), REPORTS),
        (("--from", "--to"), ("fix", "review", "upgrade")),
        (("--select", "--ignore"), ("lint", "fix")),
        (("--cloud-config",), ("predict", "review", "render", "explain")),
        (("--output-dir", "--patch", "--diff", "--check", "--color"), ("fix", "set")),
        (("--profile",), ("lint", "fix", "set", "render", "predict", "review", "upgrade", "show", "explain")),
    ],
)
def test_the_table(names: tuple[str, ...], of: tuple[str, ...]) -> None:
    found = dict(commands())
    for command in of:
        known = {spelling for option in declared(found[command]).values() for spelling in option.opts}
        missing = set(names) - known
        assert not missing, command


@pytest.mark.parametrize("name", NAMES)
def test_help_fits_into_80_columns_and_sorts_options_into_sections(name: str, tmp_path: Path) -> None:
    done = run(tmp_path, name, "--help", COLUMNS="80")
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 80
    command = dict(commands())[name]
    for option in declared(command).values():
        section = getattr(option, "section", None)
        assert section is None or section in SECTIONS
        assert section is None or f"\n{section}:\n" in done.out


def test_the_help_of_all_commands_fits_into_80_columns(tmp_path: Path) -> None:
    done = run(tmp_path, "--help", COLUMNS="80")
    assert max(map(len, done.out.splitlines())) <= 80
    assert all(f"  {name} " in done.out for name in NAMES)


@pytest.mark.parametrize("name", [name for name, _ in commands() if name not in ("completion", "rules")])
def test_examples_of_help_can_be_parsed(name: str) -> None:
    command = dict(commands())[name]
    examples = [row[1] for row in read_table(command_module.__file__, "examples.tsv") if row[0] == name]
    assert examples, "its help has none: give it some in examples.tsv"
    for line in examples:
        used, *words = re.split(" [|<]", line)[0].removeprefix("ccmcheck ").split()
        assert name.split(maxsplit=1)[0] == used
        if " " in name:
            assert words.pop(0) in COMMANDS
        command.make_context(name, words, resilient_parsing=True)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("fix --exclude duration-bad", "Write --ignore duration-bad."),
        ("predict --config cloud.conf .", "name a cloud.conf with --cloud-config FILE."),
        ("explain create-monitor --config cloud.conf .", "name a cloud.conf with --cloud-config FILE."),
        ("render secret --config cloud.conf", "name a cloud.conf with --cloud-config FILE."),
        ("cloud.conf", "Write ccmcheck lint cloud.conf."),
        ("-", "Write ccmcheck lint -."),
        ("lnit", "Did you mean `lint`?"),
        ("help lnit", "Did you mean `lint`?"),
        ("lint --output-file sarif=-", "Two reports would go to standard output."),
        ("lint --format text --format json", "--output-file json=PATH"),
        ("show --format html", 'There is no format "html"; there are text, markdown, json.'),
    ],
)
def test_what_to_write_instead(words: str, advice: str, tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    done = run(tmp_path, *words.split())
    assert (done.code, done.out) == (2, "")
    assert advice in done.err
    assert (tmp_path / "cloud.conf").read_text(encoding="utf-8") == RIGHT


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_goes_where_it_is_sent(name: str, tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT, "web.yaml": SERVICE})
    words = {
        "review": ["cloud.conf", "cloud.conf"],
        "upgrade": ["--from=1.30"],
        "explain": ["duration-bad"],
        "rules": [],
        "profiles": [],
    }.get(name, ["."])
    shown = run(tmp_path, name, *words, "--format=json")
    assert shown.out.startswith("{")
    for path in ("-", "main.json"):
        done = run(tmp_path, name, *words, "--format", "json", "-o", path)
        assert done.code == shown.code
        assert (done.out == "") == (path == "main.json")
    both = run(tmp_path, name, *words, "-o", "main.txt", "--output-file", "json=-")
    assert both.out.startswith("{")
    assert (tmp_path / "main.txt").read_text(encoding="utf-8") == run(tmp_path, name, *words, "--format=text").out or (
        name == "lint"
    )


@pytest.mark.parametrize("name", ["read", "show", "predict", "upgrade", "explain", "review", "render", "set"])
def test_every_command_reads_the_configuration(name: str, tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "cloud.conf.tmpl": RIGHT.replace("region = RegionOne", "region = ${REGION}"),
            "web.yaml": SERVICE,
            "ccmcheck.toml": 'release = "1.30"\n[vars]\nREGION = "north"\n',
        },
    )
    words = {
        "explain": ["create-monitor", "."],
        "review": ["cloud.conf.tmpl", "cloud.conf.tmpl", "-v"],
        "render": ["cloud.conf", "--cloud-config=cloud.conf.tmpl", "-q"],
        "set": ["cloud.conf.tmpl", "use-octavia=true"],
    }.get(name, ["."])
    done = run(tmp_path, name, *words)
    printed = done.out + done.err
    if name in ("read", "show", "render"):
        assert "north" in printed
        assert "north" not in run(tmp_path, name, *words, "--no-config").out
    if name != "render":
        assert "1.30" in printed
    (tmp_path / "ccmcheck.toml").write_text("relase = 1\n", encoding="utf-8")
    assert "there is no option `relase`" in run(tmp_path, name, *words).err


def test_set_takes_several_files_and_folders(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": RIGHT, "b/cloud.conf": RIGHT, "b/notes.yaml": "a: b\n", "c.conf": RIGHT})
    done = run(tmp_path, "set", "a", "b", "--", "create-monitor=false")
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines() == [f"ccmcheck: {name}/cloud.conf: changed 1 cloud.conf" for name in "ab"]
    assert run(tmp_path, "set", "--file", "c.conf", "create-monitor=false", "--unset", "region").code == 0
    assert "region" not in (tmp_path / "c.conf").read_text(encoding="utf-8")
    done = run(tmp_path, "set", "a", "c.conf", "create-monitor=true")
    assert (done.code, "`c.conf` is a path, where KEY=VALUE is expected" in done.err) == (2, True)
    done = run(tmp_path, "set", "a", "--", "create-monitor=true", "--diff")
    assert (done.code, "Write options before `--`" in done.err) == (2, True)


def test_set_changes_all_files_or_none(tmp_path: Path) -> None:
    template = "[LoadBalancer]\nenabled = ${ENABLED}\n"
    put(tmp_path, {"a.conf": RIGHT, "b.conf.tmpl": template})
    done = run(tmp_path, "set", "a.conf", "b.conf.tmpl", "--", "enabled=false")
    assert done.code == 3
    assert (tmp_path / "a.conf").read_text(encoding="utf-8") == RIGHT


def test_set_by_a_profile(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    done = run(tmp_path, "set", "cloud.conf", "--profile=scs-ovn", "lb-method=ROUND_ROBIN")
    assert done.code == 0, done.err
    text = (tmp_path / "cloud.conf").read_text(encoding="utf-8")
    assert re.search(r"lb-provider ?= ?ovn", text)
    assert re.search(r"lb-method ?= ?ROUND_ROBIN", text)


@pytest.mark.parametrize("name", ["read", "show"])
def test_folders_work_where_files_do(name: str, tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": RIGHT, "b/cloud.conf": FATAL, "c/notes.yaml": "a: b\n"})
    done = run(tmp_path, name)
    assert done.code == 1
    assert "a/cloud.conf  " in done.out
    assert "b/cloud.conf  " in done.out
    assert run(tmp_path, name, "c").code == 3


def test_data_on_standard_input_gets_a_hint(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    command = [sys.executable, "-m", "ccmcheck", "lint", "-q"]
    with (tmp_path / "cloud.conf").open("rb") as file:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment(tmp_path), stdin=file, capture_output=True, text=True, check=False
        )
    assert done.stderr == "ccmcheck: standard input has data that is not read; write `-` to read it\n"
    with start(tmp_path, "lint", "-q") as process:
        _, err = process.communicate(b"", timeout=60)
    assert err == b""


@pytest.mark.parametrize("name", ["predict", "review"])
def test_color_follows_the_option_and_the_configuration(name: str, tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": RIGHT, "a/web.yaml": SERVICE, "b/web.yaml": SERVICE, "b/cloud.conf": NOTED})
    words = ["a"] if name == "predict" else ["a", "b"]
    assert "\x1b[" in run(tmp_path, name, *words, "--color=always").out
    assert "\x1b[" not in run(tmp_path, name, *words).out
    put(tmp_path, {"ccmcheck.toml": 'color = "always"\n'})
    assert "\x1b[" in run(tmp_path, name, *words).out


def test_help_shows_guides_and_the_table_of_options(tmp_path: Path) -> None:
    listed = run(tmp_path, "help").out
    assert "  lint            Check files: lint\n" in listed
    assert run(tmp_path, "help", "lint").out.startswith("# Check files: lint\n")
    assert run(tmp_path, "help", "rules").out.startswith("Usage: ccmcheck rules ")
    table = run(tmp_path, "help", "options").out
    for _, command in commands():
        for option in declared(command):
            assert option in table
    assert "| `--from R` | CCM release before the change | fix, review, upgrade |" in table


@pytest.mark.parametrize("name", ["lint", "read", "show", "predict", "upgrade", "review"])
def test_exit_zero_passes_findings_and_no_error(name: str, tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "a/web.yaml": SERVICE, "b/cloud.conf": RIGHT, "b/web.yaml": SERVICE})
    words = {"upgrade": ["a", "--from=1.25"], "review": ["b", "a"]}.get(name, ["a"])
    assert run(tmp_path, name, *words).code == 1
    assert run(tmp_path, name, *words, "--exit-zero").code == 0
    assert run(tmp_path, name, "missing", "missing", "--exit-zero").code in (2, 3)


@pytest.mark.parametrize("words", ["lint a", "predict a", "show a", "read a"])
def test_the_exit_code_is_the_same_where_nobody_reads_to_the_end(words: str, tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "a/web.yaml": SERVICE})
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "ccmcheck", *words.split(), "-q"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=write_end,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (1, "")
