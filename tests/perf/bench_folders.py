"""Many files: time beside yamllint's, and memory."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cached_property, partial

from bench_files import WITH_FINDINGS, Bench
from bench_rows import Result, Row, faster, mib, times
from stopwatch import Sample, measure, run_apart

FASTER = {1_000: 10.0, 10_000: 20.0}
FASTER_AGAIN = 45.0
SECONDS_AGAIN = 0.6
YAMLLINT_FILES = 2_000
"""Yamllint is run over so many at most, and what it took is multiplied."""
MEMORY_MIB = 40.0
MANY = 30_000
MANY_TO_FEWER = 1.1
CONFS = 100_000
CONFS_SECONDS = 20.0
CONFS_MIB = 80.0


class _Files:
    """So many files, and what was measured with them, each for several rows."""

    def __init__(self, bench: Bench, count: int) -> None:
        self._bench = bench
        self._count = count
        self._right = bench.carriers(count)
        self._theirs = "yamllint" if count <= YAMLLINT_FILES else f"yamllint, of {YAMLLINT_FILES:,} of them,"

    @cached_property
    def lint(self) -> Sample:
        """All of them right."""
        return self._measured(self._bench.seldom)

    @cached_property
    def yamllint(self) -> Sample:
        """Yamllint's only run, over a part of the folders of many: it takes as long for each file, a minute for all."""
        part = max(self._count // YAMLLINT_FILES, 1)
        folders = sorted(folder.name for folder in self._right.iterdir())[::part]
        taken = run_apart(self._bench.yamllint(self._right, *folders))
        return taken._replace(wall=taken.wall * part, cpu=taken.cpu * part)

    def right(self) -> Result:
        return faster(self.lint, self.yamllint, self._theirs, at_least=FASTER[self._count])

    def flawed(self) -> Result:
        folder = self._bench.carriers(self._count, flawed=True)
        command = self._bench.ccmcheck("lint", ".", cwd=folder, codes=WITH_FINDINGS)
        return faster(run_apart(command), self.yamllint, f"{self._theirs} without")

    def in_one_process(self) -> Result:
        return faster(self._measured(1, "--jobs", "1"), self.yamllint, self._theirs)

    def again(self) -> Result:
        """Nothing changed since the results were kept."""
        options = "--cache-dir", str(self._bench.root / "kept")
        for _ in range(2):  # a file that was written just before the first is not known by its times
            self._measured(1, *options)
        ours = self._measured(self._bench.seldom, *options)
        found = faster(ours, self.yamllint, self._theirs, at_least=FASTER_AGAIN)
        reached = bool(found.reached) and ours.wall <= SECONDS_AGAIN
        return found._replace(goal=f"{found.goal}, ≤ {SECONDS_AGAIN} s", reached=reached)

    def memory(self) -> Result:
        size = self.lint.memory
        return Result(mib(size), goal=f"≤ {MEMORY_MIB:.0f} MiB", reached=size <= MEMORY_MIB)

    def _measured(self, runs: int, *options: str) -> Sample:
        return measure([self._bench.ccmcheck("lint", *options, ".", cwd=self._right)], runs, run_apart)[0]


def folders(bench: Bench) -> Iterator[Row]:
    """Many files without and with findings, and what memory they take."""
    for count in FASTER:
        files = _Files(bench, count)
        yield Row(f"lint {count:,} files", files.right)
        yield Row(f"lint {count:,} files, a finding in each", files.flawed)
        yield Row(f"lint {count:,} files in one process", files.in_one_process)
        yield Row(f"memory, {count:,} files", files.memory)
    yield Row(f"lint {count:,} files again", files.again)
    yield Row(f"memory, {MANY:,} files to {count:,}", partial(_flat, bench, files))


def _flat(bench: Bench, fewer: _Files) -> Result:
    small = fewer.lint.memory
    large = run_apart(bench.ccmcheck("lint", ".", cwd=bench.carriers(MANY))).memory
    ratio = large / small
    return Result(mib(large), mib(small), f"{ratio:.2f} x", f"≤ {MANY_TO_FEWER} x", ratio <= MANY_TO_FEWER)


def confs(bench: Bench) -> Iterator[Row]:
    """A hundred thousand cloud.confs in one run: half in Secrets, half in KubeadmControlPlanes."""
    yield Row(f"lint {CONFS:,} files", partial(_confs, bench))


def _confs(bench: Bench) -> Result:
    folder = bench.carriers(CONFS)
    taken = run_apart(bench.ccmcheck("lint", ".", cwd=folder))
    shutil.rmtree(folder)
    each = f"{taken.cpu / CONFS * 1e6:.0f} µs of processor time each, {mib(taken.memory)}"
    reached = taken.wall <= CONFS_SECONDS and taken.memory <= CONFS_MIB
    return Result(times(taken), "", each, f"≤ {CONFS_SECONDS:.0f} s, ≤ {CONFS_MIB:.0f} MiB", reached)
