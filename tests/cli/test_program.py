"""The installed command, which ends its process at once: nothing is lost or left behind, and the code is the same."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import FATAL, RIGHT, ROOT, environment, put

PROGRAM = (sys.executable, "-c", "from ccmcheck.cli.main import program; program()")
MODULE = (sys.executable, "-m", "ccmcheck")
BOTH = pytest.mark.parametrize("command", [PROGRAM, MODULE], ids=["program", "module"])


def _run(
    folder: Path, command: tuple[str, ...], *arguments: str, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env=environment(folder, **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


@pytest.mark.ci
@BOTH
def test_no_key_of_a_kubeconfig_stays_behind(tmp_path: Path, command: tuple[str, ...]) -> None:
    text = base64.b64encode(b"c4nary-of-a-key-7d20").decode()
    cluster = {"server": "https://127.0.0.1:1", "certificate-authority-data": text}
    user = {"client-certificate-data": text, "client-key-data": text}
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "a",
        "contexts": [{"name": "a", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": user}],
    }
    put(tmp_path, {"kubeconfig": json.dumps(kubeconfig)})
    (tmp_path / "temporary").mkdir()
    done = _run(tmp_path, command, "cluster", "lint", "--kubeconfig=kubeconfig", TMPDIR=str(tmp_path / "temporary"))
    assert done.returncode == 3
    assert not list((tmp_path / "temporary").iterdir())


def test_what_libraries_do_at_the_end_is_done(tmp_path: Path) -> None:
    library = "import atexit, pathlib\natexit.register(lambda: (print('late'), pathlib.Path('left').touch()))\n"
    put(tmp_path, {"cloud.conf": FATAL, "library.py": library})
    starts = (
        "from ccmcheck.cli import main\n"
        "run = main.run\n"
        "def with_library(args):\n"
        "    import library\n"
        "    return run(args)\n"
        "main.run = with_library\n"
        "main.program()\n"
    )
    done = _run(tmp_path, (sys.executable, "-c", starts), "lint", "cloud.conf", PYTHONPATH=f"{ROOT}:{tmp_path}")
    assert done.returncode == 1, done.stderr
    assert done.stdout.endswith(b"late\n")
    assert (tmp_path / "left").exists()


@BOTH
@pytest.mark.parametrize(
    ("arguments", "code"), [(("lint", "right.conf"), 0), (("lint",), 1), (("lint", "--wrong"), 2), (("lint", "no"), 3)]
)
def test_output_and_code(tmp_path: Path, command: tuple[str, ...], arguments: tuple[str, ...], code: int) -> None:
    put(tmp_path, {"right.conf": RIGHT, "cloud.conf": FATAL})
    done = _run(tmp_path, command, *arguments, "--output-file=json=report.json")
    assert done.returncode == code
    assert done.stderr if code == 2 else done.stdout
    assert code == 2 or json.loads((tmp_path / "report.json").read_text())


@BOTH
@pytest.mark.parametrize("closed", [(1,), (2,), (1, 2)])
def test_closed_streams_change_no_code(tmp_path: Path, command: tuple[str, ...], closed: tuple[int, ...]) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    shell = " ".join(["exec", '"$@"', *(f"{number}>&-" for number in closed)])
    done = _run(tmp_path, ("/bin/sh", "-c", shell, "sh", *command), "lint")
    assert done.returncode == 1


@BOTH
def test_a_full_device_is_said(tmp_path: Path, command: tuple[str, ...]) -> None:
    if not os.path.exists("/dev/full"):  # noqa: PTH110 - a device
        pytest.skip("there is no /dev/full")
    put(tmp_path, {"cloud.conf": FATAL})
    done = _run(tmp_path, ("/bin/sh", "-c", 'exec "$@" >/dev/full', "sh", *command), "lint")
    assert (done.returncode, b"no space left" in done.stderr) == (3, True)
