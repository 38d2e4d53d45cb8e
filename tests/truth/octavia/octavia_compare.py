"""Compares ccmcheck's verdict on requests with what the real Octavia API says to them.

``python tests/truth/octavia/octavia_compare.py --count 400 --seed 7`` makes cases, predicts their requests and sends these
to Octavia's own API on loopback; where all is taken, something changes, and what the CCM asks for then is sent, too. It
ends with exit code 1 if Octavia refuses what was said to be taken, takes what was said to be refused, or refuses it with
another status. Exit code 77 means that Octavia cannot be had here, and the last line says why.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import re
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import loadbalancer_existing as existing
import loadbalancer_generate as generate
import loadbalancer_words as words
import octavia_recorded as recorded
from loadbalancer_ids import identify, readable
from loadbalancer_oracle import Answer, Case
from octavia_api import NotAvailableError, Octavia, default_work_dir, installed, running
from octavia_play import Played, play, tree
from octavia_verdict import API, Verdict, judge

from ccmcheck.predict.inputs.options import read_options

Json = dict[str, Any]

RELEASES = ("v1.36.0", "v1.36.0", "v1.31.2", "v1.28.0", "v1.26.0", "v1.21.0", "v1.19.3")
# flavors and zones here are the amphora provider's; its alias does not take them
_FOREIGN = re.compile("not compatible with provider")
FLAVOR = words.PREFIX + "flavor-id"
ZONE = words.PREFIX + "availability-zone"
SAMPLE = 150
SKIPPED = 77
# what the CCM itself sees of the changes; the load balancer in Octavia stays as it is
CHANGES = (
    existing.other_config, existing.monitor_switched, existing.other_annotations, existing.other_ports,
    existing.other_policy, existing.other_node_ports, existing.other_nodes,
)  # fmt: skip


class Tried(NamedTuple):
    """One case and both answers."""

    case: Case
    release: str
    verdict: Verdict
    played: Played

    @property
    def difference(self) -> str:
        """In words; empty where they agree."""
        said, done = self.verdict, self.played
        if set(done.tolerated) != said.tolerated:
            return f"predicted as tolerated {sorted(said.tolerated)}, really {list(done.tolerated)}"
        if said.taken and not done.taken:
            return f"said to be taken, but request {len(done.statuses) - 1} gets {done.statuses[-1]}: {done.fault}"
        if not said.taken and done.taken:
            return f"said to be refused ({said.why}), but all {len(done.statuses)} requests are taken"
        if not said.taken and said.status and said.status != done.statuses[-1]:
            return f"said to be refused with {said.status} ({said.why}), but gets {done.statuses[-1]}: {done.fault}"
        return ""


def world() -> Json:
    """Octavia's other objects."""
    flavors = {one for values in (words.CONFIG["flavor-id"], words.ANNOTATIONS[FLAVOR]) for one in values if one}
    zones = {one for values in (words.CONFIG["availability-zone"], words.ANNOTATIONS[ZONE]) for one in values if one}
    cloud = generate.cases(0, 1)[0].cloud
    return {**cloud, "flavors": sorted(map(identify, flavors)), "zones": sorted(zones)}


def attempt(octavia: Octavia, case: Case, release: str, balancer: str = "") -> Tried | None:
    """Predict one case and send it; None where nothing is asked for."""
    verdict = judge(case, release)
    if verdict is None or not any(one.api == "octavia" for one in verdict.requests):
        return None
    return Tried(case, release, verdict, play(octavia, verdict.requests, verdict.tolerated, balancer))


def again(octavia: Octavia, tried: Tried, seed: int, number: int) -> Tried | None:
    """Change something about a case that went well, and try once more."""
    balancer = tried.played.balancer
    cloud = {**tried.case.cloud, "loadbalancers": [tree(octavia, balancer)]}
    annotations = {**tried.case.service["metadata"].get("annotations", {}), words.LOAD_BALANCER_ID: balancer}
    left = Answer("ok", "", (), (), (), annotations, cloud)
    case = existing.later(seed, number, tried.case, left, waits=False, changes=CHANGES)
    if provider(case, tried.release) != provider(tried.case, tried.release):
        return None  # the load balancer stays where it is, which no verdict can know
    return attempt(octavia, case, tried.release, balancer)


def provider(case: Case, release: str) -> str:
    """Where a new load balancer would be."""
    return read_options(case.config, release).lb_provider


def explore(octavia: Octavia, seed: int, count: int) -> list[Tried]:
    """Try cases, each once more where it succeeded; the load balancers are deleted in between."""
    found: list[Tried] = []
    for number, made in enumerate(generate.cases(seed, count)):
        case = made._replace(octavia=API)
        chance = random.Random(f"{seed}-octavia-{number}")  # noqa: S311 - nothing secret
        tried = attempt(octavia, case, chance.choice(RELEASES))
        if tried is None or _FOREIGN.search(tried.played.fault):
            continue
        found.append(tried)
        if tried.played.taken and tried.verdict.finished:
            second = again(octavia, tried, seed, number)
            if second is not None:
                found.append(second)
        if tried.played.balancer:
            octavia.ask("DELETE", f"loadbalancers/{tried.played.balancer}?cascade=true")
    return found


def main() -> int:
    """Run the comparison that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help=f"cases; 600, or {SAMPLE} in a sample")
    parser.add_argument("--seed", type=int, help="what the cases depend on; by default any")
    parser.add_argument("--sample", action="store_true", help="a small part, for continuous integration")
    parser.add_argument("--work-dir", type=Path, default=default_work_dir(), help="where Octavia is kept")
    parser.add_argument("--differences", type=Path, help="where to write differing cases")
    parser.add_argument("--record", action="store_true", help="also rewrite the recorded answers")
    asked = parser.parse_args()
    count = asked.count or (SAMPLE if asked.sample else 600)
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    asked.work_dir.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    try:
        python = installed(asked.work_dir)
        if (seconds := time.monotonic() - started) > 1:
            print(f"installed in {seconds:.0f} s", flush=True)
        print(f"seed {seed}, {count} cases", flush=True)
        started = time.monotonic()
        with running(python, world()) as octavia:
            found = explore(octavia, seed, count)
    except NotAvailableError as error:
        print(f"skipped: {error}")
        return SKIPPED
    _report(found, time.monotonic() - started)
    wrong = [tried for tried in found if tried.difference]
    study_at = asked.differences or asked.work_dir / "differences.txt"
    study_at.write_text("".join(map(_shown, wrong)), encoding="utf-8")
    if wrong:
        print(f"differences are in {study_at}; the same cases: --seed {seed} --count {count}")
    elif asked.record:
        print(f"{recorded.write(recorded.choose(found))} bytes recorded")
    print(f"{len(found) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def _report(found: list[Tried], seconds: float) -> None:
    counts = collections.Counter((tried.release, tried.played.taken) for tried in found)
    print(f"{'release':12}{'accepted':>10}{'refused':>9}")
    for release in dict.fromkeys(RELEASES):
        print(f"{release:12}{counts[release, True]:10}{counts[release, False]:9}")
    requests = sum(len(tried.played.statuses) for tried in found)
    print(f"{requests} requests in {seconds:.1f} s", flush=True)


def _shown(tried: Tried) -> str:
    parts = {
        "service": tried.case.service,
        "nodes": tried.case.nodes,
        "loadbalancers": tried.case.cloud["loadbalancers"],
    }
    sent = "".join(f"  {one.method} {one.path} {json.dumps(one.body)}\n" for one in tried.verdict.requests)
    return readable(f"{tried.release}: {tried.difference}\n{sent}{tried.case.config}{json.dumps(parts)}\n\n")


if __name__ == "__main__":
    sys.exit(main())
