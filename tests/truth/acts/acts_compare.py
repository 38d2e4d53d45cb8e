"""Compares what ccmcheck predicts with the CCM's own code against the real Octavia with its Neutron driver, act by act.

``python tests/truth/acts/acts_compare.py --count 100 --seed 7`` makes Services in one cloud, half of them with a shared load
balancer, and then everything of `loadbalancer_scenarios`: second reconciles, changes of nodes, Services and configuration,
restarts, upgrades of the CCM, deletions; and of configurations that were moved from in-tree to 1.31. Each act is predicted from the state before it: requests, refusals, errors, status,
and what is left behind. Exit code 1 if any differs, 77 if nothing could be run.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cloud_recorded as recorded
import loadbalancer_scenarios as made
import reader_build
from acts_migrated import migrated
from acts_ours import NotPredictedError, gets_one, known_causes, step_differences
from acts_play import Player, Step
from cloud_play import Step as Recorded
from cloud_running import NotAvailableError, running_cloud
from loadbalancer_oracle import ORACLE
from octavia_compare import world
from reader_releases import buildable

RELEASES = ("v1.26.0", "v1.31.2", "v1.36.0")
FAILING = 0.02
AT = Path(__file__).parent / "recorded" / "steps.jsonl.xz"
RECORDED = 31, 20
"""The seed and the count of the recorded scenarios."""
SKIPPED = 77


def scenarios(seed: int, count: int) -> list[tuple[made.Scenario, str]]:
    """Scenarios, each with its first release; every third with an upgrade.

    Of those in which a Service is said to get no load balancer, most are left out: others compare creations that fail.
    """
    found: list[tuple[made.Scenario, str]] = []
    for number in itertools.count():
        if len(found) == count:
            return found
        scenario = made.scenario(seed, number)
        chance = random.Random(f"{seed}-acts-{number}")  # noqa: S311 - nothing secret
        tag = chance.choice(RELEASES)
        if scenario.case.cloud["loadbalancers"] or (chance.random() > FAILING and not _all_get_one(scenario, tag)):
            continue
        acts = scenario.acts
        if number % 3 == 0:
            tag = RELEASES[0] if chance.random() < 0.7 else RELEASES[1]
            acts = tuple(_upgraded(acts, RELEASES[RELEASES.index(tag) + 1 :], chance))
        found.append((scenario._replace(acts=acts), tag))
    return found


def _all_get_one(scenario: made.Scenario, tag: str) -> bool:
    """Whether each Service of a scenario is said to get a load balancer if it is the only one."""
    first = {act.service["metadata"]["name"]: act for act in reversed(scenario.acts)}
    return all(gets_one(scenario.case._replace(nodes=act.nodes), act.service, tag) for act in first.values())


def _upgraded(acts: Sequence[made.Act], later: Sequence[str], chance: random.Random) -> Iterator[made.Act]:
    """Acts, with an upgrade of the CCM before the first deletion, which reconciles every Service that is there."""
    first = next((at for at, act in enumerate(acts) if act.kind == "delete"), len(acts))
    yield from acts[:first]
    last: dict[str, made.Act] = {act.service["metadata"]["name"]: act for act in acts[:first]}
    tag = chance.choice(later)
    for act in last.values():
        nodes = next(one.nodes for one in reversed(acts[:first]))
        yield made.Act("upgrade", act.service, nodes, tag)
        yield made.Act("ensure", act.service, nodes)
    yield from acts[first:]


def played(seed: int, count: int, work_dir: Path) -> list[Step]:
    """All steps.

    Raises:
        NotAvailableError: Octavia cannot be had here.
        reader_build.NotAvailableError: A release cannot be had here.
    """
    programs = {tag: reader_build.oracle(buildable(tag), work_dir, ORACLE) for tag in RELEASES}
    known = world()
    with running_cloud(known["flavors"], known["zones"]) as (stand_in, octavia):
        player = Player(programs, stand_in, octavia)
        try:
            every = [*((one, RELEASES[1]) for one in migrated()), *scenarios(seed, count)]
            return [step for scenario, tag in every for step in player.play(scenario, tag)]
        finally:
            player.stop()


def main() -> int:
    """Run the comparison that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help="scenarios; 200, or 20 in a sample")
    parser.add_argument("--seed", type=int, help="what they depend on; by default any")
    parser.add_argument("--sample", action="store_true", help="a small part, for continuous integration")
    parser.add_argument("--record", action="store_true", help="rewrite the recorded acts instead")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir("loadbalancer"))
    asked = parser.parse_args()
    if asked.record:
        asked.seed, asked.count = RECORDED
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    asked.work_dir.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    print(f"seed {seed}", flush=True)
    try:
        steps = played(seed, asked.count or (20 if asked.sample else 200), asked.work_dir)
    except (NotAvailableError, reader_build.NotAvailableError) as error:
        print(f"skipped: {str(error).strip().splitlines()[-1].strip()}")
        return SKIPPED
    if asked.record:
        by_tag = {tag: [Recorded(*step.plain) for step in steps if step.tag == tag] for tag in RELEASES}
        print(f"{recorded.write(by_tag, AT)} bytes recorded")
        return 0
    counts: collections.Counter[str] = collections.Counter()
    listed: collections.Counter[str] = collections.Counter()
    failed = 0
    for step in steps:
        origin = step.name.partition(" ")[0]
        kind = step.act if origin == "single" else f"{origin} {step.act}"
        try:
            lines = step_differences(step)
        except NotPredictedError as error:
            counts[f"not predicted: {str(error)[:60]}"] += 1
            continue
        counts[kind] += 1
        if lines and (cause := known_causes(step, lines)):
            listed[cause] += 1
        elif lines:
            failed += 1
            print(f"{step.tag} {step.name} {step.act}: {lines[0][:600]}")
    for kind, count in sorted(counts.items()):
        print(f"{count:6} {kind}")
    for cause, count in sorted(listed.items()):
        print(f"{count:6} differ by what the cloud knows: {cause}")
    total = sum(count for kind, count in counts.items() if not kind.startswith("not predicted"))
    print(f"{total} acts in {time.monotonic() - began:.0f} s")
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
