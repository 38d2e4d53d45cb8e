"""Compares what ccmcheck says of Services with what kube-apiserver says, Service by Service.

``python tests/truth/kubernetes/kubernetes_compare.py --count 5000 --seed 7`` changes one thing or several of a Service, and
asks both whether it is taken. It ends with exit code 1 if they differ. ``--record`` writes down a part of the answers.
Exit code 77 means that nothing could be run, and the last line says why.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import kubernetes_generate as generate
import reader_build
from kubernetes_oracle import Json, ask, program
from kubernetes_ours import difference, is_refused
from kubernetes_texts import texts

RECORDED = Path(__file__).parent / "recorded" / "answers.jsonl"
SCALARS = RECORDED.with_name("scalars.json")
SEED = 20
SAMPLE = 1500
MOST_SHOWN = 20
SKIPPED = 77


def record(services: Sequence[tuple[Json, bool]], answers: list[list[str]]) -> None:
    """Write the answers down: the Service, whether one thing is wrong, the fields; but for huge ones."""
    RECORDED.parent.mkdir(exist_ok=True)
    with RECORDED.open("w", encoding="ascii") as file:
        for (service, alone), answer in zip(services, answers, strict=True):
            line = json.dumps([service, alone, [one[:120] for one in answer]], separators=(",", ":"))
            if len(line) < 4000:
                file.write(line + "\n")
    print(f"{len(answers)} answers, {RECORDED.stat().st_size} bytes")


def record_scalars(oracle: Path) -> None:
    """Write down which scalars are refused in which field."""
    written = list(texts())
    answers = ask(oracle, [text for _, _, text in written])
    refused: dict[str, list[str]] = {}
    for (field, scalar, _), answer in zip(written, answers, strict=True):
        if answer:
            refused.setdefault(field, []).append(scalar)
    SCALARS.write_text(json.dumps(refused, indent=1) + "\n", encoding="ascii")


def main() -> int:
    """Run the comparison that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help=f"Services with several changes; 20000, or {SAMPLE} in a sample")
    parser.add_argument("--seed", type=int, help="what chance depends on; by default any")
    parser.add_argument("--sample", action="store_true", help="a small part")
    parser.add_argument("--record", action="store_true", help="write the recorded answers anew instead")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir("kubernetes"))
    asked = parser.parse_args()
    if reader_build.go_command() is None:
        print("skipped: go is not on PATH")
        return SKIPPED
    asked.work_dir.mkdir(parents=True, exist_ok=True)
    try:
        oracle = program(asked.work_dir)
    except reader_build.NotAvailableError as error:
        print(f"skipped: {str(error).strip().splitlines()[-1].strip()}")
        return SKIPPED
    seed = SEED if asked.record else random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    count = 400 if asked.record else asked.count or (SAMPLE if asked.sample else 20000)
    services = [
        *((one, True) for one in generate.single()),
        *((one, False) for one in generate.at_random(count, seed)),
    ]
    answers = ask(oracle, [service for service, _ in services])
    if asked.record:
        record(services, answers)
        record_scalars(oracle)
        return 0
    print(f"seed {seed}, {len(services)} Services")
    failed = 0
    for (service, alone), answer in zip(services, answers, strict=True):
        difference_found = difference(service, answer, alone=alone)
        if difference_found:
            failed += 1
            if failed <= MOST_SHOWN:
                print(f"{json.dumps(service)[:600]}\n  {difference_found}")
    written = list(texts())
    for (_, _, text), answer in zip(written, ask(oracle, [text for _, _, text in written]), strict=True):
        if bool(answer) != is_refused(text):
            failed += 1
            print(f"{text}  the API server {answer}")
    print(f"{len(services) + len(written) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
