"""Puts a secret into every kind of file, in every odd spelling and escape, runs every command, and looks for it.

``python tests/truth/run.py canary`` tries combinations by chance, none twice; ``--count 0`` tries all of them, which takes
hours. The pairs that matter most run in ``make test`` (`test_canary_spellings`).
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

import canary_product as product
from test_canary_fix import said

MANY, SAMPLE = 24_000, 1_500
MOST_SHOWN = 40
_leaks = cache(product.leaks)


class Outcome(NamedTuple):
    """What one combination printed.

    Attributes:
        number: The combination's number.
        leak: What of the secret was in it, empty where nothing was.
        printed: The line with it, or the error.
        length: How long the output was.
    """

    number: int
    leak: str
    printed: str
    length: int


def attempt(number: int) -> Outcome:
    """Run one combination in a folder of its own.

    Args:
        number: Its number.
    """
    made = product.combination(number)
    written = made.escape.write()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / made.carrier).write_bytes(product.file(made.carrier, made.spelling, written))
        (folder / "base").mkdir()
        plain = made.carrier.endswith((".conf", ".tmpl"))
        (folder / "base" / made.carrier).write_text("[LoadBalancer]\n" if plain else "a: b\n", encoding="utf-8")
        words = [
            f"base/{made.carrier}" if word == "base" else word.replace("FILE", made.carrier) for word in made.command
        ]
        try:
            printed = said(folder, words)
        except (AssertionError, Exception) as error:  # noqa: BLE001 - whatever happens is a fault of this combination
            return Outcome(number, type(error).__name__, str(error)[-500:], 0)
        for path in sorted({*folder.glob("out*"), *folder.glob("out/**/*")}):
            printed += path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        shutil.rmtree(folder / "base")
    leak = product.leak(printed, _leaks(written))
    line = next((line for line in printed.splitlines() if product.leak(line, frozenset({leak}))), "") if leak else ""
    return Outcome(number, leak, line[:500], len(printed))


def outcomes(numbers: Sequence[int], jobs: int) -> Iterator[Outcome]:
    """What all of them printed, through several processes.

    Args:
        numbers: The combinations.
        jobs: How many processes.
    """
    if jobs < 2:
        yield from map(attempt, numbers)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(attempt, numbers, chunksize=50)


def main() -> int:
    """Run the comparison; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help=f"combinations; {MANY}, or {SAMPLE} in a sample; 0 for all")
    parser.add_argument("--seed", type=int, help="which combinations; by default any")
    parser.add_argument("--sample", action="store_true", help="a small part")
    parser.add_argument("--jobs", type=int, default=cpu_count() or 1, help="processes")
    asked = parser.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    count = (SAMPLE if asked.sample else MANY) if asked.count is None else asked.count or product.size()
    numbers = random.Random(seed).sample(range(product.size()), min(count, product.size()))  # noqa: S311 - no secret
    print(
        f"seed {seed}, {len(numbers):,} of {product.size():,} combinations: {len(product.COMMANDS)} commands with formats and "
        f"verbosity × {len(product.CARRIERS)} carriers × {len(product.SPELLINGS)} spellings × {len(product.ESCAPES)} escapes",
        flush=True,
    )
    started = time.monotonic()
    failed = silent = 0
    by_spelling = Counter[str]()
    for outcome in outcomes(numbers, asked.jobs):
        silent += outcome.length == 0
        if outcome.leak:
            failed += 1
            made = product.combination(outcome.number)
            by_spelling[f"{made.spelling!r} {made.carrier}"] += 1
            if failed <= MOST_SHOWN:
                print(
                    f"{' '.join(made.command)}: {made.carrier}, {made.spelling!r}, {made.escape.name}: {outcome.leak!r}"
                )
                print(f"  {outcome.printed}", flush=True)
    for what, number in by_spelling.most_common(MOST_SHOWN):
        print(f"{number:7} {what}")
    print(f"{silent} printed nothing, in {time.monotonic() - started:.0f} s")
    print(f"{len(numbers) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
