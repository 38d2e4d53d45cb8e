"""Compares what ccmcheck predicts with what the real code asks OpenStack for, case by case.

``python tests/truth/loadbalancer/loadbalancer_compare.py --count 2500 --seed 7`` makes cases, lets the load balancer code
of every release reconcile them against a fake OpenStack, then changes something about each and lets it reconcile
again, and prints a line for each release. It ends with exit code 1 if any case differs in a request, in the error, in the
Service's status or in an event; each difference goes to a file, cut down to what still shows it. Exit code 77 means that
nothing could be run, and the last line says why.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import loadbalancer_generate as generate
import loadbalancer_recorded as recorded
import reader_build
from loadbalancer_existing import has_one, later
from loadbalancer_ids import readable
from loadbalancer_oracle import ORACLE, Answer, Case, ask
from loadbalancer_ours import differences
from loadbalancer_smaller import cuts
from reader_releases import BUILDABLE, CCM, Buildable, buildable

RELEASES = tuple(release for release in BUILDABLE if CCM in release.consumers)
MOST_STUDIED = 15  # kinds of differences of which one is cut down and written out, for each release
SAMPLE = 500  # cases for continuous integration, before the changes
SKIPPED = 77
_PARTICULARS = re.compile(r"'[^']*'|\"[^\"]*\"|\{[^}]*\}|\[[^]]*\]|\b[a-z]+-[\w-]+|\d+|\S+/\S+")
_ROUNDS = 40  # of cutting down one case
_LAST_THAT_WAITS = (1, 25)  # these wait a minute or two for a load balancer that is not active


def program(release: Buildable, work_dir: Path) -> Path:
    """Build the oracle of one release.

    Raises:
        reader_build.CannotBuildError: It cannot be built here.
    """
    return reader_build.oracle(release, work_dir, ORACLE)


def changed(release: Buildable, seed: int, cases: Sequence[Case], left: Sequence[Answer]) -> list[Case]:
    """The cases that come after those which left a load balancer behind."""
    waits = release.minor <= _LAST_THAT_WAITS
    return [
        later(seed, number, case, answer, waits=waits)
        for number, (case, answer) in enumerate(zip(cases, left, strict=True))
        if has_one(answer)
    ]


class Tally:
    """The table, and the count of cases that were predicted right and not."""

    def __init__(self, seed: int, count: int, study: TextIO, work_dir: Path) -> None:
        self.passed = 0
        self.failed = 0
        self._seed = seed
        self._cases = generate.cases(seed, count)
        self._study = study
        self._work_dir = work_dir
        print(f"{'release':12}{'new':>8}{'existing':>10}{'equal':>8}{'different':>11}{'seconds':>9}", flush=True)

    def add(self, release: Buildable) -> bool:
        """Build one release, compare it and print its line; False where it cannot be had."""
        started = time.monotonic()
        try:
            oracle = program(release, self._work_dir)
        except reader_build.NotAvailableError as error:
            print(f"{release.tag:12}not available: {str(error).strip().splitlines()[-1].strip()}")
            return False
        except reader_build.CannotBuildError as error:
            print(f"{release.tag:12}does not build: {error}")
            self.failed += len(self._cases)
            return True
        answers = ask(oracle, self._cases, keep=True)
        existing = changed(release, self._seed, self._cases, answers)
        cases = [*self._cases, *existing]
        different = self._compare(release, oracle, cases, [*answers, *ask(oracle, existing, keep=True)])
        self.passed += len(cases) - different
        self.failed += different
        seconds = time.monotonic() - started
        print(
            f"{release.tag:12}{len(self._cases):8}{len(existing):10}{len(cases) - different:8}{different:11}{seconds:9.1f}",
            flush=True,
        )
        return True

    def _compare(self, release: Buildable, oracle: Path, cases: Sequence[Case], answers: Sequence[Answer]) -> int:
        different = 0
        studied: set[str] = set()
        for case, answer in zip(cases, answers, strict=True):
            lines = differences(case, answer, release.release)
            if not lines:
                continue
            different += 1
            if _way(lines) not in studied and len(studied) < MOST_STUDIED:
                studied.add(_way(lines))
                small = smaller(release, oracle, case, lines)
                lines = differences(small, ask(oracle, [small], keep=True)[0], release.release)
                self._study.write(_shown(release, small, lines))
                self._study.flush()
        return different


def smaller(release: Buildable, oracle: Path, case: Case, lines: Sequence[str]) -> Case:
    """The case with as much taken out as possible so that it still differs in the same way."""
    way = _way(lines)
    for _ in range(_ROUNDS):
        tried = list(cuts(case))
        found = next(
            (
                cut
                for cut, answer in zip(tried, ask(oracle, tried, keep=True), strict=True)
                if _way(differences(cut, answer, release.release)) == way
            ),
            None,
        )
        if found is None:
            break
        case = found
    return case


def _way(lines: Sequence[str]) -> str:
    """The first difference without names and numbers."""
    return _PARTICULARS.sub("…", lines[0]) if lines else ""


def _shown(release: Buildable, case: Case, lines: Sequence[str]) -> str:
    parts = {"service": case.service, "nodes": case.nodes, "cluster": case.cluster, "octavia": case.octavia}
    if case.cloud["loadbalancers"]:
        parts["loadbalancers"] = case.cloud["loadbalancers"]
    if case.absent:
        parts["absent"] = case.absent
    differences = "".join(f"  {line}\n" for line in lines)
    return readable(f"{release.tag}\n{differences}{case.config}{json.dumps(parts)}\n\n")


def record(work_dir: Path) -> None:
    """Choose cases and write down what the releases answer."""
    first = generate.cases(recorded.SEED, recorded.CANDIDATES)
    known = [(release, program(release, work_dir)) for release in RELEASES]
    answers = {release.tag: ask(oracle, first, keep=True) for release, oracle in known}
    new = recorded.choose([[answers[release.tag][number] for release in RELEASES] for number in range(len(first))])
    kept: dict[str, list[tuple[Case, Answer]]] = {}
    for release, oracle in known:
        existing = changed(release, recorded.SEED, first, answers[release.tag])
        found = ask(oracle, existing)
        kept[release.tag] = [
            *((first[number], answers[release.tag][number]) for number in new),
            *((existing[number], found[number]) for number in recorded.choose([[one] for one in found])),
        ]
    size = recorded.write(kept)
    print(f"{sum(map(len, kept.values()))} answers of {len(kept)} releases, {size} bytes")


def main() -> int:
    """Run the comparison that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help=f"cases before the changes; 3000, or {SAMPLE} in a sample")
    parser.add_argument("--seed", type=int, help="what the cases depend on; by default any")
    parser.add_argument("--sample", action="store_true", help="only the newest release that can be built here")
    parser.add_argument("--releases", nargs="*", default=[], metavar="TAG", help="all that can be built by default")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir("loadbalancer"))
    parser.add_argument("--differences", type=Path, help="where to write differing cases")
    parser.add_argument("--record", action="store_true", help="rewrite the recorded answers instead")
    asked = parser.parse_args()
    if reader_build.go_command() is None:
        print("skipped: go is not on PATH")
        return SKIPPED
    asked.work_dir.mkdir(parents=True, exist_ok=True)
    if asked.record:
        record(asked.work_dir)
        return 0

    count = asked.count or (SAMPLE if asked.sample else 3000)
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    print(f"seed {seed}, {count} cases, each once more with a load balancer that exists", flush=True)
    study_at = asked.differences or asked.work_dir / "differences.txt"
    with study_at.open("w", encoding="utf-8") as study:
        tally = Tally(seed, count, study, asked.work_dir)
        for release in _releases(asked.releases, newest_first=asked.sample):
            if tally.add(release) and asked.sample:
                break
    if tally.failed:
        print(f"differences are in {study_at}; the same cases: --seed {seed} --count {count}")
    elif not tally.passed:
        print("skipped: no release can be had here")
        return SKIPPED
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


def _releases(tags: Sequence[str], *, newest_first: bool) -> Iterator[Buildable]:
    known = [buildable(tag) for tag in tags] if tags else list(RELEASES)
    yield from reversed(known) if newest_first else known


if __name__ == "__main__":
    sys.exit(main())
