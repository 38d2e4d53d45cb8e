"""Lets the CCM's own reader read what ``ccmcheck fix`` wrote.

``python tests/truth/run.py fix`` makes files, plain and in carriers, fixes each for one release, takes the cloud.conf out
again without ccmcheck, and lets that release's own code read it before and after. See `fix_promises` for what must hold.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import fix_carriers
import fix_promises
import generate
import reader_build
from compare import SKIPPED
from fix_promises import Fixed
from reader_oracle import ask
from reader_releases import BUILDABLE, CCM, Buildable

MANY, SAMPLE = 12_000, 2_000
LONGEST = 4_000  # bytes of an input: longer ones are about speed
MOST_SHOWN = 10


def files(seed: int, count: int) -> Iterator[Fixed]:
    """Made files, each fixed.

    Args:
        seed: What chance depends on.
        count: How many.
    """
    chance = random.Random(seed)  # noqa: S311 - nothing here is a secret
    releases = [release for release in BUILDABLE if CCM in release.consumers]
    for data in generate.inputs(seed, count, generate.samples()):
        release = chance.choice(releases)
        unsafe = chance.random() < 0.6
        text = data[:LONGEST].decode("utf-8", "surrogateescape")
        carried = list(fix_carriers.carriers(text, chance)) if chance.random() < 0.4 else []
        around = chance.choice([None, *carried])
        yield fix_promises.fixed(text, around, release, unsafe=unsafe)


def check(release: Buildable, fixed: Sequence[Fixed], program: Path, tally: Counter[str]) -> Iterator[str]:
    """What is broken of what the fixes of one release promise.

    Args:
        release: The release.
        fixed: Its files.
        program: The release's own reader.
        tally: Counts what was there.
    """
    before = ask(program, CCM, [one.before for one in fixed])
    after = ask(program, CCM, [one.after for one in fixed])
    for one, was, now in zip(fixed, before, after, strict=True):
        tally["files"] += 1
        tally["changed"] += one.after != one.before
        tally["fixes"] += len(one.done)
        tally["dropped"] += one.dropped
        tally[f"{was.outcome} to {now.outcome}"] += 1
        broken = list(fix_promises.broken(one, release, was, now))
        tally["broken"] += bool(broken)
        if broken:
            yield (
                f"{release.tag} {one.carrier} {'--unsafe ' if one.unsafe else ''}{one.before!r}\n  -> {one.after!r}\n"
                + "".join(f"  {line}\n" for line in broken)
            )


def main() -> int:
    """Run the comparison; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help=f"files in all; {MANY}, or {SAMPLE} in a sample")
    parser.add_argument("--seed", type=int, help="what the files depend on; by default any")
    parser.add_argument("--sample", action="store_true", help="only the newest release that can be built here")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir(), help="where builds are kept")
    asked = parser.parse_args()
    if reader_build.go_command() is None:
        print("skipped: go is not on PATH")
        return SKIPPED
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    count = asked.count or (SAMPLE if asked.sample else MANY)
    print(f"seed {seed}, {count} files", flush=True)
    asked.work_dir.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    by_release: dict[str, list[Fixed]] = {}
    for one in files(seed, count):
        by_release.setdefault(one.release, []).append(one)
    print(f"fixed in {time.monotonic() - started:.1f} s", flush=True)
    tally: Counter[str] = Counter()
    shown = 0
    for release in BUILDABLE[::-1]:
        fixed = by_release.get(release.tag)
        if fixed is None or (asked.sample and tally):
            continue
        try:
            program = reader_build.oracle(release, asked.work_dir)
        except reader_build.CannotBuildError as error:
            print(f"{release.tag}: cannot be built here: {str(error).strip().splitlines()[-1]}")
            continue
        for words in check(release, fixed, program, tally):
            shown += 1
            if shown <= MOST_SHOWN:
                print(words)
    for what, number in sorted(tally.items()):
        print(f"{what:20}{number:9}")
    if not tally:
        print("skipped: no release can be had here")
        return SKIPPED
    print(f"{tally['files'] - tally['broken']} passed, {tally['broken']} failed")
    return 1 if tally["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
