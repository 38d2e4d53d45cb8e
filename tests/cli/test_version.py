"""``ccmcheck --version``, and what it adds for bug reports."""

from __future__ import annotations

import os
import platform
import py_compile
import re
import subprocess
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest
from command_line import ROOT, environment, run

import ccmcheck
from ccmcheck import catalog
from ccmcheck.catalog.data.releases import AS_OF, BRANCHES, LAST_PATCH
from ccmcheck.cli.own_modules import OwnModules


def facts(folder: Path, *arguments: str) -> dict[str, str]:
    done = run(folder, *arguments)
    assert (done.code, done.err) == (0, "")
    first, *lines = done.out.splitlines()
    assert first == f"ccmcheck {ccmcheck.__version__}"
    pairs = (re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines)
    return {name: value for name, value in pairs}  # noqa: C416 - each has two parts, or this fails


@pytest.mark.parametrize("arguments", [("--version", "--verbose"), ("--verbose", "--version")])
def test_what_a_bug_report_needs(arguments: tuple[str, str], tmp_path: Path) -> None:
    reported = facts(tmp_path, *arguments)
    tags = sum(last + 1 for last in LAST_PATCH.values())
    assert (
        reported["CCM releases"]
        == f"1.9 to {catalog.newest()} and master: {len(BRANCHES) - 1} minor releases, {tags} tags"
    )
    assert reported["newest tag"].startswith(f"v{catalog.newest()}.")
    assert reported["catalog date"] == AS_OF
    assert platform.python_version() in reported["Python"]
    assert sys.executable in reported["Python"]
    assert reported["platform"] == platform.platform()
    assert Path(reported["installed in"]) == Path(ccmcheck.__file__).parent
    assert "pyyaml 6" in reported["libraries"].lower()


def test_the_catalog_date_is_a_date() -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", AS_OF)


@pytest.mark.parametrize("arguments", [("--version",), ("--version", "lint"), ("--version", "no-such-command")])
def test_the_plain_version(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert run(tmp_path, *arguments) == (0, f"ccmcheck {ccmcheck.__version__}\n", "")


def test_the_plain_version_loads_no_catalog() -> None:
    code = (
        "import sys; from ccmcheck.cli.main import run; run(['--version']); "
        "print(*sorted(name for name in sys.modules if name in "
        "('ccmcheck.cli.version', 'ccmcheck.catalog', 'importlib.metadata')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == ""


def test_verbose_before_a_command_is_wrong_use(tmp_path: Path) -> None:
    done = run(tmp_path, "--verbose", "lint")
    assert (done.code, done.out) == (2, "")
    assert "lint --verbose" in done.err


def test_from_a_source_tree_that_is_not_installed(tmp_path: Path) -> None:
    """As somebody runs it who only has the files and the libraries."""
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    (tmp_path / "libraries").mkdir()
    for path in Path(packages).iterdir():
        if path.name.split("-")[0].lower() in {"click", "yaml"}:
            (tmp_path / "libraries" / path.name).symlink_to(path)
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]; sys.argv[1:] = ['--version', '--verbose']; "
        "from ccmcheck.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT), str(tmp_path / "libraries")],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "not installed" in done.stdout


def test_the_program_tells_its_version_without_click() -> None:
    code = (
        "import sys; sys.argv[1:] = ['--version']; from ccmcheck.cli.start import program\n"
        "try: program()\n"
        "finally: sys.stderr.write(str('click' in sys.modules))"
    )

    def said(stdout: int) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
        )
        return done.returncode, done.stdout or "", done.stderr

    assert said(subprocess.PIPE) == (0, f"ccmcheck {ccmcheck.__version__}\n", "False")
    full = os.open("/dev/full", os.O_WRONLY)
    assert said(full)[::2] == (3, "ccmcheck: error: no space left on device\nTrue")
    os.close(full)


def test_the_program_finds_its_modules_as_python_does() -> None:
    code = (
        "import json, sys; {before}; import ccmcheck, ccmcheck.lint.runner, ccmcheck.policy.profiles.standards\n"
        "from importlib.resources import files\n"
        "names = ('__file__', '__cached__', '__path__', '__package__', '__name__', '__doc__')\n"
        "print(json.dumps({{name: [str(getattr(module, one, '')) for one in names] for name, module in "
        "sys.modules.items() if name.startswith('ccmcheck.') and name not in {own}}}))\n"
        "print((files('ccmcheck.docs') / 'lint.md').read_text()[:80])\n"
        "try: import ccmcheck.lint.nothing\n"
        "except ModuleNotFoundError as error: print(error)\n"
    )
    own = ("ccmcheck.cli", "ccmcheck.cli.own_modules", "ccmcheck.base.interrupts", "ccmcheck.cli.start")
    install = "from ccmcheck.cli.own_modules import find_own_modules_first as f; f()"
    ours, pythons = (
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code.format(before=before, own=own)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for before in (install, "pass")
    )
    assert len(ours) > 10_000
    assert "No module named 'ccmcheck.lint.nothing'" in ours
    assert re.sub(r" at 0x\w+", "", ours) == re.sub(r" at 0x\w+", "", pythons)


@pytest.mark.parametrize("byte_code", ["current", "none", "older", "other size", "cut", "other Python's", "by hash"])
def test_the_program_runs_the_byte_code_that_python_runs(tmp_path: Path, byte_code: str) -> None:
    found = []
    for finder in (OwnModules.find_spec, PathFinder.find_spec):
        folder = tmp_path / finder.__qualname__
        folder.mkdir()
        source = folder / "made.py"
        source.write_text("ANSWER = 1\n")
        by_hash = PycInvalidationMode.UNCHECKED_HASH if byte_code == "by hash" else PycInvalidationMode.TIMESTAMP
        cached = Path(py_compile.compile(str(source), invalidation_mode=by_hash) or "")
        times = source.stat().st_mtime_ns
        source.write_text("ANSWER = 22\n" if byte_code == "other size" else "ANSWER = 2\n")
        os.utime(source, ns=(times, times + 10**10 * (byte_code == "older")))
        if byte_code == "none":
            cached.unlink()
        if byte_code == "cut":
            cached.write_bytes(cached.read_bytes()[:20])
        if byte_code == "other Python's":
            cached.write_bytes(b"\0" + cached.read_bytes()[1:])
        spec = finder("ccmcheck.made", [str(folder)])
        assert spec is not None
        assert spec.loader is not None
        try:
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            found.append(module.ANSWER)
        except EOFError as error:
            found.append(str(error))
    assert found[0] == found[1]
    assert (found[0] == 1) == (byte_code in ("current", "by hash"))
