"""Where the source of a release comes from, and what the extractor finds in it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import reader_build
from catalog_facts import inputs
from reader_releases import BUILDABLE

HERE = Path(__file__).resolve().parent

if TYPE_CHECKING:
    from catalog_facts.extract import Extract

EXTRACTOR = HERE / "extract"
RECORDED = HERE / "recorded"
MODULE = "k8s.io/cloud-provider-openstack"
EXTRACTOR_SECONDS = 300
# what `go mod download -json` says, without what the server adds on further lines
_REFUSAL = re.compile(r'"Error": "((?:[^"\\]|\\[^n])*)')


def downloaded(release: str) -> Path:
    """The source of a tag, from the Go module proxy.

    The checksum is that of the public database, or the one that the tests of reading have recorded where the database has
    none.

    Raises:
        reader_build.NotAvailableError: Go is missing, or the proxy or the checksum database refuses the tag.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "go.mod").write_text("module catalog\n", encoding="utf-8")
        sums = [one.sums for one in BUILDABLE if (one.module, one.tag) == (MODULE, release)]
        (Path(folder) / "go.sum").write_text("".join(sums), encoding="utf-8")
        try:
            found = reader_build.go(["mod", "download", "-json", f"{MODULE}@{release}"], Path(folder))
        except reader_build.CannotBuildError as refused:
            said = _REFUSAL.search(str(refused))
            raise reader_build.NotAvailableError(said[1] if said else str(refused)) from refused
    return Path(json.loads(found)["Dir"])


def extracted(source: Path) -> Extract:
    """What the extractor finds in a checkout.

    Raises:
        reader_build.NotAvailableError: Go is missing.
        reader_build.CannotBuildError: The extractor failed.
    """
    command = shutil.which("go")
    if command is None:
        raise reader_build.NotAvailableError("go is not on PATH")
    done = subprocess.run(
        [command, "run", *sorted(path.name for path in EXTRACTOR.glob("*.go")), str(source.resolve())],
        cwd=EXTRACTOR,
        env={**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off", "GOFLAGS": ""},
        capture_output=True,
        text=True,
        timeout=EXTRACTOR_SECONDS,
        check=False,
    )
    if done.returncode:
        raise reader_build.CannotBuildError(done.stderr.strip()[-2000:])
    found: Extract = json.loads(done.stdout)
    return found


def record(extract: Extract, release: str) -> None:
    """Write what was extracted from the newest tag, for tests without Go; it replaces the record of an older one."""
    for older in RECORDED.glob("*.json"):
        older.unlink()
    RECORDED.mkdir(exist_ok=True)
    (RECORDED / f"{release}.json").write_text(inputs.as_text(extract, 6) + "\n", encoding="utf-8")
