"""A release that does not exist goes into the catalogue without anything by hand: v1.36.0 with one key and one default."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import catalog_source
import pytest
from reader_build import NotAvailableError
from root import ROOT

pytestmark = [pytest.mark.ci, pytest.mark.slow, pytest.mark.xdist_group("made-up-release")]

RELEASE = "v1.37.0"
CONF = """\
[LoadBalancer]
traffic-color = blue
traffic-colour = blue
"""
Run = Callable[..., str]


@pytest.fixture
def scratch(project_files: list[str], tmp_path: Path) -> Path:
    """A copy of the repository."""
    folder = tmp_path / "repository"
    for name in project_files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (tmp_path / "cloud.conf").write_text(CONF, encoding="utf-8")
    return folder


@pytest.fixture
def run(scratch: Path, clean_environment: Mapping[str, str]) -> Run:
    """Runs a command in the copy, with the copy's ccmcheck."""
    environment = {**clean_environment, "PYTHONPATH": str(scratch)}
    environment["PYTHONPYCACHEPREFIX"] = str(scratch.parent / "pycache")
    if shutil.which("go") is not None:
        # what has been compiled and downloaded before
        asked = ["go", "env", "GOCACHE", "GOMODCACHE"]
        caches = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split("\n")
        environment |= {"GOCACHE": caches[0], "GOMODCACHE": caches[1]}

    def run(*command: str, codes: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(
            command,
            cwd=scratch,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in codes, done.stdout + done.stderr
        return done.stdout

    return run


def _knows_the_release(run: Run) -> None:
    """The copy's ccmcheck reads the key, knows its default, and takes the release for the newest."""
    ccmcheck = (sys.executable, "-m", "ccmcheck")
    shown = json.loads(run(*ccmcheck, "show", "--format", "json", "--release", RELEASE, "../cloud.conf", codes=(0, 1)))
    rows = {row["key"]: row for row in _rows(shown)}
    assert rows["traffic-color"]["value"] == "blue"
    assert rows["max-shared-lb"]["value"] == "4"
    found = run(*ccmcheck, "lint", "--format", "concise", "--release", RELEASE, "../cloud.conf", codes=(0, 1))
    assert ":3:1: error unknown-key" in found
    assert ":2:1:" not in found
    before = run(*ccmcheck, "lint", "--format", "concise", "--release", "v1.36.0", "../cloud.conf", codes=(0, 1))
    assert ":2:1: error" in before
    page = run(*ccmcheck, "explain", "LoadBalancer.max-shared-lb")
    assert "4 (1.37..master); 2 (1.23..1.36)" in page
    newest = "from ccmcheck import catalog; print(catalog.newest(), catalog.newest('cinder-csi-plugin'))"
    assert run(sys.executable, "-c", newest) == "1.37 1.37\n"


def _rows(shown: object) -> list[dict[str, object]]:
    """Every object that speaks of a key, wherever it is."""
    if isinstance(shown, dict):
        inner = [row for value in shown.values() for row in _rows(value)]
        return [shown, *inner] if "key" in shown else inner
    return [row for value in shown for row in _rows(value)] if isinstance(shown, list) else []


def test_what_the_extractor_printed_is_enough(run: Run, scratch: Path) -> None:
    (recorded,) = (scratch / "tests" / "truth" / "catalog" / "recorded").glob("*.json")
    extract = json.loads(recorded.read_text(encoding="utf-8"))
    keys = next(one for one in extract["readers"][0]["sections"] if one["name"] == "LoadBalancer")["keys"]
    shared = next(key for key in keys if key["name"] == "max-shared-lb")
    shared["default"] = 4
    string = next(key for key in keys if key["name"] == "flavor-id")
    keys.append({**string, "name": "traffic-color", "field": "TrafficColor"})
    made_up = scratch.parent / "extracted.json"
    made_up.write_text(json.dumps(extract), encoding="utf-8")
    update = str(scratch / "tests" / "truth" / "catalog" / "catalog_update.py")
    printed = run(sys.executable, update, RELEASE, "--extracted", str(made_up), "--no-documents")
    assert "[LoadBalancer] traffic-color: absent, now string, default '' (zero)" in printed
    assert "behaviour.tsv" in printed
    _knows_the_release(run)


@pytest.mark.truth
def test_its_source_goes_in_with_make(run: Run, scratch: Path) -> None:
    try:
        real = catalog_source.downloaded("v1.36.0")
    except NotAvailableError as reason:
        pytest.skip(f"the source of v1.36.0 is not available here: {reason}")
    source = scratch.parent / "source"
    shutil.copytree(real, source, copy_function=shutil.copyfile)
    code = source / "pkg" / "openstack" / "openstack.go"
    code.chmod(0o644)
    text = code.read_text(encoding="utf-8")
    field = '	FlavorID                       string              `gcfg:"flavor-id"`\n'
    assert field in text
    assert "cfg.LoadBalancer.MaxSharedLB = 2\n" in text
    guide = "ccmcheck/docs/lint.md"
    for page in (scratch / "ccmcheck" / "docs").glob("*.md"):
        if page != scratch / guide:
            page.unlink()  # what one page shows is written as in all
    text = text.replace(field, field + '	TrafficColor string `gcfg:"traffic-color"`\n')
    code.write_text(text.replace("MaxSharedLB = 2\n", "MaxSharedLB = 4\n"), encoding="utf-8")
    stamp = f"{sys.prefix}/installed-dev"
    printed = run("make", "catalog", f"RELEASE={RELEASE}", f"SOURCE={source}", f"VENV={sys.prefix}", "-o", stamp)
    assert "[LoadBalancer] max-shared-lb: int, default 2 (before), now int, default 4 (before)" in printed
    _knows_the_release(run)
    assert (scratch / guide).read_text(encoding="utf-8") != (ROOT / guide).read_text(encoding="utf-8")
    again = run("make", "catalog", f"RELEASE={RELEASE}", f"SOURCE={source}", f"VENV={sys.prefix}", "-o", stamp)
    assert f"{RELEASE}: the facts agree with the source" in again


def test_a_release_that_no_proxy_has_changes_nothing(run: Run, scratch: Path) -> None:
    before = {path: path.read_bytes() for path in (scratch / "ccmcheck" / "catalog").rglob("*.*")}
    update = str(scratch / "tests" / "truth" / "catalog" / "catalog_update.py")
    if shutil.which("go") is None:
        pytest.skip("go is not on PATH")
    known = run(sys.executable, update, "v1.34.0")
    if "agree" in known:
        pytest.skip("the module proxy gives v1.34.0 out by now")
    assert "The committed facts stay as they are." in known
    assert "SOURCE=DIR" in run(sys.executable, update, "v1.99.0", codes=(1,))
    assert {path: path.read_bytes() for path in (scratch / "ccmcheck" / "catalog").rglob("*.*")} == before
