"""Measures the goals of speed and memory as ratios within one run, and prints a table: ``make bench``.

Wall-clock time is what a person waits for, so that decides; the ratio of processor time stands beside it, because the
wall clock suffers when the machine is busy with something else.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from big_cluster import MIB as CLUSTER_MIB
from big_cluster import NODES as CLUSTER_NODES
from big_cluster import SECONDS as CLUSTER_SECONDS
from big_cluster import SERVICES as CLUSTER_SERVICES
from big_cluster import big_cluster
from filesets import cloud_conf, control_plane, secret, write_carriers, write_repository, write_services
from fleets import measure_fleet
from growing import GROWING
from growing_builds import BUILDS
from growing_languages import LANGUAGES
from growing_trees import TREES
from hostile import HOSTILE
from megabytes import BUILT, BYTES, COMMANDS, FOR_BUILT, INPUTS, arguments
from stopwatch import Command, Sample, byte_compile, measure, own_memory, run, run_apart

BIN = Path(sys.executable).parent
SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def program(name: str) -> tuple[str, ...]:
    """How to start a program: by its script beside the interpreter, or as a module where none was installed."""
    return (str(BIN / name),) if (BIN / name).exists() else (sys.executable, "-m", name)


CCMCHECK = program("ccmcheck")
YAMLLINT = (*program("yamllint"), "-d", "relaxed")

LIKE_CLICK = 1.3
LIKE_YAMLLINT = 1.1
FASTER_AT_1000 = 10.0
FASTER_AT_10000 = 15.0
LIKE_GIT_GREP = 4.0
SEARCH_LIKE_GIT_GREP = 2.0
MEMORY_MIB = 80.0
FLAT = 1.25
HOSTILE_BYTES = 10_000_000
HOSTILE_SECONDS = 2.0
LINEAR = 1.5
TWICE = 2.5
FIX_MICROSECONDS = 200.0
SERVICES = 1_000
CONFS = 100_000
CONFS_SECONDS = 30.0
FLEET_SECONDS = 20.0
FLEET_MIB = 120.0

WITH_FINDINGS = (1,)
ANY_VERDICT = (0, 1)

_EACH = """
import sys
from pathlib import Path
from ccmcheck import api
work = getattr(api, sys.argv[1])
for path in Path().rglob("*.yaml"):
    work(path.read_text(), str(path))
"""


class Row(NamedTuple):
    """One line of the table; ``reached`` is None where there is no goal."""

    what: str
    ours: str
    theirs: str
    ratio: str
    goal: str
    reached: bool | None


class Bench:
    """The files, and how often each command runs.

    Args:
        root: An empty folder.
        quick: True for few runs, which tell no small difference.
    """

    def __init__(self, root: Path, *, quick: bool) -> None:
        self.root = root
        self.often = 5 if quick else 25
        self.seldom = 1 if quick else 5
        self.rarely = 1 if quick else 3

    def start(self) -> Iterator[Row]:
        """Commands that read no file."""
        click = Command("import click", (sys.executable, "-c", "import click"), self.root)
        for args in (("--version",), ("explain", "duration-bad")):
            yield self._compare(self._ccmcheck(*args), click, self.often, at_most=LIKE_CLICK)
        yield self._alone(self._ccmcheck("rules"), self.often)

    def one_file(self) -> Iterator[Row]:
        """A file alone, of each kind; yamllint takes a plain cloud.conf for what it is not, and is left out there."""
        folder = self.root / "single"
        folder.mkdir()
        for name, text in (("secret.yaml", secret(1)), ("control-plane.yaml", control_plane(1))):
            (folder / name).write_text(text)
            ours = self._ccmcheck("lint", name, cwd=folder)
            yield self._compare(ours, self._yamllint(name, folder), self.often, at_most=LIKE_YAMLLINT)
        (folder / "cloud.conf").write_text(cloud_conf(1))
        yield self._alone(self._ccmcheck("lint", "cloud.conf", cwd=folder), self.often)
        (folder / "ccm.yaml").write_text((SAMPLES / "ccm.yaml").read_text())
        ours = self._ccmcheck("lint", "secret.yaml", cwd=folder)
        what = "lint secret.yaml beside the CCM's manifest"
        yield self._compare(ours, self._yamllint("secret.yaml", folder), self.often, at_most=LIKE_YAMLLINT, what=what)

    def folders(self) -> Iterator[Row]:
        """Many files without and with findings, and what memory they take."""
        memory = {}
        for count, at_least, runs in ((1_000, FASTER_AT_1000, self.seldom), (10_000, FASTER_AT_10000, self.rarely)):
            folder = write_carriers(self.root / f"right-{count}", count)
            commands = [self._ccmcheck("lint", ".", cwd=folder), self._yamllint(".", folder)]
            ours, theirs = measure(commands, runs)
            memory[count] = ours.memory
            yield _compared(f"lint {count:,} files", ours, theirs, "yamllint", at_least=at_least)
            flawed = write_carriers(self.root / f"flawed-{count}", count, flawed=True)
            taken = measure([self._ccmcheck("lint", ".", cwd=flawed, codes=WITH_FINDINGS)], runs)[0]
            yield _compared(f"lint {count:,} files, a finding in each", taken, theirs, "yamllint without")
            one = measure([self._ccmcheck("lint", "--jobs", "1", ".", cwd=folder)], runs)[0]
            yield _compared(f"lint {count:,} files in one process", one, theirs, "yamllint")
        many = write_carriers(self.root / "right-30000", 30_000)
        memory[30_000] = run(self._ccmcheck("lint", ".", cwd=many)).memory
        for count, size in memory.items():
            yield Row(f"memory, {count:,} files", _mib(size), "", "", f"≤ {MEMORY_MIB:.0f} MiB", size <= MEMORY_MIB)
        growth = memory[30_000] / memory[10_000]
        yield Row("memory, 30,000 files to 10,000", "", "", f"{growth:.2f} x", f"≤ {FLAT} x", growth <= FLAT)

    def confs(self) -> Iterator[Row]:
        """A hundred thousand cloud.confs in one run: half in Secrets, half in KubeadmControlPlanes."""
        folder = write_carriers(self.root / "confs", CONFS)
        taken = run(self._ccmcheck("lint", ".", cwd=folder))
        shutil.rmtree(folder)
        each = f"{taken.cpu / CONFS * 1e6:.0f} µs of processor time each, {_mib(taken.memory)}"
        goal = f"≤ {CONFS_SECONDS:.0f} s"
        yield Row(f"lint {CONFS:,} files", _times(taken), "", each, goal, taken.wall <= CONFS_SECONDS)

    def repository(self) -> Iterator[Row]:
        """A repository of 10,000 files in which one in a hundred matters."""
        folder = write_repository(self.root / "repository", 10_000)
        grep = Command("git grep", ("git", "grep", "-l", "-e", "cloud.conf"), folder)
        ours = self._ccmcheck("lint", ".", cwd=folder)
        yield self._compare(ours, grep, self.seldom * 2, at_most=LIKE_GIT_GREP, what="lint a 10,000-file repository")
        for name, text in (
            ("cloud.conf", cloud_conf(1)),
            ("kubelet.service", "ExecStart=kubelet --cloud-provider=openstack\n"),
            ("versions.yaml", "kubernetes_version: v1.19.4\n"),
        ):
            (folder / "002" / name).write_text(text)
        yield self._search(folder, grep, "002/cloud.conf", "find who reads a plain file in it, and at what release")
        for cluster in ("000", "001"):
            (folder / cluster / "ccm.yaml").write_text((SAMPLES / "ccm.yaml").read_text())
        yield self._search(folder, grep, "000/file-00000.yaml", "find the release of one file in it")

    def _search(self, folder: Path, grep: Command, name: str, what: str) -> Row:
        """What it costs to search a repository for the reader and the release of one file."""
        found = self._ccmcheck("lint", name, cwd=folder, codes=ANY_VERDICT)
        named = self._ccmcheck("lint", "--release", "1.31", name, cwd=folder, codes=ANY_VERDICT)
        searched, given, theirs = measure([found, named, grep], self.often)
        ratio = (searched.wall - given.wall) / theirs.wall
        goal = f"≤ {SEARCH_LIKE_GIT_GREP:.0f} x"
        return Row(
            what,
            _times(searched),
            f"--release {_times(given)}, git grep {_times(theirs)}",
            f"{ratio:.2f} x git grep more",
            goal,
            ratio <= SEARCH_LIKE_GIT_GREP,
        )

    def hostile(self) -> Iterator[Row]:
        """10 MB in one cloud.conf, and the same at a tenth of it, to see that time grows as the text does."""
        folder = self.root / "hostile"
        folder.mkdir()
        nothing = run(self._ccmcheck("--version"))
        for name, make in HOSTILE.items():
            taken = []
            for size in (HOSTILE_BYTES // 10, HOSTILE_BYTES):
                (folder / "cloud.conf").write_bytes(make(size))
                command = self._ccmcheck("read", "cloud.conf", cwd=folder, codes=ANY_VERDICT)
                taken.append(run(command))
            small, large = taken
            growth = (large.cpu - nothing.cpu) / max(small.cpu - nothing.cpu, nothing.cpu / 4) / 10
            # one process does it, so its processor time is what it would take on a machine with nothing else to do
            reached = large.cpu < HOSTILE_SECONDS and growth <= LINEAR
            goal = f"< {HOSTILE_SECONDS:.0f} s, growth ≤ {LINEAR}"
            yield Row(f"read 10 MB: {name}", _times(large), _times(small), f"{growth:.2f}", goal, reached)

    @staticmethod
    def growing() -> Iterator[Row]:
        """Twice as much of one thing in one file, in this process, by processor time."""
        for name, row in {**GROWING, **BUILDS, **LANGUAGES, **TREES}.items():
            seconds = []
            for size in (10, row.size, 2 * row.size):
                text = row.make(size)
                started = time.process_time()
                row.work(row.path, text)
                seconds.append(time.process_time() - started)
            _, small, large = seconds
            growth = large / small
            goal = f"growth ≤ {TWICE}"
            yield Row(
                f"{2 * row.size:,} of: {name}", _seconds(large), _seconds(small), f"{growth:.2f}", goal, growth <= TWICE
            )

    def megabyte(self) -> Iterator[Row]:
        """A megabyte of the worst input of each kind for each command, beside half of it, and the memory that it takes."""
        start = run(self._ccmcheck("--version")).cpu
        for what, make in {**INPUTS, **BUILT}.items():
            for name in COMMANDS if what in INPUTS else FOR_BUILT:
                samples: dict[int, list[Sample]] = {BYTES // 2: [], BYTES: []}
                growth = float("inf")
                for _ in range(self.rarely):
                    for size, taken in samples.items():
                        folder = Path(tempfile.mkdtemp(dir=self.root))
                        command = self._ccmcheck(*arguments(name, make(size), folder), cwd=folder, codes=ANY_VERDICT)
                        taken.append(run_apart(command))
                        shutil.rmtree(folder)
                    small, large = (min(taken, key=lambda sample: sample.cpu) for taken in samples.values())
                    # what takes no longer than the start says nothing about growth
                    growth = (large.cpu - start) / max(small.cpu - start, start)
                    if growth <= TWICE:  # else it may be the noise of a busy machine
                        break
                goal = f"growth ≤ {TWICE}"
                ours = f"cpu {_seconds(large.cpu)}, {large.memory:.0f} MiB"
                half = f"half of it {_seconds(small.cpu)}"
                yield Row(f"{name} 1 MB: {what}", ours, half, f"{growth:.2f}", goal, growth <= TWICE)

    def fix(self) -> Iterator[Row]:
        """What a fix with its guard costs on top of linting the same text, and the command that shows it, too."""
        count = 1_000
        folder = write_carriers(self.root / "to-fix", count, flawed=True)
        fix, lint = (
            Command(f"api.{name}", (sys.executable, "-c", _EACH, name), folder) for name in ("fix_text", "check_text")
        )
        ours, theirs = measure([fix, lint], self.seldom)
        microseconds = (ours.cpu - theirs.cpu) / count * 1e6
        reached = microseconds <= FIX_MICROSECONDS
        goal = f"≤ {FIX_MICROSECONDS:.0f} µs a file"
        yield Row(
            "fix 1,000 texts", _times(ours), f"lint {_times(theirs)}", f"{microseconds:.0f} µs a file", goal, reached
        )
        yield self._alone(self._ccmcheck("fix", "--diff", ".", cwd=folder), self.seldom)

    def predict(self) -> Iterator[Row]:
        """Many Services predicted in one run, and what each adds to it."""
        folder = write_services(self.root / "services", SERVICES)
        nodes = ("--nodes", "20")
        command = self._ccmcheck(
            "predict", "--cloud-config", "cloud.conf", *nodes, "services", cwd=folder, codes=ANY_VERDICT
        )
        (folder / "one").mkdir()
        first = (folder / "services" / "00000.yaml").read_text().partition("---\n")[0]
        (folder / "one" / "service.yaml").write_text(first)
        single = self._ccmcheck("predict", "--cloud-config", "cloud.conf", *nodes, "one", cwd=folder, codes=ANY_VERDICT)
        ours, theirs = measure([command, single], self.seldom)
        each = (ours.cpu - theirs.cpu) / (SERVICES - 1) * 1e3
        yield Row(
            f"{SERVICES:,} Services predicted in one run",
            _times(ours),
            f"one {_times(theirs)}",
            f"{each:.2f} ms a Service",
            "",
            None,
        )

    def cluster(self) -> Iterator[Row]:
        """A big cluster, from an API server in a process of its own; the real one is measured by `make truth`."""
        folder = self.root / "cluster"
        folder.mkdir()
        with big_cluster(folder) as config:
            lint = self._ccmcheck("cluster", "lint", "--kubeconfig", str(config), cwd=folder, codes=ANY_VERDICT)
            taken = measure([lint], self.rarely)[0]
        what = f"cluster lint, {CLUSTER_SERVICES:,} Services, {CLUSTER_NODES:,} nodes"
        reached = taken.wall <= CLUSTER_SECONDS and taken.memory <= CLUSTER_MIB
        goal = f"≤ {CLUSTER_SECONDS:.0f} s, ≤ {CLUSTER_MIB:.0f} MiB"
        yield Row(what, _times(taken), "", _mib(taken.memory), goal, reached)

    def fleet(self) -> Iterator[Row]:
        """Many clusters behind TLS, four of each hundred broken; the memory is that of all processes together."""
        memory = {}
        for count in (1_000, 5_000):
            sample = measure_fleet(self.root / f"fleet-{count}", count)
            if sample is None:
                return
            memory[count] = sample.memory
            goal, reached = (f"≤ {FLEET_SECONDS:.0f} s", sample.wall <= FLEET_SECONDS) if count == 1_000 else ("", None)
            took = f"{_seconds(sample.wall)} (cpu {_seconds(sample.cpu)})"
            yield Row(f"fleet of {count:,} clusters", took, f"{sample.read:,} read", "", goal, reached)
        size, growth = memory[1_000], memory[5_000] / max(memory[1_000], 1)
        goal = f"≤ {FLEET_MIB:.0f} MiB"
        yield Row("memory, fleet of 1,000 clusters", f"{size:.0f} MiB", "", "", goal, size <= FLEET_MIB)
        yield Row("memory, 5,000 clusters to 1,000", "", "", f"{growth:.2f} x", f"≤ {FLAT} x", growth <= FLAT)

    def _ccmcheck(self, *args: str, cwd: Path | None = None, codes: tuple[int, ...] = (0,)) -> Command:
        return Command("ccmcheck " + " ".join(args), (*CCMCHECK, *args), cwd or self.root, codes)

    @staticmethod
    def _yamllint(path: str, cwd: Path) -> Command:
        return Command("yamllint", (*YAMLLINT, path), cwd)

    @staticmethod
    def _alone(ours: Command, runs: int) -> Row:
        return Row(ours.name, _times(measure([ours], runs)[0]), "", "", "", None)

    @staticmethod
    def _compare(ours: Command, theirs: Command, runs: int, *, at_most: float, what: str = "") -> Row:
        taken = measure([ours, theirs], runs)
        return _compared(what or ours.name, taken[0], taken[1], theirs.name, at_most=at_most)


def _compared(
    what: str, ours: Sample, theirs: Sample, name: str, *, at_most: float | None = None, at_least: float | None = None
) -> Row:
    beside = f"{name} {_times(theirs)}"
    if at_most is not None:
        ratio = ours.wall / theirs.wall
        shown = f"{ratio:.2f} x (cpu {ours.cpu / theirs.cpu:.2f})"
        return Row(what, _times(ours), beside, shown, f"≤ {at_most} x", ratio <= at_most)
    ratio = theirs.wall / ours.wall
    shown = f"{ratio:.1f} x faster (cpu {theirs.cpu / ours.cpu:.1f})"
    if at_least is None:
        return Row(what, _times(ours), beside, shown, "", None)
    return Row(what, _times(ours), beside, shown, f"≥ {at_least:.0f} x", ratio >= at_least)


def _times(sample: Sample) -> str:
    return f"{_seconds(sample.wall)} (cpu {_seconds(sample.cpu)})"


def _seconds(seconds: float) -> str:
    return f"{seconds * 1e3:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _mib(size: float) -> str:
    return f"{size:.0f} MiB" if size > own_memory() else f"≤ {own_memory():.0f} MiB"


def main() -> int:
    """Measure, print, and return 1 where a goal was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="few runs: minutes become seconds, and ratios rough")
    parser.add_argument("--keep", action="store_true", help="leave the files where they were made, and say where")
    parser.add_argument(
        "parts",
        nargs="*",
        help="which: start, one_file, folders, confs, repository, hostile, growing, megabyte, fix, predict, cluster, fleet; all if none",
    )
    options = parser.parse_args()
    byte_compile(("ccmcheck", "click", "yaml", "yamllint", "pathspec"))
    root = Path(tempfile.mkdtemp(prefix="ccmcheck-bench-"))
    try:
        bench = Bench(root, quick=options.quick)
        parts: dict[str, Callable[[], Iterator[Row]]] = {
            part.__name__: part
            for part in (
                bench.start,
                bench.one_file,
                bench.folders,
                bench.confs,
                bench.repository,
                bench.hostile,
                bench.growing,
                bench.megabyte,
                bench.fix,
                bench.predict,
                bench.cluster,
                bench.fleet,
            )
        }
        unknown = [name for name in options.parts if name not in parts]
        if unknown:
            parser.error(f"there is no part {unknown[0]}; there are {', '.join(parts)}")
        return _print_rows(row for name, part in parts.items() if name in (options.parts or parts) for row in part())
    finally:
        if options.keep:
            print(f"the files are in {root}")
        else:
            shutil.rmtree(root)


def _print_rows(rows: Iterator[Row]) -> int:
    print("| what | ccmcheck: wall (cpu) | beside it | ratio | goal | |\n|---|---|---|---|---|---|")
    missed = 0
    for row in rows:
        verdict = "" if row.reached is None else "met" if row.reached else "**missed**"
        missed += row.reached is False
        print(f"| {row.what} | {row.ours} | {row.theirs} | {row.ratio} | {row.goal} | {verdict} |", flush=True)
    load = " ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"\nPython {platform.python_version()}, {os.cpu_count()} processors, load {load} at the end")
    print(f"{missed} goals missed" if missed else "all goals met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
