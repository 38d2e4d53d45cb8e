"""A git repository in which few files matter, beside `git grep` over it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench_files import ANY_VERDICT, SAMPLES, Bench
from bench_rows import Result, Row, beside, times
from filesets import cloud_conf, write_repository
from stopwatch import Command, measure

FILES = 10_000
LIKE_GIT_GREP = 2.0
SEARCH_LIKE_GIT_GREP = 2.0

_CLUSTER = {
    "cloud.conf": cloud_conf(1),
    "kubelet.service": "ExecStart=kubelet --cloud-provider=openstack\n",
    "versions.yaml": "kubernetes_version: v1.19.4\n",
}


def repository(bench: Bench) -> Iterator[Row]:
    """A repository of 10,000 files in which one in a hundred matters."""
    folder = write_repository(bench.root / "repository", FILES)
    grep = Command("git grep", ("git", "grep", "-l", "-e", "cloud.conf"), folder)
    ours = bench.ccmcheck("lint", ".", cwd=folder)
    yield Row(f"lint a {FILES:,}-file repository", partial(beside, ours, grep, bench.often, at_most=LIKE_GIT_GREP))
    for name, text in _CLUSTER.items():
        (folder / "002" / name).write_text(text)
    search = partial(_search, bench, folder, grep)
    yield Row("find who reads a plain file in it, and at what release", partial(search, "002/cloud.conf"))
    for cluster in ("000", "001"):
        (folder / cluster / "ccm.yaml").write_text((SAMPLES / "ccm.yaml").read_text())
    yield Row("find the release of one file in it", partial(search, "000/file-00000.yaml"))


def _search(bench: Bench, folder: Path, grep: Command, name: str) -> Result:
    """What it costs to search a repository for the reader and the release of one file."""
    found = bench.ccmcheck("lint", name, cwd=folder, codes=ANY_VERDICT)
    named = bench.ccmcheck("lint", "--release", "1.31", name, cwd=folder, codes=ANY_VERDICT)
    searched, given, theirs = measure([found, named, grep], bench.often)
    ratio = (searched.wall - given.wall) / theirs.wall
    by_cpu = (searched.cpu - given.cpu) / theirs.cpu
    return Result(
        times(searched),
        f"--release {times(given)}, git grep {times(theirs)}",
        f"{ratio:.2f} x git grep more (cpu {by_cpu:.2f})",
        f"≤ {SEARCH_LIKE_GIT_GREP:g} x",
        ratio <= SEARCH_LIKE_GIT_GREP,
    )
