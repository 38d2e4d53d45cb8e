"""Changes the package where a mistake would hurt most, and sees whether the room's tests notice: ``make mutants``.

A change that no test notices survives: either a test is missing, or the change means nothing, which ``survivors.toml``
says with its reason. ``--sample N`` tries N changes drawn over all targets, the same for a seed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from mutations import mutants_of, read

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "ccmcheck"
GOAL = 0.95
NOTICED = frozenset({"killed", "timed out"})


class Target(NamedTuple):
    """Modules that are changed, and the tests that must notice."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]


class Outcome(NamedTuple):
    """What became of one change: ``killed``, ``timed out``, ``survived``, or ``not called`` by any test."""

    where: str
    change: str
    line: int
    outcome: str


def targets() -> list[Target]:
    """What `targets.toml` lists, its globs resolved."""
    listed = tomllib.loads((HERE / "targets.toml").read_text(encoding="utf-8"))
    return [Target(name, tuple(_modules(entry["modules"])), tuple(entry["tests"])) for name, entry in listed.items()]


def explained() -> dict[tuple[str, str], str]:
    """The reasons in `survivors.toml` by module and function, and change."""
    listed = tomllib.loads((HERE / "survivors.toml").read_text(encoding="utf-8"))
    return {(where, change): why for where, changes in listed.items() for change, why in changes.items()}


def names_of(target: Target) -> list[tuple[str, str]]:
    """All changes of a target by module and function, and change, in their order."""
    found = [mutant for module in target.modules for mutant in mutants_of(read(PACKAGE / module), module)]
    return [(mutant.where, mutant.change) for mutant in found]


def try_changes(target: Target, numbers: list[int] | None) -> Iterator[Outcome]:
    """Run a target's tests with its changes.

    Args:
        target: The modules and tests.
        numbers: Which of the changes; all where None.

    Yields:
        The outcomes as they come.

    Raises:
        SystemExit: A test fails without any change, or the tests do not run.
    """
    job = {"modules": target.modules, "tests": target.tests, "numbers": numbers, "processes": os.cpu_count() or 1}
    paths = os.pathsep.join((str(ROOT), str(HERE)))
    with (
        tempfile.TemporaryDirectory() as temporary,  # pytest of another run would remove the oldest folders of this one
        subprocess.Popen(
            [sys.executable, str(HERE / "mutated_tests.py")],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "0", "PYTEST_DEBUG_TEMPROOT": temporary},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        json.dump(job, process.stdin)
        process.stdin.close()
        done = False
        for line in process.stdout:
            if not line.startswith("{"):
                continue  # pytest's own
            said: dict[str, Any] = json.loads(line)
            if "failed" in said:
                raise SystemExit(f"{said['failed']} fails without any change")
            if "done" in said:
                done = True
            if "outcome" in said:
                yield Outcome(**said)
        if not done:
            raise SystemExit(f"the tests of {target.name} did not run to their end: {' '.join(target.tests)}")


def _modules(patterns: list[str]) -> Iterator[str]:
    for pattern in patterns:
        paths = sorted(PACKAGE.glob(pattern))
        if not paths:
            raise SystemExit(f"targets.toml: no module ccmcheck/{pattern}")
        yield from (str(path.relative_to(PACKAGE)) for path in paths)


def _drawn(chosen: list[Target], count: int, seed: int) -> dict[str, list[int]]:
    """So many changes of all targets, by chance: the numbers of each target's."""
    every = [(target.name, number) for target in chosen for number in range(len(names_of(target)))]
    drawn: dict[str, list[int]] = {}
    for name, number in sorted(Random(seed).sample(every, min(count, len(every)))):  # noqa: S311 - a sample of tests
        drawn.setdefault(name, []).append(number)
    return drawn


def main() -> int:
    """Try the changes, print a line for each target and each survivor, and return 1 where too many survive."""
    chosen = targets()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target", nargs="*", help=f"which: {', '.join(target.name for target in chosen)}; all if none")
    parser.add_argument("--sample", type=int, metavar="N", help="try N of the changes")
    parser.add_argument("--seed", type=int, default=1, help="which N")
    options = parser.parse_args()
    if unknown := set(options.target) - {target.name for target in chosen}:
        parser.error(f"no target {', '.join(sorted(unknown))}")
    chosen = [target for target in chosen if not options.target or target.name in options.target]
    drawn = _drawn(chosen, options.sample, options.seed) if options.sample else None
    reasons = explained()
    survivors: list[Outcome] = []
    total: Counter[str] = Counter()
    for target in chosen:
        if drawn is not None and target.name not in drawn:
            continue
        started = time.monotonic()
        outcomes = list(try_changes(target, drawn[target.name] if drawn is not None else None))
        alive = [one for one in outcomes if one.outcome not in NOTICED]
        without = [one for one in alive if (one.where, one.change) not in reasons]
        survivors += without
        total.update(tried=len(outcomes), killed=len(outcomes) - len(alive), explained=len(alive) - len(without))
        print(
            f"{target.name:10} {len(outcomes):5} changes, {len(outcomes) - len(alive):5} noticed, "
            f"{len(alive) - len(without):3} mean nothing, {len(without):3} survive, {time.monotonic() - started:4.0f} s",
            flush=True,
        )
    for one in survivors:
        print(f"ccmcheck/{one.where.partition(':')[0]}:{one.line}  {one.outcome}\n   {one.where!r}  {one.change!r}")
    killed = total["killed"] / max(total["tried"] - total["explained"], 1)
    print(
        f"{killed:.1%} of {total['tried'] - total['explained']} changes that mean something are noticed "
        f"(goal {GOAL:.0%}); of all {total['tried']}, {total['killed'] / max(total['tried'], 1):.1%}"
    )
    return killed < GOAL


if __name__ == "__main__":
    sys.exit(main())
