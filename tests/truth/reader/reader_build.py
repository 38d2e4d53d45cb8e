"""Builds an oracle: real code of one release, as a program that answers NDJSON.

The module directory is made in a cache: our Go files, the release's own go.mod with one requirement more, and its own
go.sum with the release's two checksums in front. So every dependency has the version and the checksum that the release
was made with, and nothing about it has to be committed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from reader_releases import Buildable

SOURCES = Path(__file__).parent / "oracle"
BUILD_SECONDS = 1800


# what the Go command says when the network, the proxy or its own age is in the way
_NOT_AVAILABLE = re.compile(
    r"403 Forbidden|404 Not Found|410 Gone|dial tcp|no such host|i/o timeout|TLS handshake|connection re|"
    r"module lookup disabled|proxyconnect|\(running go \d"
)


class CannotBuildError(Exception):
    """The Go command refused; the message holds its last words."""


class NotAvailableError(CannotBuildError):
    """Go, a module or a new enough Go cannot be had here, which says nothing about our code."""


def default_work_dir(comparison: str = "reader") -> Path:
    """Where builds are kept between runs, under the user's cache directory."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "ccmcheck" / f"truth-{comparison}"


def go_command() -> str | None:
    """The Go command, None where it is missing."""
    return shutil.which("go")


def oracle(release: Buildable, work_dir: Path, sources_at: Path = SOURCES) -> Path:
    """The program for one release, built unless it is there already.

    Args:
        release: What to build.
        work_dir: Where to build it; kept.
        sources_at: The folder of the program, this comparison's or another's.

    Returns:
        The program's path.

    Raises:
        NotAvailableError: Go, the module or a dependency cannot be had.
        CannotBuildError: It does not compile.
    """
    made_from = hashlib.sha256(repr(release).encode() + go(["version"], Path()).encode())
    sources = sorted([*sources_at.glob("*.go"), *sources_at.glob("*.s")])
    for source in sources:
        made_from.update(source.read_bytes())
    program = work_dir / f"{sources_at.parent.name}-{release.tag}-{made_from.hexdigest()[:12]}"
    if program.exists():
        return program
    folder = work_dir / release.tag
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source in sources:
        shutil.copy(source, folder)
    write_module(release, folder)
    unfinished = work_dir / f"{program.name}.new"
    tags = ",".join(release.build_tags)
    go(["build", "-mod=mod", "-tags", tags, "-ldflags", "-s -w", "-o", str(unfinished), "."], folder)
    for outdated in work_dir.glob(f"{sources_at.parent.name}-{release.tag}-*"):
        if outdated != unfinished:
            outdated.unlink()
    unfinished.replace(program)
    return program


def write_module(release: Buildable, folder: Path) -> None:
    """Write go.mod and go.sum of a module that requires a release, with the versions the release was made with."""
    (folder / "go.mod").write_text("module oracle\n", encoding="utf-8")
    (folder / "go.sum").write_text(release.sums, encoding="utf-8")
    got = json.loads(go(["mod", "download", "-json", f"{release.module}@{release.tag}"], folder))
    theirs = Path(got["GoMod"]).read_text(encoding="utf-8")
    ours = re.sub(r"^module .*$", "module oracle", theirs, count=1, flags=re.MULTILINE)
    ours += f"\nrequire {release.module} {release.tag}\n"
    for number, module in enumerate(release.empty_modules):
        empty = folder / f"empty{number}"
        empty.mkdir()
        (empty / "go.mod").write_text(f"module {module}\n", encoding="utf-8")
        ours += f"replace {module} => ./{empty.name}\n"
    (folder / "go.mod").write_text(ours, encoding="utf-8")
    sums = (Path(got["Dir"]) / "go.sum").read_text(encoding="utf-8")
    (folder / "go.sum").write_text(release.sums + sums, encoding="utf-8")


def go(arguments: list[str], folder: Path) -> str:
    """Run the Go command; what it prints.

    Args:
        arguments: Its arguments.
        folder: Where.

    Raises:
        NotAvailableError: Something cannot be had here.
        CannotBuildError: It refused.
    """
    command = go_command()
    if command is None:
        raise NotAvailableError("go is not on PATH")
    # without cgo the package net needs no C compiler; the toolchain is the one that is installed
    environment = {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    done = subprocess.run(
        [command, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        words = "\n".join([line for line in said if not line.startswith("go: downloading")])[-2000:]
        kind = NotAvailableError if _NOT_AVAILABLE.search(words) else CannotBuildError
        raise kind(f"go {' '.join(arguments[:3])}: {words}")
    return done.stdout
