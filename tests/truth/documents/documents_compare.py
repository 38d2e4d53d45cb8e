"""Lints, fixes and patches made documents, and lets other programs judge: PyYAML, jsonpatch, git, kustomize and the CCM.

``python tests/truth/run.py documents`` makes files with a cloud.conf in every carrier, nested and in odd styles. Nothing but
the cloud.conf may change; each patch, applied by its own tool, gives the fixed file; and the CCM's own reader reads every
cloud.conf before and after, see `fix_promises` for what must hold.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path

import documents_judge
import fix_promises
import reader_build
from documents_judge import Confs, Judged
from reader_oracle import ask
from reader_releases import CCM, buildable

MANY, SAMPLE, BATCH = 20_000, 1_000, 200
MOST_SHOWN = 20


def judged(seed: int, count: int, jobs: int) -> Iterator[Judged]:
    """What became of all documents, batch by batch, through several processes.

    Args:
        seed: What they depend on.
        count: How many.
        jobs: How many processes.
    """
    batches = [(seed, range(start, min(start + BATCH, count))) for start in range(0, count, BATCH)]
    if jobs < 2:
        for batch in batches:
            yield documents_judge.judge(*batch)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(_judge, batches)


def _judge(batch: tuple[int, Sequence[int]]) -> Judged:
    return documents_judge.judge(*batch)


def by_the_ccm(confs: Sequence[Confs], work_dir: Path, tally: Counter[str]) -> Iterator[tuple[int, str]]:
    """What the CCM's own reader says, each text read once.

    Args:
        confs: The cloud.confs before and after.
        work_dir: Where builds are kept.
        tally: Counts what was there.

    Raises:
        CannotBuildError: The reader cannot be built here.
    """
    release = buildable(documents_judge.RELEASE)
    program = reader_build.oracle(release, work_dir)
    texts = list(dict.fromkeys(text for one in confs for text in (one.before, one.after)))
    answers = dict(zip(texts, ask(program, CCM, texts), strict=True))
    for one in confs:
        was, now = answers[one.before], answers[one.after]
        tally[f"the CCM: {was.outcome} to {now.outcome}"] += 1
        fixed = fix_promises.Fixed(
            release.tag, one.carrier, one.before, one.after, one.unsafe, one.done, {}, 0, one.stops
        )
        for words in fix_promises.broken(fixed, release, was, now):
            yield one.number, f"{words}\n  {one.before!r}\n  -> {one.after!r}"


def main() -> int:
    """Run the comparison; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help=f"documents; {MANY:,}, or {SAMPLE:,} in a sample")
    parser.add_argument("--seed", type=int, help="what the documents depend on; by default any")
    parser.add_argument("--sample", action="store_true", help="a small part")
    parser.add_argument("--jobs", type=int, default=cpu_count() or 1, help="processes")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir(), help="where builds are kept")
    asked = parser.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    count = asked.count or (SAMPLE if asked.sample else MANY)
    print(f"seed {seed}, {count:,} documents", flush=True)
    started = time.monotonic()
    tally: Counter[str] = Counter()
    faults: list[tuple[int, str]] = []
    confs: list[Confs] = []
    for batch in judged(seed, count, asked.jobs):
        tally += batch.tally
        confs += batch.confs
        faults += batch.faults
    print(f"linted, fixed and patched in {time.monotonic() - started:.0f} s", flush=True)
    try:
        faults += by_the_ccm(confs, asked.work_dir, tally)
    except reader_build.CannotBuildError as error:
        print(f"the CCM's reader cannot be built here: {str(error).strip().splitlines()[-1]}")
    for number, words in sorted(faults)[:MOST_SHOWN]:
        print(f"number {number}: {words}")
    for what, times in sorted(tally.items()):
        print(f"{what:28}{times:9,}")
    failed = len({number for number, _ in faults})
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
