"""Start-up is a feature: no command imports what it does not need.

Each command runs in a fresh interpreter that has imported click already, so what click itself brings is not counted.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filesets import control_plane, secret

from ccmcheck.report import REPORTERS

_PROBE = """
import sys
import click
before = set(sys.modules)
from ccmcheck.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as error:
    code = error.code or 0
sys.stderr.write("\\n".join(["", f"exit {code}", *sorted(set(sys.modules) - before)]))
"""

# fmt: off
_HEAVY = frozenset({
    "argparse", "asyncio", "concurrent.futures", "configobj", "configparser", "csv", "dataclasses", "decimal",
    "difflib", "doctest", "email", "fractions", "hashlib", "hmac", "html", "http", "importlib.metadata",
    "importlib.resources", "ipaddress", "jinja2", "json", "jsonpatch", "jsonschema", "kubernetes", "logging",
    "multiprocessing", "openstack", "pathspec", "pkgutil", "pydantic", "queue", "random", "requests", "rich",
    "ruamel", "secrets", "socket", "sqlite3", "ssl", "statistics", "subprocess", "tarfile", "tempfile", "tomllib",
    "unittest", "urllib.request", "xml", "zipfile",
})
# fmt: on
"""What no command may import before it needs it; 5 to 400 ms each, or a sign of something that does not belong there."""

_ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}

_OURS = frozenset({"ccmcheck", "click", "yaml", "_yaml"})
"""The packages outside the standard library that may be imported; click loads parts of itself late."""

_READING = frozenset({"carriers", "layers", "yamlio"})
_READERS = frozenset(
    {"conf.reading", "conf.view", "lint.engine", "lint.runner", "workspace.discover", "workspace.related_files"}
)
_OTHERS = frozenset({"cluster", "fix.patch", "predict", "render", "review"})


def _imported(folder: Path, *args: str, code: int = 0) -> set[str]:
    command = [sys.executable, "-c", _PROBE, *args]
    run = subprocess.run(command, cwd=folder, env=_ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60)
    said, _, report = run.stderr.rpartition("\nexit ")
    ended, *modules = report.split("\n")
    assert (ended, said) == (str(code), "")
    assert "ccmcheck.cli.main" in modules
    return set(modules)


def _rooms(modules: set[str]) -> set[str]:
    """The rooms; what only ``--patch`` needs is one of its own here."""
    ours = {name.removeprefix("ccmcheck.") for name in modules if name.startswith("ccmcheck.")}
    return {"fix.patch" if name.startswith("fix.patch") else name.partition(".")[0] for name in ours}


def _outsiders(modules: set[str]) -> set[str]:
    tops = {name.partition(".")[0] for name in modules}
    # what Cython, which PyYAML's parser is made with, leaves behind is no package
    return {top for top in tops if top not in sys.stdlib_module_names and top not in _OURS and "cython" not in top}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One file of each kind, all of them right."""
    (tmp_path / "secret.yaml").write_text(secret(0))
    (tmp_path / "control-plane.yaml").write_text(control_plane(1))
    (tmp_path / "flawed.yaml").write_text(secret(0, flawed=True))
    return tmp_path


COMMANDS = {
    "--version": 0,
    "--help": 0,
    "lint secret.yaml": 0,
    "lint control-plane.yaml": 0,
    "lint flawed.yaml": 1,
    "lint --help": 0,
    "fix --quiet secret.yaml": 0,  # click itself imports difflib for any short option
    "set --help": 0,
    "read secret.yaml": 0,
    "show secret.yaml": 0,
    "explain unknown-key": 0,
    "explain create-monitor": 0,
    "rules": 0,
}


@pytest.mark.part(of=3)
@pytest.mark.parametrize(("command", "code"), COMMANDS.items(), ids=COMMANDS)
def test_no_command_imports_anything_heavy(folder: Path, command: str, code: int) -> None:
    modules = _imported(folder, *command.split(), code=code)
    assert sorted(modules & _HEAVY) == []
    assert sorted(_outsiders(modules)) == []


@pytest.mark.parametrize("command", ["--version", "--help", "explain duration-bad", "explain create-monitor"])
def test_what_reads_no_file_loads_no_reader(folder: Path, command: str) -> None:
    modules = _imported(folder, *command.split())
    assert not _rooms(modules) & (_READING | _OTHERS)
    assert not {f"ccmcheck.{reader}" for reader in _READERS} & modules


@pytest.mark.parametrize("command", ["--version", "--help", "explain create-monitor", "rules", "lint --help"])
def test_what_reads_no_file_loads_no_yaml(folder: Path, command: str) -> None:
    assert not {name for name in _imported(folder, *command.split()) if name.partition(".")[0] in {"yaml", "_yaml"}}


@pytest.mark.parametrize("command", ["lint --profile kops secret.yaml", "show --profile kops secret.yaml", "profiles"])
def test_configobj_is_loaded_where_there_is_a_profile(folder: Path, command: str) -> None:
    assert "configobj" in _outsiders(_imported(folder, *command.split()))


def test_version_loads_the_command_line_alone(folder: Path) -> None:
    modules = _imported(folder, "--version")
    assert _rooms(modules) == {"base", "cli"}
    # these have a few lines each: the table of commands, and how Ctrl-C and a time limit end the run
    few = {f"ccmcheck.base.{name}" for name in ("data_files", "errors", "interrupts", "budget")}
    assert {name for name in modules if name.startswith("ccmcheck.base.")} == few


def test_lint_loads_no_room_of_other_commands(folder: Path) -> None:
    modules = _imported(folder, "lint", "secret.yaml")
    predicting = {name for name in modules if name.startswith("ccmcheck.predict")}
    assert not _rooms(modules - predicting) & _OTHERS
    # what a driver accepts is one record, which rules ask, too
    assert {name for name in predicting if ".drivers" not in name} <= {"ccmcheck.predict"}
    assert {name for name in modules if name.startswith("ccmcheck.cli.")} >= {"ccmcheck.cli.lint"}
    assert not {f"ccmcheck.cli.{other}" for other in ("fix", "set", "read", "show", "explain", "rules")} & modules


def test_files_that_matter_not_load_no_rule(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("replicas: 3\n")
    modules = _imported(tmp_path, "lint", "--quiet", ".")
    assert "ccmcheck.workspace.discover" in modules
    loaded = {name for name in modules if name.startswith(("ccmcheck.rules.", "yaml", "_yaml"))}
    # what finds the pods of a run is no rule, though rules see them through it
    loaded = {name for name in loaded if not name.startswith("ccmcheck.rules.views")}
    assert loaded <= {"ccmcheck.rules.prefilter", "ccmcheck.rules.registry"}


def test_one_format_loads_no_other(folder: Path) -> None:
    modules = _imported(folder, "lint", "flawed.yaml", code=1)
    others = {place.partition(":")[0] for name, place in REPORTERS.items() if name != "text"}
    assert others - {"ccmcheck.report.text"}
    assert not others & modules


def test_the_probe_sees_an_import(tmp_path: Path) -> None:
    """The table would be worth nothing if the probe missed what the interpreter or click had loaded already."""
    code = "import sys, click; before = set(sys.modules); print(*sorted(before))"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert not loaded & {"difflib", "json", "logging", "subprocess", "tomllib", "multiprocessing", "dataclasses"}
