"""Where the repository is not: the templates that the wheel brings are found and give the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from root import ROOT

from ccmcheck.render import TEMPLATES, RenderRequest, render

EVERY_TEMPLATE = """
from ccmcheck.cli.main import run
from ccmcheck.render import TEMPLATES
for template in TEMPLATES:
    if run(["render", template, "--set=use-clouds=true", "-q"]):
        raise SystemExit(f"{template} failed")
    print(end="\\0")
"""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel's contents, without their installation: what it needs is here already."""
    folder = tmp_path_factory.mktemp("unpacked")
    ZipFile(wheel).extractall(folder)
    return folder


def test_every_template_is_there(unpacked: Path) -> None:
    shipped, ours = (_files(folder) for folder in (unpacked / "ccmcheck" / "templates", ROOT / "templates"))
    assert shipped == ours
    assert {template.file for template in TEMPLATES.values()} <= set(shipped)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_it_renders(unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "HOME": str(tmp_path)}
    monkeypatch.chdir(tmp_path)
    args = [sys.executable, "-c", EVERY_TEMPLATE]
    done = subprocess.run(args, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    rendered = done.stdout.split("\0")
    assert rendered.pop() == ""
    for template, text in zip(TEMPLATES, rendered, strict=True):
        assert text == render(RenderRequest(template, assignments=("use-clouds=true",))).text


def test_it_is_the_wheel_that_ran(unpacked: Path, tmp_path: Path) -> None:
    code = "from ccmcheck.render.environment import shipped; print(shipped())"
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(unpacked / "ccmcheck" / "templates")


def test_a_page_is_written(unpacked: Path, tmp_path: Path) -> None:
    for side, text in (("a.conf", "[LoadBalancer]\n"), ("b.conf", "[LoadBalancer]\ncreate-monitor = true\n")):
        (tmp_path / side).write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "HOME": str(tmp_path)}
    args = [sys.executable, "-m", "ccmcheck", "review", "a.conf", "b.conf", "--format", "html"]
    done = subprocess.run(args, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "<style>" in done.stdout
