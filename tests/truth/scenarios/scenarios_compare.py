"""Compares what ccmcheck predicts with what the real code does in scenarios of several acts, act by act.

``python tests/truth/scenarios/scenarios_compare.py --count 150 --seed 7`` makes Services in one cloud, half of them with a
shared load balancer, reconciles them again, changes nodes, Services and configuration, restarts the process and deletes. Each
act is predicted from the state before it. Exit code 1 if any differs, 77 if nothing could be run.
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import loadbalancer_scenarios as made
import reader_build
import scenarios_recorded as recorded
from loadbalancer_oracle import ORACLE, play
from loadbalancer_ours import act_differences
from reader_releases import buildable

RELEASES = ("v1.26.0", "v1.31.2", "v1.35.0", "v1.36.0")
SKIPPED = 77


def played(tag: str, seed: int, count: int, work_dir: Path) -> list[recorded.Played]:
    """Scenarios with what the real code did; without those that the process died of."""
    program = reader_build.oracle(buildable(tag), work_dir, ORACLE)
    scenarios = made.scenarios(seed, count)
    answers = play(program, [one.case for one in scenarios], [one.acts for one in scenarios])
    return [(scenario, given) for scenario, given in zip(scenarios, answers, strict=True) if given is not None]


def differences(tag: str, each: Sequence[recorded.Played]) -> tuple[collections.Counter[str], list[str]]:
    """How many acts there are of each kind, and what differs."""
    counts: collections.Counter[str] = collections.Counter()
    wrong = []
    for scenario, answers in each:
        for step in made.steps(scenario, answers):
            try:
                lines = act_differences(step.kind, step.case, step.answer, buildable(tag).release)
            except ValueError:  # what the release does then is not predicted
                counts["not predicted"] += 1
                continue
            counts[step.kind] += 1
            wrong += [f"{tag} {step.name} {step.kind}: {line}" for line in lines[:1]]
    return counts, wrong


def main() -> int:
    """Run the comparison that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150, help="scenarios a release; 150 by default")
    parser.add_argument("--seed", type=int, help="what they depend on; by default any")
    parser.add_argument("--sample", action="store_true", help="only the newest release")
    parser.add_argument("--record", action="store_true", help="rewrite the recorded scenarios instead")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir("loadbalancer"))
    asked = parser.parse_args()
    if reader_build.go_command() is None:
        print("skipped: go is not on PATH")
        return SKIPPED
    asked.work_dir.mkdir(parents=True, exist_ok=True)
    if asked.record:
        found = {tag: played(tag, recorded.SEED, recorded.COUNT, asked.work_dir) for tag in RELEASES}
        print(f"{recorded.write(found)} bytes recorded")
        return 0
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    print(f"seed {seed}")
    passed, failed = 0, 0
    for tag in RELEASES[-1:] if asked.sample else RELEASES:
        try:
            counts, wrong = differences(tag, played(tag, seed, asked.count, asked.work_dir))
        except reader_build.NotAvailableError as error:
            print(f"{tag} not available: {str(error).strip().splitlines()[-1]}")
            continue
        print(
            f"{tag:10}",
            ", ".join(f"{kind} {count}" for kind, count in counts.items()),
            f"different {len(wrong)}",
            flush=True,
        )
        print("".join(f"  {line[:400]}\n" for line in wrong[:20]), end="")
        passed += sum(counts.values()) - counts["not predicted"] - len(wrong)
        failed += len(wrong)
    if not passed:
        print("skipped: no release can be had here")
        return SKIPPED
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
