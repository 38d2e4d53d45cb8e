"""Runs the real things beside ccmcheck: ``python tests/truth/run.py reader``, or ``all``.

Each folder here with a ``compare.py``, or a ``<folder>_compare.py``, is one comparison. It is given the options that are
given here; its last line is ``N passed, M failed``, and its exit code is 77 where what it needs is missing, with the reason
in the last line.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
_CLOSING = re.compile(r"(\d+) passed, (\d+) failed")


def comparisons() -> dict[str, Path]:
    """The script of each comparison, by the comparison's name."""
    scripts = [*HERE.glob("*/compare.py"), *HERE.glob("*/*_compare.py")]
    return {
        path.parent.name: path for path in sorted(scripts) if path.stem in {"compare", f"{path.parent.name}_compare"}
    }


def compare(name: str, script: Path, options: list[str]) -> tuple[int, int]:
    """Run one comparison and show what it prints.

    Returns:
        How many of its cases passed and failed; it failed once more if it ended without saying so.
    """
    print(f"== {name}", flush=True)
    command = [sys.executable, str(script), *options]
    closing = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            closing = line.strip() or closing
    if process.returncode == SKIPPED:
        return 0, 0
    counts = _CLOSING.fullmatch(closing)
    if counts is None:
        print(f"{name} ended with exit code {process.returncode} and no result")
        return 0, 1
    passed, failed = int(counts[1]), int(counts[2])
    return passed, max(failed, int(process.returncode != 0))


def main() -> int:
    """Run what was asked for; the exit code."""
    known = comparisons()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(known)} or all, the default")
    parser.add_argument("--seed", type=int, help="what chance depends on; by default any, and printed")
    parser.add_argument("--sample", action="store_true", help="a small part, for continuous integration")
    parser.add_argument("--record", action="store_true", help="rewrite the recorded answers; with names of comparisons")
    asked, more = parser.parse_known_args()
    if more and (len(asked.names) != 1 or "all" in asked.names):
        parser.error(f"{' '.join(more)}: what only one comparison takes goes with its name alone")
    if asked.record and (not asked.names or "all" in asked.names):
        parser.error("--record needs the names of comparisons")
    unknown = set(asked.names) - {*known, "all"}
    if unknown:
        parser.error(f"there is no comparison {', '.join(sorted(unknown))}")
    options = [*more, "--sample"] if asked.sample else more
    options += ["--record"] if asked.record else []
    if asked.seed is not None:
        options += ["--seed", str(asked.seed)]
    passed = failed = 0
    for name in asked.names if asked.names and "all" not in asked.names else known:
        ok, wrong = compare(name, known[name], options)
        passed += ok
        failed += wrong
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
