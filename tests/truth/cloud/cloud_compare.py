"""Compares predictions with the real CCM and service controller against the real Octavia API with its real Neutron driver.

``python tests/truth/cloud/cloud_compare.py`` plays some hundred chosen cases: a Service is created, something changes, and it
goes. Kubernetes is client-go's fake clientset; Keystone, Neutron, Nova and Barbican are ours, on loopback. Requests, errors,
events, status, annotations and what is left behind are compared, and each difference goes to a file. It ends with exit code 1
if anything differs; exit code 77 means that nothing could be run, and the last line says why.
"""

from __future__ import annotations

import argparse
import collections
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cloud_recorded as recorded
import reader_build
from cloud_chosen import cases
from cloud_ours import differences
from cloud_play import Player, Step
from cloud_running import NotAvailableError, running_cloud
from reader_releases import buildable

HERE = Path(__file__).parent
RELEASES = ("v1.36.0", "v1.31.2", "v1.26.0")
EVERY = 4  # in a sample
SKIPPED = 77


def play(tags: Sequence[str], names: Sequence[str], every: int, work_dir: Path) -> dict[str, list[Step]]:
    """Play cases with each release.

    Raises:
        NotAvailableError: Octavia cannot be had here.
        reader_build.CannotBuildError: A release cannot be built here.
    """
    programs = {tag: reader_build.oracle(buildable(tag), work_dir, HERE / "oracle") for tag in tags}
    chosen = [one for one in cases() if not names or one.name in names][::every]
    found: dict[str, list[Step]] = {}
    with running_cloud() as (stand_in, octavia):
        for tag, program in programs.items():
            player = Player(program, stand_in, octavia)
            found[tag] = [step for one in chosen for step in player.play(one)]
    return found


def main() -> int:
    """Run the comparison that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, help="accepted and ignored: the cases are chosen")
    parser.add_argument("--sample", action="store_true", help="a fourth of the cases, with the newest release")
    parser.add_argument("--releases", nargs="*", default=[], metavar="TAG", help=f"{', '.join(RELEASES)} by default")
    parser.add_argument("--cases", nargs="*", default=[], metavar="NAME", help="all by default")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir("cloud"))
    parser.add_argument("--differences", type=Path, help="where to write what differs")
    parser.add_argument("--record", action="store_true", help="also rewrite the recorded answers")
    asked = parser.parse_args()
    asked.work_dir.mkdir(parents=True, exist_ok=True)
    tags = asked.releases or (RELEASES[:1] if asked.sample else RELEASES)
    started = time.monotonic()
    try:
        steps = play(tags, asked.cases, EVERY if asked.sample else 1, asked.work_dir)
    except (NotAvailableError, reader_build.NotAvailableError) as error:
        print(f"skipped: {str(error).strip().splitlines()[-1].strip()}")
        return SKIPPED
    except reader_build.CannotBuildError as error:
        print(f"does not build: {error}")
        return 1
    study_at = asked.differences or asked.work_dir / "differences.txt"
    failed = 0
    with study_at.open("w", encoding="utf-8") as study:
        print(f"{'release':12}{'create':>8}{'change':>8}{'delete':>8}{'equal':>8}{'different':>11}")
        for tag, played in steps.items():
            wrong = [(step, lines) for step in played if (lines := differences(step, tag))]
            failed += len(wrong)
            counts = collections.Counter(step.act for step in played)
            kinds = "".join(f"{counts[act]:8}" for act in ("create", "change", "delete"))
            print(f"{tag:12}{kinds}{len(played) - len(wrong):8}{len(wrong):11}", flush=True)
            for step, lines in wrong:
                study.write(f"{tag} {step.name} {step.act}\n" + "".join(f"  {line}\n" for line in lines) + "\n")
    total = sum(map(len, steps.values()))
    print(f"{total} steps in {time.monotonic() - started:.0f} s")
    if failed:
        print(f"differences are in {study_at}")
    if asked.record:
        print(f"{recorded.write(steps)} bytes recorded")
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
