"""Attacks every command, over and over: ``make attack``, or ``python tests/attack/attack.py --seed 7 names git``.

Each family combines what an attacker controls with the commands, by chance and none twice, and one judge
(`attack_judge`) holds what SECURITY.md promises. ``--number N`` with one family repeats one run.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import attack_budgets
import attack_documents
import attack_git
import attack_names
import attack_servers

FAMILIES: dict[str, tuple[ModuleType, float]] = {
    "documents": (attack_documents, 0.70),
    "names": (attack_names, 0.20),
    "servers": (attack_servers, 0.06),
    "git": (attack_git, 0.025),
    "budgets": (attack_budgets, 0.015),
}
"""Each family, and its share of the runs: one with servers or git takes ten times as long as one with a document."""
MANY, SAMPLE = 100_000, 1_000
MOST_SHOWN = 40
EACH = 5_000
"""Runs after which it says how far it is."""


class Attempt(NamedTuple):
    """One run.

    Attributes:
        family: Its family.
        number: Which of it.
    """

    family: str
    number: int


class Outcome(NamedTuple):
    """What came of one run.

    Attributes:
        attempt: Which.
        wrong: Every promise that did not hold.
    """

    attempt: Attempt
    wrong: list[str]


def attack(attempt: Attempt) -> Outcome:
    """Make one run in an empty folder."""
    module, _ = FAMILIES[attempt.family]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        try:
            wrong = module.attack(attempt.number, Path(name))
        except Exception as error:  # noqa: BLE001 - what escapes the command line is a hit, too
            wrong = [f"{type(error).__name__}: {str(error)[:300]}"]
    return Outcome(attempt, wrong)


def attempts(seed: int, count: int, families: Sequence[str]) -> list[Attempt]:
    """Which runs a seed makes, in families by their shares.

    Args:
        seed: What chance depends on.
        count: Of all runs.
        families: Those that take part.
    """
    chosen = random.Random(seed)  # noqa: S311 - no secret
    whole = sum(FAMILIES[name][1] for name in families)
    made = []
    for name in families:
        module, share = FAMILIES[name]
        wanted = min(module.size(), max(1, round(count * share / whole)))
        made += [Attempt(name, number) for number in chosen.sample(range(module.size()), wanted)]
    chosen.shuffle(made)
    return made


def outcomes(made: Sequence[Attempt], jobs: int) -> Iterator[Outcome]:
    """What came of them, through several processes, each of which ends after a while with all that it keeps."""
    if jobs < 2:
        yield from map(attack, made)
        return
    with get_context("spawn").Pool(jobs, maxtasksperchild=20) as pool:
        yield from pool.imap_unordered(attack, made, chunksize=50)


def main() -> int:
    """Attack; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=f"{', '.join(FAMILIES)}; by default all")
    parser.add_argument("--seed", type=int, help="what chance depends on; by default any, and printed")
    parser.add_argument("--count", type=int, help=f"runs: {MANY:,}, or {SAMPLE:,} in a sample")
    parser.add_argument("--sample", action="store_true", help="a small part")
    parser.add_argument("--number", type=int, help="repeat this run of one family")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    asked = parser.parse_args()
    families = asked.families or list(FAMILIES)
    if unknown := set(families) - FAMILIES.keys():
        parser.error(f"there is no family {', '.join(sorted(unknown))}")
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    count = (SAMPLE if asked.sample else MANY) if asked.count is None else asked.count
    made = [Attempt(families[0], asked.number)] if asked.number is not None else attempts(seed, count, families)
    print(f"seed {seed}: {len(made):,} runs", flush=True)
    started = time.monotonic()
    tally = dict.fromkeys(families, (0, 0))
    shown = 0
    for count, outcome in enumerate(outcomes(made, asked.jobs), 1):
        if count % EACH == 0:
            print(f"{count:,} runs, {sum(hit for _, hit in tally.values()):,} hits", flush=True)
        name, number = outcome.attempt
        runs, hit = tally[name]
        tally[name] = runs + 1, hit + bool(outcome.wrong)
        if outcome.wrong and shown < MOST_SHOWN:
            shown += 1
            print(f"{name} --number {number}: {FAMILIES[name][0].described(number)}")
            for wrong in outcome.wrong:
                print(f"    {wrong}", flush=True)
    for name, (runs, hit) in tally.items():
        print(f"{name}: {runs:,} of {FAMILIES[name][0].size():,}, {hit:,} hits")
    failed = sum(hit for _, hit in tally.values())
    print(f"{time.monotonic() - started:.0f} s; {len(made) - failed:,} passed, {failed:,} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
