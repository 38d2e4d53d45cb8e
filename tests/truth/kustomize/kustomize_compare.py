"""Builds generated trees with the real kustomize and with ccmcheck, and compares every object.

``--record`` writes the answers for the first trees of a fixed seed into ``tests/kustomize/data``, for everyday tests.
``--trees DIR`` compares the kustomizations below a folder instead, such as a checkout of a public repository.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from pathlib import Path

from kustomize_generate import tree
from kustomize_oracle import program, run, run_in, unhashed
from kustomize_ours import Objects, built, built_by

HERE = Path(__file__).resolve().parent

TREES, SAMPLE, RECORDED = 400, 60, 150
RECORDED_SEED = 20240229
RECORDS = HERE.parents[1] / "kustomize" / "data" / "recorded.jsonl"
SKIPPED = 77
ELSEWHERE = ("ClusterRoleBinding ", "RoleBinding ", "CustomResourceDefinition ", "MutatingWebhook", "ValidatingWebhook")
"""Kinds with references to other objects that nothing of ccmcheck's reads, so that they are not followed."""


def differences(theirs: Objects, ours: Objects, unknown: set[str]) -> list[str]:
    """What differs, without objects that ours calls unknown."""
    found = []
    for name in sorted({*theirs, *ours} - unknown):
        if name.startswith(ELSEWHERE):
            continue
        if name not in ours:
            found.append(f"missing {name}")
        elif name not in theirs:
            found.append(f"extra {name}")
        elif _without_nulls(theirs[name]) != _without_nulls(json.loads(json.dumps(ours[name]))):
            found.append(
                f"{name}:\n  real {json.dumps(theirs[name], sort_keys=True)}\n  ours {json.dumps(ours[name], sort_keys=True)}"
            )
    return found


def _without_nulls(data: object) -> object:
    """Data without the fields that are null, which Kubernetes reads as if they were not there."""
    if isinstance(data, dict):
        return {name: _without_nulls(value) for name, value in data.items() if value is not None}
    return [_without_nulls(item) for item in data] if isinstance(data, list) else data


def compare_generated(kustomize: str, seed: int, count: int, records: list[str] | None) -> tuple[int, int]:
    """Compare generated trees; those that the real one refuses are counted by neither side."""
    passed = failed = refused = 0
    for number in range(count):
        files = tree(random.Random(f"{seed} {number}"))  # noqa: S311 - a test's trees
        theirs = run(kustomize, files, "top")
        if isinstance(theirs, str):
            refused += 1
            continue
        ours, unknown = built(files, "top/kustomization.yaml")
        theirs = unhashed(theirs, ours)
        wrong = differences(theirs, ours, unknown)
        if records is not None:
            records.append(json.dumps({"number": number, "objects": theirs}, sort_keys=True))
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"seed {seed}, tree {number}: " + "\n".join(wrong))
    print(f"{refused} of {count} trees are refused by the real one")
    return passed, failed


def compare_folder(kustomize: str, top: Path) -> tuple[int, int]:
    """Compare every kustomization below a folder that the real one builds without fetching."""
    passed = failed = 0
    names = ("kustomization.yaml", "kustomization.yml", "Kustomization")
    for path in sorted(one for name in names for one in top.rglob(name)):
        theirs = run_in(kustomize, path.parent)
        if isinstance(theirs, str) or not theirs:
            print(f"{path}: refused: {str(theirs)[:200]!r}")
            continue

        def read(name: str) -> str | None:
            whole = Path(os.path.realpath(top / name))
            return whole.read_text(encoding="utf-8", errors="replace") if whole.is_file() else None

        ours, unknown = built_by(read, path.relative_to(top).as_posix())
        wrong = differences(unhashed(theirs, ours), ours, unknown)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        print(f"{path}: {len(theirs)} objects, {len(unknown)} unknown, {len(wrong)} differ")
        for one in wrong[:3]:
            print(one[:1500])
    return passed, failed


def main() -> int:
    """Run the comparison; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--trees", type=Path)
    asked = parser.parse_args()
    kustomize = program()
    if kustomize is None:
        print("skipped: there is neither kustomize nor Go")
        return SKIPPED
    if asked.trees is not None:
        passed, failed = compare_folder(kustomize, asked.trees.resolve())
    elif asked.record:
        records: list[str] = []
        passed, failed = compare_generated(kustomize, RECORDED_SEED, RECORDED, records)
        RECORDS.parent.mkdir(parents=True, exist_ok=True)
        RECORDS.write_text("\n".join(records) + "\n", encoding="utf-8")
    else:
        seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**9)
        passed, failed = compare_generated(kustomize, seed, SAMPLE if asked.sample else TREES, None)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
